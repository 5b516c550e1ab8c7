/* What a screen reader says of a board: one announcement after the other, none twice, none cut off.

   Parts of the page with `data-announced` are read in their order when their words have changed. All that
   changes at a time becomes one announcement, in the page's only live region (#announced). The answer to
   a step that solves the board brings what it has earned, so the announcement waits for it a moment. */

import { moves } from "./rules.js";

const PATIENCE_MS = 1200;
/** A screen reader speaks of a new focus first, and would break off what it has just begun. */
const PAUSE_MS = 100;

/** @returns {HTMLElement | null} */
const region = () => document.getElementById("announced");

/** What was announced last of each part, by its name. @type {Map<string, string>} */
const known = new Map();
/** The sentences that wait to be said. @type {string[]} */
let waiting = [];
/** @type {number | undefined} */
let timer;

/** @param {Element} part */
function wordsOf(part) {
  const words = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, data } = /** @type {Text} */ (walker.currentNode);
    const silent = parentElement?.closest("[hidden], [aria-hidden=true], noscript, button");
    if (!silent || silent === part) words.push(data);
  }
  return words.join("").replace(/\s+/g, " ").trim();
}

/** What is said of the tool that has been taken up since the last announcement. */
let toolSaid = "";

function noteTool() {
  /** @type {HTMLFormElement | null} */
  const board = document.querySelector("#board");
  const tool = board?.elements.tool?.value ?? "";
  if (tool === known.get("tool")) return;
  known.set("tool", tool);
  const taken =
    document.querySelector("#tools [data-tool][aria-pressed=true]") ??
    document.querySelector("#board .spot.taken, #board .spot:has(.held)");
  const title = taken?.getAttribute("aria-label") ?? (taken ? wordsOf(taken) : "");
  toolSaid = title && (region()?.dataset.chosen ?? "").replace("{tool}", title);
}

/**
 * Take note of what the page says now, and return what is new.
 *
 * @returns {string[]}
 */
function news() {
  const found = [];
  for (const part of document.querySelectorAll("[data-announced]")) {
    const { announced: name = "" } = part.dataset;
    const words = wordsOf(part);
    if (words && words !== known.get(name)) found.push(words);
    known.set(name, words);
    if (name === "status" && toolSaid) found.push(toolSaid);
  }
  toolSaid = "";
  return found;
}

function speak() {
  const sentences = [...waiting, ...news()];
  waiting = [];
  const now = region();
  const said = sentences.join(" ");
  if (!now || !said) return;
  // The same words are heard again only if they go and come back.
  const isSame = now.textContent === said;
  if (isSame) now.textContent = "";
  setTimeout(() => (now.textContent = said), isSame ? PAUSE_MS : 0);
}

/** @param {number} [ms] */
function announce(ms = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(speak, ms);
}

/**
 * Say sentences, and what is new on the page.
 *
 * @param {string[]} sentences
 */
export function say(...sentences) {
  waiting.push(...sentences);
  announce();
}

for (const name of ["board:take", "htmx:after:swap"])
  document.addEventListener(name, () => {
    noteTool();
    announce();
  });

document.addEventListener("board:step", ({ detail: step }) => {
  noteTool();
  // Without the network and the rules, nothing else says where the move went.
  if (step.hasWaited && step.at && !moves()) {
    const [row, column] = step.at.split(",");
    const place = document.querySelector("[data-place]")?.textContent ?? "";
    waiting.push(place.replace("{row}", row).replace("{column}", column));
  }
  const isWaitedFor = document.querySelector(".play-status.ok") && !step.hasWaited;
  announce(isWaitedFor ? PATIENCE_MS : PAUSE_MS);
});

/* The same refusal is heard each time. One that only the server knows comes with its answer. */
document.addEventListener("board:refused", ({ detail: step }) => {
  known.delete("status");
  if (step.isRefused) announce();
});

if (region()) {
  noteTool();
  news();
}
