/* A question to a student: a press on the board is the answer or the reason, and a countdown says when the
   question is closed. What was typed until then is sent. */

const TICK_MS = 250;

/** @param {Element} spot */
function choose(spot) {
  /** @type {HTMLFormElement | null} */
  const form = spot.closest("form[data-question]");
  if (!form) return;
  const { move = "", take } = spot.dataset;
  if (take !== undefined) {
    location.search = new URLSearchParams({ tool: move, change: "" }).toString();
    return;
  }
  const field = spot.closest("[data-presses]")?.dataset.presses === "cell" ? "cell" : "answer";
  form.elements[field].disabled = false;
  form.elements[field].value = move;
  form.requestSubmit();
}

document.addEventListener("click", (event) => {
  const spot = event.target?.closest?.(".spot[data-move]");
  if (spot) choose(spot);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  const spot = event.target?.closest?.(".spot[data-move]");
  if (spot) choose(spot);
});

let isTyped = false;
document.addEventListener("input", () => (isTyped = true));
document.addEventListener("submit", () => (isTyped = false));

/* The frame of the lesson says how much time is left. */
let closesAt = 0;
/** @type {string | undefined} */
let readLeft;

function readClosing() {
  const left = document.getElementById("lesson")?.dataset.closesIn;
  if (left === readLeft) return;
  readLeft = left;
  closesAt = left === undefined ? 0 : performance.now() + Number(left);
}

function showClosing() {
  /** @type {HTMLElement | null} */
  const said = document.querySelector("[data-closing]");
  if (!said || !closesAt) return;
  const left = Math.ceil((closesAt - performance.now()) / 1000);
  said.hidden = left <= 0;
  const number = /** @type {HTMLElement} */ (said.querySelector("span"));
  if (number.textContent !== String(left)) number.textContent = String(left);
  if (left > 0) return;
  closesAt = 0;
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("form[data-question]");
  if (isTyped && form?.checkValidity()) form.requestSubmit();
  else location.reload();
}

document.addEventListener("htmx:after:swap", readClosing);
setInterval(showClosing, TICK_MS);
