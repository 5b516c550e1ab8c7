/* Keeps a page up to date (`data-fresh`). The page requests itself, and changes are morphed in: when
   it is shown again after Back, when the window wakes up, when the network returns, when a step was
   made in another window of this browser, or when one was stored while the page was loading. */

import { isWaiting } from "./steps.js";
import { passing } from "./storage.js";

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

/* Several of these events come together, so requests keep a distance. */
function wake() {
  if (Date.now() - looked > AWAKE_MS) freshen();
}

/**
 * Steps of another window may follow each other quickly. The last one must not be missed.
 *
 * @type {number | undefined}
 */
let later;

function catchUp() {
  clearTimeout(later);
  later = setTimeout(freshen, Math.max(0, looked + AWAKE_MS - Date.now()));
}

window.addEventListener("pageshow", (event) => {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (event.persisted || visit?.type === "back_forward") freshen();
  chase(MOST_CHASES);
});

/**
 * While this page is loading, the page before it still sends steps and hears that they are stored,
 * so they may be missing here. It may also still be sending, or htmx may not be ready. Therefore this
 * page requests itself until it shows these steps.
 *
 * @param {number} left
 */
function chase(left) {
  const [board, number] = (passing.read("stored") ?? "").split(" ");
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("form[data-keeps]");
  if (!left || form?.getAttribute("action") !== board || Number(form.elements.step.value) > Number(number))
    return;
  freshen();
  setTimeout(chase, AWAKE_MS, left - 1);
}

document.addEventListener("visibilitychange", wake);
window.addEventListener("focus", wake);
window.addEventListener("online", wake);

/* A page cannot hear what another window stored while the page was loading, so it asks. */
channel.addEventListener("message", ({ data }) => {
  if (data !== "new") catchUp();
  else if (page()) channel.postMessage("");
});
channel.postMessage("new");

document.addEventListener("board:stored", ({ detail: { step } }) => {
  looked = Date.now();
  const board = document.querySelector("form[data-keeps]")?.getAttribute("action");
  if (board) passing.write("stored", `${board} ${step}`);
  channel.postMessage("");
});
