/* A form that makes or changes something has a one-time key (`once`), by which the server does its work
   only once. Once the form is sent, its button waits for the answer, and a second press does nothing.
   After Back the button is as it was, and a page that the browser has kept gets new keys, because its
   forms may now be meant for something else. */

/** @type {{ form: HTMLFormElement, button: HTMLButtonElement | null } | null} */
let sent = null;

document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
    // A press on a board in the editor is a step, and so is one beside a class that is led. A file is
    // no answer that would be shown.
    const isStep = "steps" in form.dataset || ("board" in form.dataset && submitter?.value !== "save");
    if (!form.elements.once || isStep || "file" in (submitter?.dataset ?? {})) return;
    if (sent?.form === form) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    sent = { form, button: submitter ?? form.querySelector("button:not([type])") };
    sent.button?.setAttribute("aria-busy", "true");
  },
  true,
);

function answered() {
  sent?.button?.removeAttribute("aria-busy");
  sent = null;
}

/** Return 128 random bits in hexadecimal digits. */
function newKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

document.addEventListener("htmx:finally:request", ({ target }) => {
  if (target === sent?.form) answered();
});

window.addEventListener("pageshow", ({ persisted }) => {
  answered();
  if (!persisted) return;
  /** @type {NodeListOf<HTMLInputElement>} */
  const keys = document.querySelectorAll("[name=once]");
  for (const field of keys) field.value = newKey();
});
