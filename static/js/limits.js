// A text over its limit is said at once, and isn't sent; `maxlength` would cut what is pasted without a word.
const inWords = (number) => number.toLocaleString("en");

document.addEventListener("input", (event) => {
  const { target } = event;
  const most = Number(target.dataset?.most);
  if (!most) return;
  const length = [...target.value].length; // characters as the server counts them
  const sentence = `This has ${inWords(length)} characters; at most ${inWords(most)} are allowed. Shorten it.`;
  const wasOver = target.validity.customError;
  target.setCustomValidity(length > most ? sentence : "");
  if (length > most && !wasOver) target.reportValidity();
});
