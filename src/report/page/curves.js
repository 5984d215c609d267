// SPDX-License-Identifier: Apache-2.0
// From records to curves: positions on an axis, cuts, smoothing, and the seeds of one setting together.

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
function deviation(values) {
  const middle = mean(values);
  return values.length > 1 ? Math.sqrt(values.reduce((sum, v) => sum + (v - middle) ** 2, 0) / (values.length - 1)) : 0;
}

// A run's measure against an axis; a sparse measure is there only in some records.
function lineOf(run, axis, measure, sparse) {
  const x = run.read(axis), y = run.read(measure);
  if (!x || !y) return { x: [], y: [] };
  const keep = x.map((_, k) => k).filter((k) => isNumber(x[k]) && (!sparse || isNumber(y[k])));
  return { x: keep.map((k) => x[k]), y: keep.map((k) => y[k]) };
}

function valueAt({ x, y }, place) {
  if (!x.length || place < x[0] || place > x.at(-1)) return null;
  let low = 0, high = x.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (x[middle] <= place) low = middle; else high = middle; }
  if (x[high] === place) return y[high];
  if (x[low] === place || x[high] === x[low]) return y[low];
  return isNumber(y[low]) && isNumber(y[high]) ? y[low] + ((place - x[low]) / (x[high] - x[low])) * (y[high] - y[low]) : null;
}

// The line up to a place, which it reaches by interpolation.
function cutLine(line, end) {
  if (end === null || !line.x.length || line.x.at(-1) <= end) return line;
  const keep = line.x.findIndex((x) => x > end), x = line.x.slice(0, keep), y = line.y.slice(0, keep), last = valueAt(line, end);
  if (isNumber(last) && x.at(-1) !== end) { x.push(end); y.push(last); }
  return { x, y };
}

// The mean over a window of `wide` records about each, shorter on both sides towards the ends; gaps stay gaps.
function smoothed({ x, y }, wide) {
  if (!wide) return { x, y };
  const half = Math.floor(wide / 2);
  return { x, y: y.map((value, k) => {
    if (!isNumber(value)) return value;
    const reach = Math.min(half, k, y.length - 1 - k);
    return mean(y.slice(k - reach, k + reach + 1).filter(isNumber));
  }) };
}

// Seeds are recorded at different places (seconds): the others are interpolated. A band ends where its first seed
// does, unless that one was broken off early.
function together(lines, asRange) {
  const ends = lines.filter((line) => line.x.length).map((line) => line.x.at(-1)), longest = Math.max(...ends), shortest = Math.min(...ends);
  const end = shortest >= 0.9 * longest ? shortest : longest;
  const x = [...new Set(lines.flatMap((line) => line.x))].filter((place) => place <= end).sort((a, b) => a - b);
  const values = x.map((place) => lines.map((line) => valueAt(line, place)).filter(isNumber));
  const y = values.map((list) => (list.length ? mean(list) : null));
  const spread = values.map((list) => (asRange || !list.length ? [Math.min(...list), Math.max(...list)] : [mean(list) - deviation(list), mean(list) + deviation(list)]));
  const text = (k, write) => (asRange ? `(${write(spread[k][0])} – ${write(spread[k][1])})` : `± ${write(y[k] - spread[k][0])}`);
  return { x, y, low: spread.map((pair) => pair[0]), high: spread.map((pair) => pair[1]), spread: text };
}

// --- how far runs go ---
function endOf(run, axis) {
  const places = (run.read(axis) || []).filter(isNumber);
  return places.length ? places.at(-1) : 0;
}

// Where the first of the runs ends on the axis; runs that never move on it do not count.
function reachOf(runs, axis) {
  const moving = runs.map((run) => ({ run, end: endOf(run, axis) })).filter(({ end }) => end > 0);
  if (!moving.length) return null;
  const first = moving.reduce((a, b) => (b.end < a.end ? b : a)), most = Math.max(...moving.map(({ end }) => end));
  return { least: first.end, most, first: first.run, still: runs.length - moving.length };
}

// A budget is passed by at most an iteration, so ends within a hundredth are one budget.
const isOneBudget = (reach) => reach !== null && reach.still === 0 && reach.least >= 0.99 * reach.most;
