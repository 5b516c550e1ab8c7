/* The rules of Goishi Hiroi for the browser. solvers/goishi/rules.py is the reference. */

/**
 * @typedef {object} Position
 * @property {number} rows
 * @property {number} columns
 * @property {string} board The board row by row: `o` is a stone, `-` a stone that was picked up.
 * @property {Cell[]} picked
 */

/** Right, down, left, up. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
];

/** @type {Rules<Position>["read"]} */
export function read(start) {
  const rows = start.split("/");
  return { rows: rows.length, columns: rows[0].length, board: rows.join(""), picked: [] };
}

/** @param {Cell} cell */
const write = ([row, column]) => `${row + 1},${column + 1}`;
/** @param {Cell} cell */
const place = ([row, column]) => ({ row: row + 1, column: column + 1 });

/**
 * @param {Position} position
 * @param {Cell} cell
 */
function signAt({ rows, columns, board }, [row, column]) {
  return row >= 0 && column >= 0 && row < rows && column < columns
    ? board[row * columns + column]
    : undefined;
}

/**
 * @param {Cell} here
 * @param {Cell} there
 */
function towards(here, there) {
  const [down, right] = [Math.sign(there[0] - here[0]), Math.sign(there[1] - here[1])];
  return DIRECTIONS.findIndex((step) => step[0] === down && step[1] === right);
}

/**
 * Return the direction straight back, or -1 before the second stone was picked up.
 *
 * @param {Position} position
 */
const back = ({ picked: [...picked] }) => {
  const [here, before] = picked.reverse();
  return before ? (towards(before, here) + 2) % 4 : -1;
};

/**
 * @param {Position} position
 * @param {Cell} here
 * @param {number} direction
 * @returns {Cell | undefined}
 */
function nearest(position, here, direction) {
  const [down, right] = DIRECTIONS[direction];
  /** @type {Cell} */
  let cell = [here[0] + down, here[1] + right];
  for (let sign; (sign = signAt(position, cell)); cell = [cell[0] + down, cell[1] + right])
    if (sign === "o") return cell;
}

/**
 * @param {Position} position
 * @returns {Cell[]}
 */
function next(position) {
  const { board, columns, picked } = position;
  const here = picked.at(-1);
  if (here)
    return DIRECTIONS.flatMap((_, direction) => {
      const cell = direction !== back(position) && nearest(position, here, direction);
      return cell ? [cell] : [];
    });
  return [...board].flatMap((sign, at) => (sign === "o" ? [[Math.floor(at / columns), at % columns]] : []));
}

/** @type {Rules<Position>["moves"]} */
export const moves = (position) => next(position).map(write);

/** @type {Rules<Position>["play"]} */
export function play(position, move) {
  const [row, column] = move.split(",").map((number) => Number(number) - 1);
  /** @type {Cell} */
  const cell = [row, column];
  const [sign, { picked, board, columns }] = [signAt(position, cell), position];
  /**
   * @param {string} why
   * @param {Cell[]} way
   * @param {Cell} at
   */
  const refused = (why, way = [], at = cell) => ({ why, values: place(at), cell: at, way });
  if (!sign || sign === ".") return refused("none");
  if (sign === "-") return refused("picked");
  const [here, before] = [...picked].reverse();
  if (here) {
    const direction = towards(here, cell);
    if (direction < 0) return refused("aside", [here, cell]);
    if (direction === back(position)) return refused("back", [before, here, cell]);
    const first = /** @type {Cell} */ (nearest(position, here, direction));
    if (write(first) !== move) return refused("jumped", [here, first], first);
  }
  const at = row * columns + column;
  return { ...position, board: `${board.slice(0, at)}-${board.slice(at + 1)}`, picked: [...picked, cell] };
}

/** @type {Rules<Position>["judge"]} */
export const judge = (position) => ({
  solved: !position.board.includes("o"),
  over: !next(position).length,
  faults: [],
});

/** @type {Rules<Position>["describe"]} */
export function describe(move) {
  const [row, column] = move.split(",").map(Number);
  return { name: "stone", values: { row, column } };
}

/** @type {Rules<Position>["told"]} */
export function told(position, undone) {
  const left = { name: "left", values: { left: position.board.split("o").length - 1 } };
  if (undone && !position.picked.length) return [left];
  return [left, ...next(position).map((cell) => ({ name: "next", values: place(cell) }))];
}
