/* Sends the steps of a board to the server: in order, each once, without a loss.

   A step is shown at once (optimistic-ui.js) and waits for its turn (step-queue.js). If the board has
   `data-keeps`, waiting steps are stored in this browser, so a closed lid or a lost network loses
   nothing. A board that was changed in another window is drawn as it is, and the step is made on it
   if that is still possible. */

import {
  cellName,
  hasTool,
  isDrawnFor,
  movesShown,
  pictureOf,
  rememberDrawing,
  restoreDrawing,
  show,
  spotAt,
  stepFor,
  stepOf,
  takeUp,
  wayBack,
} from "./optimistic-ui.js";
import * as rules from "./rules.js";
import { StepQueue, timeOf } from "./step-queue.js";
import { lasting } from "./browser.js";

const RETRY_MS = 2000;
const HELD = 423; // The status of a step that is refused only as long as the teacher holds the class.

const queue = new StepQueue(lasting);
/** @typedef {import("./step-queue.js").Waiting} Waiting */

/** @type {string | null} */
let wantedTool = null; // The tool that was taken up here.
let isSending = false;
/** @type {Waiting | null} */
let sent = null; // The step that has been sent and has no answer yet.
let isUnreachable = false; // No answer comes, because the network or the server is down.
let isStopped = false; // The user is signed out.
let isHeld = false; // The teacher holds the class. Steps wait until the lesson goes on.
let isOwnSubmit = false; // This script is sending the form.

/** @param {EventTarget | null | undefined} element */
export const isBoard = (element) => element?.matches?.("form[data-board]");

/** @returns {HTMLFormElement | null} */
const boardForm = () => document.querySelector("form[data-board]");
const isIdle = () => !isSending && queue.isEmpty;

export const isWaiting = () => queue.steps.length > 0;

/** Whether the page can be left: no step waits, or steps wait for the next sign-in. */
export const canBeLeft = () => isStopped || !isWaiting();

/**
 * @param {string} name
 * @param {Waiting} [detail]
 */
const emit = (name, detail) => document.dispatchEvent(new CustomEvent(`board:${name}`, { detail }));

/* Asking for steps */

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
  wantedTool = tool;
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
  if (isUnreachable || !navigator.onLine) step.hasWaited = true;
  const missed = document.querySelector("[data-missed]");
  if (missed && !step.hasWaited) missed.hidden = true;
  if (queue.isFull) return;
  const refusal = make(form, step);
  step.isRefused = refusal && true;
  // Without a network, a move that the rules forbid is not kept. Otherwise the teacher learns of it.
  if (!(refusal && step.hasWaited)) queue.add(step);
  noteSolved(Boolean(step.hasWaited));
  if (isUnreachable) showOfflineNotice(true);
  emit(refusal ? "refused" : "step", step);
  if (!isInSubmit) sendNext();
}

/**
 * Take note whether the board is solved with the steps that wait. Without a network a way on is shown.
 *
 * @param {boolean} hasWaited
 */
function noteSolved(hasWaited) {
  queue.note(rules.isSolved());
  if (hasWaited && rules.isSolved()) emit("finished");
}

/**
 * Make a step on the board that is shown. Return the refusal if the rules forbid it.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 */
function make(form, step) {
  const refusal = rules.make(step);
  rules.markRefusal(pictureOf(form), refusal);
  if (!refusal) show(form, step, rules.moves()?.line);
  if (rules.tell(step, refusal, Boolean(step.hasWaited)) && !refusal) follow();
  return refusal;
}

/**
 * Do the work once all steps have their answers.
 *
 * @param {() => void} work
 */
export function whenDone(work) {
  if (isIdle()) work();
  else queue.add({ work });
}

/* Sending */

function sendNext() {
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
  if (form.elements.step) queue.number(step, form.elements.step.value);
  send(form, step);
}

/**
 * Remove a step that can't be made.
 *
 * @param {Waiting} step
 */
function drop(step) {
  queue.drop(step);
  emit("refused", step);
  tellMissed([step]);
}

/** @param {HTMLFormElement} form */
function drawForTool(form) {
  if (wantedTool === null || isDrawnFor(wantedTool) || !hasTool(form, wantedTool)) return;
  sendTake(form, wantedTool);
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
 * @param {Waiting} step
 */
function send(form, step) {
  const fields = form.elements;
  fields.move.value = step.move ?? "";
  if (fields.step) fields.step.value = step.step;
  if (fields.tool && wantedTool !== null) fields.tool.value = wantedTool;
  const isUndo = step.action === "undo";
  /** @type {HTMLButtonElement | null} */
  const button = isUndo ? document.querySelector("button[value=undo]") : form.querySelector("[data-press]");
  sent = step;
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
      whenDone(() => (button ? button.isConnected && button.click() : form.requestSubmit()));
    }
  },
  true,
);

/** @param {HTMLFormElement} form */
function addTyped(form) {
  const move = form.elements.typed?.value.trim();
  if (move) add(form, { action: "move", move, isTyped: true });
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
  for (const [name, value] of Object.entries(timeOf(sent, queue.handed))) ctx.request.body.set(name, value);
});

document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  if (stepRequests.has(ctx) && ctx.text === undefined) waitForNetwork();
});

document.addEventListener("htmx:after:request", (event) => {
  if (!isStepRequest(event)) return;
  const { status, headers } = event.detail.ctx.response;
  // The status is a header, because browsers log every status over 399 as an error in the console,
  // and a move against the rules is none.
  handleAnswer(Number(headers.get("Refused") ?? status));
});

/** What became of the step that was sent last. @type {string | undefined} */
let outcome;

/** @param {number} status */
function handleAnswer(status) {
  outcome = undefined;
  if (status >= 500) return waitForNetwork();
  showOfflineNotice(false);
  // A user who is signed out signs in again. The page that opens then sends the waiting steps.
  isStopped = status === 401 || status === 403;
  const step = sent;
  if (isStopped || !step) return;
  if (status === HELD) return hold();
  outcome = queue.settle(step, status);
  if (outcome === "again") return;
  if (status === 404) {
    // The board is no longer the student's, so no answer will draw it anew.
    forget();
    const form = boardForm();
    if (form) restoreDrawing(form);
  }
  if (step.isRefused) return;
  emit(outcome, step);
  if (outcome === "refused") tellMissed([step]);
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
  if (isStepRequest(event) && document.querySelector(".solved [data-new]")) emit("solved");
  if (!form) return leave();
  if (isStepRequest(event) || event.detail.ctx.target?.id === "play") redraw(form);
});

/* A press or a key ends the show of what was earned. Nothing waits for its end anyway. */
for (const name of ["pointerdown", "keydown"])
  document.addEventListener(name, () => {
    for (const part of document.querySelectorAll(".earned, .flower"))
      for (const animation of part.getAnimations({ subtree: true })) animation.finish();
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
  if (wantedTool !== null && hasTool(form, wantedTool)) takeUp(form, wantedTool);
  else if (queue.isEmpty) wantedTool = null;
  makeAll(form, queue.steps);
}

/**
 * Make steps on the board that is shown, and remove those that the rules forbid there.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting[]} steps
 */
function makeAll(form, steps) {
  for (const step of steps) if (!step.isTakenBack && make(form, step) && !step.isRefused) drop(step);
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
  showOfflineNotice(true);
  clearTimeout(retryTimer);
  retryTimer = setTimeout(reconnect, RETRY_MS);
}

/** @type {number | undefined} */
let retryTimer;

function reconnect() {
  clearTimeout(retryTimer);
  isUnreachable = false;
  if (isIdle()) showOfflineNotice(false);
  sendNext();
}

for (const name of ["online", "pageshow", "focus"])
  window.addEventListener(name, () => navigator.onLine && reconnect());
window.addEventListener("offline", () => showOfflineNotice(true));

/**
 * @param {string | undefined} text
 * @param {number} n
 */
const withNumber = (text = "", n) => text.replace("{n}", String(n));

/** @param {boolean} is */
function showOfflineNotice(is) {
  const notice = document.querySelector("[data-offline]");
  if (!notice) return;
  notice.toggleAttribute("hidden", !is);
  const [number, waiting] = [notice.querySelector("[data-number]"), queue.steps.length];
  if (number) number.textContent = waiting ? withNumber(number.dataset.number, waiting) : "";
  /** @type {NodeListOf<HTMLInputElement>} */
  const online = document.querySelectorAll(".play-moves [type=range], #restart button, .hint-levels button");
  for (const control of online) control.disabled = is;
  const said = document.createElement("p");
  said.textContent = notice.dataset.hint ?? "";
  if (is) document.querySelector(".hint-said")?.replaceChildren(said);
  if (!is || !isWaiting()) return;
  if (!rules.moves()) {
    const status = document.querySelector(".play-status");
    status?.replaceChildren(withNumber(notice.dataset.said, movesShown));
    status?.classList.remove("ok", "bad", "warn");
  }
  follow();
}

/* Let the controls follow the board that is shown, which the server has not seen. */
function follow() {
  const undone = rules.moves()?.undone.length ?? 0;
  /** @type {HTMLInputElement | null} */
  const slider = document.querySelector(".play-moves input[type=range]");
  if (slider) {
    // The order matters: a value above the maximum would be cut down to it.
    slider.max = String(movesShown + undone);
    slider.value = String(movesShown);
    slider.nextElementSibling?.replaceChildren(slider.value);
  }
  const [undo, redo] = document.querySelectorAll(".play-controls [form=board]");
  undo?.setAttribute("aria-disabled", String(!movesShown));
  redo?.setAttribute("aria-disabled", String(!undone));
}

/**
 * Name those of the steps that are moves which waited for the network and have not been taken back.
 *
 * @param {Waiting[]} steps
 */
async function tellMissed(steps) {
  const moves = steps.filter((step) => step.hasWaited && step.action === "move" && !step.isTakenBack);
  // Few students ever need the script, and there is a network again.
  if (moves.length) (await import("./rejected-moves.js")).name(moves);
}

/* Waiting steps are stored by one window of an attempt at a time, which holds a lock until it goes.
   Therefore steps that a closing or reloading window has still sent are not sent again. */

/** @param {HTMLFormElement} form */
function turnTo(form) {
  const board = form.getAttribute("action") ?? "";
  if (queue.board && board !== queue.board) {
    wantedTool = null;
    tellMissed(queue.steps);
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
  tellMissed(queue.steps);
  queue.clear();
  wantedTool = null;
}

/* Take up the stored steps, whose answers had not come when the last window was closed. */
function restoreSteps() {
  const form = boardForm();
  if (!form) return;
  const restored = queue.restore();
  queue.wait();
  makeAll(form, restored);
  if (!navigator.onLine) showOfflineNotice(true);
  sendNext();
}

function start() {
  const form = boardForm();
  if (form) {
    turnTo(form);
    rememberDrawing(form);
    rules.turnTo(form);
    showOfflineNotice(!navigator.onLine);
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
  for (const step of queue.steps) rules.make(step);
  if (isWaiting()) noteSolved(!navigator.onLine);
});
