// What the modules of the editor ask its page for.
import { TAB } from "./tab.js";

export const editor = document.querySelector("[data-draft]");
export const yaml = document.querySelector("[data-yaml]");
export const YAML = "yaml"; // the name of the whole text among the parts
const said = document.querySelector("[data-saved]");

export const partNamed = (name) => document.querySelector(`[data-part="${CSS.escape(name)}"]`);
export const isHere = (name) => (name === YAML ? yaml !== null : partNamed(name) !== null);
export const isBadNews = () => said.dataset.state === "bad";

export function say(text, state) {
  said.textContent = text;
  said.dataset.state = state;
}

const csrf = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];

export async function post(url, form, more = {}) {
  if (!form.has("tab")) form.set("tab", TAB);
  const headers = { "X-Autosave": "yes", "X-CSRFToken": csrf() };
  return fetch(url, { method: "POST", body: form, headers, redirect: "manual", signal: AbortSignal.timeout(30000), ...more });
}
