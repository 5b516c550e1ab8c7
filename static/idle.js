/* On a shared computer: who does nothing for the class's time is signed out, and the page goes away
   with the student's work. The server counts for itself; this is for what stands on the screen. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("[data-idle]");
  if (!form) return;
  const wait = 1000 * form.dataset.idle;
  let last = Date.now();
  for (const sign of ["pointerdown", "pointermove", "keydown", "scroll"])
    document.addEventListener(sign, () => (last = Date.now()), { passive: true, capture: true });
  setInterval(() => {
    if (Date.now() - last >= wait) form.requestSubmit();
  }, 1000);
});
