/* Prepares for a time without a network (worker.js). Every page tells the service worker whose page
   it is, and a board tells it its state. */

import { visit } from "./browser.js";

const { worker, who } = document.querySelector("script[data-who]")?.dataset ?? {};
const workers = worker ? navigator.serviceWorker : undefined;
const REST_MS = 400;

/** @param {{ page?: string, board?: string }} message */
async function postToWorker(message) {
  (await workers?.ready)?.active?.postMessage({ who, ...message });
}

if (worker && workers) {
  postToWorker(visit()?.workerStart ? {} : { page: location.pathname });
  window.addEventListener("load", () => workers.register(worker));
}

/**
 * The board as the server drew it last, if the service worker does not have it yet.
 *
 * @type {string | undefined}
 */
let board;
/** @type {number | undefined} */
let timer;

function sendBoard() {
  clearTimeout(timer);
  if (board && workers) postToWorker({ page: location.pathname, board });
  board = undefined;
}

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "play" || !ctx.response.raw.ok) return;
  board = ctx.text;
  clearTimeout(timer);
  timer = setTimeout(sendBoard, REST_MS);
});
document.addEventListener("visibilitychange", () => document.hidden && sendBoard());
