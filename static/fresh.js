/* A page that is never older than it looks (`data-fresh`): when it is shown again after Back, when
   the window wakes up or the network returns, when another window of this browser has gone on, or
   this one has while the page was on its way, it asks for itself, and what has changed is morphed
   in. */

import { isWaiting } from "./steps.js";

const channel = new BroadcastChannel("stale");
const AWAKE_MS = 1000;
const MOST_CHASES = 10;
let looked = Date.now();

const page = () => document.querySelector("[data-fresh]");

function freshen() {
  if (document.hidden || !navigator.onLine || isWaiting()) return;
  looked = Date.now();
  page()?.dispatchEvent(new CustomEvent("stale"));
}

/* Several of these come together. */
function wake() {
  if (Date.now() - looked > AWAKE_MS) freshen();
}

/* Steps of another window may follow each other quickly: the last is not to be missed. */
let later = null;

function catchUp() {
  clearTimeout(later);
  later = setTimeout(freshen, Math.max(0, looked + AWAKE_MS - Date.now()));
}

window.addEventListener("pageshow", (event) => {
  const [visit] = performance.getEntriesByType("navigation");
  if (event.persisted || visit?.type === "back_forward") freshen();
  chase(MOST_CHASES);
});

/* The page that is left still sends steps, and hears that they are stored, while this one is being
   loaded: they may be missing here. It may also still be sending, or htmx not be there yet: so it is
   asked for until they are seen. */
function chase(left) {
  const [board, number] = (sessionStorage.getItem("stored") ?? "").split(" ");
  const form = document.querySelector("form[data-keeps]");
  if (!left || form?.getAttribute("action") !== board || Number(form.elements.step.value) > number) return;
  freshen();
  setTimeout(chase, AWAKE_MS, left - 1);
}

document.addEventListener("visibilitychange", wake);
window.addEventListener("focus", wake);
window.addEventListener("online", wake);

/* What another window stored while this one was being loaded, it could not hear: it asks. */
channel.addEventListener("message", ({ data }) => {
  if (data !== "new") catchUp();
  else if (page()) channel.postMessage("");
});
channel.postMessage("new");

document.addEventListener("board:stored", ({ detail: { step } }) => {
  looked = Date.now();
  const board = document.querySelector("form[data-keeps]")?.getAttribute("action");
  if (board) sessionStorage.setItem("stored", `${board} ${step}`);
  channel.postMessage("");
});
