// One figure that is zoomed, with cursors, a choice of lines, and what is shown as CSV.

/// What part of x is in sight, and where the cursors are. Figures over simulated time share one.
class View {
  constructor() { Object.assign(this, {from: 0, to: 1, low: Infinity, high: -Infinity, a: null, b: null, figures: []}); }
  reach(low, high) {
    this.low = Math.min(this.low, low), this.high = Math.max(this.high, high);
    this.from = this.low, this.to = this.high > this.low ? this.high : this.low + 1;
  }
  show(from, to) {
    const whole = this.high > this.low ? this.high - this.low : 1, least = 1e-9 * Math.max(whole, Math.abs(to));
    const length = Math.min(Math.max(to - from, least), whole);
    this.from = Math.min(Math.max(from, this.low), this.low + whole - length);
    this.to = this.from + length;
    this.draw();
  }
  zoom(factor, around) { this.show(around - (around - this.from) * factor, around + (this.to - around) * factor); }
  draw() {
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => { this.waits = false; for (const figure of this.figures) figure.draw(); this.drawn?.(); });
  }
}

const other_units = {  // value · factor + offset
  "\u00b0C": [["K", 1, 273.15], ["\u00b0F", 1.8, 32]], "rad/s": [["rpm", 30 / Math.PI, 0]], "rad": [["\u00b0", 180 / Math.PI, 0]],
  "Pa": [["bar", 1e-5, 0]], "kPa": [["bar", 1e-2, 0]], "MPa": [["bar", 10, 0]], "m/s": [["km/h", 3.6, 0]],
  "J": [["Wh", 1 / 3600, 0]], "kJ": [["kWh", 1 / 3600, 0]], "MJ": [["kWh", 1 / 3.6, 0]], "C": [["Ah", 1 / 3600, 0]],
};

class Figure {
  static async read(still, json, page) {
    const figure = new Figure(still, json, page);
    figure.lines = await Promise.all(json.lines.map((line, number) => Line.read(line, number, json)));
    figure.lines.forEach((line, number) => { line.shown = number < json.drawn && line.x.length > 0; });
    const filled = figure.lines.filter((line) => line.x.length > 0);
    if (filled.length === 0) return null;
    for (const line of filled) figure.view.reach(line.x.reduce((a, b) => Math.min(a, b)), line.x.reduce((a, b) => Math.max(a, b)));
    figure.build();
    return figure;
  }

  constructor(still, json, page) {
    Object.assign(this, {still, json, page, unit: json.y, active: "a", whole_y: false});
    this.view = json.time ? page.view : new View();
    this.view.figures.push(this);
  }

  shown() { return this.lines.filter((line) => line.shown); }

  build() {
    const button = (text, title, click) => element("button", {type: "button", title, "aria-label": title, click}, text);
    const keys = "Arrow keys move a cursor, with Shift by ten; b changes cursors, plus and minus zoom, Page Up and Page " +
                 "Down move the view, n and p go to events, 0 shows all, Escape takes the cursors off.";
    this.picture = element("svg", {class: "live", tabindex: 0, role: "application", "aria-roledescription": "plot",
                                   "aria-label": this.json.title + ". " + keys});
    this.status = element("p", {class: "status", role: "status"});
    this.readout = element("table", {class: "readout"});
    this.tools = element("div", {class: "tools", role: "toolbar", "aria-label": "Zoom and cursors of " + this.json.title},
      button("+", "Zoom in", () => this.view.zoom(0.5, this.centre())), button("\u2212", "Zoom out", () => this.view.zoom(2, this.centre())),
      button("\u25c0", "Earlier", () => this.pan(-0.5)), button("\u25b6", "Later", () => this.pan(0.5)),
      button("all", "Show all", () => this.view.show(this.view.low, this.view.high)),
      this.toggle = button("cursor A", "The cursor that a click places", () => this.change_cursor()),
      button("no cursors", "Take the cursors off", () => this.clear_cursors()),
      this.fit = button("y: in sight", "Scale of y: what is in sight, or all", () => this.change_y()),
      button("CSV", "Save what is shown as CSV", () => this.save()), button("wide", "Wide or narrow", () => this.widen()));
    this.add_units();
    const legend = this.still.querySelector(".legend");
    const below = [this.tools, this.picture, ...(legend ? [legend] : []), this.status, this.readout];
    if (this.lines.length > 1) below.push(this.choice());
    this.still.classList.add("has-live");
    this.still.querySelector("svg").after(...below);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.picture);
    this.draw();
  }

  add_units() {
    const others = other_units[this.json.y];
    if (!others) return;
    const all = [[this.json.y, 1, 0], ...others];
    const select = element("select", {"aria-label": "Unit", change: () => {
      const [text, factor, offset] = all[select.selectedIndex];
      this.unit = text;
      for (const line of this.lines) line.convert(factor, offset);
      this.draw();
    }}, ...all.map(([text]) => element("option", {}, text)));
    this.tools.append(select);
  }

  /// Which lines are drawn.
  choice() {
    const list = element("div", {class: "choice"});
    const count = element("summary");
    const tell = () => { count.textContent = `Signals shown: ${this.shown().length} of ${this.lines.length}`; };
    const labels = this.lines.map((line) => {
      const box = element("input", {type: "checkbox", change: () => { line.shown = box.checked; tell(); this.draw(); }});
      box.checked = line.shown;
      return element("label", {}, box, swatch(line.number), line.label || "line " + (line.number + 1));
    });
    list.append(...labels);
    const filter = element("input", {type: "search", placeholder: "part of a name", "aria-label": "Signals with", input: () => {
      const wanted = filter.value.toLowerCase();
      labels.forEach((label, i) => { label.hidden = !this.lines[i].label.toLowerCase().includes(wanted); });
    }});
    tell();
    const all = (checked) => () => labels.forEach((label, i) => {
      if (!label.hidden) label.firstChild.checked = this.lines[i].shown = checked;
    }) || tell() || this.draw();
    return element("details", {}, count, filter, element("button", {type: "button", click: all(true)}, "all"),
                   element("button", {type: "button", click: all(false)}, "none"), list);
  }

  axes(size, view) {
    let low = NaN, high = NaN;
    for (const line of this.shown()) {
      const [from, to] = this.whole_y ? [this.view.low, this.view.high] : [view.from, view.to];
      const found = line.extremes(from, to);
      low = least(found[0], low), high = most(found[1], high);
    }
    if (!(low <= high)) low = 0, high = 1;
    const {limit} = this.json;
    if (limit && high > limit.value / 2) high = most(high, limit.value * 1.05);
    const largest = Math.max(Math.abs(low), Math.abs(high)), apart = high - low > 1e-9 * largest;
    const room = apart ? 0.05 * (high - low) : largest > 0 ? Math.max(1e-12, 0.05 * largest) : 1;
    const logarithmic = this.json.logarithmic;
    const bottom = size.height - margin.bottom - (this.events().length > 0 ? margin.lane : 0);
    const up = logarithmic[1] && low > 0 ? new Axis(low / 1.25, high * 1.25, bottom, margin.top, true)
                                         : new Axis(low - room, high + room, bottom, margin.top, false);
    const wide = logarithmic[0] && view.from > 0 ? [view.from / 1.05, view.to * 1.05] : [view.from, view.to];
    return {x: new Axis(...wide, margin.left, size.width - margin.right, logarithmic[0]), y: up};
  }

  events() { return this.json.time ? this.page.shown_events() : []; }

  draw() {
    const width = this.picture.clientWidth || this.still.clientWidth;
    if (!width || !this.lines) return;
    const size = {width, height: this.still.classList.contains("wide") ? 380 : 260};
    const axes = this.drawn = this.axes(size, this.view), {x, y} = axes;
    this.picture.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    this.picture.style.height = size.height + "px";
    const id = "clip" + this.page.figures.indexOf(this);
    const clip = element("clipPath", {id}, element("rect", {x: x.from - 3, y: y.to - 1, width: Math.max(0, x.to - x.from) + 6, height: y.from - y.to + 2}));
    const inside = element("g", {"clip-path": `url(#${id})`}), shown = this.shown();
    for (const line of [...shown].reverse()) inside.append(draw_line(line, axes, this.json.marks));
    this.picture.replaceChildren(...[element("defs", {}, clip), frame(axes, {x: this.json.x, y: this.unit}, size),
      draw_events(this.events(), axes, (events) => this.go_to(events)), inside, this.draw_limit(axes),
      draw_cursor("A", this.view.a, axes, shown), draw_cursor("B", this.view.b, axes, shown)].filter((part) => part));
    this.read_out();
  }

  draw_limit({x, y}) {
    const {limit} = this.json;
    if (!limit || limit.value < y.low || limit.value > y.high) return null;
    const at = y.place(limit.value);
    return element("g", {}, element("line", {class: "limit", x1: x.from, x2: x.to, y1: at, y2: at}),
                   element("text", {class: "limit-text", "text-anchor": "end", x: x.to, y: at - 4}, limit.text));
  }

  /// Values at the cursors, and bounds in sight, as digits of the recording.
  read_out() {
    const {a, b} = this.view;
    const text = (line, x) => {
      const found = x === null || !line.is_sorted ? null : line.at(x);
      if (!found) return "";
      const low = number_text(found.low, line.digits), high = number_text(found.high, line.digits);
      if (found.samples > 1 && low !== high) return `${low} \u2026 ${high} (${found.samples} samples)`;
      const is_earlier = found.samples === 1 && time_text(found.x) !== time_text(x);  // of another period, another run
      return is_earlier ? `${high} (of ${time_text(found.x)}${this.json.time ? " s" : ""})` : high;
    };
    const between = (line) => {
      const [left, right] = [a, b].map((x) => (x === null || !line.is_sorted ? null : line.at(x)));
      if (!left || !right || left.low !== left.high || right.low !== right.high) return "";
      return number_text(right.high - left.high, line.digits);
    };
    const cell = (content) => element("td", {}, content), heading = (content) => element("th", {}, content);
    const at = (name, x) => name + (x === null ? "" : this.json.time ? ` at ${time_text(x)} s` : ` at ${time_text(x)}`);
    const rows = a === null && b === null ? [] : this.shown().map((line) => {
      const [low, high] = line.extremes(this.view.from, this.view.to);
      return element("tr", {"data-line": line.number}, element("td", {}, swatch(line.number), line.label), cell(text(line, a)),
                     cell(text(line, b)), cell(between(line)), cell(number_text(low, line.digits)), cell(number_text(high, line.digits)));
    });
    const apart = a !== null && b !== null ? ` over ${time_text(b - a)}${this.json.time ? " s" : ""}` : "";
    const head = element("tr", {}, heading(this.unit), heading(at("A", a)), heading(at("B", b)),
                         heading("B \u2212 A" + apart), heading("min in sight"), heading("max in sight"));
    this.readout.replaceChildren(...(rows.length > 0 ? [element("thead", {}, head), element("tbody", {}, ...rows)] : []));
  }

  centre() { return this.view[this.active] ?? (this.view.from + this.view.to) / 2; }
  pan(share) { const by = share * (this.view.to - this.view.from); this.view.show(this.view.from + by, this.view.to + by); }
  change_cursor() { this.active = this.active === "a" ? "b" : "a"; this.toggle.textContent = "cursor " + this.active.toUpperCase(); }
  clear_cursors() { this.view.a = this.view.b = null; this.view.draw(); }
  change_y() { this.whole_y = !this.whole_y; this.fit.textContent = this.whole_y ? "y: all" : "y: in sight"; this.draw(); }
  widen() { this.still.classList.toggle("wide"); this.draw(); }

  /// On the nearest point of the first line shown.
  place_cursor(name, x) {
    const line = this.shown().find((one) => one.is_sorted);
    if (!line) return;
    let i = Math.max(0, line.index_at(x));
    if (i + 1 < line.x.length && line.x[i + 1] - x < x - line.x[i]) ++i;
    this.view[name] = line.x[i];
    this.status.textContent = `${name.toUpperCase()}: ${time_text(line.x[i])}`;
    this.view.draw();
  }

  step_cursor(by) {
    const line = this.shown().find((one) => one.is_sorted);
    if (!line) return;
    const from = this.view[this.active] ?? (this.view.from + this.view.to) / 2;
    const pixel = (this.view.to - this.view.from) / (this.drawn.x.to - this.drawn.x.from);
    let i = line.index_at(from);
    const next = line.index_at(from + by * pixel);
    i = Math.min(Math.max(next !== i ? next : i + Math.sign(by), 0), line.x.length - 1);
    this.place_cursor(this.active, line.x[i]);
    if (line.x[i] < this.view.from || line.x[i] > this.view.to) this.pan(Math.sign(by) * 0.5);
  }

  go_to(events) {
    this.place_cursor(this.active, events[0].x);
    if (events[0].x < this.view.from || events[0].x > this.view.to) this.pan((events[0].x - this.centre_of_view()) / (this.view.to - this.view.from));
    this.status.textContent = events.slice(0, 8).map((event) => `${time_text(event.x)} s, ${event.kind}: ${event.text}`).join("; ") +
                              (events.length > 8 ? `; and ${events.length - 8} more` : "");
  }
  centre_of_view() { return (this.view.from + this.view.to) / 2; }

  next_event(direction) {
    const here = this.last_event ?? (direction > 0 ? this.view.from - 1e-12 : this.view.to);
    const events = this.events().filter((event) => (direction > 0 ? event.x > here : event.x < here));
    if (events.length === 0) return;
    const x = direction > 0 ? events[0].x : events.at(-1).x;
    this.last_event = x;
    this.go_to(events.filter((event) => event.x === x));
  }
}
