// What the page says beside a part: that the server has another version, or can't take this one.
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
  else document.querySelector("[data-conflict]").append(place);
  return place;
}

export function takeAway(place) {
  (place.closest("tr") ?? place).remove();
}

// A text that this browser has and the draft hasn't, with what can be done about it: by button, or by link.
export function offer(name, text, why, choices) {
  const place = beside(name);
  place.append(document.querySelector("[data-unsaved]").content.cloneNode(true));
  place.querySelector("[data-why]").textContent = why;
  place.querySelector("[data-text]").textContent = text;
  for (const [label, choose] of choices) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: label });
    button.addEventListener("click", () => (takeAway(place), choose()));
    place.querySelector("[data-choices]").append(button);
  }
  return place;
}
