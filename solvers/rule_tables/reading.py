"""The slow reading of a table: whether a finished board obeys its rules.

It shares nothing with the automata but the areas. It is the twin against which they are tested,
and it says which areas a filled board breaks.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from math import prod

from solvers.kind import Cell
from solvers.rule_tables.areas import (
    STEPS4,
    STEPS8,
    Area,
    Edge,
    areas,
    edges_around,
    ends,
    half_cells,
    lines_of,
    ray,
    views,
)
from solvers.rule_tables.boards import EMPTY, LESS, Board
from solvers.rule_tables.table import Rule, Table

Filling = Mapping[Cell | Edge, frozenset[str]]
"""Site -> the letters that lie there."""
Line = tuple[Cell, Cell]
"""The two points or cells that a line connects."""


def holds(table: Table, board: Board, filling: Filling) -> bool:
    """Return whether every rule of the table holds."""
    return all(rule_holds(table, board, rule, filling) for rule in table.rules)


def rule_holds(table: Table, board: Board, rule: Rule, filling: Filling) -> bool:
    """Return whether a rule holds in all of its areas."""
    values = table.values
    if rule.relation == "loop":
        return _is_loop(_lines(table, filling))
    if rule.relation in ("turn", "straight"):
        lines = _lines(table, filling)
        return all(
            _passes(lines, cell, rule.relation) for cell in board if board.sign(cell) in rule.who
        )
    if rule.relation in ("seen", "first"):
        for cells, number, _ in views(board):
            heights = [values[letter] for cell in cells for letter in filling[cell]]
            if rule.relation == "first":
                if not heights or heights[0] != number:
                    return False
            elif sum(max([0, *heights[:at]]) < each for at, each in enumerate(heights)) != number:
                return False
        return True
    if table.site == "links":
        lines = _lines(table, filling)
        return all(_ends_hold(board, rule, area, lines) for area in _areas(board, rule))
    return all(_area_holds(table, board, rule, area, filling) for area in _areas(board, rule))


@lru_cache(maxsize=64)
def _areas(board: Board, rule: Rule) -> tuple[Area, ...]:
    """Return the areas of a rule, which are the same for every filling of the board."""
    return tuple(areas(board, rule))


def _lines(table: Table, filling: Filling) -> list[Line]:
    """Return the lines of a filling of edges."""
    return [
        ends(table, site) for site, letters in filling.items() if letters and isinstance(site, Edge)
    ]


def _area_holds(table: Table, board: Board, rule: Rule, area: Area, filling: Filling) -> bool:
    values, letters = table.values, table.letters
    what = letters if rule.what == "*" else rule.what
    who = letters if rule.who == "*" else rule.who

    def counted(cell: Cell | Edge) -> int:
        return int(not filling[cell]) if what == EMPTY else sum(a in what for a in filling[cell])

    if rule.relation == "different" and rule.number == "clue":
        printed = [board.number(board.clues, cell) for cell in area.cells if counted(cell)]
        numbers = [number for number in printed if number is not None]
        return len(set(numbers)) == len(numbers)
    reads_clue = rule.number == "clue" or rule.who == "clue"
    if (reads_clue and area.clue is None) or (rule.who == "no clue" and area.clue is not None):
        return True
    carried = filling.get(area.base, frozenset()) if area.base else frozenset()
    wanted: list[object] = [area.clue if rule.number == "clue" else rule.number]
    if rule.who not in ("", "clue", "no clue"):
        around = [letter for letter in who if letter in carried]
        if who == EMPTY and not carried:
            around = [EMPTY]
        if not around:
            return True
        if rule.number == "own":
            wanted = [values[letter] for letter in around]
    cells: tuple[Cell | Edge, ...] = area.cells
    if rule.where == "face" and area.base:
        cells = edges_around(area.base)
    return all(_relation_holds(table, board, rule, area, cells, n, filling) for n in wanted)


def _ends_hold(board: Board, rule: Rule, area: Area, lines: list[Line]) -> bool:
    """Return whether a rule about the ends of lines holds in an area."""
    if rule.relation == "different" and rule.number == "clue":
        pairs = [sorted(str(board.number(board.clues, cell)) for cell in line) for line in lines]
        told = [pair for pair in pairs if "None" not in pair]
        return all(told.count(pair) == 1 for pair in told)
    if rule.relation == "different":
        return not any(
            set(area.cells) == set(line) and board.sign(line[0]) == board.sign(line[1])
            for line in lines
        )
    if (rule.number == "clue" or rule.who == "clue") and area.clue is None:
        return True
    if rule.who == "no clue" and area.clue is not None:
        return True
    if rule.who not in ("", "clue", "no clue") and not (
        area.base and board.sign(area.base) in rule.who
    ):
        return True
    count = 0
    for cell in area.cells:
        if rule.what == "*" or board.sign(cell) in rule.what:
            count += sum(line.count(cell) for line in lines)
    wanted = area.clue if rule.number == "clue" else rule.number
    assert isinstance(wanted, int)
    return {
        "exactly": count == wanted,
        "least": count >= wanted,
        "most": count <= wanted,
        "not": count != wanted,
        "odd": count % 2 == 1,
        "even": count % 2 == 0,
    }[rule.relation]


def _relation_holds(
    table: Table,
    board: Board,
    rule: Rule,
    area: Area,
    cells: tuple[Cell | Edge, ...],
    wanted: object,
    filling: Filling,
) -> bool:
    values, relation = table.values, rule.relation
    what = table.letters if rule.what == "*" else rule.what

    def counted(cell: Cell | Edge) -> int:
        return int(not filling[cell]) if what == EMPTY else sum(a in what for a in filling[cell])

    lying = [letter for cell in cells for letter in filling[cell] if letter in what]
    if relation in ("connected", "connected8"):
        steps = STEPS4 if relation == "connected" else STEPS8
        return _hangs_together({cell for cell in area.cells if counted(cell)}, steps)
    if relation == "fleet":
        on = {cell for cell in area.cells if counted(cell)}
        return _ships(on) == [int(length) for length in str(rule.number)]
    if relation == "matched":
        return _has_pairs(
            {cell for cell in area.cells if counted(cell)},
            {cell for cell in area.cells if filling[cell] & set(str(wanted))},
        )
    if relation in ("touching edge", "no ring"):
        on = {cell for cell in area.cells if counted(cell)}
        if relation == "no ring":
            return _has_no_ring(on)
        bound = {(row, column) for row in (-1, board.rows) for column in range(board.columns)}
        bound |= {(row, column) for column in (-1, board.columns) for row in range(board.rows)}
        bound |= {(row, column) for row in (-1, board.rows) for column in (-1, board.columns)}
        return _hangs_together(on | bound, STEPS4)
    if relation == "mirror":
        signs = [
            counted(cell) if what == EMPTY else {a for a in filling[cell] if a in what}
            for cell in cells
        ]
        return signs == signs[::-1]
    if relation == "less":
        one, two = ([values[letter] for letter in filling[cell]] for cell in cells)
        return not one or not two or (one < two if area.clue == LESS else one > two)
    if relation == "different":
        return len(set(lying)) == len(lying)
    if relation == "same":
        return all(sum(a in filling[cell] for cell in cells) in (0, len(cells)) for a in what)
    if relation == "runs":
        drawn = "".join("x" if counted(cell) else " " for cell in cells)
        return tuple(len(run) for run in drawn.split()) == wanted
    if relation == "sees" and area.base:
        total = int(board.is_open(area.base) and bool(counted(area.base)))
        for step in STEPS4:
            for cell in ray(board, area.base, step):
                if not counted(cell):
                    break
                total += 1
        return total == wanted
    if relation == "step":
        one, two = ([values[letter] for letter in filling[cell]] for cell in cells)
        return not one or not two or abs(one[0] - two[0]) == wanted
    if relation == "total":
        return sum(values[letter] for letter in lying) == wanted
    if relation == "product":
        return prod(values[letter] for letter in lying) == wanted
    count = sum(counted(cell) for cell in cells)
    if relation in ("odd", "even"):
        return count % 2 == int(relation == "odd")
    if isinstance(wanted, str):
        number = sum(letter in wanted for cell in cells for letter in filling[cell])
    else:
        number = wanted  # type: ignore[assignment]
    return {
        "exactly": count == number,
        "least": count >= number,
        "most": count <= number,
        "not": count != number,
    }[relation]


def _hangs_together(cells: set[Cell], steps: tuple[tuple[int, int], ...]) -> bool:
    todo = sorted(cells)[:1]
    reached = set(todo)
    while todo:
        row, column = todo.pop()
        for down, right in steps:
            other = (row + down, column + right)
            if other in cells and other not in reached:
                reached.add(other)
                todo.append(other)
    return reached == cells


def _ships(cells: set[Cell]) -> list[int]:
    """Return the lengths of the ships, the longest first, and 0 for one that is not straight."""
    lengths = []
    while cells:
        ship = {min(cells)}
        while more := {
            (row + down, column + right) for row, column in ship for down, right in STEPS4
        } & (cells - ship):
            ship |= more
        cells = cells - ship
        is_straight = 1 in (len({row for row, _ in ship}), len({column for _, column in ship}))
        lengths.append(len(ship) if is_straight else 0)
    return sorted(lengths, reverse=True)


def _has_pairs(ones: set[Cell], twos: set[Cell]) -> bool:
    """Return whether each cell of one set can be paired with one of the other beside it, so that
    none is left. One cell after another takes each free neighbour in turn."""
    if not ones:
        return not twos
    row, column = min(ones)
    near = {(row + down, column + right) for down, right in STEPS4} & twos
    return any(_has_pairs(ones - {(row, column)}, twos - {other}) for other in near)


def _has_no_ring(cells: set[Cell]) -> bool:
    """Return whether no closed way leads through cells side by side. Cells with one neighbour at
    most are taken away until none is left."""
    while ends_ := {
        (row, column)
        for row, column in cells
        if sum((row + down, column + right) in cells for down, right in STEPS4) < 2
    }:
        cells = cells - ends_
    return not cells


def _passes(lines: list[Line], cell: Cell, relation: str) -> bool:
    """Return whether the line turns in a cell and goes on straight for two steps on both sides, or
    goes through it straight, but not for two steps on both sides."""
    pairs = set(map(frozenset, lines))
    row, column = cell
    steps = [s for s in STEPS4 if frozenset((cell, (row + s[0], column + s[1]))) in pairs]
    long = [
        (down, right)
        for down, right in steps
        if frozenset((row + n * down, column + n * right) for n in (1, 2)) in pairs
    ]
    if len(steps) != 2:
        return False
    is_straight = steps[0] == (-steps[1][0], -steps[1][1])
    if relation == "turn":
        return not is_straight and long == steps
    return is_straight and long != steps


def _is_loop(lines: list[Line]) -> bool:
    """Return whether lines between points form one closed line without branches."""
    beside: dict[Cell, list[Cell]] = {}
    for one, two in lines:
        beside.setdefault(one, []).append(two)
        beside.setdefault(two, []).append(one)
    if not lines or any(len(others) != 2 for others in beside.values()):
        return False
    start = before = next(iter(beside))
    at, length = beside[start][0], 1
    while at != start:
        at, before = next(cell for cell in beside[at] if cell != before), at
        length += 1
    return length == len(lines)


def fillings(table: Table, board: Board) -> Iterator[Filling]:
    """Yield every way to fill the board that fits what the author has given, good or not."""
    least, most = table.each
    every = [
        frozenset(letters)
        for size in range(least, most + 1)
        for letters in combinations(table.filled, size)
    ]
    if table.site != "cells":
        lines = list(lines_of(table, board))
        sites: list[Cell | Edge] = list(lines)
        choices = [every[board.has_line(*half_cells(edge)) :] for edge in lines]
    else:
        sites = [cell for cell in board if board.is_open(cell)]
        signs = [board.sign(cell) for cell in sites]  # type: ignore[arg-type]
        choices = [
            [frozenset(sign)] if sign in table.printed
            else [value for value in every if sign == EMPTY or sign in value]
            for sign in signs
        ]  # fmt: skip
    for picked in product(*choices):
        yield dict(zip(sites, picked))


def loops(table: Table, board: Board) -> Iterator[Filling]:
    """Yield every single loop that has the present lines, by walking from each point through the
    points behind it."""
    pairs = {frozenset(ends(table, edge)): edge for edge in lines_of(table, board)}
    beside: dict[Cell, list[Cell]] = {}
    for one, two in map(sorted, pairs):
        beside.setdefault(one, []).append(two)
        beside.setdefault(two, []).append(one)
    present = {edge for edge in pairs.values() if board.has_line(*half_cells(edge))}
    ways = [[start] for start in beside]
    while ways:
        way = ways.pop()
        for point in beside[way[-1]]:
            if point == way[0] and len(way) > 2 and way[1] < way[-1]:
                line = {pairs[frozenset(pair)] for pair in zip(way, [*way[1:], point])}
                if present <= line:
                    yield {
                        edge: frozenset(table.filled if edge in line else "")
                        for edge in pairs.values()
                    }
            if point > way[0] and point not in way:
                ways.append([*way, point])


def solutions(table: Table, board: Board) -> Iterator[Filling]:
    """Yield every solution, by trying every way to fill the board."""
    return (filling for filling in fillings(table, board) if holds(table, board, filling))
