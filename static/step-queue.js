/* A queue of the steps of a board that have no answer yet, and of the work that comes after them.

   A step gets its number when its turn comes, and keeps it. If it is sent again because its answer
   was lost, it still counts once. The steps are stored in the browser under the board's name, by one
   window at a time. A window that may not store them, or whose browser stores nothing, still sends
   its steps. */

/**
 * A step, a tool for which the board is to be drawn, or work that follows the steps before it.
 *
 * @typedef {object} Waiting
 * @property {"move" | "undo"} [action] The action of a step; tools and work have none.
 * @property {string} [move] The move as the kind writes it. If absent, it is found at its turn.
 * @property {string} [at] The cell that was pressed, as `row,column`.
 * @property {string} [tool]
 * @property {string} [state] The state of the cell after the press, if that can be foretold.
 * @property {string} [was]
 * @property {string} [step] The number of the step, from its turn on.
 * @property {number} [stroke] The name of the stroke that made it. The steps of a stroke are sent together.
 * @property {boolean} [isAgain] Whether it is sent a second time, after a step in another window.
 * @property {number} [made] When it was made, by the clock of this device.
 * @property {boolean} [hasWaited] Whether there was no network when it was made or sent.
 * @property {boolean} [isTakenBack] Whether it was not made and an undo after it is gone with it.
 * @property {boolean} [isTyped]
 * @property {boolean} [isRefused] Whether the rules in the browser forbid the move. It is sent only to be
 *     counted, and nothing of it is shown.
 * @property {string} [take]
 * @property {() => void} [work]
 */

/**
 * Whose board it is, its page, its name, the server's word of when it was handed to this browser, and
 * whether it is solved as far as the browser knows.
 *
 * @typedef {{ who: string, page: string, name: string, handed?: string, isSolved?: boolean }} About
 */

export const MAX_WAITING = 300;

/** The most steps that are sent together (MAX_STROKE in puzzleclass/play/attempts.py). */
const MAX_STROKE = 200;

/** The most characters of waiting steps that are stored for all boards together. */
export const MAX_STORED = 2_000_000;

/** How long steps of students who do not come back are kept. */
const MAX_AGE_MS = 90 * 24 * 3_600_000;

const PREFIX = "steps ";

/** The name under which a window stores what became of the steps of other boards (outbox.js). */
export const REPORTS = "reports of the outbox";

/**
 * Return the boards for which steps wait that a student has made, by the addresses to which they are
 * sent. Remove the steps of others that have waited too long.
 *
 * @param {import("./browser.js").Memory} memory
 * @param {string} who
 */
export function waitingBoards(memory, who) {
  /** @type {Map<string, About>} */
  const boards = new Map();
  for (const name of memory.names()) {
    if (!name.startsWith(PREFIX)) continue;
    const { about, time } = read(memory, name);
    const age = Date.now() - Number(time);
    if (about?.page && about.who === who) boards.set(name.slice(PREFIX.length), about);
    // An age of years says only that the clock of the device was wrong.
    else if (age > MAX_AGE_MS && age < 10 * MAX_AGE_MS) memory.remove(name);
  }
  return boards;
}

/**
 * Return the fields for the server of steps that are sent together: the moves of a stroke, and when they
 * were made, if they had to wait for the network.
 *
 * @param {Waiting[]} steps
 * @param {string} [handed]
 * @returns {Record<string, string>}
 */
export function fieldsOf(steps, handed) {
  const { made, hasWaited } = steps[0];
  return {
    ...(steps.length > 1 && { stroke: steps.map(({ move }) => move).join(" ") }),
    ...(made && hasWaited && handed && { ago: String(Math.max(0, Date.now() - made)), handed }),
  };
}

/**
 * @param {import("./browser.js").Memory} memory
 * @param {string} name
 * @returns {{ order: number, steps: Waiting[], about?: About, time?: number }}
 */
function read(memory, name) {
  const nothing = { order: 0, steps: [] };
  try {
    const kept = JSON.parse(memory.read(name) ?? "null");
    // Earlier releases stored the list of steps, or its time in the place of its order.
    if (Array.isArray(kept)) return { ...nothing, steps: kept };
    return Array.isArray(kept?.steps) ? { ...nothing, ...kept } : nothing;
  } catch {
    return nothing;
  }
}

export class StepQueue {
  /** @type {Waiting[]} */
  #items = [];
  #board = "";
  #isStoring = false;
  /** A larger number than that of each board which was opened before. Clocks of devices are wrong. */
  #order = 0;
  /** @type {About | undefined} */
  #about;
  #memory;

  /** @param {import("./browser.js").Memory} memory */
  constructor(memory) {
    this.#memory = memory;
  }

  /** The board to which the steps belong, as the address to which they are sent. */
  get board() {
    return this.#board;
  }

  /** The server's word of when the board was handed to this browser. */
  get handed() {
    return this.#about?.handed;
  }

  /**
   * Take note whether the board is solved with the steps that wait.
   *
   * @param {boolean} isSolved
   */
  note(isSolved) {
    if (!this.#about || isSolved === Boolean(this.#about.isSolved)) return;
    this.#about.isSolved = isSolved;
    this.#store();
  }

  /** The next item. */
  get first() {
    return this.#items[0];
  }

  get isEmpty() {
    return !this.#items.length;
  }

  /** The next item, with the steps of the same stroke that follow it. */
  get turn() {
    const { stroke } = this.first ?? {};
    const end = this.#items.findIndex((item) => stroke === undefined || item.stroke !== stroke);
    return this.#items.slice(0, stroke === undefined ? 1 : Math.min(end < 0 ? Infinity : end, MAX_STROKE));
  }

  /** Whether no more steps can wait. */
  get isFull() {
    return this.#items.length >= MAX_WAITING;
  }

  /** The steps, without tools and work. */
  get steps() {
    return this.#items.filter((item) => item.action);
  }

  /**
   * Add an item at the end. Return false if too many items are waiting already.
   *
   * @param {Waiting} item
   */
  add(item) {
    if (this.isFull) return false;
    if (item.action) item.made = Date.now();
    this.#items.push(item);
    this.#store();
    return true;
  }

  /**
   * Give a step its number, unless it has one.
   *
   * @param {Waiting} step
   * @param {string} number
   */
  number(step, number) {
    step.step ??= number;
    // The page that comes after this one may send the step again. It still counts once.
    this.#store();
  }

  /**
   * Take note of the answer to the steps of a turn, and return the outcome: `stored`, `refused`, or
   * `again` for moves that have to be sent again because a step was made in another window.
   *
   * @param {Waiting[]} steps
   * @param {number} status
   */
  settle(steps, status) {
    const [first] = steps;
    if (status === 409 && first.action === "move" && !first.isAgain) {
      delete first.step;
      first.isAgain = true;
      return "again";
    }
    if (status === 422 && steps.length > 1) {
      // One of the moves is not possible any more. Sent one by one, the others are made.
      for (const step of steps) delete step.stroke;
      this.#store();
      return "again";
    }
    const isStored = status < 400;
    const number = first.step;
    if (isStored) this.#items = this.#items.filter((other) => !steps.includes(other));
    else for (const step of [...steps].reverse()) this.drop(step);
    if (number !== undefined) {
      /** @type {Waiting} */ (steps.at(-1)).step = String(Number(number) + steps.length - 1);
      // Number the next step before the board is drawn: a page that loads now may show an older board.
      const [next] = this.steps;
      if (next) next.step ??= String(Number(number) + (isStored ? steps.length : 0));
    }
    this.#store();
    return isStored ? "stored" : "refused";
  }

  /** Remove the next item, and return it. */
  shift() {
    const item = this.#items.shift();
    this.#store();
    return item;
  }

  /**
   * Remove a move that can't be made any more.
   *
   * @param {Waiting} step
   */
  drop(step) {
    this.#dropUndoOf(step);
    this.#items = this.#items.filter((other) => other !== step);
    this.#store();
  }

  /**
   * Remove the undo that waits to take a move back which is not made. It would take back the move
   * before.
   *
   * @param {Waiting} step
   */
  #dropUndoOf(step) {
    if (step.action !== "move" || step.isRefused) return;
    let standing = 1;
    for (const later of this.steps.slice(this.steps.indexOf(step) + 1)) {
      if (later.isRefused) continue;
      standing += later.action === "undo" ? -1 : 1;
      if (standing) continue;
      step.isTakenBack = true;
      this.#items = this.#items.filter((other) => other !== later);
      return;
    }
  }

  /** Take note that the waiting steps can't be sent now. */
  wait() {
    this.#items = this.#items.filter((item) => !item.isRefused);
    for (const step of this.steps) step.hasWaited = true;
    this.#store();
  }

  /** Forget everything. */
  clear() {
    this.#items = [];
    this.#store();
  }

  /**
   * Turn to a board. The items of another board are forgotten, because that board is gone.
   *
   * @param {string} board
   * @param {About} [about]
   */
  turnTo(board, about) {
    if (this.#board && board !== this.#board) this.clear();
    this.#board = board;
    this.#about = about;
  }

  /** Store the steps from now on. Take up those that were stored before, and return them. */
  restore() {
    this.#isStoring = true;
    this.#makeRoom();
    const { steps, about } = read(this.#memory, PREFIX + this.#board);
    const kept = steps.slice(0, MAX_WAITING);
    // The steps were made on a page that was handed out earlier than this one.
    if (kept.length && this.#about && about?.handed)
      Object.assign(this.#about, { handed: about.handed, isSolved: about.isSolved });
    this.#items = [...kept, ...this.#items];
    this.#store();
    return kept;
  }

  #store() {
    if (!this.#isStoring || !this.#board) return;
    const [name, steps] = [PREFIX + this.#board, this.steps];
    if (!steps.length) this.#memory.remove(name);
    else {
      const kept = { order: this.#order, time: Date.now(), about: this.#about, steps };
      this.#memory.write(name, JSON.stringify(kept));
    }
  }

  /**
   * Put this board behind all others, and remove the steps of the boards that were opened longest ago
   * if all of them are more than `MAX_STORED`. The steps of this board stay.
   */
  #makeRoom() {
    const names = this.#memory.names().filter((name) => name.startsWith(PREFIX));
    const boards = names
      .map((name) => ({
        name,
        size: this.#memory.read(name)?.length ?? 0,
        order: read(this.#memory, name).order,
      }))
      .sort((one, other) => one.order - other.order);
    this.#order = 1 + (boards.at(-1)?.order ?? 0);
    let stored = boards.reduce((total, { size }) => total + size, 0);
    for (const { name, size } of boards) {
      if (stored <= MAX_STORED) break;
      if (name === PREFIX + this.#board) continue;
      this.#memory.remove(name);
      stored -= size;
    }
  }
}
