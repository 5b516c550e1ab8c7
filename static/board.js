/* The input on boards. The server draws the boards and knows the rules. This script handles

     - pressing: a spot of a form with `data-board` is clicked, or chosen with Enter or Space;
     - tools: a spot with `data-take` takes up the tool that its move names; the keys 1 to 9 press
       the first nine buttons or spots with `data-tool`, including the editor's brushes. While a
       board that is played has the keyboard's focus, digits name a cell (screen-reader.js), and Shift
       with a digit chooses a tool;
     - dragging: a spot that carries a tool (`data-carries`) can be dragged to where the tool is to
       be used, and a spot with a way back (`data-back`) can be dragged off the board or removed with
       Delete;
     - arrow keys, which move from spot to spot; the focus stays in place after a swap;
     - the board as the first Tab stop of the page;
     - large boards on small screens: with the switch, cells become as large as a finger, and the board
       scrolls in its frame. The marks of a hint come into view.

   make-steps.js makes steps of what is pressed, and optimistic-ui.js shows them at once. */

import { passing } from "./browser.js";
import { cellName as placeName, spots } from "./optimistic-ui.js";
import { dropOn, press, takeBack } from "./make-steps.js";
import { isStepRequest, isWaiting } from "./send-steps.js";

/* Pressing */

/** @param {Element} spot */
function pressSpot(spot) {
  remember(spot);
  press(spot);
}

document.addEventListener("click", (event) => {
  const spot = event.target?.closest?.(".spot[data-move]");
  if (!spot) return;
  if (pointerPress) pointerPress.isCounted = true;
  pressSpot(spot);
});

/**
 * An answer that arrives while a mouse button is down draws the board anew, and the browser then
 * makes no click. Therefore a press counts if the pointer goes down and up on the same spot. (The
 * click of a finger is made when it is lifted. Each press has a value of its own, because on a busy
 * machine the next press on a spot can begin before the timer of the last one has run.)
 *
 * @type {{ at: string, isCounted: boolean } | null}
 */
let pointerPress = null;

/** @param {PointerEvent} event */
const spotUnder = ({ clientX, clientY }) =>
  document.elementFromPoint(clientX, clientY)?.closest(".spot[data-move]");

document.addEventListener("pointerdown", (event) => {
  const spot = event.isPrimary && event.button === 0 && event.target?.closest?.(".spot[data-move]");
  pointerPress = spot && event.pointerType !== "touch" ? { at: placeName(spot), isCounted: false } : null;
});

document.addEventListener("pointerup", (event) => {
  const [mine, spot] = [pointerPress, spotUnder(event)];
  if (!mine || drag?.ghost || !spot || placeName(spot) !== mine.at) return;
  setTimeout(() => {
    const now = spot.isConnected ? spot : spotUnder(event);
    if (!mine.isCounted && now) pressSpot(now);
  });
});

document.addEventListener("keydown", (event) => {
  const spot = event.target?.closest?.(".spot[data-move]");
  if (!spot) return;
  // Remember the spot for every key, because undo, too, draws the board anew.
  remember(spot);
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const step = ARROWS[event.key];
  if (event.key === "Enter" || event.key === " ") {
    pressSpot(spot);
  } else if (spot.dataset.back && (event.key === "Delete" || event.key === "Backspace")) {
    remember(spot);
    takeBack(spot);
  } else if (step) {
    focus(neighbour(spot, step));
    // The answer to a press that is under way brings the focus back to where it is now.
    if (document.activeElement) remember(document.activeElement);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});

/* Tools */

/** A spot of a board that is played, if the keyboard has led there. */
const PLAYED = ".play .spot:focus-visible";

document.addEventListener("keydown", (event) => {
  const typing = event.target?.closest?.("input:not([type=radio]), select, textarea");
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target?.matches?.(PLAYED) && !event.shiftKey) return;
  // With Shift, the key of a digit has another sign.
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1] ?? event.key;
  if (!/^[1-9]$/.test(digit)) return;
  const tool = document.querySelectorAll("[data-tool]")[Number(digit) - 1];
  if (tool?.matches(".spot")) pressSpot(tool);
  else tool?.click();
});

/* Dragging: a copy on top of everything moves with the pointer, and the spot stays in its place. */

const DRAG_PIXELS = 6;

/**
 * @typedef {object} Drag
 * @property {string} carries The tool.
 * @property {string | null} from The place of the spot, as its `transform`.
 * @property {number} x Where the pointer went down.
 * @property {number} y
 * @property {SVGGElement | null} ghost The copy that moves with the pointer.
 */

/** @type {Drag | null} */
let drag = null;

/**
 * Return the spot that carries the tool now. An answer that came meanwhile has drawn it anew.
 *
 * @param {Drag} drag
 */
function draggedSpot(drag) {
  const form = document.querySelector("form[data-board]");
  return form && spots(form).find(({ dataset }) => dataset.carries === drag.carries);
}

/** @param {Element} spot */
const svgOf = (spot) => /** @type {SVGSVGElement} */ (spot.closest("svg"));

document.addEventListener("pointerdown", (event) => {
  const spot = event.target?.closest?.(".spot[data-carries]");
  if (!event.isPrimary || event.button !== 0 || !spot?.closest("form[data-board]")) return;
  event.target?.addEventListener("touchmove", preventScrolling, { passive: false });
  const { carries = "" } = spot.dataset;
  drag = { carries, from: spot.getAttribute("transform"), x: event.clientX, y: event.clientY, ghost: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [right, below] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.ghost && Math.hypot(right, below) <= DRAG_PIXELS) return;
  if (!drag.ghost?.isConnected) drag.ghost = ghostOf(draggedSpot(drag)) ?? drag.ghost;
  const unit = drag.ghost?.ownerSVGElement?.getScreenCTM()?.a;
  if (unit) drag.ghost?.setAttribute("transform", `translate(${right / unit} ${below / unit}) ${drag.from}`);
});

/**
 * A finger that drags must not scroll the page. (No browser heeds `touch-action` in SVG.) Touch
 * events go to the element on which the finger was put down, even after an answer has removed it.
 *
 * @param {Event} event
 */
const preventScrolling = (event) => drag && event.preventDefault();

/** @param {Element | null | undefined} spot */
function ghostOf(spot) {
  if (!spot) return null;
  const ghost = /** @type {SVGGElement} */ (spot.cloneNode(true));
  for (const { name } of [...ghost.attributes]) ghost.removeAttribute(name);
  ghost.setAttribute("class", "ghost");
  ghost.setAttribute("aria-hidden", "true");
  svgOf(spot).append(ghost);
  spot.classList.add("dragged");
  return ghost;
}

/**
 * End the drag, and return the dragged spot; nothing if it was only pressed or has gone.
 *
 * @param {Drag} ended
 */
function endDrag(ended) {
  const [spot, { ghost }] = [draggedSpot(ended), ended];
  drag = null;
  ghost?.remove();
  spot?.classList.remove("dragged");
  return ghost && spot;
}

document.addEventListener("pointerup", (event) => {
  const spot = drag && endDrag(drag);
  if (!spot) return;
  const board = /** @type {Element} */ (svgOf(spot).querySelector(".board")).getBoundingClientRect();
  const isOff =
    event.clientX < board.left ||
    event.clientX > board.right ||
    event.clientY < board.top ||
    event.clientY > board.bottom;
  const there = spotUnder(event);
  remember(spot);
  if (isOff && spot.dataset.back) takeBack(spot);
  else if (!isOff && there && there !== spot) dropOn(spot.dataset.carries ?? "", there);
});

document.addEventListener("pointercancel", () => drag && endDrag(drag));

/* Arrow keys */

/** @type {Record<string, number[]>} */
const ARROWS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** @param {Element} spot */
const cellOf = (spot) => [Number(spot.dataset.row), Number(spot.dataset.column)];

/**
 * Return the nearest spot ahead. A spot off the straight line counts as further away.
 *
 * @param {Element} from
 * @param {number[]} direction
 */
function neighbour(from, [rows, columns]) {
  const [row, column] = cellOf(from);
  let best = null;
  let least = Infinity;
  for (const spot of spots(svgOf(from))) {
    const [down, right] = [cellOf(spot)[0] - row, cellOf(spot)[1] - column];
    const ahead = down * rows + right * columns;
    const aside = Math.abs(down * columns) + Math.abs(right * rows);
    if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [spot, ahead + 3 * aside];
  }
  return best;
}

/** @param {Element | null} spot */
export function focus(spot) {
  if (!spot) return;
  for (const other of spots(svgOf(spot))) other.setAttribute("tabindex", "-1");
  spot.setAttribute("tabindex", "0");
  spot.focus({ preventScroll: true });
}

/* Players who use the keyboard want the board first, and what is before it is reached backwards. Who
   has begun somewhere else goes on from there. */
let isUntouched = true;
document.addEventListener("pointerdown", () => (isUntouched = false));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Tab") return;
  const isFirst = isUntouched && !event.shiftKey && document.activeElement === document.body;
  isUntouched = false;
  const spot = isFirst && document.querySelector(".play [data-board] .spot[tabindex='0']");
  if (!spot) return;
  event.preventDefault();
  focus(spot);
});

/** @type {{ place: number[], focused: boolean } | null} */
let lastPressed = null;

/** @param {Element} spot */
function remember(spot) {
  lastPressed = { place: cellOf(spot), focused: document.activeElement === spot };
}

/* The pressed stone may be gone. The focus then moves to the nearest spot that is left, or to the
   element after the board (`data-after`) if the board takes no more presses. A swap may also have
   turned the focused element into another stone, so this is done even when a spot has the focus. */
document.addEventListener("htmx:after:swap", (event) => {
  if (!isStepRequest(event)) return;
  restoreFocus();
  if (!isWaiting()) lastPressed = null;
});
document.addEventListener("board:step", () => document.activeElement === document.body && restoreFocus());

function restoreFocus() {
  const from = lastPressed?.focused && lastPressed.place;
  const active = document.activeElement ?? document.body;
  if (!from || !(active === document.body || active.closest("svg"))) return;
  if (!focusNear(from)) document.querySelector("[data-after]")?.focus({ preventScroll: true });
}

/**
 * Focus the spot that is nearest to a place. Return whether there is one.
 *
 * @param {number[]} place
 */
function focusNear([row, column]) {
  /** @param {Element} spot */
  const far = (spot) => Math.abs(cellOf(spot)[0] - row) + Math.abs(cellOf(spot)[1] - column);
  const board = document.querySelector("form[data-board]");
  const nearest = board && spots(board).sort((a, b) => far(a) - far(b))[0];
  if (nearest) focus(nearest);
  return Boolean(nearest);
}

/**
 * Lead the keyboard to the spot that is nearest to a place. An answer that is under way leaves it there.
 *
 * @param {number[]} place
 */
export function leadTo(place) {
  if (focusNear(place) && document.activeElement) remember(document.activeElement);
}

/* A press or a key ends the show of what was earned. Nothing waits for its end anyway. */
for (const name of ["pointerdown", "keydown"])
  document.addEventListener(name, () => {
    for (const part of document.querySelectorAll(".earned, .flower"))
      for (const animation of part.getAnimations({ subtree: true })) animation.finish();
  });

/* Large boards */

const FINGER = 44;
const LARGE = "large board";
const zoom = document.querySelector("[data-zoom]");

/**
 * Return the width of the smallest place that can be pressed, in the picture's own units.
 *
 * @param {SVGSVGElement} picture
 */
function widthOfPlace(picture) {
  /** @type {NodeListOf<SVGRectElement>} */
  const places = picture.querySelectorAll("rect.press");
  return Math.min(FINGER, ...Array.from(places, (each) => each.width.baseVal.value));
}

function showLarge() {
  const frame = document.querySelector(".play-board");
  /** @type {SVGSVGElement | null | undefined} */
  const picture = frame?.querySelector(".picture");
  if (!zoom || !frame || !picture) return;
  const isOn = passing.read(LARGE) !== null;
  frame.classList.remove("large");
  picture.style.width = "";
  const scale = picture.getScreenCTM()?.a ?? 1;
  zoom.hidden = widthOfPlace(picture) * scale >= FINGER;
  zoom.setAttribute("aria-pressed", String(isOn));
  if (!isOn || zoom.hidden) return;
  frame.classList.add("large");
  picture.style.width = `${(picture.viewBox.baseVal.width / widthOfPlace(picture)) * FINGER}px`;
}

zoom?.addEventListener("click", () => {
  if (passing.read(LARGE) === null) passing.write(LARGE, "");
  else passing.remove(LARGE);
  showLarge();
});

/** @type {[number, number]} */
let pushed = [0, 0];

document.addEventListener("htmx:before:swap", () => {
  const form = document.getElementById("board");
  if (form) pushed = [form.scrollLeft, form.scrollTop];
});

document.addEventListener("htmx:after:swap", () => {
  showLarge();
  document.getElementById("board")?.scrollTo(...pushed);
  const marks = [...document.querySelectorAll(".play-board .hinted-move, .play-board .hinted-region")];
  marks[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
});
window.addEventListener("resize", showLarge);
showLarge();
