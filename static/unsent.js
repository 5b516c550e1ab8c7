/* Says at once when a press could not be sent, because the network or the server is down. (Steps of a
   board wait for it in send-steps.js.)

   A form with `data-waits`, such as a ballot, is sent again until there is an answer. The latest press
   on it counts. If its answer comes too late, the next page says so, too, because this one is left. */

import { isStepRequest } from "./send-steps.js";
import { passing } from "./browser.js";

const RETRY_MS = 2000;
const TOO_LATE = "too late";

/**
 * The forms that wait, each with the button that was pressed.
 *
 * @type {Map<HTMLFormElement, HTMLElement | null>}
 */
const waiting = new Map();
/** @type {WeakMap<HTMLFormElement, HTMLElement | null>} */
const pressed = new WeakMap();
/** @type {number | undefined} */
let timer;

export const isUnsent = () => waiting.size > 0;

/**
 * @param {string} [which] The sentence: `waits`, `lost` or `late`. Without it, nothing is said.
 * @param {Element} [form] The form that could not be sent. A dialog covers the rest of the page.
 */
function tell(which, form) {
  const notice = document.querySelector("[data-unsent]");
  if (!notice) return;
  const around = form?.closest("dialog") ?? document.getElementById("main");
  if (which && around !== notice.parentElement) around?.prepend(notice);
  for (const sentence of notice.querySelectorAll("[data-said]"))
    sentence.hidden = sentence.dataset.said !== which;
  notice.hidden = !which;
}

/** @param {string} said */
function tellLate(said) {
  const sentence = document.querySelector("[data-said=late]");
  if (sentence) sentence.textContent = said;
  tell("late");
}

/**
 * Return whether somebody has pressed something for this request. Other parts of a page ask by
 * themselves, again and again.
 *
 * @param {HtmxEvent} event
 */
const isPress = (event) =>
  !isStepRequest(event) &&
  event.detail.ctx.sourceElement?.matches(
    "[hx-post]:not([data-board], [hx-trigger*=every], [hx-trigger*=load])",
  );

/** @param {Element | null} source */
function keep(source) {
  const form = /** @type {HTMLFormElement} */ (source);
  if (!form.matches("form[data-waits]")) return tell("lost", form);
  waiting.set(form, pressed.get(form) ?? null);
  tell("waits", form);
  clearTimeout(timer);
  timer = setTimeout(sendAgain, RETRY_MS);
}

function sendAgain() {
  clearTimeout(timer);
  for (const [form, button] of waiting)
    if (form.isConnected) form.requestSubmit(button?.isConnected ? button : null);
    else waiting.delete(form);
}

document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  if (ctx.text === undefined && isPress(event)) keep(ctx.sourceElement);
});

document.addEventListener("htmx:after:request", (event) => {
  const { response, sourceElement } = event.detail.ctx;
  if (!isPress(event)) return;
  if (response.status >= 500) return keep(sourceElement);
  const form = /** @type {HTMLFormElement} */ (sourceElement);
  const hasWaited = waiting.delete(form);
  tell();
  if (!hasWaited || !response.headers.has("Refused")) return;
  const page = new DOMParser().parseFromString(event.detail.ctx.text ?? "", "text/html");
  const notice = page.querySelector(".notice.bad");
  for (const reading of notice?.querySelectorAll("rt") ?? []) reading.remove();
  const said = notice?.textContent;
  if (!said) return;
  passing.write(TOO_LATE, said);
  tellLate(said);
});

window.addEventListener("online", sendAgain);

document.addEventListener("click", ({ target }) => {
  if (target?.closest?.("[data-unsent]")) tell();
});

/* An ordinary form would replace the page, and what was typed in it, by the browser's page about the
   lost connection. Browsers are often wrong about the network, so the server is asked first. */
const ASK_MS = 10_000;
/** @type {HTMLFormElement | null} */
let asking = null;
let isReachable = false;

/**
 * Return whether the form leads to a page that this browser has stored (stored-pages.js).
 *
 * @param {HTMLFormElement} form
 */
const isLedOn = (form) =>
  !form.dispatchEvent(new CustomEvent("unreachable", { bubbles: true, cancelable: true }));

const isServerThere = async () =>
  Boolean((await fetch("/healthz", { signal: AbortSignal.timeout(ASK_MS) }).catch(() => null))?.ok);

document.addEventListener(
  "submit",
  async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    pressed.set(form, button);
    if (isReachable || form.method !== "post" || form.matches("[hx-post]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (asking === form) return;
    asking = form;
    button?.setAttribute("aria-busy", "true");
    isReachable = await isServerThere();
    button?.removeAttribute("aria-busy");
    asking = null;
    if (!isReachable) isLedOn(form) || tell("lost", form);
    else if (form.isConnected) form.requestSubmit(button?.isConnected ? button : null);
    isReachable = false;
  },
  true,
);

const late = passing.read(TOO_LATE);
if (late) {
  passing.remove(TOO_LATE);
  tellLate(late);
}

/* Nobody is idle on a page that is still loading, so the script that watches for it is loaded afterwards. */
const watch = document.getElementById("idle")?.dataset.watch;
if (watch) window.addEventListener("load", () => import(watch));
