// Which browser tab this is: every form that may write a draft says so. The name is put away while its page lives, so
// that a copy of the tab finds none and is a tab of its own.
const KEY = "tab";
export const random = () => Math.random().toString(36).slice(2);
export const TAB = sessionStorage.getItem(KEY) ?? random();
sessionStorage.removeItem(KEY);

addEventListener("pagehide", () => sessionStorage.setItem(KEY, TAB));
document.addEventListener("formdata", ({ target, formData }) => target.method === "post" && formData.set("tab", TAB));
