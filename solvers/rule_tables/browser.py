"""What a page needs to play a board of a table without the server (static/tables.js).

The model of the board travels with the page: its automata as small tables, and what hangs together,
is closed or sails. The module follows them on a finished board, so it has no relation of its own.
"""

import json
from collections.abc import Hashable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from solvers.message import Message, gettext_noop
from solvers.rule_tables import lines
from solvers.rule_tables.boards import EMPTY, Board, width_of
from solvers.rule_tables.model import Model, place
from solvers.rule_tables.relations import MAX_CACHED, Automaton, TooLarge
from solvers.rule_tables.sentences import noun_of, noun_of_symbol
from solvers.rule_tables.table import Table
from solvers.rule_tables.verdicts import COUNTED, PLACES, counted_places, is_counted, place_of

MAX_STATES = 4_000
"""The most states of all automata of a board that travel with a page. On a board with more, only
the server says whether it is solved."""

REFUSED = SimpleNamespace(
    outside=gettext_noop("Row {row}, column {column} is not on the board."),
    wall=gettext_noop("There is a wall at row {row}, column {column}."),
    given=gettext_noop("The square at row {row}, column {column} belongs to the puzzle."),
    already=gettext_noop("Row {row}, column {column} is like this already."),
)
"""Why a move is refused."""

Steps = tuple[tuple[tuple[int, ...], ...], ...]
"""For each item: for each state: for each value, the next state, or -1."""


@lru_cache(maxsize=MAX_CACHED)
def steps(automaton: Automaton, read: tuple[tuple[int, ...], ...]) -> Steps | None:
    """Return the smallest tables of an automaton, or None if it accepts nothing. The start is
    state 0. Raises TooLarge when there are more than `MAX_STATES` states.

    `layers.layers` makes the same tables with NumPy, for automata that are many times as large. Web
    processes, which load no NumPy, need this function.
    """
    states: dict[Hashable, int] = {automaton.start: 0}
    every, total = [], 0
    for item, numbers in enumerate(read):
        after: dict[Hashable, int] = {}
        rows = []
        for state in states:
            following = (automaton.step(state, item, number) for number in numbers)
            rows.append(
                [-1 if to is None else after.setdefault(to, len(after)) for to in following]
            )
            if total + len(after) > MAX_STATES:
                raise TooLarge("states of a rule")
        every.append(rows)
        states = after
        total += len(after)
    # Merge states that accept the same rests, from the last item to the first.
    merged = [0 if automaton.accepts(state) else -1 for state in states]
    smallest = []
    for rows in reversed(every):
        kept: dict[tuple[int, ...], int] = {}
        rests = [tuple(-1 if to < 0 else merged[to] for to in row) for row in rows]
        merged = [kept.setdefault(row, len(kept)) if max(row) >= 0 else -1 for row in rests]
        smallest.append(tuple(kept))
    return tuple(smallest[::-1]) if merged[0] >= 0 else None


def texts(table: Table) -> dict[str, str]:
    """Return the texts that the module says of boards of the table, by their names."""
    named = dict(vars(REFUSED))
    if table.site == "cells":
        named |= vars(PLACES) | vars(COUNTED)
        named["cleared"] = gettext_noop("Row {row}, column {column} cleared")
        named["set"] = gettext_noop("{what}: row {row}, column {column}")
        for number, letter in enumerate(table.filled):
            noun = noun_of_symbol(next(each for each in table.symbols if each.letter == letter))
            named[f"title{number}"] = noun.title
        for number, rule in enumerate(table.rules):
            if is_counted(rule):
                noun = noun_of(table, rule.what)
                named[f"one{number}"], named[f"many{number}"] = noun.one, noun.many
    else:
        named |= lines.TEXTS
        named["line"] = lines.name_of(table, table.filled).text
        named["cross"] = lines.name_of(table, lines.CROSS).text
        named["none"] = lines.name_of(table, EMPTY).text
    return named


def start(table: Table, model: Model, board: Board, now: str) -> str:
    """Return the start of a board for the module, as JSON."""
    width = width_of(board, now)
    at = [row * width + column for row, column in map(place, model.sites)]
    sorts = list(dict.fromkeys(model.values))
    tables, areas = _areas(model) or (None, None)
    return json.dumps(
        {
            "rows": board.rows,
            "columns": board.columns,
            "site": table.site,
            "least": table.each[0],
            "begun": board.cells,
            "now": now,
            "filled": table.filled,
            "at": at,
            "sorts": [["".join(value) or EMPTY for value in values] for values in sorts],
            "of": [sorts.index(values) for values in model.values],
            "tables": tables,
            "areas": areas,
            "pieces": [
                {
                    "demand": piece.demand,
                    "variables": piece.variables,
                    "on": piece.is_on,
                    "links": piece.links,
                    "rim": sorted(piece.rim),
                }
                for piece in model.pieces
            ],
            "loops": [[loop.variables, *zip(*loop.ends)] for loop in model.loops],
            "fleets": [[fleet.lengths, fleet.is_on, fleet.beside] for fleet in model.fleets],
            "counted": [
                [
                    *_place(place_of(rule, cells, board)),
                    [row * board.columns + column for row, column in cells],
                    table.filled if rule.what == "*" else rule.what,
                    rule.number,
                    number,
                ]
                for number, rule, cells in counted_places(table, model, board)
            ],
        },
        separators=(",", ":"),
    )


def _areas(model: Model) -> tuple[list[Steps | None], list[list[int]]] | None:
    """Return the different automata of a model, and for each area the number of its automaton and
    its variables; or None if they have too many states."""
    tables: dict[Steps | None, int] = {}
    areas, total = [], 0
    for reader in model.every_reader:
        try:
            made = steps(reader.automaton, reader.read)
        except TooLarge:
            return None
        if made not in tables:
            tables[made] = len(tables)
            total += sum(map(len, made or ()))
            if total > MAX_STATES:
                return None
        areas.append([tables[made], *reader.variables])
    return list(tables), areas


def _place(message: Message) -> tuple[str, Any]:
    """Return the name of the place that a message says, with the values."""
    name = next(name for name, text in vars(PLACES).items() if text == message.text)
    return name, message.values
