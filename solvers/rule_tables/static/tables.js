/* The rules of the kinds that are made of tables, for the browser. The server sends the model of the
   board (solvers/rule_tables/browser.py), so this module knows no relation but what hangs together, is
   closed or sails. solvers/rule_tables/verdicts.py is the reference. */

/**
 * @typedef {object} Piece
 * @property {"one piece" | "touching edge" | "no ring"} demand
 * @property {number[]} variables
 * @property {boolean[][]} on For each variable: whether each value belongs to the piece.
 * @property {[number, number][]} links Pairs of places in `variables` that touch.
 * @property {number[]} rim
 */

/**
 * @typedef {object} Model
 * @property {number} rows
 * @property {number} columns
 * @property {"cells" | "edges" | "links"} site
 * @property {number} least The least symbols of a cell.
 * @property {string} begun The signs of the cells at the start: letters, `.` and `#`.
 * @property {string} now The signs of the cells, or of the half cells if lines are drawn: of those, `*` marks
 *     that no line is there, and decides nothing.
 * @property {string} filled The letters that players set.
 * @property {number[]} at For each variable: its place in `now`.
 * @property {string[][]} sorts
 * @property {number[]} of For each variable: which of `sorts` are its values.
 * @property {(number[][][] | null)[] | null} tables For each automaton, item, state and value: the next state, or -1.
 * @property {number[][]} areas The number of an automaton, and the variables that it reads.
 * @property {Piece[]} pieces
 * @property {[number[], Cell[], Cell[]][]} loops The variables, and the points at both ends of each.
 * @property {[number[], boolean[][], number[][]][]} fleets
 * @property {[string, Record<string, number>, number[], string, number, number][]} counted
 */

/**
 * @typedef {object} Position
 * @property {Model} model
 * @property {string} now
 * @property {number} last The place of the last move in `now`.
 */

/** The model of the board on this page. @type {Model} */
let model;

/** @type {Rules<Position>["read"]} */
export function read(start) {
  model = JSON.parse(start);
  return { model, now: model.now, last: -1 };
}

const isLines = () => model.site !== "cells";
const width = () => (isLines() ? 2 * model.columns + 1 : model.columns);

/** The word of a move that sets a letter. A word must not begin with a digit. @param {string} letter */
const wordOf = (letter) => (/\p{L}/u.test(letter) ? letter : `=${letter}`);

/**
 * Return the name of a place in `now`. Places for lines are counted in thirds of cells.
 *
 * @param {number} at
 */
function nameOf(at) {
  let cell = [Math.floor(at / width()), at % width()];
  if (isLines()) {
    const ends = [model.rows, model.columns];
    cell = cell.map((half, side) => 3 * Math.floor(half / 2) + (half % 2) - Number(half === 2 * ends[side]));
  }
  return cell.map((number) => number + 1).join(",");
}

/**
 * Return the place of a name in `now`, or -1 if there is none.
 *
 * @param {string} name
 */
function placeOf(name) {
  const cell = name.split(",").map((number) => Number(number) - 1);
  const halves = isLines() ? cell.map((third) => 2 * Math.floor(third / 3) + (third % 3)) : cell;
  const at = halves[0] * width() + halves[1];
  const isThere = halves[1] < width() && nameOf(at) === name && at < model.now.length;
  return isThere && (!isLines() || model.now[at] !== "#") ? at : -1;
}

/** @type {Rules<Position>["moves"]} */
export const moves = ({ now }) =>
  [...now].flatMap((sign, at) =>
    sign === "." || sign === "*" ? [...model.filled].map((letter) => `${wordOf(letter)} ${nameOf(at)}`) : [],
  );

/** @type {Rules<Position>["play"]} */
export function play(position, move) {
  const [tool, name] = move.split(" ");
  const [row, column] = name.split(",").map(Number);
  const at = placeOf(name);
  const begun = isLines() ? "." : position.model.begun[at];
  const letter = tool === "-" ? "." : tool.replace(/^=(?=.)/, "");
  let why = "";
  if (at < 0) why = "outside";
  else if (begun === "#") why = "wall";
  else if (begun !== ".") why = "given";
  else if (position.now[at] === letter) why = "already";
  if (why) return { why, values: { row, column }, cell: [row - 1, column - 1], way: [] };
  return { ...position, now: position.now.slice(0, at) + letter + position.now.slice(at + 1), last: at };
}

/** @type {Rules<Position>["judge"]} */
export function judge(position) {
  model = position.model;
  const now = position.now.replaceAll("*", ".");
  const over = !now.includes(".");
  return { solved: isSolved(now, over), over, faults: [] };
}

/**
 * @param {string} now
 * @param {boolean} isFull
 */
function isSolved(now, isFull) {
  const { tables, areas, at, sorts, of, least, pieces, loops, fleets } = model;
  if (!tables || (least && !isFull)) return false;
  const values = at.map((place, variable) => sorts[of[variable]].indexOf(now[place]));
  if (values.includes(-1)) return false;
  const isRight = areas.every(([number, ...variables]) => {
    const table = tables[number];
    if (!table) return false;
    let state = 0;
    for (const [item, variable] of variables.entries())
      if (state >= 0) state = table[item][state][values[variable]];
    return state >= 0;
  });
  return (
    isRight &&
    pieces.every((piece) => hangsTogether(piece, values)) &&
    loops.every(([variables, ...ends]) => isOneLoop(variables, ends, values)) &&
    fleets.every(([lengths, on, beside]) => sails(lengths, on, beside, values))
  );
}

/**
 * Return the groups of places that are joined by links.
 *
 * @template T
 * @param {T[]} places
 * @param {[T, T][]} links
 * @returns {T[][]}
 */
function groups(places, links) {
  const groupOf = new Map(places.map((place) => [place, [place]]));
  for (const [one, two] of links) {
    const [first, second] = [groupOf.get(one), groupOf.get(two)];
    if (!first || !second || first === second) continue;
    first.push(...second);
    for (const place of second) groupOf.set(place, first);
  }
  return [...new Set(groupOf.values())];
}

/**
 * @param {Piece} piece
 * @param {number[]} values
 */
function hangsTogether({ demand, variables, on, links, rim }, values) {
  const places = [...variables.keys()].filter((place) => on[place][values[variables[place]]]);
  const own = links.filter((link) => link.every((place) => on[place][values[variables[place]]]));
  const parts = groups(places, own);
  if (demand === "one piece") return parts.length <= 1;
  if (demand === "touching edge") return parts.every((part) => part.some((place) => rim.includes(place)));
  // Without a ring, each part has one link less than places.
  return own.length === places.length - parts.length;
}

/**
 * @param {number[]} variables
 * @param {Cell[][]} ends
 * @param {number[]} values
 */
function isOneLoop(variables, [from, to], values) {
  const lines = [...variables.keys()].filter((line) => values[variables[line]]);
  const links = lines.map((line) => /** @type {[string, string]} */ ([String(from[line]), String(to[line])]));
  // Each point has two lines or none, which other automata say.
  return groups([...new Set(links.flat())], links).length === 1;
}

/**
 * @param {number[]} lengths
 * @param {boolean[][]} on
 * @param {number[][]} beside
 * @param {number[]} values
 */
function sails(lengths, on, beside, values) {
  const places = [...on.keys()].filter((place) => on[place][values[place]]);
  const links = places.flatMap((place) =>
    beside[place]
      .filter((other) => other >= 0)
      .map((other) => /** @type {[number, number]} */ ([place, other])),
  );
  const ships = groups(places, links);
  const isStraight = ships.every((ship) => {
    const steps = ship.flatMap((place) =>
      beside[place].map((other, way) => (ship.includes(other) ? way : -1)),
    );
    return !(steps.some((way) => way === 1 || way === 2) && steps.some((way) => way === 0 || way === 3));
  });
  return isStraight && String(ships.map((ship) => ship.length).sort((a, b) => b - a)) === String(lengths);
}

/** @type {Rules<Position>["describe"]} */
export function describe(move) {
  const [tool, name] = move.split(" ");
  const [row, column] = name.split(",").map(Number);
  if (!isLines()) {
    const number = [...model.filled].findIndex((letter) => wordOf(letter) === tool);
    if (tool === "-") return { name: "cleared", values: { row, column } };
    return { name: "set", values: { what: { name: `title${number}` }, row, column } };
  }
  const what = { name: { "-": "none", "*": "cross" }[tool] ?? "line" };
  const [down, right] = [(row - 1) % 3, (column - 1) % 3];
  let cell = [Math.ceil(row / 3), Math.ceil(column / 3)];
  let side = down === 0 ? "above" : "below";
  if (right === 0) side = "left";
  if (right === 2) side = "right";
  if (model.site === "links") {
    side = down ? "across" : "down";
    if (!down && row > 1) cell = [cell[0] - 1, cell[1]];
    else if (!right && column > 1) cell = [cell[0], cell[1] - 1];
  }
  return { name: side, values: { what, row: cell[0], column: cell[1] } };
}

/** @type {Rules<Position>["told"]} */
export function told({ now, last }, undone) {
  if (undone || last < 0 || isLines()) return [];
  return model.counted
    .filter(([, , places]) => places.includes(last))
    .map(([name, values, places, letters, wanted, rule]) => {
      const number = places.filter((at) => now[at] !== "." && letters.includes(now[at])).length;
      const things = { name: number === 1 ? `one${rule}` : `many${rule}` };
      const said = { place: { name, values }, number, things };
      return number < wanted
        ? { name: "missing", values: { ...said, missing: wanted - number } }
        : { name: "there", values: said };
    });
}
