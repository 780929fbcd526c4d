// What was typed on pages that are closed. A copy that arrived is done with, whatever became of it since; one whose part
// is as it was is sent; about any other the author is asked, and nothing is written over.
import * as copies from "./copies.js";
import { fill, isShown, isUpToDate, told } from "./fields.js";
import { offer, takeAway } from "./notices.js";
import { YAML, editor, isHere, say } from "./page.js";
import { isFree, keep, offered, sayHowItStands } from "./saving.js";

export async function restore() {
  for (const [key, place] of offered) withdraw(key, place);
  const found = (await copies.left()).filter((each) => !offered.has(each));
  found.forEach(restored);
  if (offered.size) sayHowItStands();
  else if (copies.ofOthers().length && isFree(YAML)) say("Something typed in another tab of this editor isn’t saved yet.", "warn");
}

// It arrived since, a little after its page was closed; or the question was answered in another tab.
function withdraw(key, place) {
  if (copies.isThere(key) && !isDone(key)) return;
  offered.delete(key);
  takeAway(place);
  sayHowItStands();
}

function isDone(key) {
  const name = copies.opened(key).get("copy");
  const arrived = copies.hasArrived(name);
  if (arrived) {
    copies.drop(key);
    copies.noted(name);
  }
  return arrived;
}

function restored(key) {
  if (isDone(key)) return;
  const name = copies.partOf(key);
  const form = copies.opened(key);
  if (!isHere(name)) restoredElsewhere(key, name, form);
  else if (isShown(name, form) && isFree(name)) copies.drop(key);
  else if (isFree(name) && isUpToDate(name, form)) {
    copies.drop(key);
    fill(name, form);
    keep(name, form);
  } else ask(key, name, form, "Use it");
}

// The server tells whether the part is as it was. The whole text isn't sent from another page: it may have an error.
function restoredElsewhere(key, name, form) {
  if (name === YAML) return ask(key, name, form, "Open the YAML");
  if (!isFree(name)) return;
  copies.drop(key);
  keep(name, form);
}

function ask(key, name, form, label) {
  const done = (then) => () => {
    offered.delete(key);
    then();
    sayHowItStands();
  };
  const why = isHere(name) ? "The draft has another text by now." : "It was typed as YAML.";
  const place = offer(name, told(form), why, [
    [label, done(() => (isHere(name) ? use(key, name, form) : (location.href = editor.dataset.yamlPage)))],
    ["Let it go", done(() => copies.drop(key))],
  ]);
  offered.set(key, place);
}

function use(key, name, form) {
  copies.drop(key);
  fill(name, form);
  keep(name);
}
