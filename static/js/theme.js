// The theme of this browser: the system's, light or dark. Loaded in <head>, so that no page flashes.
const THEMES = ["system", "light", "dark"];

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function saved() {
  const theme = localStorage.getItem("theme");
  return THEMES.includes(theme) ? theme : "system";
}

apply(saved());

document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("[data-theme-toggle]")) {
    const label = button.querySelector("[data-theme-name]");
    label.textContent = saved();
    button.hidden = false;
    button.addEventListener("click", () => {
      const next = THEMES[(THEMES.indexOf(saved()) + 1) % THEMES.length];
      localStorage.setItem("theme", next);
      apply(next);
      label.textContent = next;
    });
  }
});
