/* The rules of the kinds that are made of tables, for the browser. The server sends the model of the
   board (solvers/rule_tables/browser.py), so this module knows no relation but what hangs together, is
   closed or sails. solvers/rule_tables/verdicts.py is the reference. */

/**
 * A list of numbers, as its first number and the number of its shape.
 *
 * @typedef {[first: number, shape: number]} Span
 */

/**
 * What is read at once: the rule, the automata that read the variables, the cells if they are not those of
 * the variables, and those of the variables' cells that can be at fault if they are not all.
 *
 * @typedef {[rule: number, automata: number[], variables: Span, cells?: Span, counted?: Span]} Area
 */

/**
 * For each sort: whether each value belongs to a piece or a ship.
 *
 * @typedef {boolean[][]} Members
 */

/**
 * @typedef {object} Sent
 * @property {number} rows
 * @property {number} columns
 * @property {"cells" | "edges" | "links"} site
 * @property {number} least The least symbols of a cell.
 * @property {string} begun The signs of the cells at the start: letters, `.` and `#`.
 * @property {string} rooms The letters of the rooms, if there are any.
 * @property {string} now The signs of the cells, or of the half cells if lines are drawn: of those, `*` marks
 *     that no line is there, and decides nothing. There is a variable wherever no `#` is.
 * @property {string} filled The letters that players set.
 * @property {string[][]} sorts
 * @property {number[]} of For each variable: which of `sorts` are its values.
 * @property {[where: string, letters?: string, wanted?: number][]} rules Where each rule looks, and of which
 *     symbols it wants how many in rows, columns or rooms.
 * @property {number[][][]} layers For each state and value: the next state, or -1.
 * @property {(number[] | null)[] | null} automata For each item: its layer. Null accepts nothing.
 * @property {number[][]} shapes The differences to the first number of a list.
 * @property {Area[]} areas
 * @property {[rule: number, demand: string, variables: Span, members: Members][]} pieces
 * @property {number[]} loops The rules of which the lines form one loop.
 * @property {[rule: number, lengths: number[], members: Members][]} fleets
 * @property {[rule: number, sides: number[][]][]} matchings For each sort: of each value, 1 or 2, or 0 if it
 *     needs no partner beside it.
 */

/**
 * @typedef {object} Found
 * @property {number[]} at For each variable: its place in `now`.
 * @property {Map<number, number>} variableAt
 */

/** @typedef {Sent & Found} Model */

/**
 * @typedef {object} Position
 * @property {Model} model
 * @property {string} now
 * @property {number} last The place of the last move in `now`.
 */

/**
 * For each variable: the values that it can still have.
 *
 * @typedef {number[][]} Domains
 */

/** The model of the board on this page. @type {Model} */
let model;

/** @type {Rules<Position>["read"]} */
export function read(start) {
  model = JSON.parse(start);
  const { rows, columns, now } = model;
  model.at = [...now].flatMap((sign, place) => (sign === "#" ? [] : [place]));
  // Variables are numbered along the shorter side of the board.
  if (rows < columns) model.at.sort((one, two) => (one % width()) - (two % width()) || one - two);
  model.variableAt = new Map(model.at.map((place, variable) => [place, variable]));
  return { model, now, last: -1 };
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
  if (!why)
    return { ...position, now: position.now.slice(0, at) + letter + position.now.slice(at + 1), last: at };
  if (isLines() && at < 0) return { why, values: {}, cell: [], way: [] };
  /** @type {Refusal["values"]} */
  const values = isLines() ? { place: describe(move) } : { row, column };
  return { why, values, cell: [row - 1, column - 1], way: [] };
}

/** @type {Rules<Position>["judge"]} */
export function judge(position) {
  model = position.model;
  const now = position.now.replaceAll("*", ".");
  const over = !now.includes(".");
  if (!model.automata) return { solved: false, over, faults: null };
  const faults = faultsOf(now);
  const final = domainsOf(now, true);
  // A square that must be filled can have a single value and still be free.
  const isFilled = final.every((values) => values.length === 1) && (!model.least || over);
  return { solved: isFilled && !faults.length && Boolean(broken(final).next().done), over, faults };
}

/**
 * Return the values that are possible now. At the end, a free square stays empty if it may.
 *
 * @param {string} now
 * @param {boolean} [isFinal]
 * @returns {Domains}
 */
function domainsOf(now, isFinal) {
  return model.at.map((place, variable) => {
    const values = model.sorts[model.of[variable]];
    const value = values.indexOf(now[place]);
    if (value >= 0 && (isFinal || now[place] !== ".")) return [value];
    return now[place] === "." ? [...values.keys()] : [];
  });
}

/**
 * Return the cells of the areas that can't be right any more, each with the first reason.
 *
 * @param {string} now
 */
function faultsOf(now) {
  /** @type {Map<number, Said>} */
  const faults = new Map();
  for (const [rule, cells, wrong = []] of broken(domainsOf(now))) {
    const said = { name: "fault", values: { place: nameOfArea(rule, cells), rule: { name: `rule${rule}` } } };
    const filled = cells.filter((cell) => isLines() || now[cell] !== ".");
    const ringed = wrong.length ? wrong : filled;
    for (const cell of ringed.length ? ringed : [cells[0] ?? 0])
      if (!faults.has(cell)) faults.set(cell, said);
  }
  return [...faults].map(([cell, said]) => /** @type {[Cell, Said]} */ ([placed(cell), said]));
}

/**
 * Yield every area that can't be right any more: the rule, the cells, and those of which the symbols break
 * the rule, unless the board itself breaks it.
 *
 * @param {Domains} domains
 * @returns {Generator<[rule: number, cells: number[], wrong?: number[]]>}
 */
function* broken(domains) {
  for (const [rule, numbers, span, shown, counted] of model.areas) {
    const variables = listOf(span);
    const refusing = numbers.filter((number) => !canAccept(number, variables, domains));
    if (!refusing.length) continue;
    const wrong = cellsOf(culprits(refusing, variables, domains));
    const able = counted && new Set(listOf(counted));
    yield [
      rule,
      shown ? listOf(shown) : cellsOf(variables),
      able ? wrong.filter((cell) => able.has(cell)) : wrong,
    ];
  }
  for (const [rule, demand, span, members] of model.pieces) {
    const apart = cutOff(demand, listOf(span), membership(members, domains));
    if (apart.length) yield [rule, cellsOf(apart)];
  }
  for (const [rule, lengths, members] of model.fleets) {
    const wrong = sunk(lengths, membership(members, domains));
    if (wrong) yield [rule, cellsOf(wrong)];
  }
  for (const [rule, sides] of model.matchings)
    for (const apart of unmatched(sides, domains)) yield [rule, cellsOf(apart)];
  for (const rule of model.loops) {
    const closed = closedLines(domains);
    if (closed.length || domains.every((values) => String(values) === "0")) yield [rule, cellsOf(closed)];
  }
}

/** @param {Span} span */
const listOf = ([first, shape]) => model.shapes[shape].map((step) => first + step);

/**
 * Return the row and the column of a cell.
 *
 * @param {number} cell
 * @returns {Cell}
 */
const placed = (cell) => [Math.floor(cell / model.columns), cell % model.columns];

/**
 * Return the cells of variables, or those beside their lines.
 *
 * @param {number[]} variables
 */
function cellsOf(variables) {
  const cells = variables.flatMap((variable) => {
    const place = model.at[variable];
    if (!isLines()) return [place];
    const halves = [Math.floor(place / width()), place % width()];
    return [halves.map((half) => (half - 1) >> 1), halves.map((half) => half >> 1)]
      .filter(([row, column]) => row >= 0 && row < model.rows && column >= 0 && column < model.columns)
      .map(([row, column]) => row * model.columns + column);
  });
  return [...new Set(cells)].sort((one, two) => one - two);
}

/**
 * Return where an area lies, in a few words.
 *
 * @param {number} rule
 * @param {number[]} cells
 * @returns {Said}
 */
function nameOfArea(rule, cells) {
  const [where] = model.rules[rule];
  if (!cells.length) return { name: "board" };
  const [row, column] = placed(cells[0]).map((number) => number + 1);
  if (["row", "column", "line"].includes(where)) {
    if (where !== "column" && cells.every((cell) => placed(cell)[0] === row - 1))
      return { name: "row", values: { row } };
    return { name: "column", values: { column } };
  }
  if (where === "room" && model.rooms)
    return { name: "room", values: { room: model.rooms[cells[0]].toUpperCase() } };
  return { name: "begin", values: { row, column } };
}

/**
 * @param {number} number
 * @param {number[]} variables
 * @param {Domains} domains
 */
function canAccept(number, variables, domains) {
  const automaton = model.automata?.[number];
  if (!automaton) return false;
  let states = new Set([0]);
  for (const [item, variable] of variables.entries()) {
    const layer = model.layers[automaton[item]];
    const after = [...states].flatMap((state) => domains[variable].map((value) => layer[state][value]));
    states = new Set(after.filter((state) => state >= 0));
  }
  return states.size > 0;
}

/** The most symbols of an area each of which is tried as the last one to be left out. */
const MAX_TURNED = 12;
/** The most symbols, times the variables, from which the fewest are sought that break a rule. */
const MAX_READ = 2000;

/**
 * Return the variables that break an area. What breaks one automaton is left out if a part of it breaks
 * another one. solvers/rule_tables/culprits.py is the reference.
 *
 * @param {number[]} numbers
 * @param {number[]} variables
 * @param {Domains} domains
 */
function culprits(numbers, variables, domains) {
  const found = numbers.map((number) => fewest(number, variables, domains));
  const smallest = found.filter(
    (each) => !found.some((other) => other.size < each.size && [...other].every((one) => each.has(one))),
  );
  return [...new Set(smallest.flatMap((each) => [...each]))].sort((one, two) => one - two);
}

/**
 * Return the variables in one of the smallest sets that break an area.
 *
 * @param {number} number
 * @param {number[]} variables
 * @param {Domains} domains
 */
function fewest(number, variables, domains) {
  const every = (/** @type {number} */ variable) => model.sorts[model.of[variable]];
  const decided = variables.filter((variable) => domains[variable].length !== every(variable).length);
  if (decided.length * variables.length > MAX_READ) return new Set(decided);
  const sets = (decided.length <= MAX_TURNED ? decided : decided.slice(-1)).map((last) => {
    const now = [...domains];
    return [...decided.filter((each) => each !== last), last].filter((variable) => {
      now[variable] = [...every(variable).keys()];
      const isNeeded = canAccept(number, variables, now);
      if (isNeeded) now[variable] = domains[variable];
      return isNeeded;
    });
  });
  const least = Math.min(...sets.map((each) => each.length));
  return new Set(sets.filter((each) => each.length === least).flat());
}

/**
 * Return for each variable whether its values belong to a piece or a ship.
 *
 * @param {Members} members
 * @param {Domains} domains
 */
const membership = (members, domains) =>
  domains.map((values, variable) => values.map((value) => members[model.of[variable]][value]));

/** @param {boolean[]} each */
const isCertain = (each) => each.length > 0 && each.every(Boolean);

/**
 * Return the variables beside one, also those at its corners if they count.
 *
 * @param {number} variable
 * @param {boolean} [hasCorners]
 */
function beside(variable, hasCorners) {
  const [row, column] = placed(model.at[variable]);
  const near = [...Array(9).keys()].map((way) => [Math.floor(way / 3) - 1, (way % 3) - 1]);
  return near.flatMap(([down, right]) => {
    const isNear = hasCorners ? down || right : Math.abs(down + right) === 1;
    const isThere = isNear && column + right >= 0 && column + right < model.columns;
    const found = model.variableAt.get((row + down) * model.columns + column + right);
    return isThere && found !== undefined ? [found] : [];
  });
}

/**
 * Return the variables that surely belong to a piece and can't be right: they can't be joined to the first
 * one that does, or to the edge of the board, or they form a ring.
 *
 * @param {string} demand
 * @param {number[]} variables
 * @param {boolean[][]} belongs
 */
function cutOff(demand, variables, belongs) {
  const certain = variables.filter((variable) => isCertain(belongs[variable]));
  const possible = new Set(variables.filter((variable) => belongs[variable].includes(true)));
  /** @param {number} variable */
  const near = (variable) => beside(variable, demand === "connected8").filter((other) => possible.has(other));
  if (demand === "no ring") {
    let [ring, before] = [certain, -1];
    while (ring.length !== before) {
      const kept = new Set(ring);
      before = ring.length;
      ring = ring.filter((variable) => near(variable).filter((other) => kept.has(other)).length > 1);
    }
    return ring;
  }
  const reached = new Set(demand === "touching edge" ? [...possible].filter(isAtEdge) : certain.slice(0, 1));
  // A set also goes through what is added meanwhile.
  for (const variable of reached) for (const other of near(variable)) reached.add(other);
  return certain.filter((variable) => !reached.has(variable));
}

/** @param {number} variable */
function isAtEdge(variable) {
  const [row, column] = placed(model.at[variable]);
  return !row || !column || row === model.rows - 1 || column === model.columns - 1;
}

/**
 * Return the group of each point that links join.
 *
 * @param {[number, number][]} links
 */
function groups(links) {
  /** @type {Map<number, number[]>} */
  const groupOf = new Map();
  for (const [one, two] of links) {
    const [first, second] = [one, two].map((point) => groupOf.get(point) ?? [point]);
    const group = first === second ? first : [...new Set([...first, ...second])];
    for (const point of group) groupOf.set(point, group);
  }
  return groupOf;
}

/**
 * Return the lines of a loop that is closed while others are there.
 *
 * @param {Domains} domains
 */
function closedLines(domains) {
  const certain = [...domains.keys()].filter((line) => String(domains[line]) === "1");
  const links = certain.map((line) => {
    const place = model.at[line];
    const isUpright = Math.floor(place / width()) % 2 === Number(model.site === "edges");
    const step = isUpright ? width() : 1;
    return /** @type {[number, number]} */ ([place - step, place + step]);
  });
  const groupOf = groups(links);
  return certain.filter((_, number) => {
    const group = groupOf.get(links[number][0]) ?? [];
    const many = links.filter(([point]) => groupOf.get(point) === group).length;
    // A group with as many lines as points has a ring.
    return many >= group.length && many < certain.length;
  });
}

/**
 * Return the variables of ships that can't be right, or nothing if there are none. No variables mean that
 * ships are missing from a full board.
 *
 * @param {number[]} lengths
 * @param {boolean[][]} belongs
 */
function sunk(lengths, belongs) {
  const certain = [...belongs.keys()].filter((variable) => isCertain(belongs[variable]));
  const links = certain.flatMap((one) =>
    [one, ...beside(one)]
      .filter((two) => isCertain(belongs[two]))
      .map((two) => /** @type {[number, number]} */ ([one, two])),
  );
  /** @type {number[]} */
  const wrong = [];
  /** @type {number[][]} */
  const whole = [];
  for (const ship of new Set(groups(links).values())) {
    const cells = ship.map((variable) => placed(model.at[variable]));
    const isStraight = [0, 1].some((side) => cells.every((cell) => cell[side] === cells[0][side]));
    const canGrow = ship.some((one) =>
      beside(one).some((two) => !ship.includes(two) && belongs[two].includes(true)),
    );
    if (!isStraight || ship.length > lengths[0]) wrong.push(...ship);
    else if (!canGrow) whole.push(ship);
  }
  /** @param {number[]} all @param {number} length */
  const count = (all, length) => all.filter((each) => each === length).length;
  const found = whole.map((ship) => ship.length).sort((one, two) => two - one);
  for (const ship of whole) if (count(found, ship.length) > count(lengths, ship.length)) wrong.push(...ship);
  const isFull = belongs.every((each) => new Set(each).size === 1);
  return wrong.length || (isFull && String(found) !== String(lengths)) ? wrong : null;
}

/**
 * Return sets of variables that have fewer possible partners than members. solvers/rule_tables/matching.py
 * is the reference.
 *
 * @param {number[][]} sides
 * @param {Domains} domains
 */
function unmatched(sides, domains) {
  const able = domains.map((values, at) => new Set(values.map((value) => sides[model.of[at]][value])));
  const near = able.map((own, at) =>
    beside(at)
      .filter((other) => [1, 2].some((side) => own.has(side) && able[other].has(3 - side)))
      .sort((one, two) => one - two),
  );
  /** Partner -> the variable that has it. @type {Map<number, number>} */
  const taken = new Map();
  /** @type {(variable: number, seen: Set<number>) => boolean} */
  const extend = (variable, seen) =>
    near[variable].some((other) => {
      if (seen.has(other)) return false;
      seen.add(other);
      const owner = taken.get(other);
      if (owner !== undefined && !extend(owner, seen)) return false;
      taken.set(other, variable);
      return true;
    });
  return able.flatMap((own, variable) => {
    /** @type {Set<number>} */
    const seen = new Set();
    if (!own.size || own.has(0) || extend(variable, seen)) return [];
    const owners = [...seen].map((other) => taken.get(other) ?? other);
    return [[variable, ...owners].sort((one, two) => one - two)];
  });
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
  return model.areas.flatMap(([rule, , span]) => {
    const [, letters = "", wanted = 0] = model.rules[rule];
    const cells = letters ? cellsOf(listOf(span)) : [];
    if (!cells.includes(last)) return [];
    const number = cells.filter((at) => now[at] !== "." && letters.includes(now[at])).length;
    const things = { name: number === 1 ? `one${rule}` : `many${rule}` };
    const said = { place: nameOfArea(rule, cells), number, things };
    return number < wanted
      ? { name: "missing", values: { ...said, missing: wanted - number } }
      : { name: "there", values: said };
  });
}
