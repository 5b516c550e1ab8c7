/* Follows a running lesson. On every page of a student: a pause holds the page, the page goes to the board at
   which the class is or to a question, it shows a board that is solved together when that begins, and it is
   loaded again when the assignment is closed. There and on the page of the teacher (wall.js), clocks run. */

import { passing } from "./browser.js";
import { isBoard, resume, whenDone } from "./send-steps.js";
import { isUnsent } from "./unsent.js";

const TICK_MS = 250;

const lesson = () => document.getElementById("lesson");

/* When everybody begins, on the monotonic clock of this page. The server says how much time is left.
   Half of the time that its answer took is taken off, so that all pages of the class show the board
   at the same moment, whatever their clocks say. */
let beginsAt = 0;
let askedAt = 0;
/** @type {string | undefined} */
let readLeft;

const isWaiting = () => performance.now() < beginsAt;

function readCountdown() {
  const left = document.querySelector("[data-begins-in]")?.dataset.beginsIn;
  // An answer without news leaves the countdown as it was.
  if (left === readLeft) return;
  readLeft = left;
  if (left === undefined) return void (beginsAt = 0);
  const onTheWay = askedAt ? (performance.now() - askedAt) / 2 : 0;
  beginsAt = performance.now() + Number(left) - onTheWay;
  // The second call sends what was pressed a little before the server's own start.
  for (const later of [0, 1000]) setTimeout(follow, beginsAt - performance.now() + later);
}

function showCountdown() {
  const said = document.querySelector("[data-begins-in]");
  if (!said) return;
  const left = Math.ceil((beginsAt - performance.now()) / 1000);
  said.hidden = left <= 0;
  const number = /** @type {HTMLElement} */ (said.querySelector("[data-countdown]"));
  if (number.textContent !== String(left)) number.textContent = String(left);
}

/** Do what the teacher has set. Steps that were made before are sent first. */
function follow() {
  const now = lesson();
  if (!now) return;
  const isHeld = "paused" in now.dataset || isWaiting();
  hold(isHeld);
  if (!isHeld) resume();
  const { go, stage, begins } = now.dataset;
  /** @type {HTMLElement | null} */
  const board = document.querySelector(".play");
  if ("known" in now.dataset) board?.classList.toggle("is-waiting", isWaiting());
  /** @type {HTMLElement | null} */
  const question = document.querySelector("#question");
  // An answer that waits is sent first. The server says whether it came too late.
  if (question && isUnsent()) return;
  // When the lesson has ended, the page of the question says so.
  if (question && "known" in now.dataset && !("running" in now.dataset)) leadTo(location.pathname);
  else if (question && "known" in now.dataset && stage !== question.dataset.stage)
    leadTo(go ?? passing.read(BEFORE) ?? question.dataset.back ?? "/");
  else if (go && go !== location.pathname) whenDone(() => leadTo(go, { isAsked: Boolean(stage) }));
  else if (board && begins && begins !== board.dataset.begins) whenDone(() => location.reload());
  else if ("over" in now.dataset && isBoard(document.querySelector("form[data-board]")))
    whenDone(() => location.reload());
}

/** @type {Element | null} */
let focused = null;

/**
 * A pause makes the page inert. The element with the focus gets it back.
 *
 * @param {boolean} isHeld
 */
function hold(isHeld) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  if (main.inert === isHeld) return;
  if (isHeld) focused = document.activeElement;
  main.inert = isHeld;
  document.querySelector(".play, #question")?.toggleAttribute("inert", isHeld);
  if (!isHeld && focused instanceof HTMLElement) focused.focus();
}

/* A finger on the board is waited for, but not for long. */
const LIFTED_WITHIN_MS = 1000;
let isPressed = false;
document.addEventListener("pointerdown", () => (isPressed = true), true);
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, () => (isPressed = false), true);

/* After a question, a student comes back to the board as it was. */
const BEFORE = "before the question";

/** @param {string} address */
function leadTo(address, { isAsked = false } = {}) {
  const go = () => {
    if (isAsked) passing.write(BEFORE, document.querySelector(".play") ? location.pathname : "/");
    passing.write("led", address);
    location.assign(address);
  };
  if (!isPressed) return go();
  const timer = setTimeout(go, LIFTED_WITHIN_MS);
  document.addEventListener("pointerup", () => (clearTimeout(timer), setTimeout(go)), { once: true });
}

/* The page to which the class was led begins with why, for those who hear it. */
function sayLed() {
  const said = document.querySelector("[data-led-said]");
  if (!said || passing.read("led") !== location.pathname) return;
  passing.write("led", "");
  setTimeout(() => (said.textContent = lesson()?.dataset.led ?? ""), 500);
}

/* A hint that the teacher has given is on the board when the board is asked for again. */
let hinted = lesson()?.dataset.hinted;
function showHint() {
  const now = lesson()?.dataset.hinted;
  if (now && now !== hinted) document.querySelector("[data-fresh]")?.dispatchEvent(new CustomEvent("stale"));
  hinted = now;
}

const asksLesson = (/** @type {HtmxContext} */ ctx) =>
  ctx.sourceElement?.matches("#lesson, #wall, #controls, #side-form");

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (asksLesson(ctx)) askedAt = performance.now();
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (!asksLesson(ctx)) return;
  readCountdown();
  runClocks();
  showHint();
  sayLed();
  follow();
});

/* While no lesson runs, a page that nobody sees does not ask. It asks at once when it wakes up. */
document.addEventListener("htmx:before:request", (event) => {
  const asks = event.detail.ctx.sourceElement;
  if (asks?.id === "lesson" && document.hidden && !("running" in asks.dataset)) event.preventDefault();
});
const wake = () => lesson()?.dispatchEvent(new CustomEvent("wake"));
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);

/** Only a page with a clock loads the clocks. */
async function runClocks() {
  showCountdown();
  if (document.querySelector("[data-seconds], [data-elapsed]")) (await import("./clocks.js")).tick();
}
setInterval(runClocks, TICK_MS);
readCountdown();
runClocks();
follow();
