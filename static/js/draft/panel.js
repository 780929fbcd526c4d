// What the page shows of the draft besides its fields: who writes, the panel above them, and how each row stands to what
// is live.
import { editor, partNamed } from "./page.js";
import { TAB } from "./tab.js";

const COLOURS = { added: "good", changed: "warn" };
const WRITES = /\/(edit|publish|discard)\//; // in the address of a form
let locked = false;

export const isLocked = () => locked;

// The version that it is of. Without closing what is open or taking the focus away.
export function showPanel(html, isRefused = false) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const [writer, panel] = ["writer", "draft"].map((id) => document.getElementById(id));
  const [freshWriter, fresh] = ["writer", "draft"].map((id) => page.getElementById(id));
  if (writer.textContent !== freshWriter.textContent || writer.dataset.tab !== freshWriter.dataset.tab) writer.replaceWith(freshWriter);
  if (panel) {
    fresh.open = panel.open;
    const same = panel.dataset.version === fresh.dataset.version;
    if (same && panel.open) panel.querySelector("summary").replaceWith(fresh.querySelector("summary"));
    else if (!panel.contains(document.activeElement)) panel.replaceWith(fresh);
  }
  for (const [name, state] of Object.entries(JSON.parse(fresh.dataset.states))) showState(partNamed(name), state);
  stand(isRefused);
  return Number(fresh.dataset.version);
}

// Where another tab writes, this one only reads.
export function stand(isRefused = false) {
  const writer = document.getElementById("writer");
  const isTheirs = "tab" in writer.dataset && writer.dataset.tab !== TAB;
  if (isTheirs) delete writer.dataset.own;
  locked = isTheirs || isRefused;
  for (const field of editor.querySelectorAll("input:not([type=hidden]), textarea, select, button")) {
    if (!WRITES.test(field.form?.getAttribute("action")) || writer.contains(field)) continue;
    if (field.matches("textarea, input:not([type=checkbox], [type=radio])")) field.readOnly = locked;
    else field.disabled = locked;
  }
}

export async function askForPanel() {
  const answer = await fetch(`${editor.dataset.panel}?tab=${TAB}`, { redirect: "manual" });
  return answer.ok ? answer.text() : "";
}

function showState(row, state) {
  if (row?.tagName !== "TR") return;
  row.querySelector("[data-change]")?.remove();
  delete row.dataset.state;
  if (!(state in COLOURS)) return;
  row.dataset.state = COLOURS[state];
  const tag = Object.assign(document.createElement("span"), { className: "tag", textContent: state });
  Object.assign(tag.dataset, { state: COLOURS[state], change: "" });
  row.querySelector(".tags").prepend(tag);
}
