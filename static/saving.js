/* A form whose answer takes a while (`data-saving`, the words for it): once it is sent its button says
   so, and can't be pressed again. Back finds it as it was. */
"use strict";

let sent = null;

document.addEventListener("submit", (event) => {
  const { saving } = event.target.dataset;
  if (!saving || event.defaultPrevented) return;
  if (sent) return event.preventDefault();
  const button = event.submitter ?? event.target.querySelector("button:not([type])");
  sent = { button, words: button.textContent };
  button.textContent = saving;
  button.setAttribute("aria-busy", "true");
  // Disabled at once, it would not be sent with the form.
  setTimeout(() => (button.disabled = true));
});

window.addEventListener("pageshow", () => {
  if (!sent) return;
  sent.button.textContent = sent.words;
  sent.button.removeAttribute("aria-busy");
  sent.button.disabled = false;
  sent = null;
});
