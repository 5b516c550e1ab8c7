/* Keeps a page up to date (`data-fresh`). The page requests itself, and changes are morphed in: when
   it is shown again after Back, when the window wakes up, when the network returns, when a step was
   made in another window of this browser, or when one was stored while the page was loading. */

import { isWaiting } from "./send-steps.js";
import { passing, visit } from "./browser.js";

const channel = new BroadcastChannel("stale");
const LEAST_PAUSE_MS = 1000;
const MAX_REFRESHES = 10;
let refreshedAt = Date.now();

const page = () => document.querySelector("[data-fresh]");

function refresh() {
  if (document.hidden || !navigator.onLine || isWaiting()) return;
  refreshedAt = Date.now();
  page()?.dispatchEvent(new CustomEvent("stale"));
}

/* Several of these events come together, so requests keep a distance. */
function refreshAfterPause() {
  if (Date.now() - refreshedAt > LEAST_PAUSE_MS) refresh();
}

/**
 * Steps of another window may follow each other quickly. The last one must not be missed.
 *
 * @type {number | undefined}
 */
let timer;

function refreshSoon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, Math.max(0, refreshedAt + LEAST_PAUSE_MS - Date.now()));
}

window.addEventListener("pageshow", (event) => {
  if (event.persisted || visit()?.type === "back_forward") refresh();
  refreshUntilCurrent(MAX_REFRESHES);
});

/**
 * While this page is loading, the page before it still sends steps and hears that they are stored,
 * so they may be missing here. It may also still be sending, or htmx may not be ready. Therefore this
 * page requests itself until it shows these steps.
 *
 * @param {number} left
 */
function refreshUntilCurrent(left) {
  const [board, number] = (passing.read("stored") ?? "").split(" ");
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("form[data-keeps]");
  if (!left || form?.getAttribute("action") !== board || Number(form.elements.step.value) > Number(number))
    return;
  refresh();
  setTimeout(refreshUntilCurrent, LEAST_PAUSE_MS, left - 1);
}

document.addEventListener("visibilitychange", refreshAfterPause);
window.addEventListener("focus", refreshAfterPause);
window.addEventListener("online", refreshAfterPause);

/* A page cannot hear what another window stored while the page was loading, so it asks. */
channel.addEventListener("message", ({ data }) => {
  if (data !== "new") refreshSoon();
  else if (page()) channel.postMessage("");
});
channel.postMessage("new");

document.addEventListener("board:stored", ({ detail: { step } }) => {
  refreshedAt = Date.now();
  const board = document.querySelector("form[data-keeps]")?.getAttribute("action");
  if (board) passing.write("stored", `${board} ${step}`);
  channel.postMessage("");
});
