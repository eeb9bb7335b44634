// Brings the figures of a page to life: each has its data within it. Without this the pictures stay as they are.

class Page {
  constructor() {
    Object.assign(this, {view: new View(), figures: [], hidden: new Set()});
    const json = document.getElementById("events");
    const {events, left_out} = json ? JSON.parse(json.textContent) : {events: [], left_out: 0};
    Object.assign(this, {events, left_out});
  }

  /// Recorded values at cursor A, else at the end, for the picture of the network.
  tell_network() {
    const network = document.querySelector(".picture")?.network;
    if (!network || !this.view.figures.length) return;
    const at = this.view.a ?? this.view.high, values = new Map();
    for (const figure of this.view.figures)
      for (const line of figure.lines) {
        const i = line.index_at(at);
        if (i >= 0 && Number.isFinite(line.low[i])) values.set(line.label, [line.low[i], figure.unit]);
      }
    network.show_values(values, time_text(at) + " s");
  }

  shown_events() { return this.hidden.size === 0 ? this.events : this.events.filter((event) => !this.hidden.has(event.kind)); }

  async read() {
    for (const still of document.querySelectorAll("figure.plot")) {
      const json = still.querySelector('script[type="application/json"]');
      const figure = json ? await Figure.read(still, JSON.parse(json.textContent), this) : null;
      if (figure) this.figures.push(figure);
    }
    if (this.events.length > 0 && this.view.figures.length > 0) this.list_events();
    this.view.drawn = () => this.tell_network();
    this.view.draw();
  }

  /// Kinds to choose from, and each event by name.
  list_events() {
    const kinds = [...new Set(this.events.map((event) => event.kind))];
    const boxes = kinds.map((kind) => {
      const box = element("input", {type: "checkbox", change: () => {
        if (box.checked) this.hidden.delete(kind); else this.hidden.add(kind);
        this.view.draw();
      }});
      box.checked = true;
      const count = this.events.filter((event) => event.kind === kind).length;
      return element("label", {}, box, element("svg", {class: "swatch", viewBox: "-13 -7 26 14", "aria-hidden": "true"},
        element("path", {class: "hit k" + event_looks[kind], d: event_shapes[kind]})), `${kind} (${count})`);
    });
    const shown = this.events.slice(0, 1000);
    const rows = shown.map((event) => element("tr", {}, element("td", {}, element("button", {type: "button", click: () => {
      const figure = this.view.figures[0], length = Math.min(this.view.to - this.view.from, (this.view.high - this.view.low) / 20);
      this.view.show(event.x - length / 2, event.x + length / 2);
      figure.go_to([event]);
    }}, time_text(event.x) + " s")), element("td", {class: "t"}, event.kind), element("td", {class: "t"}, event.text)));
    const list = element("details", {class: "events"}, element("summary", {}, `On the axis of time: ${this.events.length}`),
                         element("table", {}, element("tbody", {}, ...rows)));
    const more = this.events.length - shown.length + this.left_out;
    if (more > 0) list.append(element("p", {}, `... and ${more} more: summary.json, actions.csv, inputs.csv.`));
    const place = this.view.figures[0].still.closest("section") || document.body;
    (place.querySelector("h2") || place.firstChild).after(element("div", {class: "choice kinds"}, ...boxes), list);
  }
}

const page = new Page();
page.read().catch((problem) => {  // the pictures are still there
  document.body.prepend(element("p", {class: "no", role: "alert"}, "The figures cannot be zoomed: " + problem.message));
});
