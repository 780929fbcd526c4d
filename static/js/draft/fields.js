// The fields of a part: what they say, and what the server says of them.
import { YAML, editor, partNamed, yaml } from "./page.js";
import { TAB } from "./tab.js";

// Every field of a part; fields of a table's row belong to a form elsewhere, so the form isn't asked.
export function read(name) {
  const form = new URLSearchParams(name === YAML ? { yaml: yaml.elements.yaml.value } : {});
  const fields = name === YAML ? [] : partNamed(name).querySelectorAll(`[name^="${CSS.escape(name)}/"]`);
  for (const field of fields) {
    if (!["checkbox", "radio"].includes(field.type) || field.checked) form.append(field.name, field.value);
  }
  form.set("tab", TAB);
  form.set("version", editor.dataset.version);
  return form;
}

export function fill(name, form) {
  const part = name === YAML ? yaml : partNamed(name);
  for (const field of part.querySelectorAll("[data-grows]")) {
    let last = field;
    for (let room = form.getAll(field.name).length - count(part, field.name); room > 0; room -= 1) last = grow(last);
  }
  const values = {};
  for (const field of part.querySelectorAll(name === YAML ? "[name=yaml]" : `[name^="${CSS.escape(name)}/"]`)) {
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
