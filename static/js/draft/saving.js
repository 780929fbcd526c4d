// Sends what was typed, part by part, a moment after the last key, until the server has it.
import * as copies from "./copies.js";
import { fill, read } from "./fields.js";
import { notice, told } from "./notices.js";
import { YAML, editor, isBadNews, isHere, post, say } from "./page.js";
import { isLocked, showPanel } from "./panel.js";

const PAUSE = 300; // ms after the last key
const AGAIN = 2000; // ms until a save that failed is tried again
const MOST = 300000; // ms that a server may ask to wait
const waiting = new Map(); // copy -> timer
const sending = new Set(); // copies that are sent, or whose turn it is soon
const refused = new Set(); // copies that the server can't take
const typedHere = new Set(); // copies of what was typed on this page
let chain = Promise.resolve(); // requests, one after the other
let queued = 0;

export const isBusy = () => waiting.size + queued > 0;
export const isUnsaved = () => waiting.size > 0;

function sayHowItStands() {
  if (isBusy() || isLocked() || isBadNews()) return;
  if (refused.size) say("Not everything is saved: see below", "warn");
  else say("Saved", "good");
}

export function queue(work) {
  queued += 1;
  chain = chain.then(work).finally(() => {
    queued -= 1;
    sayHowItStands();
  });
  return chain;
}

export function keep(name) {
  const key = copies.keyOf(name);
  typedHere.add(key);
  copies.remember(key, read(name));
  schedule(key, name === YAML ? 2 * PAUSE : PAUSE);
}

// What closed pages left, and those before this one in its tab.
export async function sendLeft() {
  const isNew = (key) => !waiting.has(key) && !sending.has(key) && !refused.has(key);
  (await copies.left()).filter(isNew).forEach(flush);
  await chain;
}

function schedule(key, pause) {
  clearTimeout(waiting.get(key));
  waiting.set(key, setTimeout(() => flush(key), pause));
}

function flush(key) {
  clearTimeout(waiting.get(key));
  waiting.delete(key);
  sending.add(key);
  queue(() => send(key));
}

export async function flushAll() {
  [...waiting.keys()].forEach(flush);
  await chain;
}

export const sendNow = () => [...waiting.keys()].forEach(flush);

const address = (key) => (copies.partOf(key) === YAML ? editor.dataset.saveYaml : editor.dataset.save);

async function send(key) {
  const sent = copies.text(key);
  if (sent === null) return; // another page sent it
  say("Saving", "");
  try {
    const answer = await post(address(key), new URLSearchParams(sent));
    const html = await answer.text();
    if (answer.ok || answer.status === 409) await taken(key, sent, html, !answer.ok);
    else if (answer.status === 422) cannotBe(key, sent, html);
    else if (isPassing(answer.status)) later(key, answer);
    else held(key, why(answer));
  } catch {
    failed(key, AGAIN);
  } finally {
    sending.delete(key);
  }
}

// The server has it: in the draft, or where another tab writes, under Revisions.
async function taken(key, sent, html, isRefused) {
  settle(key, sent);
  refused.delete(key);
  notice(copies.partOf(key))?.replaceChildren();
  const version = showPanel(html, isRefused);
  if (isRefused) say("Not saved: the draft was changed elsewhere. What you typed is saved under Revisions.", "bad");
  else if (typedHere.has(key)) editor.dataset.version = version;
  if (copies.partOf(key) === YAML) showDrop(false);
  if (copies.isLeft(key) && !isLocked()) await post(editor.dataset.takeOver, new URLSearchParams()); // from a closed tab
}

// What was typed since needs its copy.
function settle(key, sent) {
  if (copies.text(key) === sent) copies.drop(key);
}

// The server says in the page, beside what was typed, why not. YAML with an error it keeps all the same.
function cannotBe(key, sent, html) {
  const name = copies.partOf(key);
  if (!typedHere.has(key) && isHere(name)) {
    copies.drop(key);
    fill(name, new URLSearchParams(sent));
    return keep(name); // as if it were typed here
  }
  refused.add(key);
  told(name, html);
  if (name !== YAML) return;
  settle(key, sent);
  showDrop(true);
}

function showDrop(isThere) {
  const form = document.querySelector("[data-drop-yaml]");
  if (form) form.hidden = !isThere;
}

const isPassing = (status) => status >= 500 || [408, 425, 429].includes(status);

function later(key, answer) {
  const asked = answer.headers.get("Retry-After") ?? "";
  const pause = /^\d+$/.test(asked) ? 1000 * asked : Date.parse(asked) - Date.now();
  const isAsked = pause > 0;
  failed(key, isAsked ? Math.min(Math.max(pause, AGAIN), MOST) : AGAIN, [429, 503].includes(answer.status));
}

function failed(key, pause, isServerBusy = false) {
  say(`Not saved yet${isServerBusy ? ": the server is busy" : ""}. What you typed is kept here and will be retried.`, "bad");
  if (!waiting.has(key)) schedule(key, pause); // else it was typed on, and is sent anyway
}

function why(answer) {
  if (answer.type === "opaqueredirect" || answer.status === 401) return "sign in again in another tab and reload this page";
  if (answer.status === 403) return "you can no longer edit this character, or you were signed out. Reload this page";
  if ([404, 410].includes(answer.status)) return "this character was deleted";
  if ([400, 413].includes(answer.status)) return "it is too long or has an invalid form. Shorten it";
  return `the server refused it (${answer.status}). Reload this page`;
}

// It can't be saved before somebody does something about it.
function held(key, because) {
  refused.add(key);
  say(`Not saved: ${because}. What you typed is kept in this browser.`, "bad");
}

// The draft is discarded, and with it what this browser has of it.
export function discard() {
  for (const timer of waiting.values()) clearTimeout(timer);
  for (const each of [waiting, refused]) each.clear();
  copies.dropAll();
}

// The page goes: what isn't there yet is sent behind it, and stands in the storage in case that fails.
export function sendBehind() {
  for (const key of new Set([...waiting.keys(), ...sending])) {
    const text = copies.text(key);
    if (text !== null) post(address(key), new URLSearchParams(text), { keepalive: true, signal: undefined }).catch(() => {});
  }
  copies.exit();
}
