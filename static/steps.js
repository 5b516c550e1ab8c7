/* The steps of a board on their way to the server: in order, each once, none lost.

   A step is shown at once (looks.js) and waits its turn. With its turn it gets the number that the
   board's next step has, and keeps it: sent again because its answer was lost, it counts once. What
   waits is kept in this browser (`data-keeps`), so that a closed lid or a lost network loses
   nothing. A board that went on in another window is drawn as it is; the step is made on it if it
   still can be. */

import {
  drawn,
  hasTool,
  isDrawnFor,
  meaning,
  place,
  show,
  spotAt,
  spots,
  takeUp,
  wayBack,
} from "./looks.js";

const RETRY_MS = 2000;
const MOST_WAITING = 300;
const MOST_BOARDS = 20;

let waiting = []; // What has no answer yet: steps, tools to be drawn for, work that comes after them.
let key = ""; // Under which it is kept: the address of the try's steps.
let wanted = null; // The tool that was taken up here.
let isSending = false;
let sent = null; // The step whose answer is awaited.
let isCut = false; // No answer comes: the network is down, or the server.
let isStopped = false; // Signed out.
let lets = false; // The form is being sent by us.

export const isBoard = (element) => element?.matches?.("form[data-board]");
const theBoard = () => document.querySelector("form[data-board]");
const isIdle = () => !isSending && !waiting.length;

export const isWaiting = () => waiting.some((step) => step.action);

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`board:${name}`, { detail }));

/* Asking for steps */

/* Press a spot: make its move, or take up what it bears. */
export function press(spot) {
  const form = spot.closest("form[data-board]");
  if (!form) return;
  const { carries, back, take, move } = spot.dataset;
  if (carries && back && form.elements.tool.value === carries) return takeBack(spot);
  if (carries || take !== undefined) return takeTool(form, carries ?? move);
  const step = meaning(form, spot);
  if (!step) return;
  if (!step.move && !isIdle()) {
    // A press on a board that is still to be drawn for the tool.
    waiting.push({ take: step.tool });
  }
  add(form, { action: "move", ...step, isLate: !isIdle() });
}

/* Take a piece off the board. */
export function takeBack(spot) {
  const form = spot.closest("form[data-board]");
  add(form, { action: "move", ...wayBack(form, spot) });
}

/* Use a tool on a spot: where a piece was dropped. */
export function drop(tool, spot) {
  const form = spot.closest("form[data-board]");
  takeTool(form, tool, { isUsed: true });
  const step = meaning(form, spot);
  // What stands in the way is told by the rules.
  const at = place(spot);
  add(form, { action: "move", ...(step?.state ? step : { at, tool, move: `${tool} ${at}` }) });
}

/* Take up a tool. What can be foretold needs no answer for it; the board is drawn for it when
   nothing else is to be done. */
export function takeTool(form, tool, { isUsed = false } = {}) {
  wanted = tool;
  if (document.getElementById("looks")) takeUp(form, tool);
  else waiting.push({ take: tool });
  tell("take");
  if (!isUsed && !isInSubmit) pump();
}

export function act(form, step) {
  add(form, step);
}

function add(form, step) {
  if (waiting.length >= MOST_WAITING) return;
  waiting.push(step);
  show(form, step);
  keep();
  tell("step", step);
  if (!isInSubmit) pump();
}

/* Do something once all that was asked for has its answer. */
export function whenDone(work) {
  if (isIdle()) work();
  else waiting.push({ work });
}

/* Sending */

function pump() {
  const form = theBoard();
  // Sent before htmx has taken it up, the form would load the page anew.
  if (isSending || isCut || isStopped || !form?.matches("[data-htmx-powered]")) return;
  const step = waiting[0];
  if (!step) return drawForTool(form);
  if (step.work) {
    waiting.shift();
    step.work();
    if (!isSending) pump();
    return;
  }
  if (step.take !== undefined) {
    waiting.shift();
    return sendTake(form, step.take);
  }
  if (step.action === "move" && !isOpen(form, step)) {
    waiting.shift();
    return pump();
  }
  if (form.elements.step) step.step ??= form.elements.step.value;
  // With its number: sent once more by the page that comes after this one, it still counts once.
  keep();
  send(form, step);
}

/* Whether a press that came while another was under way still means something: the first of two
   may have taken the stone away. */
function isOpen(form, step) {
  if (!step.move) {
    const spot = spotAt(form, step.at);
    step.move = spot && !("take" in spot.dataset) ? spot.dataset.move : "";
    return Boolean(step.move);
  }
  if (!step.isLate || step.state) return true;
  return spots(form).some(({ dataset }) => dataset.move === step.move || dataset.back === step.move);
}

/* Whether a press on a board that has gone on means what it meant. */
function means(form, { at, is, move }) {
  if (is) return spotAt(form, at)?.dataset.is === is;
  return spots(form).some(({ dataset }) => dataset.move === move && !("closed" in dataset));
}

function drawForTool(form) {
  if (wanted === null || isDrawnFor(wanted) || !hasTool(form, wanted)) return;
  sendTake(form, wanted);
}

function sendTake(form, tool) {
  const button = form.querySelector("button[data-take]");
  if (!button) return;
  button.value = tool;
  submit(form, button);
}

function send(form, step) {
  const fields = form.elements;
  fields.move.value = step.move ?? "";
  if (fields.step) fields.step.value = step.step;
  if (fields.tool && wanted !== null) fields.tool.value = wanted;
  const undo = document.querySelector("button[value=undo]");
  sent = step;
  steps += 1;
  submit(form, step.action === "undo" ? undo : form.querySelector("[data-press]"));
}

function submit(form, button) {
  isSending = true;
  isUnderWay = false;
  lets = true;
  form.requestSubmit(button);
  lets = false;
  setTimeout(lookAfter, RETRY_MS, steps);
}

/* What never became a request is asked for again. */
let isUnderWay = false;

function lookAfter(number) {
  if (!isSending || isUnderWay || number !== steps) return;
  isSending = false;
  sent = null;
  pump();
}

/* Buttons wait their turn like the spots. (While a form's submission is told about it can't be
   sent again: what is asked for then goes on its way a moment later.) */
let isInSubmit = false;
document.addEventListener(
  "submit",
  (event) => {
    const [form, button] = [event.target, event.submitter];
    const board = theBoard();
    if (lets || !board || !form.closest(".play") && !isBoard(form)) return;
    if (isBoard(form) && "keeps" in form.dataset) {
      event.preventDefault();
      event.stopImmediatePropagation();
      isInSubmit = true;
      if (button?.name === "take") takeTool(form, button.value);
      else if (button?.value === "undo") {
        if (isWaiting() || button.getAttribute("aria-disabled") !== "true") add(form, { action: "undo" });
      } else if (button?.name === "redo") {
        if (isIdle() && button.value) add(form, { action: "move", move: button.value });
      } else addTyped(form);
      isInSubmit = false;
      setTimeout(pump);
    } else if (!isIdle()) {
      event.preventDefault();
      event.stopImmediatePropagation();
      whenDone(() => (button ? button.isConnected && button.click() : form.requestSubmit()));
    }
  },
  true,
);

function addTyped(form) {
  const move = form.elements.typed?.value.trim();
  if (move) add(form, { action: "move", move, isTyped: true });
}

/* Answers */

/* Other parts of the page come and go while a step is under way. */
const ours = new WeakSet();
export const isOurs = (event) => ours.has(event.detail.ctx);

document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = event.detail;
  if (!isBoard(ctx.sourceElement)) return;
  ours.add(ctx);
  isSending = isUnderWay = true;
});

document.addEventListener("htmx:error", (event) => {
  const { ctx } = event.detail;
  if (ours.has(ctx) && ctx.text === undefined) waitForNetwork();
});

document.addEventListener("htmx:after:request", (event) => {
  if (isOurs(event)) answered(event.detail.ctx.response.status);
});

function answered(status) {
  if (status >= 500) return waitForNetwork();
  showCut(false);
  // Who was signed out signs in again, and the page that opens then sends what waits.
  isStopped = status === 401 || status === 403;
  const step = sent;
  if (isStopped || !step) return;
  if (status === 409 && step.action === "move" && !step.isAgain) {
    delete step.step;
    step.isAgain = true;
    return;
  }
  waiting = waiting.filter((other) => other !== step);
  // Known before the board is drawn: a page that takes up what is kept may show an older one.
  const next = waiting.find((other) => other.action);
  if (next && step.step) next.step ??= String(Number(step.step) + (status < 400));
  if (status >= 400) tell("refused", step);
  else tell("stored", step);
  if (status < 400 && step.isTyped) theBoard().elements.typed.value = "";
  keep();
}

/* An answer that was asked for before a step was sent shows a board that is gone. */
const asked = new WeakMap();
let steps = 0;

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement?.closest(".play")) asked.set(ctx, steps);
});

document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = event.detail;
  if (!ours.has(ctx) && asked.has(ctx) && asked.get(ctx) !== steps) event.preventDefault();
});

document.addEventListener("htmx:after:swap", (event) => {
  const form = theBoard();
  if (isOurs(event) && document.querySelector(".solved [data-new]")) tell("solved");
  if (!form) {
    if (waiting.length) forget();
    return;
  }
  if (isOurs(event) || event.detail.ctx.target?.id === "play") redraw(form);
});

/* The board was drawn by the server: show on it what still waits. */
function redraw(form) {
  if (key && form.getAttribute("action") !== key) forget();
  key = form.getAttribute("action");
  const again = waiting[0]?.isAgain && waiting[0].step === undefined && waiting[0];
  if (again && !means(form, again)) {
    waiting.shift();
    tell("refused", again);
  }
  drawn(form);
  if (wanted !== null && hasTool(form, wanted)) takeUp(form, wanted);
  else if (!waiting.length) wanted = null;
  for (const step of waiting) if (step.action) show(form, step);
  keep();
}

document.addEventListener("htmx:finally:request", (event) => {
  if (!isOurs(event)) return;
  isSending = false;
  sent = null;
  pump();
});

/* A lost connection */

function waitForNetwork() {
  isCut = true;
  showCut(true);
  clearTimeout(retry);
  retry = setTimeout(goOn, RETRY_MS);
}

let retry = null;

function goOn() {
  clearTimeout(retry);
  isCut = false;
  if (isIdle()) showCut(false);
  pump();
}

for (const name of ["online", "pageshow", "focus"])
  window.addEventListener(name, () => navigator.onLine && goOn());
window.addEventListener("offline", () => showCut(true));

function showCut(is) {
  const notice = document.querySelector("[data-offline]");
  if (!notice) return;
  notice.toggleAttribute("hidden", !is);
  const number = notice.querySelector("[data-number]");
  if (number) number.textContent = waiting.filter((step) => step.action).length;
}

/* What waits is kept, by one window of a try at a time: the lock goes with its window. So what a
   window that is being closed or loaded again has still got through is not sent once more. */

let isKeeper = false;

function keep() {
  const form = theBoard();
  if (!form || !isKeeper) return;
  const steps = waiting.filter((step) => step.action);
  if (steps.length) localStorage.setItem(`steps ${key}`, JSON.stringify(steps));
  else localStorage.removeItem(`steps ${key}`);
  if (isCut) showCut(true);
}

function forget() {
  waiting = [];
  wanted = null;
  if (key && isKeeper) localStorage.removeItem(`steps ${key}`);
}

/* Take up what was kept: the lid was closed before the answer came. */
function takeKept() {
  isKeeper = true;
  const form = theBoard();
  if (!form) return;
  const boards = Object.keys(localStorage).filter((name) => name.startsWith("steps "));
  for (const name of boards.slice(MOST_BOARDS)) if (name !== `steps ${key}`) localStorage.removeItem(name);
  const kept = JSON.parse(localStorage.getItem(`steps ${key}`) ?? "[]").slice(0, MOST_WAITING);
  for (const step of kept) show(form, step);
  waiting = [...kept, ...waiting];
  keep();
  pump();
}

function start() {
  const form = theBoard();
  if (!form) return;
  key = form.getAttribute("action");
  drawn(form);
  showCut(!navigator.onLine);
  form.addEventListener("htmx:after:init", pump);
  if (!("keeps" in form.dataset)) return;
  if (!navigator.locks) takeKept();
  else
    navigator.locks.request(`steps ${location.pathname}`, () => {
      takeKept();
      return new Promise(() => {});
    });
}

// At once: whatever asks whether something waits comes after.
start();
