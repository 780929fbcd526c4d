// The composer: Ctrl+Enter sends, and what was sent leaves the field once the server has it.
"use strict";
document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("#composer");
  if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.target.id !== "composer" || !event.detail.successful) return;
  document.querySelectorAll(".turn[aria-current]").forEach((turn) => turn.removeAttribute("aria-current"));
  document.querySelector("#turn-list > li:last-of-type .turn")?.setAttribute("aria-current", "true");
  document.querySelector(".begin")?.remove();
  event.target.querySelector("textarea").value = "";
  event.target.querySelector("textarea").focus();
});
// A stage's link opens it.
addEventListener("hashchange", () => {
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  if (target?.tagName === "DETAILS") target.open = true;
});
// The chat shows the turn whose trace stands beside it, also when that isn't the newest.
addEventListener("load", () => {
  const pane = document.getElementById("turns");
  const turn = document.querySelector(".turn[aria-current]");
  if (turn) pane.scrollTop += Math.min(0, turn.getBoundingClientRect().top - pane.getBoundingClientRect().top);
});
