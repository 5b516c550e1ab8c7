/* Makes steps of what is pressed on a board: on its spots, its tools and its buttons. Each step is shown at
   once (rules.js) and waits for its turn to be sent (send-steps.js). */

import { cellName, movesShown, ruleOf, stepFor, stepOf, takeUp, wayBack } from "./optimistic-ui.js";
import * as rules from "./rules.js";
import {
  boardForm,
  emit,
  isBoard,
  isIdle,
  isOffline,
  isOwnSubmit,
  noteSolved,
  queue,
  sendNext,
  submitInTurn,
  wanted,
  whenDone,
} from "./send-steps.js";

/** @typedef {import("./step-queue.js").Waiting} Waiting */

/**
 * Press a spot: make its move, or take up the tool that it carries.
 *
 * @param {Element} spot
 */
export function press(spot) {
  /** @type {HTMLFormElement | null} */
  const form = spot.closest("form[data-board]");
  if (!form) return;
  const { carries, back, take, move } = spot.dataset;
  if (carries && back && form.elements.tool.value === carries) return takeBack(spot);
  if (carries || take !== undefined) return takeTool(form, carries ?? move ?? "");
  const step = stepOf(form, spot);
  if (!step) return;
  if (!step.move && !isIdle()) {
    // The board has to be drawn for the tool before the press has a meaning.
    queue.add({ take: step.tool });
  }
  add(form, { action: "move", ...step });
}

/**
 * Make the step of a spot that a stroke crosses, if it is the same change as elsewhere on its way. Return
 * that change; nothing if there is none yet.
 *
 * @param {Element} spot
 * @param {number} stroke
 * @param {string} [change]
 */
export function cross(spot, stroke, change) {
  const form = /** @type {HTMLFormElement} */ (spot.closest("form[data-board]"));
  const [made, state] = ruleOf(form, spot) ?? [];
  if (made === undefined || (change !== undefined && change !== made)) return change;
  const at = cellName(spot);
  add(form, { action: "move", at, tool: form.elements.tool.value, move: `${made} ${at}`, state, stroke });
  return made;
}

/**
 * Take a piece off the board.
 *
 * @param {Element} spot
 */
export function takeBack(spot) {
  const form = /** @type {HTMLFormElement} */ (spot.closest("form[data-board]"));
  add(form, { action: "move", ...wayBack(form, spot) });
}

/**
 * Use a tool on the spot on which a piece was dropped.
 *
 * @param {string} tool
 * @param {Element} spot
 */
export function dropOn(tool, spot) {
  const form = /** @type {HTMLFormElement} */ (spot.closest("form[data-board]"));
  takeTool(form, tool, { isUsed: true });
  const step = stepOf(form, spot);
  // If the move is not possible, the rules on the server give the reason.
  const at = cellName(spot);
  add(form, { action: "move", ...(step?.state ? step : { at, tool, move: `${tool} ${at}` }) });
}

/**
 * Take up a tool. Presses that can be foretold need no answer first. The board is drawn for the tool
 * when nothing else is waiting.
 *
 * @param {HTMLFormElement} form
 * @param {string} tool
 */
function takeTool(form, tool, { isUsed = false } = {}) {
  wanted.tool = tool;
  if (document.getElementById("looks")) takeUp(form, tool);
  else queue.add({ take: tool });
  emit("take");
  if (!isUsed && !isInSubmit) sendNext();
}

/**
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 */
function add(form, step) {
  if (rules.isFinished()) return;
  if (isOffline()) step.hasWaited = true;
  const missed = document.querySelector("[data-missed]");
  if (missed && !step.hasWaited) missed.hidden = true;
  if (queue.isFull) return;
  const refusal = rules.make(form, step);
  step.isRefused = refusal && true;
  // Without a network, a move that the rules forbid is not kept. Otherwise the teacher learns of it.
  if (!(refusal && step.hasWaited)) queue.add(step);
  noteSolved(Boolean(step.hasWaited));
  if (isOffline()) rules.showOfflineNotice(true, queue.steps.length);
  emit(refusal ? "refused" : "step", step);
  if (!isInSubmit) sendNext();
}

/* Buttons wait for their turn like spots. (A form cannot be sent again during its `submit` event, so
   steps that are added then are sent a moment later.) */
let isInSubmit = false;
document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const board = boardForm();
    if (isOwnSubmit || !board || (!form.closest(".play") && !isBoard(form))) return;
    if (isBoard(form) && "keeps" in form.dataset) {
      event.preventDefault();
      event.stopImmediatePropagation();
      isInSubmit = true;
      if (button?.name === "take") takeTool(form, button.value);
      else if (button?.value === "undo") {
        if (movesShown) add(form, { action: "undo" });
      } else if (button?.name === "redo") {
        const known = rules.moves();
        const move = known ? known.undone[0] : isIdle() && button.value;
        if (move) add(form, { action: "move", ...stepFor(form, move) });
      } else addTyped(form);
      isInSubmit = false;
      setTimeout(sendNext);
    } else if (!isIdle()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      whenDone(() => submitInTurn(form, button));
    }
  },
  true,
);

/** @param {HTMLFormElement} form */
function addTyped(form) {
  const move = form.elements.typed?.value.trim();
  if (move) add(form, { action: "move", move, isTyped: true });
}
