// Mouse, finger and keyboard on a figure; what is shown as CSV.

const csv_cell = (text) => (/[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);

Object.assign(Figure.prototype, {
  listen() {
    const at = (event) => {
      const x = event.clientX - this.picture.getBoundingClientRect().left;
      return this.drawn.x.value(Math.min(Math.max(x, this.drawn.x.from), this.drawn.x.to));
    };
    let begun = null, shade = null;
    this.picture.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".event")) return;
      begun = {x: event.clientX, at: at(event)};
      this.picture.focus({preventScroll: true});
      this.picture.setPointerCapture(event.pointerId);
    });
    this.picture.addEventListener("pointermove", (event) => {
      if (!begun || Math.abs(event.clientX - begun.x) < 5) return;
      shade?.remove();
      const [from, to] = [begun.at, at(event)].map((x) => this.drawn.x.place(x)).sort((one, other) => one - other);
      shade = element("rect", {class: "chosen", x: from, width: to - from, y: this.drawn.y.to, height: this.drawn.y.from - this.drawn.y.to});
      this.picture.append(shade);
    });
    this.picture.addEventListener("pointerup", (event) => {
      if (!begun) return;
      const [from, to] = [begun.at, at(event)].sort((one, other) => one - other), moved = Math.abs(event.clientX - begun.x);
      begun = null;
      shade?.remove();
      if (moved >= 5) this.view.show(from, to);
      else this.place_cursor(event.shiftKey ? (this.active === "a" ? "b" : "a") : this.active, to);
    });
    this.picture.addEventListener("pointercancel", () => { begun = null; shade?.remove(); });
    this.picture.addEventListener("dblclick", () => this.view.show(this.view.low, this.view.high));
    this.picture.addEventListener("wheel", (event) => {  // a page that is scrolled must not be caught by its figures
      if (!event.ctrlKey && document.activeElement !== this.picture) return;
      event.preventDefault();
      this.view.zoom(event.deltaY > 0 ? 1.25 : 0.8, at(event));
    }, {passive: false});
    this.picture.addEventListener("keydown", (event) => this.press(event));
  },

  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const far = event.shiftKey ? 10 : 1;
    const does = {
      ArrowLeft: () => this.step_cursor(-far), ArrowRight: () => this.step_cursor(far),
      PageUp: () => this.pan(-0.5), PageDown: () => this.pan(0.5),
      "+": () => this.view.zoom(0.5, this.centre()), "-": () => this.view.zoom(2, this.centre()),
      "0": () => this.view.show(this.view.low, this.view.high), b: () => this.change_cursor(),
      n: () => this.next_event(1), p: () => this.next_event(-1), Escape: () => this.clear_cursors(),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  },

  /// Every point in sight of the lines that are shown, as exactly as the page has them.
  csv() {
    const lines = this.shown(), unit = this.unit || "1", heads = [this.json.time ? "time [s]" : this.json.x];
    const columns = [], rows = new Map();
    for (const line of lines) {
      const [begin, end] = line.is_sorted ? [Math.max(0, line.index_at(this.view.from)), line.index_at(this.view.to)] : [0, line.x.length - 1];
      const sides = line.low === line.high ? [["", line.low]] : [[" smallest", line.low], [" largest", line.high]];
      for (const [side, values] of sides) {
        heads.push(`${line.label}${side} [${unit}]`);
        columns.push(values);
        for (let i = begin; i <= end; ++i) {
          if (!rows.has(line.x[i])) rows.set(line.x[i], []);
          rows.get(line.x[i])[columns.length - 1] = Number.isNaN(values[i]) ? "" : String(values[i]);
        }
      }
    }
    const ordered = [...rows.entries()].sort(([one], [other]) => one - other);
    return heads.map(csv_cell).join(",") + "\n" +
           ordered.map(([x, values]) => [time_text(x), ...columns.map((_, i) => values[i] ?? "")].join(",")).join("\n") + "\n";
  },

  save() {
    const name = this.json.title.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "") || "figure";
    const link = element("a", {href: URL.createObjectURL(new Blob([this.csv()], {type: "text/csv"})), download: name + ".csv"});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  },
});
