/* Keys on the screen for a student's PIN. The keyboard works as well, wherever the focus is. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("[data-pin]");
  if (!form) return;
  const pin = form.elements.pin;

  form.querySelector("[data-pad]").hidden = false;

  const add = (digit) => (pin.value += digit);
  const rub = () => (pin.value = pin.value.slice(0, -1));

  form.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit], [data-rub]");
    if (!key) return;
    if (key.dataset.digit) add(key.dataset.digit);
    else rub();
  });

  document.addEventListener("keydown", (event) => {
    if (event.target === pin || event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[0-9]$/.test(event.key)) add(event.key);
    else if (event.key === "Backspace") rub();
  });

  // A page that comes back by the Back button brings no PIN with it.
  window.addEventListener("pageshow", () => (pin.value = ""));
});
