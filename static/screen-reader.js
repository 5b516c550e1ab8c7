/* Keys for players who hear the board, or who play by the keyboard:

     - digits lead to a cell: its row, and then its column;
     - R reads the row of the focus, and the next row each time; with Shift it reads the whole board;
     - the key of a link with `data-key` shows what the link leads to: H the moves so far, ? the keys. */

import { say } from "./announcer.js";
import { leadTo } from "./board.js";

/** @param {KeyboardEvent} event */
export function pressed(event) {
  const { key, target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || key === "Shift") return;
  if (target?.closest?.("input:not([type=radio], [type=range]), select, textarea, dialog, [popover]")) return;
  if (/^[0-9]$/.test(key) && target?.matches?.(".play .spot:focus-visible")) return addDigit(key);
  digits = "";
  if (key.toLowerCase() === "r") return event.shiftKey ? sayAll([...rows().values()].flat()) : readRow();
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector(`a[data-key="${CSS.escape(key.toLowerCase())}"]`);
  if (link) showSheet(link.href);
}

/* Digits */

const PAUSE_MS = 3000;
let digits = "";
let typedAt = 0;

/** @param {string} digit */
function addDigit(digit) {
  if (Date.now() - typedAt > PAUSE_MS) digits = "";
  typedAt = Date.now();
  digits += digit;
  // The numbers from 10 on stand in elements of their own. Beside them, 3 is typed as 03.
  const isLarge = document.querySelectorAll(".play-board .axes text").length > 2;
  const length = isLarge ? 2 : 1;
  if (digits.length < 2 * length) return;
  leadTo([Number(digits.slice(0, length)) - 1, Number(digits.slice(length)) - 1]);
  digits = "";
}

/* Reading */

const STOP = document.documentElement.lang === "ja" ? "。" : ". ";

/** @param {string[]} names */
const sayAll = (names) => say(names.map((name) => name.replace(/[.。]$/, "")).join(STOP));

/** Return the names of the spots in each row of the board, by the row's number. */
function rows() {
  /** @type {Map<number, string[]>} */
  const read = new Map();
  for (const spot of document.querySelectorAll(".play-board [data-row][aria-label]")) {
    const row = Number(spot.dataset.row);
    read.set(row, [...(read.get(row) ?? []), spot.getAttribute("aria-label") ?? ""]);
  }
  return new Map([...read].sort(([one], [other]) => one - other));
}

/** @type {Element | null} */
let focusAtReading = null;
let rowRead = -1;

function readRow() {
  const read = rows();
  const spot = document.activeElement?.closest(".play-board [data-row]") ?? null;
  const after = [...read.keys()].find((row) => row > rowRead) ?? read.keys().next().value ?? 0;
  rowRead = spot && spot !== focusAtReading ? Number(spot.dataset.row) : after;
  focusAtReading = spot;
  sayAll(read.get(rowRead) ?? []);
}

/* Sheets */

/**
 * Show the heading and the list or the table of a page in a dialog.
 *
 * @param {string} address
 */
export async function showSheet(address) {
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const dialog = document.createElement("dialog");
  dialog.className = "card stack sheet";
  const close = document.createElement("button");
  Object.assign(close, { className: "button", textContent: "✕", autofocus: true });
  close.ariaLabel = document.querySelector("[data-close]")?.dataset.close ?? null;
  close.addEventListener("click", () => dialog.close());
  dialog.append(close, ...page.querySelectorAll("main :is(h1, ol, table, .empty)"));
  const heading = dialog.querySelector("h1");
  // The heading is named as an element, so that hidden readings are not spoken.
  if (heading) dialog.setAttribute("aria-labelledby", (heading.id ||= "sheet-heading"));
  dialog.addEventListener("close", () => dialog.remove());
  document.getElementById("main")?.append(dialog);
  dialog.showModal();
}
