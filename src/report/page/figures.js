// SPDX-License-Identifier: Apache-2.0
"use strict";
// Formatting of numbers, and DOM elements.

const grouped = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const superscripts = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

function powerOfTen(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const power = "10" + [...String(Number(exponent))].map((c) => superscripts[c]).join("");
  const factor = String(Number(mantissa));
  return factor === "1" ? power : factor === "-1" ? "−" + power : factor.replace("-", "−") + "×" + power;
}

function plain(value, digits = 4) {
  if (!isNumber(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 && Number.isInteger(value)) return grouped.format(value);
  if (size >= 1e6 || size < 1e-4) return powerOfTen(value, Math.max(0, digits - 2));
  return new Intl.NumberFormat("en-GB", { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(size + 1))) }).format(value).replace("-", "−");
}

// Four decimals if that is precise enough, so that columns of losses align.
const fixed = (value) => (isNumber(value) && Math.abs(value) >= 1e-3 && Math.abs(value) < 1e4 ? value.toFixed(4).replace("-", "−") : plain(value));
const count = (value) => (isNumber(value) ? grouped.format(value) : "–");
const percent = (value) => (isNumber(value) ? (100 * value).toFixed(2) + " %" : "–");
const seconds = (value) => (isNumber(value) ? (value < 100 ? plain(value, 3) : grouped.format(value)) + " s" : "–");

function bytes(value) {
  if (!isNumber(value)) return "–";
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  let k = 0;
  for (; value >= 999.5 && k + 1 < units.length; k += 1) value /= 1000;
  return Number(value.toPrecision(3)) + " " + units[k];
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const writers = { count, bytes, seconds, loss: fixed, share: percent, norm: (value) => plain(value, 3) };  // by a quantity's format

function decimalsOf(step) { return Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9))); }

// Short tick labels: 20,000 · 1.5 M · 3 MB · 0.25 · 10⁻³. The distance between ticks determines the decimals.
const ticks = {
  count: (v) => (Math.abs(v) >= 1e9 ? powerOfTen(v, 2) : Math.abs(v) >= 1e6 ? Number((v / 1e6).toPrecision(6)) + " M" : grouped.format(v)),
  bytes: (v) => (v === 0 ? "0" : bytes(Number(v.toPrecision(3)))),
  seconds: (v, step) => (v !== 0 && Math.abs(v) < 1e-3 ? powerOfTen(v, 1) : step ? v.toFixed(decimalsOf(step)) : String(Number(v.toPrecision(6)))) + " s",
  value: (v, step) => {
    if (v === 0) return "0";
    if (Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3) return powerOfTen(v, 2);
    return (step ? v.toFixed(decimalsOf(step)) : String(Number(v.toPrecision(6)))).replace("-", "−");
  },
  percent: (v, step) => (step ? (100 * v).toFixed(decimalsOf(100 * step)) : String(Number((100 * v).toPrecision(6)))) + " %",
};

// Text is only set as text content, so a label cannot inject an element.
// In the next frame: what is drawn at once may resize what is watched, of which browsers complain in the console.
function whenResized(watched, act) {
  new ResizeObserver(() => requestAnimationFrame(act)).observe(watched);
}

function element(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "line", "circle", "rect", "text", "clipPath"].includes(name);
  return filled(svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name), attributes, children);
}
const svgTitle = (text) => filled(document.createElementNS("http://www.w3.org/2000/svg", "title"), {}, [text]);

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// A row of radio buttons in a fieldset; calls `choose` with the value.
function fillChoice(fieldset, options, chosen, choose) {
  for (const [value, text] of options) {
    const input = element("input", { type: "radio", name: fieldset.id, value, checked: value === chosen, onchange: () => choose(value) });
    fieldset.append(element("label", {}, input, element("span", {}, text)));
  }
}
