// How the run is in time: real-time factor, what was late, buses, events.

import {element, number_text} from "./controls.js";
import {canvas_of, colours, ticks} from "./plot.js";

const kept = 600;  // looks, two a second

export class Status {
  constructor() {
    Object.assign(this, {history: [], events: [], last: null});
    this.place = document.getElementById("time");
    this.tiles = element("ul", {className: "tiles"});
    this.canvas = element("canvas", {className: "plot short", role: "img", "aria-label": "real-time factor over the last minutes"});
    this.buses = element("div");
    this.list = element("ol", {className: "events"});
    this.filter = element("input", {type: "search", placeholder: "filter", "aria-label": "filter of events", oninput: () => this.show_events()});
    this.place.replaceChildren(this.tiles, element("h2", {}, "Real-time factor"), element("p", {className: "note"}, "computing time over simulated time, between two looks: above 1 a run in real time falls behind"),
                               this.canvas, element("h2", {}, "Buses"), this.buses, element("h2", {}, "Events"), this.filter, this.list);
  }

  begin() { Object.assign(this, {history: [], events: [], last: null}); this.show_events(); }

  take(status, hello) {
    const {last} = this, simulated = last ? status.time_s - last.time_s : 0;
    const rtf = simulated > 0 ? (status.busy_s - last.busy_s) / simulated : NaN;
    const late = last ? status.overruns - last.overruns : 0;
    this.last = status;
    this.history.push({rtf, late});
    if (this.history.length > kept) this.history.shift();
    const tile = (name, value, note = "", kind = "") => element("li", {className: kind}, name, element("b", {}, value), element("small", {}, note));
    const inner = status.overruns - status.deadline_misses;
    this.tiles.replaceChildren(
      tile("simulated", `${number_text(status.time_s, 7)} s`, hello.macro_steps ? `of ${number_text((hello.macro_steps * hello.macro_step_ns) / 1e9)} s` : "until it is stopped"),
      tile("real-time factor", number_text(rtf, 4) || "\u2013", `${number_text(status.rtf, 4)} since the start`, rtf > 1 ? "bad" : ""),
      tile("deadlines missed", String(status.deadline_misses), `${inner} late within macro-steps`, status.deadline_misses > 0 ? "bad" : ""),
      tile("verdicts", String(status.verdicts), status.verdicts ? "not to be trusted" : "nothing speaks against the results", status.verdicts ? "bad" : ""),
      tile("ledger", String(status.ledger_alarms), status.ledger_alarms ? "a flux does not balance" : "fluxes balance", status.ledger_alarms ? "bad" : ""),
      tile("observed", `${status.rows} values`, `${status.samples_dropped} rows dropped by the plant`, status.samples_dropped ? "warning" : ""),
      tile("CPUs", hello.cpus.map((cpu) => (cpu < 0 ? "any" : cpu)).join(", ") || "\u2013", `macro-step ${number_text(hello.macro_step_ns / 1e6)} ms`));
    this.show_buses(status.buses ?? []);
  }

  show_buses(buses) {
    if (buses.length === 0) return this.buses.replaceChildren(element("p", {className: "note"}, "This run has no buses."));
    const cell = (text) => element("td", {}, text);
    const rows = buses.map((bus) => element("tr", {}, cell(bus.name), cell(bus.state || "\u2013"), cell(String(bus.received)), cell(String(bus.sent)), cell(String(bus.failed))));
    const head = ["bus", "state", "frames received", "sent", "failed"].map((text) => element("th", {}, text));
    this.buses.replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)));
  }

  draw() {
    if (this.place.hidden || this.history.length < 2) return;
    const {pen, width, height} = canvas_of(this.canvas), colour = colours(this.canvas);
    const left = 52, right = width - 10, top = 8, bottom = height - 8;
    const high = Math.max(0.01, ...this.history.map(({rtf}) => (rtf === rtf ? rtf : 0))) * 1.1;
    const x = (k) => right - ((this.history.length - 1 - k) / (kept - 1)) * (right - left), y = (value) => bottom - (value / high) * (bottom - top);
    pen.lineWidth = 1;
    for (const value of ticks(0, high, 4)) {
      pen.strokeStyle = colour.grid, pen.fillStyle = colour.soft;
      pen.beginPath(), pen.moveTo(left, y(value)), pen.lineTo(right, y(value)), pen.stroke();
      pen.textAlign = "right", pen.textBaseline = "middle", pen.fillText(number_text(value), left - 6, y(value));
    }
    pen.strokeStyle = colour.lines[0], pen.lineWidth = 1.5;
    pen.beginPath();
    this.history.forEach(({rtf}, k) => { if (rtf === rtf) pen.lineTo(x(k), y(rtf)); });
    pen.stroke();
    pen.fillStyle = colour.lines[1];
    this.history.forEach(({late}, k) => { if (late > 0) pen.fillRect(x(k) - 1, top, 3, 8); });
  }

  add_events(events) {
    for (const event of events) if (!(event.number <= this.events.at(-1)?.number)) this.events.push(event);
    if (this.events.length > 2000) this.events.splice(0, this.events.length - 2000);
    this.show_events();
  }

  show_events() {
    const wanted = this.filter.value.toLowerCase();
    const shown = this.events.filter((event) => event.event.toLowerCase().includes(wanted)).slice(-200).reverse();
    this.list.replaceChildren(...shown.map((event) => element("li", {}, element("time", {}, `${number_text(event.time_ns / 1e9, 9)} s`), event.event)));
    if (shown.length === 0) this.list.append(element("li", {className: "note"}, "nothing yet"));
  }
}
