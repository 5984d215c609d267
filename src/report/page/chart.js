// SPDX-License-Identifier: Apache-2.0
// A line chart in SVG: zoom, values on hover and by keyboard.

function nearestIndex(places, x) {
  let low = 0, high = places.length - 1;
  while (high - low > 1) { const middle = (low + high) >> 1; if (places[middle] < x) low = middle; else high = middle; }
  return Math.abs(places[low] - x) <= Math.abs(places[high] - x) ? low : high;
}

class Chart {
  // view: { curves: [{label, colour, dash, thin, x, y, low, high}], xTitle, xTick, xText, yTick, yText, xScale, yScale, limits, remark, title, entries }
  constructor(host, name, height) {
    Object.assign(this, { host, name, height, zoom: null, view: null, cursor: null });
    this.tip = element("div", { class: "tip", role: "status", hidden: true });
    this.back = element("button", { type: "button", class: "back", hidden: true, onclick: () => this.zoomTo(null) }, "Reset zoom");
    this.note = element("p", { class: "caption cut", hidden: true });
    this.frame = element("div", { class: "frame", tabindex: 0, role: "group", "aria-label": name + " chart" });
    this.frame.append(this.tip, this.back);
    const picture = () => ({ svg: this.svg, title: this.view.title, entries: this.view.entries, remarks: this.remarks() });
    host.append(this.frame, element("div", { class: "under" }, this.note, saveButtons(name, picture)));
    this.listen();
    whenResized(this.frame, () => this.draw());
  }

  show(view) {
    const same = this.view && ["xTitle", "xScale", "yScale", "what", "end"].every((key) => this.view[key] === view[key]);
    if (!same) this.zoom = null;
    this.view = view;
    this.cursor = null;
    this.draw();
  }

  zoomTo(zoom) { this.zoom = zoom; this.cursor = null; this.draw(); }

  wholeRange() {
    const { curves, xScale, yScale, limits } = this.view;
    const x = [Infinity, -Infinity], y = [Infinity, -Infinity];
    const widen = (range, value, scale) => {
      if (!isNumber(value) || !scales[scale].shows(value)) return;
      range[0] = Math.min(range[0], value);
      range[1] = Math.max(range[1], value);
    };
    for (const curve of curves) {
      for (let k = 0; k < curve.x.length; k += 1) {
        if (!isNumber(curve.y[k])) continue;
        widen(x, curve.x[k], xScale);
        for (const value of [curve.y[k], curve.low?.[k], curve.high?.[k]]) widen(y, value, yScale);
      }
    }
    const [low, high] = limits || [];
    this.cut = { low: isNumber(low) && y[0] < low && y[1] > low, high: isNumber(high) && y[1] > high && y[0] < high };
    if (this.cut.low) y[0] = low;
    if (this.cut.high) y[1] = high;
    return { x: padded(x, xScale, xScale === "log" ? 0.01 : 0), y: padded(y, yScale, 0.05) };
  }

  // What must be told with the picture.
  remarks() {
    const { yTick, remark, wholeScale } = this.view, [low, high] = this.y.range, step = (high - low) / 20, told = [];
    if (this.cut?.low) told.push(`Values below ${yTick(low, step)} are cut off; the ${wholeScale} y axis shows all.`);
    if (this.cut?.high) told.push(`Values above ${plain(high, 3)} are cut off; the ${wholeScale} y axis shows all.`);
    return remark ? [...told, remark] : told;
  }

  draw(width = Math.round(this.frame.clientWidth)) {
    if (!this.view || width < 50) return;
    const small = width < 520, height = small ? Math.min(this.height, 280) : this.height;
    const area = { right: width - 26, top: 12, bottom: height - 46 };
    const range = this.zoom || this.wholeRange();
    if (this.zoom) this.cut = null;
    this.y = new Scale(range.y, this.view.yScale, area.bottom, area.top);
    area.left = this.tickWidth(small);
    this.x = new Scale(range.x, this.view.xScale, area.left, area.right);
    this.area = area;
    const clip = "clip-" + this.host.id;
    const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": this.description() });
    svg.append(element("clipPath", { id: clip }, element("rect", { x: area.left, y: area.top - 4, width: area.right - area.left + 6, height: area.bottom - area.top + 6 })));
    svg.append(this.axes(area, width, small));
    const inside = element("g", { "clip-path": `url(#${clip})` });
    inside.append(...this.view.curves.map((curve) => this.band(curve)).filter(Boolean), ...this.view.curves.map((curve) => this.line(curve)));
    this.marks = element("g", { class: "marks" });
    svg.append(inside, this.marks);
    if (!this.view.curves.some((curve) => curve.x.length)) svg.append(element("text", { x: (area.left + area.right) / 2, y: height / 2, class: "empty" }, "No curve is chosen"));
    this.svg?.remove();
    this.svg = svg;
    this.frame.prepend(svg);
    this.back.hidden = !this.zoom;
    this.note.textContent = this.remarks().join(" ");
    this.note.hidden = !this.note.textContent;
    this.tip.hidden = true;
  }

  yTicks(small) {
    const { places, step } = this.y.ticks(small ? 4 : 6);
    return places.map((place) => ({ place, text: this.view.yTick(place, step) }));
  }

  // Width in pixels for the longest text; a character takes 7.
  tickWidth(small) { return Math.max(small ? 52 : 64, ...this.yTicks(small).map(({ text }) => 14 + 7 * text.length)); }

  description() {
    const { curves, xTitle } = this.view;
    return `${this.name} against ${xTitle}: ${curves.map((curve) => curve.label).join(", ")}`;
  }

  axes(area, width, small) {
    const group = element("g", { class: "axes" });
    const xTicks = this.x.ticks(Math.max(2, Math.floor((area.right - area.left) / (small ? 90 : 110))));
    for (const { place, text } of this.yTicks(small)) {
      const at = this.y.pixel(place);
      group.append(element("line", { class: "grid", x1: area.left, x2: area.right, y1: at, y2: at }));
      group.append(element("text", { x: area.left - 8, y: at + 4, class: "y" }, text));
    }
    for (const place of xTicks.places) {
      const at = this.x.pixel(place);
      group.append(element("line", { class: "tick", x1: at, x2: at, y1: area.bottom, y2: area.bottom + 5 }));
      const text = this.view.xTick(place, xTicks.step), half = 3.5 * text.length;
      group.append(element("text", { x: Math.min(at, width - half), y: area.bottom + 19, class: "x" }, text));
    }
    group.append(element("line", { class: "base", x1: area.left, x2: area.right, y1: area.bottom, y2: area.bottom }));
    group.append(element("text", { x: (area.left + area.right) / 2, y: area.bottom + 39, class: "x title" }, this.view.xTitle + (this.view.xScale === "log" ? ", logarithmic" : "")));
    return group;
  }

  points(curve, values) {
    const stretches = [[]];
    for (let k = 0; k < curve.x.length; k += 1) {
      if (this.x.shows(curve.x[k]) && this.y.shows(values[k])) stretches.at(-1).push([this.x.pixel(curve.x[k]), this.y.pixel(values[k])]);
      else if (stretches.at(-1).length) stretches.push([]);
    }
    return stretches.filter((stretch) => stretch.length);
  }

  line(curve) {
    const stretches = this.points(curve, curve.y);
    const path = stretches.map((stretch) => "M" + stretch.map(([x, y]) => x.toFixed(1) + " " + y.toFixed(1)).join("L")).join("");
    const group = element("g", { style: `--c: ${curve.colour}; --print-dash: ${curve.printDash}` });
    group.append(element("path", { class: "curve" + (curve.thin ? " thin" : ""), d: path, "stroke-dasharray": curve.dash, "data-label": curve.label }));
    const points = stretches.flat();
    if (points.length <= 30 && this.view.curves.length <= 8) group.append(...points.map(([x, y]) => element("circle", { class: "point", cx: x, cy: y, r: 2.4 })));
    return group;
  }

  band(curve) {
    if (!curve.low) return null;
    const low = this.points(curve, curve.low.map((v, k) => (isNumber(v) && !this.y.shows(v) ? Math.min(curve.y[k], this.y.range[0]) : v))), high = this.points(curve, curve.high);
    const outline = high.map((stretch, k) => "M" + [...stretch, ...(low[k] || []).slice().reverse()].map(([x, y]) => x.toFixed(1) + " " + y.toFixed(1)).join("L") + "Z").join("");
    return element("path", { class: "band", d: outline, style: `--c: ${curve.colour}` });
  }

  // --- reading values ---
  // `y` in pixels, where a pointer is: the curves nearest to it come first.
  readAt(x, y = null) {
    const found = [];
    for (const curve of this.view.curves) {
      if (!curve.x.length) continue;
      const k = nearestIndex(curve.x, x);
      if (this.x.shows(curve.x[k]) && this.y.shows(curve.y[k])) found.push({ curve, k, away: Math.abs(this.x.pixel(curve.x[k]) - this.x.pixel(x)) });
    }
    if (!found.length) return;
    const nearest = found.reduce((a, b) => (b.away < a.away ? b : a));
    this.cursor = nearest.curve.x[nearest.k];
    const near = found.filter(({ away }) => away < 40), far = ({ curve, k }) => Math.abs(this.y.pixel(curve.y[k]) - y);
    if (y !== null) near.sort((a, b) => far(a) - far(b));
    this.light(y !== null && near.length > 3 ? near[0].curve : null);
    this.mark(near.slice(0, 12).sort((a, b) => b.curve.y[b.k] - a.curve.y[a.k]), near.length - 12);
  }

  mark(found, more) {
    const at = this.x.pixel(this.cursor), { area } = this;
    const dots = found.map(({ curve, k }) => element("circle", { cx: this.x.pixel(curve.x[k]), cy: this.y.pixel(curve.y[k]), r: 4, style: `--c: ${curve.colour}` }));
    this.marks.replaceChildren(element("line", { x1: at, x2: at, y1: area.top, y2: area.bottom }), ...dots.filter((dot) => Number(dot.getAttribute("cy")) >= area.top - 4 && Number(dot.getAttribute("cy")) <= area.bottom + 4));
    const rows = found.map(({ curve, k }) => element("div", { class: "row" + (curve === this.lit ? " lit" : "") },
      element("i", { style: `--c: ${curve.colour}` }), element("span", {}, curve.label),
      element("b", {}, this.view.yText(curve.y[k]) + (curve.spread ? ` ${curve.spread(k, this.view.yText)}` : ""))));
    if (more > 0) rows.push(element("div", { class: "row" }, `and ${more} more`));
    this.tip.replaceChildren(element("div", { class: "at" }, `${this.view.xText(this.cursor)} ${this.view.xUnit}`), ...rows);
    this.tip.hidden = false;
    const limit = this.frame.clientWidth - this.tip.offsetWidth, right = at + 16;
    this.tip.style.left = Math.max(0, right <= limit ? right : at - 16 - this.tip.offsetWidth) + "px";
    this.tip.style.top = area.top + 4 + "px";
  }

  hide() { this.marks?.replaceChildren(); this.tip.hidden = true; this.light(null); }

  // One curve among many stands out, the others step back.
  light(curve) {
    this.lit = curve;
    this.svg?.classList.toggle("dim", curve !== null);
    this.svg?.querySelectorAll(".curve").forEach((path, k) => path.classList.toggle("lit", this.view.curves[k] === curve));
  }

  // Moves the cursor to the next recorded position of any curve.
  step(direction) {
    const places = [...new Set(this.view.curves.flatMap((curve) => Array.from(curve.x)))].filter((x) => this.x.shows(x) && x >= this.x.range[0] && x <= this.x.range[1]).sort((a, b) => a - b);
    if (!places.length) return;
    const k = this.cursor === null ? (direction > 0 ? -1 : places.length) : nearestIndex(places, this.cursor);
    this.readAt(places[Math.max(0, Math.min(places.length - 1, k + direction))]);
  }

  zoomAbout(factor) {
    const middle = this.cursor !== null ? this.x.pixel(this.cursor) : (this.area.left + this.area.right) / 2;
    const ends = [this.area.left, this.area.right].map((end) => this.x.value(middle + (end - middle) * factor));
    if (ends[1] > ends[0]) this.zoomTo({ x: ends, y: this.y.range });
  }

  // --- pointer and keys ---
  listen() {
    let start = null;
    const place = (event) => { const box = this.frame.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
    const inside = ([x, y]) => this.area && x >= this.area.left - 6 && x <= this.area.right + 6 && y >= this.area.top - 6 && y <= this.area.bottom + 6;
    this.box = element("div", { class: "box", hidden: true });
    this.frame.append(this.box);
    this.frame.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest("button") || !inside(place(event))) return;
      start = place(event);
      this.frame.setPointerCapture(event.pointerId);
    });
    this.frame.addEventListener("pointermove", (event) => {
      const at = place(event);
      if (start) this.drawBox(start, at);
      else if (this.view && inside(at)) this.readAt(this.x.value(at[0]), at[1]);
      else this.hide();
    });
    this.frame.addEventListener("pointerup", (event) => {
      if (!start) return;
      const chosen = this.chosen(start, place(event));
      start = null;
      this.box.hidden = true;
      if (chosen) this.zoomTo({ x: [this.x.value(chosen.left), this.x.value(chosen.right)], y: [this.y.value(chosen.bottom), this.y.value(chosen.top)] });
      else this.readAt(this.x.value(place(event)[0]), place(event)[1]);
    });
    this.frame.addEventListener("pointercancel", () => { start = null; this.box.hidden = true; });
    this.frame.addEventListener("pointerleave", () => { if (!start) this.hide(); });
    this.frame.addEventListener("dblclick", () => this.zoomTo(null));
    this.frame.addEventListener("blur", () => this.hide());
    this.frame.addEventListener("keydown", (event) => {
      const action = { ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1), "+": () => this.zoomAbout(0.5), "=": () => this.zoomAbout(0.5), "-": () => this.zoomAbout(2), 0: () => this.zoomTo(null), Escape: () => this.hide() }[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.target !== this.frame) return;
      event.preventDefault();
      action();
    });
  }

  // The rectangle between two points; a flat one gets the whole height, a narrow one the whole width.
  chosen([x1, y1], [x2, y2]) {
    const wide = Math.abs(x2 - x1) > 12, tall = Math.abs(y2 - y1) > 24, { area } = this;
    if (!wide && !tall) return null;
    const within = (value, low, high) => Math.max(low, Math.min(high, value));
    return {
      left: wide ? within(Math.min(x1, x2), area.left, area.right) : area.left, right: wide ? within(Math.max(x1, x2), area.left, area.right) : area.right,
      top: tall ? within(Math.min(y1, y2), area.top, area.bottom) : area.top, bottom: tall ? within(Math.max(y1, y2), area.top, area.bottom) : area.bottom,
    };
  }

  drawBox(start, at) {
    const chosen = this.chosen(start, at);
    this.box.hidden = !chosen;
    if (!chosen) return;
    this.hide();
    Object.assign(this.box.style, { left: chosen.left + "px", top: chosen.top + "px", width: chosen.right - chosen.left + "px", height: chosen.bottom - chosen.top + "px" });
  }
}
