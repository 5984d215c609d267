// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const kindOf = (...kinds) => data.quantities.filter((quantity) => kinds.includes(quantity.kind));
  const axes = Object.fromEntries([...kindOf("axis"), ...kindOf("count")].map((quantity) => [quantity.name, quantity]));
  const measures = Object.fromEntries(kindOf("measure").map((quantity) => [quantity.name, quantity]));
  const losses = kindOf("measure").filter((quantity) => quantity.format === "loss"), others = kindOf("measure").filter((quantity) => quantity.format !== "loss");
  const colours = 7, dashes = ["", "8 4", "2 3.5", "10 4 2 4"], printDashes = ["none", "7 3", "2 2.5", "9 3 2 3", "4 2", "9 3 2 3 2 3", "1.5 1.5"];

  // A column that holds one number for all points is written as that number.
  for (const run of data.runs) {
    run.read = (key) => {
      const column = run.columns[key];
      return column === undefined ? null : Array.isArray(column) ? column : new Array(run.points).fill(column);
    };
  }
  const groups = data.groups.map((group, k) => ({
    ...group, runs: group.runs.map((at) => data.runs[at]), colour: k % colours, dash: dashes[Math.floor(k / colours) % dashes.length] || null,
    printDash: printDashes[k % printDashes.length], shown: true,
  }));
  const state = { axis: "samples", xLog: false, seeds: "range", loss: losses[0].name, log: Object.fromEntries(others.map((quantity) => [quantity.name, quantity.format === "norm"])) };
  const hasMeasure = (key) => data.runs.some((run) => run.read(key)?.some(isNumber));

  // --- curves ---
  const pairs = (run, measure) => {
    const x = run.read(state.axis), y = run.read(measure);
    if (!x || !y) return { x: [], y: [] };
    const { sparse } = measures[measure];  // only some records have it
    const keep = x.map((_, k) => k).filter((k) => isNumber(x[k]) && (!sparse || isNumber(y[k])));
    return { x: keep.map((k) => x[k]), y: keep.map((k) => y[k]) };
  };

  function valueAt({ x, y }, place) {
    if (!x.length || place < x[0] || place > x.at(-1)) return null;
    let low = 0, high = x.length - 1;
    while (high - low > 1) { const middle = (low + high) >> 1; if (x[middle] <= place) low = middle; else high = middle; }
    if (x[high] === place) return y[high];
    if (x[low] === place || x[high] === x[low]) return y[low];
    return isNumber(y[low]) && isNumber(y[high]) ? y[low] + ((place - x[low]) / (x[high] - x[low])) * (y[high] - y[low]) : null;
  }

  // Seeds are recorded at different places (seconds): the others are interpolated. A band ends where its first seed
  // does, unless that one was broken off early.
  function together(lines) {
    const ends = lines.filter((line) => line.x.length).map((line) => line.x.at(-1)), longest = Math.max(...ends), shortest = Math.min(...ends);
    const end = shortest >= 0.9 * longest ? shortest : longest;
    const x = [...new Set(lines.flatMap((line) => line.x))].filter((place) => place <= end).sort((a, b) => a - b);
    const values = x.map((place) => lines.map((line) => valueAt(line, place)).filter(isNumber));
    const y = values.map((list) => (list.length ? mean(list) : null));
    const spread = values.map((list) => (state.seeds === "range" || !list.length ? [Math.min(...list), Math.max(...list)] : [mean(list) - deviation(list), mean(list) + deviation(list)]));
    const text = (k, write) => (state.seeds === "range" ? `(${write(spread[k][0])} – ${write(spread[k][1])})` : `± ${write(y[k] - spread[k][0])}`);
    return { x, y, low: spread.map((pair) => pair[0]), high: spread.map((pair) => pair[1]), spread: text };
  }

  function curvesOf(measure) {
    return groups.filter((group) => group.shown).flatMap((group) => {
      const style = { colour: group.colour, dash: group.dash, printDash: group.printDash };
      const lines = group.runs.map((run) => pairs(run, measure));
      if (lines.length === 1) return [{ label: group.label, ...style, ...lines[0] }];
      if (state.seeds !== "single") return [{ label: group.label, ...style, ...together(lines) }];
      return lines.map((line, k) => ({ label: `${group.label}, seed ${group.runs[k].seed ?? k + 1}`, thin: true, ...style, ...line }));
    }).filter((curve) => curve.y.some(isNumber));
  }

  // A chart for the losses, and one for each other measure.
  const coded = (text) => text.split("`").map((part, k) => (k % 2 ? element("code", {}, part) : part));
  for (const { name, title, meaning } of others)
    byId("measures").append(element("section", { id: name + "-section" },
      element("div", { class: "section-head" }, element("h2", {}, capital(title)), element("fieldset", { class: "choice scale", id: name + "-scale" }, element("legend", {}, "y axis"))),
      element("div", { class: "chart", id: name }), element("p", { class: "caption" }, coded(capital(meaning) + "."))));
  const charts = { loss: new Chart(byId("loss"), "Loss", 400), ...Object.fromEntries(others.map(({ name, title }) => [name, new Chart(byId(name), capital(title), 300)])) };

  // A run that diverged would flatten all others: a linear axis ends at twice what the runs started from.
  function limitOf(measure) {
    const first = data.runs.map((run) => run.read(measure)?.find(isNumber)).filter(isNumber);
    return measures[measure].format === "loss" && first.length ? 2 * Math.max(...first) : null;
  }

  function drawChart(name, measure) {
    const section = byId(name + "-section");
    section.hidden = !hasMeasure(measure);
    if (section.hidden) return;
    const { title, format } = axes[state.axis], share = measures[measure].format === "share";
    charts[name].show({
      what: measure, curves: curvesOf(measure), xTitle: title, xTick: ticks[format], xText: writers[format], xUnit: format === "count" ? title : "", xLog: state.xLog, yLog: state.log[name],
      yTick: share ? ticks.percent : ticks.value, yText: share ? percent : (v) => plain(v, 4), limit: limitOf(measure),
    });
  }

  function draw() {
    drawChart("loss", state.loss);
    for (const { name } of others) drawChart(name, name);
    document.documentElement.dataset.axis = state.axis;
  }

  // --- controls ---
  function fillControls() {
    for (const [key, { title }] of Object.entries(axes)) {
      const moves = data.runs.some((run) => run.read(key)?.some((v) => v > 0));
      byId("axis").append(element("option", { value: key, disabled: !moves }, title + (moves ? "" : " (none)")));
    }
    const usable = [...byId("axis").options].find((option) => !option.disabled);
    if (byId("axis").options[0].disabled && usable) state.axis = usable.value;
    byId("axis").value = state.axis;
    byId("axis").addEventListener("change", (event) => { state.axis = event.target.value; draw(); });
    const scales = [["linear", "linear"], ["log", "log"]];
    fillChoice(byId("x-scale"), scales, "linear", (value) => { state.xLog = value === "log"; draw(); });
    for (const name of Object.keys(charts))
      fillChoice(byId(name + "-scale"), scales, state.log[name] ? "log" : "linear", (value) => { state.log[name] = value === "log"; draw(); });
    fillChoice(byId("loss-kind"), losses.filter(({ name }) => name === state.loss || hasMeasure(name)).map(({ name, title }) => [name, title.replace(/^loss,? /, "")]), state.loss, (value) => { state.loss = value; draw(); });
    byId("seeds-label").hidden = !groups.some((group) => group.runs.length > 1);
    byId("seeds").addEventListener("change", (event) => { state.seeds = event.target.value; draw(); });
  }

  function fillLegend() {
    const buttons = groups.map((group) => {
      const swatch = element("svg", { viewBox: "0 0 26 10", width: 26, height: 10, "aria-hidden": "true", style: `--c: var(--c${group.colour}); --print-dash: ${group.printDash}` },
        element("path", { class: "curve", d: "M1 5H25", "stroke-dasharray": group.dash }));
      return element("button", { type: "button", class: "series", "aria-pressed": "true", onclick: () => { group.shown = !group.shown; refresh(); } }, swatch, element("span", {}, group.label), group.runs.length > 1 ? element("small", {}, howMany(group.runs)) : null);
    });
    const refresh = () => { buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(groups[k].shown))); draw(); };
    const all = (shown) => () => { groups.forEach((group) => { group.shown = shown; }); refresh(); };
    byId("legend").append(...buttons);
    if (groups.length > 3) byId("legend").append(element("button", { type: "button", class: "quiet all", onclick: all(true) }, "all"), element("button", { type: "button", class: "quiet all", onclick: all(false) }, "none"));
  }

  function fillTheme() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const remember = (value) => { try { localStorage.setItem("doc2s-theme", value); } catch { /* a browser may forbid it */ } };
    let told = null;
    try { told = localStorage.getItem("doc2s-theme"); } catch { /* likewise */ }
    if (told === "light" || told === "dark") document.documentElement.dataset.theme = told;
    byId("theme").addEventListener("click", () => {
      const now = document.documentElement.dataset.theme || (system.matches ? "dark" : "light");
      document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
      remember(document.documentElement.dataset.theme);
    });
  }

  // --- pictures that some runs share ---
  // Shows one of several pictures; with more than one there is a list to pick from.
  function fillPictures(id, items) {
    byId(id + "-section").hidden = !items.length;
    if (!items.length) return;
    const place = element("div"), show = (k) => place.replaceChildren(...items[k].draw());
    if (items.length > 1)
      byId(id + "-section").querySelector(".section-head").append(element("label", { class: "pick" }, "of ", element("select", { onchange: (event) => show(Number(event.target.value)) }, items.map((item, k) => element("option", { value: k }, item.name)))));
    byId(id).append(place);
    show(0);
  }

  function shorten(names) {
    const list = [...new Set(names)];
    return list.length > 2 ? `${list.slice(0, 2).join("; ")} and ${list.length - 2} more` : list.join("; ");
  }

  function sharing(number, key) { return groups.flatMap((group) => group.runs.filter((run) => run[key] === number).map((run) => ({ run, group }))); }
  const nameOf = (users) => shorten(users.map(({ run, group }) => group.label + (group.runs.length > 1 ? `, seed ${run.seed}` : "")));

  function networkItems() {
    const good = (edges, n) => Array.isArray(edges) && n > 0 && edges.every((edge) => Array.isArray(edge) && edge.every((end) => Number.isInteger(end) && end >= 0 && end < n));
    return data.edges.map((edges, number) => {
      const users = sharing(number, "edges"), first = users[0].run;
      return { good: good(edges, first.graph.n), name: nameOf(users), draw: () => networkNodes(edges, users, first) };
    }).filter((item) => item.good);
  }

  function networkNodes(edges, users, first) {
    const n = first.graph.n, network = first.setting?.network || {}, rounds = [...new Set(users.map(({ run }) => run.graph.rounds ?? 1))].sort((a, b) => a - b);
    const picture = element("div", { class: "picture" }), show = (r) => picture.replaceChildren(...networkPicture({ n, edges, network, rounds: r }));
    show(rounds[0]);
    const choice = element("fieldset", { class: "choice", id: "rounds" }, element("legend", {}, "rounds"));
    fillChoice(choice, rounds.map((r) => [String(r), `R = ${r}`]), String(rounds[0]), (value) => show(Number(value)));
    const facts = element("p", { class: "facts" }, `${network.graph || "graph"}, ${count(n)} clients, ${count(edges.length)} edges, diameter ${first.graph.diameter ?? "–"}${changeWords(network)}`);
    return [facts, rounds.length > 1 ? choice : null, picture, factsTable(users)].filter(Boolean);
  }

  // What changes from round to round, after the facts that stay.
  function changeWords(network) {
    if (network.change === "links") return `; a link is down with probability ${network.loss}` + (network.burst > 1 ? `, drawn anew every ${network.burst} rounds on average` : " in each round");
    return network.change === "periodic" ? `; ${network.graphs} take turns, ${network.every === 1 ? "a round" : `${network.every} rounds`} each` : "";
  }

  function factsTable(users) {
    const rows = new Map();
    for (const { run, group } of users) {
      const { gamma, lambda2, lambda_min, rounds, contraction, reach, expected_contraction: expected, connected_rounds: connected } = run.graph, measured = run.summary?.measured_contraction;
      const figures = { gamma, lambda2, lambda_min, rounds, contraction, reach, expected, measured, connected }, key = JSON.stringify(figures);
      if (!rows.has(key)) rows.set(key, { names: [], ...figures });
      rows.get(key).names.push(group.label);
    }
    const number = (title, key, write) => ({ title, number: true, value: (row) => row[key], text: (row) => (isNumber(row[key]) ? write(row[key]) : "–") });
    const low = (letter, index) => element("span", {}, element("i", {}, letter), element("sub", {}, index));
    const four = (v) => v.toFixed(4).replace("-", "−");
    const percent = (v) => (100 * v).toFixed(0) + " %", changing = users.some(({ run }) => run.graph.connected_rounds !== undefined);
    const ofChange = changing ? [number("expected a round", "expected", four), number("measured", "measured", four), number("connected rounds", "connected", percent)] : [];
    return makeTable("Figures of the network", [{ title: "Run", text: (row) => shorten(row.names) }, number(low("γ", ""), "gamma", four), number(low("λ", "2"), "lambda2", four), number(low("λ", "min"), "lambda_min", four), number(low("R", ""), "rounds", count), number(low("ρ", "R"), "contraction", four), number("reach", "reach", percent), ...ofChange], [...rows.values()]);
  }

  function splitItems() {
    const good = (split) => Array.isArray(split?.labels) && Array.isArray(split.counts) && split.counts.every((list) => Array.isArray(list) && list.every(isNumber));
    return data.splits.map((split, number) => ({ split, name: nameOf(sharing(number, "split")), draw: () => splitPicture(split) })).filter((item) => good(item.split));
  }

  // --- words ---
  function lead() {
    const told = (read) => [...new Set(data.runs.map(read).filter((v) => v !== undefined && v !== null))];
    const problems = told((run) => run.summary?.problem ?? run.setting?.problem?.name), sets = told((run) => run.setting?.problem?.data), clients = told((run) => run.summary?.n ?? run.graph?.n), graphs = told((run) => run.setting?.network?.graph), dimensions = told((run) => run.summary?.d);
    return [
      `${count(data.runs.length)} ${data.runs.length === 1 ? "run" : "runs"}` + (groups.length < data.runs.length ? ` of ${groups.length} ${groups.length === 1 ? "setting" : "settings"}` : ""),
      problems.length ? problems.join(", ") + (sets.length ? " on " + sets.map((name) => String(name).split("/").pop()).join(", ") : "") : null,
      dimensions.length ? "d = " + dimensions.map(count).join(", ") : null,
      clients.length ? `${clients.map(count).join(", ")} clients` + (graphs.length ? " on " + graphs.join(", ") : "") : null,
    ].filter(Boolean).join(" · ");
  }

  function notes() {
    const list = data.runs.flatMap((run) => run.notes.map((note) => [run, note]));
    for (const run of data.runs) if (run.points && run.points < run.records) list.push([run, `of ${count(run.records)} records ${count(run.points)} are drawn; the highest and lowest values are all there`]);
    for (const run of data.runs) if (run.summary?.status && run.summary.status !== "finished") list.push([run, `${run.summary.status}: ${run.summary.stopped_by || "no reason is told"}`]);
    const subset = [...new Set(data.runs.map((run) => run.read("evaluated_on")?.find(isNumber)).filter(isNumber))];
    const items = list.map(([run, note]) => element("li", {}, element("b", {}, run.label), " ", element("span", { class: "path" }, run.directory), ": " + note));
    if (subset.length) items.push(element("li", {}, `The losses were computed on ${subset.map(count).join(" or ")} samples.`));
    return items;
  }

  byId("lead").textContent = lead();
  byId("foot").textContent = `Made by doc2s ${data.version}. This page holds all it shows and asks no server for anything.`;
  fillTheme();
  fillControls();
  fillLegend();
  draw();
  byId("results").append(resultsTable(groups, data.quantities));
  byId("settings").append(...settingsTables(groups));
  fillPictures("network", networkItems());
  fillPictures("split", splitItems());
  byId("notes").append(...notes());
  byId("notes-section").hidden = !byId("notes").children.length;
  // On paper everything is open, and the charts are drawn for its width.
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
    for (const [name, chart] of Object.entries(charts)) chart.draw(name === "loss" ? 690 : 340);
  });
  addEventListener("afterprint", () => Object.values(charts).forEach((chart) => chart.draw()));
  document.documentElement.dataset.ready = "yes";
})();
