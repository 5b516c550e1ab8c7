/* Signs a student out on a shared computer after the class's idle time, so that the student's work
   leaves the screen. The server measures the idle time of the session by itself. */

document.addEventListener("DOMContentLoaded", () => {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("[data-idle]");
  if (!form) return;
  const wait = 1000 * Number(form.dataset.idle);
  let last = Date.now();
  for (const sign of ["pointerdown", "pointermove", "keydown", "scroll"])
    document.addEventListener(sign, () => (last = Date.now()), { passive: true, capture: true });
  setInterval(() => {
    if (Date.now() - last >= wait) form.requestSubmit();
  }, 1000);
});
