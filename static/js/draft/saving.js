// Sends what was typed, part by part, a moment after the last key, until the server has it.
import * as copies from "./copies.js";
import { read, see, seeYaml } from "./fields.js";
import { notice, told } from "./notices.js";
import { YAML, editor, isBadNews, isHere, post, say, yaml } from "./page.js";
import { showPanel, showStates } from "./panel.js";

const PAUSE = 300; // ms after the last key
const AGAIN = 2000; // ms until a save that failed is tried again
const MOST = 300000; // ms that a server may ask to wait
const waiting = new Map(); // part -> timer
const sending = new Map(); // part -> promise
const refused = new Set(); // parts of which the server has another version, or that it can't take
const elsewhere = new Map(); // part on another page -> what was typed there
export const offered = new Map(); // copy of a closed page about which the author is asked -> the question

export const isBusy = () => waiting.size + sending.size > 0;
export const isUnsaved = () => waiting.size > 0;
export const isFree = (name) => !waiting.has(name) && !sending.has(name) && !refused.has(name);

export function sayHowItStands() {
  if ((refused.size || offered.size) && !isBadNews()) say("Not all is saved: see below", "warn");
  else if (refused.size || offered.size || isBusy()) return;
  else if (copies.ofOthers().length) say("Saved. Something typed in another tab of this editor isn’t yet.", "warn");
  else say("Saved", "good");
}

// Typed just now, or before and somewhere else: `form` then.
export function keep(name, form = undefined) {
  if (form && !isHere(name)) elsewhere.set(name, form);
  copies.remember(name, form ?? read(name));
  schedule(name, form ? 0 : name === YAML ? 2 * PAUSE : PAUSE);
}

function schedule(name, pause) {
  clearTimeout(waiting.get(name));
  waiting.set(name, setTimeout(() => flush(name), pause));
}

async function flush(name) {
  clearTimeout(waiting.get(name));
  while (sending.has(name)) await sending.get(name);
  if (!waiting.delete(name)) return;
  const sent = send(name);
  sending.set(name, sent);
  try {
    await sent;
  } finally {
    sending.delete(name);
  }
  sayHowItStands();
}

export async function flushAll() {
  await Promise.all([...waiting.keys()].map(flush));
  await Promise.all(sending.values());
}

export const sendNow = () => [...waiting.keys()].forEach((name) => schedule(name, 0));

const address = (name) => (name === YAML ? yaml.action : editor.dataset.save);

function formOf(name) {
  const form = isHere(name) ? read(name) : elsewhere.get(name);
  form.set("copy", copies.nameOf(name));
  return form;
}

async function send(name) {
  const form = formOf(name);
  say("Saving", "");
  try {
    const answer = await post(address(name), form);
    const text = await answer.text();
    if (answer.ok) taken(name, form, answer, text);
    else if (answer.status === 409 && name === YAML) showBothTexts();
    else if ([409, 422].includes(answer.status)) cannotBe(name, form, answer, text);
    else if (isPassing(answer.status)) later(name, answer);
    else held(name, why(answer));
  } catch {
    failed(name, AGAIN);
  }
}

function taken(name, form, answer, text) {
  if (name === YAML) seeYaml(answer);
  else see(JSON.parse(answer.headers.get("X-Was")));
  showStates(answer);
  refused.delete(name);
  notice(name)?.replaceChildren();
  settle(name, form);
  showPanel(text);
}

// What was sent needs no copy any more; what was typed since does, and has seen what the server said now.
function settle(name, form) {
  copies.noted(form.get("copy"));
  if (waiting.has(name)) copies.remember(name, read(name));
  else copies.forget(name);
  if (!elsewhere.delete(name)) return;
  if (document.querySelector("[data-tells-draft]")) location.reload(); // it shows the draft without this
}

// The server says in the page, beside what was typed, why not. YAML with an error it keeps all the same.
function cannotBe(name, form, answer, text) {
  refused.add(name);
  told(name, text);
  if (name !== YAML || answer.status !== 422) return;
  seeYaml(answer);
  settle(name, form);
}

// On a page of its own: both texts are long. It has this one in its form.
function showBothTexts() {
  copies.forget(YAML);
  yaml.submit();
}

const isPassing = (status) => status >= 500 || [408, 425, 429].includes(status);

function later(name, answer) {
  const asked = answer.headers.get("Retry-After") ?? "";
  const pause = /^\d+$/.test(asked) ? 1000 * asked : Date.parse(asked) - Date.now();
  const isAsked = pause > 0;
  failed(name, isAsked ? Math.min(Math.max(pause, AGAIN), MOST) : AGAIN, [429, 503].includes(answer.status));
}

function failed(name, pause, isServerBusy = false) {
  say(`Not saved yet${isServerBusy ? ": the server is busy" : ""}. What you typed is kept here; it is tried again.`, "bad");
  if (!waiting.has(name)) schedule(name, pause); // else it was typed on, and is sent anyway
}

function why(answer) {
  if (answer.type === "opaqueredirect" || answer.status === 401) return "sign in again in another tab and reload this page";
  if (answer.status === 403) return "you may not change this character any more, or were signed out. Reload this page";
  if ([404, 410].includes(answer.status)) return "this character is gone";
  if ([400, 413].includes(answer.status)) return "it is too long, or isn’t what the server takes. Make it shorter";
  return `the server refused it (${answer.status}). Reload this page`;
}

// It can't be saved before somebody does something about it.
function held(name, because) {
  refused.add(name);
  say(`Not saved: ${because}. What you typed is kept in this browser.`, "bad");
}

// Both versions were shown, and one of them was chosen: this browser's copy has done its work.
export function drop(element) {
  const name = element.closest?.("[data-drops]")?.dataset.drops;
  if (!name) return;
  clearTimeout(waiting.get(name));
  waiting.delete(name);
  refused.delete(name);
  elsewhere.delete(name);
  copies.forget(name);
}

// The draft is let go of, and with it what this browser has of it.
export function letGo() {
  for (const timer of waiting.values()) clearTimeout(timer);
  for (const each of [waiting, refused, elsewhere, offered]) each.clear();
  copies.forgetAll();
}

// The page goes: what isn't there yet is sent behind it, and stands in the storage in case that fails.
export function sendBehind() {
  for (const name of new Set([...waiting.keys(), ...sending.keys()])) {
    post(address(name), formOf(name), { keepalive: true, signal: undefined }).catch(() => {});
  }
  copies.exit();
}
