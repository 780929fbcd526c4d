// The editor saves what is typed, part by part, a moment after the last key. What the server hasn't taken yet stays in
// this browser's storage, so that neither a lost connection nor a closed tab loses it.
"use strict";
const editor = document.querySelector("[data-draft]");
const said = document.querySelector("[data-saved]");
const PAUSE = 300; // ms after the last key
const AGAIN = 2000; // ms until a save that failed is tried again
const LOOK = 8000; // ms between looks at who else writes here
const waiting = new Map(); // part -> timer
const sending = new Map(); // part -> promise

const key = (part) => `draft:${editor.dataset.draft}:${part}`;
const partOf = (element) => element.closest("[data-part]");
const yaml = document.querySelector("[data-yaml]");

function say(text, state) {
  said.textContent = text;
  said.dataset.state = state;
}

// Every field of a part; fields of a table's row belong to a form elsewhere, so the form isn't asked.
function read(part) {
  const form = new URLSearchParams({ next: location.pathname + location.search });
  for (const field of part.querySelectorAll(`[name^="${CSS.escape(part.dataset.part)}/"]`)) {
    if (!["checkbox", "radio"].includes(field.type) || field.checked) form.append(field.name, field.value);
  }
  return form;
}

function remember(name, form) {
  try {
    localStorage.setItem(key(name), form.toString());
  } catch {
    // The storage is full or forbidden: the page itself still has the text.
  }
}

function schedule(name, send, pause = PAUSE) {
  clearTimeout(waiting.get(name));
  waiting.set(name, setTimeout(() => flush(name, send), pause));
}

async function flush(name, send) {
  clearTimeout(waiting.get(name));
  waiting.delete(name);
  if (sending.has(name)) await sending.get(name);
  const sent = send();
  sending.set(name, sent);
  await sent;
  sending.delete(name);
}

async function post(url, form) {
  const headers = { "X-Autosave": "yes", "X-CSRFToken": JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"] };
  return fetch(url, { method: "POST", body: form, headers, signal: AbortSignal.timeout(15000) });
}

function showPanel(html) {
  const panel = document.getElementById("draft");
  if (!panel) return;
  const open = panel.open;
  panel.outerHTML = html;
  document.getElementById("draft").open = open;
}

async function sendPart(part) {
  const name = part.dataset.part;
  const form = read(part);
  say("Saving", "");
  let answer;
  try {
    answer = await post(editor.dataset.save, form);
  } catch {
    return failed(name, () => sendPart(part));
  }
  if (answer.ok) {
    const was = JSON.parse(answer.headers.get("X-Was"))[name];
    part.querySelector(`[name="${CSS.escape(name)}/was"]`).value = was;
    if (!waiting.has(name)) localStorage.removeItem(key(name));
    showPanel(await answer.text());
    if (!waiting.size) say("Saved", "good");
  } else await refused(answer, name, () => sendPart(part));
}

async function sendYaml() {
  const form = new URLSearchParams(new FormData(yaml));
  say("Saving", "");
  let answer;
  try {
    answer = await post(yaml.action, form);
  } catch {
    return failed("yaml", sendYaml);
  }
  const unfit = document.getElementById("unfit");
  if (answer.ok) {
    yaml.elements.version.value = answer.headers.get("X-Version");
    if (!waiting.has("yaml")) localStorage.removeItem(key("yaml"));
    unfit.replaceChildren();
    marked(0);
    showPanel(await answer.text());
    say("Saved", "good");
  } else if (answer.status === 422) {
    localStorage.removeItem(key("yaml")); // the server keeps the text as it is
    unfit.innerHTML = await answer.text();
    marked(Number(/line (\d+)/.exec(unfit.textContent)?.[1] ?? 0));
    say("Kept as typed, not in the draft yet", "warn");
  } else if (answer.status === 409) yaml.submit(); // the server shows both versions, on a page of its own
  else failed("yaml", sendYaml);
}

async function refused(answer, name, again) {
  if (answer.status === 409) {
    const place = document.querySelector("[data-conflict]");
    place.innerHTML = await answer.text();
    place.firstElementChild.focus();
    say("Not saved: there are two versions", "warn");
  } else if (answer.status === 422) {
    const place = document.querySelector("[data-conflict]");
    place.innerHTML = await answer.text();
    say("Not saved", "bad");
  } else if ([401, 403, 404].includes(answer.status)) {
    say("Not saved: you may not change this character any more. What you typed is kept in this browser.", "bad");
  } else failed(name, again);
}

function failed(name, again) {
  say("Not saved yet. What you typed is kept here; it is tried again.", "bad");
  schedule(name, again, AGAIN);
}

function typed(event) {
  const field = event.target;
  if (yaml?.contains(field)) {
    remember("yaml", new URLSearchParams(new FormData(yaml)));
    say("", "");
    numbered();
    schedule("yaml", sendYaml, 2 * PAUSE);
    return;
  }
  const part = partOf(field);
  if (!part || !field.name?.startsWith(`${part.dataset.part}/`)) return;
  remember(part.dataset.part, read(part));
  say("", "");
  schedule(part.dataset.part, () => sendPart(part));
}

// What was typed before and never arrived: put back where it stood, and sent.
function restore() {
  const prefix = key("");
  for (const stored of Object.keys(localStorage).filter((each) => each.startsWith(prefix))) {
    const name = stored.slice(prefix.length);
    const form = new URLSearchParams(localStorage.getItem(stored));
    if (name === "yaml") {
      if (!yaml) continue;
      yaml.elements.yaml.value = form.get("yaml");
      schedule("yaml", sendYaml, 0);
      continue;
    }
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    if (!part) continue;
    for (const field of part.querySelectorAll("[name]")) {
      if (["checkbox", "radio"].includes(field.type)) field.checked = form.getAll(field.name).includes(field.value);
      else if (form.has(field.name)) field.value = form.get(field.name);
    }
    schedule(name, () => sendPart(part), 0);
  }
}

// Lines of the YAML, numbered; the one with the error is marked.
function numbered() {
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

function marked(line) {
  yaml.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (line) yaml.querySelector("ol").children[line - 1]?.setAttribute("aria-current", "true");
  yaml.elements.yaml.setAttribute("aria-invalid", line > 0);
}

// Keys in a row: Alt and an arrow moves it, Ctrl+D duplicates, Ctrl+Delete removes.
function keys(event) {
  const row = event.target.closest?.("tr.fact[data-part]");
  if (event.isComposing) return;
  if (!row) return shortcut(event);
  const press = (name) => row.querySelector(`button[name="${name}"]`).click();
  if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) move(row, event.key === "ArrowUp");
  else if (event.ctrlKey && event.key === "d") press("duplicate");
  else if (event.ctrlKey && event.key === "Delete") press("remove");
  else return;
  event.preventDefault();
}

function shortcut(event) {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const field = document.querySelector(`[data-shortcut="${CSS.escape(event.key)}"]`);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

// The row beside it, in what is shown, says where it goes.
async function move(row, up) {
  const shown = [...document.querySelectorAll("tr.fact[data-part]")];
  const beside = shown[shown.indexOf(row) + (up ? -1 : 1)];
  if (!beside || beside.parentElement !== row.parentElement) return;
  if (up) beside.before(row);
  else beside.after(row);
  row.querySelector("textarea").focus();
  const form = new URLSearchParams(new FormData(document.getElementById("rows")));
  form.delete("selected");
  form.set(up ? "up" : "down", row.dataset.part.slice("fact:".length));
  form.set("beside", beside.dataset.part.slice("fact:".length));
  say("Saving", "");
  try {
    const answer = await post(document.getElementById("rows").action, form);
    say(answer.ok ? "Saved" : "The order wasn’t saved. Reload the page.", answer.ok ? "good" : "bad");
  } catch {
    say("The order wasn’t saved: no connection.", "bad");
  }
}

// Whatever else a form does, what was typed is saved first.
async function submitted(event) {
  const asked = event.submitter?.dataset.confirm;
  if (asked && !confirm(asked)) return event.preventDefault();
  drop(event.target);
  if (!waiting.size || event.target.matches("[data-yaml]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  for (const [name, timer] of [...waiting]) {
    clearTimeout(timer);
    const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
    await flush(name, name === "yaml" ? sendYaml : () => sendPart(part));
  }
  if (!waiting.size) event.target.requestSubmit(event.submitter);
}

function drop(element) {
  const name = element.closest?.("[data-drops]")?.dataset.drops;
  if (!name) return;
  clearTimeout(waiting.get(name));
  waiting.delete(name);
  localStorage.removeItem(key(name));
}

async function look() {
  const panel = document.getElementById("draft");
  if (panel && !document.hidden && !sending.size) {
    try {
      const answer = await fetch(panel.dataset.panel);
      if (answer.ok && !answer.redirected) showPanel(await answer.text());
    } catch {
      // The next look says more; saving says so when it fails.
    }
  }
  setTimeout(look, LOOK);
}

// Several lines pasted where one fact is added: they are many facts.
function pasted(event) {
  const text = event.clipboardData?.getData("text") ?? "";
  if (!event.target.matches("[data-pastes]") || !text.trim().includes("\n")) return;
  event.preventDefault();
  const paste = document.getElementById("paste");
  paste.open = true;
  paste.querySelector("textarea").value = text;
  paste.querySelector("button").focus();
}

document.addEventListener("input", typed);
document.addEventListener("change", typed);
document.addEventListener("keydown", keys);
document.addEventListener("paste", pasted);
document.addEventListener("submit", submitted, true);
document.addEventListener("click", (event) => event.target.closest("a[data-drops]") && drop(event.target));
addEventListener("online", () => restore());
if (yaml) {
  yaml.elements.yaml.addEventListener("scroll", () => (yaml.querySelector("ol").scrollTop = yaml.elements.yaml.scrollTop));
  numbered();
  marked(Number(/line (\d+)/.exec(document.getElementById("unfit").textContent)?.[1] ?? 0));
}
for (const button of document.querySelectorAll("[data-without-script]")) button.hidden = true;
restore();
setTimeout(look, LOOK);
