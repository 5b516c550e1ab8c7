/* The rules on the board of this page, if its kind has them for browsers (`Rules` in static.d.ts), and what
   they show of each step: the board after it, why it was refused, and what waits for the network.

   The page's <template id="rules"> names the kind's module, the start, and has the texts in the reader's
   language. Steps are judged here at once, whether there is a network or not. The server judges every
   step again, and each of its answers says which moves are on the board. */

import { isWholeHere, movesShown, pictureOf, show, showNextMoves, spotAt } from "./optimistic-ui.js";

/** @typedef {import("./step-queue.js").Waiting} Waiting */

const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("rules"));
const MOVES = /(?:[^\s\d]\S*\s+)?\d+,\d+/g;

/** @type {Rules<any> | null} */
let rules = null;
/** The boards from the start to the present one. @type {any[]} */
let positions = [];
/** The moves between these boards. @type {string[]} */
let line = [];
/** The moves that can be made again, the next one first. @type {string[]} */
let undone = [];
/** Whether all steps since the last answer could be judged. */
let isKnown = false;

/** Load the kind's module. Return false if the kind has none. */
export async function load() {
  if (template) rules = await import(/** @type {string} */ (template.dataset.module));
  return Boolean(rules);
}

/** The moves on the board and those that can be made again, if they are known. */
export const moves = () => (isKnown ? { line, undone } : null);

const verdict = () => (isKnown && rules ? rules.judge(positions.at(-1)) : null);

/** Whether the board is solved, as far as is known. */
export const isSolved = () => Boolean(verdict()?.solved);

/** Whether the board is solved and takes no more steps. A score can still become better. */
export const isFinished = () => isSolved() && verdict()?.score === undefined;

/**
 * The moves on the board that the server drew last, and those that can be made again.
 *
 * @type {{ line: string[], undone: string[] } | null}
 */
let drawn = null;

/**
 * Take note of the board that the server has drawn. The answer to a step does not repeat the moves.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting[] | null} [steps] The steps that it answers.
 */
export function turnTo({ dataset }, steps) {
  if (dataset.line !== undefined)
    drawn = { line: dataset.line.match(MOVES) ?? [], undone: dataset.undone?.match(MOVES) ?? [] };
  else if (drawn && steps) drawn = steps.reduce(after, drawn);
  /** @type {HTMLInputElement | null} */
  const slider = document.querySelector(".play-moves [type=range]");
  // Another window may have made a step meanwhile.
  if (drawn?.line.length !== Number(slider?.defaultValue ?? 0)) drawn = null;
  isKnown = Boolean(rules && drawn);
  if (!rules || !drawn) return;
  const now = drawn.line;
  const differing = now.findIndex((move, at) => move !== line[at]);
  const kept = differing < 0 ? now.length : differing;
  positions = positions.length ? positions.slice(0, kept + 1) : [rules.read(template?.dataset.start ?? "")];
  for (const move of now.slice(positions.length - 1)) positions.push(rules.play(positions.at(-1), move));
  [line, undone] = [[...now], [...drawn.undone]];
}

/**
 * Return what the server will have on the board after the steps, if all that it would draw and say of them
 * is on the page already: the number of moves, and the mark of the board.
 *
 * @param {Waiting[]} steps
 */
export function expected(steps) {
  const isJudged = rules && drawn && isKnown && isWholeHere() && verdict()?.faults;
  if (!isJudged || !drawn || steps.some(({ hasWaited, isTyped }) => hasWaited || isTyped)) return "";
  const { line } = steps.reduce(after, drawn);
  return `${line.length} ${markOf(line)}`;
}

/**
 * Take note that the server has stored the steps as they are shown.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting[]} steps
 */
export function keep({ dataset }, steps) {
  if (drawn) drawn = steps.reduce(after, drawn);
  dataset.at = markOf(drawn?.line ?? []);
  delete dataset.line;
  delete dataset.undone;
  return drawn ?? { line: [], undone: [] };
}

/** The moves on the board that the server has, as its page tells them (`turnTo`). */
export const stored = () => (drawn ? { line: drawn.line.join(" "), undone: drawn.undone.join(" ") } : {});

/**
 * Return the mark of the board after the moves, as the server makes it (`Attempt.mark`): 24 bits of a CRC-32.
 *
 * @param {string[]} line
 */
function markOf(line) {
  let crc = -1;
  for (const byte of new TextEncoder().encode(line.join(" "))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc & 0xffffff).toString(16);
}

/**
 * Return the moves after a step.
 *
 * @param {{ line: string[], undone: string[] }} before
 * @param {Waiting} step
 */
function after({ line, undone }, { action, move = "" }) {
  if (action === "undo") return { line: line.slice(0, -1), undone: [...line.slice(-1), ...undone] };
  return { line: [...line, move], undone: undone[0] === move ? undone.slice(1) : [] };
}

/**
 * Make a step on the board that is shown. Return the refusal if the rules forbid it.
 *
 * @param {HTMLFormElement} form
 * @param {Waiting} step
 */
export function make(form, step) {
  const refusal = advance(step);
  markRefusal(pictureOf(form), refusal);
  if (!refusal) {
    show(form, step, moves()?.line);
    if (rules && isKnown) showNextMoves(form, rules.moves(positions.at(-1)));
    showFaults(pictureOf(form), verdict()?.faults);
  }
  if (tell(step, refusal, Boolean(step.hasWaited)) && !refusal) follow();
  return refusal;
}

/**
 * Let the position follow a step. Return the refusal if the rules forbid it.
 *
 * @param {Waiting} step
 * @returns {Refusal | undefined}
 */
export function advance({ action, move, isTyped }) {
  // What a typed text means is for the server to say.
  if (!move && action === "move") isKnown = false;
  if (isTyped) isKnown = false;
  if (!rules || !isKnown) return;
  if (action === "undo") {
    taken = positions.pop();
  } else {
    const next = rules.play(positions.at(-1), move ?? "");
    if ("why" in next) return next;
    positions.push(next);
  }
  ({ line, undone } = after({ line, undone }, { action, move }));
}

/** The board that was there before the last undo. @type {any} */
let taken;

/**
 * Say in the status what the step did, or why the rules forbid it. The words are those of the server's
 * answer, so nothing is heard twice. Return false if they are not known.
 *
 * @param {Waiting} step
 * @param {Refusal | undefined} refusal
 * @param {boolean} isOffline
 */
function tell(step, refusal, isOffline) {
  const status = document.querySelector(".play-status");
  if (!rules || !isKnown || !status) return false;
  if (refusal) {
    status.className = "play-status bad";
    status.replaceChildren(...nodesOf({ name: refusal.why, values: refusal.values }));
    return true;
  }
  const position = positions.at(-1);
  const { solved, over, score } = rules.judge(position);
  const isJammed = over && !solved && template?.dataset.family === "sequence";
  const isUndo = step.action === "undo";
  status.className = `play-status ${solved ? "ok" : isJammed ? "warn" : ""}`;
  /** @type {Said} */
  let said = { name: isOffline ? "kept" : "solved" };
  if (isJammed) said = { name: "jammed" };
  else if (!solved || score !== undefined)
    said = isUndo
      ? { name: "undone", values: { what: rules.describe(undone[0]), number: line.length } }
      : { name: "made", values: { what: rules.describe(line.at(-1) ?? ""), number: line.length } };
  const more = isFinished() ? [] : isUndo ? rules.told(position, taken) : rules.told(position);
  if (score !== undefined) more.push({ name: "score", values: { score } });
  status.replaceChildren(
    ...nodesOf(said),
    ...more.flatMap((each) => {
      const heard = document.createElement("span");
      heard.className = "visually-hidden";
      heard.append(...nodesOf(each));
      return [" ", heard];
    }),
  );
  if (solved && score !== undefined && isOffline) status.append(" ", ...nodesOf({ name: "goal" }));
  const number = document.querySelector(".play-score-now .number");
  if (number && score !== undefined) number.textContent = String(score);
  return true;
}

/**
 * Return a text of the page with its fields filled in. It may carry readings, so its nodes are kept.
 *
 * @param {Said} said
 * @returns {Node[]}
 */
function nodesOf({ name, values = {} }) {
  const text = template?.content.querySelector(`[data-name="${name}"]`)?.cloneNode(true);
  if (!text) return [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const parts = [];
  while (walker.nextNode()) parts.push(/** @type {Text} */ (walker.currentNode));
  for (const part of parts)
    part.replaceWith(
      ...part.data.split(/\{(\w+)\}/).flatMap((piece, at) => {
        const value = at % 2 ? values[piece] : piece;
        return /** @type {(Node | string)[]} */ (
          typeof value === "object" ? nodesOf(value) : [String(value)]
        );
      }),
    );
  text.normalize();
  return [...text.childNodes];
}

const CELL = 40; // The side of a cell in the units of a picture (solvers/picture.py).

/**
 * Mark the cell at which a move failed, and the way to it, until the next step.
 *
 * @param {SVGSVGElement} picture
 * @param {Refusal | undefined} refusal
 */
function markRefusal(picture, refusal) {
  for (const mark of picture.querySelectorAll(".refused, .refused-way")) mark.remove();
  if (!refusal) return;
  const way = refusal.way.map((cell) => cell.map((number) => (number + 0.5) * CELL).reverse());
  picture.insertAdjacentHTML(
    "beforeend",
    `<polyline class="refused-way" points="${way}"/>${refusal.cell.length ? ringed(refusal.cell, "refused", picture) : ""}`,
  );
}

const MAX_SENTENCES = 4; // puzzleclass/play/warnings.py

/**
 * Ring the cells at fault, and say what is wrong, as the server does. Places that can't end well, which are
 * no faults yet, only the server knows.
 *
 * @param {SVGSVGElement} picture
 * @param {[Cell, Said][] | null} [faults]
 */
function showFaults(picture, faults) {
  const part = document.querySelector(".play-told");
  if (!faults || !part) return;
  const wanted = new Map(faults.map(([[row, column]]) => [`${row},${column}`, [row, column]]));
  for (const ring of picture.querySelectorAll(".fault")) {
    const spot = ring.closest(".spot")?.dataset;
    const [row, column] = spot
      ? [spot.row, spot.column]
      : ["cy", "cx"].map((name) => Math.floor(Number(ring.getAttribute(name)) / CELL));
    // The one that is drawn already is kept.
    if (!wanted.delete(`${row},${column}`)) ring.remove();
  }
  for (const cell of wanted.values()) picture.insertAdjacentHTML("beforeend", ringed(cell, "fault"));
  const before = part.querySelector(".play-faults");
  const said = new Map(faults.map(([, each]) => [JSON.stringify(each), each]));
  if (!said.size && "lost" in (before?.dataset ?? {})) return;
  before?.remove();
  if (!said.size) return;
  const sentences = [...said.values()].slice(0, MAX_SENTENCES);
  const number = said.size - sentences.length;
  if (number) sentences.push({ name: "more", values: { number } });
  const list = /** @type {Element} */ (template?.content.querySelector(".play-faults")?.cloneNode(true));
  for (const each of sentences) {
    const line = document.createElement("li");
    line.append(...nodesOf(each));
    list.append(line, " ");
  }
  part.prepend(list);
}

/**
 * Return a ring in a cell, or around the spot of this name if there is one, which may lie between cells.
 *
 * @param {number[]} cell
 * @param {string} style
 * @param {Element} [picture] The picture with the spots.
 */
function ringed(cell, style, picture) {
  const spot = picture && spotAt(picture, String(cell.map((number) => number + 1)));
  const [x, y] = spot?.getAttribute("transform")?.match(/-?[\d.]+/g) ?? [
    (cell[1] + 0.5) * CELL,
    (cell[0] + 0.5) * CELL,
  ];
  return `<circle class="${style}" cx="${x}" cy="${y}" r="18"/>`;
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
  if (!moves()) {
    const status = document.querySelector(".play-status");
    status?.replaceChildren(withNumber(notice.dataset.said, movesShown));
    status?.classList.remove("ok", "bad", "warn");
  }
  follow();
}

/** Let the controls follow the board that is shown, which the server may not have seen. */
export function follow() {
  const undone = moves()?.undone.length ?? 0;
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
 * Return what a move does in words, if the rules are known.
 *
 * @param {string} [move]
 */
const wordsOf = (move) => (rules && move ? nodesOf(rules.describe(move)) : []);

/**
 * Name those of the steps that are moves which waited for the network and have not been taken back.
 *
 * @param {Waiting[]} steps
 */
export async function tellMissed(steps) {
  const moves = steps.filter((step) => step.hasWaited && step.action === "move" && !step.isTakenBack);
  // Few students ever need the script, and there is a network again.
  if (moves.length) (await import("./rejected-moves.js")).name(moves, wordsOf);
}
