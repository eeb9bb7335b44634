// The page: which run, what is shown of it, and what has become of it.

import {button, duration_text, element, heard, number_text, tell, unit_text} from "./controls.js";
import {keep_layout, kept_layout, read_layout, save_layout} from "./layout.js";
import {Link} from "./link.js";
import {Network} from "./network.js";
import {Panel} from "./panels.js";
import {View} from "./plot.js";
import {Status} from "./status.js";
import {Steer} from "./steer.js";
import {Store} from "./store.js";

const at = (id) => document.getElementById(id);
const roles = ["signal", "output", "state", "plant_input", "input", "parameter", "structural"];
const steps_ns = [1e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 1e9];

class App {
  constructor() {
    Object.assign(this, {runs: [], run: null, link: null, hello: {cpus: []}, rows: [], units: new Map(), panels: [], chosen: null, layout: {panels: []}, watched: null, right: "look"});
    this.store = new Store();
    this.view = new View(this.store);
    this.view.changed = () => this.show_time();
    this.status = new Status();
    this.steer = new Steer(this);
    this.network = new Network(this);
    this.listen();
    this.look();
    setInterval(() => this.look(), 2000);
    setInterval(() => this.ask_status(), 500);
    const draw = () => { this.draw(); requestAnimationFrame(draw); };
    requestAnimationFrame(draw);
  }

  listen() {
    at("run").onchange = () => this.open(at("run").value);
    window.onhashchange = () => { const run = decodeURIComponent(location.hash.slice(1)); if (run && run !== this.run) this.open(run); };
    at("filter").oninput = () => this.list();
    at("freeze").onclick = () => (this.view.is_live ? this.view.freeze() : this.view.live());
    at("span").onchange = () => { this.view.span = Number(at("span").value); this.change_layout({span: this.view.span}); };
    at("every").onchange = () => { this.change_layout({every_ns: Number(at("every").value)}); this.watch(); };
    at("add").onclick = () => { this.add_panel({kind: "plot", paths: []}); };
    at("cursor").onclick = () => { this.view.active = this.view.active === "a" ? "b" : "a"; this.show_time(); };
    at("save").onclick = () => save_layout(this.hello.plant, this.layout);
    at("load").onchange = async () => {
      const layout = at("load").files[0] && await read_layout(at("load").files[0]);
      if (layout) this.take_layout(layout);
    };
    for (const tab of document.querySelectorAll("nav [data-tab]")) tab.onclick = () => this.show_tab(tab.dataset.tab);
    at("signals_open").onclick = () => document.body.classList.toggle("with_signals");
  }

  show_tab(name) {
    for (const tab of document.querySelectorAll("nav [data-tab]")) tab.setAttribute("aria-pressed", tab.dataset.tab === name);
    for (const place of document.querySelectorAll("main > [data-place]")) place.hidden = place.dataset.place !== name;
    if (name === "network") this.network.open();
  }

  /// Which runs there are. The first that is under way is opened where none was chosen.
  async look() {
    let answer;
    try {
      answer = await (await fetch("/api/runs")).json();
    } catch {
      return this.say("bad", "takt view has ended, or cannot be reached: it is asked again and again.");
    }
    this.right = answer.right;
    const same = JSON.stringify(answer.runs) === JSON.stringify(this.runs);
    this.runs = answer.runs;
    if (!same) {
      at("run").replaceChildren(...this.runs.map((one) => element("option", {value: one.run, title: one.run, selected: one.run === this.run}, one.name + (one.open ? "" : " (ended)"))));
      this.offer_report();
    }
    const wanted = this.runs.find((one) => one.run === decodeURIComponent(location.hash.slice(1)) && one.open);
    if (!this.link && !this.run && (wanted || this.runs.some((one) => one.open))) this.open((wanted ?? this.runs.find((one) => one.open)).run);
    if (this.runs.length === 0) this.say("", "No run is under way on this machine. One that begins is shown here.");
    if (this.lost && this.runs.some((one) => one.run === this.run && one.open)) this.open(this.run);  // its tap was started again
  }

  open(run) {
    this.link?.close();
    if (run !== this.run) this.store = this.view.store = new Store();
    Object.assign(this, {run, lost: false, watched: null, outcome: null});
    location.hash = encodeURIComponent(run);
    at("run").value = run;
    this.say("", "connecting \u2026");
    this.offer_report();
    this.network.open();
    if (!this.runs.some((one) => one.run === run)) this.look();
    this.link = new Link(run, {
      hello: (hello) => this.greet(hello),
      events: ({events}) => this.status.add_events(events),
      event: (event) => this.status.add_events([event]),
      active: (active) => this.steer.show_active(active),
      dropped: ({dropped}) => { at("dropped").textContent = `${dropped} rows dropped: this browser reads too slowly`; },
      rows: (...block) => this.take_rows(...block),
      scope: (...found) => { for (const panel of this.panels) panel.shown.scoped?.(...found); },
      problem: (text) => tell(text),
      ended: (end) => this.end(end),
      lost: (why) => this.lose(why),
    });
  }

  async greet(hello) {
    Object.assign(this, {hello, right: hello.right});
    document.title = `${hello.plant} \u00b7 Takt`;
    at("plant").textContent = hello.plant;
    this.status.begin();
    this.rows = [];
    for (let from = 0; from !== undefined;) {
      const part = await heard(this.link.ask("list", {from}));
      if (!part) return;
      this.rows.push(...part.rows);
      from = part.next;
    }
    this.units = new Map(this.rows.map(({path, unit}) => [path, unit]));
    at("paths").replaceChildren(...this.rows.filter(({role}) => role !== "parameter" && role !== "structural").map(({path}) => element("option", {value: path})));
    this.list();
    this.take_layout(kept_layout(hello.plant) ?? await this.first_layout());
    await this.steer.begin();
    this.steer.show_active({active: this.steer.active, whole: true});
    this.say("good", `running${hello.paced ? " in real time" : ""}`);
  }

  /// What the plant records, some of it.
  async first_layout() {
    const {records} = await heard(this.link.ask("records")) ?? {records: []};
    const paths = [...new Set(records.flatMap((record) => record.paths))];
    const by_unit = Map.groupBy?.(paths, (path) => this.units.get(path)) ?? new Map([["", paths]]);
    const groups = [...by_unit.values()].sort((one, other) => other.length - one.length).slice(0, 3);
    const panels = groups.map((group) => ({kind: "plot", paths: group.slice(0, 4)}));
    if (paths.length > 0) panels.push({kind: "numbers", paths: paths.slice(0, 6)});
    return {panels: panels.length ? panels : [{kind: "plot", paths: []}]};
  }

  take_layout(layout) {
    this.layout = {...layout, panels: []};
    this.view.span = layout.span ?? 10;
    at("span").value = String(this.view.span);
    const usual = Math.max(this.hello.macro_step_ns, 1e6), wanted = this.layout.every_ns ?? usual;
    const choices = [...new Set([this.hello.macro_step_ns, ...steps_ns.filter((one) => one > this.hello.macro_step_ns), wanted])].sort((one, other) => one - other);
    at("every").replaceChildren(...choices.map((ns) => element("option", {value: ns, selected: ns === wanted}, duration_text(ns))));
    this.every_ns = wanted;
    this.panels = [];
    at("panels").replaceChildren();
    for (const panel of layout.panels) this.add_panel({kind: panel.kind, paths: panel.paths.filter((path) => this.units.has(path))}, false);
    this.panels_changed();
  }

  add_panel(json, is_last = true) {
    let panel = null;  // it tells of changes while it is made
    panel = new Panel(json, this.view, this.units, {
      changed: () => { if (this.panels.includes(panel)) this.panels_changed(); },
      removed: () => { this.panels = this.panels.filter((one) => one !== panel); panel.box.remove(); this.panels_changed(); },
      chosen: () => this.choose(panel),
      link: () => this.link,
    });
    this.panels.push(panel);
    at("panels").append(panel.box);
    this.choose(panel);
    if (is_last) this.panels_changed();
  }

  choose(panel) {
    this.chosen = panel;
    for (const one of this.panels) one.box.classList.toggle("chosen", one === panel);
  }

  panels_changed() {
    this.change_layout({panels: this.panels.map((panel) => panel.json())});
    this.watch();
  }

  change_layout(change) {
    Object.assign(this.layout, change);
    if (this.hello.plant) keep_layout(this.hello.plant, this.layout);
  }

  /// One watch for all that is shown; one that takes over from another before that ends, so that nothing is missed.
  async watch() {
    const paths = [...new Set(this.panels.flatMap((panel) => panel.paths))].sort();
    const every_ns = Number(at("every").value) || this.every_ns, key = JSON.stringify([paths, every_ns]);
    if (!this.link?.is_open || key === this.wanted && this.watched) return;
    this.wanted = key;
    if (this.is_watching) return;
    this.is_watching = true;
    for (let done; done !== this.wanted;) {
      done = this.wanted;
      const [now, every] = JSON.parse(done), before = this.watched;
      this.store.keep(now);
      const begun = now.length ? await heard(this.link.ask("watch", {paths: now, every_ns: every})) : null;
      this.watched = begun ? {number: begun.watch, paths: begun.paths} : null;
      if (before) await this.link.ask("unwatch", {watch: before.number}).catch(() => {});
    }
    this.is_watching = false;
  }

  take_rows(number, rows, width, values) {
    if (number === this.watched?.number) this.store.push(this.watched.paths, rows, width, values);
  }

  async ask_status() {
    if (!this.link?.is_open || this.outcome || this.asked > performance.now() - 5000) return;
    this.asked = performance.now();
    const answer = await this.link.ask("status").catch(() => null);
    this.asked = undefined;
    if (!answer || this.outcome) return;
    this.status.take(answer, this.hello);
    if (["running", "paused", "starting"].includes(answer.phase)) this.say(answer.phase === "paused" ? "warning" : "good", answer.phase + (this.hello.paced ? " in real time" : ""));
    this.network.show();
    const paths = this.steer.inputs.map(({path}) => path);
    if (paths.length === 0 || at("steer").hidden) return;
    const read = await this.link.ask("read", {paths}).catch(() => null);
    if (read) this.steer.show_inputs(read.paths, read.values);
  }

  end({phase, time_ns}) {
    this.outcome = phase;
    if (phase === "ended") this.say("", `The run has ended in order at ${number_text(time_ns / 1e9, 7)} s.`);
    else this.say("bad", `The plant's process was killed at ${number_text(time_ns / 1e9, 7)} s.`);
    this.view.freeze();
    this.offer_report();
  }

  lose(why) {
    this.link.is_open = false;
    if (this.outcome) return;
    this.lost = true;
    this.say("bad", `The connection to the run was lost${why ? ": " + why : ""}.`);
    this.view.freeze();
  }

  say(kind, text) {
    const place = at("phase");
    if (place.dataset.text === text) return;
    place.dataset.text = text;
    place.className = kind;
    place.textContent = text;
  }

  offer_report() {
    const run = this.runs.find((one) => one.run === this.run);
    at("report").hidden = !(run?.report && !run.open);
    if (run) at("report").href = "/report?run=" + encodeURIComponent(run.run);
  }

  /// All names, those with the words of the filter; + and dragging put one into a panel.
  list() {
    const words = at("filter").value.toLowerCase().split(/\s+/);
    const found = this.rows.filter(({path}) => words.every((word) => path.toLowerCase().includes(word))).sort((one, other) => roles.indexOf(one.role) - roles.indexOf(other.role));
    at("signals").replaceChildren(...found.slice(0, 500).map((row) => this.signal_row(row)));
    at("found").textContent = found.length > 500 ? `${found.length} found, 500 shown` : `${found.length} values`;
  }

  signal_row({path, unit, role}) {
    const add = () => { if (!this.chosen) this.add_panel({kind: "plot", paths: []}); this.chosen.add(path); };
    const row = element("li", {draggable: true, title: role.replace("_", " ")}, button("+", add, {className: "quiet", "aria-label": "add " + path}), element("span", {}, path), element("small", {}, unit_text(unit)));
    row.ondragstart = (event) => event.dataTransfer.setData("text/takt-path", path);
    row.ondblclick = add;
    return row;
  }

  show_time() {
    at("freeze").textContent = this.view.is_live ? "freeze" : "live";
    at("freeze").classList.toggle("frozen", !this.view.is_live);
    at("cursor").textContent = `cursor ${this.view.active.toUpperCase()}`;
  }

  draw() {
    if (!at("panels").parentElement.hidden) for (const panel of this.panels) panel.draw();
    this.status.draw();
    const newest = this.store.newest;
    at("clock").textContent = Number.isFinite(newest) ? `${newest.toFixed(3)} s` : "";
    at("kept").textContent = this.store.count > 0 ? `${number_text(newest - this.store.oldest, 4)} s kept` : "";
  }
}

window.takt = new App();
