/* A stepper, which plays step after step when its button is pressed and stops at the last step. The
   button stays hidden for readers who prefer less motion. They can choose the steps themselves. */

(() => {
  const STEP_MS = 2200;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  for (const stepper of document.querySelectorAll("[data-stepper]")) {
    const button = /** @type {HTMLButtonElement} */ (stepper.querySelector("[data-run]"));
    /** @type {NodeListOf<HTMLInputElement>} */
    const radios = stepper.querySelectorAll('input[type="radio"]');
    const steps = [...radios];
    const show = () => {
      button.hidden = still.matches;
    };
    /** @type {number | undefined} */
    let timer;

    const stop = () => {
      clearInterval(timer);
      timer = undefined;
      button.setAttribute("aria-pressed", "false");
    };

    const step = () => {
      const next = steps.findIndex((radio) => radio.checked) + 1;
      if (next < steps.length) steps[next].checked = true;
      if (next >= steps.length - 1) stop();
    };

    button.addEventListener("click", () => {
      if (timer) return stop();
      button.setAttribute("aria-pressed", "true");
      if (steps.at(-1)?.checked) steps[0].checked = true;
      else step();
      if (!steps.at(-1)?.checked) timer = setInterval(step, STEP_MS);
    });
    stepper.addEventListener("change", stop);
    still.addEventListener("change", () => {
      stop();
      show();
    });
    show();
  }
})();
