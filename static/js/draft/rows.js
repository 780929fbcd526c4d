// Rows of the facts' table by keyboard, and where the focus goes when the page comes back.
import { PREFIX } from "./copies.js";
import { editor, partNamed, post, say } from "./page.js";
import { isLocked, showPanel } from "./panel.js";
import { queue } from "./saving.js";

const FOCUS = `${PREFIX}focus`;

const shown = () => [...document.querySelectorAll("tr.fact[data-part]")];
const idOf = (row) => row.dataset.part.slice("fact:".length);
const beside = (row, step) => shown()[shown().indexOf(row) + step];

// Alt and an arrow moves a row, Alt+Delete removes it.
export function keys(event) {
  if (event.isComposing) return;
  const row = !isLocked() && event.target.closest?.("tr.fact[data-part]");
  if (!row) return shortcut(event);
  if (event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) move(row, event.key === "ArrowUp");
  else if (event.altKey && event.key === "Delete") row.querySelector('button[name="remove"]').click();
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
  const other = beside(row, up ? -1 : 1);
  if (other?.parentElement !== row.parentElement) return sayEdge(row, up);
  if (up) other.before(row);
  else other.after(row);
  row.querySelector("textarea").focus();
  const form = new URLSearchParams({ [up ? "up" : "down"]: idOf(row), beside: idOf(other) });
  queue(() => saveMove(form));
}

function sayEdge(row, up) {
  const family = row.parentElement.querySelector('[scope="rowgroup"]')?.textContent.trim();
  say(`This is already the ${up ? "first" : "last"} fact ${family ? `of “${family}” ` : ""}on this page.`, "");
}

async function saveMove(form) {
  say("Saving", "");
  try {
    const answer = await post(document.getElementById("rows").action, form);
    if (answer.ok) editor.dataset.version = showPanel(await answer.text());
    else say("The order wasn’t saved. Reload the page.", "bad");
  } catch {
    say("The order wasn’t saved: no connection. Reload the page.", "bad");
  }
}

// A row is about to be removed: the next one is where to go on, else the one before it, else where one is added.
export function leaving(button) {
  const row = button?.name === "remove" && button.closest("tr.fact[data-part]");
  if (row) sessionStorage.setItem(FOCUS, (beside(row, 1) ?? beside(row, -1))?.dataset.part ?? "");
}

// To the row that the address names, or that stood beside a removed one.
export function goOn() {
  const wanted = document.getElementById(location.hash.slice(1))?.closest("tr.fact");
  if (wanted) wanted.querySelector("textarea").focus();
  else if (sessionStorage.getItem(FOCUS) !== null) focusBeside(sessionStorage.getItem(FOCUS));
  sessionStorage.removeItem(FOCUS);
}

function focusBeside(name) {
  const row = name && partNamed(name);
  (row ? row.querySelector("textarea") : document.querySelector("#add input:not([type=hidden])"))?.focus();
}
