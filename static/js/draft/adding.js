// New facts, until they are in the draft: what stands in the fields for them is kept for as long as this tab is open.
import { PREFIX } from "./copies.js";
import { beside, takeAway } from "./notices.js";
import { post, say } from "./page.js";

let failed = null; // what was said of it
let adding = false;

const keyOf = (field) => `${PREFIX}keeps:${field.dataset.keeps}`;
const keepers = (form) => form.querySelectorAll("[data-keeps]");

export function keepTyped(field) {
  if (field.dataset.keeps) sessionStorage.setItem(keyOf(field), field.value);
}

export function putBack() {
  for (const field of keepers(document)) {
    field.value ||= sessionStorage.getItem(keyOf(field)) ?? "";
    const fold = field.closest("details");
    if (fold && field.value && field.name === "text") fold.open = true;
  }
}

// By itself, so that the page with the text stays where it fails.
export async function add(form, button) {
  if (adding) return;
  adding = true;
  say("Adding", "");
  try {
    const sent = new URLSearchParams(new FormData(form, button));
    await answered(form, await post(form.action, sent));
  } catch {
    say("Not added: no connection. Your text is kept here; try again.", "bad");
  } finally {
    adding = false;
  }
}

async function answered(form, answer) {
  if (failed) takeAway(failed);
  failed = null;
  if (answer.headers.has("X-Next")) {
    for (const field of keepers(form)) sessionStorage.removeItem(keyOf(field));
    location.href = answer.headers.get("X-Next");
  } else if (answer.status === 422) {
    say("Not added: see below", "bad");
    failed = beside("new fact");
    failed.innerHTML = await answer.text();
  } else say(`Not added: ${why(answer)}. Your text is kept here.`, "bad");
}

function why(answer) {
  if (answer.type === "opaqueredirect" || answer.status === 401) return "sign in again in another tab, then try again";
  if (answer.status === 429 || answer.status >= 500) return "the server is busy. Try again in a moment";
  if (answer.status === 409) return "another tab is editing. Take over, or wait a minute";
  if (answer.status === 403) return "you can no longer edit this character, or you were signed out. Reload this page";
  return "check the text";
}

// Several lines pasted where one fact is added: they are many facts.
export function pasted(event) {
  const text = event.clipboardData?.getData("text") ?? "";
  if (!event.target.matches("[data-pastes]") || !text.trim().includes("\n")) return;
  event.preventDefault();
  const paste = document.getElementById("paste");
  const field = paste.querySelector("textarea");
  paste.open = true;
  field.value = text;
  keepTyped(field);
  paste.querySelector("button").focus();
}
