/* Sends the steps of a board to the server: in order, each once, without a loss.

   A step is shown at once (optimistic-ui.js) and waits for its turn (step-queue.js). If the board has
   `data-keeps`, waiting steps are stored in this browser, so a closed lid or a lost network loses
   nothing. A board that was changed in another window is drawn as it is, and the step is made on it
   if that is still possible. */

import {
  drawStored,
  hasTool,
  isDrawnFor,
  keepDrawing,
  rememberDrawing,
  restoreDrawing,
  spotAt,
  takeUp,
} from "./optimistic-ui.js";
import * as rules from "./rules.js";
import { StepQueue, fieldsOf } from "./step-queue.js";
import { lasting, whenServerAnswers } from "./browser.js";

const RETRY_MS = 2000;
const NOTHING_NEW = 204; // The status of the answer to steps, or a refusal, that the page shows already.
const HELD = 423; // The status of a step that is refused only as long as the teacher holds the class.

export const queue = new StepQueue(lasting);
/** @typedef {import("./step-queue.js").Waiting} Waiting */

/**
 * The tool that was taken up here.
 *
 * @type {{ tool: string | null }}
 */
export const wanted = { tool: null };
let isSending = false;
/** @type {Waiting[] | null} */
let sent = null; // The steps that have been sent together and have no answer yet.
let isUnreachable = false; // No answer comes, because the network or the server is down.
let isStopped = false; // The user is signed out.
let isHeld = false; // The teacher holds the class. Steps wait until the lesson goes on.
/**
 * The stroke that is being made. Its steps are sent when it has ended.
 *
 * @type {{ stroke?: number }}
 */
export const open = {};
/** Whether this script is sending the form. */
export let isOwnSubmit = false;

/** @param {EventTarget | null | undefined} element */
export const isBoard = (element) => element?.matches?.("form[data-board]");

/** @returns {HTMLFormElement | null} */
export const boardForm = () => document.querySelector("form[data-board]");
export const isIdle = () => !isSending && queue.isEmpty;

export const isOffline = () => isUnreachable || !navigator.onLine;

export const isWaiting = () => queue.steps.length > 0;

/** Whether the page can be left: no step waits, or steps wait for the next sign-in. */
export const canBeLeft = () => isStopped || !isWaiting();

/**
 * @param {string} name
 * @param {Waiting} [detail]
 */
export const emit = (name, detail) => document.dispatchEvent(new CustomEvent(`board:${name}`, { detail }));

/**
 * Do the work once all steps have their answers.
 *
 * @param {() => void} work
 */
export function whenDone(work) {
  if (isIdle()) work();
  else queue.add({ work });
}

/**
 * Take note whether the board is solved with the steps that wait. Without a network a way on is shown.
 *
 * @param {boolean} hasWaited
 */
export function noteSolved(hasWaited) {
  queue.note(rules.isSolved());
  if (hasWaited && rules.isSolved()) emit("finished");
}

/* Sending */

export function sendNext() {
  const form = boardForm();
  // Sent before htmx has taken it up, the form would load the page anew.
  if (isSending || isUnreachable || isStopped || isHeld || !form?.matches("[data-htmx-powered]")) return;
  const step = queue.first;
  if (!step) return drawForTool(form);
  if (step.work) {
    queue.shift();
    step.work();
    if (!isSending) sendNext();
    return;
  }
  if (step.take !== undefined) {
    queue.shift();
    return sendTake(form, step.take);
  }
  if (step.action === "move" && !step.move) {
    // The press waited until the board was drawn for its tool.
    const spot = spotAt(form, step.at ?? "");
    step.move = spot && !("take" in spot.dataset) ? spot.dataset.move : "";
    if (!step.move) {
      drop(step);
      return sendNext();
    }
  }
  if (step.stroke && step.stroke === open.stroke) return;
  if (form.elements.step) queue.number(step, form.elements.step.value);
  send(form, queue.turn);
}

/**
 * Remove a step that can't be made.
 *
 * @param {Waiting} step
 */
function drop(step) {
  queue.drop(step);
  emit("refused", step);
  rules.tellMissed([step]);
}

/** @param {HTMLFormElement} form */
function drawForTool(form) {
  if (wanted.tool === null || isDrawnFor(wanted.tool) || !hasTool(form, wanted.tool)) return;
  sendTake(form, wanted.tool);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} tool
 */
function sendTake(form, tool) {
  /** @type {HTMLButtonElement | null} */
  const button = form.querySelector("button[data-take]");
  if (!button) return;
  button.value = tool;
  submit(form, button);
}

/**
 * @param {HTMLFormElement} form
 * @param {Waiting[]} steps
 */
function send(form, steps) {
  const fields = form.elements;
  const [step] = steps;
  fields.move.value = step.move ?? "";
  if (fields.step) fields.step.value = step.step;
  if (fields.tool && wanted.tool !== null) fields.tool.value = wanted.tool;
  const isUndo = step.action === "undo";
  /** @type {HTMLButtonElement | null} */
  const button = isUndo ? document.querySelector("button[value=undo]") : form.querySelector("[data-press]");
  sent = steps;
  stepsSent += 1;
  submit(form, button);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
function submit(form, button) {
  isSending = true;
  isUnderWay = false;
  isOwnSubmit = true;
  form.requestSubmit(button);
  isOwnSubmit = false;
  setTimeout(resendIfLost, RETRY_MS, stepsSent);
}

/**
 * Send a form that has waited for its turn, unless its button has gone.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement | null} button
 */
export function submitInTurn(form, button) {
  if (button && (!button.isConnected || button.disabled)) return;
  if (isBoard(form)) return submit(form, button);
  isOwnSubmit = true;
  form.requestSubmit(button);
  isOwnSubmit = false;
}

let isUnderWay = false;

/**
 * Send a step again if it never became a request.
 *
 * @param {number} number
 */
function resendIfLost(number) {
  if (!isSending || isUnderWay || number !== stepsSent) return;
  isSending = false;
  sent = null;
  sendNext();
}

/* Answers */

/* The requests of this script. Other parts of the page make requests of their own meanwhile. */
const stepRequests = new WeakSet();
/** @param {HtmxEvent} event */
export const isStepRequest = (event) => stepRequests.has(event.detail.ctx);

document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = event.detail;
  if (!isBoard(ctx.sourceElement)) return;
  stepRequests.add(ctx);
  isSending = isUnderWay = true;
});

document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (!sent || !isBoard(ctx.sourceElement)) return;
  // The rules in the browser have said why. If the server agrees, it only counts the move.
  const expects = sent[0].isRefused ? "refusal" : expectedOf(sent);
  if (expects) ctx.request.body.set("expects", expects);
  for (const [name, value] of Object.entries(fieldsOf(sent, queue.handed))) ctx.request.body.set(name, value);
});

/**
 * Return what the page shows already of the steps that are sent; nothing if the server has to draw them.
 *
 * @param {Waiting[]} steps
 */
function expectedOf(steps) {
  const tool = boardForm()?.elements.tool?.value ?? "";
  const isUndone = steps.some(({ action }) => action === "undo");
  // The boards that an undo shows again may have been drawn for another tool.
  if (!document.querySelector(".play-moves") || !isDrawnFor(tool) || (isUndone && tool)) return "";
  return rules.expected(steps);
}

document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  if (stepRequests.has(ctx) && ctx.text === undefined) waitForNetwork();
});

document.addEventListener("htmx:after:request", (event) => {
  if (!isStepRequest(event)) return;
  const { status, headers } = event.detail.ctx.response;
  // The status is a header, because browsers log every status over 399 as an error in the console,
  // and a move against the rules is none.
  const steps = sent;
  handleAnswer(Number(headers.get("Refused") ?? status));
  const next = headers.get("Next-Step");
  if (steps && next !== null) keepShown(steps, next);
});

/**
 * The server has stored the steps as they are shown, and has nothing to add. Let the page follow.
 *
 * @param {Waiting[]} steps
 * @param {string} next The number of the next step.
 */
function keepShown(steps, next) {
  const form = boardForm();
  if (!form) return;
  const { line, undone } = rules.keep(form, steps);
  keepDrawing(form, line.length, queue.steps);
  showControls(line, undone, next);
  rules.follow();
  document.getElementById("trouble")?.replaceChildren();
  document.dispatchEvent(new CustomEvent("board:kept", { detail: boardAsStored }));
}

/** Return the part of the page that a step can change, as the server has it, without the steps that wait. */
function boardAsStored() {
  const part = /** @type {Element} */ (document.getElementById("play")?.cloneNode(true));
  for (const { name } of [...part.attributes]) if (name !== "id") part.removeAttribute(name);
  for (const taken of part.querySelectorAll("[data-htmx-powered]"))
    taken.removeAttribute("data-htmx-powered");
  const form = /** @type {HTMLFormElement | null} */ (part.querySelector("form[data-board]"));
  if (form) {
    drawStored(form);
    // Moves that are known can be taken back. That needs the board before the first of them.
    if (document.getElementById("start-board")) Object.assign(form.dataset, rules.stored());
  }
  return part.outerHTML;
}

/**
 * Give the controls over the moves what the server has stored.
 *
 * @param {string[]} line
 * @param {string[]} undone
 * @param {string} next
 */
function showControls(line, undone, next) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const numbers = document.querySelectorAll("#play input[name=step]");
  for (const number of numbers) number.setAttribute("value", next);
  /** @type {HTMLInputElement | null} */
  const slider = document.querySelector(".play-moves [type=range]");
  if (slider) {
    slider.max = String(line.length + undone.length);
    slider.defaultValue = String(line.length);
  }
  document.querySelector(".play-controls [name=redo]")?.setAttribute("value", undone[0] ?? "");
  const again = document.querySelector("#restart button");
  again?.removeAttribute("aria-disabled");
  const asks = { type: "button", popovertarget: "start-again" };
  for (const [name, value] of Object.entries(asks))
    if (line.length) again?.setAttribute(name, value);
    else again?.removeAttribute(name);
}

/** What became of the step that was sent last. @type {string | undefined} */
let outcome;

/** @param {number} status */
function handleAnswer(status) {
  outcome = undefined;
  if (status >= 500) return waitForNetwork();
  rules.showOfflineNotice(false, queue.steps.length);
  // A user who is signed out signs in again. The page that opens then sends the waiting steps.
  isStopped = status === 401 || status === 403;
  const steps = sent;
  if (isStopped || !steps) return;
  if (status === HELD) return hold();
  outcome = queue.settle(steps, status);
  if (outcome === "again") return;
  if (status === 404) {
    // The board is no longer the student's, so no answer will draw it anew.
    forget();
    const form = boardForm();
    if (form) restoreDrawing(form);
  }
  const step = /** @type {Waiting} */ (steps.at(-1));
  if (step.isRefused) return;
  emit(outcome, step);
  if (outcome === "refused") rules.tellMissed(steps);
  const typed = outcome === "stored" && step.isTyped && boardForm()?.elements.typed;
  if (typed) typed.value = "";
}

/* The step stays in the queue with its number. Normally the page hears when the lesson goes on
   (lesson.js). The timer is for the case that it went on while the step was under way. */
function hold() {
  isHeld = true;
  clearTimeout(retryTimer);
  retryTimer = setTimeout(() => document.querySelector("#lesson[data-paused]") || resume(), RETRY_MS);
}

/** Send the steps that were refused while the teacher held the class. */
export function resume() {
  if (!isHeld) return;
  isHeld = false;
  sendNext();
}

/* The answer to a request from before the latest step shows an outdated board. */
const stepsAtRequest = new WeakMap();
let stepsSent = 0;

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement?.closest(".play")) stepsAtRequest.set(ctx, stepsSent);
});

document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  if (!stepRequests.has(ctx) && stepsAtRequest.has(ctx) && stepsAtRequest.get(ctx) !== stepsSent)
    event.preventDefault();
});

document.addEventListener("htmx:after:swap", (event) => {
  const form = boardForm();
  // An answer without a content draws nothing, though it ends as a swap.
  if (isStepRequest(event) && event.detail.ctx.response.status === NOTHING_NEW) return;
  if (isStepRequest(event) && document.querySelector(".solved [data-new]")) emit("solved");
  if (!form) return leave();
  if (isStepRequest(event) || event.detail.ctx.target?.id === "play") redraw(form);
});

/**
 * The server has drawn the board. Show the waiting steps on it.
 *
 * @param {HTMLFormElement} form
 */
function redraw(form) {
  turnTo(form);
  rememberDrawing(form, outcome === "stored");
  rules.turnTo(form, sent);
  if (wanted.tool !== null && hasTool(form, wanted.tool)) takeUp(form, wanted.tool);
  else if (queue.isEmpty) wanted.tool = null;
  makeAll(form, queue.steps);
}

/**
 * Make steps on the board that is shown, and remove those that the rules forbid there.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting[]} steps
 */
function makeAll(form, steps) {
  for (const step of steps) if (!step.isTakenBack && rules.make(form, step) && !step.isRefused) drop(step);
}

document.addEventListener("htmx:finally:request", (event) => {
  if (!isStepRequest(event)) return;
  isSending = false;
  sent = null;
  sendNext();
});

/* A lost connection */

function waitForNetwork() {
  isUnreachable = true;
  queue.wait();
  rules.showOfflineNotice(true, queue.steps.length);
  clearTimeout(retryTimer);
  retryTimer = setTimeout(reconnect, RETRY_MS);
}

/** @type {number | undefined} */
let retryTimer;

/* A stored page was opened because the server did not answer, whatever the browser says of the network. */
let isStored = Boolean(document.documentElement.dataset.stored);

function reconnect() {
  if (isStored) return;
  clearTimeout(retryTimer);
  isUnreachable = false;
  if (isIdle()) rules.showOfflineNotice(false, queue.steps.length);
  sendNext();
}

function waitForServer() {
  isUnreachable = true;
  whenServerAnswers(() => {
    isStored = false;
    reconnect();
  });
}

for (const name of ["online", "pageshow", "focus"])
  window.addEventListener(name, () => navigator.onLine && reconnect());
window.addEventListener("offline", () => rules.showOfflineNotice(true, queue.steps.length));

/* Waiting steps are stored by one window of an attempt at a time, which holds a lock until it goes.
   Therefore steps that a closing or reloading window has still sent are not sent again. */

/** @param {HTMLFormElement} form */
function turnTo(form) {
  const board = form.getAttribute("action") ?? "";
  if (queue.board && board !== queue.board) {
    wanted.tool = null;
    rules.tellMissed(queue.steps);
  }
  queue.turnTo(board, about());
}

/** Whose board it is, its page and its name, so that other pages can send its steps (outbox.js). */
function about() {
  const heading = /** @type {Element | null | undefined} */ (document.querySelector("h1")?.cloneNode(true));
  for (const reading of heading?.querySelectorAll("rt") ?? []) reading.remove();
  const name = heading?.textContent?.trim() ?? "";
  const [{ who = "" } = {}, { handed } = {}] = ["[data-who]", ".play"].map(
    (part) => document.querySelector(part)?.dataset,
  );
  return { who, page: location.pathname, name, handed };
}

/* The board takes no steps any more. Those that were made in time are sent from the page without a board
   (outbox.js). */
function leave() {
  const isOver = document.querySelector(".play-panel[data-step]");
  if (!isOver || !queue.steps.some(({ hasWaited }) => hasWaited)) return forget();
  location.reload();
}

function forget() {
  rules.tellMissed(queue.steps);
  queue.clear();
  wanted.tool = null;
}

/* Take up the stored steps, whose answers had not come when the last window was closed. */
function restoreSteps() {
  const form = boardForm();
  if (!form) return;
  const restored = queue.restore();
  queue.wait();
  makeAll(form, restored);
  if (restored.length && rules.moves()) noteSolved(isOffline());
  if (isOffline()) rules.showOfflineNotice(true, queue.steps.length);
  sendNext();
}

function start() {
  const form = boardForm();
  if (form) {
    turnTo(form);
    rememberDrawing(form);
    rules.turnTo(form);
    if (isStored) waitForServer();
    rules.showOfflineNotice(isOffline(), queue.steps.length);
    form.addEventListener("htmx:after:init", sendNext);
  }
  if (!form || !("keeps" in form.dataset)) return;
  if (!navigator.locks) restoreSteps();
  else
    navigator.locks.request(`steps ${location.pathname}`, () => {
      restoreSteps();
      return new Promise(() => {});
    });
}

// Start at once: other scripts ask later whether steps are waiting.
start();
rules.load().then((has) => {
  const form = boardForm();
  if (!has || !form) return;
  rules.turnTo(form);
  // The steps that wait were shown without the rules. Show them again with what the rules say of them.
  if (isWaiting()) restoreDrawing(form);
  makeAll(form, queue.steps);
  if (isWaiting()) noteSolved(isOffline());
});
