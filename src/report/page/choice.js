// SPDX-License-Identifier: Apache-2.0
// What the settings are: their methods, what differs, the best of each method, and their colours.

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
const asNumber = (text) => (text === undefined || text.trim() === "" ? NaN : Number(text.replace("−", "-").replaceAll(",", "")));
const bySize = (a, b) => (isNumber(asNumber(a)) && isNumber(asNumber(b)) ? asNumber(a) - asNumber(b) : a.localeCompare(b, "en", { numeric: true }));

// A group's runs differ in nothing that decides the result, but may in run.threads: "1, 2".
function groupSetting(group) {
  const all = group.runs.map((run) => flatSetting(run.setting)), keys = new Set(all.flatMap((setting) => Object.keys(setting)));
  return Object.fromEntries([...keys].map((key) => [key, [...new Set(all.map((setting) => setting[key]).filter((value) => value !== undefined))].join(", ")]));
}

function differingKeys(settings) {
  const told = settings.filter((setting) => Object.keys(setting).length);
  return [...new Set(settings.flatMap((setting) => Object.keys(setting)))].filter((key) => new Set(told.map((setting) => setting[key])).size > 1);
}

const valuesOf = (groups, key) => [...new Set(groups.map((group) => group.setting[key]).filter((value) => value !== undefined))].sort(bySize);

// "DOC²S", or "DOC²S, zeroth order" where the runs have both orders.
function nameMethods(groups, titles) {
  const told = groups.map((group) => {
    const { setting, summary } = group.runs[0], name = setting?.method?.name ?? summary?.method, order = setting?.method?.order ?? summary?.order;
    return { title: typeof name === "string" ? titles[name] ?? name : "other", order };
  });
  groups.forEach((group, k) => {
    const orders = new Set(told.filter(({ title }) => title === told[k].title).map(({ order }) => order));
    group.method = told[k].title + (orders.size > 1 && told[k].order ? `, ${told[k].order} order` : "");
  });
}

// The best group of each method by `read(run, place)`, at a place that all runs reach which were not broken off.
function bestOfMethods(groups, axis, better, read) {
  const whole = groups.flatMap((group) => group.runs).filter((run) => run.summary?.status === "finished");
  const place = reachOf(whole.length ? whole : groups.flatMap((group) => group.runs), axis)?.least ?? null, best = new Map();
  for (const group of groups) {
    const values = group.runs.map((run) => read(run, place));
    if (!values.every(isNumber)) continue;
    const value = mean(values), held = best.get(group.method);
    if (!held || (better === "low" ? value < held.value : value > held.value)) best.set(group.method, { group, value });
  }
  return { place, chosen: new Set([...best.values()].map(({ group }) => group)) };
}

// The entry with the best mean, where the range of its seeds' values overlaps with no other's.
function clearBest(entries, better, valuesOf) {
  const sign = better === "high" ? -1 : 1;
  const known = entries.map((entry) => ({ entry, values: valuesOf(entry).map((v) => sign * v) })).filter(({ values }) => values.length);
  const [first, ...others] = known.sort((a, b) => mean(a.values) - mean(b.values));
  return others.length && others.every(({ values }) => Math.min(...values) > Math.max(...first.values)) ? first.entry : undefined;
}

// --- colours ---
const colours = 7, dashes = ["", "8 4", "2 3.5", "10 4 2 4", "1.5 2", "14 4", "5 2 1 2 1 2"], printDashes = ["none", "7 3", "2 2.5", "9 3 2 3", "4 2", "9 3 2 3 2 3", "1.5 1.5"];
const mixed = (share) => `color-mix(in oklch, var(--many1) ${Math.round(100 * share)}%, var(--many0))`;

// What a key of the colours says: each curve, or what the curves of one colour share.
function colourEntries(groups, by) {
  if (by === "setting") return groups.map(({ label, colour, dash }) => ({ label, colour, dash }));
  const name = (group) => (by === "method" ? group.method : `${by} = ${group.setting[by] ?? "–"}`);
  return [...new Map([...groups].sort((a, b) => bySize(name(a), name(b))).map((group) => [name(group), { label: name(group), colour: group.colour }])).values()];
}

// By "setting" each group has a colour and a dash of its own; by "method" or a key of the settings all of one value share a colour.
function paint(groups, by) {
  const methods = [...new Set(groups.map((group) => group.method))], values = valuesOf(groups, by);
  groups.forEach((group, k) => {
    group.printDash = printDashes[k % printDashes.length];
    group.dash = by === "setting" ? dashes[Math.floor(k / colours) % dashes.length] || null : null;
    if (by === "setting") group.colour = `var(--c${k % colours})`;
    else if (by === "method") group.colour = `var(--c${methods.indexOf(group.method) % colours})`;
    else group.colour = group.setting[by] === undefined ? "var(--faint)" : mixed(values.indexOf(group.setting[by]) / Math.max(1, values.length - 1));
  });
}
