/* Prepares for a time without a network (worker.js). Every page tells the service worker whose page
   it is, and which boards it leads to. A board tells it its state. */

import { lasting, passing, visit } from "./browser.js";
import { REPORTS, waitingBoards } from "./step-queue.js";

const { worker, who } = document.querySelector("script[data-who]")?.dataset ?? {};
const workers = worker ? navigator.serviceWorker : undefined;
const REST_MS = 400;

/* A page that is soon left asks for nothing, and the server is asked for one board at a time. */
const [FIRST_MS, EACH_MS] = [3000, 3000];
const FRESH_MS = 12 * 3_600_000;
const MAX_TO_STORE = 36; // A little less than the service worker keeps.
const MAX_ADDRESSES = 400;
const PLAY = /\/play\/\d+\/$/;
const TO_STORE = `boards to store ${who}`;

const ADDRESSES = `boards by address ${who}`;

/**
 * The pages of boards of practice by the addresses at which they are begun.
 *
 * @returns {Record<string, string>}
 */
export const pageByAddress = () => JSON.parse(lasting.read(ADDRESSES) ?? "{}");

/** @param {{ page?: string, board?: string }} message */
async function postToWorker(message) {
  // A page that goes has no time to wait.
  const active = workers?.controller ?? (await workers?.ready)?.active;
  active?.postMessage({ who, ...message });
}

if (worker && workers) {
  postToWorker(visit()?.workerStart ? {} : { page: location.pathname });
  window.addEventListener("load", () => workers.register(worker));
}

/** The pages of the boards that are still to be stored. The next page of this window goes on with them. */
const toStore = () => /** @type {string[]} */ (JSON.parse(passing.read(TO_STORE) ?? "[]"));

/** @param {Iterable<string>} pages */
const setToStore = (pages) =>
  passing.write(TO_STORE, JSON.stringify([...new Set(pages)].slice(0, MAX_TO_STORE)));

/** Take note of the boards to which this page leads: those it links, and those it names an address for. */
async function noteBoards() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("main a[href]:not(details a)");
  setToStore([
    ...toStore(),
    ...Array.from(links, ({ pathname }) => pathname).filter((path) => PLAY.test(path)),
  ]);
  for (const { dataset } of document.querySelectorAll("[data-stores]")) {
    const noted = `${TO_STORE} ${dataset.stores}`;
    if (Date.now() - Number(passing.read(noted) ?? 0) < FRESH_MS) continue;
    /** @type {HTMLInputElement | null} */
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    const headers = { "X-CSRFToken": token?.value ?? "" };
    const answer = await fetch(dataset.stores ?? "", { method: "POST", headers }).catch(() => null);
    if (!answer?.ok) continue;
    const { pages, boards } = await answer.json();
    const addresses = Object.entries({ ...pageByAddress(), ...boards }).slice(-MAX_ADDRESSES);
    lasting.write(ADDRESSES, JSON.stringify(Object.fromEntries(addresses)));
    setToStore([...toStore(), ...pages, ...Object.values(boards)]);
    passing.write(noted, String(Date.now()));
  }
}

const isBusy = () => document.hidden || !navigator.onLine || document.querySelector("#lesson[data-running]");

/** Store the boards one after the other, while the student reads and no lesson keeps the server busy. */
async function storeBoards() {
  if (isBusy()) return;
  await noteBoards();
  for (let [page, ...others] = toStore(); page && !isBusy(); [page, ...others] = toStore()) {
    setToStore(others);
    const kept = await caches.match(page, { cacheName: `board ${who}` });
    if (page === location.pathname || Date.now() - Date.parse(kept?.headers.get("Date") ?? "") < FRESH_MS)
      continue;
    await postToWorker({ page });
    await new Promise((done) => setTimeout(done, EACH_MS));
  }
}

/* Without a network, stored pages lead to each other. */
const storedPages = document.querySelector("[data-stored-pages]")?.dataset.storedPages;
/** @returns {Promise<{ leadOn: (form: HTMLFormElement) => void, showNext: () => void }>} */
const loadStoredPages = () => import(/** @type {string} */ (storedPages));

const NEXT = /\/practice\/[^/]+\/next\/$/;

/**
 * Return whether the form begins a board of practice, or goes on to the next one.
 *
 * @param {HTMLFormElement} form
 */
export function isPractice({ action }) {
  const { pathname } = new URL(action);
  return pathname in pageByAddress() || NEXT.test(pathname);
}

if (storedPages) {
  if (document.documentElement.dataset.stored) loadStoredPages();
  document.addEventListener("board:finished", async () => (await loadStoredPages()).showNext());
  document.addEventListener("unreachable", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!isPractice(form)) return;
    event.preventDefault();
    (await loadStoredPages()).leadOn(form);
  });
}

/* Send what waits for other boards. Most pages have nothing to send, and do without the script. */
const outbox = document.querySelector("[data-outbox]")?.dataset.outbox;
const loadOutbox = async () => (await import(/** @type {string} */ (outbox))).sendAll();

function sendWaiting() {
  const isNeeded = who && (passing.read(REPORTS) || waitingBoards(lasting, who).size);
  if (isNeeded && navigator.onLine && !document.hidden) loadOutbox();
}

if (outbox) {
  for (const name of ["online", "pageshow", "focus"]) window.addEventListener(name, sendWaiting);
  document.addEventListener("visibilitychange", sendWaiting);
}

if (worker && workers && who) setTimeout(storeBoards, FIRST_MS);

/**
 * The board as the server has it, or a function that returns it, if the service worker does not have it yet.
 *
 * @type {string | (() => string) | undefined}
 */
let board;
/** @type {number | undefined} */
let timer;

function sendBoard() {
  clearTimeout(timer);
  if (board && workers)
    postToWorker({ page: location.pathname, board: typeof board === "function" ? board() : board });
  board = undefined;
}

/** @param {string | (() => string)} changed */
function sendSoon(changed) {
  board = changed;
  clearTimeout(timer);
  timer = setTimeout(sendBoard, REST_MS);
}

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "play" && ctx.response.raw.ok && ctx.text) sendSoon(ctx.text);
});
document.addEventListener("board:kept", ({ detail }) => sendSoon(detail));
document.addEventListener("visibilitychange", () => document.hidden && sendBoard());
