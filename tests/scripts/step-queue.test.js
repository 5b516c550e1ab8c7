/* The queue of unsent steps loses no step, and each step counts once. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { MAX_STORED, MAX_WAITING, StepQueue, fieldsOf, waitingBoards } from "../../static/step-queue.js";
import { memory } from "../../static/browser.js";

const BOARD = "/attempts/1/steps/";

/** The storage of a browser. It throws when it is full. */
class Browser {
  isFull = false;
  constructor() {
    for (const [name, value] of Object.entries({
      getItem: (name) => this[`kept ${name}`] ?? null,
      setItem: (name, text) => {
        if (this.isFull) throw new Error("QuotaExceededError");
        this[`kept ${name}`] = text;
      },
      removeItem: (name) => delete this[`kept ${name}`],
    }))
      Object.defineProperty(this, name, { value, enumerable: false });
  }
}

let browser;

beforeEach(() => {
  browser = new Browser();
});

function storage() {
  const kept = memory(() => browser);
  const names = () =>
    kept
      .names()
      .filter((name) => name.startsWith("kept "))
      .map((name) => name.slice("kept ".length));
  return { ...kept, names };
}

function open(board = BOARD, { isKeeper = true } = {}) {
  const queue = new StepQueue(storage());
  queue.turnTo(board);
  if (isKeeper) queue.restore();
  return queue;
}

const move = (text) => ({ action: "move", move: text });
const moves = (queue) => queue.steps.map((step) => step.move);

test("a step whose answer was lost keeps its number", () => {
  const queue = open();
  queue.add(move("1,1"));
  queue.number(queue.first, "7");
  // No answer arrives. The board that is drawn meanwhile has the number of the next step.
  queue.number(queue.first, "8");
  assert.equal(queue.first.step, "7");
});

test("a step is sent with its number by the page that comes after this one", () => {
  const queue = open();
  queue.add(move("1,1"));
  queue.number(queue.first, "7");
  assert.equal(open().first.step, "7");
});

test("a step that is answered twice removes no other step", () => {
  const queue = open();
  const first = move("1,1");
  queue.add(first);
  queue.add(move("2,1"));
  queue.number(first, "0");
  assert.equal(queue.settle([first], 200), "stored");
  assert.equal(queue.settle([first], 200), "stored");
  assert.deepEqual(moves(queue), ["2,1"]);
  assert.equal(queue.first.step, "1");
});

test("a refused step leaves its number to the next one", () => {
  const queue = open();
  const [first, second] = [move("9,9"), move("1,1")];
  queue.add(first);
  queue.add(second);
  queue.number(first, "3");
  assert.equal(queue.settle([first], 422), "refused");
  assert.equal(second.step, "3");
});

test("a move that follows another window's move is sent once more, and only once", () => {
  const queue = open();
  const step = move("1,1");
  queue.add(step);
  queue.number(step, "3");
  assert.equal(queue.settle([step], 409), "again");
  assert.deepEqual([step.step, queue.first], [undefined, step]);
  queue.number(step, "5");
  assert.equal(queue.settle([step], 409), "refused");
  assert.ok(queue.isEmpty);
});

test("without a network the steps of more than twenty boards are kept", () => {
  const boards = Array.from({ length: 30 }, (_, n) => `/attempts/${n}/steps/`);
  for (const board of boards) open(board).add(move("1,1"));
  for (const board of boards) assert.deepEqual(moves(open(board)), ["1,1"]);
});

test("no step is lost by the clock of the device", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: Date.UTC(1970, 0, 1) });
  open().add(move("1,1"));
  // A battery was flat, and now the network has set the clock.
  context.mock.timers.setTime(Date.UTC(2026, 3, 1));
  assert.deepEqual(moves(open()), ["1,1"]);
  context.mock.timers.setTime(Date.UTC(2099, 0, 1));
  open("/attempts/2/steps/").add(move("2,1"));
  assert.deepEqual(moves(open()), ["1,1"]);
});

test("steps that an earlier release stored under a wrong time are sent", () => {
  browser.setItem(`steps ${BOARD}`, JSON.stringify({ at: 0, steps: [move("1,1")] }));
  assert.deepEqual(moves(open()), ["1,1"]);
});

test("the steps of all boards together have a bound, and the board opened longest ago goes", () => {
  const large = { ...move("1,1"), tool: "R".repeat(MAX_STORED / 4) };
  const boards = Array.from({ length: 5 }, (_, n) => `/attempts/${n + 5}/steps/`);
  for (const board of boards.slice(0, 3)) open(board).add(large);
  open(boards[0]);
  for (const board of boards.slice(3)) open(board).add(large);
  open(BOARD).add(move("1,1"));
  const kept = boards.filter((board) => storage().read(`steps ${board}`));
  assert.deepEqual(kept, [boards[0], boards[3], boards[4]]);
});

test("no step is lost when the storage is full", () => {
  const queue = open();
  browser.isFull = true;
  assert.ok(queue.add(move("1,1")));
  assert.deepEqual(moves(queue), ["1,1"]);
  queue.number(queue.first, "0");
  browser.isFull = false;
  queue.add(move("2,1"));
  assert.deepEqual(moves(open()), ["1,1", "2,1"]);
});

test("no step is lost in a browser that stores nothing", () => {
  const nothing = memory(() => {
    throw new Error("SecurityError");
  });
  const queue = new StepQueue(nothing);
  queue.turnTo(BOARD);
  assert.deepEqual(queue.restore(), []);
  assert.ok(queue.add(move("1,1")));
  assert.equal(queue.settle([queue.first], 200), "stored");
  assert.ok(queue.isEmpty);
});

test("of two windows only the keeper writes, and the other still sends", () => {
  const keeper = open();
  const other = open(BOARD, { isKeeper: false });
  keeper.add(move("1,1"));
  other.add(move("2,1"));
  other.clear();
  assert.deepEqual(moves(open()), ["1,1"]);
  // The keeper is closed, and the other window takes over the steps that it left.
  other.add(move("2,2"));
  other.restore();
  assert.deepEqual(moves(other), ["1,1", "2,2"]);
});

test("an answered step is not sent again by the next page", () => {
  const queue = open();
  const step = move("1,1");
  queue.add(step);
  queue.settle([step], 200);
  assert.ok(open().isEmpty);
  assert.deepEqual(storage().names(), []);
});

test("tools and work are not stored, because another page cannot use them", () => {
  const queue = open();
  queue.add({ take: "R" });
  queue.add({ work: () => {} });
  queue.add(move("1,1"));
  assert.deepEqual(moves(open()), ["1,1"]);
  assert.equal(queue.shift().take, "R");
});

test("steps of another board are forgotten", () => {
  const queue = open();
  queue.add(move("1,1"));
  queue.turnTo("/attempts/2/steps/");
  assert.ok(queue.isEmpty);
});

test("steps that an earlier release stored are sent", () => {
  browser.setItem(`steps ${BOARD}`, JSON.stringify([move("1,1")]));
  assert.deepEqual(moves(open()), ["1,1"]);
});

test("an unreadable entry counts as an empty queue", () => {
  for (const text of ["{", "7", "null", '{"steps": 7}', '""']) {
    browser.setItem(`steps ${BOARD}`, text);
    assert.ok(open().isEmpty, text);
  }
});

test("the number of waiting steps is limited", () => {
  const queue = open();
  for (let n = 0; n < MAX_WAITING; n += 1) assert.ok(queue.add(move("1,1")));
  assert.ok(!queue.add(move("1,1")));
});

test("an undo does not take back the move before the one that was refused", () => {
  const queue = open();
  const undo = () => ({ action: "undo" });
  const refused = move("9,9");
  for (const step of [refused, move("1,1"), undo(), undo(), move("2,2"), undo()]) queue.add(step);
  queue.number(refused, "3");
  assert.equal(queue.settle([refused], 422), "refused");
  assert.ok(refused.isTakenBack);
  assert.deepEqual(
    queue.steps.map(({ action, move }) => move ?? action),
    ["1,1", "undo", "2,2", "undo"],
  );
  assert.equal(queue.first.step, "3");
});

test("a refused move without an undo leaves all later steps", () => {
  const queue = open();
  const refused = move("9,9");
  for (const step of [refused, move("1,1"), { action: "undo" }]) queue.add(step);
  queue.drop(refused);
  assert.ok(!refused.isTakenBack);
  assert.equal(queue.steps.length, 2);
});

test("only boards of the student are sent from other pages, and those of others go after 90 days", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.UTC(2026, 3, 1) });
  for (const who of ["1", "2"]) {
    const queue = new StepQueue(storage());
    queue.turnTo(`/attempts/${who}/steps/`, { who, page: `/play/${who}/`, name: "A board" });
    queue.restore();
    queue.add(move("1,1"));
  }
  const mine = () => [...waitingBoards(storage(), "1")];
  const expected = [["/attempts/1/steps/", { who: "1", page: "/play/1/", name: "A board" }]];
  assert.deepEqual(mine(), expected);
  assert.equal(storage().names().length, 2);
  t.mock.timers.setTime(Date.UTC(2026, 6, 1));
  assert.deepEqual(mine(), expected);
  assert.deepEqual(storage().names(), ["steps /attempts/1/steps/"]);
});

const strokeOf = (name, ...texts) => texts.map((text) => ({ ...move(text), stroke: name }));

test("the steps of a stroke are one turn, and the step after them has the number that follows", () => {
  const queue = open();
  for (const step of [...strokeOf(1, "o 1,1", "o 1,2"), ...strokeOf(2, "o 2,1"), move("o 3,3")])
    queue.add(step);
  const { turn } = queue;
  queue.number(queue.first, "7");
  assert.equal(fieldsOf(turn).stroke, "o 1,1 o 1,2");
  assert.equal(queue.settle(turn, 200), "stored");
  assert.equal(turn.at(-1).step, "8");
  assert.deepEqual(moves(queue), ["o 2,1", "o 3,3"]);
  assert.equal(queue.first.step, "9");
  assert.deepEqual(fieldsOf(queue.turn), {});
  assert.equal(queue.turn.length, 1);
});

test("a stroke has a bound, and its rest is the next turn", () => {
  const queue = open();
  for (const step of strokeOf(1, ...Array.from({ length: 250 }, (_, at) => `o ${at + 1},1`))) queue.add(step);
  assert.equal(queue.turn.length, 200);
  queue.number(queue.first, "0");
  queue.settle(queue.turn, 200);
  assert.equal(queue.turn.length, 50);
  assert.equal(queue.first.step, "200");
});

test("a stroke is made again after a step in another window, and else goes with its undos", () => {
  const queue = open();
  for (const step of strokeOf(1, "o 1,1", "o 1,2")) queue.add(step);
  for (const step of [{ action: "undo" }, { action: "undo" }, move("o 3,3")]) queue.add(step);
  queue.number(queue.first, "4");
  assert.equal(queue.settle(queue.turn, 409), "again");
  queue.number(queue.first, "5");
  assert.equal(queue.settle(queue.turn, 409), "refused");
  assert.deepEqual(moves(queue), ["o 3,3"]);
  assert.equal(queue.first.step, "5");
});

test("the moves of a stroke are sent one by one if one of them is not possible any more", () => {
  const queue = open();
  for (const step of strokeOf(1, "o 1,1", "o 1,2")) queue.add(step);
  queue.number(queue.first, "4");
  assert.equal(queue.settle(queue.turn, 422), "again");
  assert.equal(queue.turn.length, 1);
  assert.equal(queue.settle(queue.turn, 422), "refused");
  assert.equal(queue.first.step, "4");
  assert.deepEqual(moves(queue), ["o 1,2"]);
});
