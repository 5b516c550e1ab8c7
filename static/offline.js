/* What is kept for a time without a network (worker.js): on every page, that it is nobody else's; on
   a board, that it is kept as it stands; and on the page that is shown instead of others, the board. */
"use strict";

const { worker, who } = document.currentScript.dataset;
const REST_MS = 400;

async function forgetOthers() {
  for (const name of await caches.keys())
    if (name.startsWith("board ") && name !== `board ${who}`) await caches.delete(name);
}

async function install() {
  const workers = navigator.serviceWorker;
  const isFirst = !workers.controller;
  await workers.register(worker);
  if (isFirst) (await workers.ready).active.postMessage({ page: location.pathname });
}

if (worker && window.caches) forgetOthers();
if (worker && navigator.serviceWorker) window.addEventListener("load", install);

/* The board as the server drew it last. */
let board = null;
let later = null;

function tell() {
  clearTimeout(later);
  if (board) navigator.serviceWorker?.controller?.postMessage({ page: location.pathname, board });
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

document.addEventListener("DOMContentLoaded", () => {
  const list = document.querySelector("[data-kept]");
  if (!list || !window.caches) return;
  showKept(list);
  window.addEventListener("online", () => location.reload());
});
