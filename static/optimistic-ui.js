/* Shows what a press will change before the server has answered.

   A kind describes this cell by cell (solvers/capabilities.py: Presses). The page's <template
   id="looks"> holds the shapes of a cell in each state, and the presses that lead from state to
   state. The picture is a guess, because the script does not know the rules: every answer draws the
   board anew, and waiting steps are shown on it again. For a kind without `Presses`, pressed cells
   are only marked. */

const template = () => /** @type {HTMLTemplateElement | null} */ (document.getElementById("looks"));

/** @returns {Presses | null} */
function readPresses() {
  const presses = template()?.dataset.presses;
  return presses ? JSON.parse(presses) : null;
}

/** @typedef {import("./step-queue.js").Waiting} Waiting */
/** @typedef {(() => void)[]} Undos The functions that take back what was shown. */

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
const pictureOf = (form) => /** @type {SVGSVGElement} */ (form.querySelector("svg.picture"));

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
 * For each step that is shown and has no answer yet, the functions that take it back.
 *
 * @type {Undos[]}
 */
let shown = [];

/** The number of moves on the board as it is shown, with the steps that wait. */
export let movesShown = 0;

/**
 * Return what a press on the spot means: the `move`, the state in which its cell `is`, and the
 * `state` in which it will be. Without a state nothing can be foretold. Without a move the press has
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
    return { at, tool, is, move: `${tool} ${at}`, state: carrier.dataset.is };
  }
  const rule = presses.rules[tool]?.[is];
  if ("closed" in spot.dataset) {
    // On an empty cell that takes only a piece, a press means nothing while none is held.
    if (is === presses.vacant && !rule) return null;
    if (!shown.length) return fixed;
  }
  if (rule) return { at, tool, is, move: rule[0] ? `${rule[0]} ${at}` : at, state: rule[1] };
  if ("pending" in spot.dataset) return null;
  if (tool && tool !== toolOfDrawing) return { at, tool };
  const matching = Object.values(presses.rules)
    .flatMap((states) => Object.values(states))
    .find(([prefix]) => prefix && spot.dataset.move === `${prefix} ${at}`);
  return matching && tool ? { ...fixed, is, state: matching[1] } : fixed;
}

/**
 * Return what it means to take the piece off the board.
 *
 * @param {HTMLFormElement} form
 * @param {Element} spot
 * @returns {Waiting}
 */
export function wayBack(form, spot) {
  const { back, is } = spot.dataset;
  return { at: cellName(spot), tool: toolOf(form), is, move: back, state: readPresses()?.vacant, was: is };
}

/**
 * Show a step that the user has made.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 */
export function show(form, step) {
  dropPreview();
  movesShown = Math.max(0, movesShown + (step.action === "undo" ? -1 : 1));
  if (step.action === "undo") return showUndone(form);
  const { at, state } = step;
  const spot = at && spotAt(form, at);
  /** @type {Undos} */
  const undos = [];
  shown.push(undos);
  if (!spot) return;
  const presses = readPresses();
  if (!state || !presses) {
    mark(spot, undos);
    return;
  }
  if (presses.trail) drawTrail(form, spot, presses.trail, undos);
  const parity = !pictureOf(form).querySelector(".odd");
  const carrier = carrierOf(form, step.tool);
  setState(spot, state, undos);
  mark(spot, undos);
  setParity(spot.querySelector(".placed"), parity);
  if (step.was) {
    makeFixed(spot, undos);
    countHand(form, step.was, 1, undos);
  } else if (carrier) {
    if (carrier.dataset.back) {
      setState(carrier, presses.vacant, undos);
      makeFixed(carrier, undos);
      mark(carrier, undos);
    } else {
      countHand(form, carrier.dataset.is, -1, undos);
    }
    makeMovable(spot, { at, state }, presses, undos);
    if (!carrierOf(form, toolOf(form))) takeUp(form, firstInHand(form));
  }
  for (const [beside, turned] of turning(form, at, presses)) {
    setState(beside, turned, undos);
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
 * @param {Undos} undos
 */
function setState(spot, state, undos) {
  const before = [...spot.childNodes];
  const was = spot.dataset.is;
  const shapes = [...lookOf(state).children];
  for (const shape of shapes) if (shape.matches(".order")) shape.textContent = String(movesShown);
  spot.replaceChildren(...shapes, /** @type {Element} */ (spot.querySelector(".press")));
  spot.dataset.is = state;
  undos.push(() => {
    spot.replaceChildren(...before);
    spot.dataset.is = was;
  });
}

/**
 * @param {Element} spot
 * @param {Undos} undos
 */
function mark(spot, undos) {
  spot.dataset.pending = "";
  undos.push(() => delete spot.dataset.pending);
}

/**
 * Let a piece that was just set down be taken up again at once.
 *
 * @param {Element} spot
 * @param {{ at: string, state: string }} step
 * @param {Presses} presses
 * @param {Undos} undos
 */
function makeMovable(spot, { at, state }, presses, undos) {
  /** @param {string} text */
  const fill = (text) => text.replace("{state}", state).replace("{cell}", at);
  spot.dataset.carries = fill(presses.carried);
  spot.dataset.back = fill(presses.back);
  undos.push(() => {
    delete spot.dataset.carries;
    delete spot.dataset.back;
  });
}

/**
 * @param {Element} spot
 * @param {Undos} undos
 */
function makeFixed(spot, undos) {
  const { carries, back } = spot.dataset;
  delete spot.dataset.carries;
  delete spot.dataset.back;
  undos.push(() => Object.assign(spot.dataset, { carries, back }));
}

/**
 * Change the number of the pieces in hand that are in the state.
 *
 * @param {HTMLFormElement} form
 * @param {string | undefined} state
 * @param {number} change
 * @param {Undos} undos
 */
function countHand(form, state, change, undos) {
  const hand = spots(form).find(({ dataset }) => dataset.is === state && !dataset.back && dataset.carries);
  // The number is drawn on the spot, behind it in the picture.
  const number = hand?.nextElementSibling;
  if (!hand || !number?.matches(".number")) return;
  const [before, name] = [number.textContent, hand.dataset.carries];
  number.textContent = String(Number(before) + change);
  const isGone = number.textContent === "0";
  hand.querySelector(".koma")?.classList.toggle("gone", isGone);
  if (isGone) delete hand.dataset.carries;
  undos.push(() => {
    number.textContent = before;
    hand.dataset.carries = name;
    hand.querySelector(".koma")?.classList.remove("gone");
  });
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
 * @param {Undos} undos
 */
function drawTrail(form, spot, style, undos) {
  const svg = pictureOf(form);
  const from = [...svg.querySelectorAll(".current")].pop();
  if (!from) return;
  const line = document.createElementNS(svg.namespaceURI, "line");
  line.setAttribute("class", style);
  const ends = [...centre(from), ...centre(spot)];
  for (const [number, name] of ["x1", "y1", "x2", "y2"].entries())
    line.setAttribute(name, String(ends[number]));
  svg.querySelector(".current, .picked, .spot")?.before(line);
  undos.push(() => line.remove());
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

/* The boards that were shown, so that an undo can show the board before it at once. */

const MAX_DRAWINGS = 60;
/** @type {Map<string, { picture: string, before: string }>} */
const drawings = new Map();
let markShown = ""; // The mark of the board that is shown, below the steps that wait.

/** @param {HTMLFormElement} form */
function showUndone(form) {
  const last = shown.pop();
  if (last) {
    for (const undo of last.reverse()) undo();
    return;
  }
  const before = drawings.get(markShown)?.before ?? "";
  const drawing = drawings.get(before);
  if (!drawing) return;
  markShown = before;
  pictureOf(form).innerHTML = drawing.picture;
}

/* Show the board as the server drew it last, without the waiting steps. */
export function restoreDrawing() {
  for (const undo of shown.splice(0).flat().reverse()) undo();
}

/**
 * Take note that the server has drawn the board.
 *
 * @param {HTMLFormElement} form
 */
export function rememberDrawing(form) {
  shown = [];
  /** @type {HTMLInputElement | null} */
  const slider = document.querySelector(".play-moves [type=range]");
  movesShown = Number(slider?.defaultValue ?? 0);
  markShown = form.dataset.at ?? "";
  toolOfDrawing = toolOf(form);
  if (!form.dataset.at) return;
  drawings.delete(markShown);
  drawings.set(markShown, { picture: pictureOf(form).innerHTML, before: form.dataset.before ?? "" });
  const [oldest] = drawings.keys();
  if (drawings.size > MAX_DRAWINGS) drawings.delete(oldest);
}
