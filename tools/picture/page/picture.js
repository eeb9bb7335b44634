// The network of a plant: parts unfold in place, a box tells what it is, values of a run colour wires and stand in boxes.

class NetworkPicture {
  /// root: the element of class "picture". data: what picture_element() has written.
  constructor(root, data) {
    Object.assign(this, {root, data, svg: root.querySelector("svg.network"), aside: root.querySelector("aside"), open: new Set(), values: null, chosen: null});
    this.frames = [];
    for (const group of this.svg.querySelectorAll(".frame")) this.frames[group.dataset.diagram] = this.read_frame(group);
    this.by_path = new Map();
    data.diagrams.forEach((diagram, d) => diagram.boxes.forEach((box, b) => {
      if (!this.by_path.has(box.path) || box.look === "element") this.by_path.set(box.path, [d, b]);
    }));
    this.listen();
    this.arrange();
    this.fit();
    this.choose(null);
  }

  read_frame(group) {
    const diagram = this.data.diagrams[group.dataset.diagram];
    const boxes = [...group.querySelectorAll(":scope > .box")], nets = [...group.querySelectorAll(":scope > .net")];
    boxes.forEach((box, b) => {
      const {path, type} = diagram.boxes[b];
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "button");
      box.setAttribute("aria-label", path + (type ? ", " + type : ""));
    });
    const names = boxes.map((box) => { const name = box.querySelector(".n"); return [name.getAttribute("x"), name.getAttribute("y")]; });
    return {group, diagram, boxes, nets, names, edge: group.querySelector(":scope > .edge")};
  }

  // --- places

  /// Widths and heights that open parts need more, by column and row: all beyond moves by that, nothing changes its order.
  growth(d) {
    const {rects, boxes} = this.data.diagrams[d], wide = new Map(), high = new Map();
    boxes.forEach(({inside}, b) => {
      if (inside === undefined || !this.open.has(inside)) return;
      const [x, y, width, height] = rects[b], [need_x, need_y] = this.size(inside);
      wide.set(x, Math.max(wide.get(x) ?? 0, need_x + 8 - width));
      high.set(y, Math.max(high.get(y) ?? 0, need_y + 22 - height));
    });
    const moved = (grown, extent) => (at) => at + [...grown].reduce((sum, [from, more]) => sum + (from + extent <= at + 0.01 ? more : 0), 0);
    return {wide, high, x: moved(wide, rects[0]?.[2] ?? 0), y: moved(high, rects[0]?.[3] ?? 0)};
  }

  size(d) {
    const [, , width, height] = this.data.diagrams[d].place, grown = this.growth(d);
    return [grown.x(width), grown.y(height)];
  }

  arrange() {
    const outer = this.data.diagrams.map((diagram, d) => d).filter((d) => this.data.diagrams[d].within === undefined);
    const shift = (axis) => {  // frames keep their order, and their distance where nothing between has grown
      const by = new Map();
      for (const d of [...outer].sort((one, other) => this.data.diagrams[one].place[axis] - this.data.diagrams[other].place[axis])) {
        const at = this.data.diagrams[d].place[axis];
        let most = 0;
        for (const [before, moved] of by) {
          const place = this.data.diagrams[before].place;
          if (place[axis] + place[axis + 2] <= at) most = Math.max(most, moved + this.size(before)[axis] - place[axis + 2]);
        }
        by.set(d, most);
      }
      return by;
    };
    const right = shift(0), down = shift(1);
    this.extent = [0, 0];
    for (const frame of this.frames) if (frame) frame.group.toggleAttribute("hidden", frame.diagram.within !== undefined);
    for (const d of outer) {
      const [x, y] = this.data.diagrams[d].place, size = this.size(d);
      this.draw_frame(d, x + right.get(d), y + down.get(d));
      this.extent = [Math.max(this.extent[0], x + right.get(d) + size[0]), Math.max(this.extent[1], y + down.get(d) + size[1])];
    }
  }

  draw_frame(d, x, y) {
    const {group, diagram, boxes, nets, edge, names} = this.frames[d], grown = this.growth(d), size = this.size(d);
    group.removeAttribute("hidden");
    group.setAttribute("transform", `translate(${x},${y})`);
    edge.setAttribute("width", size[0]);
    edge.setAttribute("height", size[1]);
    boxes.forEach((box, b) => {
      const [left, top, width, height] = diagram.rects[b], {inside} = diagram.boxes[b], is_open = inside !== undefined && this.open.has(inside);
      box.setAttribute("transform", `translate(${grown.x(left)},${grown.y(top)})`);
      box.classList.toggle("open", is_open);
      const rect = box.querySelector("rect");
      rect.setAttribute("width", width + (is_open ? grown.wide.get(left) : 0));
      rect.setAttribute("height", height + (is_open ? grown.high.get(top) : 0));
      const name = box.querySelector(".n");
      name.setAttribute("x", is_open ? 6 : names[b][0]);
      if (!box.classList.contains("live")) name.setAttribute("y", is_open ? 12 : names[b][1]);
      if (inside !== undefined) box.setAttribute("aria-expanded", is_open);
      if (is_open) this.draw_frame(inside, x + grown.x(left) + 4, y + grown.y(top) + 18);
    });
    const open_right = (pin, b) => pin + (diagram.boxes[b].inside !== undefined && this.open.has(diagram.boxes[b].inside) ? grown.wide.get(diagram.rects[b][0]) : 0);
    diagram.wires.forEach(({lines, dots, tips}, w) => {
      const net = nets[w];
      let path = "";
      for (const [from_x, from_y, to_x, to_y, b] of lines) {
        path += `M${grown.x(from_x)} ${grown.y(from_y)}`;
        if (b === undefined) { path += `V${grown.y(to_y)}`; continue; }
        const left = diagram.rects[b][0], shifted = grown.x(left);  // a pin on the right side goes with the box
        path += `H${to_x > left + 1 ? open_right(shifted + diagram.rects[b][2], b) : shifted}`;
      }
      net.querySelector("path").setAttribute("d", path);
      net.querySelectorAll("circle").forEach((circle, k) => { circle.setAttribute("cx", grown.x(dots[k][0])); circle.setAttribute("cy", grown.y(dots[k][1])); });
      net.querySelectorAll(".tip").forEach((tip, k) => {
        const [at_x, at_y, b] = tips[k], left = diagram.rects[b][0], shifted = grown.x(left), on_right = at_x > left + 1;
        tip.setAttribute("d", `M${on_right ? open_right(shifted + diagram.rects[b][2], b) : shifted} ${grown.y(at_y)}l${on_right ? 5 : -5} 3v-6Z`);
      });
      const name = net.querySelector("text");
      if (name) { name.dataset.at ??= `${name.getAttribute("x")} ${name.getAttribute("y")}`; const [at_x, at_y] = name.dataset.at.split(" ").map(Number); name.setAttribute("x", grown.x(at_x)); name.setAttribute("y", grown.y(at_y)); }
    });
  }

  fold(d, wanted) {
    if (wanted) this.open.add(d); else this.open.delete(d);
    this.arrange();
  }

  fold_all(wanted) {
    this.open = new Set(wanted ? this.data.diagrams.flatMap((diagram, d) => diagram.within === undefined ? [] : [d]) : []);
    this.arrange();
    this.fit();
  }

  // --- what is in sight

  fit() { this.show(-8, -8, this.extent[0] + 16, this.extent[1] + 16); }

  show(x, y, width, height) {
    this.view = [x, y, width, height];
    this.svg.setAttribute("viewBox", this.view.join(" "));
  }

  zoom(factor, at) {
    const [x, y, width, height] = this.view, point = at ?? [x + width / 2, y + height / 2];
    if (width * factor < 40 || width * factor > 40 * this.extent[0]) return;
    this.show(point[0] - (point[0] - x) * factor, point[1] - (point[1] - y) * factor, width * factor, height * factor);
  }

  point_of(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  listen() {
    const {root, svg} = this;
    for (const button of root.querySelectorAll("[data-do]"))
      button.onclick = () => ({fit: () => this.fit(), nearer: () => this.zoom(0.7), farther: () => this.zoom(1 / 0.7), unfold: () => this.fold_all(true), fold: () => this.fold_all(false)})[button.dataset.do]();
    const search = root.querySelector("input[type=search]");
    search.oninput = () => this.find(search.value);
    search.onkeydown = (event) => { if (event.key === "Enter") this.next_found(); };
    const catches = (event) => event.ctrlKey || !root.classList.contains("within") || root.contains(document.activeElement);  // a page is to be scrolled past
    svg.addEventListener("wheel", (event) => { if (!catches(event)) return; event.preventDefault(); this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.point_of(event)); }, {passive: false});
    let drag = null;
    svg.onpointerdown = (event) => { drag = {at: this.point_of(event), moved: false, x: event.clientX, y: event.clientY}; };
    svg.onpointermove = (event) => {
      if (!drag || !event.buttons) return;
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4) drag.moved = true;
      if (!drag.moved) return;
      const [x, y] = this.point_of(event);
      this.show(this.view[0] + drag.at[0] - x, this.view[1] + drag.at[1] - y, this.view[2], this.view[3]);
    };
    svg.onclick = (event) => {
      const was_dragged = drag?.moved;
      drag = null;
      if (was_dragged) return;
      const box = event.target.closest(".box"), net = event.target.closest(".net");
      if (box) this.press(box); else if (net) this.choose_net(net); else this.choose(null);
    };
    svg.onkeydown = (event) => {
      const box = event.target.closest(".box");
      if (box && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); this.press(box); }
      else if (event.key === "+" || event.key === "-") this.zoom(event.key === "+" ? 0.7 : 1 / 0.7);
      else if (event.key === "0") this.fit();
      else if (event.key === "Escape") this.choose(null);
    };
  }

  // --- what is chosen

  place_of(element) { return [Number(element.closest(".frame").dataset.diagram), Number(element.dataset.box ?? element.dataset.net)]; }

  press(element) {
    const [d, b] = this.place_of(element), {inside} = this.data.diagrams[d].boxes[b];
    if (inside !== undefined) this.fold(inside, !this.open.has(inside));
    this.choose([d, b]);
  }

  /// A path: of a box, of something that belongs to one, of a node.
  go_to(path) {
    for (let at = path; at.includes("."); at = at.slice(0, at.lastIndexOf("."))) {
      const found = this.by_path.get(at);
      if (!found) continue;
      for (let d = found[0]; this.data.diagrams[d].within !== undefined; d = this.data.diagrams[d].within) this.open.add(d);
      this.arrange();
      this.choose(found);
      return this.bring_near(found);
    }
    this.data.diagrams.some((diagram, d) => diagram.nets.some((net, n) => net.path === path && this.choose_net(this.frames[d].group.querySelector(`:scope > .net[data-net="${n}"]`))));
  }

  bring_near([d, b]) {
    const box = this.frames[d].boxes[b], at = box.getBoundingClientRect(), sheet = this.svg.getBoundingClientRect();
    if (at.left > sheet.left && at.right < sheet.right && at.top > sheet.top && at.bottom < sheet.bottom) return;
    const matrix = this.svg.getScreenCTM().inverse(), middle = new DOMPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2).matrixTransform(matrix);
    this.show(middle.x - this.view[2] / 2, middle.y - this.view[3] / 2, this.view[2], this.view[3]);
  }

  mark(kind, places) {
    for (const element of this.svg.querySelectorAll("." + kind)) element.classList.remove(kind);
    for (const [d, b] of places) this.frames[d].boxes[b].classList.add(kind);
  }

  choose(place) {
    this.chosen = place;
    this.mark("chosen", place ? [place] : []);
    this.mark("tied", place ? this.tied_to(place) : []);
    this.aside.hidden = !place;
    if (place) this.tell();
  }

  /// Boxes elsewhere that belong to it: what it names, and what names it.
  tied_to([d, b]) {
    const {path, ties} = this.data.diagrams[d].boxes[b], found = ties.map((tie) => this.box_of(tie)).filter(Boolean);
    this.data.diagrams.forEach((diagram, e) => diagram.boxes.forEach((box, k) => {
      if ((e !== d || k !== b) && (box.path === path || box.ties.some((tie) => tie === path || tie.startsWith(path + ".")))) found.push([e, k]);
    }));
    return found;
  }

  box_of(path) {
    for (let at = path; at; at = at.includes(".") ? at.slice(0, at.lastIndexOf(".")) : "") if (this.by_path.has(at)) return this.by_path.get(at);
    return null;
  }

  choose_net(net) {
    const [d, n] = this.place_of(net), {path, signal, unit, boxes} = this.data.diagrams[d].nets[n];
    this.choose(null);
    for (const wire of this.frames[d].group.querySelectorAll(`:scope > .net[data-net="${n}"]`)) wire.classList.add("chosen");
    this.mark("tied", boxes.map((b) => [d, b]));
    this.aside.hidden = false;
    this.aside.replaceChildren(this.made("h2", path), this.made("p", "joins " + boxes.length), this.table([[signal, this.value_text(signal, unit)]]));
    return true;
  }

  made(tag, text, more = {}) { return Object.assign(document.createElement(tag), {textContent: text}, more); }

  table(rows, why = false) {
    const table = document.createElement("table");
    for (const row of rows) {
      const line = table.insertRow();
      row.forEach((text, k) => { const cell = line.insertCell(); cell.textContent = text; if (k > 0 && why) cell.className = "why"; });
    }
    return table;
  }

  tell() {
    const [d, b] = this.chosen, box = this.data.diagrams[d].boxes[b], facts = this.data.facts[box.path] ?? {};
    const told = [this.made("h2", box.path)];
    if (box.type) told.push(this.made("p", box.type));
    if (box.inside !== undefined) told.push(this.made("p", `${box.holds} elements inside; a click folds and unfolds it.`));
    if (box.at) told.push(this.made("p", box.at));
    if (box.line) told.push(this.made("code", box.line));
    const section = (head, ...body) => told.push(this.made("h3", head), ...body);
    if (facts.parameters?.length) section("Parameters", this.table(facts.parameters));
    if (facts.signals?.length) section(this.values ? "Signals, now" : "Signals", this.table(facts.signals.map(([path, unit]) => [path, this.values ? this.value_text(path, unit) : this.unit_text(unit)])));
    if (box.ties.length) section("Elsewhere", ...box.ties.map((tie) => { const line = this.made("div", ""); line.append(this.made("button", tie, {className: "link", type: "button", onclick: () => this.go_to(tie)})); return line; }));
    if (facts.faults?.length) section("Faults", this.table(facts.faults, true));
    this.aside.replaceChildren(...told);
  }

  // --- search

  find(words) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = wanted.length === 0 ? [] : this.data.diagrams.flatMap((diagram, d) => diagram.boxes.flatMap((box, b) => {
      const text = `${box.path} ${box.type} ${box.value}`.toLowerCase();
      return box.look !== "port" && wanted.every((word) => text.includes(word)) ? [[d, b]] : [];
    }));
    this.at = -1;
    this.mark("matching", this.found);
    this.root.querySelector(".found").textContent = wanted.length ? `${this.found.length} found` : "";
  }

  next_found() {
    if (!this.found?.length) return;
    this.at = (this.at + 1) % this.found.length;
    const [d, b] = this.found[this.at];
    this.go_to(this.data.diagrams[d].boxes[b].path);
    this.root.querySelector(".found").textContent = `${this.at + 1} of ${this.found.length}`;
  }

  // --- values of a run

  unit_text(unit) { return unit === "1" || !unit ? "" : unit.replace(" (difference)", "").replaceAll("*", "\u00b7").replaceAll("Ohm", "\u03a9").replaceAll("^2", "\u00b2").replaceAll("^3", "\u00b3"); }

  /// What would be shown, were it known.
  paths() {
    const [d, b] = this.chosen ?? [], chosen = this.chosen ? this.data.facts[this.data.diagrams[d].boxes[b].path]?.signals ?? [] : [];
    const shown = this.data.diagrams.flatMap((diagram) => [...diagram.boxes.flatMap((box) => box.shown.map(([path]) => path)), ...diagram.nets.map(({signal}) => signal)]);
    return [...new Set([...shown, ...chosen.map(([path]) => path)])];
  }

  number_of(path) {
    const known = this.values?.get(path);
    return Array.isArray(known) ? known[0] : known;
  }

  value_text(path, unit) {
    const value = this.values?.get(path);
    if (value === undefined) return this.unit_text(unit);
    if (Array.isArray(value)) return `${Number(value[0].toPrecision(4))} ${value[1]}`;
    if (unit === "K") return `${(value - 273.15).toFixed(1)} \u00b0C`;
    const size = Math.abs(value), scales = [[1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "\u00b5"], [1e-9, "n"]];
    const takes_prefix = ["V", "A", "W", "J", "Pa", "N", "N*m", "F", "H", "Wb", "C"].includes(unit) && size > 1e-10;
    const [scale, prefix] = takes_prefix ? scales.find(([one]) => size >= one * (one > 1 ? 10 : one === 1 ? 0.05 : 0.5)) ?? [1e-9, "n"] : [1, ""];
    return `${Number((value / scale).toPrecision(4))} ${prefix}${this.unit_text(unit)}`;
  }

  /// values: a Map of paths to numbers, SI, or to [number, unit]; null: none. Wires are coloured by the range of each unit in a diagram, edges of boxes are as
  /// wide as what flows.
  show_values(values, when = "") {
    this.values = values;
    this.root.querySelector(".scale").hidden = !values;
    this.root.querySelector(".when").textContent = when && `at ${when}`;
    this.data.diagrams.forEach((diagram, d) => {
      const ranges = {}, largest = {};
      for (const {signal, unit} of diagram.nets) {
        const value = this.number_of(signal), [low, high] = ranges[unit] ?? [Infinity, -Infinity];
        if (Number.isFinite(value)) ranges[unit] = [Math.min(low, value), Math.max(high, value)];
      }
      for (const {shown: [first]} of diagram.boxes) if (first) largest[first[1]] = Math.max(largest[first[1]] ?? 0, Math.abs(this.number_of(first[0]) ?? 0));
      this.frames[d].nets.forEach((net) => {
        const {signal, unit} = diagram.nets[net.dataset.net], value = this.number_of(signal), [low, high] = ranges[unit] ?? [0, 0];
        net.querySelector("path").style.stroke = Number.isFinite(value) && high - low > 1e-4 * Math.max(Math.abs(high), Math.abs(low)) ? this.colour((value - low) / (high - low)) : "";
      });
      this.frames[d].boxes.forEach((element, b) => this.show_box(element, diagram.boxes[b], largest));
    });
    if (this.chosen && !this.aside.contains(document.activeElement)) this.tell();
  }

  show_box(element, box, largest) {
    const known = box.shown.filter(([path]) => Number.isFinite(this.number_of(path)));
    for (const old of element.querySelectorAll(".now")) old.remove();
    element.classList.toggle("live", known.length > 0);
    const rect = element.querySelector("rect"), share = known.length && known[0][1] !== "K" && largest[known[0][1]] > 1e-9 ? Math.abs(this.number_of(known[0][0])) / largest[known[0][1]] : 0;
    rect.style.strokeWidth = share > 0.02 ? String(1 + 2.5 * share) : "";
    const shown = known.slice(0, 2), name = element.querySelector(".n");
    if (!element.classList.contains("open")) name.setAttribute("y", shown.length === 2 ? 10.5 : shown.length === 1 ? 15 : this.frames[element.closest(".frame").dataset.diagram].names[element.dataset.box][1]);
    shown.forEach(([path, unit], k) => {
      const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
      text.setAttribute("class", "now");
      text.setAttribute("x", 31);
      text.setAttribute("y", Number(name.getAttribute("y")) + 10 * (k + 1));
      text.textContent = this.value_text(path, unit);
      if (text.textContent.length > 11) { text.setAttribute("textLength", 58); text.setAttribute("lengthAdjust", "spacingAndGlyphs"); }
      element.append(text);
    });
  }

  /// From blue over grey to orange: told apart with any colour vision.
  colour(share) {
    const [from, to, part] = share < 0.5 ? [[43, 91, 176], [125, 143, 156], 2 * share] : [[125, 143, 156], [200, 82, 0], 2 * share - 1];
    return `rgb(${from.map((one, k) => Math.round(one + (to[k] - one) * part)).join(",")})`;
  }
}

for (const root of document.querySelectorAll(".picture")) {
  const json = root.querySelector("script#network");
  if (json) root.network = new NetworkPicture(root, JSON.parse(json.textContent));
}
