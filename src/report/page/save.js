// SPDX-License-Identifier: Apache-2.0
// Saves a drawing of the page as an SVG or PNG file.

const ofShapes = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"], ofTexts = ["fill", "font-size", "font-weight", "text-anchor"];
const fontOfFiles = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

// Any colour of CSS as #rrggbb, which every program that reads SVG knows.
const plainColours = new Map();
function plainColour(text) {
  if (text === "none") return text;
  if (!plainColours.has(text)) {
    const pen = element("canvas", { width: 1, height: 1 }).getContext("2d");
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    plainColours.set(text, "#" + [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part.toString(16).padStart(2, "0")).join(""));
  }
  return plainColours.get(text);
}

// A copy that needs no stylesheet: what the styles say is written into each element.
function standalone(svg) {
  const copy = svg.cloneNode(true), from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((node, k) => {
    const style = getComputedStyle(node);
    for (const name of ["class", "style"]) to[k].removeAttribute(name);
    const names = node.tagName === "text" ? ofTexts : ["path", "line", "circle", "rect"].includes(node.tagName) && !node.closest("clipPath") ? ofShapes : [];
    for (const name of names) {
      const value = style.getPropertyValue(name);
      to[k].setAttribute(name, name === "fill" || name === "stroke" ? plainColour(value) : value);
    }
  });
  from.forEach((node, k) => { if (node.matches(".marks, .no-file")) to[k].remove(); });
  return copy;
}

function textWidth(text, size) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${size}px ${fontOfFiles}`;
  return pen.measureText(text).width;
}

// Lines of at most `room` pixels.
function wrapped(text, size, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? lines.at(-1) + " " + word : word;
    if (lines.at(-1) && textWidth(longer, size) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// The drawing with its title above; the key of its curves and what must be told stand below.
function wholeFigure({ svg, title, entries, remarks }) {
  const width = svg.viewBox.baseVal.width, height = svg.viewBox.baseVal.height, style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--ink").trim(), paper = style.getPropertyValue("--paper").trim();
  const words = (x, y, size, text, colour = ink) => element("text", { x, y, "font-size": size, fill: colour }, text);
  const column = Math.min(width - 24, 46 + Math.max(0, ...entries.map(({ label }) => textWidth(label, 12)))), columns = Math.max(1, Math.floor((width - 24) / column));
  const titleLines = wrapped(title, 15, width - 24), top = 10 + 20 * titleLines.length;
  const file = element("svg", { xmlns: "http://www.w3.org/2000/svg", "font-family": fontOfFiles }), figure = element("g", { transform: `translate(0 ${top})` });
  const key = entries.map(({ label, colour, dash }, k) => {
    const swatch = element("path", { d: `M${12 + (k % columns) * column} ${top + height + 14 + 18 * Math.floor(k / columns)}h26`, style: `--c: ${colour}`, class: "curve", "stroke-dasharray": dash });
    return [swatch, words(44 + (k % columns) * column, top + height + 18 + 18 * Math.floor(k / columns), 12, label)];
  }).flat();
  let bottom = top + height + 18 * Math.ceil(entries.length / columns) + 8;
  const told = remarks.flatMap((text) => wrapped(text, 12, width - 24)).map((line) => words(12, (bottom += 17), 12, line, style.getPropertyValue("--soft").trim()));
  bottom += 12;
  for (const [name, value] of Object.entries({ width, height: bottom, viewBox: `0 0 ${width} ${bottom}` })) file.setAttribute(name, value);
  figure.append(...standalone(svg).childNodes);
  file.append(element("rect", { width, height: bottom, fill: paper }), ...titleLines.map((line, k) => words(12, 22 + 20 * k, 15, line)), figure, ...resolvedColours(key), ...told);
  return file;
}

// Swatches get their colours where the page's styles hold: inside it.
function resolvedColours(nodes) {
  const bench = element("svg", { width: 0, height: 0 }, nodes);
  document.body.append(bench);
  const copies = [...standalone(bench).childNodes];
  nodes.forEach((node, k) => { if (node.tagName === "text") copies[k] = node; });
  bench.remove();
  return copies;
}

function download(href, name) {
  const link = element("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

function saveFigure(picture, name, kind) {
  const figure = wholeFigure(picture), text = new XMLSerializer().serializeToString(figure), file = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.${kind}`;
  const address = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  if (kind === "svg") { download(address, file); return; }
  const image = new Image(), sharper = 2;
  image.onload = () => {
    const canvas = element("canvas", { width: sharper * Number(figure.getAttribute("width")), height: sharper * Number(figure.getAttribute("height")) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(canvas.toDataURL("image/png"), file);
  };
  image.src = address;
}

function saveButtons(name, picture) {
  const button = (kind) => element("button", { type: "button", class: "save", "data-kind": kind, "aria-label": `Save ${name.toLowerCase()} as ${kind.toUpperCase()}`, onclick: () => saveFigure(picture(), name, kind) }, kind.toUpperCase());
  return element("span", { class: "saving" }, "Save ", button("svg"), button("png"));
}
