/* A student's sign-in: keys on the screen for the PIN, which goes on by itself when it is whole; the
   time until a lock opens, counted down; a card's page that sends itself. The keyboard works as
   well, wherever the focus is. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  document.querySelector("[data-at-once]")?.requestSubmit();
  const clock = document.querySelector("[data-countdown]");
  if (clock) countDown(clock);
  const form = document.querySelector("[data-pin]");
  if (form) readPin(form);
});

function countDown(clock) {
  const end = Date.now() + 1000 * clock.dataset.countdown;
  clock.hidden = false;
  const show = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left) setTimeout(show, 250);
    else location.replace(document.querySelector("[data-again]").href);
  };
  show();
}

function readPin(form) {
  const DIGITS = 4;
  const pin = form.elements.pin;
  let isSent = false;

  form.querySelector("[data-pad]").hidden = false;

  const goOn = () => {
    const typed = pin.value.normalize("NFKC").replace(/\s/g, "");
    if (isSent || !new RegExp(`^[0-9]{${DIGITS}}$`).test(typed)) return;
    form.requestSubmit();
  };
  const add = (digit) => {
    if (isSent || pin.value.length >= DIGITS) return;
    pin.value += digit;
    goOn();
  };
  const rub = () => (pin.value = pin.value.slice(0, -1));

  // Enter after the fourth digit sends nothing twice.
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });

  form.addEventListener("click", (event) => {
    const key = event.target.closest("[data-digit], [data-rub]");
    if (!key) return;
    if (key.dataset.digit) add(key.dataset.digit);
    else rub();
  });

  // Not while an input method is still at work on the digits.
  pin.addEventListener("input", (event) => event.isComposing || goOn());
  pin.addEventListener("compositionend", goOn);

  document.addEventListener("keydown", (event) => {
    if (event.target === pin || event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[0-9]$/.test(event.key)) add(event.key);
    else if (event.key === "Backspace") rub();
  });

  // A page that comes back by the Back button brings no PIN with it.
  window.addEventListener("pageshow", () => {
    pin.value = "";
    isSent = false;
  });
}
