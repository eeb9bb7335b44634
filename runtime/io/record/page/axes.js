// Axes of a figure: from values to pixels, round numbers along them, text of numbers. As svg_axes.cpp has them.

class Axis {
  constructor(low, high, from, to, logarithmic) {
    Object.assign(this, {low, high, from, to, logarithmic: logarithmic && low > 0});
  }
  place(value) {
    const share = this.logarithmic ? Math.log(value / this.low) / Math.log(this.high / this.low)
                                   : (value - this.low) / (this.high - this.low);
    return this.from + share * (this.to - this.from);
  }
  value(place) {
    const share = (place - this.from) / (this.to - this.from);
    return this.logarithmic ? this.low * (this.high / this.low) ** share : this.low + share * (this.high - this.low);
  }
  ticks() {
    if (this.logarithmic && this.high / this.low >= 10) return this.decades();
    const apart = this.to < this.from ? 35 : 75;  // pixels: upwards, along
    const rough = (this.high - this.low) / Math.max(2, Math.min(8, Math.abs(this.to - this.from) / apart));
    const decade = 10 ** Math.floor(Math.log10(rough)), part = rough / decade;
    const step = part < 2 ? 2 * decade : part < 5 ? 5 * decade : 10 * decade, out = [];
    for (let k = Math.ceil(this.low / step); k * step <= this.high + 1e-9 * step && out.length < 14; ++k) out.push(k * step);
    return out;
  }
  decades() {
    const first = Math.ceil(Math.log10(this.low) - 1e-9), last = Math.floor(Math.log10(this.high) + 1e-9), out = [];
    const stride = Math.max(1, Math.ceil((last - first + 1) / 8));
    for (let exponent = first; exponent <= last; exponent += stride) out.push(10 ** exponent);
    return out;
  }
}

const plain = (number) => (Math.abs(number) < 1e-3 && number !== 0 ? number.toExponential() : String(number));

/// With as many digits as it takes to tell it from its neighbours.
function tick_text(value, all) {
  const step = all.length > 1 ? Math.abs(all[1] - all[0]) : 0;
  if (Math.abs(value) < 1e-9 * step) return "0";
  for (const digits of [4, 6, 8, 10, 12, 14]) {
    const short = Number(value.toPrecision(digits));
    if (Math.abs(short - value) <= 0.01 * step || step === 0) return plain(short);
  }
  return String(value);
}

const number_text = (value, digits) => (Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "no value");
const time_text = (seconds) => String(Number(seconds.toPrecision(10)));

/// An element of SVG or HTML with attributes and children; text is text.
function element(name, attributes = {}, ...children) {
  const drawn = ["svg", "path", "line", "text", "g", "rect", "circle", "clipPath", "defs", "title"].includes(name);
  const made = drawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/// Colour and dash pattern of a line: classes of the style sheet.
const look = (line) => "k" + (line % 8) + (line >= 8 ? " d" + (Math.floor(line / 8) % 4) : "");

function swatch(line) {
  return element("svg", {class: "swatch", viewBox: "0 0 26 12", "aria-hidden": "true"},
                 element("path", {class: "line " + look(line), d: "M0 6H26"}));
}
