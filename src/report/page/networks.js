// SPDX-License-Identifier: Apache-2.0
// Pictures that some runs share: their networks and how the labels are split.

// Shows one of several pictures; with more than one there is a list to pick from.
function fillPictures(id, items) {
  document.getElementById(id + "-section").hidden = !items.length;
  if (!items.length) return;
  const place = element("div"), show = (k) => place.replaceChildren(...items[k].draw());
  if (items.length > 1)
    document.getElementById(id + "-section").querySelector(".section-head").append(element("label", { class: "pick" }, "of ", element("select", { onchange: (event) => show(Number(event.target.value)) }, items.map((item, k) => element("option", { value: k }, item.name)))));
  document.getElementById(id).append(place);
  show(0);
}

function shorten(names) {
  const list = [...new Set(names)];
  return list.length > 2 ? `${list.slice(0, 2).join("; ")} and ${list.length - 2} more` : list.join("; ");
}

function sharing(groups, number, key) { return groups.flatMap((group) => group.runs.filter((run) => run[key] === number).map((run) => ({ run, group }))); }
const namesOf = (users) => shorten(users.map(({ run, group }) => group.label + (group.runs.length > 1 ? `, seed ${run.seed}` : "")));

function networkItems(groups, lists) {
  const good = (edges, n) => Array.isArray(edges) && n > 0 && edges.every((edge) => Array.isArray(edge) && edge.every((end) => Number.isInteger(end) && end >= 0 && end < n));
  return lists.map((edges, number) => {
    const users = sharing(groups, number, "edges"), first = users[0].run;
    return { good: good(edges, first.graph.n), name: namesOf(users), draw: () => networkNodes(edges, users, first) };
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
    const { gamma, lambda2, lambda_min, rounds, contraction, reach, memory, least_c, expected_contraction: expected, connected_rounds: connected } = run.graph, measured = run.summary?.measured_contraction;
    const figures = { gamma, lambda2, lambda_min, rounds, contraction, reach, memory, least_c, expected, measured, connected }, key = JSON.stringify(figures);
    if (!rows.has(key)) rows.set(key, { names: [], ...figures });
    rows.get(key).names.push(group.label);
  }
  const number = (title, key, write) => ({ title, number: true, value: (row) => row[key], text: (row) => (isNumber(row[key]) ? write(row[key]) : "–") });
  const low = (letter, index) => element("span", {}, element("i", {}, letter), element("sub", {}, index));
  const four = (v) => v.toFixed(4).replace("-", "−");
  const percent = (v) => (100 * v).toFixed(0) + " %", changing = users.some(({ run }) => run.graph.connected_rounds !== undefined);
  const ofChange = changing ? [number("expected a round", "expected", four), number("measured", "measured", four), number("connected rounds", "connected", percent)] : [];
  const ofMemory = users.some(({ run }) => isNumber(run.graph.memory)) ? [number("memory", "memory", four), number("least c", "least_c", four)] : [];
  return makeTable("Figures of the network", [{ title: "Run", text: (row) => shorten(row.names) }, number(low("γ", ""), "gamma", four), number(low("λ", "2"), "lambda2", four), number(low("λ", "min"), "lambda_min", four), number(low("R", ""), "rounds", count), number(low("ρ", "R"), "contraction", four), number("reach", "reach", percent), ...ofMemory, ...ofChange], [...rows.values()]);
}

function splitItems(groups, splits) {
  const good = (split) => Array.isArray(split?.labels) && Array.isArray(split.counts) && split.counts.every((list) => Array.isArray(list) && list.every(isNumber));
  return splits.map((split, number) => ({ split, name: namesOf(sharing(groups, number, "split")), draw: () => splitPicture(split) })).filter((item) => good(item.split));
}
