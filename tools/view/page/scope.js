// Values of one subsystem at every one of its micro-steps, as an oscilloscope shows them.

import {button, element, number_text} from "./controls.js";
import {Plot, View} from "./plot.js";
import {Store} from "./store.js";

/// "5 ms" -> 5000000; NaN: it is no time
export function ns_of(text) {
  const found = /^\s*([\d.]+(?:e[-+]?\d+)?)\s*(ns|us|\u00b5s|ms|s)\s*$/i.exec(text);
  return found ? Math.round(Number(found[1]) * {ns: 1, us: 1e3, "\u00b5s": 1e3, ms: 1e6, s: 1e9}[found[2].toLowerCase()]) : NaN;
}

export class Scope {
  /// @param link  () -> the connection to the run
  constructor(units, link) {
    Object.assign(this, {link, paths: [], number: null, captured: []});
    this.view = new View(new Store(1 << 18));
    this.plot = new Plot(this.view, units);
    const field = (label, value, width) => element("label", {className: "note"}, label + " ", element("input", {value, size: width, "aria-label": label}));
    [this.pre, this.post, this.trigger] = [field("before", "1 ms", 6), field("after", "5 ms", 6), field("where this begins to hold", "", 24)];
    this.trigger.lastChild.placeholder = "now, or electric.link.v > 300 V";
    this.state = element("span", {className: "note"});
    this.canvas = this.plot.canvas;
    this.readout = element("div", {}, element("div", {className: "form"}, this.pre, this.post, this.trigger, button("capture", () => this.capture()), button("give up", () => this.give_up()), this.state), this.plot.readout);
  }

  async capture() {
    const [pre_ns, post_ns] = [this.pre, this.post].map((one) => ns_of(one.lastChild.value)), trigger = this.trigger.lastChild.value.trim();
    if (!(post_ns > 0) || !(pre_ns >= 0)) return void (this.state.textContent = "times as 5 ms, 20 us");
    await this.give_up();
    const request = trigger ? {paths: this.paths, pre_ns, post_ns, trigger} : {paths: this.paths, post_ns};
    const begun = await this.link().ask("scope", request).catch((problem) => { this.state.textContent = problem.message; return null; });
    if (!begun) return;
    this.number = begun.scope;
    this.captured = begun.paths;
    this.view.store = this.plot.store = new Store(1 << 18);
    this.view.store.keep(begun.paths);
    this.state.textContent = `${begun.subsystem}, micro-steps of ${number_text(begun.micro_step_ns / 1e3)} us: waits`;
  }

  async give_up() {
    if (this.number === null) return;
    this.number = null;
    this.state.textContent = "";
    await this.link().ask("unscope").catch(() => {});
  }

  /// @param values  null: a line that says what comes, else rows of time in s and the values
  scoped(found, values) {
    if (found.scope !== this.number) return;
    if (values) {
      const rows = Float64Array.from(values, (value, k) => (k % found.columns === 0 ? value * 1e9 : value));
      this.view.store.push(this.captured, found.rows, found.columns, rows);
      this.view.show(this.view.store.oldest, this.view.store.newest);
      return;
    }
    if (!found.done) return;
    this.state.textContent = `${found.rows} rows${found.complete ? "" : ", not all"}; ${found.lost} macro-steps lost, ${number_text(found.deviation, 3)} from the plant`;
    if (Number.isFinite(found.triggered_ns)) this.view.a = found.triggered_ns / 1e9;
  }

  draw() {
    this.plot.paths = this.captured.length ? this.captured : this.paths;
    this.plot.draw();
  }
}
