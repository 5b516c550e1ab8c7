/* The rules of Max Strings for the browser. solvers/maxstrings/rules.py is the reference. */

/**
 * @typedef {object} Position
 * @property {number} rows
 * @property {number} columns
 * @property {string} points The letters of the start, row by row.
 * @property {string} now The board now: `x`, `o`, `.` and `#`.
 * @property {number | undefined} goal
 */

/** @type {Rules<Position>["read"]} */
export function read(start) {
  const [board, goal] = start.split(" ");
  const [rows, points] = [board.split("/"), board.replaceAll("/", "")];
  const size = { rows: rows.length, columns: rows[0].length };
  return { ...size, points, now: points.replace(/[s-]/g, "."), goal: goal ? Number(goal) : undefined };
}

/** @type {Rules<Position>["moves"]} */
export const moves = ({ columns, points, now }) =>
  [...now].flatMap((letter, at) => {
    const cell = `${Math.floor(at / columns) + 1},${(at % columns) + 1}`;
    return letter === "." && points[at] !== "-" ? [`x ${cell}`, `o ${cell}`] : [];
  });

/** @type {Rules<Position>["play"]} */
export function play(position, move) {
  const [what, cell] = move.split(" ");
  const [row, column] = cell.split(",").map((number) => Number(number) - 1);
  const { rows, columns, points, now } = position;
  const isOn = row >= 0 && column >= 0 && row < rows && column < columns;
  const at = row * columns + column;
  const after = what === "-" ? "." : what;
  const why =
    !isOn || points[at] === "#"
      ? "outside"
      : points[at] === "x" || points[at] === "o"
        ? "given"
        : points[at] === "-"
          ? "barred"
          : after !== now[at]
            ? undefined
            : after === "."
              ? "none"
              : "same";
  if (why) return { why, values: { row: row + 1, column: column + 1 }, cell: [row, column], way: [] };
  return { ...position, now: now.slice(0, at) + after + now.slice(at + 1) };
}

/**
 * Yield for each string its stones, and whether it touches an empty point.
 *
 * @param {Position} position
 */
function* strings({ rows, columns, now }) {
  const seen = new Set();
  for (let first = 0; first < now.length; first++) {
    const colour = now[first];
    if (seen.has(first) || (colour !== "x" && colour !== "o")) continue;
    seen.add(first);
    const group = [first];
    let isFree = false;
    for (const at of group) {
      const [row, column] = [Math.floor(at / columns), at % columns];
      for (const [is, beside] of /** @type {[boolean, number][]} */ ([
        [row > 0, at - columns],
        [column > 0, at - 1],
        [column < columns - 1, at + 1],
        [row < rows - 1, at + columns],
      ])) {
        if (!is) continue;
        isFree ||= now[beside] === ".";
        if (now[beside] !== colour || seen.has(beside)) continue;
        seen.add(beside);
        group.push(beside);
      }
    }
    yield { group, isFree };
  }
}

/** @type {Rules<Position>["judge"]} */
export function judge(position) {
  const { columns, points, now, goal } = position;
  const all = [...strings(position)];
  /** @type {[Cell, Said][]} */
  const faults = all
    .filter(({ isFree }) => !isFree)
    .flatMap(({ group }) => {
      const cells = group.map((at) => /** @type {Cell} */ ([Math.floor(at / columns), at % columns]));
      const [row, column] = cells[0].map((number) => number + 1);
      return cells.map((cell) => [cell, { name: "lost", values: { row, column } }]);
    });
  const score = all.filter(({ isFree }) => isFree).length;
  const counts = !faults.length && ![...points].some((letter, at) => letter === "s" && now[at] === ".");
  return {
    solved: goal !== undefined && score >= goal && counts,
    over: !moves(position).length,
    faults,
    score,
    counts,
  };
}

/** @type {Rules<Position>["describe"]} */
export function describe(move) {
  const [what, cell] = move.split(" ");
  const [row, column] = cell.split(",").map(Number);
  return { name: what === "x" ? "black" : what === "o" ? "white" : "cleared", values: { row, column } };
}

/** @type {Rules<Position>["told"]} */
export const told = () => [];
