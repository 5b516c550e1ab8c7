/* The service worker. With a network, all pages and files come from the server. Without one, it shows
   the boards that were stored, and for every other page the page "No connection". The script at
   the address by which the worker is registered sets `shell` (puzzleclass/home/offline_views.py). */

/**
 * @typedef {{ version: string, files: string, page: string, home: string, practice: string, boards: string }} Shell
 */

const worker = /** @type {ServiceWorkerGlobalScope & { shell: Shell }} */ (/** @type {unknown} */ (self));
const { shell } = worker;

const SHELL = `shell ${shell.version}`;
const BOARD = "board ";
const MAX_PAGES = 44;
const MAX_AGE_MS = 30 * 24 * 3_600_000;
const FILES = new RegExp(`"(${shell.files}[^"]+)"`, "g");
const KEPT = "data-kept-page";
const [BEGIN, END] = ['<div id="play">', "<!-- play -->"];

/** @param {{ url: string }} addressed */
const path = ({ url }) => new URL(url).pathname;

worker.addEventListener("install", (event) => {
  // POST requests go straight to the server.
  /** @type {any} */ (event).addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  worker.skipWaiting();
  event.waitUntil(fetch(shell.page).then((answer) => keep(SHELL, shell.page, answer)));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      await worker.registration.navigationPreload?.enable();
      for (const name of await caches.keys())
        if (name.startsWith("shell ") && name !== SHELL) await caches.delete(name);
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (path(request).startsWith(shell.files)) event.respondWith(file(request));
});

/**
 * The time after which a stored page is shown, although the server may still answer. A network can take
 * requests and let no answer through.
 */
const PATIENCE_MS = 2000;

/** What a proxy answers while the server restarts, and the server while it starts. */
const DOWN = [502, 503, 504];
/** What only a proxy answers. Its page helps nobody. */
const NO_SITE = [502, 504];

/**
 * Return the page from the server. Return the stored one if there is no network, if the server is down, or
 * if its answer takes too long. The stored page goes on asking for the server.
 *
 * @param {FetchEvent} event
 * @returns {Promise<Response>}
 */
async function openPage(event) {
  const asked = ask(event).catch(() => null);
  event.waitUntil(
    asked.then((answer) => {
      const copy = answer?.clone();
      return copy && inTurn(() => keepPage(copy));
    }),
  );
  const kept = await caches.match(path(event.request));
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS, null));
  const answer = await (kept ? Promise.race([asked, late]) : asked);
  if (kept && !answer) hurriesUntil = Date.now() + HURRY_MS;
  if (answer && !(kept ? DOWN : NO_SITE).includes(answer.status)) return answer;
  return kept ? saidToBeStored(kept) : /** @type {Response} */ (await caches.match(shell.page));
}

/** @param {FetchEvent} event */
async function ask(event) {
  // Without a network, Firefox's early answer is an error instead of a rejection.
  const early = await event.preloadResponse;
  return early && early.type !== "error" ? early : fetch(event.request);
}

/**
 * Return a stored page that knows when it was stored (stored-pages.js).
 *
 * @param {Response} kept
 */
async function saidToBeStored(kept) {
  const text = await kept.text();
  return withText(kept, text.replace("<html", `<html data-stored="${kept.headers.get("Date")}"`));
}

/**
 * @param {Response} answer
 * @param {string} text
 */
function withText(answer, text) {
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  return new Response(text, { headers });
}

/** For so long after an answer was late, stored files are shown at once: a page may need many in turn. */
const HURRY_MS = 10_000;
let hurriesUntil = 0;

/**
 * Return a file from the server; the stored one if there is no network, or if the answer is late.
 *
 * @param {Request} request
 */
async function file(request) {
  const kept = await caches.match(request);
  if (!kept) return fetch(request);
  if (Date.now() < hurriesUntil) return kept;
  const late = new Promise((done) => setTimeout(done, PATIENCE_MS, "late"));
  const answer = await Promise.race([fetch(request).catch(() => null), late]);
  if (answer === "late") hurriesUntil = Date.now() + HURRY_MS;
  return answer instanceof Response && !DOWN.includes(answer.status) ? answer : kept;
}

/**
 * The cache is changed by one task at a time. A page that arrives late then neither replaces news
 * that came after its request, nor returns after it was removed.
 *
 * @type {Promise<unknown>}
 */
let last = Promise.resolve();

/** @param {() => Promise<void>} change */
function inTurn(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

/* A page tells whose page it is, and its address if it was not loaded through this worker. Later it
   tells what has changed on its board. */
worker.addEventListener("message", (event) => {
  const { who, page, board } = event.data;
  event.waitUntil(
    inTurn(async () => {
      if (board) return redraw(BOARD + who, page, board);
      await forgetOthers(who);
      if (page) await fetchPage(page);
    }),
  );
});

/** @param {string} who */
async function forgetOthers(who) {
  for (const name of await caches.keys())
    if (name.startsWith(BOARD) && name !== BOARD + who) await caches.delete(name);
}

/** @param {string} page */
const mayBeKept = (page) =>
  page === shell.home || page.startsWith(shell.practice) || page.startsWith(shell.boards);

/** @param {string} page */
async function fetchPage(page) {
  if (mayBeKept(page)) await keepPage(await fetch(page));
}

/** @param {Response} answer */
async function keepPage(answer) {
  const page = path(answer);
  if (!answer.ok || answer.redirected || !mayBeKept(page)) return;
  const text = await answer.clone().text();
  const isWanted = text.includes(page.startsWith(shell.boards) ? BEGIN : KEPT);
  const who = isWanted && text.match(/data-who="(\d+)"/);
  if (who) await keep(BOARD + who[1], page, answer);
}

/**
 * Store the page and the files that it names. The page is stored after its files, so a page that is
 * found is complete.
 *
 * @param {string} name
 * @param {string} page
 * @param {Response} answer
 */
async function keep(name, page, answer) {
  const cache = await caches.open(name);
  const kept = new Set((await cache.keys()).map(path));
  const missing = [...filesOf(await answer.clone().text())].filter((file) => !kept.has(file));
  await cache.addAll(missing);
  await cache.put(page, answer);
  if (missing.length || !kept.has(page)) await tidy(cache);
}

/**
 * Return the files that a page names. A page may name parts of a picture, such as `worlds.svg#sun`.
 *
 * @param {string} text
 */
const filesOf = (text) => new Set(Array.from(text.matchAll(FILES), ([, file]) => file.split("#")[0]));

/**
 * Remove the pages that were stored first if there are too many, those that are too old, and the files
 * that no page names any more.
 *
 * @param {Cache} cache
 */
async function tidy(cache) {
  const kept = await cache.keys();
  const pages = kept.filter((request) => !path(request).startsWith(shell.files));
  /** @type {Set<string>} */
  const needed = new Set();
  for (const page of pages.slice(-MAX_PAGES)) {
    const answer = await cache.match(page);
    if (!answer || Date.now() - Date.parse(answer.headers.get("Date") ?? "") > MAX_AGE_MS) continue;
    needed.add(path(page));
    for (const file of filesOf(await answer.text())) needed.add(file);
  }
  for (const request of kept) if (!needed.has(path(request))) await cache.delete(request);
}

/**
 * @param {string} cacheName
 * @param {string} page
 * @param {string} board
 */
async function redraw(cacheName, page, board) {
  const kept = await caches.match(page, { cacheName });
  if (!kept) return fetchPage(page);
  const text = await kept.text();
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < 0 || !board.includes(END)) return;
  const drawn = board.slice(board.indexOf(BEGIN), board.indexOf(END));
  const cache = await caches.open(cacheName);
  await cache.put(page, withText(kept, text.slice(0, begin) + drawn + text.slice(end)));
}
