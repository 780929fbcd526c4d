// The editor saves what is typed, part by part, a moment after the last key. What the server hasn't taken yet stays in
// this browser's storage, so that neither a lost connection nor a closed tab loses it. Here is what the author does.
import * as copies from "./draft/copies.js";
import { add, keepTyped, pasted, putBack } from "./draft/adding.js";
import { grow, marked, numbered } from "./draft/fields.js";
import { YAML, editor, say, yaml } from "./draft/page.js";
import { askForPanel, isLocked, showPanel, stand } from "./draft/panel.js";
import { goOn, keys, leaving } from "./draft/rows.js";
import { discard, flushAll, isBusy, isUnsaved, keep, sendBehind, sendLeft, sendNow } from "./draft/saving.js";

const LOOK = 5000; // ms between looks at who writes, and at what other tabs left
const confirmed = new WeakSet(); // buttons whose question was answered with yes

let leanly = false; // whether the form that is sent leaves out what was typed

function typed(event) {
  const field = event.target;
  if (event.type === "change" && !field.matches("select, [type=checkbox], [type=radio]")) return; // "input" told of it
  keepTyped(field);
  if (field.matches("[data-grows]") && field.value) grow(field);
  const isYaml = yaml?.contains(field);
  const name = isYaml ? YAML : field.closest("[data-part]")?.dataset.part;
  if (!name || (!isYaml && !field.name?.startsWith(`${name}/`))) return;
  if (isYaml) numbered();
  say("", "");
  keep(name);
}

// What was typed is saved by now, or can't be: a row's button needs no more than which row it is.
function lean(event) {
  if (leanly) [...event.formData.keys()].filter((name) => name.includes("/")).forEach((name) => event.formData.delete(name));
}

// Whatever else a form does, what was typed is saved first.
async function submitted(event) {
  const { target: form, submitter } = event;
  const asked = submitter?.dataset.confirm;
  if (asked && !confirmed.has(submitter) && !confirm(asked)) return event.preventDefault();
  if (asked) confirmed.add(submitter);
  if (form.matches("[data-discards]")) discard();
  leaving(submitter);
  leanly = submitter?.hasAttribute("formaction") ?? false;
  const byItself = submitter?.matches("[data-adds]");
  if (form === yaml || !(byItself || isBusy())) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  await flushAll();
  if (isUnsaved()) say("Not done: what you typed isn’t saved yet. Try again once it is.", "bad");
  else if (byItself) add(form, submitter);
  else form.requestSubmit(submitter);
}

async function followed(event) {
  const link = event.target.closest("a[href]");
  if (!link) return;
  const plain = !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!plain || !isBusy() || link.origin !== location.origin || link.getAttribute("href").startsWith("#")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  await flushAll();
  location.href = link.href;
}

// Who writes? What others wrote since is shown once they have ended.
async function look() {
  await sendLeft();
  if (document.hidden || isBusy()) return;
  try {
    const html = await askForPanel();
    if (!html || isBusy()) return;
    const version = showPanel(html);
    if (!isLocked() && version > Number(editor.dataset.version)) location.reload();
  } catch {
    // The next look says more; saving says so when it fails.
  }
}

document.addEventListener("input", typed);
document.addEventListener("change", typed);
document.addEventListener("keydown", keys);
document.addEventListener("paste", pasted);
document.addEventListener("submit", submitted, true);
document.addEventListener("formdata", lean);
document.addEventListener("click", followed, true);
addEventListener("pagehide", sendBehind);
addEventListener("pageshow", (event) => event.persisted && location.reload()); // others may have taken its copies
addEventListener("load", () => setTimeout(goOn)); // after the browser went to the fragment, which takes the focus away
addEventListener("online", sendNow);
if (yaml) {
  yaml.elements.yaml.addEventListener("scroll", () => (yaml.querySelector("ol").scrollTop = yaml.elements.yaml.scrollTop));
  numbered();
  marked(document.getElementById("unfit").textContent);
}
for (const button of document.querySelectorAll("[data-without-script]")) button.hidden = true;
putBack();
copies.enter();
stand();
look();
setInterval(look, LOOK);
document.addEventListener("visibilitychange", look);
