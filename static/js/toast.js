// A message leaves when its button is pressed; without script it leaves with the page.
document.addEventListener("click", (event) => {
  event.target.closest("[data-dismiss]")?.closest(".toast").remove();
});

// What a part of a page asked for and didn't get: said where no part of the page says it itself.
const LATE = "Nothing was done: you signed out or in again since this page was loaded. Reload it.";
const OUT = "You are signed out, so nothing was done. Copy what you typed before you ";
const AWAY = "The server doesn’t answer, so nothing was done. Try again in a moment.";
const WRONG = "Something went wrong, and nothing was shown. Reload the page.";

function say(text, ...after) {
  const place = document.querySelector("#messages");
  if (place?.firstElementChild?.dataset.said === text) return; // a part that asks every second says it once
  const toast = Object.assign(document.createElement("p"), { className: "toast" });
  Object.assign(toast.dataset, { state: "bad", said: text });
  const line = document.createElement("span");
  line.append(text, ...after);
  const dismiss = Object.assign(document.createElement("button"), { type: "button", className: "button plain tiny" });
  Object.assign(dismiss, { textContent: "×", ariaLabel: "Dismiss" });
  dismiss.dataset.dismiss = "";
  toast.append(line, dismiss);
  place?.replaceChildren(toast);
}

function signIn() {
  const back = encodeURIComponent(location.pathname + location.search);
  return Object.assign(document.createElement("a"), { href: `/login/?next=${back}`, textContent: "sign in again" });
}

// Whether an answer goes into the page is known before the swap, and nowhere after it.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.shouldSwap || !detail.isError) return;
  if (detail.xhr.status === 401) say(OUT, signIn(), ".");
  else say(detail.xhr.status === 403 ? LATE : WRONG);
});
document.addEventListener("htmx:sendError", () => say(AWAY));

// What is refused of one value is marked at its field, too, until somebody types there.
function mark() {
  const toast = document.querySelector("#messages [data-field]");
  const isAsked = (form) => form === document.activeElement?.form || form.getAttribute("action") === location.pathname;
  const forms = [...document.querySelectorAll("main form")].sort((one, other) => isAsked(other) - isAsked(one));
  const fields = toast ? forms.map((form) => form.elements[toast.dataset.field]) : [];
  const field = fields.find((each) => each?.matches?.("input:not([type=hidden]), textarea, select"));
  if (!field) return;
  toast.id = "refused";
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", toast.id);
  field.focus();
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"), { once: true });
}
document.addEventListener("DOMContentLoaded", mark);
document.addEventListener("htmx:oobAfterSwap", mark);
