/* Shows what a press will change before the server has answered.

   A kind describes this cell by cell (solvers/capabilities.py: Presses). The page's <template
   id="looks"> holds the shapes of a cell in each state, and the presses that lead from state to
   state. Where the page has the kind's rules (rules.js), only legal moves are shown. Every answer draws
   the board anew, and waiting steps are shown on it again. For a kind without `Presses`, pressed cells
   are only marked. The picture before each move is kept, so that an undo shows it again. */

const template = () => /** @type {HTMLTemplateElement | null} */ (document.getElementById("looks"));

/** @returns {Presses | null} */
function readPresses() {
  const presses = template()?.dataset.presses;
  return presses ? JSON.parse(presses) : null;
}

/** @typedef {import("./step-queue.js").Waiting} Waiting */

/** @param {Element} spot */
export const cellName = ({ dataset: { row, column } }) => `${Number(row) + 1},${Number(column) + 1}`;

/** @param {ParentNode} within */
export const spots = (within) => [...within.querySelectorAll(".spot[data-move]")];

/**
 * @param {ParentNode} within
 * @param {string} at
 */
export function spotAt(within, at) {
  const [row, column] = at.split(",").map((number) => Number(number) - 1);
  return within.querySelector(`.spot[data-move][data-row="${row}"][data-column="${column}"]`);
}

/** @param {ParentNode} form */
export const pictureOf = (form) => /** @type {SVGSVGElement} */ (form.querySelector("svg.picture"));

/**
 * @param {HTMLFormElement} form
 * @returns {string}
 */
const toolOf = (form) => form.elements.tool?.value ?? "";

/**
 * @param {HTMLFormElement} form
 * @param {string | undefined} tool
 */
const carrierOf = (form, tool) =>
  tool ? spots(form).find((spot) => spot.dataset.carries === tool) : undefined;

/**
 * The pictures of the boards with 0, 1, 2 … moves, as far as they have been shown.
 *
 * @type {SVGSVGElement[]}
 */
const pictures = [];
/** The number of moves on the board that the server drew last. */
let movesDrawn = 0;
/** The number of moves on the board as it is shown, with the steps that wait. */
export let movesShown = 0;

/**
 * Return what a press on the spot means: the `move`, and the `state` in which its cell will be. Without a state nothing can be foretold. Without a move the press has
 * to wait for the answer. Return null if the press means nothing.
 *
 * @param {HTMLFormElement} form
 * @param {Element} spot
 * @returns {Waiting | null}
 */
export function stepOf(form, spot) {
  const at = cellName(spot);
  const tool = toolOf(form);
  const is = spot.dataset.is;
  const presses = readPresses();
  const fixed = { at, tool, move: spot.dataset.move };
  if (!presses || !is) return fixed;
  const carrier = carrierOf(form, tool);
  if (carrier && is === presses.vacant) {
    return { at, tool, move: `${tool} ${at}`, state: carrier.dataset.is };
  }
  const rule = presses.rules[tool]?.[is];
  if ("closed" in spot.dataset) {
    // On an empty cell that takes only a piece, a press means nothing while none is held.
    if (is === presses.vacant && !rule) return null;
    if (movesShown === movesDrawn) return fixed;
  }
  if (rule) return { at, tool, move: rule[0] ? `${rule[0]} ${at}` : at, state: rule[1] };
  if ("pending" in spot.dataset) return null;
  if (tool && tool !== toolOfDrawing) return { at, tool };
  const matching = Object.values(presses.rules)
    .flatMap((states) => Object.values(states))
    .find(([prefix]) => prefix && spot.dataset.move === `${prefix} ${at}`);
  return matching && tool ? { ...fixed, state: matching[1] } : fixed;
}

/**
 * Return the text of the move before its cell that a press on the spot makes, and the next state;
 * nothing if that can't be foretold.
 *
 * @param {HTMLFormElement} form
 * @param {Element} spot
 */
export const ruleOf = (form, spot) => readPresses()?.rules[toolOf(form)]?.[spot.dataset.is ?? ""];

/**
 * Return what it means to take the piece off the board.
 *
 * @param {HTMLFormElement} form
 * @param {Element} spot
 * @returns {Waiting}
 */
export function wayBack(form, spot) {
  const { back, is } = spot.dataset;
  return { at: cellName(spot), tool: toolOf(form), move: back, state: readPresses()?.vacant, was: is };
}

/**
 * Return what a move means that no press has asked for.
 *
 * @param {HTMLFormElement} form
 * @param {string} move
 * @returns {Waiting}
 */
export function stepFor(form, move) {
  const [tool, at] = [move.slice(0, Math.max(0, move.lastIndexOf(" "))), move.split(" ").at(-1) ?? ""];
  const spot = spotAt(form, at);
  if (spot?.dataset.back === move) return wayBack(form, spot);
  const is = spot?.dataset.is ?? "";
  const carrier = carrierOf(form, tool);
  if (carrier) return { at, tool, move, state: carrier.dataset.is };
  const rule = Object.values(readPresses()?.rules ?? {})
    .map((states) => states[is])
    .find((found) => found?.[0] === tool);
  return { at, move, state: rule?.[1] };
}

/**
 * Show a step that the user has made.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 * @param {string[]} [line] The moves on the board after the step, if they are known.
 */
export function show(form, step, line) {
  dropPreview();
  if (step.action === "undo") return showUndone(form, line);
  pictures.length = Math.min(pictures.length, movesShown + 1);
  pictures[movesShown] ??= copyOf(form);
  movesShown += 1;
  const { at, state } = step;
  const spot = at && spotAt(form, at);
  if (!spot) return;
  spot.dataset.pending = "";
  const presses = readPresses();
  if (!state || !presses) return;
  if (presses.trail) drawTrail(form, spot, presses.trail);
  const parity = !pictureOf(form).querySelector(".odd");
  const carrier = carrierOf(form, step.tool);
  setState(spot, state);
  setParity(spot.querySelector(".placed"), parity);
  if (step.was) {
    makeFixed(spot);
    countHand(form, step.was, 1);
  } else if (carrier) {
    if (carrier.dataset.back) {
      setState(carrier, presses.vacant);
      makeFixed(carrier);
      carrier.dataset.pending = "";
    } else {
      countHand(form, carrier.dataset.is, -1);
    }
    makeMovable(spot, { at, state });
    if (!carrierOf(form, toolOf(form))) takeUp(form, firstInHand(form));
  }
  for (const [beside, turned] of turning(form, at, presses)) {
    setState(beside, turned);
    const stone = beside.querySelector(":not(.press)");
    stone?.classList.add("flipped");
    setParity(stone, parity);
  }
}

/**
 * Yield the spots that a press on a place changes beside it, each with its next state.
 *
 * @param {HTMLFormElement} form
 * @param {string} at
 * @param {Presses} presses
 * @returns {Generator<[Element, string]>}
 */
function* turning(form, at, presses) {
  const [down, right] = at.split(",").map(Number);
  for (const [row, column] of [
    [-1, 0],
    [0, -1],
    [0, 1],
    [1, 0],
  ]) {
    const beside = spotAt(form, `${down + row},${right + column}`);
    const turned = presses.turns[beside?.dataset.is ?? ""];
    if (beside && turned) yield [beside, turned];
  }
}

/**
 * Styles have two names for each movement, which alternate (see the kinds' style sheets).
 *
 * @param {Element | null} shape
 * @param {boolean} is
 */
const setParity = (shape, is) => shape?.classList.toggle("odd", is);

/**
 * Return a new group of the shapes of a cell in the state.
 *
 * @param {string} state
 */
const lookOf = (state) =>
  /** @type {Element} */ (template()?.content.querySelector(`[data-state="${state}"]`)?.cloneNode(true));

/**
 * @param {Element} spot
 * @param {string} state
 */
function setState(spot, state) {
  const shapes = [...lookOf(state).children];
  for (const shape of shapes) if (shape.matches(".order")) shape.textContent = String(movesShown);
  spot.replaceChildren(...shapes, /** @type {Element} */ (spot.querySelector(".press")));
  rename(spot, state);
  spot.dataset.is = state;
}

/**
 * Give a spot the label and the move of its next state, if the page has the names of the states.
 *
 * @param {Element} spot
 * @param {string} state
 */
function rename(spot, state) {
  const [was, name] = [spot.dataset.is ?? "", state].map((each) => lookOf(each)?.dataset.name);
  if (!was || !name) return;
  spot.setAttribute(
    "aria-label",
    (spot.getAttribute("aria-label") ?? "").replace(was, () => name),
  );
  const rule = readPresses()?.rules[toolOfDrawing]?.[state];
  spot.toggleAttribute("data-closed", !rule);
  if (rule) spot.dataset.move = rule[0] ? `${rule[0]} ${cellName(spot)}` : cellName(spot);
}

/** Whether a press is drawn here as the server draws it (`Presses.names` in solvers/capabilities.py). */
export const isWholeHere = () => Boolean(template()?.content.querySelector("[data-name]"));

/**
 * Let a piece that was just set down be taken up again at once.
 *
 * @param {Element} spot
 * @param {{ at: string, state: string }} step
 */
function makeMovable(spot, { at, state }) {
  spot.dataset.carries = `${state}${at}>`;
  spot.dataset.back = `- ${at}`;
}

/** @param {Element} spot */
function makeFixed(spot) {
  delete spot.dataset.carries;
  delete spot.dataset.back;
}

/**
 * Change the number of the pieces in hand that are in the state.
 *
 * @param {HTMLFormElement} form
 * @param {string | undefined} state
 * @param {number} change
 */
function countHand(form, state, change) {
  const hand = spots(form).find(({ dataset }) => dataset.is === state && !dataset.back && dataset.carries);
  // The number is drawn on the spot, behind it in the picture.
  const number = hand?.nextElementSibling;
  if (!hand || !number?.matches(".number")) return;
  number.textContent = String(Number(number.textContent) + change);
  const isGone = number.textContent === "0";
  hand.querySelector(".koma")?.classList.toggle("gone", isGone);
  if (isGone) delete hand.dataset.carries;
}

/** @param {HTMLFormElement} form */
const firstInHand = (form) =>
  spots(form).find(({ dataset }) => dataset.carries && !dataset.back)?.dataset.carries ?? "";

/**
 * Return the centre of a circle of the board, or that of the cell on which it stands.
 *
 * @param {Element} circle
 */
function centre(circle) {
  const moved = circle
    .closest("[transform]")
    ?.getAttribute("transform")
    ?.match(/-?[\d.]+/g);
  return moved ?? [circle.getAttribute("cx"), circle.getAttribute("cy")];
}

/**
 * Draw the line from the latest move to the spot.
 *
 * @param {HTMLFormElement} form
 * @param {Element} spot
 * @param {string} style
 */
function drawTrail(form, spot, style) {
  const svg = pictureOf(form);
  const from = svg.querySelector(".current");
  if (!from) return;
  for (const before of svg.querySelectorAll(".last")) before.classList.remove("last");
  const line = document.createElementNS(svg.namespaceURI, "line");
  line.setAttribute("class", style);
  const ends = [...centre(from), ...centre(spot)];
  for (const [number, name] of ["x1", "y1", "x2", "y2"].entries())
    line.setAttribute(name, String(ends[number]));
  svg.querySelector(".current, .picked, .spot")?.before(line);
  // Only one move is the latest. The others look as the server draws them.
  const passed = lookOf(PASSED)?.querySelector("circle");
  for (const name of ["class", "r"]) from.setAttribute(name, passed?.getAttribute(name) ?? "");
}

/** The look of a cell whose move is not the latest any more (`Presses.trail`). */
const PASSED = "passed";

/**
 * Mark the spots that can be pressed next, as the server does where moves form a trail.
 *
 * @param {HTMLFormElement} form
 * @param {string[]} moves
 */
export function showNextMoves(form, moves) {
  const presses = readPresses();
  if (!presses?.trail || !movesShown) return;
  const next = new Set(moves);
  for (const spot of spots(form))
    if (presses.rules[""]?.[spot.dataset.is ?? ""])
      spot.firstElementChild?.classList.toggle("next", next.has(cellName(spot)));
}

/* The stones that a press would turn over show in small what they would become, while a mouse, a finger
   or the keyboard's focus is on a spot. This is the rule and no hint: a press and an undo show it, too. */

/** @type {Element[]} */
const preview = [];

const dropPreview = () => preview.splice(0).forEach((look) => look.remove());

/** @param {Event} event */
function showPreview({ target, type }) {
  dropPreview();
  const spot = target?.closest?.("[data-board] .spot:not([data-closed])");
  const presses = readPresses();
  const isFree = spot?.dataset.is && presses?.rules[""]?.[spot.dataset.is];
  if (!isFree || (type === "focusin" && !spot.matches(":focus-visible"))) return;
  const form = /** @type {HTMLFormElement} */ (spot.closest("form"));
  for (const [beside, turned] of turning(form, cellName(spot), presses)) {
    const look = lookOf(turned);
    look.setAttribute("class", "preview");
    beside.querySelector(".press")?.before(look);
    preview.push(look);
  }
}

for (const name of ["pointerover", "focusin"]) document.addEventListener(name, showPreview);
for (const name of ["pointerout", "focusout"]) document.addEventListener(name, dropPreview);

/* Tools */

let toolOfDrawing = "";

/**
 * Take up a tool. The next press uses it.
 *
 * @param {HTMLFormElement} form
 * @param {string} tool
 */
export function takeUp(form, tool) {
  if (!form.elements.tool) return;
  form.elements.tool.value = tool;
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll("button[data-tool][name=take]");
  for (const button of buttons) {
    button.setAttribute("aria-pressed", String(button.value === tool));
  }
  for (const spot of form.querySelectorAll(".spot[data-is]")) {
    const isTaken = tool !== "" && spot.dataset.carries === tool;
    spot.querySelector(".stand")?.classList.toggle("held", isTaken);
    if (spot.dataset.back) spot.classList.toggle("taken", isTaken);
  }
}

/**
 * Return whether the tool can be taken up.
 *
 * @param {HTMLFormElement} form
 * @param {string} tool
 */
export const hasTool = (form, tool) =>
  Boolean(carrierOf(form, tool) || document.querySelector(`button[data-tool][value="${CSS.escape(tool)}"]`));

/** @param {string} tool */
export const isDrawnFor = (tool) => tool === toolOfDrawing;

/* The boards that were shown */

/** @param {HTMLFormElement} form */
const copyOf = (form) => /** @type {SVGSVGElement} */ (pictureOf(form).cloneNode(true));

/**
 * Show the board with a number of moves as it was shown before. Return false if it was not.
 *
 * @param {HTMLFormElement} form
 * @param {number} moves
 */
function showAgain(form, moves) {
  const picture = pictures[moves]?.cloneNode(true);
  if (!picture) return false;
  pictureOf(form).replaceChildren(...picture.childNodes);
  movesShown = moves;
  return true;
}

/**
 * @param {HTMLFormElement} form
 * @param {string[]} [line]
 */
function showUndone(form, line) {
  /** @type {HTMLTemplateElement | null} */
  const start = document.querySelector("#start-board");
  if (start) pictures[0] ??= /** @type {SVGSVGElement} */ (start.content.firstElementChild);
  if (!showAgain(form, movesShown - 1)) {
    movesShown = Math.max(0, movesShown - 1);
    if (line && showAgain(form, 0)) for (const move of line) show(form, stepFor(form, move));
  }
  for (const spot of spots(form)) delete spot.dataset.pending;
}

/**
 * Draw the board that the server has into a copy of the form.
 *
 * @param {HTMLFormElement} copy
 */
export function drawStored(copy) {
  const picture = pictures[movesDrawn]?.cloneNode(true);
  if (picture) pictureOf(copy).replaceChildren(...picture.childNodes);
}

/**
 * Show the board as the server drew it last, without the waiting steps.
 *
 * @param {HTMLFormElement} form
 */
export const restoreDrawing = (form) => showAgain(form, movesDrawn);

/**
 * Take note that the server has stored steps whose board is drawn here as it would draw it.
 *
 * @param {HTMLFormElement} form
 * @param {number} moves The number of moves on the board after the steps.
 * @param {Waiting[]} waiting The steps that follow them.
 */
export function keepDrawing(form, moves, waiting) {
  const places = new Set(waiting.map(({ at }) => at));
  for (const spot of form.querySelectorAll("[data-pending]"))
    if (!places.has(cellName(spot))) delete spot.dataset.pending;
  movesDrawn = moves;
  if (movesShown === moves) pictures[moves] = copyOf(form);
  for (const spot of pictures[moves]?.querySelectorAll("[data-pending]") ?? []) delete spot.dataset.pending;
}

/**
 * Take note that the server has drawn the board.
 *
 * @param {HTMLFormElement} form
 * @param {boolean} [isNext] Whether it comes from the board that was shown, and not from another window.
 */
export function rememberDrawing(form, isNext) {
  /** @type {HTMLInputElement | null} */
  const slider = document.querySelector(".play-moves [type=range]");
  movesShown = movesDrawn = Number(slider?.defaultValue ?? 0);
  toolOfDrawing = toolOf(form);
  // The board before the first move is always the same.
  pictures.length = Math.min(pictures.length, isNext ? movesDrawn : 1);
  pictures[movesDrawn] = copyOf(form);
}
