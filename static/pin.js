/* A student's sign-in: keys on the screen for the PIN, which is sent when it is complete; a countdown
   until a lock opens; and the page of a card, which sends itself. The keyboard works as well,
   wherever the focus is. */

import { clockTime, visit } from "./browser.js";

document.addEventListener("DOMContentLoaded", () => {
  /** @type {HTMLFormElement | null} */
  const ready = document.querySelector("[data-at-once]");
  ready?.requestSubmit();
  const clock = document.querySelector("[data-countdown]");
  if (clock) countDown(clock);
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("[data-pin]");
  if (form) readPin(form);
});

/** @param {Element} clock */
function countDown(clock) {
  const end = Date.now() + 1000 * Number(clock.dataset.countdown);
  clock.hidden = false;
  const show = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    clock.textContent = clockTime(left);
    if (left) setTimeout(show, 250);
    else location.replace(document.querySelector("[data-again]")?.getAttribute("href") ?? "");
  };
  show();
}

/** @param {HTMLFormElement} form */
function readPin(form) {
  const DIGITS = 4;
  const pin = /** @type {HTMLInputElement} */ (form.elements.pin);
  let isSent = false;

  const pad = form.querySelector("[data-pad]");
  if (pad) pad.hidden = false;

  const submitWhenComplete = () => {
    const typed = pin.value.normalize("NFKC").replace(/\s/g, "");
    if (isSent || !new RegExp(`^[0-9]{${DIGITS}}$`).test(typed)) return;
    form.requestSubmit();
  };
  /** @param {string} digit */
  const addDigit = (digit) => {
    if (isSent || pin.value.length >= DIGITS) return;
    pin.value += digit;
    submitWhenComplete();
  };
  const eraseDigit = () => (pin.value = pin.value.slice(0, -1));

  // Enter after the fourth digit must not send the form twice.
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });

  form.addEventListener("click", (event) => {
    const key = event.target?.closest("[data-digit], [data-rub]");
    if (!key) return;
    if (key.dataset.digit) addDigit(key.dataset.digit);
    else eraseDigit();
  });

  // Do not send the PIN while an input method is still composing the digits.
  pin.addEventListener(
    "input",
    (event) => /** @type {InputEvent} */ (event).isComposing || submitWhenComplete(),
  );
  pin.addEventListener("compositionend", submitWhenComplete);

  document.addEventListener("keydown", (event) => {
    if (event.target === pin || event.ctrlKey || event.altKey || event.metaKey) return;
    if (/^[0-9]$/.test(event.key)) addDigit(event.key);
    else if (event.key === "Backspace") eraseDigit();
  });

  // What is typed while the page is still loading is kept. A page to which the Back button returns
  // must not contain the PIN: a browser may put it back into the field.
  const isBack = visit()?.type === "back_forward";
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!isBack && !persisted) return;
    pin.value = "";
    isSent = false;
  });
  if (!isBack) submitWhenComplete();
}
