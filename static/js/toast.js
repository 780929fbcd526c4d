// A message leaves when its button is pressed; without script it leaves with the page.
document.addEventListener("click", (event) => {
  event.target.closest("[data-dismiss]")?.closest(".toast").remove();
});
