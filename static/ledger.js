/* A ledger. The arrow keys lead from link to link; Tab visits every link in turn, as on any page. The
   box of a student or a puzzle ticks its whole row or column, and while something is ticked or a
   comment is written, the table does not request itself again. */

/** @type {Record<string, [number, number]>} */
const WAYS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  const cell = document.activeElement?.closest(".ledger :is(th, td)");
  if (!way || !cell || event.altKey || event.ctrlKey || event.metaKey) return;
  const [down, right] = way;
  const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
  const rows = /** @type {HTMLTableElement} */ (row.closest("table")).rows;
  let place = [row.rowIndex + down, /** @type {HTMLTableCellElement} */ (cell).cellIndex + right];
  // A student who has not begun has no links, so the way leads on to the next one.
  for (let next; (next = rows[place[0]]?.cells[place[1]]); place = [place[0] + down, place[1] + right]) {
    const link = next.querySelector("a");
    if (!link) continue;
    event.preventDefault();
    link.focus();
    return;
  }
});

/** @param {HTMLInputElement} box */
const isCell = (box) => box.name === "cell";

document.addEventListener("change", ({ target }) => {
  const box = /** @type {HTMLInputElement} */ (target);
  if (box.type !== "checkbox" || !box.closest(".ledger")) return;
  const table = /** @type {HTMLTableElement} */ (box.closest("table"));
  const place = /** @type {HTMLTableCellElement} */ (box.closest("th, td"));
  const row = place.parentElement;
  /** @type {HTMLInputElement[]} */
  const boxes = [...table.querySelectorAll("input")];
  /** @param {HTMLInputElement} other */
  const placeOf = (other) => /** @type {HTMLTableCellElement} */ (other.closest("th, td"));
  for (const other of boxes) {
    const isAbove = placeOf(other).cellIndex === place.cellIndex && other.name === "puzzle";
    const isBeside = placeOf(other).parentElement === row && other.name === "student";
    if (isCell(box)) {
      // A row or a column from which a cell is taken out is no longer ticked as a whole.
      if (!box.checked && (isAbove || isBeside || other.name === "all")) other.checked = false;
    } else if (
      box.name === "all" ||
      (box.name === "student" && placeOf(other).parentElement === row) ||
      (box.name === "puzzle" && placeOf(other).cellIndex === place.cellIndex)
    ) {
      other.checked = box.checked;
    }
  }
});

document.addEventListener("htmx:before:request", (event) => {
  const { ctx } = /** @type {CustomEvent} */ (event).detail;
  const ledger = ctx.sourceElement;
  if (ledger?.id !== "ledger") return;
  const isWriting =
    ledger.querySelector("[name=comment]")?.value || document.querySelector("#ledger :popover-open");
  if (isWriting || ledger.querySelector(".ledger :checked")) event.preventDefault();
});
