// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const kindOf = (...kinds) => data.quantities.filter((quantity) => kinds.includes(quantity.kind));
  const axes = Object.fromEntries([...kindOf("axis"), ...kindOf("count")].map((quantity) => [quantity.name, quantity]));
  const measures = Object.fromEntries(kindOf("measure").map((quantity) => [quantity.name, quantity]));
  const losses = kindOf("measure").filter((quantity) => quantity.format === "loss"), others = kindOf("measure").filter((quantity) => quantity.format !== "loss");

  // A column that holds one number for all points is written as that number.
  for (const run of data.runs) {
    run.read = (key) => {
      const column = run.columns[key];
      return column === undefined ? null : Array.isArray(column) ? column : new Array(run.points).fill(column);
    };
  }
  const groups = data.groups.map((group) => ({ ...group, runs: group.runs.map((at) => data.runs[at]), shown: true }));
  for (const group of groups) group.setting = groupSetting(group);
  nameMethods(groups, data.methods);
  const methods = [...new Set(groups.map((group) => group.method))], many = groups.length > 14;

  const firstScale = { norm: "log", share: "fitted" };
  const state = {
    axis: "samples", xScale: "linear", seeds: "range", loss: losses[0].name, scale: Object.fromEntries(others.map(({ name, format }) => [name, firstScale[format] || "linear"])),
    common: false, smooth: 0, best: "", colour: many && methods.length > 1 ? "method" : "setting", hidden: new Set(),
  };
  const hasMeasure = (key) => data.runs.some((run) => run.read(key)?.some(isNumber));

  // --- which settings, and how far ---
  const read = (run, key, end) => (end === null ? final(run, key) : valueAt(lineOf(run, state.axis, key, measures[key]?.sparse), end) ?? undefined);
  function chosenGroups() {
    const best = state.best ? bestOfMethods(groups, state.axis, measures[state.best].better, (run, place) => read(run, state.best, place)) : null;
    return { best, list: groups.filter((group) => !state.hidden.has(group.method) && (!best || best.chosen.has(group))) };
  }

  // What is shown now: the groups, where the axis ends for all of them (null: nowhere), and what that allows to be said.
  function lookAround() {
    const { best, list } = chosenGroups(), shown = list.filter((group) => group.shown), reach = reachOf(shown.flatMap((group) => group.runs), state.axis);
    return { best, list, shown, reach, end: state.common && reach ? reach.least : null, compared: isOneBudget(reach) || (state.common && reach !== null && reach.still === 0) };
  }
  let now = null;

  const spent = (value) => { const { title, format } = axes[state.axis]; return format === "count" ? `${count(value)} ${title}` : format === "bytes" ? `${bytes(value)} (${title})` : writers[format](value); };
  const nameOf = (run) => groups.find((group) => group.runs.includes(run)).label;

  function reachWords() {
    const { reach, end, compared } = now, { title } = axes[state.axis];
    if (!reach) return "";
    const still = reach.still ? ` ${count(reach.still)} ${reach.still === 1 ? "run spends" : "runs spend"} no ${title}.` : "";
    if (end !== null) return `Cut at ${spent(end)}, where the first run ends (${nameOf(reach.first)}). Values between two records are interpolated.${still}` + (compared ? "" : " No best is marked.");
    if (compared) return "";
    return now.shown.flatMap((group) => group.runs).length < 2 ? "" : `No best is marked: the runs end between ${spent(reach.least)} and ${spent(reach.most)}.${still} Switch on “up to where all runs reach” to compare them.`;
  }

  // --- curves ---
  const smoothWords = () => (state.smooth ? `Smoothed: each point is the mean of up to ${state.smooth} records about it.` : "");

  function curvesOf(measure) {
    const line = (run) => smoothed(cutLine(lineOf(run, state.axis, measure, measures[measure].sparse), now.end), state.smooth);
    return now.shown.flatMap((group) => {
      const style = { colour: group.colour, dash: group.dash, printDash: group.printDash, thin: now.shown.length > 14 };
      const lines = group.runs.map(line);
      if (lines.length === 1) return [{ label: group.label, ...style, ...lines[0] }];
      if (state.seeds !== "single") return [{ label: group.label, ...style, ...together(lines, state.seeds === "range") }];
      return lines.map((one, k) => ({ label: `${group.label}, seed ${group.runs[k].seed ?? k + 1}`, ...style, thin: true, ...one }));
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
  function startOf(measure) {
    const first = data.runs.map((run) => run.read(measure)?.find(isNumber)).filter(isNumber);
    return measures[measure].format === "loss" && first.length ? Math.max(...first) : null;
  }

  // A loss that spans more than a decade and a half on that axis begins logarithmic.
  const lossValues = data.runs.flatMap((run) => run.read(state.loss)?.filter(isNumber) ?? []), lowest = lossValues.reduce((a, b) => Math.min(a, b), Infinity);
  const highest = Math.min(lossValues.reduce((a, b) => Math.max(a, b), 0), 2 * startOf(state.loss));
  state.scale.loss = lowest > 0 && highest > 10 ** 1.5 * lowest ? "log" : "linear";

  // A fitted axis begins at the lowest value after the first fifth of the way: the climb from nothing is no news.
  function floorOf(curves) {
    const ends = curves.map((curve) => curve.x.at(-1)), early = 0.2 * Math.min(...ends);
    const later = curves.flatMap((curve) => curve.y.filter((v, k) => isNumber(v) && curve.x[k] >= early));
    return later.length ? Math.min(...later) : null;
  }

  function drawChart(name, measure) {
    const section = byId(name + "-section");
    section.hidden = !hasMeasure(measure);
    if (section.hidden) return;
    const { title, format } = axes[state.axis], share = measures[measure].format === "share", scale = state.scale[name], curves = curvesOf(measure), start = startOf(measure);
    charts[name].show({
      what: measure, end: now.end, curves, xTitle: title, title: capital(measures[measure].title), entries: colourEntries(now.shown, state.colour), xTick: ticks[format], xText: writers[format], xUnit: format === "count" ? title : "", xScale: state.xScale, yScale: scales[scale] ? scale : "linear",
      yTick: share ? ticks.percent : ticks.value, yText: share ? percent : (v) => plain(v, 4), limits: scale === "fitted" ? [floorOf(curves), null] : scale === "linear" && start !== null ? [null, start + Math.abs(start)] : null,
      wholeScale: share ? "whole" : "logarithmic", remark: smoothWords(),
    });
  }

  // --- the map of two keys ---
  const crossed = methods.map((method) => ({ method, members: groups.filter((group) => group.method === method) })).map((one) => ({ ...one, pairs: crossingKeys(one.members) })).filter((one) => one.pairs.length);
  const map = crossed.length ? new HeatMap(byId("map")) : null, onMap = { method: 0, across: "", up: "", measure: losses[0].name };
  byId("map-section").hidden = !map;

  function fillMapControls() {
    if (!map) return;
    const pick = (words, key, options, choose) => element("label", { class: "pick" }, words + " ", element("select", { id: "map-" + key, onchange: (event) => { choose(event.target.value); draw(); } }, options.map(([value, text]) => element("option", { value, selected: String(onMap[key]) === String(value) }, text))));
    const { pairs, members } = crossed[onMap.method];
    if (!pairs.some(({ across, up }) => [across, up].includes(onMap.across) && [across, up].includes(onMap.up))) Object.assign(onMap, { across: pairs[0].across, up: pairs[0].up });
    const keys = [...new Set(pairs.flatMap(({ across, up }) => [across, up]))].map((key) => [key, key]);
    const other = (key, held) => pairs.find((pair) => [pair.across, pair.up].includes(key) && [pair.across, pair.up].includes(held)) ? held : pairs.map((pair) => (pair.across === key ? pair.up : pair.up === key ? pair.across : null)).find(Boolean);
    byId("map-controls").replaceChildren(...[
      crossed.length > 1 ? pick("of", "method", crossed.map(({ method }, k) => [k, method]), (value) => { onMap.method = Number(value); onMap.across = ""; fillMapControls(); }) : null,
      pick("of", "measure", kindOf("measure").filter(({ name, better }) => better && members.some((group) => group.runs.some((run) => run.read(name)?.some(isNumber)))).map(({ name, title }) => [name, title]), (value) => { onMap.measure = value; }),
      pick("across", "across", keys, (value) => { onMap.up = value === onMap.up ? onMap.across : other(value, onMap.up); onMap.across = value; fillMapControls(); }),
      pick("up", "up", keys, (value) => { onMap.across = value === onMap.across ? onMap.up : other(value, onMap.across); onMap.up = value; fillMapControls(); }),
    ].filter(Boolean));
  }

  function drawMap() {
    if (!map) return;
    const { members, method } = crossed[onMap.method], { title, format, better } = measures[onMap.measure], reach = reachOf(members.flatMap((group) => group.runs), state.axis), end = state.common && reach ? reach.least : null;
    const values = (group) => group.runs.map((run) => read(run, onMap.measure, end)), value = (group) => (values(group).every(isNumber) ? mean(values(group)) : undefined);
    const seeds = members.some((group) => group.runs.length > 1) ? ", mean over seeds" : "", where = end !== null ? `at ${spent(end)}` : "at the end of each run";
    map.show({
      groups: members, across: onMap.across, up: onMap.up, better, log: format === "norm", worst: startOf(onMap.measure), write: format === "share" ? percent : (v) => plain(v, 3), value, values,
      compared: isOneBudget(reach) || end !== null, title: `${method}: ${title}${seeds}, ${where}`, note: `${capital(title)}${seeds}, ${where}; a stronger colour is better.`,
    });
  }

  function draw() {
    now = lookAround();
    paint(groups, state.colour);
    drawChart("loss", state.loss);
    for (const { name } of others) drawChart(name, name);
    drawMap();
    byId("reach").textContent = reachWords();
    byId("results").replaceChildren(resultsTable(now.shown, data.quantities, { read: (run, key) => read(run, key, now.end), least: (run) => bestLoss(run, state.axis, now.end), compared: now.compared }));
    document.documentElement.dataset.axis = state.axis;
    byId("told").textContent = toldWords();
    refreshLegend();
  }

  function toldWords() {
    const { best, list } = now, left = groups.length - list.length;
    const choice = best ? `The best setting of each method by ${measures[state.best].title}` + (best.place !== null ? ` at ${spent(best.place)}, which all finished runs reach` : "") + "." : "";
    return [choice, left && !best ? `${count(left)} of ${count(groups.length)} settings are left out.` : "", now.end !== null ? `Cut at ${spent(now.end)}.` : "", smoothWords()].filter(Boolean).join(" ");
  }

  // --- controls ---
  const onChange = (id, set) => byId(id).addEventListener("change", (event) => { set(event.target); draw(); });
  function fillControls() {
    for (const [key, { title }] of Object.entries(axes)) {
      const moves = data.runs.some((run) => run.read(key)?.some((v) => v > 0));
      byId("axis").append(element("option", { value: key, disabled: !moves }, title + (moves ? "" : " (none)")));
    }
    const usable = [...byId("axis").options].find((option) => !option.disabled);
    if (byId("axis").options[0].disabled && usable) state.axis = usable.value;
    byId("axis").value = state.axis;
    onChange("axis", ({ value }) => { state.axis = value; });
    const scaleNames = [["linear", "linear"], ["log", "log"]], ofShares = [["fitted", "fitted"], ["linear", "whole"], ["logit", "logit"]];
    fillChoice(byId("x-scale"), scaleNames, state.xScale, (value) => { state.xScale = value; draw(); });
    for (const name of Object.keys(charts))
      fillChoice(byId(name + "-scale"), measures[name]?.format === "share" ? ofShares : scaleNames, state.scale[name], (value) => { state.scale[name] = value; draw(); });
    fillChoice(byId("loss-kind"), losses.filter(({ name }) => name === state.loss || hasMeasure(name)).map(({ name, title }) => [name, title.replace(/^loss,? /, "")]), state.loss, (value) => { state.loss = value; draw(); });
    byId("common-label").hidden = data.runs.length < 2;
    onChange("common", ({ checked }) => { state.common = checked; });
    byId("seeds-label").hidden = !groups.some((group) => group.runs.length > 1);
    onChange("seeds", ({ value }) => { state.seeds = value; });
    onChange("smooth", ({ value }) => { state.smooth = Number(value); });
    byId("best-label").hidden = methods.length === groups.length;
    byId("best").append(...kindOf("measure").filter(({ name, better }) => better && hasMeasure(name)).map(({ name, title }) => element("option", { value: name }, `best of each method by ${title}`)));
    onChange("best", ({ value }) => { state.best = value; });
    fillColours();
  }

  function fillColours() {
    const keys = differingKeys(groups.map((group) => group.setting)).filter((key) => valuesOf(groups, key).length > 1 && valuesOf(groups, key).every((value) => isNumber(asNumber(value))));
    byId("colour-label").hidden = groups.length < 4;
    byId("colour").append(...[["setting", "setting"], ...(methods.length > 1 ? [["method", "method"]] : []), ...keys.map((key) => [key, key])].map(([value, text]) => element("option", { value, selected: value === state.colour }, text)));
    onChange("colour", ({ value }) => { state.colour = value; fillSettings(); });
  }
  // The swatches of the settings' table follow the colours.
  const fillSettings = () => { paint(groups, state.colour); byId("settings").replaceChildren(...settingsTables(groups)); };

  // --- the legend: a button for each method, then one for each setting ---
  const swatchOf = (group) => element("svg", { viewBox: "0 0 26 10", width: 26, height: 10, "aria-hidden": "true", style: `--c: ${group.colour}; --print-dash: ${group.printDash}` },
    element("path", { class: "curve", d: "M1 5H25", "stroke-dasharray": group.dash }));
  const legend = groups.map((group) => ({ group, button: element("button", { type: "button", class: "series", onclick: () => { group.shown = !group.shown; draw(); } }) }));
  const chips = methods.map((method) => ({ method, button: element("button", { type: "button", class: "method", onclick: () => { state.hidden[state.hidden.has(method) ? "delete" : "add"](method); draw(); } }) }));

  function fillLegend() {
    const all = (shown) => () => { groups.forEach((group) => { group.shown = shown; }); draw(); };
    const allButtons = groups.length > 3 ? [element("button", { type: "button", class: "quiet all", onclick: all(true) }, "all"), element("button", { type: "button", class: "quiet all", onclick: all(false) }, "none")] : [];
    const list = element("div", { class: "legend", role: "group", "aria-label": "Curves" }, legend.map(({ button }) => button), allButtons);
    if (methods.length > 1 && methods.length < groups.length) byId("methods").append(...chips.map(({ button }) => button));
    else byId("methods").hidden = true;
    byId("legend").append(many ? element("details", { class: "curves" }, element("summary", {}, ""), list) : list);
  }

  function refreshLegend() {
    const listed = new Set(now.list);
    for (const { group, button } of legend) {
      button.hidden = !listed.has(group);
      button.setAttribute("aria-pressed", String(group.shown));
      button.replaceChildren(swatchOf(group), element("span", {}, group.label), ...(group.runs.length > 1 ? [element("small", {}, howMany(group.runs))] : []));
    }
    for (const { method, button } of chips) {
      const members = groups.filter((group) => group.method === method);
      button.setAttribute("aria-pressed", String(!state.hidden.has(method)));
      button.replaceChildren(...(state.colour === "method" ? [element("i", { class: "swatch", style: `--c: ${members[0].colour}` })] : []), method, element("small", {}, " " + count(members.length)));
    }
    const drawer = byId("legend").querySelector("details");
    if (drawer && drawer.dataset.listed !== String(listed.size)) { drawer.dataset.listed = listed.size; drawer.open = listed.size <= 14; }
    if (drawer) drawer.querySelector("summary").textContent = `${count(now.shown.length)} of ${count(now.list.length)} curves are drawn: choose`;
    const values = isKey(state.colour) ? valuesOf(groups, state.colour) : [];
    byId("colour-key").hidden = !values.length;
    byId("colour-key").replaceChildren(...values.flatMap((value, k) => [element("i", { class: "swatch", style: `--c: ${mixed(k / Math.max(1, values.length - 1))}` }), element("span", {}, value)]));
  }
  const isKey = (by) => by !== "setting" && by !== "method";

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
  fillMapControls();
  draw();
  fillSettings();
  const certificates = certificateTable(groups);
  byId("certificates-section").hidden = !certificates;
  if (certificates) byId("certificates").append(certificates);
  fillPictures("network", networkItems(groups, data.edges));
  fillPictures("split", splitItems(groups, data.splits));
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
