/* Types of what the scripts in static/ find in every page: the elements of our pages, the events of
   htmx and our own, and the libraries in static/vendor. */

/** Every element of a page is HTML or SVG, and every event comes from an element. */
interface Element {
  readonly dataset: DOMStringMap;
  hidden: boolean;
  click(): void;
  focus(options?: FocusOptions): void;
}

interface EventTarget {
  closest(selectors: string): HTMLElement | null;
  matches(selectors: string): boolean;
  readonly dataset: DOMStringMap;
}

/** The fields of a form by name. */
interface HTMLFormControlsCollection {
  // An input, a button or a list of choices.
  [name: string]: any;
}

interface HtmxContext {
  sourceElement: Element | null;
  target: Element | null;
  text?: string;
  response: { status: number; headers: Headers; raw: Response };
}

/** What a press changes, as the page's `<template id="looks">` says (solvers/capabilities.py). */
interface Presses {
  /** Tool -> state of the pressed cell -> the text of the move before its cell, and the next state. */
  rules: Record<string, Record<string, [string, string]>>;
  turns: Record<string, string>;
  vacant: string;
  trail: string;
  strokes: "" | "cells" | "edges" | "links";
}

type Cell = [row: number, column: number];

/** A text by its name (`BrowserRules.texts` in solvers/capabilities.py) and the values of its fields. */
interface Said {
  name: string;
  values?: Record<string, number | string | Said>;
}

/** Why the rules forbid a move, with the cell or the place of the spot at which it failed, if it has one, and
    the way to it. They count from 0. */
interface Refusal {
  why: string;
  values: Record<string, number | string | Said>;
  cell: Cell | [];
  way: Cell[];
}

interface Verdict {
  solved: boolean;
  over: boolean;
  /** The cells at fault, each with the reason; null if only the server knows them. */
  faults: [Cell, Said][] | null;
  score?: number;
  /** Whether the score counts. */
  counts?: boolean;
}

/** The rules of a kind, which a module in the folder `static` beside it exports. */
interface Rules<P> {
  /** Return the start. The text is the server's, so it has no faults. */
  read(start: string): P;
  /** Return the legal moves, in the order of the rules in Python. */
  moves(position: P): string[];
  /** Make a move, given as canonical text. */
  play(position: P, move: string): P | Refusal;
  judge(position: P): Verdict;
  describe(move: string): Said;
  /** Return what else the last move did, or taking it back from `undone`, and what is left. */
  told(position: P, undone?: P): Said[];
}

type HtmxEvent = CustomEvent<{ ctx: HtmxContext }>;
type StepEvent = CustomEvent<import("./static/step-queue.js").Waiting>;

interface DocumentEventMap {
  "htmx:config:request": CustomEvent<{ ctx: HtmxContext & { request: { body: FormData } } }>;
  "htmx:before:request": HtmxEvent;
  "htmx:after:request": HtmxEvent;
  "htmx:finally:request": HtmxEvent;
  "htmx:before:swap": HtmxEvent;
  "htmx:after:swap": HtmxEvent;
  "htmx:error": HtmxEvent;
  "board:step": StepEvent;
  "board:stored": StepEvent;
  "board:refused": StepEvent;
  "board:solved": CustomEvent;
  "board:kept": CustomEvent<() => string>;
  "board:take": CustomEvent;
  /** A board was solved without a network. */
  "board:finished": CustomEvent;
  /** A form can't be sent, because there is no network. */
  unreachable: CustomEvent;
}

// Libraries without types.
declare const Chart: any;
declare const Sortable: any;
