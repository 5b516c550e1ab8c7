/* What is kept for a time without a network (worker.js): every page tells the worker whose it is, and
   a board how it stands; the page that is shown instead of others leads to the board. */
"use strict";

const { worker, who } = document.currentScript.dataset;
const workers = worker && navigator.serviceWorker;
const REST_MS = 400;
const ASK_MS = 5000;

async function say(said) {
  (await workers.ready).active.postMessage({ who, ...said });
}

if (workers) {
  const [visit] = performance.getEntriesByType("navigation");
  say(visit?.workerStart ? {} : { page: location.pathname });
  window.addEventListener("load", () => workers.register(worker));
}

/* The board as the server drew it last. */
let board = null;
let later = null;

function tell() {
  clearTimeout(later);
  if (board && workers) say({ page: location.pathname, board });
  board = null;
}

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id !== "play" || !ctx.response.raw.ok) return;
  board = ctx.text;
  clearTimeout(later);
  later = setTimeout(tell, REST_MS);
});
document.addEventListener("visibilitychange", () => document.hidden && tell());

/* Shown instead of a page that was not to be had: the way to the board, and back to the page. */
async function showKept(list) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("board ")) continue;
    for (const request of await (await caches.open(name)).keys()) {
      const answer = await caches.match(request);
      if (!answer.headers.get("Content-Type").startsWith("text/html")) continue;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const link = list.querySelector("a");
      link.href = request.url;
      link.textContent = page.querySelector("h1").textContent;
      list.hidden = false;
    }
  }
}

/* Once the server answers the page opens by itself, unless it is being left already. */
function waitForServer() {
  let isLeft = false;
  window.addEventListener("beforeunload", () => (isLeft = true));
  const ask = async () => {
    const answer = await fetch("/healthz").catch(() => null);
    if (answer?.ok && !isLeft) location.reload();
  };
  window.addEventListener("online", ask);
  setInterval(() => document.hidden || ask(), ASK_MS);
}

document.addEventListener("DOMContentLoaded", () => {
  const list = document.querySelector("[data-kept]");
  if (!list || !window.caches) return;
  showKept(list);
  waitForServer();
});
