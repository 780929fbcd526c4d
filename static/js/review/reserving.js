// Who reads a proposal says so when it is opened, and every 30 s while it shows; who leaves, or touches nothing for
// five minutes, lets go of it.
const BEAT = 30_000; // ms; a reservation holds two minutes
const IDLE = 5 * 60_000; // ms

let mine = null; // the proposal that this page reads, and where it says so and lets go of it
let touched = Date.now();
let away = false;
let sent = Promise.resolve(); // everything so far

const opened = () => document.querySelector("#proposal[data-reserve]");

// What is sent waits for the answer to what was sent before: a slow beat would take again what was let go of after it.
function inOrder(send) {
  sent = sent.then(send).catch(() => {}); // the next beat says it again
}

const reserve = () => inOrder(sendReserve);

function sendReserve() {
  const place = document.querySelector("#reservation");
  if (!mine || away || !place?.checkVisibility() || document.visibilityState !== "visible") return null;
  return htmx.ajax("POST", mine.reserve, { source: place, target: place, swap: "outerHTML" });
}

function sendRelease({ release }) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  return fetch(release, { method: "POST", body, keepalive: true }); // goes on when the page is left
}

// Another proposal is open now, or none.
export function heed() {
  const now = opened()?.dataset;
  if (now?.proposal === mine?.proposal) return;
  const before = mine;
  mine = now ? { ...now } : null;
  if (before) inOrder(() => sendRelease(before));
  reserve();
}

function touch() {
  touched = Date.now();
  if (!away) return;
  away = false;
  reserve();
}

async function leave() {
  if (!mine) return;
  await sendRelease(mine);
  document.querySelector("#reservation")?.replaceChildren();
}

function beat() {
  if (Date.now() - touched < IDLE) return reserve();
  if (!away) inOrder(leave);
  away = true;
}

addEventListener("pagehide", () => {
  if (mine) sendRelease(mine);
});
addEventListener("pageshow", (event) => {
  if (event.persisted) reserve();
});
document.addEventListener("visibilitychange", reserve);
for (const event of ["keydown", "pointerdown", "pointermove", "wheel"]) {
  document.addEventListener(event, touch, { passive: true });
}
setInterval(beat, BEAT);
