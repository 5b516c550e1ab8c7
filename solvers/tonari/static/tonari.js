/* The rules of Tonari Othello for the browser. solvers/tonari/rules.py is the reference. */

/**
 * @typedef {object} Position
 * @property {number} rows
 * @property {number} columns
 * @property {string} target The wanted colours row by row: `b` and `w`.
 * @property {string} stones The colours now: `b`, `w` and `.`.
 * @property {number[]} flipped The stones that the last move turned over.
 */

/** @type {Rules<Position>["read"]} */
export function read(start) {
  const [rows, all] = [start.split("/"), start.replaceAll("/", "")];
  const stones = all.replace(/[bw]/g, ".").replace(/[BW]/g, "b");
  return { rows: rows.length, columns: rows[0].length, target: all.toLowerCase(), stones, flipped: [] };
}

/**
 * Return the indices of the cells on the board that are at these distances from a cell.
 *
 * @param {Position} position
 * @param {number} row
 * @param {number} column
 * @param {number} longest The longest sum of the distances along the two sides: 1, or 2 for corners.
 */
function around({ rows, columns }, row, column, longest) {
  const found = [];
  for (const down of [-1, 0, 1])
    for (const right of [-1, 0, 1]) {
      const [r, c, far] = [row + down, column + right, Math.abs(down) + Math.abs(right)];
      if (far && far <= longest && r >= 0 && c >= 0 && r < rows && c < columns) found.push(r * columns + c);
    }
  return found;
}

/**
 * @param {Position} position
 * @param {number} row
 * @param {number} column
 */
const touches = (position, row, column) =>
  around(position, row, column, 2).some((at) => position.stones[at] !== ".");

/** @type {Rules<Position>["moves"]} */
export function moves(position) {
  const { columns, stones } = position;
  return [...stones].flatMap((stone, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    return stone === "." && touches(position, row, column) ? [`${row + 1},${column + 1}`] : [];
  });
}

/** @type {Rules<Position>["play"]} */
export function play(position, move) {
  const [row, column] = move.split(",").map((number) => Number(number) - 1);
  const { rows, columns } = position;
  /**
   * @param {string} why
   * @param {Record<string, number>} more
   * @returns {Refusal}
   */
  const refused = (why, more = {}) => ({
    why,
    values: { row: row + 1, column: column + 1, ...more },
    cell: [row, column],
    way: [],
  });
  if (row < 0 || column < 0 || row >= rows || column >= columns) return refused("outside", { rows, columns });
  const at = row * columns + column;
  if (position.stones[at] !== ".") return refused("occupied");
  if (!touches(position, row, column)) return refused("apart");
  const stones = [...position.stones];
  stones[at] = "b";
  const flipped = around(position, row, column, 1).filter((beside) => stones[beside] !== ".");
  for (const beside of flipped) stones[beside] = stones[beside] === "b" ? "w" : "b";
  return { ...position, stones: stones.join(""), flipped };
}

/** @type {Rules<Position>["judge"]} */
export function judge({ columns, stones, target }) {
  const over = !stones.includes(".");
  /** @type {[Cell, Said][]} */
  const faults = [...stones].flatMap((stone, at) => {
    if (!over || stone === target[at]) return [];
    const [row, column] = [Math.floor(at / columns), at % columns];
    const name = target[at] === "w" ? "should_be_white" : "should_be_black";
    return [[[row, column], { name, values: { row: row + 1, column: column + 1 } }]];
  });
  return { solved: over && !faults.length, over, faults };
}

/** @type {Rules<Position>["describe"]} */
export function describe(move) {
  const [row, column] = move.split(",").map(Number);
  return { name: "placed", values: { row, column } };
}

/** @type {Rules<Position>["told"]} */
export const told = ({ columns, stones, flipped }, undone) =>
  (undone?.flipped ?? flipped).map((at) => ({
    name: stones[at] === "w" ? "white" : "black",
    values: { row: Math.floor(at / columns) + 1, column: (at % columns) + 1 },
  }));
