/* Names the moves that could not be made and had waited for the network. Their answers come one after
   the other, so nobody would see them in the status of the board. The next press hides the names. */

const MAX_NAMED = 10;

/** @typedef {import("./step-queue.js").Waiting} Waiting */

/** @type {Waiting[]} */
let missed = [];

/**
 * Name these moves, and those that are still named.
 *
 * @param {Waiting[]} moves
 * @param {(move?: string) => Node[]} wordsOf What a move does, if the page can tell.
 */
export function name(moves, wordsOf) {
  const notice = document.querySelector("[data-missed]");
  if (!notice) return;
  missed = [...(notice.hidden ? [] : missed), ...moves];
  const places = missed.slice(0, MAX_NAMED).map((step) => {
    const words = wordsOf(step.move);
    return words.length ? listed(...words) : placeOf(notice, step);
  });
  if (missed.length > MAX_NAMED) places.push(listed("…"));
  notice.querySelector("[data-moves]")?.replaceChildren(...places);
  notice.hidden = false;
}

/**
 * Return the place of a move in words, or the move as it was typed.
 *
 * @param {Element} notice
 * @param {Waiting} step
 */
function placeOf(notice, { at, move = "" }) {
  const place = at && notice.querySelector("[data-place]")?.cloneNode(true);
  if (!place) return listed(move);
  const [row, column] = at.split(",");
  // The words may carry readings, so only their texts are filled in.
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    text.nodeValue = (text.nodeValue ?? "").replace("{row}", row).replace("{column}", column);
  return listed(...place.childNodes);
}

/** @param {(string | Node)[]} words */
function listed(...words) {
  const item = document.createElement("li");
  item.append(...words);
  return item;
}
