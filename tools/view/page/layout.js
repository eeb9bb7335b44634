// What somebody has put together, kept per plant in this browser, and as a file.

import {element, tell} from "./controls.js";

const key = (plant) => "takt.layout." + plant;
const is_layout = (json) => json && Array.isArray(json.panels) && json.panels.every((one) => typeof one.kind === "string" && Array.isArray(one.paths) && one.paths.every((path) => typeof path === "string"));

export function kept_layout(plant) {
  try {
    const json = JSON.parse(localStorage.getItem(key(plant)));
    return is_layout(json) ? json : null;
  } catch { return null; }
}

export function keep_layout(plant, layout) {
  try { localStorage.setItem(key(plant), JSON.stringify(layout)); } catch { tell("this browser keeps no layout: " + plant); }
}

export function save_layout(plant, layout) {
  const text = JSON.stringify({takt_view: 1, plant, ...layout}, null, 1);
  const link = element("a", {href: URL.createObjectURL(new Blob([text], {type: "application/json"})), download: `${plant}_layout.json`});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/// -> a layout, or null: it was none
export async function read_layout(file) {
  try {
    const json = JSON.parse(await file.text());
    if (is_layout(json)) return json;
  } catch { /* told below */ }
  tell(`${file.name} is no layout of this page`);
  return null;
}
