/* What a press looks like, shown before the server has answered.

   A kind says it place by place (solvers/capabilities.py: Presses): the page's <template id="looks">
   holds what stands on a place in each state, and which press leads from state to state. A guess,
   for no rules are known here: every answer draws the board anew, and what still waits is shown on
   it again. A kind that says nothing has its pressed places marked. */

const template = () => document.getElementById("looks");
const presses = () => template() && JSON.parse(template().dataset.presses);

export const place = (spot) => `${+spot.dataset.row + 1},${+spot.dataset.column + 1}`;
export const spots = (within) => [...within.querySelectorAll(".spot[data-move]")];
export function spotAt(within, at) {
  const [row, column] = at.split(",").map((number) => number - 1);
  return within.querySelector(`.spot[data-move][data-row="${row}"][data-column="${column}"]`);
}

const pictureOf = (form) => form.querySelector("svg.picture");
const toolOf = (form) => form.elements.tool?.value ?? "";
const carrierOf = (form, tool) =>
  tool && spots(form).find((spot) => spot.dataset.carries === tool);

/* What is shown and has no answer yet: for each, how it is taken back. */
let shown = [];

/* Return what pressing the spot means: `move`, and the `state` that its place will be in, with the
   one it `is` in. Without a state nothing can be foretold; without a move it has to wait for the
   answer. Nothing, where a press means nothing. */
export function meaning(form, spot) {
  const at = place(spot);
  const tool = toolOf(form);
  const is = spot.dataset.is;
  const said = presses();
  const fixed = { at, tool, move: spot.dataset.move };
  if (!said || !is || (!shown.length && "closed" in spot.dataset)) return fixed;
  const carrier = carrierOf(form, tool);
  if (carrier && is === said.vacant) {
    return { at, tool, is, move: `${tool} ${at}`, state: carrier.dataset.is };
  }
  const rule = said.rules[tool]?.[is];
  if (rule) return { at, tool, is, move: rule[0] ? `${rule[0]} ${at}` : at, state: rule[1] };
  if ("pending" in spot.dataset) return null;
  if (tool && tool !== drawnTool) return { at, tool };
  const what = spot.dataset.move.split(" ")[0];
  const like = Object.values(said.rules)
    .flatMap(Object.values)
    .find(([says]) => says === what);
  return like && tool ? { ...fixed, is, state: like[1] } : fixed;
}

/* Return what it means to take the piece off the board. */
export function wayBack(form, spot) {
  const { back, is } = spot.dataset;
  return { at: place(spot), tool: toolOf(form), is, move: back, state: presses()?.vacant, was: is };
}

/* Show a step that was asked for. */
export function show(form, step) {
  if (step.action === "undo") return showUndone(form);
  const spot = step.at && spotAt(form, step.at);
  const back = [];
  shown.push(back);
  if (!spot) return;
  if (!step.state) {
    mark(spot, back);
    return;
  }
  const said = presses();
  if (said.trail) drawTrail(form, spot, said.trail, back);
  const parity = !pictureOf(form).querySelector(".odd");
  const carrier = carrierOf(form, step.tool);
  become(spot, step.state, said, back);
  mark(spot, back);
  odd(spot.querySelector(".placed"), parity);
  if (step.was) {
    disown(spot, back);
    countHand(form, step.was, 1, back);
  } else if (carrier) {
    if (carrier.dataset.back) {
      become(carrier, said.vacant, said, back);
      disown(carrier, back);
      mark(carrier, back);
    } else {
      countHand(form, carrier.dataset.is, -1, back);
    }
    own(spot, step, said, back);
    if (!carrierOf(form, toolOf(form))) takeUp(form, firstInHand(form));
  }
  for (const [row, column] of [[-1, 0], [0, -1], [0, 1], [1, 0]]) {
    const [down, right] = step.at.split(",").map(Number);
    const beside = spotAt(form, `${down + row},${right + column}`);
    const turned = beside && said.turns[beside.dataset.is];
    if (!turned) continue;
    become(beside, turned, said, back);
    const stone = beside.querySelector(":not(.press)");
    stone?.classList.add("flipped");
    odd(stone, parity);
  }
}

/* Styles have two names for each movement, taken in turn (see the kinds' style sheets). */
const odd = (shape, is) => shape?.classList.toggle("odd", is);

function become(spot, state, said, back) {
  const look = template().content.querySelector(`[data-state="${state}"]`);
  const before = [...spot.childNodes];
  const was = spot.dataset.is;
  const next = pictureOf(spot.closest("form")).querySelectorAll(".order").length + 1;
  const shapes = [...look.cloneNode(true).children];
  for (const shape of shapes) if (shape.matches(".order")) shape.textContent = next;
  spot.replaceChildren(...shapes, spot.querySelector(".press"));
  spot.dataset.is = state;
  back.push(() => {
    spot.replaceChildren(...before);
    spot.dataset.is = was;
  });
}

function mark(spot, back) {
  spot.dataset.pending = "";
  back.push(() => delete spot.dataset.pending);
}

/* A piece that was just set down can be taken up again at once. */
function own(spot, { at, state }, said, back) {
  const fill = (text) => text.replace("{state}", state).replace("{cell}", at);
  spot.dataset.carries = fill(said.carried);
  spot.dataset.back = fill(said.back);
  back.push(() => {
    delete spot.dataset.carries;
    delete spot.dataset.back;
  });
}

function disown(spot, back) {
  const { carries, back: way } = spot.dataset;
  delete spot.dataset.carries;
  delete spot.dataset.back;
  back.push(() => Object.assign(spot.dataset, { carries, back: way }));
}

function countHand(form, state, change, back) {
  const hand = spots(form).find(({ dataset }) => dataset.is === state && !dataset.back && dataset.carries);
  const number = hand?.querySelector(".number");
  if (!number) return;
  const [before, name] = [number.textContent, hand.dataset.carries];
  number.textContent = Number(before) + change;
  const isGone = number.textContent === "0";
  hand.querySelector(".koma").classList.toggle("gone", isGone);
  if (isGone) delete hand.dataset.carries;
  back.push(() => {
    number.textContent = before;
    hand.dataset.carries = name;
    hand.querySelector(".koma").classList.remove("gone");
  });
}

const firstInHand = (form) =>
  spots(form).find(({ dataset }) => dataset.carries && !dataset.back)?.dataset.carries ?? "";

/* Where a circle of the board, or the place it was put on, has its centre. */
function centre(circle) {
  const moved = circle.closest("[transform]")?.getAttribute("transform").match(/-?[\d.]+/g);
  return moved ?? [circle.getAttribute("cx"), circle.getAttribute("cy")];
}

function drawTrail(form, spot, style, back) {
  const svg = pictureOf(form);
  const from = [...svg.querySelectorAll(".current")].pop();
  if (!from) return;
  const line = document.createElementNS(svg.namespaceURI, "line");
  line.setAttribute("class", style);
  const ends = [...centre(from), ...centre(spot)];
  ["x1", "y1", "x2", "y2"].forEach((name, number) => line.setAttribute(name, ends[number]));
  svg.querySelector(".spot").before(line);
  back.push(() => line.remove());
}

/* Tools */

let drawnTool = "";

/* Take up a tool: what is pressed next is done with it. */
export function takeUp(form, tool) {
  if (!form.elements.tool) return;
  form.elements.tool.value = tool;
  for (const button of document.querySelectorAll("button[data-tool][name=take]")) {
    button.setAttribute("aria-pressed", button.value === tool);
  }
  for (const spot of form.querySelectorAll(".spot[data-is]")) {
    const isTaken = tool !== "" && spot.dataset.carries === tool;
    spot.querySelector(".stand")?.classList.toggle("held", isTaken);
    if (spot.dataset.back) spot.classList.toggle("taken", isTaken);
  }
}

/* Return whether the tool is there to be taken up. */
export const hasTool = (form, tool) =>
  Boolean(carrierOf(form, tool) || document.querySelector(`button[data-tool][value="${CSS.escape(tool)}"]`));

export const isDrawnFor = (tool) => tool === drawnTool;

/* Boards that were seen: taking a move back shows the one before at once. */

const SEEN = 60;
const seen = new Map();

function showUndone(form) {
  const last = shown.pop();
  if (last) {
    for (const undo of last.reverse()) undo();
    return;
  }
  const before = seen.get(form.dataset.before);
  if (before) pictureOf(form).innerHTML = before;
}

/* The board was drawn by the server. */
export function drawn(form) {
  shown = [];
  drawnTool = toolOf(form);
  if (!form.dataset.at) return;
  seen.delete(form.dataset.at);
  seen.set(form.dataset.at, pictureOf(form).innerHTML);
  if (seen.size > SEEN) seen.delete(seen.keys().next().value);
}
