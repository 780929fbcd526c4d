// The fields of a part: what they say, and what the server says of them.
import { YAML, partNamed, yaml } from "./page.js";

const ASIDE = new Set(["csrfmiddlewaretoken", "next", "copy", "version", "seen"]);
const isTyped = (name) => !ASIDE.has(name) && !name.endsWith("/was");

// Every field of a part; fields of a table's row belong to a form elsewhere, so the form isn't asked.
export function read(name) {
  if (name === YAML) return new URLSearchParams(new FormData(yaml));
  const form = new URLSearchParams({ next: location.pathname + location.search });
  for (const field of partNamed(name).querySelectorAll(`[name^="${CSS.escape(name)}/"]`)) {
    if (!["checkbox", "radio"].includes(field.type) || field.checked) form.append(field.name, field.value);
  }
  return form;
}

const texts = (form) => [...form].filter(([name, value]) => isTyped(name) && value);

// What an author typed, to be read: switches and lists of choices left out.
export const told = (form) => texts(form).filter(([name]) => !/\/has_\w+$/.test(name)).map(([, value]) => value).join("\n");

export const isShown = (name, form) => JSON.stringify(texts(form)) === JSON.stringify(texts(read(name)));

// Whether the draft's value is the one that was there when this was typed.
export function isUpToDate(name, form) {
  const now = read(name);
  const seen = name === YAML ? ["version", "seen"] : [`${name}/was`];
  return seen.every((each) => (form.get(each) ?? "") === (now.get(each) ?? ""));
}

export function fill(name, form) {
  const part = name === YAML ? yaml : partNamed(name);
  for (const field of part.querySelectorAll("[data-grows]")) {
    let last = field;
    for (let room = form.getAll(field.name).length - count(part, field.name); room > 0; room -= 1) last = grow(last);
  }
  const values = {};
  for (const field of part.querySelectorAll("[name]")) {
    if (!isTyped(field.name)) continue;
    values[field.name] ??= form.getAll(field.name);
    if (["checkbox", "radio"].includes(field.type)) field.checked = values[field.name].includes(field.value);
    else if (values[field.name].length) field.value = values[field.name].shift();
  }
  if (name === YAML) numbered();
}

const count = (part, name) => part.querySelectorAll(`[name="${CSS.escape(name)}"]`).length;

// The last of several fields makes room for another.
export function grow(field) {
  const empty = field.cloneNode();
  empty.value = "";
  delete field.dataset.grows;
  field.after(empty);
  return empty;
}

// What this page has seen of each part, for whatever is sent next.
export function see(digests) {
  for (const [name, was] of Object.entries(digests)) {
    const part = partNamed(name);
    if (!part) continue;
    for (const field of part.querySelectorAll(`[name="${CSS.escape(name)}/was"]`)) field.value = was;
  }
}

export function seeYaml(answer) {
  yaml.elements.version.value = answer.headers.get("X-Version") ?? yaml.elements.version.value;
  yaml.elements.seen.value = answer.headers.get("X-Seen") ?? yaml.elements.seen.value;
  const dropping = document.querySelector("[data-drop-yaml]"); // there is something to drop where an error was kept
  dropping.elements.seen.value = yaml.elements.seen.value;
  dropping.hidden = !yaml.elements.seen.value;
}

// Lines of the YAML, numbered; the one with the error is marked.
export function numbered() {
  const list = yaml.querySelector("ol");
  const count = yaml.elements.yaml.value.split("\n").length;
  while (list.children.length < count) {
    const line = document.createElement("li");
    line.textContent = list.children.length + 1;
    list.append(line);
  }
  while (list.children.length > count) list.lastChild.remove();
  list.scrollTop = yaml.elements.yaml.scrollTop;
}

export function marked(text) {
  const line = Number(/line (\d+)/.exec(text)?.[1] ?? 0);
  yaml.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (line) yaml.querySelector("ol").children[line - 1]?.setAttribute("aria-current", "true");
  yaml.elements.yaml.setAttribute("aria-invalid", line > 0);
}
