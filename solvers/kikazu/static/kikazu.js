/* The rules of the non-attacking pieces for the browser. solvers/kikazu/rules.py is the reference. */

/**
 * @typedef {object} Position
 * @property {number} rows
 * @property {number} columns
 * @property {string} given The start, row by row: letters of pieces, `-` and `.`.
 * @property {Record<string, number>} hand
 * @property {string} board
 */

const PIECES = "RBKGSNLP";
/** @type {Record<string, string>} */
const NAMES = {
  R: "rook",
  B: "bishop",
  K: "king",
  G: "gold",
  S: "silver",
  N: "knight",
  L: "lance",
  P: "pawn",
};
const [ORTHOGONAL, DIAGONAL] = [
  ["-1,0", "0,-1", "0,1", "1,0"],
  ["-1,-1", "-1,1", "1,-1", "1,1"],
];
/** @type {Record<string, string[]>} */
const RIDES = { R: ORTHOGONAL, B: DIAGONAL, L: ["-1,0"] };
/** @type {Record<string, string[]>} */
const STEPS = {
  K: [...ORTHOGONAL, ...DIAGONAL],
  G: [...ORTHOGONAL, "-1,-1", "-1,1"],
  S: ["-1,0", ...DIAGONAL],
  N: ["-2,-1", "-2,1"],
  P: ["-1,0"],
};

/** @type {Rules<Position>["read"]} */
export function read(start) {
  const [board, stock] = start.split(" ");
  const rows = board.split("/").map((row) => row.replace(/\d+/g, (number) => ".".repeat(Number(number))));
  const given = rows.join("");
  /** @type {Record<string, number>} */
  const hand = {};
  for (const [, number, piece] of stock.matchAll(/(\d*)([A-Z])/g)) hand[piece] = Number(number || 1);
  return { rows: rows.length, columns: rows[0].length, given, hand, board: given };
}

/**
 * @param {string} text
 * @returns {Cell}
 */
function cellOf(text) {
  const [row, column] = text.split(",");
  return [Number(row) - 1, Number(column) - 1];
}

/**
 * Return the indices of the squares that a piece attacks, row by row.
 *
 * @param {Position} position
 * @param {string} piece
 * @param {number} from
 */
function attacks({ rows, columns }, piece, from) {
  const reached = [];
  for (const [directions, longest] of /** @type {[string[], number][]} */ ([
    [RIDES[piece] ?? [], 9],
    [STEPS[piece] ?? [], 1],
  ]))
    for (const direction of directions) {
      const [down, right] = direction.split(",").map(Number);
      let [row, column] = [Math.floor(from / columns), from % columns];
      for (let far = 0; far < longest; far++) {
        [row, column] = [row + down, column + right];
        if (row < 0 || column < 0 || row >= rows || column >= columns) break;
        reached.push(row * columns + column);
      }
    }
  return reached.sort((one, other) => one - other);
}

/** @param {string} sign */
const isPiece = (sign) => PIECES.includes(sign);

/** @type {Rules<Position>["moves"]} */
export function moves(position) {
  const { columns, board, hand } = position;
  const signs = [...board];
  const attacked = new Set(signs.flatMap((sign, at) => (isPiece(sign) ? attacks(position, sign, at) : [])));
  const free = signs.flatMap((sign, at) => (sign === "." && !attacked.has(at) ? [at] : []));
  return [...PIECES].flatMap((piece) =>
    hand[piece]
      ? free
          .filter((at) => !attacks(position, piece, at).some((other) => isPiece(board[other])))
          .map((at) => `${piece} ${Math.floor(at / columns) + 1},${(at % columns) + 1}`)
      : [],
  );
}

/** @type {Rules<Position>["play"]} */
export function play(position, move) {
  const { rows, columns, given, hand, board } = position;
  const [, piece, from, to] = /** @type {RegExpMatchArray} */ (move.match(/^(.)(?:(\S+)>)? (\S+)$/));
  /**
   * @param {string} why
   * @param {Cell} cell
   * @param {Record<string, Said>} more
   */
  const refused = (why, cell, more = {}) => ({
    why,
    values: { ...more, row: cell[0] + 1, column: cell[1] + 1 },
    cell,
    way: [],
  });
  /** @param {Cell} cell */
  const at = ([row, column]) =>
    row >= 0 && column >= 0 && row < rows && column < columns ? row * columns + column : -1;
  /** @param {Cell} cell */
  const unmovable = (cell) =>
    at(cell) < 0
      ? "outside"
      : !isPiece(board[at(cell)])
        ? "none"
        : given[at(cell)] !== "."
          ? "given"
          : undefined;
  /** @param {Cell} cell */
  const closed = (cell) =>
    at(cell) < 0
      ? "outside"
      : board[at(cell)] === "-"
        ? "barred"
        : board[at(cell)] !== "."
          ? "occupied"
          : undefined;
  const [cell, after] = [cellOf(to), [...board]];
  /** @type {string | undefined} */
  let why;
  if (piece === "-") {
    if ((why = unmovable(cell))) return refused(why, cell);
    const taken = board[at(cell)];
    after[at(cell)] = ".";
    return { ...position, board: after.join(""), hand: { ...hand, [taken]: (hand[taken] ?? 0) + 1 } };
  }
  const named = { piece: { name: NAMES[piece] } };
  if (from) {
    const source = cellOf(from);
    if ((why = unmovable(source))) return refused(why, source);
    if (board[at(source)] !== piece) return refused("other", source, named);
    if ((why = closed(cell))) return refused(why, cell);
    after[at(source)] = ".";
    after[at(cell)] = piece;
    return { ...position, board: after.join("") };
  }
  if ((why = closed(cell))) return refused(why, cell);
  if (!hand[piece]) return { why: "used", values: named, cell, way: [] };
  after[at(cell)] = piece;
  return { ...position, board: after.join(""), hand: { ...hand, [piece]: hand[piece] - 1 } };
}

/** @type {Rules<Position>["judge"]} */
export function judge(position) {
  const { columns, board } = position;
  /** @type {[Cell, Said][]} */
  const faults = [...board].flatMap((sign, at) => {
    if (!isPiece(sign)) return [];
    const victims = attacks(position, sign, at).filter((victim) => isPiece(board[victim]));
    const [row, column] = [Math.floor(at / columns) + 1, (at % columns) + 1];
    return victims.map((victim) => {
      const cell = /** @type {Cell} */ ([Math.floor(victim / columns), victim % columns]);
      const [victim_row, victim_column] = cell.map((number) => number + 1);
      const [attacker, attacked] = [sign, board[victim]].map((piece) => ({ name: NAMES[piece] }));
      const values = { attacker, row, column, victim: attacked, victim_row, victim_column };
      return [cell, { name: "attacks", values }];
    });
  });
  return { solved: !faults.length && !left(position), over: !moves(position).length, faults };
}

/** @param {Position} position */
const left = ({ hand }) => Object.values(hand).reduce((sum, number) => sum + number, 0);

/** @type {Rules<Position>["describe"]} */
export function describe(move) {
  const [, piece, from, to] = /** @type {RegExpMatchArray} */ (move.match(/^(.)(?:(\S+)>)? (\S+)$/));
  const [row, column] = to.split(",").map(Number);
  if (piece === "-") return { name: "cleared", values: { row, column } };
  const named = { name: NAMES[piece] };
  if (!from) return { name: "placed", values: { piece: named, row, column } };
  const [old_row, old_column] = from.split(",").map(Number);
  return { name: "moved", values: { piece: named, old_row, old_column, row, column } };
}

/** @type {Rules<Position>["told"]} */
export const told = (position) => [{ name: "left", values: { number: left(position) } }];
