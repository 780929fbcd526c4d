// What the page shows of the draft besides its fields: the panel above them, and how each row stands to what is live.
import { partNamed } from "./page.js";

const COLOURS = { added: "good", changed: "warn" };

// Without closing what is open or taking the focus away.
export function showPanel(html) {
  const panel = document.getElementById("draft");
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("draft");
  if (!panel || !fresh) return;
  fresh.open = panel.open;
  const same = panel.dataset.version === fresh.dataset.version;
  if (same && panel.open) panel.querySelector("summary").replaceWith(fresh.querySelector("summary"));
  else if (!panel.contains(document.activeElement)) panel.replaceWith(fresh);
}

export async function askForPanel() {
  const panel = document.getElementById("draft");
  if (!panel || document.hidden) return;
  try {
    const answer = await fetch(panel.dataset.panel, { redirect: "manual" });
    if (answer.ok) showPanel(await answer.text());
  } catch {
    // The next look says more; saving says so when it fails.
  }
}

export function showStates(answer) {
  for (const [name, state] of Object.entries(JSON.parse(answer.headers.get("X-States") ?? "{}"))) {
    const row = partNamed(name);
    if (row?.tagName === "TR") showState(row, state);
  }
}

function showState(row, state) {
  row.querySelector("[data-change]")?.remove();
  delete row.dataset.state;
  if (!(state in COLOURS)) return;
  row.dataset.state = COLOURS[state];
  const tag = Object.assign(document.createElement("span"), { className: "tag", textContent: state });
  Object.assign(tag.dataset, { state: COLOURS[state], change: "" });
  row.querySelector(".tags").prepend(tag);
}
