// SPDX-License-Identifier: Apache-2.0
// A sweep over two keys as a map of its values.

// Pairs of keys whose values cross, those that fill their map best first; others may differ too.
function crossingKeys(groups) {
  const keys = differingKeys(groups.map((group) => group.setting)).filter((key) => key !== "run.threads"), found = [];
  keys.forEach((across, k) => keys.slice(k + 1).forEach((up) => {
    const wide = valuesOf(groups, across).length, high = valuesOf(groups, up).length;
    const cells = new Set(groups.map((group) => JSON.stringify([group.setting[across], group.setting[up]]))).size;
    if (wide > 1 && high > 1 && cells > 3 && cells > Math.max(wide, high) && cells >= 0.5 * wide * high) found.push({ across, up, filled: cells / (wide * high) });
  }));
  return found.sort((a, b) => b.filled - a.filled);
}

class HeatMap {
  constructor(host) {
    this.frame = element("div", { class: "frame still" });
    this.note = element("p", { class: "caption" });
    const picture = () => ({ svg: this.svg, title: this.title, entries: [], remarks: [this.note.textContent] });
    host.append(this.frame, element("div", { class: "under" }, this.note, saveButtons("Map", picture)));
    whenResized(this.frame, () => this.draw());
  }

  // view: { groups, across, up, better, log, worst, write, value(group), values(group), compared, title, note }
  show(view) { this.view = view; this.draw(); }

  // The best of the groups in each cell: further keys may differ.
  cells() {
    const { groups, across, up, better, value } = this.view, cells = new Map();
    for (const group of groups) {
      const key = JSON.stringify([group.setting[across], group.setting[up]]), found = value(group), held = cells.get(key);
      const wins = held && isNumber(found) && (!isNumber(held.value) || (better === "high" ? found > held.value : found < held.value));
      if (!held || wins) cells.set(key, { value: found, group, several: (held?.several ?? 0) + 1 });
      else held.several += 1;
    }
    return cells;
  }

  draw(width = Math.round(this.frame.clientWidth)) {
    if (!this.view || width < 50) return;
    const { groups, across, up, better, log, worst, write, values: valuesOfRuns, compared, title, note } = this.view;
    const columns = valuesOf(groups, across), rows = valuesOf(groups, up).reverse(), cells = this.cells();
    const inner = (v) => (log && v > 0 ? Math.log10(v) : v), values = [...cells.values()].map((one) => one.value).filter(isNumber);
    const low = Math.min(...values), high = isNumber(worst) ? Math.min(Math.max(...values), Math.max(worst, low)) : Math.max(...values);
    const share = (v) => { const at = high > low ? (inner(Math.min(v, high)) - inner(low)) / (inner(high) - inner(low)) : 1; return better === "high" ? at : high > low ? 1 - at : 1; };
    const left = 16 + 7 * Math.max(4, ...rows.map((text) => text.length)), top = 26, wide = Math.min(140, (width - left - 8) / columns.length), tall = Math.max(22, Math.min(38, wide * 0.6)), right = left + wide * columns.length, bottom = top + tall * rows.length;
    const svg = element("svg", { viewBox: `0 0 ${width} ${bottom + 48}`, width, height: bottom + 48, role: "img", "aria-label": title });
    const winner = compared ? clearBest([...cells.values()].filter((one) => isNumber(one.value)), better, (one) => valuesOfRuns(one.group)) : undefined;
    svg.append(element("g", { class: "axes" }, element("text", { x: 0, y: 14 }, up), element("text", { x: (left + right) / 2, y: bottom + 38, class: "x title" }, across),
      rows.map((text, k) => element("text", { x: left - 8, y: top + (k + 0.5) * tall + 4, class: "y" }, text)),
      columns.map((text, k) => (k % Math.ceil((7 * Math.max(...columns.map((t) => t.length)) + 8) / wide) ? null : element("text", { x: left + (k + 0.5) * wide, y: bottom + 18, class: "x" }, text)))));
    rows.forEach((row, j) => columns.forEach((column, i) => {
      const found = cells.get(JSON.stringify([column, row])), known = isNumber(found?.value), at = known ? share(found.value) : 0, x = left + i * wide, y = top + j * tall;
      const text = known ? write(found.value) : found ? "no value" : "";
      const rect = element("rect", { x: x + 1, y: y + 1, width: wide - 2, height: tall - 2, rx: 2, class: known ? "cell" : "cell none", style: known ? `fill: color-mix(in oklab, var(--heat1) ${Math.round(100 * at)}%, var(--heat0))` : null },
        svgTitle(`${across} = ${column}, ${up} = ${row}: ${text || "not run"}`));
      svg.append(rect);
      if (found && found === winner) svg.append(element("rect", { x: x + 1.5, y: y + 1.5, width: wide - 3, height: tall - 3, rx: 2, class: "winner" }));
      if (text && 7 * text.length < wide - 4) svg.append(element("text", { x: x + wide / 2, y: y + tall / 2 + 4, class: at > 0.55 ? "in-cell strong" : "in-cell" }, text));
    }));
    this.svg?.remove();
    this.svg = svg;
    this.title = title;
    this.frame.prepend(svg);
    const several = [...cells.values()].some((one) => one.several > 1);
    this.note.textContent = [note, several ? "Where further keys differ, a cell has the best of its settings." : "", winner ? "The best cell is framed." : compared ? "No cell is framed: the best one’s range of seeds overlaps with another’s." : ""].filter(Boolean).join(" ");
  }
}
