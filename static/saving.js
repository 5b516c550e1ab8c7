/* A form whose answer takes a while. Once it is sent, its button shows the words in `data-saving` and
   cannot be pressed again. After Back the button is as it was. */

/** @type {{ button: HTMLButtonElement, words: string | null } | null} */
let sent = null;

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { saving } = form.dataset;
  if (!saving || event.defaultPrevented) return;
  if (sent) return event.preventDefault();
  const button =
    /** @type {HTMLButtonElement} */ (event.submitter) ?? form.querySelector("button:not([type])");
  sent = { button, words: button.textContent };
  button.textContent = saving;
  button.setAttribute("aria-busy", "true");
  // A button that is disabled at once would not be sent with the form.
  setTimeout(() => (button.disabled = true));
});

window.addEventListener("pageshow", () => {
  if (!sent) return;
  sent.button.textContent = sent.words;
  sent.button.removeAttribute("aria-busy");
  sent.button.disabled = false;
  sent = null;
});
