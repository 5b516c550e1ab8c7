/* A stepper plays by itself when asked to, step after step, and stops at the last one. Where
   people want less motion the button stays hidden: the steps are there to press. */
"use strict";

(() => {
  const STEP_MS = 2200;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  for (const stepper of document.querySelectorAll("[data-stepper]")) {
    const button = stepper.querySelector("[data-run]");
    const steps = [...stepper.querySelectorAll('input[type="radio"]')];
    const show = () => {
      button.hidden = still.matches;
    };
    let timer = null;

    const stop = () => {
      clearInterval(timer);
      timer = null;
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
      if (steps.at(-1).checked) steps[0].checked = true;
      else step();
      if (!steps.at(-1).checked) timer = setInterval(step, STEP_MS);
    });
    stepper.addEventListener("change", stop);
    still.addEventListener("change", () => {
      stop();
      show();
    });
    show();
  }
})();
