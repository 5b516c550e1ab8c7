/* The stored pages of a student, when there is no network (worker.js). They say that they are stored, show
   which boards are on this device and what waits to be sent, and lead from board to board as the server
   does: a press that begins a board of practice opens its stored page. */

import { lasting, waitForServer } from "./browser.js";
import { isPractice, pageByAddress } from "./offline.js";
import { waitingBoards } from "./step-queue.js";

const who = document.querySelector("[data-who]")?.dataset.who ?? "";
const notice = document.querySelector("[data-stored-pages]");
const { stored } = document.documentElement.dataset;
const cacheName = `board ${who}`;

const LAST = /[^/]+\/$/;

/** The waiting boards by their pages. */
const waiting = () => new Map([...waitingBoards(lasting, who).values()].map((about) => [about.page, about]));

/** @param {string} page */
const textOf = async (page) => (await caches.match(page, { cacheName }))?.text();

/**
 * Return whether the board is stored and not solved yet, as far as this browser knows.
 *
 * @param {string} page
 */
const isOpen = async (page) =>
  !waiting().get(page)?.isSolved && Boolean((await textOf(page))?.includes("data-board"));

/**
 * Return the page to go on with after a board of practice: the first open one after it in its world, else
 * the first open one (play/path.py), else the page of the world.
 *
 * @param {string} address Where the board is begun.
 */
async function following(address) {
  const world = address.replace(LAST, "");
  const place = Number(address.slice(world.length, -1));
  const boards = Object.entries(pageByAddress())
    .map(([begun, page]) => ({ page, number: Number(begun.slice(world.length, -1)), begun }))
    .filter(({ begun, number }) => begun.startsWith(world) && number > 0)
    .sort((one, other) => one.number - other.number);
  const order = [...boards.filter(({ number }) => number > place), ...boards];
  for (const { page, number } of order) if (number !== place && (await isOpen(page))) return page;
  return world;
}

/**
 * Return the page that a form of practice leads to without a network, if it can be told.
 *
 * @param {HTMLFormElement} form
 */
async function goal(form) {
  const address = new URL(form.action).pathname;
  const pages = pageByAddress();
  const page = pages[address];
  if (page && !form.querySelector(".start")) return page;
  if (page) return (await isOpen(page)) ? page : following(address);
  const kind = address.replace(LAST, "");
  const here = Object.keys(pages).find((begun) => pages[begun] === location.pathname);
  const from = here ?? Object.keys(pages).find((begun) => begun.startsWith(kind));
  return from?.startsWith(kind) ? following(from) : "/";
}

/**
 * Open the page that a form of practice leads to.
 *
 * @param {HTMLFormElement} form
 */
export const leadOn = async (form) => location.assign(await goal(form));

/** Lead on from a board that was solved without a network. */
export async function showNext() {
  const [next, status] = [".play-foot .next", ".play-status"].map((part) => document.querySelector(part));
  const form = next?.closest("form");
  if (!next || !status || document.querySelector(".stored-next")) return;
  const link = document.createElement("a");
  link.className = "button large primary stored-next";
  link.href = form ? await goal(form) : /** @type {HTMLAnchorElement} */ (next).href;
  link.append(...[...next.childNodes].map((node) => node.cloneNode(true)));
  status.after(link);
}

/** @param {Element} control */
async function leadsNowhere(control) {
  const form = /** @type {HTMLFormElement | null} */ (control.closest("form"));
  if (form) return !isPractice(form) || !(await textOf(await goal(form)));
  const { pathname, origin } = /** @type {HTMLAnchorElement} */ (control);
  return origin !== location.origin || !(await textOf(pathname));
}

/**
 * Say that the page is stored. Fade what leads to pages that are not, and mark the boards whose steps wait.
 *
 * @param {Element} said
 */
async function showStored(said) {
  const day = new Date(stored ?? "");
  const language = document.documentElement.lang;
  said
    .querySelector("[data-day]")
    ?.append(day.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }));
  said.hidden = false;
  document.getElementById("main")?.prepend(said);
  const badge = said.querySelector("[data-waits]");
  for (const control of document.querySelectorAll("main a[href]:not([href^='#']), main form button")) {
    control.classList.toggle("faded", await leadsNowhere(control));
    const form = /** @type {HTMLFormElement | null} */ (control.closest("form"));
    const page = form ? pageByAddress()[new URL(form.action).pathname] : control.getAttribute("href");
    if (!page || !waiting().has(page)) continue;
    const mark = /** @type {HTMLElement} */ (badge?.cloneNode(true));
    mark.hidden = false;
    (form ?? control).after(mark);
  }
}

if (stored && notice && !document.querySelector(".play-page")) {
  showStored(notice);
  waitForServer();
}
