// What was typed and the server hasn't taken yet, by tab and part: in this page and in the browser's storage, so that
// neither a lost connection nor a closed tab loses it. A tab that lives holds a lock; what closed ones left is sent by
// whichever page comes next, in their name.
import { editor } from "./page.js";
import { TAB } from "./tab.js";

export const PREFIX = `draft:${editor.dataset.user}:${editor.dataset.draft}:`;
const OWN = `${PREFIX}${TAB}:`;
const texts = new Map();
let leave = () => {};

const all = () => Object.keys(localStorage).filter((each) => each.startsWith(PREFIX));
const tabOf = (key) => key.slice(0, key.indexOf(":", PREFIX.length) + 1);
export const keyOf = (part) => OWN + part;
export const partOf = (key) => key.slice(tabOf(key).length);
export const isLeft = (key) => tabOf(key) !== OWN;
export const text = (key) => texts.get(key) ?? localStorage.getItem(key);

export function enter() {
  navigator.locks?.request(OWN, () => new Promise((done) => (leave = done)));
}

export const exit = () => leave();

// Where a browser tells nobody who lives (without https), other tabs count as closed.
export async function left() {
  const locks = await navigator.locks?.query();
  const living = new Set(locks?.held.map((each) => each.name));
  return all().filter((each) => !isLeft(each) || !living.has(tabOf(each)));
}

export function remember(key, form) {
  texts.set(key, form.toString());
  try {
    localStorage.setItem(key, form.toString());
  } catch {
    // The storage is full or forbidden: the page itself still has the text.
  }
}

export function drop(key) {
  texts.delete(key);
  localStorage.removeItem(key);
}

export const dropAll = () => [...texts.keys(), ...all()].forEach(drop);
