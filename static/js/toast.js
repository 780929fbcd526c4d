// A message leaves when its button is pressed; without script it leaves with the page.
document.addEventListener("click", (event) => {
  event.target.closest("[data-dismiss]")?.closest(".toast").remove();
});

// What a part of a page asked for and didn't get: said where no part of the page says it itself.
const LATE = "Nothing was done: you have signed out, or in again, since this page was loaded. Reload it.";
const AWAY = "The server doesn’t answer, so nothing was done. Try again in a moment.";
const WRONG = "Something went wrong, and nothing was shown. Reload the page to see how it stands.";

function say(text) {
  const place = document.querySelector("#messages");
  const toast = Object.assign(document.createElement("p"), { className: "toast", textContent: text });
  toast.dataset.state = "bad";
  place?.replaceChildren(toast);
}

document.addEventListener("htmx:responseError", ({ detail }) => {
  if (!detail.shouldSwap) say(detail.xhr.status === 403 ? LATE : WRONG);
});
document.addEventListener("htmx:sendError", () => say(AWAY));
