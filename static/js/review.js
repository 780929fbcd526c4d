// The review queue by keyboard. A key presses what the page has: every key has a button, and without script the
// buttons are forms and links.
import { choose, extend, remember, restore } from "./review/choosing.js";
import { heed } from "./review/reserving.js";

const TYPED = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";
const DECIDES = ["a", "e", "r", "d", "u"];

let busy = 0; // requests under way: what is on the page is about to change
let shown = null; // the proposal that is open

const opened = () => document.querySelector(".decision details[open]");
const row = (pk) => document.querySelector(`[data-row="${pk}"]`);
const proposal = () => document.querySelector("#proposal")?.dataset.proposal;

// Of two buttons with one key the later one is meant: a message's "Undo" names what it takes back.
function press(key) {
  const buttons = [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)];
  const found = buttons.findLast((each) => each.checkVisibility());
  if (found?.disabled) return explain(found);
  found?.click();
  const details = found?.closest("details");
  if (details?.open && found.matches("summary")) begin(details);
  return Boolean(found);
}

// What can't be done says why.
function explain(button) {
  document.getElementById(button.getAttribute("aria-describedby"))?.focus();
  return true;
}

const opens = (key) => document.querySelector(`summary[data-key="${CSS.escape(key)}"]`);

// A form that opens takes the focus: its field, or the radio that is chosen.
function begin(details) {
  const field = details.querySelector(":checked[type=radio]") ?? details.querySelector("[data-first]");
  field?.focus();
  if (field?.matches("input:not([type])")) field.select();
}

function pick(number) {
  const radio = opened()?.querySelectorAll("[type=radio]")[number - 1];
  if (!radio) return false;
  radio.checked = true;
  radio.focus();
  return true;
}

function close() {
  const details = opened();
  if (!details) return false;
  details.open = false;
  details.querySelector("summary").focus();
  return true;
}

// Where no proposal shows beside the queue, the first one opens.
function first() {
  const link = document.querySelector("[data-row] a");
  if (proposal() || !link?.checkVisibility()) return false;
  link.click();
  return true;
}

function acts(event) {
  const key = event.key;
  if (key === "Escape") return close();
  if (event.target.closest(TYPED)) return false;
  if (/^[1-9]$/.test(key)) return pick(Number(key));
  if (opened() && !opens(key)) return false; // the form that is open has its own button
  if (DECIDES.includes(key) && busy) return true;
  if (key === "J" || key === "K") return !extend(row(proposal()), key === "J") || press(key.toLowerCase());
  if (key === "x") return choose(row(proposal()));
  if (key === "/") {
    document.querySelector("[data-focus='/']")?.focus();
    return true;
  }
  return press(key) || (key === "j" && first());
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  if (document.querySelector("[popover]:popover-open") && event.key !== "?") return;
  if (acts(event)) event.preventDefault();
});

// The row of the proposal that is open is marked, and in view; what is read next gets the focus.
function follow() {
  const pk = proposal();
  shown = pk;
  for (const each of document.querySelectorAll("[data-row][aria-current]")) each.removeAttribute("aria-current");
  const current = pk && row(pk);
  current?.setAttribute("aria-current", "true");
  current?.scrollIntoView({ block: "nearest" });
  heed();
}

document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (!detail.target.matches("#review, #proposal")) return;
  busy += 1;
  detail.xhr.addEventListener("loadend", () => { // however it ends, and whether its part is still on the page
    busy -= 1;
  });
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "review" || !event.detail.shouldSwap) return;
  remember();
  const details = opened();
  if (details) details.open = false; // or the browser closes the one that comes: of one name only one is open
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (!event.detail.elt.matches("#review, #proposal")) return;
  const before = shown;
  restore();
  follow();
  if (shown !== before) scrollTo(0, 0); // what is read next begins with its statement
  const details = opened();
  if (details) begin(details);
  else if (proposal() && !document.activeElement.matches(TYPED)) {
    document.querySelector("#statement").focus({ preventScroll: true });
  }
});
document.addEventListener("htmx:historyRestore", follow);

follow();
