/* Prepares for a time without a network (worker.js). Every page tells the service worker whose page
   it is, and a board tells it its state. The page "No connection" leads to the board. */

const { worker, who } = document.querySelector("script[data-who]")?.dataset ?? {};
const workers = worker ? navigator.serviceWorker : undefined;
const REST_MS = 400;
const ASK_MS = 5000;

/** @param {{ page?: string, board?: string }} message */
async function postToWorker(message) {
  (await workers?.ready)?.active?.postMessage({ who, ...message });
}

if (worker && workers) {
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  postToWorker(visit?.workerStart ? {} : { page: location.pathname });
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

/**
 * Show the link to the stored board, on the page that replaces an unreachable one.
 *
 * @param {Element} list
 */
async function showKept(list) {
  for (const name of await caches.keys()) {
    if (!name.startsWith("board ")) continue;
    for (const request of await (await caches.open(name)).keys()) {
      const answer = await caches.match(request);
      if (!answer?.headers.get("Content-Type")?.startsWith("text/html")) continue;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const link = /** @type {HTMLAnchorElement} */ (list.querySelector("a"));
      link.href = request.url;
      link.textContent = page.querySelector("h1")?.textContent ?? null;
      list.hidden = false;
    }
  }
}

/* Load the page once the server answers, unless the user is already leaving it. */
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
