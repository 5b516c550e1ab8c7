/* The clocks of a lesson: the time that is left (`data-seconds`), and the time since the class began to solve
   a board together, or since the start of a run (`data-elapsed`). A clock with `data-held` stands still. */

import { clockTime } from "./browser.js";

/* The clock counts from the moment at which the server's answer came, so that the clock of this
   computer need not be right. */

/** @type {WeakMap<Element, { seconds: string, endsAt: number }>} */
const clocks = new WeakMap();

export function tick() {
  for (const clock of document.querySelectorAll("[data-elapsed]")) {
    const begun = clock.dataset.elapsed ?? "0";
    let known = clocks.get(clock);
    if (known?.seconds !== begun) {
      known = { seconds: begun, endsAt: Date.now() - Number(begun) };
      clocks.set(clock, known);
    }
    showTime(clock, Math.floor((Date.now() - known.endsAt) / 1000));
  }
  for (const clock of document.querySelectorAll("[data-seconds]")) {
    const seconds = clock.dataset.seconds ?? "0";
    let known = clocks.get(clock);
    if (known?.seconds !== seconds) {
      known = { seconds, endsAt: Date.now() + Number(seconds) * 1000 };
      clocks.set(clock, known);
    }
    const runs = "held" in clock.dataset ? Number(seconds) : (known.endsAt - Date.now()) / 1000;
    const left = Math.max(0, Math.round(runs));
    showTime(clock, left);
    clock.classList.toggle("is-up", left === 0);
  }
}

/**
 * @param {Element} clock
 * @param {number} seconds
 */
function showTime(clock, seconds) {
  const text = clockTime(seconds);
  if (clock.textContent !== text) clock.textContent = text;
}
