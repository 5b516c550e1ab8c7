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
    event.waitUntil(keepBoard(answer.clone()));
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

/* The page tells what has changed on the board since it was loaded, or, where it was there before
   the worker, just its address. */
self.addEventListener("message", (event) => {
  const { page, board } = event.data;
  if (page.startsWith(shell.boards)) event.waitUntil(board ? redraw(page, board) : fetchBoard(page));
});

async function fetchBoard(page) {
  await keepBoard(await fetch(page));
}

async function keepBoard(answer) {
  const page = path(answer);
  if (!answer.ok || !page.startsWith(shell.boards)) return;
  const text = await answer.clone().text();
  const who = text.includes(BEGIN) && text.match(/data-who="(\d+)"/);
  if (who) await keep(BOARD + who[1], page, answer);
}

/* Keep the page and the files that it names, and nothing else of the cache. */
async function keep(name, page, answer) {
  const cache = await caches.open(name);
  const files = Array.from((await answer.clone().text()).matchAll(FILES), ([, file]) => file);
  const kept = (await cache.keys()).map(path);
  await cache.put(page, answer);
  await cache.addAll([...new Set(files)].filter((file) => !kept.includes(file)));
  for (const old of kept) if (old !== page && !files.includes(old)) await cache.delete(old);
}

async function redraw(page, board) {
  const name = (await caches.keys()).find((name) => name.startsWith(BOARD));
  const cache = name && (await caches.open(name));
  const kept = await cache?.match(page);
  if (!kept) return;
  const text = await kept.text();
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < 0 || !board.includes(END)) return;
  const drawn = board.slice(board.indexOf(BEGIN), board.indexOf(END));
  const headers = new Headers(kept.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  await cache.put(page, new Response(text.slice(0, begin) + drawn + text.slice(end), { headers }));
}
