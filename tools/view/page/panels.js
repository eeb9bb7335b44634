// Panels: what a layout consists of. Each shows some values: over time, as numbers, bars or lamps, over each other, as a spectrum.

import {button, element, number_text, unit_text} from "./controls.js";
import {Scope} from "./scope.js";
import {Plot, canvas_of, colours, ticks, widened} from "./plot.js";

/// Values now, with the smallest and largest in sight.
class Numbers {
  constructor(view, units) {
    Object.assign(this, {view, units, paths: []});
    this.body = element("div", {className: "numbers"});
  }

  draw() {
    const {store} = this.view, row = store.row_at(this.view.end);
    const from = Math.max(store.row_at(this.view.begin), store.first);
    if (this.body.children.length !== this.paths.length) this.body.replaceChildren(...this.paths.map(() => this.tile()));
    this.paths.forEach((path, k) => this.fill(this.body.children[k], path, store.value(path, row), store.extremes(path, from, row + 1)));
  }

  tile() { return element("div", {className: "number"}, element("span", {className: "name"}), element("b"), element("small")); }

  fill(tile, path, value, [low, high]) {
    const [name, number, range] = tile.children;
    name.textContent = path;
    number.textContent = value === value ? `${number_text(value, 6)} ${this.units.get(path) || ""}` : "\u2013";
    range.textContent = low === low ? `${number_text(low, 4)} \u2026 ${number_text(high, 4)}` : "";
  }
}

/// A bar from the smallest to the largest ever seen here, or a lamp that is on above a half.
class Gauges extends Numbers {
  constructor(view, units, is_lamp) { super(view, units), Object.assign(this, {is_lamp, seen: new Map()}); }

  tile() { return element("div", {className: this.is_lamp ? "number lamp" : "number gauge"}, element("span", {className: "name"}), element("b"), element("small"), element("i")); }

  fill(tile, path, value, range) {
    super.fill(tile, path, value, range);
    const [low, high] = this.seen.get(path) ?? [Math.min(0, range[0] || 0), Math.max(0, range[1] || 0)];
    const now = [Math.min(low, range[0] || low), Math.max(high, range[1] || high)];
    this.seen.set(path, now);
    if (this.is_lamp) tile.classList.toggle("on", value > 0.5);
    else tile.lastChild.style.setProperty("--share", `${now[1] > now[0] ? (100 * (value - now[0])) / (now[1] - now[0]) : 0}%`);
  }
}

function frame_of(canvas, x_range, y_range, [x_name, y_name]) {
  const {pen, width, height} = canvas_of(canvas), colour = colours(canvas);
  const left = 62, right = width - 12, top = 10, bottom = height - 34;
  const place = (value, [low, high], from, to) => from + ((value - low) / (high - low)) * (to - from);
  const x = (value) => place(value, x_range, left, right), y = (value) => place(value, y_range, bottom, top);
  pen.lineWidth = 1;
  pen.strokeStyle = colour.grid;
  pen.fillStyle = colour.soft;
  for (const value of ticks(...x_range, (right - left) / 80)) {
    pen.beginPath(), pen.moveTo(x(value), top), pen.lineTo(x(value), bottom), pen.stroke();
    pen.textAlign = "center", pen.textBaseline = "top", pen.fillText(number_text(value, 5), x(value), bottom + 4);
  }
  for (const value of ticks(...y_range, (bottom - top) / 40)) {
    pen.beginPath(), pen.moveTo(left, y(value)), pen.lineTo(right, y(value)), pen.stroke();
    pen.textAlign = "right", pen.textBaseline = "middle", pen.fillText(number_text(value, 5), left - 6, y(value));
  }
  pen.fillStyle = colour.fg;
  pen.textAlign = "right", pen.fillText(x_name, right, bottom + 26);
  pen.textAlign = "left", pen.fillText(y_name, left + 6, top + 6);
  return {pen, colour, x, y};
}

/// Every value over the first.
class Across {
  constructor(view, units) {
    Object.assign(this, {view, units, paths: []});
    this.canvas = element("canvas", {className: "plot", role: "img", "aria-label": "values over each other"});
  }

  draw() {
    const {store} = this.view, [first, ...others] = this.paths;
    if (!first) return void canvas_of(this.canvas);
    const to = store.row_at(this.view.end) + 1, from = Math.max(store.row_at(this.view.begin), store.first);
    const step = Math.max(1, Math.floor((to - from) / 4000));
    let low = NaN, high = NaN;
    for (const path of others) {
      const [least, most] = store.extremes(path, from, to);
      low = low <= least ? low : least, high = high >= most ? high : most;
    }
    const named = (path) => (path ? `${path} [${unit_text(this.units.get(path) ?? "")}]` : "");
    const {pen, colour, x, y} = frame_of(this.canvas, widened(...store.extremes(first, from, to)), widened(low, high), [named(first), named(others[0])]);
    others.forEach((path, k) => {
      pen.strokeStyle = colour.lines[(k + 1) % 8];
      pen.beginPath();
      for (let row = from; row < to; row += step) pen.lineTo(x(store.value(first, row)), y(store.value(path, row)));
      pen.stroke();
    });
  }
}

/// Amplitudes by a fast Fourier transform, in place: n a power of two.
export function transform(real, imaginary) {
  const n = real.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [real[i], real[j], imaginary[i], imaginary[j]] = [real[j], real[i], imaginary[j], imaginary[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    for (let k = 0; k < size / 2; ++k) {
      const c = Math.cos((-2 * Math.PI * k) / size), s = Math.sin((-2 * Math.PI * k) / size);
      for (let i = k; i < n; i += size) {
        const j = i + size / 2, re = real[j] * c - imaginary[j] * s, im = real[j] * s + imaginary[j] * c;
        real[j] = real[i] - re, imaginary[j] = imaginary[i] - im;
        real[i] += re, imaginary[i] += im;
      }
    }
  }
}

/// Of the rows in sight: the largest power of two of them that end the view, under a Hann window.
export function spectrum(store, path, from, to) {
  const n = Math.min(1 << 14, 2 ** Math.floor(Math.log2(Math.max(1, to - from))));
  if (n < 16) return null;
  const begin = to - n, span = store.time(to - 1) - store.time(begin);
  const real = new Float64Array(n), imaginary = new Float64Array(n);
  let mean = 0;
  for (let k = 0; k < n; ++k) mean += store.value(path, begin + k) / n;
  if (!Number.isFinite(mean)) return null;
  for (let k = 0; k < n; ++k) real[k] = (store.value(path, begin + k) - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * k) / n));
  transform(real, imaginary);
  const rate = (n - 1) / span;
  const amplitudes = Float64Array.from({length: n / 2}, (_, k) => (4 * Math.hypot(real[k], imaginary[k])) / n);
  return {step: rate / n, amplitudes};
}

class Spectrum {
  constructor(view, units) {
    Object.assign(this, {view, units, paths: [], drawn: 0});
    this.canvas = element("canvas", {className: "plot", role: "img", "aria-label": "amplitudes over frequency"});
  }

  draw() {
    if (performance.now() - this.drawn < 200) return;  // it costs more than lines do
    this.drawn = performance.now();
    const {store} = this.view, to = store.row_at(this.view.end) + 1, from = Math.max(store.row_at(this.view.begin), store.first);
    const found = this.paths.map((path) => spectrum(store, path, from, to));
    const good = found.filter((one) => one);
    if (good.length === 0) return void canvas_of(this.canvas);
    const width = Math.max(...good.map((one) => one.step * one.amplitudes.length)), high = Math.max(...good.map((one) => one.amplitudes.reduce((a, b) => Math.max(a, b), 0)));
    const {pen, colour, x, y} = frame_of(this.canvas, [0, width], [0, high * 1.06 || 1], ["Hz", `amplitude [${unit_text(this.units.get(this.paths[0]) ?? "")}]`]);
    found.forEach((one, k) => {
      if (!one) return;
      pen.strokeStyle = colour.lines[k % 8];
      pen.beginPath();
      one.amplitudes.forEach((value, at) => pen.lineTo(x(at * one.step), y(value)));
      pen.stroke();
    });
  }
}

export const kinds = {
  plot: {name: "over time", make: (view, units) => new Plot(view, units)},
  numbers: {name: "numbers", make: (view, units) => new Numbers(view, units)},
  gauges: {name: "bars", make: (view, units) => new Gauges(view, units, false)},
  lamps: {name: "lamps", make: (view, units) => new Gauges(view, units, true)},
  across: {name: "X-Y", make: (view, units) => new Across(view, units)},
  spectrum: {name: "spectrum", make: (view, units) => new Spectrum(view, units)},
  scope: {name: "scope of micro-steps", make: (view, units, link) => new Scope(units, link)},
};

/// One panel with its head: kind, values, what is done to it.
export class Panel {
  /// @param on  changed, removed, chosen; link: () -> the connection to the run
  constructor(json, view, units, on) {
    Object.assign(this, {kind: json.kind in kinds ? json.kind : "plot", paths: [...json.paths], view, units, on});
    this.legend = element("ul", {className: "legend"});
    const choice = element("select", {"aria-label": "kind of panel", onchange: () => this.become(choice.value)},
                           ...Object.entries(kinds).map(([key, {name}]) => element("option", {value: key, selected: key === this.kind}, name)));
    this.content = element("div", {className: "content"});
    this.box = element("section", {className: "panel", onclick: () => on.chosen(this)},
                       element("header", {}, choice, this.legend, button("\u2715", (event) => { event.stopPropagation(); on.removed(this); }, {title: "remove the panel"})), this.content);
    this.box.addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("text/takt-path")) event.preventDefault(); });
    this.box.addEventListener("drop", (event) => {
      event.preventDefault();
      this.add(event.dataTransfer.getData("text/takt-path"));
    });
    this.become(this.kind);
  }

  json() { return {kind: this.kind, paths: this.paths}; }

  become(kind) {
    this.kind = kind;
    this.shown = kinds[kind].make(this.view, this.units, this.on.link);
    this.content.replaceChildren(...[this.shown.canvas ?? this.shown.body, this.shown.readout].filter((part) => part));
    this.update();
  }

  add(path) {
    if (!path || this.paths.includes(path)) return;
    this.paths.push(path);
    this.update();
  }

  update() {
    this.shown.paths = this.paths;
    this.legend.replaceChildren(...this.paths.map((path, k) => {
      const swatch = element("i", {className: "swatch"});
      swatch.style.background = `var(--c${k % 8})`;
      return element("li", {}, swatch, path, button("\u2212", () => { this.paths = this.paths.filter((one) => one !== path); this.update(); }, {title: "take it away", className: "quiet"}));
    }));
    if (this.paths.length === 0) this.legend.append(element("li", {className: "note"}, "drag a value here, or press + beside it"));
    this.on.changed();
  }

  draw() { this.shown.draw(); }
}
