// SPDX-License-Identifier: Apache-2.0
// Drawings of the network and of the clients' labels.

// --- node positions: [x, y] in the unit square ---
const onCircle = (n, radius = 0.5) => Array.from({ length: n }, (_, k) => {
  const angle = (2 * Math.PI * k) / n - Math.PI / 2;
  return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)];
});

function latticeRows(n, network) {
  if (network.rows) return network.rows;
  for (let rows = Math.floor(Math.sqrt(n)); rows > 1; rows -= 1) if (n % rows === 0) return rows;
  return 1;
}

function onLattice(n, rows) {
  const columns = n / rows, most = Math.max(rows, columns) - 1 || 1;
  return Array.from({ length: n }, (_, k) => [0.5 + ((k % columns) - (columns - 1) / 2) / most, 0.5 + (Math.floor(k / columns) - (rows - 1) / 2) / most]);
}

function aroundHub(n, neighbours) {
  const hub = neighbours.reduce((best, list, k) => (list.length > neighbours[best].length ? k : best), 0);
  const rim = onCircle(n - 1);
  rim.splice(hub, 0, [0.5, 0.5]);
  return rim;
}

// Force-directed layout: springs along edges, repulsion between all nodes. Starts from the circle, so the
// result is deterministic.
function relaxed(n, edges) {
  const places = onCircle(n), ideal = 0.9 / Math.sqrt(n);
  for (let round = 0; round < 300; round += 1) {
    const moves = places.map(() => [0, 0]), heat = 0.08 * (1 - round / 300);
    const push = (i, j, force) => {
      const dx = places[i][0] - places[j][0], dy = places[i][1] - places[j][1], far = Math.hypot(dx, dy) || 1e-6, f = force(far) / far;
      moves[i][0] += dx * f; moves[i][1] += dy * f; moves[j][0] -= dx * f; moves[j][1] -= dy * f;
    };
    for (let i = 0; i < n; i += 1) for (let j = 0; j < i; j += 1) push(i, j, (far) => (ideal * ideal) / far);
    for (const [i, j] of edges) push(i, j, (far) => (-far * far) / ideal);
    places.forEach((place, k) => {
      const far = Math.hypot(...moves[k]) || 1, step = Math.min(far, heat) / far;
      place[0] += moves[k][0] * step; place[1] += moves[k][1] * step;
    });
  }
  const ends = [0, 1].map((axis) => [Math.min(...places.map((p) => p[axis])), Math.max(...places.map((p) => p[axis]))]);
  const span = Math.max(ends[0][1] - ends[0][0], ends[1][1] - ends[1][0]) || 1;
  return places.map((p) => p.map((v, axis) => 0.5 + (v - (ends[axis][0] + ends[axis][1]) / 2) / span));
}

function layout(n, edges, neighbours, network) {
  const kind = network.graph;
  if (kind === "grid" || kind === "torus") return onLattice(n, latticeRows(n, network));
  if (kind === "star" && n > 2) return aroundHub(n, neighbours);
  if (["erdos-renyi", "regular", "file"].includes(kind) && n <= 150) return relaxed(n, edges);
  return onCircle(n);
}

// Hops from one client to every other.
function hopsFrom(origin, neighbours) {
  const hops = neighbours.map(() => Infinity), queue = [origin];
  hops[origin] = 0;
  for (const at of queue) for (const next of neighbours[at]) if (hops[next] === Infinity) { hops[next] = hops[at] + 1; queue.push(next); }
  return hops;
}

const mostEdges = 6000;

// Nodes within `rounds` hops of the chosen client are filled; a click chooses another client.
function networkPicture({ n, edges, network, rounds }) {
  const neighbours = Array.from({ length: n }, () => []);
  for (const [i, j] of edges) { neighbours[i]?.push(j); neighbours[j]?.push(i); }
  const size = 340, margin = network.graph === "torus" ? 44 : 22, radius = n <= 20 ? 11 : n <= 40 ? 9 : n <= 100 ? 5 : 3;
  const places = layout(n, edges, neighbours, network).map((place) => place.map((v) => margin + v * (size - 2 * margin)));
  const low = Math.min(...places.map((p) => p[1])) - margin, high = Math.max(...places.map((p) => p[1])) + margin;
  const svg = element("svg", { viewBox: `0 ${low} ${size} ${high - low}`, class: "network", role: "img", "aria-label": `Network of ${n} clients and ${edges.length} edges` });
  const wires = element("g", { class: edges.length > 400 ? "wires many" : "wires" });
  for (const [i, j] of edges.slice(0, mostEdges)) wires.append(...wire(places[i], places[j], network.graph === "torus" ? (size - 2 * margin) / (Math.max(latticeRows(n, network), n / latticeRows(n, network)) - 1 || 1) : Infinity));
  svg.append(wires);
  const nodes = places.map(([x, y], k) => {
    const node = element("g", { class: "node", onclick: () => fill(k), onpointerenter: () => fill(k) }, element("circle", { cx: x, cy: y, r: radius }));
    if (n <= 40) node.append(element("text", { x, y: y + (n <= 20 ? 3.6 : 3.2) }, String(k)));
    return node;
  });
  svg.append(...nodes);
  const caption = element("p", { class: "caption" });
  function fill(origin) {
    const hops = hopsFrom(origin, neighbours);
    nodes.forEach((node, k) => node.setAttribute("class", `node${k === origin ? " origin" : hops[k] <= rounds ? " reached" : ""}`));
    const reached = hops.filter((hop) => hop <= rounds).length;
    caption.textContent = `${rounds === 1 ? "One round of gossip carries" : `${rounds} rounds of gossip carry`} a step of client ${origin} to ${count(reached)} of ${count(n)} clients (filled). Point at another client to see its reach.` +
      (edges.length > mostEdges ? ` Of ${count(edges.length)} edges ${count(mostEdges)} are drawn.` : "");
  }
  fill(0);
  return [svg, caption];
}

// A straight line; two stubs for an edge that wraps around a torus.
function wire([x1, y1], [x2, y2], cell) {
  const line = (a, b, c, d) => element("line", { x1: a.toFixed(1), y1: b.toFixed(1), x2: c.toFixed(1), y2: d.toFixed(1) });
  const dx = x2 - x1, dy = y2 - y1;
  if (Math.hypot(dx, dy) < 1.5 * cell) return [line(x1, y1, x2, y2)];
  const far = Math.hypot(dx, dy), ux = (-dx / far) * 32, uy = (-dy / far) * 32;
  return [line(x1, y1, x1 + ux, y1 + uy), line(x2, y2, x2 - ux, y2 - uy)];
}

// --- what the clients hold ---
const labelColour = (k, labels) => (labels <= 10 ? `var(--l${k})` : `hsl(${Math.round((360 * k) / labels)} ${k % 2 ? 45 : 60}% ${k % 2 ? 62 : 48}%)`);

function splitPicture({ labels, counts }) {
  const clients = counts.length, row = clients <= 24 ? 17 : clients <= 64 ? 10 : clients <= 200 ? 5 : 2, gap = row > 5 ? 2 : row > 2 ? 1 : 0;
  const width = 420, left = 30, right = width - 52, height = clients * row + 22;
  const totals = counts.map((list) => list.reduce((a, b) => a + b, 0)), every = row >= 10 ? 1 : row >= 5 ? 5 : 20;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, class: "split", role: "img", "aria-label": `Shares of ${labels.length} labels on ${clients} clients` });
  counts.forEach((list, client) => {
    let at = left;
    const y = client * row;
    list.forEach((number, k) => {
      if (!number) return;
      const wide = (number / totals[client]) * (right - left);
      svg.append(element("rect", { x: at.toFixed(2), y, width: wide.toFixed(2), height: row - gap, style: `fill: ${labelColour(k, labels.length)}` },
        svgTitle(`client ${client}, label ${labels[k]}: ${count(number)} samples, ${percent(number / totals[client])}`)));
      at += wide;
    });
    if (client % every) return;
    svg.append(element("text", { x: left - 6, y: y + row / 2 + 3, class: "end" }, String(client)));
    svg.append(element("text", { x: width, y: y + row / 2 + 3, class: "end" }, count(totals[client])));
  });
  for (const share of [0, 0.25, 0.5, 0.75, 1]) svg.append(element("text", { x: left + share * (right - left), y: height - 5, class: "middle" }, 100 * share + " %"));
  const key = element("ul", { class: "key" }, labels.slice(0, 20).map((label, k) => element("li", {}, element("i", { style: `background: ${labelColour(k, labels.length)}` }), String(label))));
  if (labels.length > 20) key.append(element("li", {}, `and ${labels.length - 20} more: point at a bar`));
  return [svg, key, element("p", { class: "caption" }, `One bar per client: the shares of the ${labels.length} labels among its samples, and how many samples it holds.`)];
}
