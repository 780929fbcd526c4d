// A click on a link of the drawn graph changes the graph in place; without script the link leads to the same page.
// htmx doesn't take over links inside of an SVG by itself.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  const target = link?.closest("[data-swapped]");
  if (!target || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  htmx.ajax("GET", link.getAttribute("href"), { source: link, target, swap: "outerHTML" });
});
