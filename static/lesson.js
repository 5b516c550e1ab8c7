/* Follows a running lesson. On a student's page: the boards pause and go on, the page goes to the
   board at which the class is or to a vote, it shows the board of a round when the round begins, and
   it is loaded again when the assignment is closed. On every page: the clocks run,
   as they do on the page of a board that a student plays against the clock. */

import { clockTime } from "./page.js";
import { isBoard, resume, whenDone } from "./send-steps.js";
import { isUnsent } from "./unsent.js";

const TICK_MS = 250;

const lesson = () => document.getElementById("lesson");

/* When the round begins, on the monotonic clock of this page. The server says how much time is left.
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

/* The clock counts from the moment at which the server's answer came, so that the clock of this
   computer need not be right. */

/** @type {WeakMap<Element, { seconds: string, endsAt: number }>} */
const clocks = new WeakMap();

function tick() {
  showCountdown();
  for (const clock of document.querySelectorAll("[data-elapsed]")) {
    const begun = clock.dataset.elapsed ?? "0";
    let known = clocks.get(clock);
    if (known?.seconds !== begun) {
      known = { seconds: begun, endsAt: Date.now() - Number(begun) };
      clocks.set(clock, known);
    }
    showTime(clock, Math.floor((Date.now() - known.endsAt) / 1000));
  }
  for (const clock of document.querySelectorAll("[data-seconds]")) {
    const seconds = clock.dataset.seconds ?? "0";
    let known = clocks.get(clock);
    if (known?.seconds !== seconds) {
      known = { seconds, endsAt: Date.now() + Number(seconds) * 1000 };
      clocks.set(clock, known);
    }
    const left = Math.max(0, Math.round((known.endsAt - Date.now()) / 1000));
    showTime(clock, left);
    clock.classList.toggle("is-up", left === 0);
  }
}

/**
 * @param {Element} clock
 * @param {number} seconds
 */
function showTime(clock, seconds) {
  const text = clockTime(seconds);
  if (clock.textContent !== text) clock.textContent = text;
}

/** Do what the teacher has set. Steps that were made before are sent first. */
function follow() {
  const now = lesson();
  if (!now) return;
  const isHeld = "paused" in now.dataset || isWaiting();
  document.querySelector(".play, #vote")?.toggleAttribute("inert", isHeld);
  if (!isHeld) resume();
  const { go, stage, round } = now.dataset;
  /** @type {HTMLElement | null} */
  const board = document.querySelector(".play");
  if ("known" in now.dataset) board?.classList.toggle("is-waiting", isWaiting());
  /** @type {HTMLElement | null} */
  const vote = document.querySelector("#vote");
  // An answer that waits is sent first. The server says whether it came too late.
  if (vote && isUnsent()) return;
  if (vote && "known" in now.dataset && stage !== vote.dataset.stage)
    location.assign(go ?? vote.dataset.back ?? "/");
  else if (go && go !== location.pathname) whenDone(() => location.assign(go));
  else if (board && round && round !== board.dataset.round) whenDone(() => location.reload());
  else if ("over" in now.dataset && isBoard(document.querySelector("form[data-board]")))
    whenDone(() => location.reload());
}

const asksLesson = (/** @type {HtmxContext} */ ctx) =>
  ctx.sourceElement?.matches("#lesson, #lesson-page, #controls");

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (asksLesson(ctx)) askedAt = performance.now();
});

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (asksLesson(ctx)) readCountdown();
  /** @type {HTMLInputElement | null} */
  const message = document.querySelector("#lesson-message");
  if (message && ctx.sourceElement?.id === "controls") message.value = "";
  tick();
  follow();
});
setInterval(tick, TICK_MS);
readCountdown();
tick();
follow();
