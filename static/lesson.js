/* Follows a running lesson. On a student's page: the boards pause and go on, the page goes to the
   board at which the class is or to a vote, and it is loaded again when the assignment is closed. On every page:
   the clock runs. */

import { isBoard, resume, whenDone } from "./steps.js";

const TICK_MS = 250;

const lesson = () => document.getElementById("lesson");

/* The clock counts from the moment at which the server's answer came, so that the clock of this
   computer need not be right. */

/** @type {WeakMap<Element, { seconds: string, endsAt: number }>} */
const clocks = new WeakMap();

function tick() {
  for (const clock of document.querySelectorAll("[data-seconds]")) {
    const seconds = clock.dataset.seconds ?? "0";
    let known = clocks.get(clock);
    if (known?.seconds !== seconds) {
      known = { seconds, endsAt: Date.now() + Number(seconds) * 1000 };
      clocks.set(clock, known);
    }
    const left = Math.max(0, Math.round((known.endsAt - Date.now()) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("is-up", left === 0);
  }
}

/** Do what the teacher has set. Steps that were made before are sent first. */
function follow() {
  const now = lesson();
  if (!now) return;
  const isPaused = "paused" in now.dataset;
  document.querySelector(".play, #vote")?.toggleAttribute("inert", isPaused);
  if (!isPaused) resume();
  const { go, stage } = now.dataset;
  /** @type {HTMLElement | null} */
  const vote = document.querySelector("#vote");
  if (vote && "known" in now.dataset && stage !== vote.dataset.stage)
    location.assign(go ?? vote.dataset.back ?? "/");
  else if (go && go !== location.pathname) whenDone(() => location.assign(go));
  else if ("over" in now.dataset && isBoard(document.querySelector("form[data-board]")))
    whenDone(() => location.reload());
}

document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  /** @type {HTMLInputElement | null} */
  const message = document.querySelector("#lesson-message");
  if (message && ctx.sourceElement?.id === "controls") message.value = "";
  tick();
  follow();
});
setInterval(tick, TICK_MS);
tick();
follow();
