/* The class table: the arrow keys lead from link to link. Tab visits every link in turn, as on any
   page. */

/** @type {Record<string, [number, number]>} */
const WAYS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  const cell = document.activeElement?.closest(".class-table :is(th, td)");
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
