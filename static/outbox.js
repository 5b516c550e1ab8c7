/* Sends the steps that wait for boards whose pages are not open, from any page of the student who made
   them: they were made without a network, on pages that the service worker had stored (worker.js). A
   board whose page is open sends its own steps (send-steps.js), and holds the lock of that page. */

import { lasting, passing } from "./browser.js";
import { REPORTS, StepQueue, fieldsOf, waitingBoards } from "./step-queue.js";

/** @typedef {import("./step-queue.js").About} About */
/** @typedef {{ page: string, name: string, why?: string }} Report */

const ANSWER_MS = 10_000;
const [LEAST_PAUSE_MS, MAX_PAUSE_MS] = [2000, 60_000];
const HELD = 423;

const who = document.querySelector("[data-who]")?.dataset.who;
/** @type {HTMLElement | null} */
const notice = document.querySelector("[data-outbox]");
let isSending = false;
let pause = LEAST_PAUSE_MS;
/** @type {number | undefined} */
let timer;

/** Raised if nothing can be sent now: there is no network, the server is busy, or nobody is signed in. */
class Unreachable extends Error {}

/**
 * Ask as htmx does, and return the answer and its status.
 *
 * @param {string} address
 * @param {Record<string, string>} [fields]
 */
async function ask(address, fields) {
  /** @type {HTMLInputElement | null} */
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const answer = await fetch(address, {
    method: fields ? "POST" : "GET",
    body: fields && new URLSearchParams(fields),
    headers: { "HX-Request": "true", "X-CSRFToken": token?.value ?? "" },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  if (!answer || answer.redirected || answer.status >= 500 || [401, 403].includes(answer.status))
    throw new Unreachable();
  const status = Number(answer.headers.get("Refused") ?? answer.status);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  /** @type {HTMLInputElement | null} */
  const field = page.querySelector("#board [name=step]");
  for (const reading of page.querySelectorAll("rt")) reading.remove();
  const said = page.querySelector(field ? ".play-status.bad" : "#play .notice, .play-status.bad");
  const next = field?.value ?? page.querySelector("[data-step]")?.dataset.step;
  return { status, next, isLive: Boolean(field), said: said?.textContent?.trim() };
}

/**
 * Send the steps of a board in their order. Return what was not possible; nothing if a step has to
 * wait for the lesson.
 *
 * @param {string} address
 * @param {About} about
 * @returns {Promise<Report | undefined>}
 */
async function sendBoard(address, about) {
  const { page, name } = about;
  const queue = new StepQueue(lasting);
  queue.turnTo(address, { ...about });
  queue.restore();
  queue.wait();
  /** @type {Report} */
  const report = { page, name };
  let { next, said } = await ask(page);
  for (let step = queue.first; step; step = queue.first) {
    if (next === undefined || (step.action === "move" && !step.move)) {
      // The board takes no steps any more, or a move was never found.
      report.why = said ?? "";
      queue.shift();
      continue;
    }
    queue.number(step, next);
    const { turn } = queue;
    const fields = { action: step.action ?? "", move: step.move ?? "", step: step.step ?? "", tool: "" };
    const answer = await ask(address, { ...fields, ...fieldsOf(turn, queue.handed) });
    if (answer.status === HELD) return;
    const outcome = queue.settle(turn, answer.status);
    if (outcome === "refused") report.why = answer.said ?? "";
    // A board that is over takes the steps that were made in time.
    const isOver = outcome === "refused" && answer.status === 409 && !answer.isLive;
    next = isOver ? undefined : answer.next;
    said = answer.said ?? said;
  }
  return report;
}

/** Send the steps of all boards of the student. */
export async function sendAll() {
  clearTimeout(timer);
  if (isSending || !who || !navigator.onLine || !navigator.locks) return;
  isSending = true;
  try {
    for (const [address, about] of waitingBoards(lasting, who))
      await navigator.locks.request(`steps ${about.page}`, { ifAvailable: true }, async (lock) => {
        const report = lock && (await sendBoard(address, about));
        if (report) tell(report);
      });
    pause = LEAST_PAUSE_MS;
  } catch (fault) {
    if (!(fault instanceof Unreachable)) throw fault;
    pause = Math.min(2 * pause, MAX_PAUSE_MS);
  } finally {
    isSending = false;
  }
  if (waitingBoards(lasting, who).size) timer = setTimeout(sendAll, pause);
}

/** @returns {Report[]} */
const reports = () => JSON.parse(passing.read(REPORTS) ?? "[]");

/**
 * Say that the steps of a board were sent, until the student has read it. Pages that show the board are
 * drawn anew, and so is its stored page (worker.js).
 *
 * @param {Report} report
 */
function tell(report) {
  const others = reports().filter(({ page }) => page !== report.page);
  passing.write(REPORTS, JSON.stringify([...others, report]));
  show();
  new BroadcastChannel("stale").postMessage("");
  navigator.serviceWorker?.controller?.postMessage({ who, page: report.page });
}

function show() {
  const all = reports();
  if (!notice || !all.length) return;
  for (const list of notice.querySelectorAll("ul")) {
    const listed = all.filter(({ why }) => (why === undefined) === "sent" in list.dataset);
    list.replaceChildren(...listed.map(itemOf));
    const part = /** @type {HTMLElement} */ (list.parentElement);
    part.hidden = !listed.length;
  }
  document.getElementById("main")?.prepend(notice);
  notice.hidden = false;
}

/** @param {Report} report */
function itemOf({ page, name, why }) {
  const [item, link] = [document.createElement("li"), document.createElement("a")];
  Object.assign(link, { href: page, textContent: name });
  item.append(link, why ? ` ${why}` : "");
  return item;
}

notice?.addEventListener("click", () => {
  passing.remove(REPORTS);
  notice.hidden = true;
});

show();
