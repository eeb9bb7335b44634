// What a figure draws: frame, lines, marks on the axis of time, cursors.

const margin = {left: 64, right: 14, top: 24, bottom: 40, lane: 18};

/// Shapes around 0, 0; a kind of event is told by its shape, not by its colour alone.
const event_shapes = {
  "injection": "M0-6L6 5H-6Z", "action": "M-5-5H5V5H-5Z", "scenario": "M0-6L6 0 0 6-6 0Z",
  "expectation": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", "too late": "M-6-2H6V2H-6Z", "bus": "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",
};
const event_looks = {"injection": 1, "action": 0, "scenario": 6, "expectation": 2, "too late": 3, "bus": 4};

function frame(axes, labels, size) {
  const {x, y} = axes, group = element("g");
  const text = (attributes, content) => group.append(element("text", {class: "tick", ...attributes}, content));
  const across = x.ticks(), up = y.ticks();
  for (const value of across) {
    group.append(element("line", {class: "grid", x1: x.place(value), x2: x.place(value), y1: y.to, y2: y.from}));
    text({"text-anchor": "middle", x: x.place(value), y: size.height - margin.bottom + 16}, tick_text(value, across));
  }
  for (const value of up) {
    group.append(element("line", {class: "grid", x1: x.from, x2: x.to, y1: y.place(value), y2: y.place(value)}));
    text({"text-anchor": "end", x: x.from - 6, y: y.place(value) + 4}, tick_text(value, up));
  }
  text({"text-anchor": "middle", x: (x.from + x.to) / 2, y: size.height - 6}, labels.x);
  text({x: 2, y: 14}, labels.y);
  return group;
}

/// Upper and lower edge of a line; a merged point spans all of its stretch.
function edges(blocks, axes) {
  const upper = [], lower = [];
  let apart = false, is_new = true;
  for (const block of blocks) {
    if (!(block.low <= block.high)) { is_new = true; continue; }
    const x = axes.x.place(block.x), high = axes.y.place(block.high), low = axes.y.place(block.low);
    if (!Number.isFinite(x) || !Number.isFinite(high) || !Number.isFinite(low)) { is_new = true; continue; }
    apart = apart || low - high > 1;
    const points = block.wide ? [x, axes.x.place(block.next)] : [x];
    for (const at of points) {
      const letter = is_new ? "M" : "L";
      upper.push([letter, at.toFixed(2), high.toFixed(2)]);
      lower.push([letter, at.toFixed(2), low.toFixed(2)]);
      is_new = false;
    }
  }
  const is_alone = (points, i) => points[i][0] === "M" && (i + 1 === points.length || points[i + 1][0] === "M");
  const path = (points) => points.map(([letter, x, y], i) => letter + x + " " + y + (is_alone(points, i) ? "m-2 0h4" : "")).join("");
  if (!apart) return {line: path(upper), band: null};
  let band = "", begin = 0;
  for (let i = 1; i <= upper.length; ++i) {  // each stretch without a gap is closed by itself
    if (i < upper.length && upper[i][0] !== "M") continue;
    const back = lower.slice(begin, i).reverse().map(([, x, y]) => "L" + x + " " + y).join("");
    band += path(upper.slice(begin, i)) + back + "Z";
    begin = i;
  }
  return {line: path(upper) + path(lower), band};
}

function draw_line(line, axes, marks) {
  const columns = Math.max(50, Math.round((axes.x.to - axes.x.from) * Math.min(2, window.devicePixelRatio || 1)));
  const blocks = line.blocks(axes.x.low, axes.x.high, columns), {line: path, band} = edges(blocks, axes);
  const group = element("g", {"data-line": line.number});
  if (band) group.append(element("path", {class: "band " + look(line.number), d: band}));
  group.append(element("path", {class: "line " + look(line.number), d: path}, element("title", {}, line.label)));
  if (marks)
    for (const block of blocks)
      if (block.high === block.high)
        group.append(element("circle", {class: "dot " + look(line.number), r: 3, cx: axes.x.place(block.x),
                                        cy: axes.y.place(block.high)}));
  return group;
}

/// Events that would cover each other are one mark, with their number.
function draw_events(events, axes, on_choice) {
  const group = element("g"), groups = [];
  for (const event of events) {
    if (event.x < axes.x.low || event.x > axes.x.high) continue;
    const place = axes.x.place(event.x), last = groups.at(-1);
    if (last && place - last.place < 12) last.events.push(event); else groups.push({place, events: [event]});
  }
  for (const {place, events: these} of groups) {
    const kind = these.some((event) => event.kind === "injection") ? "injection" : these[0].kind;
    const shown = these.slice(0, 8).map((event) => time_text(event.x) + " s, " + event.kind + ": " + event.text);
    if (these.length > 8) shown.push("and " + (these.length - 8) + " more");
    const mark = element("g", {class: "event", click: () => on_choice(these)}, element("title", {}, shown.join("\n")),
      element("line", {class: "event-line", x1: place, x2: place, y1: axes.y.to, y2: axes.y.from}),
      element("path", {class: "hit k" + event_looks[kind], d: event_shapes[kind],
                       transform: `translate(${place} ${axes.y.from + 10})`}));
    if (these.length > 1)
      mark.append(element("text", {class: "tick", x: place + 7, y: axes.y.from + 14}, String(these.length)));
    group.append(mark);
  }
  return group;
}

function draw_cursor(name, x, axes, lines) {
  if (x === null || x < axes.x.low || x > axes.x.high) return null;
  const place = axes.x.place(x), group = element("g", {class: "cursor", "data-cursor": name});
  group.append(element("line", {x1: place, x2: place, y1: axes.y.to - 4, y2: axes.y.from}),
               element("text", {"text-anchor": name === "A" ? "end" : "start", x: place, y: axes.y.to - 8}, name));
  for (const line of lines) {
    const found = line.is_sorted ? line.at(x) : null;
    if (found && found.high === found.high)
      group.append(element("circle", {class: "dot " + look(line.number), r: 3.5, cx: place, cy: axes.y.place(found.high)}));
  }
  return group;
}
