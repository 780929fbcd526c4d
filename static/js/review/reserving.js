// Who reads a proposal says so when it is opened, and every 30 s while it shows; who leaves, or touches nothing for
// five minutes, lets go of it.
const BEAT = 30_000; // ms; a reservation holds two minutes
const IDLE = 5 * 60_000; // ms

let mine = null; // the proposal that this page reads, and where it lets go of it
let touched = Date.now();
let away = false;

const opened = () => document.querySelector("#proposal[data-reserve]");

function reserve() {
  const place = document.querySelector("#reservation");
  if (!mine || away || !place?.checkVisibility() || document.visibilityState !== "visible") return;
  htmx.ajax("POST", opened().dataset.reserve, { source: place, target: place, swap: "outerHTML" });
}

function release() {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
  navigator.sendBeacon(mine.release, body);
}

// Another proposal is open now, or none.
export function heed() {
  const { proposal, release: where } = opened()?.dataset ?? {};
  if (proposal === mine?.proposal) return;
  if (mine) release();
  mine = proposal ? { proposal, release: where } : null;
  reserve();
}

function touch() {
  touched = Date.now();
  if (!away) return;
  away = false;
  reserve();
}

function beat() {
  if (Date.now() - touched < IDLE) return reserve();
  if (mine && !away) {
    release();
    document.querySelector("#reservation")?.replaceChildren();
  }
  away = true;
}

addEventListener("pagehide", () => {
  if (mine) release();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) reserve();
});
document.addEventListener("visibilitychange", reserve);
for (const event of ["keydown", "pointerdown", "pointermove", "wheel"]) {
  document.addEventListener(event, touch, { passive: true });
}
setInterval(beat, BEAT);
