/* Strokes: a pointer that is dragged over the board makes the same change wherever it goes as in the first
   place (`Presses.strokes` in solvers/capabilities.py). Each change is shown at once, and all of them are
   sent together when the pointer goes up (send-steps.js). A press without dragging is left to board.js. */

import { cross } from "./make-steps.js";
import { open, sendNext } from "./send-steps.js";

const CELL = 40; // The side of a cell in the units of a picture (solvers/picture.py).

/* All distances are in cells. */
const STRIDE = 0.1; // How closely the way of the pointer is followed.
const GRAZED = 0.4; // A cell is crossed this close to its middle, and not where a corner is grazed.
const REACHED = 0.6; // The next corner, or the next middle, is reached this far from the one before.
const BETWEEN = 0.3; // A line is pressed itself, and not at an end, this far from both ends.

const presses = document.getElementById("looks")?.dataset.presses;
/** @type {Presses["strokes"]} */
const way = presses ? JSON.parse(presses).strokes : "";
/** Where the first of the points lies that a stroke follows, which are corners or middles of cells. */
const origin = way === "edges" ? 0 : 0.5;

/** @typedef {[x: number, y: number]} Point A point in cells, seen from the first point. */

/**
 * @typedef {object} Stroke
 * @property {number} name
 * @property {Point} at Where the pointer is.
 * @property {Point} passed The corner or the middle that it has passed last.
 * @property {Point | null} pressed The place where the pointer went down.
 * @property {string} [change]
 */

/** @type {Stroke | null} */
let stroke = null;
let isClickOver = false; // Whether a click that comes now belongs to a stroke.

/** @returns {SVGSVGElement | null} */
const picture = () => document.querySelector("form[data-keeps] svg.picture");

/**
 * @param {MouseEvent} event
 * @returns {Point}
 */
function pointOf({ clientX, clientY }) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(picture()?.getScreenCTM()?.inverse());
  return [x / CELL - origin, y / CELL - origin];
}

/** @param {Point} at @returns {Point} */
const nearest = ([x, y]) => [Math.round(x), Math.round(y)];

/** @param {Point} one @param {Point} other */
const distance = (one, other) => Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]));

/**
 * Make the change at a place, as the first one or as the next one of the stroke.
 *
 * @param {Stroke} stroke
 * @param {Point} place
 */
function change(stroke, place) {
  const [x, y] = place.map((number) => (number + origin) * CELL);
  const spot = picture()?.querySelector(`.spot[data-move][transform="translate(${x} ${y})"]`);
  if (!spot) return;
  open.stroke = stroke.name;
  stroke.change = cross(spot, stroke.name, stroke.change);
}

/**
 * @param {Stroke} stroke
 * @param {Point} place
 */
function reach(stroke, place) {
  const { pressed } = stroke;
  stroke.pressed = null;
  if (pressed) change(stroke, pressed);
  change(stroke, place);
}

/**
 * Follow the pointer to a point that is a stride away.
 *
 * @param {Stroke} stroke
 * @param {Point} at
 */
function follow(stroke, at) {
  if (way === "cells") {
    const cell = nearest(at);
    if (distance(cell, at) > GRAZED || !distance(cell, stroke.passed)) return;
    stroke.passed = cell;
    return reach(stroke, cell);
  }
  for (const axis of [0, 1])
    while (Math.abs(at[axis] - stroke.passed[axis]) > REACHED) {
      const from = stroke.passed;
      /** @type {Point} */
      const to = [...from];
      to[axis] += Math.sign(at[axis] - from[axis]);
      stroke.passed = to;
      reach(stroke, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
    }
}

function end() {
  const hasBegun = open.stroke !== undefined;
  stroke = null;
  delete open.stroke;
  if (hasBegun) sendNext();
  return hasBegun;
}

document.addEventListener("pointerdown", (event) => {
  isClickOver = false;
  end();
  // A second finger scrolls or zooms.
  if (!event.isPrimary || event.button !== 0 || !event.target?.closest("form[data-keeps] svg")) return;
  const at = pointOf(event);
  const passed = nearest(at);
  /** @type {Point | null} */
  let pressed = null;
  if (way === "cells") pressed = passed;
  else if (distance(passed, at) > BETWEEN) {
    // Lines are pressed in their middles, which lie between two points.
    const axis = Number(Math.abs(at[0] - passed[0]) < Math.abs(at[1] - passed[1]));
    pressed = [...passed];
    pressed[axis] = Math.floor(at[axis]) + 0.5;
  }
  stroke = { name: Date.now(), at, passed, pressed };
});

document.addEventListener("pointermove", (event) => {
  if (!stroke || !event.isPrimary) return;
  // The button may have been let go outside the window.
  if (!(event.buttons & 1)) return end();
  const [{ at }, next] = [stroke, pointOf(event)];
  // Of a fast movement only some points are known, so the line between them is followed.
  const strides = Math.ceil(distance(at, next) / STRIDE);
  for (let number = 1; number <= strides; number++) {
    /** @param {0 | 1} axis */
    const part = (axis) => at[axis] + ((next[axis] - at[axis]) * number) / strides;
    follow(stroke, [part(0), part(1)]);
  }
  stroke.at = next;
});

document.addEventListener("pointercancel", end);

/* The end of a stroke is no press, even on the spot where it has begun. */
document.addEventListener(
  "pointerup",
  (event) => {
    isClickOver = end();
    if (isClickOver) event.stopPropagation();
    setTimeout(() => (isClickOver = false));
  },
  true,
);
document.addEventListener("click", (event) => isClickOver && event.stopPropagation(), true);
