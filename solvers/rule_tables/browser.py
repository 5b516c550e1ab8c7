"""What a page needs to play a board of a table without the server (static/tables.js).

The model of the board travels with the page: its automata as small tables, and what hangs together,
is closed or sails. The module follows them, so it has no relation of its own.
"""

import json
from collections.abc import Hashable, Iterable, Sequence
from itertools import repeat
from types import SimpleNamespace
from typing import Any

from solvers.kind import Cell
from solvers.message import Message, gettext_noop
from solvers.rule_tables import lines
from solvers.rule_tables.boards import EMPTY, Board
from solvers.rule_tables.kept import Kept
from solvers.rule_tables.model import Model
from solvers.rule_tables.relations import Automaton, TooLarge
from solvers.rule_tables.sentences import noun_of, noun_of_symbol, sentence
from solvers.rule_tables.table import Rule, Table
from solvers.rule_tables.verdicts import (
    COUNTED,
    FAULT,
    PLACES,
    cells_at,
    cells_of,
    grouped,
    is_counted,
    wrong_cells,
)

MAX_STATES = 4_000
"""The most states of all automata of a board that travel with a page. On a board with more, only
the server says whether it is solved."""

REFUSED = SimpleNamespace(
    outside=gettext_noop("Row {row}, column {column} is not on the board."),
    wall=gettext_noop("There is a wall at row {row}, column {column}."),
    given=gettext_noop("The square at row {row}, column {column} belongs to the puzzle."),
    already=gettext_noop("Row {row}, column {column} is like this already."),
)
"""Why a move on a square is refused."""

Steps = tuple[tuple[tuple[int, ...], ...], ...]
"""For each item: for each state: for each value, the next state, or -1."""


MAX_KEPT_BYTES = 8_000_000
"""The most bytes that the tables take which a process keeps."""


def _size_of(made: Steps | None) -> int:
    """Return an estimate of the bytes that the tables take."""
    return 100 + sum(64 + 8 * len(row) for rows in made or () for row in rows)


STEPS: Kept[Steps | None] = Kept(MAX_KEPT_BYTES, _size_of)


def steps(automaton: Automaton, read: tuple[tuple[int, ...], ...]) -> Steps | None:
    """Return the smallest tables of an automaton, or None if it accepts nothing. The start is
    state 0. Raises TooLarge when there are more than `MAX_STATES` states."""
    return STEPS.get((automaton, read), lambda: _made_steps(automaton, read))


def _made_steps(automaton: Automaton, read: tuple[tuple[int, ...], ...]) -> Steps | None:
    """Make the tables of an automaton.

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


def texts(table: Table) -> dict[str, str | Message]:
    """Return the texts that the module says of boards of the table, by their names."""
    refused = REFUSED if table.site == "cells" else lines.REFUSED
    named: dict[str, str | Message] = vars(refused) | vars(PLACES) | {"fault": FAULT}
    for number, rule in enumerate(table.rules):
        named[f"rule{number}"] = sentence(table, rule)
    if table.site == "cells":
        named |= vars(COUNTED)
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
    """Return the start of a board for the module, as JSON. What lies beside what follows from the
    places of the variables, so it is left out."""
    sorts = list(dict.fromkeys(model.values))
    of = [sorts.index(values) for values in model.values]
    spans = _Spans()
    automata, numbers = _automata(model) or (None, repeat(0))
    layers = {layer: None for made in automata or () for layer in made or ()}
    number_of = {layer: number for number, layer in enumerate(layers)}
    return json.dumps(
        {
            "rows": board.rows,
            "columns": board.columns,
            "site": table.site,
            "least": table.each[0],
            "begun": board.cells,
            "rooms": board.rooms,
            "now": now,
            "filled": table.filled,
            "sorts": [["".join(value) or EMPTY for value in values] for values in sorts],
            "of": of,
            "rules": [_looks(table, rule) for rule in table.rules],
            "areas": _areas(table, model, board, spans, numbers),
            "automata": automata
            and [made and [number_of[layer] for layer in made] for made in automata],
            "layers": list(layers),
            "pieces": [
                [
                    piece.rule,
                    table.rules[piece.rule].relation,
                    spans.add(piece.variables),
                    _members(sorts, of, piece.variables, piece.is_on),
                ]
                for piece in model.pieces
            ],
            "loops": [loop.rule for loop in model.loops],
            "fleets": [
                [fleet.rule, fleet.lengths, _members(sorts, of, range(len(of)), fleet.is_on)]
                for fleet in model.fleets
            ],
            "matchings": [[each.rule, _sides(sorts, of, each.sides)] for each in model.matchings],
            "shapes": list(spans.shapes),
        },
        separators=(",", ":"),
    )


def _looks(table: Table, rule: Rule) -> list[str | int]:
    """Return where a rule looks, and what it counts there if `verdicts.progress` tells it."""
    if not is_counted(rule):
        return [rule.where]
    return [rule.where, table.filled if rule.what == "*" else rule.what, int(rule.number)]


def _members(
    sorts: list[Any], of: list[int], variables: Sequence[int], is_on: Sequence[tuple[bool, ...]]
) -> list[tuple[bool, ...]]:
    """Return for each sort whether its values are on."""
    found = {of[variable]: on for variable, on in zip(variables, is_on)}
    return [found.get(sort, ()) for sort in range(len(sorts))]


def _sides(
    sorts: list[Any], of: list[int], sides: Sequence[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return for each sort the sides of its values."""
    found = dict(zip(of, sides))
    return [found[sort] for sort in range(len(sorts))]


class _Spans:
    """Lists of numbers of which many have the same differences."""

    def __init__(self) -> None:
        self.shapes: dict[tuple[int, ...], int] = {}

    def add(self, numbers: Sequence[int]) -> tuple[int, int]:
        """Return the first number and the number of the shape."""
        first = numbers[0] if numbers else 0
        shape = tuple(number - first for number in numbers)
        return first, self.shapes.setdefault(shape, len(self.shapes))


def _areas(
    table: Table, model: Model, board: Board, spans: _Spans, numbers: Iterable[int]
) -> list[list[Any]]:
    """Return the areas of a model: the rule, the numbers of the automata, the variables, and the
    cells if they are not those of the variables, and those that can be at fault if not all can."""
    areas: list[list[Any]] = []
    left = iter(numbers)

    def span(cells: Sequence[Cell]) -> tuple[int, int]:
        return spans.add([row * board.columns + column for row, column in cells])

    for readers in grouped(table, model):
        reader = readers[0]
        cells = cells_of(model, reader, board)
        area = [reader.rule, [next(left) for _ in readers], spans.add(reader.variables)]
        own = cells_at(board, [model.sites[variable] for variable in reader.variables])
        wrong = wrong_cells(model, readers, reader.variables, board)
        if cells != own or wrong != own:
            area.append(span(cells))
        if wrong != own:
            area.append(span(wrong))
        areas.append(area)
    return areas


def _automata(model: Model) -> tuple[list[Steps | None], list[int]] | None:
    """Return the different automata of a model and the number of that of each reader, or None if
    they have too many states."""
    found: dict[Steps | None, int] = {}
    numbers, total = [], 0
    for reader in model.every_reader:
        try:
            made = steps(reader.automaton, reader.read)
        except TooLarge:
            return None
        if made not in found:
            found[made] = len(found)
            total += sum(map(len, made or ()))
            if total > MAX_STATES:
                return None
        numbers.append(found[made])
    return list(found), numbers
