/* Shows what became of the steps of a board: the board after them, why one was refused, what waits for the
   network and what was not possible. send-steps.js sends them. */

import { movesShown, pictureOf, show } from "./optimistic-ui.js";
import * as rules from "./rules.js";

/** @typedef {import("./step-queue.js").Waiting} Waiting */

/**
 * Make a step on the board that is shown. Return the refusal if the rules forbid it.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 */
export function make(form, step) {
  const refusal = rules.make(step);
  rules.markRefusal(pictureOf(form), refusal);
  if (!refusal) show(form, step, rules.moves()?.line);
  if (rules.tell(step, refusal, Boolean(step.hasWaited)) && !refusal) follow();
  return refusal;
}

/**
 * @param {string | undefined} text
 * @param {number} n
 */
const withNumber = (text = "", n) => text.replace("{n}", String(n));

/**
 * Say that there is no network, and how many steps wait; or that there is one again.
 *
 * @param {boolean} is
 * @param {number} waiting
 */
export function showOfflineNotice(is, waiting) {
  const notice = document.querySelector("[data-offline]");
  if (!notice) return;
  notice.toggleAttribute("hidden", !is);
  const number = notice.querySelector("[data-number]");
  if (number) number.textContent = waiting ? withNumber(number.dataset.number, waiting) : "";
  /** @type {NodeListOf<HTMLInputElement>} */
  const online = document.querySelectorAll(".play-moves [type=range], #restart button, .hint-levels button");
  for (const control of online) control.disabled = is;
  const said = document.createElement("p");
  said.textContent = notice.dataset.hint ?? "";
  if (is) document.querySelector(".hint-said")?.replaceChildren(said);
  if (!is || !waiting) return;
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
export async function tellMissed(steps) {
  const moves = steps.filter((step) => step.hasWaited && step.action === "move" && !step.isTakenBack);
  // Few students ever need the script, and there is a network again.
  if (moves.length) (await import("./rejected-moves.js")).name(moves);
}

/* A press or a key ends the show of what was earned. Nothing waits for its end anyway. */
for (const name of ["pointerdown", "keydown"])
  document.addEventListener(name, () => {
    for (const part of document.querySelectorAll(".earned, .flower"))
      for (const animation of part.getAnimations({ subtree: true })) animation.finish();
  });
