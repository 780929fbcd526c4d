// The editor saves what is typed, part by part, a moment after the last key. What the server hasn't taken yet stays in
// this browser's storage, so that neither a lost connection nor a closed tab loses it.
"use strict";
const editor = document.querySelector("[data-draft]");
const said = document.querySelector("[data-saved]");
const yaml = document.querySelector("[data-yaml]");
const YAML = "yaml"; // the name of the whole text among the parts
const PAUSE = 300; // ms after the last key
const AGAIN = 2000; // ms until a save that failed is tried again
const LOOK = 8000; // ms between looks at who else writes here
const TAB = (sessionStorage.tab ??= Math.random().toString(36).slice(2)); // two tabs never drop each other's text
const PREFIX = `draft:${editor.dataset.user}:${editor.dataset.draft}:`;
const OWN = `${PREFIX}${TAB}:`;
const waiting = new Map(); // part -> timer
const sending = new Map(); // part -> promise
const refused = new Set(); // parts of which the server has another version, or that it can't take
let moving = Promise.resolve(); // moves of rows, one after the other
let moves = 0;
const confirmed = new WeakSet(); // buttons whose question was answered with yes

const partNamed = (name) => document.querySelector(`[data-part="${CSS.escape(name)}"]`);
const csrf = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];

function say(text, state) {
  said.textContent = text;
  said.dataset.state = state;
}

function sayHowItStands() {
  if (refused.size && said.dataset.state !== "bad") say("Not all is saved: see below", "warn");
  else if (refused.size || waiting.size || sending.size) return;
  else if (isLeftElsewhere()) say("Saved. Something typed under another tab of this editor isn’t: it waits there.", "warn");
  else say("Saved", "good");
}

// ---------------------------------------------------------------- reading and keeping

// Every field of a part; fields of a table's row belong to a form elsewhere, so the form isn't asked.
function read(name) {
  if (name === YAML) return new URLSearchParams(new FormData(yaml));
  const form = new URLSearchParams({ next: location.pathname + location.search });
  for (const field of partNamed(name).querySelectorAll(`[name^="${CSS.escape(name)}/"]`)) {
    if (!["checkbox", "radio"].includes(field.type) || field.checked) form.append(field.name, field.value);
  }
  return form;
}

function remember(name, form = read(name)) {
  try {
    localStorage.setItem(OWN + name, form.toString());
  } catch {
    // The storage is full or forbidden: the page itself still has the text.
  }
}

// What was sent needs no copy any more; what was typed since does, and has seen what the server said now.
function settle(name) {
  if (waiting.has(name)) remember(name);
  else localStorage.removeItem(OWN + name);
}

const copies = () => Object.keys(localStorage).filter((each) => each.startsWith(PREFIX));
const nameOf = (copy) => copy.slice(copy.indexOf(":", PREFIX.length) + 1);
const isHere = (name) => (name === YAML ? yaml !== null : partNamed(name) !== null);
const isLeftElsewhere = () => copies().some((each) => each.startsWith(OWN) && !isHere(nameOf(each)));

// What was typed before and never arrived: put back where it stood, and sent.
function restore() {
  for (const stored of copies()) {
    const name = nameOf(stored);
    const form = new URLSearchParams(localStorage.getItem(stored));
    if (!isHere(name)) continue;
    localStorage.removeItem(stored); // of a tab that was closed: this one has it now
    remember(name, form);
    if (name === YAML) {
      yaml.elements.yaml.value = form.get("yaml");
      yaml.elements.version.value = form.get("version");
      yaml.elements.seen.value = form.get("seen") ?? "";
    } else fill(partNamed(name), form);
    schedule(name, 0);
  }
  if (isLeftElsewhere()) say("Something typed under another tab of this editor isn’t saved: it waits there.", "warn");
}

// The draft is let go of, and with it what this browser has of it.
function forget() {
  for (const timer of waiting.values()) clearTimeout(timer);
  waiting.clear();
  refused.clear();
  copies().forEach((each) => localStorage.removeItem(each));
}

function fill(part, form) {
  const values = {};
  for (const field of part.querySelectorAll("[name]")) {
    values[field.name] ??= form.getAll(field.name);
    if (["checkbox", "radio"].includes(field.type)) field.checked = values[field.name].includes(field.value);
    else if (values[field.name].length) field.value = values[field.name].shift();
  }
}

// ---------------------------------------------------------------- sending

function schedule(name, pause = PAUSE) {
  clearTimeout(waiting.get(name));
  waiting.set(name, setTimeout(() => flush(name), pause));
}

async function flush(name) {
  clearTimeout(waiting.get(name));
  while (sending.has(name)) await sending.get(name);
  waiting.delete(name);
  const sent = send(name);
  sending.set(name, sent);
  try {
    await sent;
  } finally {
    sending.delete(name);
  }
  sayHowItStands();
}

async function flushAll() {
  await Promise.all([...waiting.keys()].map(flush));
  await Promise.all([...sending.values(), moving]);
}

async function post(url, form, more = {}) {
  const headers = { "X-Autosave": "yes", "X-CSRFToken": csrf() };
  return fetch(url, { method: "POST", body: form, headers, redirect: "manual", signal: AbortSignal.timeout(30000), ...more });
}

async function send(name) {
  const form = read(name);
  say("Saving", "");
  try {
    const answer = await post(name === YAML ? yaml.action : editor.dataset.save, form);
    const text = await answer.text();
    if (answer.ok) taken(name, answer, text);
    else if (answer.status === 409 && name === YAML) showBothTexts();
    else if ([409, 422].includes(answer.status)) told(name, text, answer.status);
    else if (answer.type === "opaqueredirect" || answer.status === 401) kept(name, "sign in again in another tab and reload this page");
    else if (answer.status === 403) kept(name, "you may not change this character any more, or were signed out. Reload this page");
    else if (answer.status === 404) kept(name, "this character is gone");
    else if (answer.status < 500) kept(name, "it is too long, or isn’t what the server takes. Make it shorter");
    else failed(name);
  } catch {
    failed(name);
  }
}

function taken(name, answer, text) {
  if (name === YAML) {
    yaml.elements.version.value = answer.headers.get("X-Version");
    marked(0);
  } else see(JSON.parse(answer.headers.get("X-Was")));
  refused.delete(name);
  notice(name)?.replaceChildren();
  settle(name);
  showPanel(text);
}

// What this page has seen of each part, for the next save, and for the buttons of a row.
function see(digests) {
  for (const [name, was] of Object.entries(digests)) {
    const part = partNamed(name);
    if (!part) continue;
    for (const field of part.querySelectorAll(`[name="${CSS.escape(name)}/was"]`)) field.value = was;
    const row = part.querySelector("[data-seen]");
    if (row) row.value = `${name.slice("fact:".length)}:${was}`;
  }
}

// The server has another version, or can't take this one: it says so in the page, beside what was typed.
function told(name, html, status) {
  if (name === YAML && status === 422) settle(name); // the server keeps the text as it is
  refused.add(name);
  const place = notice(name) ?? newNotice(name);
  place.innerHTML = html;
  if (name === YAML) marked(Number(/line (\d+)/.exec(place.textContent)?.[1] ?? 0));
}

function notice(name) {
  return document.querySelector(`[data-about="${CSS.escape(name)}"]`);
}

// Beside what it is about: below a row, or below the form of a field.
function newNotice(name) {
  const part = partNamed(name);
  const place = document.createElement(part?.tagName === "TR" ? "td" : "div");
  place.dataset.about = name;
  if (part?.tagName === "TR") {
    place.colSpan = part.cells.length;
    const row = document.createElement("tr");
    row.append(place);
    part.after(row);
  } else if (part) (part.closest("form") ?? part).after(place);
  else document.querySelector("[data-conflict]").append(place);
  return place;
}

// On a page of its own: both texts are long. It has this one in its form.
function showBothTexts() {
  localStorage.removeItem(OWN + YAML);
  yaml.submit();
}

function failed(name) {
  remember(name);
  say("Not saved yet. What you typed is kept here; it is tried again.", "bad");
  schedule(name, AGAIN);
}

// It can't be saved before somebody does something about it.
function kept(name, why) {
  remember(name);
  refused.add(name);
  say(`Not saved: ${why}. What you typed is kept in this browser.`, "bad");
}

// ---------------------------------------------------------------- what the page shows

// The draft's panel, without closing what is open or taking the focus away.
function showPanel(html) {
  const panel = document.getElementById("draft");
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("draft");
  if (!panel || !fresh) return;
  fresh.open = panel.open;
  const same = panel.dataset.version === fresh.dataset.version;
  if (same && panel.open) panel.querySelector("summary").replaceWith(fresh.querySelector("summary"));
  else if (!panel.contains(document.activeElement)) panel.replaceWith(fresh);
}

async function look() {
  const panel = document.getElementById("draft");
  if (panel && !document.hidden && !sending.size) {
    try {
      const answer = await fetch(panel.dataset.panel, { redirect: "manual" });
      if (answer.ok) showPanel(await answer.text());
    } catch {
      // The next look says more; saving says so when it fails.
    }
  }
  setTimeout(look, LOOK);
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

// ---------------------------------------------------------------- what the author does

// To the row that the address names.
function goOn() {
  document.getElementById(location.hash.slice(1))?.closest("tr.fact")?.querySelector("textarea").focus();
}

function typed(event) {
  const field = event.target;
  if (field.dataset.keeps) sessionStorage.setItem(OWN + field.dataset.keeps, field.value);
  if (field.matches("[data-grows]") && field.value) grow(field);
  const isYaml = yaml?.contains(field);
  const name = isYaml ? YAML : field.closest("[data-part]")?.dataset.part;
  if (!name || (!isYaml && !field.name?.startsWith(`${name}/`))) return;
  if (isYaml) numbered();
  remember(name);
  say("", "");
  schedule(name, isYaml ? 2 * PAUSE : PAUSE);
}

// The last of several fields makes room for another.
function grow(field) {
  const empty = field.cloneNode();
  empty.value = "";
  delete field.dataset.grows;
  field.after(empty);
}

// Keys in a row: Alt and an arrow moves it, Ctrl+D duplicates, Alt+Delete removes.
function keys(event) {
  if (event.isComposing) return;
  const row = event.target.closest?.("tr.fact[data-part]");
  if (!row) return shortcut(event);
  const press = (name) => row.querySelector(`button[name="${name}"]`).click();
  if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) move(row, event.key === "ArrowUp");
  else if (event.ctrlKey && event.key === "d") press("duplicate");
  else if (event.altKey && event.key === "Delete") press("remove");
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

// The row beside it, in what is shown, says where it goes. One move after the other.
function move(row, up) {
  const shown = [...document.querySelectorAll("tr.fact[data-part]")];
  const beside = shown[shown.indexOf(row) + (up ? -1 : 1)];
  if (!beside || beside.parentElement !== row.parentElement) return;
  if (up) beside.before(row);
  else beside.after(row);
  row.querySelector("textarea").focus();
  const rows = document.getElementById("rows");
  const id = (each) => each.dataset.part.slice("fact:".length);
  const form = new URLSearchParams({ [up ? "up" : "down"]: id(row), beside: id(beside) });
  moves += 1;
  moving = moving.then(async () => {
    say("Saving", "");
    try {
      const answer = await post(rows.action, form);
      if (answer.ok) {
        showPanel(await answer.text());
        sayHowItStands();
      } else say("The order wasn’t saved. Reload the page.", "bad");
    } catch {
      say("The order wasn’t saved: no connection. Reload the page.", "bad");
    } finally {
      moves -= 1;
    }
  });
}

// Whatever else a form does, what was typed is saved first.
async function submitted(event) {
  const asked = event.submitter?.dataset.confirm;
  if (asked && !confirmed.has(event.submitter) && !confirm(asked)) return event.preventDefault();
  if (asked) confirmed.add(event.submitter);
  if (event.target.matches("[data-discards]")) forget();
  for (const field of event.target.querySelectorAll("[data-keeps]")) sessionStorage.removeItem(OWN + field.dataset.keeps);
  drop(event.target);
  if (!isBusy() || event.target === yaml) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  await flushAll();
  if (!waiting.size) event.target.requestSubmit(event.submitter);
  else say("Not done: what you typed isn’t saved yet. Press it again when it is.", "bad");
}

async function followed(event) {
  const link = event.target.closest("a[href]");
  if (!link) return;
  drop(link);
  const plain = !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!plain || !isBusy() || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  await flushAll();
  location.href = link.href;
}

function isBusy() {
  return waiting.size + sending.size + moves > 0;
}

// Both versions were shown, and one of them was chosen: this browser's copy has done its work.
function drop(element) {
  const name = element.closest?.("[data-drops]")?.dataset.drops;
  if (!name) return;
  clearTimeout(waiting.get(name));
  waiting.delete(name);
  refused.delete(name);
  localStorage.removeItem(OWN + name);
}

// The page goes: what waits is sent behind it, and stands in the storage in case that fails.
function left() {
  for (const name of waiting.keys()) {
    post(name === YAML ? yaml.action : editor.dataset.save, read(name), { keepalive: true, signal: undefined }).catch(() => {});
  }
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
document.addEventListener("click", followed, true);
addEventListener("pagehide", left);
addEventListener("load", () => setTimeout(goOn)); // after the browser went to the fragment, which takes the focus away
addEventListener("online", () => [...waiting.keys()].forEach((name) => schedule(name, 0)));
if (yaml) {
  yaml.elements.yaml.addEventListener("scroll", () => (yaml.querySelector("ol").scrollTop = yaml.elements.yaml.scrollTop));
  numbered();
  marked(Number(/line (\d+)/.exec(document.getElementById("unfit").textContent)?.[1] ?? 0));
}
for (const button of document.querySelectorAll("[data-without-script]")) button.hidden = true;
for (const field of document.querySelectorAll("[data-keeps]")) {
  field.value ||= sessionStorage.getItem(OWN + field.dataset.keeps) ?? "";
}
restore();
setTimeout(look, LOOK);
