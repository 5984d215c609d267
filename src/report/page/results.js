// SPDX-License-Identifier: Apache-2.0
// The tables of results, settings and certificates.

// A run's figure at its end: the summary's, or else the last record's.
function final(run, key) {
  const told = run.summary?.[key];
  return told !== undefined ? told : run.points ? run.read(key)?.at(-1) : undefined;
}

function bestLoss(run, axis, end) {
  const told = run.summary?.best?.loss_mean_point;
  if (end === null && isNumber(told)) return told;
  const { x, y } = lineOf(run, axis, "loss_mean_point"), values = y.filter((v, k) => isNumber(v) && (end === null || x[k] <= end));
  return values.length ? values.reduce((a, b) => Math.min(a, b)) : undefined;
}

// `read(run, key)` is a figure of a run; `compared`: the runs went equally far, so the best may be marked.
function resultsTable(groups, quantities, { read, least, compared }) {
  const figure = (title, read, write, better) => {
    const values = (row) => row.runs.map(read).filter(isNumber);
    return {
      title, values, better: compared ? better : "", number: true,
      value: (row) => { const all = values(row); return all.length ? mean(all) : undefined; },
      text: (row) => {
        const all = values(row);
        if (!all.length) return "–";
        const spread = deviation(all), text = write(mean(all));
        if (all.length < 2 || !(spread > 0) || !better) return text;
        return [text, element("span", { class: "spread" }, " ± " + (write === fixed ? spread.toFixed(text.split(".")[1]?.length ?? 0) : write(spread).replace(" %", "")))];
      },
    };
  };
  const of = ({ name, kind, heading, format, better }) => figure(capital(heading), (run) => (kind === "measure" || read(run, name) > 0 ? read(run, name) : undefined), writers[format], better);
  const shown = (...kinds) => quantities.filter(({ kind, heading }) => kinds.includes(kind) && heading).map(of);
  const onTheWire = (run) => (read(run, "wire_bytes") > 0 ? read(run, "wire_bytes") / read(run, "bytes") : undefined);  // one process sends nothing
  const same = (row, text) => { const all = [...new Set(row.runs.map(text))]; return all.length > 1 ? all.join(", ") : all[0]; };
  const [first, ...rest] = shown("measure");
  const columns = [
    { title: "Run", text: (row) => row.label },
    { title: "Status", text: (row) => same(row, (run) => run.summary?.status || "unfinished") },
    first, figure("Best loss", least, fixed, "low"), ...rest, ...shown("axis", "count"),
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

function settingsTables(groups) {
  const settings = groups.map((group) => group.setting), keys = [...new Set(settings.flatMap((setting) => Object.keys(setting)))];
  const told = settings.filter((setting) => Object.keys(setting).length);
  const differing = differingKeys(settings), shared = keys.filter((key) => !differing.includes(key));
  const seedsOf = (group) => [...new Set(group.runs.map((run) => run.seed).filter(isNumber))].join(", ") || "–";
  const nodes = [];
  if (!keys.length) return [element("p", { class: "caption" }, "These runs were made by a version that wrote no settings beside its results; their config.toml has them.")];
  if (differing.length || groups.length > 1) {
    const value = (row, key) => (isNumber(asNumber(row.setting[key])) ? asNumber(row.setting[key]) : row.setting[key]);
    const columns = [{ title: "Run", text: (row) => row.group.label },
      ...differing.map((key) => ({ title: key, code: true, long: true, number: settings.every((setting) => setting[key] === undefined || isNumber(asNumber(setting[key]))), text: (row) => row.setting[key] ?? "–", value: (row) => value(row, key) })),
      { title: "seeds", number: true, text: (row) => seedsOf(row.group) }];
    const table = makeTable("Settings that differ", columns, groups.map((group) => ({ group, setting: group.setting, colour: group.colour })));
    nodes.push(...(groups.length > 20 ? [element("details", {}, element("summary", {}, `What differs between the ${count(groups.length)} settings`), table)] : [element("p", { class: "caption" }, "What differs between the runs."), table]));
  }
  const list = element("dl", { class: "shared" }, shared.map((key) => element("div", {}, element("dt", {}, key), element("dd", {}, told[0][key]))));
  if (groups.length === 1) list.append(element("div", {}, element("dt", {}, "seed"), element("dd", {}, seedsOf(groups[0]))));
  nodes.push(element("details", { open: groups.length === 1 }, element("summary", {}, groups.length > 1 ? `All ${shared.length} settings that the runs share` : "All settings"), list));
  return nodes;
}

// The digits that plain() shows, never below v, as a bound's must be.
function upward(v) {
  const digits = v >= 1e-4 && v < 1e6 ? 4 : 3, near = Number(v.toPrecision(digits));
  return plain(near < v ? near + 10 ** (Math.floor(Math.log10(v)) + 1 - digits) : near, 4);
}

// One row a file that `doc2s certify --save` left beside a run's records.
function certificateTable(groups) {
  const rows = groups.flatMap((group) => group.runs.flatMap((run) => (run.certificates || []).map((file) => ({
    ...file, colour: group.colour, label: group.label + (group.runs.length > 1 && isNumber(run.seed) ? `, seed ${run.seed}` : ""),
  }))));
  if (!rows.length) return null;
  const number = (title, key, write = (v) => plain(v, 4)) => ({ title, number: true, value: (row) => row[key], text: (row) => write(row[key]) });
  const columns = [
    { title: "Run", text: (row) => row.label }, { title: "File", code: true, long: true, text: (row) => row.file },
    number("Radius δ", "delta"), number("Wanted ε", "epsilon"),
    { title: "Certified", number: true, value: (row) => row.reached, text: (row) => (isNumber(row.epsilon) ? `${count(row.reached)} of ${count(row.points)}` : `no ε, ${count(row.points)}`) },
    number("Least bound", "lowest", upward), number("Mean bound", "mean", upward), number("Largest bound", "highest", upward),
    { title: "Gradients", text: (row) => (row.sampled ? `estimate, ${count(row.sampled)} samples a client` : "exact, all samples") },
  ];
  return makeTable("Certificates", columns, rows);
}
