/* The service worker. With a network it stays out of the way: pages and files come from the server.
   Without one it shows the board that was open last, as it was, and for every other page one that
   says so. `shell` is set by the address that the worker is registered by (puzzleclass/offline.py). */

const SHELL = `shell ${shell.version}`;
const BOARD = "board ";
const FILES = new RegExp(`"(${shell.files}[^"]+)"`, "g");
const [BEGIN, END] = ['<div id="play">', "<!-- play -->"];

const path = ({ url }) => new URL(url).pathname;

self.addEventListener("install", (event) => {
  // What is pressed goes straight to the server.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  self.skipWaiting();
  event.waitUntil(fetch(shell.page).then((answer) => keep(SHELL, shell.page, answer)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      await self.registration.navigationPreload?.enable();
      for (const name of await caches.keys())
        if (name.startsWith("shell ") && name !== SHELL) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(open(event));
  else if (path(request).startsWith(shell.files)) event.respondWith(file(request));
});

async function open(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    const copy = answer.clone();
    event.waitUntil(inTurn(() => keepBoard(copy)));
    return answer;
  } catch {
    return (await caches.match(path(event.request))) ?? caches.match(shell.page);
  }
}

async function file(request) {
  try {
    return await fetch(request);
  } catch (fault) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw fault;
  }
}

/* What is kept is changed by one at a time: a page that comes late doesn't replace what was told
   after it was asked for, and doesn't come back after it was forgotten. */
let last = Promise.resolve();

function inTurn(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

/* A page tells whose it is, and what it shows if that didn't come through here; and later what has
   changed on its board. */
self.addEventListener("message", (event) => {
  const { who, page, board } = event.data;
  event.waitUntil(
    inTurn(async () => {
      if (board) return redraw(BOARD + who, page, board);
      await forgetOthers(who);
      if (page) await fetchBoard(page);
    }),
  );
});

async function forgetOthers(who) {
  for (const name of await caches.keys())
    if (name.startsWith(BOARD) && name !== BOARD + who) await caches.delete(name);
}

async function fetchBoard(page) {
  if (page.startsWith(shell.boards)) await keepBoard(await fetch(page));
}

async function keepBoard(answer) {
  const page = path(answer);
  if (!answer.ok || answer.redirected || !page.startsWith(shell.boards)) return;
  const text = await answer.clone().text();
  const who = text.includes(BEGIN) && text.match(/data-who="(\d+)"/);
  if (who) await keep(BOARD + who[1], page, answer);
}

/* Keep the page and the files that it names, and nothing else of the cache. The page comes after its
   files: where it is found, it is whole. */
async function keep(name, page, answer) {
  const cache = await caches.open(name);
  const text = await answer.clone().text();
  const files = new Set(Array.from(text.matchAll(FILES), ([, file]) => file));
  const kept = (await cache.keys()).map(path);
  await cache.addAll([...files].filter((file) => !kept.includes(file)));
  await cache.put(page, answer);
  for (const old of kept) if (old !== page && !files.has(old)) await cache.delete(old);
}

async function redraw(cacheName, page, board) {
  const kept = await caches.match(page, { cacheName });
  if (!kept) return fetchBoard(page);
  const text = await kept.text();
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < 0 || !board.includes(END)) return;
  const drawn = board.slice(board.indexOf(BEGIN), board.indexOf(END));
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  const cache = await caches.open(cacheName);
  await cache.put(page, new Response(text.slice(0, begin) + drawn + text.slice(end), { headers }));
}
