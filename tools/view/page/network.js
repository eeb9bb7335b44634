// The network of the plant, with values of now: the picture that `takt run` has left in the run's directory (tools/picture).

import {element, number_text} from "./controls.js";

const most_paths = 400;  // of one request

export class Network {
  constructor(app) {
    Object.assign(this, {app, place: document.getElementById("network_place"), run: null, picture: null});
  }

  /// Once for each run, when somebody looks.
  async open() {
    const {run} = this.app;
    if (this.place.hidden || !run || run === this.run) return;
    Object.assign(this, {run, picture: null});
    this.place.replaceChildren(element("p", {className: "note"}, "loading \u2026"));
    const answer = await fetch("/network?run=" + encodeURIComponent(run)).catch(() => null);
    if (!answer?.ok) {
      this.run = null;
      return this.place.replaceChildren(element("p", {className: "note"}, "This run has no picture of its network: one that takt run begins has."));
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html"), root = page.querySelector(".picture");
    if (run !== this.app.run) return;
    root.className = "picture tab";
    this.place.replaceChildren(...page.querySelectorAll("head > style"), root);
    this.picture = new NetworkPicture(root, JSON.parse(root.querySelector("script#network").textContent));
    this.show();
  }

  /// Asks for what the picture shows, now.
  async show() {
    const {link, units} = this.app;
    if (this.place.hidden || !this.picture || !link?.is_open || this.is_asking) return;
    const paths = this.picture.paths().filter((path) => units.has(path)), values = new Map();
    this.is_asking = true;
    let time_ns = 0;
    for (let from = 0; from < paths.length; from += most_paths) {
      const read = await link.ask("read", {paths: paths.slice(from, from + most_paths)}).catch(() => null);
      if (!read) break;
      time_ns = read.time_ns;
      read.paths.forEach((path, k) => { if (read.values[k] !== null) values.set(path, read.values[k]); });
    }
    this.is_asking = false;
    if (values.size > 0) this.picture.show_values(values, number_text(time_ns / 1e9, 6) + " s");
  }
}
