// A switch saves itself; without script its form has a button.
document.addEventListener("change", (event) => {
  event.target.closest("form[data-submit-on-change]")?.requestSubmit();
});
