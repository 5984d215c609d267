// SPDX-License-Identifier: Apache-2.0
// Tables that sort, mark the best, and show every column at every width.

// columns: [{title, number, text(row), value(row), better, values(row)}], where value is the mean of values; rows may have `parts`, shown on demand. Where they do not fit
// beside each other the columns stand below each other, and on a phone each row is a block of its own.
function makeTable(name, columns, rows) {
  const longest = Math.max(...rows.map((row) => String(columns[0].text(row)).length)), seeds = rows.some((row) => row.parts) ? 8 : 0;
  const place = element("div", { class: rows.length > 20 ? "tables dense" : "tables", role: "region", "aria-label": name, style: `--label: ${Math.min(38, longest + seeds)}ch` });
  const sorted = { column: null, down: false }, best = new Map(columns.map((column) => [column, column.better ? clearBest(rows, column.better, column.values) : undefined]));
  let width = 0;
  function sort(column) {
    sorted.down = sorted.column === column && !sorted.down;
    sorted.column = column;
    fill();
  }
  function order(a, b) {
    const [x, y] = [a, b].map((row) => (sorted.column.value || sorted.column.text)(row));
    if (isNumber(x) !== isNumber(y) && sorted.column.number) return isNumber(x) ? -1 : 1;
    const difference = isNumber(x) && isNumber(y) ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    return sorted.down ? -difference : difference;
  }
  function heading(column) {
    const button = element("button", { type: "button", class: "sort", "data-column": columns.indexOf(column), onclick: () => sort(column) }, column.title.cloneNode?.(true) ?? column.title);
    const direction = column === sorted.column ? (sorted.down ? "descending" : "ascending") : null;
    return element("th", { scope: "col", class: column.number ? "number" : null, "aria-sort": direction }, rows.length > 1 ? button : column.title.cloneNode?.(true) ?? column.title);
  }
  function lines(shown, row) {
    const parts = (row.parts || []).map((part) => element("tr", { class: "part", hidden: !row.open }, shown.map((column, k) => cell(column, part, k === 0))));
    const line = element("tr", {}, shown.map((column, k) => cell(column, row, k === 0, best.get(column) === row)));
    if (parts.length) {
      const button = element("button", { type: "button", class: "open", "aria-expanded": String(Boolean(row.open)), onclick: () => { row.open = !row.open; fill(); }, "data-column": "row " + rows.indexOf(row) }, howMany(row.runs));
      line.firstChild.append(" ", button);
    }
    return [line, ...parts];
  }
  function table(shown) {
    const list = sorted.column === null ? rows : [...rows].sort(order);
    return element("table", {}, element("thead", {}, element("tr", {}, shown.map(heading))), element("tbody", {}, list.flatMap((row) => lines(shown, row))));
  }
  // The columns in as few stretches as fit the width, about equally wide; the first column stands in every one.
  function stretches() {
    const [first, ...wide] = [...place.querySelectorAll("thead th")].map((heading) => heading.getBoundingClientRect().width);
    const packed = (most) => wide.reduce((parts, one, k) => {
      const last = parts.at(-1);
      if (last.wide + one > most && last.columns.length > 1) parts.push({ columns: [columns[0], columns[k + 1]], wide: first + one });
      else { last.columns.push(columns[k + 1]); last.wide += one; }
      return parts;
    }, [{ columns: [columns[0]], wide: first }]);
    const fewest = packed(width).length, narrow = [0.5, 0.6, 0.7, 0.8, 0.9].find((share) => packed(share * width).length === fewest) ?? 1;
    return packed(narrow * width).map((part) => part.columns);
  }
  const fits = () => width === 0 || place.firstChild.getBoundingClientRect().width <= width + 1;
  function fill() {
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.column : undefined, blocks = width > 0 && width < 480 && columns.length > 3;
    place.classList.toggle("blocks", blocks);
    place.classList.remove("tight", "measured");
    place.replaceChildren(table(columns));
    if (!blocks && !fits()) place.classList.add("tight");
    if (!blocks && !fits()) {
      place.classList.add("measured");
      const parts = stretches();
      place.classList.remove("measured");
      place.replaceChildren(...parts.map(table));
    }
    if (focused !== undefined) place.querySelector(`[data-column="${focused}"]`)?.focus();
  }
  fill();
  whenResized(place, () => {
    const now = Math.floor(place.clientWidth);
    if (now === width || now < 50) return;
    width = now;
    fill();
  });
  return place;
}

function cell(column, row, first, best) {
  const title = typeof column.title === "string" ? column.title : column.title.textContent;
  const node = element(first ? "th" : "td", { scope: first ? "row" : null, "data-title": title, class: [column.number ? "number" : "", column.code ? "code" : "", column.long ? "long" : ""].join(" ").trim() || null });
  if (first && row.colour) node.append(element("i", { class: "swatch", style: `--c: ${row.colour}` }));
  const content = [column.text(row)].flat();
  node.append(...(best ? [element("strong", {}, content)] : content));
  return node;
}

// Runs of one setting differ by seed, or by nothing at all (one process and many ranks).
const howMany = (runs) => `${runs.length} ${new Set(runs.map((run) => run.seed)).size === runs.length ? "seeds" : "runs"}`;
