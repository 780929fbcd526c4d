// What this browser keeps of what was typed until the server has it: a copy per page and part, in its storage.
//
// A copy's name goes to the server with the text. The answer to a save sets a cookie of that name, also where the page
// that sent it is closed by then: so a later page knows which copies arrived, whatever became of the text since.
// A page that lives holds a lock; the copies of those that don't are for whichever page comes next.
import { editor } from "./page.js";

export const PREFIX = `draft:${editor.dataset.user}:${editor.dataset.draft}:`;
const random = () => Math.random().toString(36).slice(2);
const PAGE = random();
const OWN = `${PREFIX}${PAGE}:`;
const names = new Map(); // part -> name of the copy of what was typed last
let leave = () => {};

const all = () => Object.keys(localStorage).filter((each) => each.startsWith(PREFIX));
const pageOf = (key) => key.slice(0, key.indexOf(":", PREFIX.length) + 1);
export const partOf = (key) => key.slice(pageOf(key).length);
export const opened = (key) => new URLSearchParams(localStorage.getItem(key));
export const isThere = (key) => localStorage.getItem(key) !== null;
export const drop = (key) => localStorage.removeItem(key);
export const ofOthers = () => all().filter((each) => !each.startsWith(OWN));

export function enter() {
  navigator.locks?.request(OWN, () => new Promise((done) => (leave = done)));
}

export const exit = () => leave();

// Copies of pages that are closed. Where a browser tells nobody who lives (without https), all others count as closed.
export async function left() {
  const locks = await navigator.locks?.query();
  const living = new Set(locks?.held.map((each) => each.name));
  return ofOthers().filter((each) => !living.has(pageOf(each)));
}

// The same text keeps its name: leaving a field tells of a change once more, even behind the closing of its page.
export function remember(part, form) {
  const before = opened(OWN + part);
  form.set("copy", form.get("copy") ?? before.get("copy") ?? random());
  if (before.has("copy") && form.toString() !== before.toString()) form.set("copy", random());
  names.set(part, form.get("copy"));
  try {
    localStorage.setItem(OWN + part, form.toString());
  } catch {
    // The storage is full or forbidden: the page itself still has the text.
  }
}

export const nameOf = (part) => names.get(part) ?? "";

export function forget(part) {
  names.delete(part);
  drop(OWN + part);
}

export function forgetAll() {
  names.clear();
  all().forEach(drop);
}

export const hasArrived = (name) => document.cookie.split("; ").some((each) => each.startsWith(`copy-${name}=`));

export function noted(name) {
  document.cookie = `copy-${name}=; path=${editor.dataset.cookies}; max-age=0`;
}
