/* Boards under the hand. The server draws them and knows the rules; here are

     - pressing: a spot of a form with `data-board` is clicked, or chosen with Enter or Space;
     - tools: a spot with `data-take` takes up the tool that its move names; the keys 1 to 9 press
       the first nine buttons or spots with `data-tool`, also the editor's brushes;
     - dragging: a spot that carries a tool (`data-carries`) can be dragged to where the tool is to
       be used, and one with a way back (`data-back`) off the board; Delete does the latter;
     - arrow keys, which go from spot to spot; the focus stays where it was after a swap;
     - the reason of a refusal, which is spoken each time.

   What a press sends is in steps.js, what it shows at once in looks.js. */

import { place as placeName, spots } from "./looks.js";
import { drop, isOurs, isWaiting, press, takeBack } from "./steps.js";

/* Pressing */

function pressed(spot) {
  remember(spot);
  press(spot);
}

document.addEventListener("click", (event) => {
  const spot = event.target.closest?.(".spot[data-move]");
  if (!spot) return;
  if (down) down.isCounted = true;
  pressed(spot);
});

/* An answer that comes while a mouse is down draws the board anew, and the browser then finds no
   click on what is under it. So what it was put down on, and let go on, counts. (A finger's click
   is made when it is lifted. Each press has a value of its own: on a busy machine the next one on
   the same spot can begin before the time of the one before has come.) */
let down = null;

const under = ({ clientX, clientY }) =>
  document.elementFromPoint(clientX, clientY)?.closest(".spot[data-move]");

document.addEventListener("pointerdown", (event) => {
  const spot = event.isPrimary && event.button === 0 && event.target.closest?.(".spot[data-move]");
  down = spot && event.pointerType !== "touch" ? { at: placeName(spot), isCounted: false } : null;
});

document.addEventListener("pointerup", (event) => {
  const [mine, spot] = [down, under(event)];
  if (!mine || drag?.ghost || !spot || placeName(spot) !== mine.at) return;
  setTimeout(() => {
    const now = spot.isConnected ? spot : under(event);
    if (!mine.isCounted && now) pressed(now);
  });
});

document.addEventListener("keydown", (event) => {
  const spot = event.target.closest?.(".spot[data-move]");
  if (!spot) return;
  // Whatever the key does: undo draws the board anew.
  remember(spot);
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const step = ARROWS[event.key];
  if (event.key === "Enter" || event.key === " ") {
    pressed(spot);
  } else if (spot.dataset.back && (event.key === "Delete" || event.key === "Backspace")) {
    remember(spot);
    takeBack(spot);
  } else if (step) {
    focus(neighbour(spot, step));
    // A press that is under way brings the focus back to where it is now.
    remember(document.activeElement);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
});

/* Tools */

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=radio]), select, textarea");
  if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!/^[1-9]$/.test(event.key)) return;
  const tool = document.querySelectorAll("[data-tool]")[event.key - 1];
  if (tool?.matches(".spot")) pressed(tool);
  else tool?.click();
});

/* Dragging: what is seen to move is a copy on top of everything; the spot keeps its place. */

const FAR = 6;
let drag = null;

/* What carries the tool now: an answer that comes meanwhile draws the board anew. */
function dragged() {
  const form = document.querySelector("form[data-board]");
  return form && spots(form).find(({ dataset }) => dataset.carries === drag.carries);
}

document.addEventListener("pointerdown", (event) => {
  const spot = event.target.closest?.(".spot[data-carries]");
  if (!event.isPrimary || event.button !== 0 || !spot?.closest("form[data-board]")) return;
  event.target.addEventListener("touchmove", keepStill, { passive: false });
  const { carries } = spot.dataset;
  drag = { carries, from: spot.getAttribute("transform"), x: event.clientX, y: event.clientY, ghost: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [right, below] = [event.clientX - drag.x, event.clientY - drag.y];
  if (!drag.ghost && Math.hypot(right, below) <= FAR) return;
  if (!drag.ghost?.isConnected) drag.ghost = ghostOf(dragged()) ?? drag.ghost;
  const unit = drag.ghost?.ownerSVGElement?.getScreenCTM().a;
  if (unit)
    drag.ghost.setAttribute("transform", `translate(${right / unit} ${below / unit}) ${drag.from}`);
});

/* A finger that drags must not scroll the page. (In SVG no browser heeds `touch-action`.) It is told
   to what it was put down on, also when an answer has taken that away. */
const keepStill = (event) => drag && event.preventDefault();

function ghostOf(spot) {
  if (!spot) return null;
  const ghost = spot.cloneNode(true);
  for (const { name } of [...ghost.attributes]) ghost.removeAttribute(name);
  ghost.setAttribute("class", "ghost");
  ghost.setAttribute("aria-hidden", "true");
  spot.ownerSVGElement.append(ghost);
  spot.classList.add("dragged");
  return ghost;
}

/* Return what was dragged; nothing when it was only pressed, or has gone. */
function letGo() {
  const [spot, { ghost }] = [dragged(), drag];
  drag = null;
  ghost?.remove();
  spot?.classList.remove("dragged");
  return ghost && spot;
}

document.addEventListener("pointerup", (event) => {
  const spot = drag && letGo();
  if (!spot) return;
  const board = spot.ownerSVGElement.querySelector(".board").getBoundingClientRect();
  const isOff =
    event.clientX < board.left ||
    event.clientX > board.right ||
    event.clientY < board.top ||
    event.clientY > board.bottom;
  const there = under(event);
  remember(spot);
  if (isOff && spot.dataset.back) takeBack(spot);
  else if (!isOff && there && there !== spot) drop(spot.dataset.carries, there);
});

document.addEventListener("pointercancel", () => drag && letGo());

/* Arrow keys */

const ARROWS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const place = (spot) => [Number(spot.dataset.row), Number(spot.dataset.column)];

/* The nearest spot ahead; what lies off the straight line counts as further away. */
function neighbour(from, [rows, columns]) {
  const [row, column] = place(from);
  let best = null;
  let least = Infinity;
  for (const spot of spots(from.closest("svg"))) {
    const [down, right] = [place(spot)[0] - row, place(spot)[1] - column];
    const ahead = down * rows + right * columns;
    const aside = Math.abs(down * columns) + Math.abs(right * rows);
    if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [spot, ahead + 3 * aside];
  }
  return best;
}

export function focus(spot) {
  if (!spot) return;
  for (const other of spots(spot.closest("svg"))) other.setAttribute("tabindex", "-1");
  spot.setAttribute("tabindex", "0");
  spot.focus({ preventScroll: true });
}

let last = null;

function remember(spot) {
  last = { place: place(spot), focused: document.activeElement === spot };
}

/* The pressed stone may be gone: the focus goes to the nearest spot that is left, or to
   what follows the board (`data-after`) when it takes no more presses. A swap may also have
   made the focused element another stone: so this is done whether a spot has the focus or
   nothing. */
document.addEventListener("htmx:after:swap", (event) => {
  if (!isOurs(event)) return;
  bringBack();
  if (!isWaiting()) last = null;
});
document.addEventListener("board:step", () => document.activeElement === document.body && bringBack());

function bringBack() {
  const from = last?.focused && last.place;
  const active = document.activeElement ?? document.body;
  if (!from || !(active === document.body || active.closest("svg"))) return;
  const far = (spot) => Math.abs(place(spot)[0] - from[0]) + Math.abs(place(spot)[1] - from[1]);
  const board = document.querySelector("form[data-board]");
  const nearest = board && spots(board).sort((a, b) => far(a) - far(b))[0];
  if (nearest) focus(nearest);
  else document.querySelector("[data-after]")?.focus({ preventScroll: true });
}

/* What is said a second time in the same words would not be spoken: it is put in anew. */
let refused = null;
const status = () => document.querySelector(".play-status");

document.addEventListener("board:refused", () => (refused = status()?.textContent));

document.addEventListener("htmx:after:swap", (event) => {
  if (!isOurs(event)) return;
  if (refused !== null && refused === status()?.textContent)
    status().replaceChildren(...[...status().childNodes].map((each) => each.cloneNode(true)));
  refused = null;
});
