"""The verdict of a table on a position, area by area, in plain Python."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from types import SimpleNamespace

from solvers.kind import Cell, Verdict, row_and_column
from solvers.message import Message, gettext_noop
from solvers.rule_tables.areas import Edge, beside
from solvers.rule_tables.boards import EMPTY, WALL, Board, width_of
from solvers.rule_tables.culprits import culprits
from solvers.rule_tables.deduction import (
    OFF,
    Deduction,
    Domains,
    closed_lines,
    cut_off,
    shared,
    supported,
)
from solvers.rule_tables.fleets import sunk
from solvers.rule_tables.matching import Pairs
from solvers.rule_tables.model import GIVEN, Model, Reader, Site, place
from solvers.rule_tables.sentences import noun_of, sentence
from solvers.rule_tables.table import Rule, Table

PLACES = SimpleNamespace(
    row=gettext_noop("Row {row}"),
    column=gettext_noop("Column {column}"),
    room=gettext_noop("Room {room}"),
    board=gettext_noop("The board"),
    begin=gettext_noop("From row {row}, column {column}"),
)
"""Where an area lies."""
COUNTED = SimpleNamespace(
    missing=gettext_noop("{place}: {number} {things}, {missing} missing"),
    there=gettext_noop("{place}: {number} {things}"),
)
"""How many symbols lie there."""
FAULT = gettext_noop("{place}: {rule}")
"""Where a rule is broken."""


def domains_of(deduction: Deduction, board: Board, now: str, *, is_final: bool = False) -> Domains:
    """Return the domains of a position. At the end, a free square stays empty if it may."""
    domains, width = [], width_of(board, now)
    for site, every in zip(deduction.model.sites, deduction.model.values):
        row, column = place(site)
        sign = now[row * width + column]
        value = frozenset() if sign == EMPTY else frozenset((sign,))
        if (sign != EMPTY or is_final) and value in every:
            domains.append(shared(frozenset((every.index(value),))))
        elif sign == EMPTY:
            domains.append(shared(frozenset(range(len(every)))))
        else:
            domains.append(frozenset())
    return tuple(domains)


def judge(table: Table, deduction: Deduction, board: Board, now: str) -> Verdict:
    """Return the verdict. An area is at fault if no way to fill the rest of it makes it right."""
    faults: dict[Cell, Message] = {}
    domains = domains_of(deduction, board, now)
    for rule, cells, readers in broken_areas(table, deduction.model, domains, board):
        message = Message(
            FAULT,
            {"place": place_of(table.rules[rule], cells, board),
             "rule": sentence(table, table.rules[rule])},
        )  # fmt: skip
        is_open = table.site == "cells"
        filled = [c for c in cells if not is_open or now[c[0] * board.columns + c[1]] != EMPTY]
        wrong = wrong_cells(
            deduction.model, readers, culprits(deduction.model, readers, domains), board
        )
        for cell in wrong or filled or cells[:1] or [(0, 0)]:
            faults.setdefault(cell, message)
    final = domains_of(deduction, board, now, is_final=True)
    # A square that must be filled can have a single value and still be free.
    is_filled = all(len(values) == 1 for values in final) and not (table.each[0] and EMPTY in now)
    broken = broken_areas(table, deduction.model, final, board)
    is_solved = is_filled and not faults and not any(broken)
    return Verdict(is_solved, over=EMPTY not in now, faults=tuple(faults.items()))


def broken_areas(
    table: Table, model: Model, domains: Domains, board: Board
) -> Iterator[tuple[int, list[Cell], list[Reader]]]:
    """Yield every area that can't be right any more: the rule, the cells, and the readers that
    refuse it, if readers read it."""
    for readers in grouped(table, model):
        broken = [reader for reader in readers if supported(reader, domains) is None]
        if broken:
            yield broken[0].rule, cells_of(model, broken[0], board), broken
    for piece in model.pieces:
        if apart := cut_off(piece, domains):
            yield piece.rule, cells_at(board, [model.sites[variable] for variable in apart]), []
    for fleet in model.fleets:
        wrong = sunk(fleet, domains)
        if wrong is not None:
            yield fleet.rule, cells_at(board, [model.sites[variable] for variable in wrong]), []
    for matching in model.matchings:
        for apart in Pairs(matching, domains).unmatched:
            yield matching.rule, cells_at(board, [model.sites[at] for at in apart]), []
    for loop in model.loops:
        closed, _ = closed_lines(loop, domains)
        if closed or all(domains[variable] == OFF for variable in loop.variables):
            yield loop.rule, cells_at(board, [model.sites[variable] for variable in closed]), []


def grouped(table: Table, model: Model) -> Iterator[list[Reader]]:
    """Yield the readers of each area: several if a rule has an automaton for each symbol. A rule
    that asks for a number of symbols has one, of which `progress` tells."""
    for (rule, *_), readers in groupby(
        model.every_reader, lambda reader: (reader.rule, reader.variables, reader.cells)
    ):
        group = list(readers)
        if rule != GIVEN and is_counted(table.rules[rule]):
            yield from ([reader] for reader in group)
        else:
            yield group


def wrong_cells(
    model: Model, readers: Sequence[Reader], variables: Sequence[int], board: Board
) -> list[Cell]:
    """Return the cells of some variables of an area's readers. Of lines, those that these count."""
    if not readers:
        return []
    reader = readers[0]
    is_lines = any(isinstance(site, Edge) for site in model.sites[:1])
    if is_lines and reader.drawn and not reader.cells:
        return []
    cells = cells_at(board, [model.sites[variable] for variable in variables])
    return [cell for cell in cells if not reader.cells or cell in reader.counted]


def cells_of(model: Model, reader: Reader, board: Board) -> list[Cell]:
    """Return the cells that a reader reads, or, if it reads lines, the cell with what is drawn
    there or those beside the lines."""
    if reader.cells:
        return list(reader.cells)
    is_lines = any(isinstance(site, Edge) for site in model.sites[:1])
    if reader.drawn and (is_lines or not reader.variables):
        return [divmod(reader.drawn.at, board.columns)]
    return cells_at(board, [model.sites[variable] for variable in reader.variables])


def cells_at(board: Board, sites: Sequence[Site]) -> list[Cell]:
    """Return the cells of sites, or those beside them if they are edges."""
    cells = set[Cell]()
    for site in sites:
        near = beside(site) if isinstance(site, Edge) else (site,)
        cells.update(cell for cell in near if cell in board)
    return sorted(cells)


def place_of(rule: Rule, cells: list[Cell], board: Board) -> Message:
    """Return where an area lies, in a few words."""
    rows, columns = {row for row, _ in cells}, {column for _, column in cells}
    if rule.where in ("row", "column", "line") and cells:
        if rule.where != "column" and len(rows) == 1:
            return Message(PLACES.row, {"row": min(rows) + 1})
        return Message(PLACES.column, {"column": min(columns) + 1})
    if not cells:
        return Message(PLACES.board)
    if rule.where == "room" and board.rooms:
        return Message(PLACES.room, {"room": board.room(cells[0]).upper()})
    return Message(PLACES.begin, row_and_column(cells[0]))


def progress(
    table: Table, deduction: Deduction, now: str, board: Board, cell: Cell
) -> tuple[Message, ...]:
    """Return how many symbols lie in the rows, columns and rooms of a cell, where a rule asks for a
    number of them, and how many are missing."""
    messages = []
    for _, rule, cells in counted_places(table, deduction.model, board):
        if cell not in cells:
            continue
        letters = table.letters if rule.what == "*" else rule.what
        signs = [now[row * board.columns + column] for row, column in cells]
        there = sum(sign in letters for sign in signs if sign not in (EMPTY, WALL))
        noun = noun_of(table, rule.what)
        values: dict[str, str | int | Message | None] = {
            "place": place_of(rule, cells, board),
            "number": there,
            "things": Message(noun.one if there == 1 else noun.many),
        }
        missing = int(rule.number) - there
        if missing > 0:
            values["missing"] = missing
        messages.append(Message(COUNTED.missing if missing > 0 else COUNTED.there, values))
    return tuple(messages)


def is_counted(rule: Rule) -> bool:
    """Return whether a rule asks for a number of symbols in rows, columns or rooms."""
    return (
        rule.where in ("row", "column", "line", "room")
        and rule.relation in ("exactly", "least")
        and isinstance(rule.number, int)
    )


def counted_places(
    table: Table, model: Model, board: Board
) -> Iterator[tuple[int, Rule, list[Cell]]]:
    """Yield the rows, columns and rooms in which a rule asks for a number of symbols: the number of
    the rule, the rule and the cells."""
    for reader in model.readers:
        if reader.rule != GIVEN and is_counted(table.rules[reader.rule]):
            yield reader.rule, table.rules[reader.rule], cells_of(model, reader, board)
