// Elements of a page, and numbers as people read them.

export function element(name, properties = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) one.addEventListener(key.slice(2), value);
    else if (key in one && key !== "list" && key !== "form") one[key] = value;
    else one.setAttribute(key, value === true ? "" : value);
  }
  one.append(...children.filter((child) => child !== null && child !== undefined));
  return one;
}

export const button = (text, click, more = {}) => element("button", {type: "button", onclick: click, ...more}, text);

/// A number with so many digits, short: 0.00123, 12.3, 1.23e7.
export function number_text(value, digits = 5) {
  if (value === null || value === undefined) return "";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "not a number" : String(value);
  const size = Math.abs(value);
  if (value === 0) return "0";
  return size >= 1e-4 && size < 1e7 ? String(Number(value.toPrecision(digits))) : value.toExponential(digits - 1).replace(/\.?0+e/, "e");
}

export const unit_text = (unit) => (unit === "" ? "1" : unit);

export function duration_text(ns) {
  for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "us"]]) if (ns >= size && ns % (size / 1e3) === 0) return `${ns / size} ${unit}`;
  return `${ns} ns`;
}

/// What a mistake says; it goes away by itself.
export function tell(text, kind = "bad") {
  const place = document.getElementById("notes");
  const note = element("p", {className: kind, role: kind === "bad" ? "alert" : "status"}, text);
  place.append(note);
  while (place.children.length > 4) place.firstChild.remove();
  setTimeout(() => note.remove(), 8000);
}

/// Of a promise of the link: what was refused is said.
export const heard = (promise) => promise.catch((problem) => { tell(problem.message); return null; });
