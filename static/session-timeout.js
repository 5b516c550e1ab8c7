/* Warns a minute before a user is signed out because nothing happens, and then signs the user out, so
   that the work leaves the screen of a shared computer.

   The server measures the time by itself, by the requests (SessionEndMiddleware). Therefore this
   script tells it now and then that the page is in use, and ends a little earlier than the server.
   Steps that can still be sent keep the page open. All pages of a browser share their activity. */

import { canBeLeft } from "./send-steps.js";

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("idle"));
const signOut = /** @type {HTMLFormElement} */ (document.querySelector("[data-sign-out]"));
const idleMs = 1000 * Number(dialog.dataset.idle);
const WARNING_MS = Math.min(60_000, idleMs / 2);
const TOLD_MS = idleMs / 20;

const channel = new BroadcastChannel("in use");
let active = Date.now(); // The time of the last activity.
let told = active; // The time at which the server heard of it last.
let isLeaving = false;

/** @param {Record<string, string>} fields */
function fields(fields) {
  const form = new FormData(signOut);
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  return form;
}

async function tell() {
  told = Date.now();
  channel.postMessage("");
  const answer = await fetch(dialog.dataset.stay ?? "", { method: "POST", body: fields({}) }).catch(
    () => null,
  );
  // The session has ended. The page that opens says why.
  if (answer?.status === 403 && canBeLeft()) location.reload();
}

async function leave() {
  if (isLeaving || !canBeLeft() || !navigator.onLine) return;
  isLeaving = true;
  const body = fields({ idle: "1", next: location.pathname + location.search });
  const answer = await fetch(signOut.action, { method: "POST", body }).catch(() => null);
  isLeaving = false;
  if (answer?.ok) location.replace(answer.url);
}

function look() {
  const left = active + idleMs - 2 * TOLD_MS - Date.now();
  const number = /** @type {HTMLElement} */ (dialog.querySelector("[data-left]"));
  const seconds = String(Math.max(0, Math.ceil(left / 1000)));
  number.textContent = (number.dataset.left ?? "").replace("{n}", seconds);
  if (left <= 0) leave();
  else if (left <= WARNING_MS) dialog.open || dialog.showModal();
  else if (active - told > TOLD_MS) tell();
}

for (const sign of ["pointerdown", "pointermove", "keydown", "scroll"])
  document.addEventListener(sign, () => dialog.open || (active = Date.now()), {
    passive: true,
    capture: true,
  });
dialog.addEventListener("close", () => {
  active = Date.now();
  tell();
});
channel.addEventListener("message", () => {
  active = told = Date.now();
  dialog.open && dialog.close();
});
setInterval(look, 1000);
