// What the page says beside a part: that the server can't take it.
import { YAML, partNamed } from "./page.js";
import { marked } from "./fields.js";

export const notice = (name) => document.querySelector(`[data-about="${CSS.escape(name)}"]`);

export function told(name, html) {
  const place = notice(name) ?? beside(name);
  place.dataset.about = name;
  place.innerHTML = html;
  if (name === YAML && document.querySelector("[data-yaml]")) marked(place.textContent);
}

// Below a row, or below the form of a field; above everything where the part is on another page.
export function beside(name) {
  const part = partNamed(name);
  const place = document.createElement(part?.tagName === "TR" ? "td" : "div");
  if (part?.tagName === "TR") {
    place.colSpan = part.cells.length;
    const row = document.createElement("tr");
    row.append(place);
    part.after(row);
  } else if (part) (part.closest("form") ?? part).after(place);
  else document.querySelector("[data-elsewhere]").append(place);
  return place;
}

export function takeAway(place) {
  (place.closest("tr") ?? place).remove();
}
