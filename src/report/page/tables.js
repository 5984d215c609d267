// SPDX-License-Identifier: Apache-2.0
// Results and settings as tables.

// columns: [{title, number, text(row), value(row), better}]; rows may have `parts`, shown on demand.
function makeTable(name, columns, rows) {
  const head = element("tr"), body = element("tbody");
  const sorted = { column: null, down: false };
  const best = columns.map((column) => bestOf(column, rows));
  columns.forEach((column, k) => {
    const button = element("button", { type: "button", class: "sort", onclick: () => sort(k) }, column.title);
    head.append(element("th", { scope: "col", class: column.number ? "number" : null }, rows.length > 1 ? button : column.title));
  });
  function sort(k) {
    sorted.down = sorted.column === k && !sorted.down;
    sorted.column = k;
    [...head.children].forEach((cell, at) => (at === k ? cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending") : cell.removeAttribute("aria-sort")));
    fill();
  }
  function order(a, b) {
    const [x, y] = [a, b].map((row) => (columns[sorted.column].value || columns[sorted.column].text)(row));
    if (isNumber(x) !== isNumber(y) && columns[sorted.column].number) return isNumber(x) ? -1 : 1;
    const difference = isNumber(x) && isNumber(y) ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    return sorted.down ? -difference : difference;
  }
  function fill() {
    const list = sorted.column === null ? rows : [...rows].sort(order);
    body.replaceChildren(...list.flatMap((row) => lines(row)));
  }
  function lines(row) {
    const parts = (row.parts || []).map((part) => element("tr", { class: "part", hidden: !row.open }, columns.map((column, k) => cell(column, part, k === 0))));
    const line = element("tr", {}, columns.map((column, k) => cell(column, row, k === 0, best[k])));
    if (parts.length) {
      const button = element("button", { type: "button", class: "open", "aria-expanded": String(Boolean(row.open)), onclick: () => {
        row.open = !row.open;
        parts.forEach((part) => { part.hidden = !row.open; });
        button.setAttribute("aria-expanded", String(row.open));
      } }, howMany(row.runs));
      line.firstChild.append(" ", button);
    }
    return [line, ...parts];
  }
  fill();
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, element("table", {}, element("thead", {}, head), body));
}

function cell(column, row, first, best) {
  const node = element(first ? "th" : "td", { scope: first ? "row" : null, class: [column.number ? "number" : "", column.code ? "code" : ""].join(" ").trim() || null });
  if (first && isNumber(row.colour)) node.append(element("i", { class: "swatch", style: `--c: var(--c${row.colour})` }));
  const content = [column.text(row)].flat();
  node.append(...(best !== undefined && column.value(row) === best ? [element("strong", {}, content)] : content));
  return node;
}

function bestOf(column, rows) {
  if (!column.better || rows.length < 2) return undefined;
  const values = rows.map(column.value).filter(isNumber);
  return values.length > 1 ? (column.better === "low" ? Math.min(...values) : Math.max(...values)) : undefined;
}

// Runs of one setting differ by seed, or by nothing at all (one process and many ranks).
const howMany = (runs) => `${runs.length} ${new Set(runs.map((run) => run.seed)).size === runs.length ? "seeds" : "runs"}`;
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
function deviation(values) {
  const middle = mean(values);
  return values.length > 1 ? Math.sqrt(values.reduce((sum, v) => sum + (v - middle) ** 2, 0) / (values.length - 1)) : 0;
}

// A run's final figure: the summary's, or else the last record's.
function final(run, key) {
  const told = run.summary?.[key];
  return told !== undefined ? told : run.points ? run.read(key)?.at(-1) : undefined;
}

function bestLoss(run) {
  const told = run.summary?.best?.loss_mean_point;
  if (isNumber(told)) return told;
  const values = (run.read("loss_mean_point") || []).filter(isNumber);
  return values.length ? values.reduce((a, b) => Math.min(a, b)) : undefined;
}

function resultsTable(groups, quantities) {
  const figure = (title, read, write, better) => ({
    title, better, number: true,
    value: (row) => { const values = row.runs.map(read).filter(isNumber); return values.length ? mean(values) : undefined; },
    text: (row) => {
      const values = row.runs.map(read).filter(isNumber);
      if (!values.length) return "–";
      const spread = deviation(values), text = write(mean(values));
      if (values.length < 2 || !(spread > 0) || !better) return text;
      return [text, element("span", { class: "spread" }, " ± " + (write === fixed ? spread.toFixed(text.split(".")[1]?.length ?? 0) : write(spread).replace(" %", "")))];
    },
  });
  const of = ({ name, kind, heading, format, better }) => figure(capital(heading), (run) => (kind === "measure" || final(run, name) > 0 ? final(run, name) : undefined), writers[format], better);
  const shown = (...kinds) => quantities.filter(({ kind, heading }) => kinds.includes(kind) && heading).map(of);
  const onTheWire = (run) => (final(run, "wire_bytes") > 0 ? final(run, "wire_bytes") / final(run, "bytes") : undefined);  // one process sends nothing
  const same = (row, text) => { const all = [...new Set(row.runs.map(text))]; return all.length > 1 ? all.join(", ") : all[0]; };
  const [first, ...rest] = shown("measure");
  const columns = [
    { title: "Run", text: (row) => row.label },
    { title: "Status", text: (row) => same(row, (run) => run.summary?.status || "unfinished") },
    first, figure("Best loss", bestLoss, fixed, "low"), ...rest, ...shown("axis", "count"),
    figure("Wire / gossip", onTheWire, percent),
    figure("Ranks", (run) => (run.summary?.ranks > 1 ? run.summary.ranks : undefined), count),
    { title: "Trajectory", code: true, text: (row) => (row.runs.length > 1 ? "" : row.runs[0].summary?.trajectory || "–") },
  ];
  const rows = groups.map((group) => ({
    label: group.label, colour: group.colour, runs: group.runs,
    parts: group.runs.length > 1 ? group.runs.map((run) => ({ label: isNumber(run.seed) ? `seed ${run.seed}` : run.label, runs: [run] })) : null,
  }));
  const used = columns.filter((column) => !column.number || rows.some((row) => isNumber(column.value(row))));
  return makeTable("Results", used, rows);
}

// {"method": {"eta": 1}} → {"method.eta": "1"}
function flatSetting(setting, before = "", into = {}) {
  for (const [key, value] of Object.entries(setting || {})) {
    if (key === "label" || (!before && key === "seed")) continue;
    if (value !== null && typeof value === "object" && !Array.isArray(value)) flatSetting(value, before + key + ".", into);
    else into[before + key] = value === null ? "–" : Array.isArray(value) ? value.join(", ") : typeof value === "number" ? settingNumber(value) : String(value);
  }
  return into;
}

const settingNumber = (value) => (Number.isInteger(value) && Math.abs(value) >= 10000 ? grouped.format(value) : String(value).replace("e-", "e−"));

// A group's runs differ in nothing that decides the result, but may in run.threads: "1, 2".
function groupSetting(group) {
  const all = group.runs.map((run) => flatSetting(run.setting)), keys = new Set(all.flatMap((setting) => Object.keys(setting)));
  return Object.fromEntries([...keys].map((key) => [key, [...new Set(all.map((setting) => setting[key]).filter((value) => value !== undefined))].join(", ")]));
}

function settingsTables(groups) {
  const settings = groups.map(groupSetting);
  const keys = [...new Set(settings.flatMap((setting) => Object.keys(setting)))];
  const told = settings.filter((setting) => Object.keys(setting).length);
  const differing = keys.filter((key) => new Set(told.map((setting) => setting[key])).size > 1);
  const shared = keys.filter((key) => !differing.includes(key));
  const seedsOf = (group) => [...new Set(group.runs.map((run) => run.seed).filter(isNumber))].join(", ") || "–";
  const nodes = [];
  if (!keys.length) return [element("p", { class: "caption" }, "These runs were made by a version that wrote no settings beside its results; their config.toml has them.")];
  if (differing.length || groups.length > 1) {
    const columns = [{ title: "Run", text: (row) => row.group.label },
      ...differing.map((key) => ({ title: key, code: true, number: settings.every((setting) => setting[key] === undefined || isNumber(Number(setting[key].replace("−", "-")))), text: (row) => row.setting[key] ?? "–", value: (row) => (isNumber(Number(row.setting[key]?.replace("−", "-"))) ? Number(row.setting[key].replace("−", "-")) : row.setting[key]) })),
      { title: "seeds", number: true, text: (row) => seedsOf(row.group) }];
    nodes.push(element("p", { class: "caption" }, "What differs between the runs."), makeTable("Settings that differ", columns, groups.map((group, k) => ({ group, setting: settings[k], colour: group.colour }))));
  }
  const list = element("dl", { class: "shared" }, shared.map((key) => element("div", {}, element("dt", {}, key), element("dd", {}, told[0][key]))));
  if (groups.length === 1) list.append(element("div", {}, element("dt", {}, "seed"), element("dd", {}, seedsOf(groups[0]))));
  nodes.push(element("details", { open: groups.length === 1 }, element("summary", {}, groups.length > 1 ? `All ${shared.length} settings that the runs share` : "All settings"), list));
  return nodes;
}
