"""The numbers that an author may print on a board of a table with a known solution."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, count

from msgspec.structs import replace as changed

from solvers.kind import Cell
from solvers.rule_tables.areas import ends, lines_of
from solvers.rule_tables.boards import EMPTY, RIMS, WALL, Board, Rim
from solvers.rule_tables.reading import Filling, holds
from solvers.rule_tables.table import MAX_NUMBER, Table


def compares_numbers(table: Table) -> bool:
    """Return whether a rule compares the printed numbers with each other."""
    return any(rule.relation == "different" and rule.number == "clue" for rule in table.rules)


def numbers_of(
    table: Table, board: Board, filling: Filling, rng: random.Random
) -> Iterator[tuple[Cell, int]]:
    """Yield the numbers that a filling allows where none is printed, on walls if the table has
    walls, and one in each room if they are about rooms."""
    if compares_numbers(table):
        different = _pairs if table.site == "links" else _different
        yield from different(table, board, filling, rng)
        return
    reading = tuple(rule for rule in table.rules if "clue" in (rule.number, rule.who))
    if all(rule.number != "clue" for rule in reading):
        return
    about_numbers = changed(table, rules=reading)
    drawn = {cell for cell, number in zip(board, board.clues) if number is not None}
    rooms = {board.room(cell) for cell in drawn}
    for cell in board:
        if cell in drawn:
            continue
        if any(rule.where == "room" for rule in reading):
            if board.room(cell) in rooms:
                continue
            rooms.add(board.room(cell))
        if (board.sign(cell) == WALL) == ("walls" in table.draws):
            for number in range(len(board.cells) + 1):
                clues = tuple(number if each == cell else None for each in board)
                if holds(about_numbers, replace(board, clues=clues), filling):
                    yield cell, number
                    break


def rims_of(table: Table, board: Board, filling: Filling) -> dict[str, Rim]:
    """Return the numbers at the edges that a filling allows, the smallest of each."""
    reading = tuple(r for r in table.rules if r.relation in ("seen", "first") or r.number == "clue")
    about_numbers = changed(table, rules=reading)
    bare = Board(board.rows, board.columns, board.cells, board.rooms)
    rims = {}
    for side, lines in zip(RIMS, (board.rows, board.rows, board.columns, board.columns)):
        if side not in table.sides:
            continue
        rim: list[tuple[int, ...]] = []
        for at in range(lines):
            for number in range(MAX_NUMBER + 1):
                one: Rim = tuple((number,) if each == at else () for each in range(lines))
                alone = bare.with_rims({side: one})
                if holds(about_numbers, alone, filling):
                    rim.append((number,))
                    break
            else:
                rim.append(())
        rims[side] = tuple(rim)
    return rims


def has_pearls(table: Table) -> bool:
    """Return whether the symbols of an author follow from the lines."""
    return any(rule.relation in ("turn", "straight") for rule in table.rules)


def pearls_of(table: Table, board: Board, filling: Filling) -> Iterator[tuple[Cell, str]]:
    """Yield the symbols of an author that a line allows on cells."""
    for cell in filter(board.is_open, board):
        for letter in table.given:
            rules = tuple(rule for rule in table.rules if letter in rule.who)
            cells = "".join(
                letter if each == cell else WALL if board.sign(each) == WALL else EMPTY
                for each in board
            )
            if rules and holds(changed(table, rules=rules), replace(board, cells=cells), filling):
                yield cell, letter
                break


def _different(
    table: Table, board: Board, filling: Filling, rng: random.Random
) -> Iterator[tuple[Cell, int]]:
    """Yield numbers where none is printed. They differ in the lines of the counted cells, and each
    of the other cells gets the number of a counted one in its row or column."""
    what = next(rule.what for rule in table.rules if rule.number == "clue")
    size = max(board.rows, board.columns)
    rows, columns, numbers = (rng.sample(range(size), size) for _ in range(3))
    printed = {cell: number for cell, number in zip(board, board.clues) if number is not None}
    open_cells = [cell for cell in board if board.is_open(cell)]
    on = [cell for cell in open_cells if _is_counted(what, filling[cell])]
    counted = {cell: printed[cell] for cell in on if cell in printed}

    def beside(cell: Cell) -> list[int]:
        row, column = cell
        return [n for (r, c), n in counted.items() if (r == row) != (c == column)]

    for row, column in on:
        wanted = numbers[(rows[row] + columns[column]) % size] + 1
        free = [n for n in range(1, size + 1) if n not in beside((row, column))]
        if (row, column) not in counted and free:
            counted[row, column] = wanted if wanted in free else rng.choice(free)
    for cell in board:
        near = beside(cell)
        if cell not in printed and (
            number := counted.get(cell) or (rng.choice(near) if near else None)
        ):
            yield cell, number


def _pairs(
    table: Table, board: Board, filling: Filling, rng: random.Random
) -> Iterator[tuple[Cell, int]]:
    """Yield numbers at the ends of the lines where none is printed. They are as small as they can
    be if no two lines join the same two."""
    printed = {cell: number for cell, number in zip(board, board.clues) if number is not None}
    joined = [ends(table, edge) for edge in lines_of(table, board) if filling[edge]]
    highest = next(n for n in count() if (n + 1) * (n + 2) // 2 >= len(joined))
    pairs = list(combinations_with_replacement(range(max([highest, *printed.values()]) + 1), 2))
    rng.shuffle(pairs)
    # Lines with printed numbers have the smallest choice.
    for cells in sorted(joined, key=lambda cells: -sum(cell in printed for cell in cells)):
        for pair in pairs:
            numbers = [
                printed.get(cell, number) for cell, number in zip(cells, rng.sample(pair, 2))
            ]
            if sorted(numbers) == list(pair):
                yield from ((c, n) for c, n in zip(cells, numbers) if c not in printed)
                pairs.remove(pair)
                break


def _is_counted(what: str, lying: frozenset[str]) -> bool:
    return not lying if what == EMPTY else any(what == "*" or each in what for each in lying)
