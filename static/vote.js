/* A student's vote on a move: a press on the board is the answer. */

/** @param {Element} spot */
function choose(spot) {
  /** @type {HTMLFormElement | null} */
  const form = spot.closest("form[data-vote]");
  if (!form) return;
  const { move = "", take } = spot.dataset;
  if (take !== undefined) {
    location.search = new URLSearchParams({ tool: move }).toString();
    return;
  }
  form.elements.answer.value = move;
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
