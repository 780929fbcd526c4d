// Who reads a proposal says so when it is opened, and every 30 s while it shows; who leaves lets go of it.
const BEAT = 30_000; // ms; a reservation holds two minutes

let mine = null; // the proposal that this page reads, and where it lets go of it

const opened = () => document.querySelector("#proposal[data-reserve]");

function reserve() {
  const place = document.querySelector("#reservation");
  if (!mine || !place?.checkVisibility() || document.visibilityState !== "visible") return;
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

addEventListener("pagehide", () => {
  if (mine) release();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) reserve();
});
document.addEventListener("visibilitychange", reserve);
setInterval(reserve, BEAT);
