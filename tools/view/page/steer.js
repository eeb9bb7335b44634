// What is done to the run: inputs, overrides, faults, parameters; what is active, by whom, and how it ends.

import {button, element, heard, number_text, tell, unit_text} from "./controls.js";

/// A slider's ends where nobody has said others.
const usual_range = ({start = 0, safe = 0}) => [Math.min(0, 2 * start, 2 * safe), Math.max(0, 2 * start, 2 * safe) || 1];

export class Steer {
  /// @param layout  ranges of sliders, switches; its owner keeps it
  constructor(app) {
    Object.assign(this, {app, inputs: [], active: [], rows: new Map(), sent: new Map()});
    this.place = document.getElementById("steer");
    this.bar = document.getElementById("active");
  }

  get may() { return this.app.right === "steer"; }

  /// @param fields  path, value; what is set, overridden or injected ends with this page unless it is to stay
  act(verb, fields) {
    const leased = !this.app.layout.stays && ["set", "override", "inject"].includes(verb);
    return heard(this.app.link.ask(verb, leased ? {...fields, lease: true} : fields));
  }

  /// While a slider moves: one request at a time, the newest value last.
  async follow(path, value) {
    const waits = this.sent.has(path);
    this.sent.set(path, value);
    if (waits) return;
    for (let done; done !== this.sent.get(path);) {
      done = this.sent.get(path);
      if (!(await this.act("set", {path, value: done}))) break;
    }
    this.sent.delete(path);
  }

  async begin() {
    const faults = await heard(this.app.link.ask("faults")) ?? {faults: [], outside: []};
    this.inputs = this.app.rows.filter((row) => row.role === "plant_input");
    this.rows.clear();
    this.place.replaceChildren(this.inputs_section(), this.override_section(), this.fault_section(faults), this.tune_section(), this.run_section());
    for (const control of this.place.querySelectorAll("button,input,select")) control.disabled = !this.may;
    if (!this.may) this.place.prepend(element("p", {className: "note"}, "This page looks at the run; its token is not one for steering."));
  }

  inputs_section() {
    const rows = this.inputs.map((input) => this.input_row(input));
    const stays = element("input", {type: "checkbox", checked: this.app.layout.stays === true, onchange: () => this.app.change_layout({stays: stays.checked})});
    return element("section", {}, element("h2", {}, "Inputs"),
                   rows.length ? element("div", {className: "inputs"}, ...rows) : element("p", {className: "note"}, "This plant has no inputs."),
                   element("label", {className: "note"}, stays, " what is set, overridden or injected here stays when this page is closed"));
  }

  input_row(input) {
    const {path, unit} = input, kept = this.app.layout.inputs?.[path] ?? {};
    const [low, high] = kept.range ?? usual_range(input);
    const slider = element("input", {type: "range", min: low, max: high, step: (high - low) / 1000, "aria-label": path});
    slider.value = input.start;
    const number = element("input", {type: "number", step: "any", "aria-label": `${path}, number`});
    number.value = input.start;
    const lamp = element("input", {type: "checkbox", "aria-label": `${path}, on or off`, hidden: !kept.is_switch});
    slider.hidden = Boolean(kept.is_switch);
    const show = (value) => { slider.value = value; lamp.checked = value > 0.5; if (document.activeElement !== number) number.value = number_text(value, 6); };
    slider.oninput = () => { number.value = slider.value; this.follow(path, Number(slider.value)); };
    lamp.onchange = () => this.follow(path, lamp.checked ? 1 : 0);
    number.onchange = () => { if (number.value !== "") this.follow(path, Number(number.value)), slider.value = number.value; };
    const keep = (change) => this.app.change_layout({inputs: {...this.app.layout.inputs, [path]: {...this.app.layout.inputs?.[path], ...change}}});
    const ends = element("input", {type: "text", className: "ends", value: `${number_text(low)} \u2026 ${number_text(high)}`, title: "ends of the slider, SI", "aria-label": `${path}, ends of the slider`});
    ends.onchange = () => {
      const [from, to] = ends.value.split(/\s*(?:\u2026|\.\.\.?|;|\s)\s*/).map(Number);
      if (!(from < to)) return tell("ends of a slider: two numbers, the smaller first: 0 \u2026 100");
      Object.assign(slider, {min: from, max: to, step: (to - from) / 1000});
      keep({range: [from, to]});
    };
    const kind = button("\u21c4", () => {
      lamp.hidden = slider.hidden;
      slider.hidden = !slider.hidden;
      keep({is_switch: slider.hidden});
      lamp.hidden = !slider.hidden;
    }, {title: "slider or switch", className: "quiet"});
    const state = element("small", {className: "state"});
    const free = button("release", () => this.act("release", {path}));
    const row = element("div", {className: "input"}, element("label", {}, path), slider, lamp, number, element("span", {className: "unit"}, unit_text(unit)), ends, kind, free, state);
    this.rows.set(path, {row, show, state, free});
    return row;
  }

  override_section() {
    const path = element("input", {placeholder: "path", list: "paths", "aria-label": "path to override"});
    const value = element("input", {placeholder: "3.5 A", "aria-label": "value"});
    return this.form("Override", "What readers see; states stay what they are.", [path, value],
                     button("override", () => this.act("override", {path: path.value, value: value.value})));
  }

  fault_section({faults, outside}) {
    const choice = element("select", {"aria-label": "fault"}, element("option", {value: ""}, "of an element \u2026"),
                           ...faults.map((fault, k) => element("option", {value: k}, `${fault.path}: ${fault.value}, ${fault.text}`)));
    const of_element = button("inject", () => { if (choice.value !== "") this.act("inject", {path: faults[choice.value].path, value: faults[choice.value].value}); });
    const path = element("input", {placeholder: "path, or BUS.send.MESSAGE", list: "faulty", "aria-label": "path of a fault"});
    const value = element("input", {placeholder: "offset 2 K, stuck, noise 0.5 K, drop x5 \u2026", "aria-label": "what goes wrong"});
    const names = element("datalist", {id: "faulty"}, ...outside.map((one) => element("option", {value: one.path}, one.kinds)));
    return element("section", {}, element("h2", {}, "Faults"), faults.length ? element("div", {className: "form"}, choice, of_element) : null,
                   element("div", {className: "form"}, path, value, names, button("inject", () => this.act("inject", {path: path.value, value: value.value}))));
  }

  tune_section() {
    const parameters = this.app.rows.filter((row) => row.role === "parameter");
    const choice = element("select", {"aria-label": "parameter"}, ...parameters.map(({path, unit}) => element("option", {value: path}, `${path} [${unit_text(unit)}]`)));
    const value = element("input", {"aria-label": "value of the parameter"});
    const show = async () => {
      const read = choice.value && await heard(this.app.link.ask("read", {paths: [choice.value]}));
      if (read) value.value = `${read.values[0]} ${read.units[0]}`.trim();
    };
    choice.onchange = show;
    if (parameters.length > 0) show();
    return this.form("Parameters", "What is tuned stays as it is until it is tuned again.", parameters.length ? [choice, value] : [],
                     parameters.length ? button("tune", () => this.act("tune", {path: choice.value, value: value.value})) : null);
  }

  run_section() {
    const ask = (verb, fields) => heard(this.app.link.ask(verb, fields));
    const free = this.app.hello.paced ? [] : [button("pause", () => ask("pause")), button("step", () => ask("step", {count: 1})), button("resume", () => ask("resume"))];
    const stop = button("stop the run", () => { if (confirm("End the run in order?")) ask("stop"); }, {className: "danger", id: "stop"});
    return element("section", {}, element("h2", {}, "Run"), element("div", {className: "form"}, ...free, button("checkpoint", () => ask("checkpoint")), stop));
  }

  form(title, note, fields, does) {
    return element("section", {}, element("h2", {}, title), element("p", {className: "note"}, note), element("div", {className: "form"}, ...fields, does));
  }

  async release_all() {
    if (await heard(this.app.link.ask("release_all"))) tell("all is released", "good");
  }

  /// What is active, in plain sight on every tab.
  show_active({active, whole}) {
    this.active = active;
    const ends = active.filter(({verb}) => verb !== "tune");
    const chips = active.map((one) => {
      const end = () => this.act(one.verb === "inject" ? "clear" : "release", one.element ? {path: one.path, value: one.value} : {path: one.path});
      const text = `${one.verb} ${one.path} ${one.value}`;
      return element("li", {className: one.verb, title: `by ${one.author} at ${one.time_ns / 1e9} s`}, text, element("small", {}, ` ${one.author}`),
                     this.may && one.verb !== "tune" ? button("\u2715", end, {className: "quiet", title: "end it"}) : null);
    });
    this.bar.hidden = active.length === 0;
    this.bar.replaceChildren(element("b", {}, `${ends.length} active`), element("ul", {}, ...chips), whole ? "" : element("small", {}, "(what was begun earlier is not shown)"),
                             this.may && ends.length > 0 ? button("release all", () => this.release_all(), {className: "danger", id: "release_all"}) : "");
    for (const [path, {row, state, free}] of this.rows) {
      const set = active.find((one) => one.verb === "set" && one.path === path);
      row.classList.toggle("is_set", Boolean(set));
      state.textContent = set ? `set by ${set.author}` : "follows what comes from outside";
      free.disabled = !set || !this.may;
    }
  }

  /// Of a reading of all inputs.
  show_inputs(paths, values) {
    paths.forEach((path, k) => { if (!this.sent.has(path) && values[k] !== null) this.rows.get(path)?.show(values[k]); });
  }
}
