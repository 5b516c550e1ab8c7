/* Shows what a press will change before the server has answered.

   A kind describes this cell by cell (solvers/capabilities.py: Presses). The page's <template
   id="looks"> holds the shapes of a cell in each state, and the presses that lead from state to
   state. The picture is a guess, because the script does not know the rules: every answer draws the
   board anew, and waiting steps are shown on it again. For a kind without `Presses`, pressed cells
   are only marked. */

const template = () => /** @type {HTMLTemplateElement | null} */ (document.getElementById("looks"));

/** @returns {Presses | null} */
function presses() {
  const said = template()?.dataset.presses;
  return said ? JSON.parse(said) : null;
}

/** @typedef {import("./queue.js").Waiting} Waiting */
/** @typedef {(() => void)[]} Undos The functions that take back what was shown. */

/** @param {Element} spot */
export const place = ({ dataset: { row, column } }) => `${Number(row) + 1},${Number(column) + 1}`;

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

/**
 * Return what a press on the spot means: the `move`, the state in which its cell `is`, and the
 * `state` in which it will be. Without a state nothing can be foretold. Without a move the press has
 * to wait for the answer. Return null if the press means nothing.
 *
 * @param {HTMLFormElement} form
 * @param {Element} spot
 * @returns {Waiting | null}
 */
export function meaning(form, spot) {
  const at = place(spot);
  const tool = toolOf(form);
  const is = spot.dataset.is;
  const said = presses();
  const fixed = { at, tool, move: spot.dataset.move };
  if (!said || !is || (!shown.length && "closed" in spot.dataset)) return fixed;
  const carrier = carrierOf(form, tool);
  if (carrier && is === said.vacant) {
    return { at, tool, is, move: `${tool} ${at}`, state: carrier.dataset.is };
  }
  const rule = said.rules[tool]?.[is];
  if (rule) return { at, tool, is, move: rule[0] ? `${rule[0]} ${at}` : at, state: rule[1] };
  if ("pending" in spot.dataset) return null;
  if (tool && tool !== drawnTool) return { at, tool };
  const like = Object.values(said.rules)
    .flatMap((states) => Object.values(states))
    .find(([says]) => says && spot.dataset.move === `${says} ${at}`);
  return like && tool ? { ...fixed, is, state: like[1] } : fixed;
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
  return { at: place(spot), tool: toolOf(form), is, move: back, state: presses()?.vacant, was: is };
}

/**
 * Show a step that the user has made.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 */
export function show(form, step) {
  if (step.action === "undo") return showUndone(form);
  const { at, state } = step;
  const spot = at && spotAt(form, at);
  /** @type {Undos} */
  const back = [];
  shown.push(back);
  if (!spot) return;
  const said = presses();
  if (!state || !said) {
    mark(spot, back);
    return;
  }
  if (said.trail) drawTrail(form, spot, said.trail, back);
  const parity = !pictureOf(form).querySelector(".odd");
  const carrier = carrierOf(form, step.tool);
  become(spot, state, back);
  mark(spot, back);
  odd(spot.querySelector(".placed"), parity);
  if (step.was) {
    disown(spot, back);
    countHand(form, step.was, 1, back);
  } else if (carrier) {
    if (carrier.dataset.back) {
      become(carrier, said.vacant, back);
      disown(carrier, back);
      mark(carrier, back);
    } else {
      countHand(form, carrier.dataset.is, -1, back);
    }
    own(spot, { at, state }, said, back);
    if (!carrierOf(form, toolOf(form))) takeUp(form, firstInHand(form));
  }
  for (const [row, column] of [
    [-1, 0],
    [0, -1],
    [0, 1],
    [1, 0],
  ]) {
    const [down, right] = at.split(",").map(Number);
    const beside = spotAt(form, `${down + row},${right + column}`);
    const turned = said.turns[beside?.dataset.is ?? ""];
    if (!beside || !turned) continue;
    become(beside, turned, back);
    const stone = beside.querySelector(":not(.press)");
    stone?.classList.add("flipped");
    odd(stone, parity);
  }
}

/**
 * Styles have two names for each movement, which alternate (see the kinds' style sheets).
 *
 * @param {Element | null} shape
 * @param {boolean} is
 */
const odd = (shape, is) => shape?.classList.toggle("odd", is);

/**
 * @param {Element} spot
 * @param {string} state
 * @param {Undos} back
 */
function become(spot, state, back) {
  const look = /** @type {Element} */ (template()?.content.querySelector(`[data-state="${state}"]`));
  const before = [...spot.childNodes];
  const was = spot.dataset.is;
  const form = /** @type {HTMLFormElement} */ (spot.closest("form"));
  const next = pictureOf(form).querySelectorAll(".order").length + 1;
  const shapes = [.../** @type {Element} */ (look.cloneNode(true)).children];
  for (const shape of shapes) if (shape.matches(".order")) shape.textContent = String(next);
  spot.replaceChildren(...shapes, /** @type {Element} */ (spot.querySelector(".press")));
  spot.dataset.is = state;
  back.push(() => {
    spot.replaceChildren(...before);
    spot.dataset.is = was;
  });
}

/**
 * @param {Element} spot
 * @param {Undos} back
 */
function mark(spot, back) {
  spot.dataset.pending = "";
  back.push(() => delete spot.dataset.pending);
}

/**
 * Let a piece that was just set down be taken up again at once.
 *
 * @param {Element} spot
 * @param {{ at: string, state: string }} step
 * @param {Presses} said
 * @param {Undos} back
 */
function own(spot, { at, state }, said, back) {
  /** @param {string} text */
  const fill = (text) => text.replace("{state}", state).replace("{cell}", at);
  spot.dataset.carries = fill(said.carried);
  spot.dataset.back = fill(said.back);
  back.push(() => {
    delete spot.dataset.carries;
    delete spot.dataset.back;
  });
}

/**
 * @param {Element} spot
 * @param {Undos} back
 */
function disown(spot, back) {
  const { carries, back: way } = spot.dataset;
  delete spot.dataset.carries;
  delete spot.dataset.back;
  back.push(() => Object.assign(spot.dataset, { carries, back: way }));
}

/**
 * Change the number of the pieces in hand that are in the state.
 *
 * @param {HTMLFormElement} form
 * @param {string | undefined} state
 * @param {number} change
 * @param {Undos} back
 */
function countHand(form, state, change, back) {
  const hand = spots(form).find(({ dataset }) => dataset.is === state && !dataset.back && dataset.carries);
  const number = hand?.querySelector(".number");
  if (!hand || !number) return;
  const [before, name] = [number.textContent, hand.dataset.carries];
  number.textContent = String(Number(before) + change);
  const isGone = number.textContent === "0";
  hand.querySelector(".koma")?.classList.toggle("gone", isGone);
  if (isGone) delete hand.dataset.carries;
  back.push(() => {
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
 * @param {Undos} back
 */
function drawTrail(form, spot, style, back) {
  const svg = pictureOf(form);
  const from = [...svg.querySelectorAll(".current")].pop();
  if (!from) return;
  const line = document.createElementNS(svg.namespaceURI, "line");
  line.setAttribute("class", style);
  const ends = [...centre(from), ...centre(spot)];
  for (const [number, name] of ["x1", "y1", "x2", "y2"].entries())
    line.setAttribute(name, String(ends[number]));
  svg.querySelector(".spot")?.before(line);
  back.push(() => line.remove());
}

/* Tools */

let drawnTool = "";

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
export const isDrawnFor = (tool) => tool === drawnTool;

/* The boards that were shown, so that an undo can show the board before it at once. */

const SEEN = 60;
/** @type {Map<string, string>} */
const seen = new Map();

/** @param {HTMLFormElement} form */
function showUndone(form) {
  const last = shown.pop();
  if (last) {
    for (const undo of last.reverse()) undo();
    return;
  }
  const before = seen.get(form.dataset.before ?? "");
  if (before) pictureOf(form).innerHTML = before;
}

/* Show the board as the server drew it last, without the waiting steps. */
export function undraw() {
  for (const undo of shown.splice(0).flat().reverse()) undo();
}

/**
 * Take note that the server has drawn the board.
 *
 * @param {HTMLFormElement} form
 */
export function drawn(form) {
  shown = [];
  drawnTool = toolOf(form);
  if (!form.dataset.at) return;
  seen.delete(form.dataset.at);
  seen.set(form.dataset.at, pictureOf(form).innerHTML);
  const [oldest] = seen.keys();
  if (seen.size > SEEN) seen.delete(oldest);
}
