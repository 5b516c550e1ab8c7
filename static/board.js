/* What a board needs beyond HTML. The server draws it and knows the rules; here are

     - pressing: a spot of a form with `data-board` is clicked, or chosen with Enter or
       Space; its move goes into the form's field `move` and the form is sent;
     - tools: a spot with `data-take` takes up the tool that its move names; the keys 1 to 9
       press the first nine buttons or spots with `data-tool`, also the editor's brushes;
     - dragging: a spot that carries a tool (`data-carries`) can be dragged to where the tool is
       to be used, and one with a way back (`data-back`) off the board; Delete does the latter;
     - arrow keys, which go from spot to spot; the focus stays where it was after a swap;
     - a lost connection: a step that got no answer is kept, shown and sent again, with
       the same sequence number, so that it counts once;
     - players (`data-player`): arrow keys and automatic play press the page's own links;
     - copying a field's text (`data-copy`).
*/
"use strict";

(() => {
  const RETRY_MS = 2000;

  /* Pressing */

  /* A press while another is under way waits its turn: its form would carry an old board. */
  const underWay = new WeakSet();
  const pressed = [];

  function press(spot) {
    const form = spot.closest("form[data-board]");
    if (!form || form.dataset.waiting) return;
    remember(spot);
    if (takes(spot)) take(form, spot.dataset.move);
    else make(form, spot.dataset.move);
  }

  const takes = (spot) => "take" in spot.dataset;

  /* The button of the board that takes up whatever tool it is given. */
  const taker = (form) => form.querySelector("button[data-take]");

  function take(form, tool) {
    if (underWay.has(form)) pressed.push({ take: tool });
    else sendTake(form, tool);
  }

  function sendTake(form, tool) {
    const button = taker(form);
    button.value = tool;
    form.requestSubmit(button);
  }

  function make(form, move) {
    if (underWay.has(form)) {
      pressed.push(move);
    } else {
      pressed.length = 0;
      send(form, move);
    }
  }

  function takeBack(spot) {
    const form = spot.closest("form[data-board]");
    if (!form || form.dataset.waiting) return;
    remember(spot);
    make(form, spot.dataset.back);
  }

  function send(form, move) {
    form.elements.move.value = move;
    form.requestSubmit(form.querySelector("[data-press]"));
  }

  document.addEventListener("htmx:before:request", (event) => {
    if (isBoard(event.detail.ctx.sourceElement)) underWay.add(event.detail.ctx.sourceElement);
  });

  document.addEventListener("htmx:finally:request", (event) => {
    const form = event.detail.ctx.sourceElement;
    if (!isBoard(form)) return;
    underWay.delete(form);
    if (!form.dataset.waiting) sendNext(form);
  });

  function sendNext(form) {
    while (pressed.length) {
      const next = pressed.shift();
      if (next instanceof Element) {
        if (next.isConnected) return next.click();
        continue;
      }
      if (next.take) return sendTake(form, next.take);
      if (next.dropped) {
        const there = spots(form).find((spot) => String(place(spot)) === next.at);
        const isTaken = form.elements.tool.value === next.dropped;
        if (isTaken && there && canDrop(there)) return send(form, there.dataset.move);
        continue;
      }
      // The first of two presses may have taken the stone away: the second is no fault then.
      const isOpen = ({ dataset }) => dataset.move === next || dataset.back === next;
      if (spots(form).some(isOpen)) return send(form, next);
    }
  }

  /* A spot on which the tool is used: pressing the others takes something up, or off the board. */
  const canDrop = (spot) => !takes(spot) && spot.dataset.move !== spot.dataset.back;

  /* The form's buttons wait their turn like the spots, and rest while a step is sent again. */
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!isBoard(form) || !(underWay.has(form) || form.dataset.waiting)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.submitter && !form.dataset.waiting) pressed.push(event.submitter);
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const spot = event.target.closest?.(".spot[data-move]");
    if (spot) press(spot);
  });

  document.addEventListener("keydown", (event) => {
    const spot = event.target.closest?.(".spot[data-move]");
    if (!spot || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") {
      press(spot);
    } else if (spot.dataset.back && (event.key === "Delete" || event.key === "Backspace")) {
      takeBack(spot);
    } else if (step) {
      focus(neighbour(spot, step));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  /* Tools */

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=radio]), select, textarea");
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!/^[1-9]$/.test(event.key)) return;
    const tool = document.querySelectorAll("[data-tool]")[event.key - 1];
    if (tool?.matches(".spot")) press(tool);
    else tool?.click();
  });

  /* Dragging: the tool is taken up first, and then used where it was dropped. What is seen to
     move is a copy on top of everything; the spot itself keeps its place. */

  const FAR = 6;
  let drag = null;

  document.addEventListener("pointerdown", (event) => {
    const spot = event.target.closest?.(".spot[data-carries]");
    const form = event.isPrimary && event.button === 0 && spot?.closest("form[data-board]");
    if (form && taker(form)) drag = { spot, x: event.clientX, y: event.clientY, ghost: null };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(right, down) <= FAR) return;
    drag.ghost ??= ghostOf(drag.spot);
    const unit = drag.spot.ownerSVGElement.getScreenCTM().a;
    const there = `translate(${right / unit} ${down / unit})`;
    drag.ghost.setAttribute("transform", `${there} ${drag.spot.getAttribute("transform")}`);
  });

  /* A finger that drags must not scroll the page. (In SVG no browser heeds `touch-action`.) */
  document.addEventListener("touchmove", (event) => drag && event.preventDefault(), {
    passive: false,
  });

  function ghostOf(spot) {
    const ghost = spot.cloneNode(true);
    for (const { name } of [...ghost.attributes]) ghost.removeAttribute(name);
    ghost.setAttribute("class", "ghost");
    ghost.setAttribute("aria-hidden", "true");
    spot.ownerSVGElement.append(ghost);
    spot.classList.add("dragged");
    return ghost;
  }

  /* Return what was dragged; nothing when it was only pressed. */
  function letGo() {
    const { spot, ghost } = drag;
    drag = null;
    ghost?.remove();
    spot.classList.remove("dragged");
    return ghost && spot;
  }

  document.addEventListener("pointerup", (event) => {
    const spot = drag && letGo();
    const form = spot?.closest("form[data-board]");
    if (!form || form.dataset.waiting) return;
    const board = spot.ownerSVGElement.querySelector(".board").getBoundingClientRect();
    const isOff =
      event.clientX < board.left ||
      event.clientX > board.right ||
      event.clientY < board.top ||
      event.clientY > board.bottom;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const there = under?.closest(".spot[data-move]");
    if (isOff && spot.dataset.back) {
      takeBack(spot);
    } else if (!isOff && there && there !== spot) {
      remember(spot);
      take(form, spot.dataset.carries);
      pressed.push({ dropped: spot.dataset.carries, at: String(place(there)) });
    }
  });

  document.addEventListener("pointercancel", () => drag && letGo());

  /* Arrow keys */

  const ARROWS = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };

  const place = (spot) => [Number(spot.dataset.row), Number(spot.dataset.column)];
  const spots = (within) => [...within.querySelectorAll(".spot[data-move]")];

  /* The nearest spot ahead; what lies off the straight line counts as further away. */
  function neighbour(from, [rows, columns]) {
    const [row, column] = place(from);
    let best = null;
    let least = Infinity;
    for (const spot of spots(from.closest("svg"))) {
      const [down, right] = [place(spot)[0] - row, place(spot)[1] - column];
      const ahead = down * rows + right * columns;
      const aside = Math.abs(down * columns) + Math.abs(right * rows);
      if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [spot, ahead + 3 * aside];
    }
    return best;
  }

  function focus(spot) {
    if (!spot) return;
    for (const other of spots(spot.closest("svg"))) other.setAttribute("tabindex", "-1");
    spot.setAttribute("tabindex", "0");
    spot.focus({ preventScroll: true });
  }

  let last = null;

  function remember(spot) {
    last = { place: place(spot), focused: document.activeElement === spot };
  }

  /* Other parts of the page come and go while a step is under way. */
  const steps = new WeakSet();

  document.addEventListener("htmx:before:request", (event) => {
    if (isBoard(event.detail.ctx.sourceElement)) steps.add(event.detail.ctx);
  });

  /* The pressed stone may be gone: the focus goes to the nearest spot that is left, or to
     what follows the board (`data-after`) when it takes no more presses. A swap may also have
     made the focused element another stone: so this is done whether a spot has the focus or
     nothing. */
  document.addEventListener("htmx:after:swap", (event) => {
    if (!steps.has(event.detail.ctx)) return;
    const from = last?.focused && last.place;
    last = null;
    const active = document.activeElement ?? document.body;
    if (!from || !(active === document.body || active.closest("svg"))) return;
    const far = (spot) => Math.abs(place(spot)[0] - from[0]) + Math.abs(place(spot)[1] - from[1]);
    const board = document.querySelector("form[data-board]");
    const nearest = board && spots(board).sort((a, b) => far(a) - far(b))[0];
    if (nearest) focus(nearest);
    else document.querySelector("[data-after]")?.focus({ preventScroll: true });
  });

  /* A lost connection */

  const isBoard = (element) => element?.matches?.("form[data-board]");
  const keptUnder = (form) => `step ${form.getAttribute("action")}`;

  function keep(form, body) {
    const fields = [...body].filter(([name]) => name !== "csrfmiddlewaretoken");
    sessionStorage.setItem(keptUnder(form), JSON.stringify(fields));
  }

  /* Send what is kept, with the button that sent it first. */
  function resend(form) {
    const fields = Object.fromEntries(JSON.parse(sessionStorage.getItem(keptUnder(form))));
    for (const [name, value] of Object.entries(fields)) {
      if (form.elements[name]) form.elements[name].value = value;
    }
    if (fields.take && taker(form)) return sendTake(form, fields.take);
    const button = [...form.elements].find(
      ({ type, name, value }) => type === "submit" && name && fields[name] === value,
    );
    form.requestSubmit(button ?? form.querySelector("[data-press]"));
  }

  const showOffline = (is) => document.querySelector("[data-offline]")?.toggleAttribute("hidden", !is);

  function sendAgain(form) {
    form.dataset.waiting = "true";
    showOffline(true);
    setTimeout(() => {
      delete form.dataset.waiting;
      if (form.isConnected) resend(form);
    }, RETRY_MS);
  }

  const forget = (form) => sessionStorage.removeItem(keptUnder(form));

  document.addEventListener("htmx:before:request", (event) => {
    const { sourceElement: form, request } = event.detail.ctx;
    if (isBoard(form)) keep(form, request.body);
  });

  document.addEventListener("htmx:error", (event) => {
    const { sourceElement: form, text } = event.detail.ctx;
    if (isBoard(form) && text === undefined) sendAgain(form);
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement: form, response } = event.detail.ctx;
    if (!isBoard(form)) return;
    if (response.status >= 500) return sendAgain(form);
    showOffline(false);
    // Who was signed out signs in again, and the page that opens then sends the step.
    if (response.status !== 401 && response.status !== 403) forget(form);
    if (response.status >= 300) return;
    for (const name of ["move", "typed"]) if (form.elements[name]) form.elements[name].value = "";
  });

  /* The lid was closed before the answer came: the page comes back with the step still kept. */
  function sendKept() {
    for (const form of document.querySelectorAll("form[data-board][data-keeps]")) {
      const kept = sessionStorage.getItem(keptUnder(form));
      if (!kept) continue;
      if (Object.fromEntries(JSON.parse(kept)).step !== form.elements.step.value) forget(form);
      // Sent before htmx has taken it up, the form would load the page anew.
      else if (form.matches("[data-htmx-powered]")) resend(form);
      else form.addEventListener("htmx:after:init", () => resend(form), { once: true });
    }
  }

  /* Players */

  function turn(player, name) {
    player.querySelector(`[data-turn="${name}"]:not([aria-disabled="true"])`)?.click();
  }

  const TURNS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

  document.addEventListener("keydown", (event) => {
    const player = document.querySelector("[data-player]");
    const busy = event.target.closest?.("input, select, textarea, .spot[data-move]");
    if (!player || busy || event.altKey || event.ctrlKey || event.metaKey) return;
    if (TURNS[event.key]) {
      turn(player, TURNS[event.key]);
      event.preventDefault();
    }
  });

  let playing = null;

  function play(player) {
    const button = player.querySelector("[data-play]");
    const speed = player.querySelector("[data-speed]");
    if (playing) {
      clearTimeout(playing);
      playing = null;
      button.setAttribute("aria-pressed", "false");
      return;
    }
    button.setAttribute("aria-pressed", "true");
    const tick = () => {
      const now = document.querySelector("[data-player]");
      const on = now?.querySelector('[data-turn="on"]:not([aria-disabled="true"])');
      if (!on) return play(now);
      on.click();
      playing = setTimeout(tick, Number(speed.value));
    };
    if (!player.querySelector('[data-turn="on"]:not([aria-disabled="true"])')) turn(player, "first");
    playing = setTimeout(tick, Number(speed.value));
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-play]");
    if (button) play(button.closest("[data-player]"));
  });

  /* Copying: a button with `data-copy` copies the field of that id and says so */

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    // Without HTTPS there is no clipboard, only the old command.
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    button.textContent = button.dataset.copied;
  });

  document.addEventListener("DOMContentLoaded", sendKept);
})();
