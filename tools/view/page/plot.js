// Lines over time on a canvas, an axis of y for each unit; the view of time and the cursors are common to all plots.

import {element, number_text, unit_text} from "./controls.js";

const margin = {left: 62, right: 12, top: 10, bottom: 22, axis: 58};

/// What all plots show: `span` seconds up to the newest value while it is live, else up to `to`.
export class View {
  constructor(store) { Object.assign(this, {store, span: 10, to: 0, is_live: true, a: null, b: null, active: "a", changed: () => {}}); }
  get end() { return this.is_live ? this.store.newest || 0 : this.to; }
  get begin() { return this.end - this.span; }
  freeze() { this.to = this.end; this.is_live = false; this.changed(); }
  live() { this.is_live = true; this.changed(); }
  show(from, to) {
    if (!(to - from > 1e-9)) return;
    Object.assign(this, {span: to - from, to, is_live: false});
    this.changed();
  }
  zoom(by, at) {
    if (this.is_live) this.span = Math.max(1e-6, this.span * by);
    else this.show(at - (at - this.begin) * by, at + (this.end - at) * by);
    this.changed();
  }
  pan(share) { const by = share * this.span; this.show(this.begin + by, this.end + by); }
  place(name, time) {
    const row = this.store.row_at(time);
    this[name] = row >= this.store.first && row >= 0 ? this.store.time(row) : time;
    this.changed();
  }
}

/// 1, 2 or 5 times a power of ten, some `count` of them between low and high.
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) || rough;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9 && found.length < 50; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}

export function colours(of) {
  const style = getComputedStyle(of), get = (name) => style.getPropertyValue(name).trim();
  return {lines: [0, 1, 2, 3, 4, 5, 6, 7].map((k) => get("--c" + k)), fg: get("--fg"), soft: get("--soft"), grid: get("--line"), bg: get("--bg")};
}

export function widened(low, high) {
  if (!(low <= high)) return [0, 1];
  const apart = high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  const room = apart ? 0.06 * (high - low) : Math.max(1e-12, 0.05 * Math.abs(high)) || 1;
  return [low - room, high + room];
}

/// A canvas as large as it stands on the screen, ready to be drawn on.
export function canvas_of(canvas) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, sans-serif";
  pen.lineJoin = "round";
  return {pen, width, height};
}

export class Plot {
  /// @param units  of paths
  constructor(view, units) {
    Object.assign(this, {view, store: view.store, units, paths: []});
    this.canvas = element("canvas", {className: "plot", tabIndex: 0, role: "img", "aria-label": "values over time"});
    this.readout = element("table", {className: "readout"});
    this.listen();
  }

  unit(path) { return this.units.get(path) ?? ""; }

  draw() {
    const {pen, width, height} = canvas_of(this.canvas);
    if (width < 60 || height < 40) return;
    const colour = colours(this.canvas), {begin, end} = this.view;
    const units = [...new Set(this.paths.map((path) => this.unit(path)))].slice(0, 4);
    const left = margin.left, right = width - margin.right - margin.axis * Math.max(0, units.length - 1);
    const place_x = (time) => left + ((time - begin) / (end - begin)) * (right - left);
    this.area = {left, right, begin, end};
    const pixels = Math.max(1, Math.floor(right - left)), edges = new Array(pixels + 1);
    for (let k = 0; k <= pixels; ++k) edges[k] = this.store.row_at(begin + (k / pixels) * (end - begin)) + 1;
    edges[0] = Math.max(edges[0] - 1, this.store.first);
    const ranges = units.map((unit) => {
      let low = NaN, high = NaN;
      for (const path of this.paths) {
        if (this.unit(path) !== unit) continue;
        const [least, most] = this.store.extremes(path, edges[0], edges[pixels]);
        if (!(low <= least) && least === least) low = least;
        if (!(high >= most) && most === most) high = most;
      }
      return widened(low, high);
    });
    const bottom = height - margin.bottom, top = margin.top;
    const place_y = (value, [low, high]) => bottom - ((value - low) / (high - low)) * (bottom - top);
    this.draw_time(pen, colour, place_x, {top, bottom, left, right});
    units.forEach((unit, k) => this.draw_axis(pen, colour, {unit, range: ranges[k], k, place_y, top, bottom, left, right}));
    pen.save();
    pen.beginPath();
    pen.rect(left, top - 2, right - left, bottom - top + 4);
    pen.clip();
    [...this.paths.entries()].reverse().forEach(([k, path]) => {
      const range = ranges[units.indexOf(this.unit(path))];
      if (range) this.draw_line(pen, path, edges, {colour: colour.lines[k % 8], dash: k >= 8, place_x, place: (value) => place_y(value, range), left});
    });
    for (const name of ["a", "b"]) this.draw_cursor(pen, colour, name, place_x, {top, bottom});
    pen.restore();
    this.read_out();
  }

  draw_time(pen, colour, place_x, {top, bottom, left, right}) {
    pen.lineWidth = 1;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const time of ticks(this.view.begin, this.view.end, (right - left) / 90)) {
      const x = Math.round(place_x(time)) + 0.5;
      pen.strokeStyle = colour.grid;
      pen.beginPath(), pen.moveTo(x, top), pen.lineTo(x, bottom), pen.stroke();
      pen.fillStyle = colour.soft;
      pen.fillText(number_text(time, 9), x, bottom + 5);
    }
    pen.textAlign = "right";
    pen.fillText("s", right + 8, bottom + 5);
  }

  draw_axis(pen, colour, {unit, range, k, place_y, top, bottom, left, right}) {
    const x = k === 0 ? left : right + margin.axis * (k - 1) + 2;
    pen.textBaseline = "middle";
    pen.textAlign = k === 0 ? "right" : "left";
    pen.fillStyle = colour.soft;
    for (const value of ticks(...range, (bottom - top) / 44)) {
      const y = Math.round(place_y(value, range)) + 0.5;
      if (k === 0) {
        pen.strokeStyle = colour.grid;
        pen.beginPath(), pen.moveTo(left, y), pen.lineTo(right, y), pen.stroke();
      }
      pen.fillText(number_text(value, 6), k === 0 ? x - 6 : x + 4, y);
    }
    pen.fillStyle = colour.fg;
    pen.textAlign = k === 0 ? "left" : "left";
    pen.fillText(unit_text(unit), k === 0 ? x + 6 : x + 4, top + 6);
  }

  /// Every row where there is room for it; else of each pixel the smallest and the largest.
  draw_line(pen, path, edges, {colour, dash, place_x, place, left}) {
    const pixels = edges.length - 1, from = edges[0], to = Math.min(edges[pixels] + 1, this.store.count);
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash(dash ? [6, 4] : []);
    pen.beginPath();
    let is_down = false;
    const go = (x, y) => { if (is_down) pen.lineTo(x, y); else pen.moveTo(x, y); is_down = true; };
    if (to - from <= 2 * pixels) {
      for (let row = from; row < to; ++row) {
        const value = this.store.value(path, row);
        if (value === value) go(place_x(this.store.time(row)), place(value)); else is_down = false;
      }
    } else {
      for (let k = 0; k < pixels; ++k) {
        if (edges[k + 1] <= edges[k]) continue;
        const [low, high] = this.store.extremes(path, edges[k], edges[k + 1]);
        if (low === low) go(left + k + 0.5, place(high)), go(left + k + 0.5, place(low)); else is_down = false;
      }
    }
    pen.stroke();
    pen.setLineDash([]);
  }

  draw_cursor(pen, colour, name, place_x, {top, bottom}) {
    const time = this.view[name];
    if (time === null) return;
    const x = place_x(time);
    pen.strokeStyle = pen.fillStyle = colour.fg;
    pen.setLineDash([4, 3]);
    pen.beginPath(), pen.moveTo(x, top), pen.lineTo(x, bottom), pen.stroke();
    pen.setLineDash([]);
    pen.textAlign = "left";
    pen.fillText(name.toUpperCase(), x + 3, top + 6);
  }

  at(path, time) { return time === null ? NaN : this.store.value(path, this.store.row_at(time)); }

  read_out() {
    const {a, b} = this.view, cell = (text) => element("td", {}, text);
    const key = JSON.stringify([this.paths, a, b, this.view.is_live ? 0 : this.store.count]);
    if (key === this.read_key) return;
    this.read_key = key;
    if (a === null && b === null) return this.readout.replaceChildren();
    const head = ["", "A", "B", "B \u2212 A"].map((text) => element("th", {}, text));
    const times = ["time [s]", a, b, a !== null && b !== null ? b - a : null].map((one) => cell(typeof one === "number" ? number_text(one, 9) : one ?? ""));
    const rows = this.paths.map((path) => {
      const [left, right] = [this.at(path, a), this.at(path, b)];
      return element("tr", {}, cell(`${path} [${unit_text(this.unit(path))}]`), ...[left, right, right - left].map((value) => cell(value === value ? number_text(value, 9) : "")));
    });
    this.readout.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, element("tr", {}, ...times), ...rows));
  }

  time_at(event) {
    const {left, right, begin, end} = this.area;
    const x = Math.min(Math.max(event.clientX - this.canvas.getBoundingClientRect().left, left), right);
    return begin + ((x - left) / (right - left)) * (end - begin);
  }

  listen() {
    let begun = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !this.area) return;
      begun = {x: event.clientX, at: this.time_at(event), begin: this.view.begin, end: this.view.end};
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!begun || Math.abs(event.clientX - begun.x) < 5 || event.shiftKey) return;
      const by = ((begun.x - event.clientX) / (this.area.right - this.area.left)) * (begun.end - begun.begin);
      this.view.show(begun.begin + by, begun.end + by);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (begun && Math.abs(event.clientX - begun.x) < 5) this.view.place(event.shiftKey ? "b" : this.view.active, begun.at);
      else if (begun && event.shiftKey) this.view.show(...[begun.at, this.time_at(event)].sort((one, other) => one - other));
      begun = null;
    });
    this.canvas.addEventListener("pointercancel", () => { begun = null; });
    this.canvas.addEventListener("dblclick", () => this.view.live());
    this.canvas.addEventListener("wheel", (event) => {  // a page that is scrolled must not be caught by its plots
      if (!event.ctrlKey && document.activeElement !== this.canvas) return;
      event.preventDefault();
      this.view.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.time_at(event));
    }, {passive: false});
    this.canvas.addEventListener("keydown", (event) => this.press(event));
  }

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const middle = (this.view.begin + this.view.end) / 2;
    const does = {
      ArrowLeft: () => this.view.pan(-0.1), ArrowRight: () => this.view.pan(0.1), "+": () => this.view.zoom(0.5, middle), "-": () => this.view.zoom(2, middle),
      " ": () => (this.view.is_live ? this.view.freeze() : this.view.live()), b: () => { this.view.active = this.view.active === "a" ? "b" : "a"; },
      Escape: () => { this.view.a = this.view.b = null; this.view.changed(); },
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  }
}
