// Choosing proposals for a bulk decision: by key, by a range, and kept while the queue is loaded anew.
const BOX = "[name=chosen]";

let last = null; // the box that was pressed last, where a range begins
let kept = null; // what was chosen, and how far the list was scrolled

const list = () => document.querySelector("#chosen > ol");
const boxes = () => [...(list()?.querySelectorAll(BOX) ?? [])];
const pk = (box) => box.value.split(":")[0];

export function choose(row) {
  const box = row?.querySelector(BOX);
  if (!box?.checkVisibility() || box.disabled) return false; // nobody chooses what they can't see
  box.checked = !box.checked;
  last = pk(box);
  return true;
}

// Choose this row and the one that follows; false where the list ends, or shows no row to choose.
export function extend(row, down) {
  const next = down ? row?.nextElementSibling : row?.previousElementSibling;
  for (const each of [row, next]) {
    const box = each?.querySelector(BOX);
    if (box?.checkVisibility() && !box.disabled) box.checked = true;
  }
  return Boolean(next?.checkVisibility());
}

document.addEventListener("click", (event) => {
  const box = event.target.closest?.(`#chosen ${BOX}`);
  if (!box) return;
  const all = boxes();
  const from = all.findIndex((each) => pk(each) === last);
  if (event.shiftKey && from >= 0) {
    const [low, high] = [from, all.indexOf(box)].sort((a, b) => a - b);
    for (const each of all.slice(low, high + 1)) if (!each.disabled) each.checked = box.checked;
  }
  last = pk(box);
});

export function remember() {
  const chosen = boxes().filter((box) => box.checked);
  kept = { top: list()?.scrollTop ?? 0, chosen: new Set(chosen.map(pk)) };
}

export function restore() {
  if (!kept) return;
  for (const box of boxes()) if (kept.chosen.has(pk(box)) && !box.disabled) box.checked = true;
  if (list()) list().scrollTop = kept.top;
  kept = null;
}
