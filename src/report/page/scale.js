// SPDX-License-Identifier: Apache-2.0
// Scales: from data to pixels and back, and where their ticks stand.

function niceStep(span, wanted) {
  const rough = span / Math.max(1, wanted), power = 10 ** Math.floor(Math.log10(rough)), share = rough / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

function linearTicks([low, high], wanted) {
  const step = niceStep(high - low, wanted), places = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) places.push(Number((k * step).toPrecision(12)));
  return { places, step };
}

function logTicks([low, high], wanted) {
  const decades = Math.log10(high) - Math.log10(low);
  if (decades < 0.7) return linearTicks([low, high], wanted);
  const every = Math.max(1, Math.ceil(decades / wanted)), factors = decades < 1.6 ? [1, 2, 5] : decades < 2.6 && wanted > 5 ? [1, 3] : [1];
  const places = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    if (power % every) continue;
    for (const factor of factors) {
      const place = Number((factor * 10 ** power).toPrecision(6));
      if (place >= low * 0.999999 && place <= high * 1.000001) places.push(place);
    }
  }
  return { places, step: 0 };
}

// Shares that are round to the eye, those nearest to a half first where not all have room.
const roundShares = [0.5, 0.9, 0.1, 0.99, 0.01, 0.999, 0.001, 0.7, 0.3, 0.8, 0.2, 0.95, 0.05, 0.98, 0.02, 0.995, 0.005, 0.6, 0.4, 0.85, 0.15, 0.97, 0.03, 0.9999, 0.0001];
function logitTicks([low, high], wanted) {
  const inner = scales.logit.inner, apart = (inner(high) - inner(low)) / (1.6 * wanted), places = [];
  for (const place of roundShares)
    if (place >= low && place <= high && places.every((other) => Math.abs(inner(other) - inner(place)) >= apart)) places.push(place);
  return places.length > 2 ? { places: places.sort((a, b) => a - b), step: 0 } : linearTicks([low, high], wanted);
}

// `inner` is what is spread evenly over the pixels; `alone` is the margin about a single value, in its unit.
const nearest = 1e-4;  // a logit axis shows shares this close to 0 and 1
const scales = {
  linear: { inner: (v) => v, outer: (v) => v, shows: () => true, ticks: linearTicks, alone: (v) => Math.abs(v) * 0.1 || 0.5, empty: [0, 1] },
  log: { inner: Math.log10, outer: (v) => 10 ** v, shows: (v) => v > 0, ticks: logTicks, alone: () => Math.log10(1.5), empty: [0.1, 1] },
  logit: {
    inner: (v) => { const p = Math.max(nearest, Math.min(1 - nearest, v)); return Math.log(p / (1 - p)); }, outer: (v) => 1 / (1 + Math.exp(-v)),
    shows: (v) => v >= 0 && v <= 1, ticks: logitTicks, alone: () => 0.3, empty: [0.1, 0.9],
  },
};

// Maps data to pixels; `from` and `to` are pixels.
class Scale {
  constructor(range, kind, from, to) { Object.assign(this, { range, kind: scales[kind], from, to }); }
  pixel(value) {
    const [low, high] = this.range.map(this.kind.inner);
    return Math.max(-1e5, Math.min(1e5, this.from + ((this.kind.inner(value) - low) / (high - low)) * (this.to - this.from)));
  }
  value(pixel) {
    const [low, high] = this.range.map(this.kind.inner);
    return this.kind.outer(low + ((pixel - this.from) / (this.to - this.from)) * (high - low));
  }
  shows(value) { return isNumber(value) && this.kind.shows(value); }
  ticks(wanted) { return this.kind.ticks(this.range, wanted); }
}

function padded([low, high], kind, share) {
  const { inner, outer, alone, empty } = scales[kind];
  if (low > high) return empty;
  const margin = high > low ? (inner(high) - inner(low)) * share : alone(high);
  return [outer(inner(low) - margin), outer(inner(high) + margin)];
}
