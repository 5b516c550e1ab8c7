"""The study's 0-1 integer programme of a board, written as an LP file. Plain Python.

A variable for each point, 1 where a stone stands; in every closed neighbourhood of a point one
point at least is empty; as many stones as possible. With its symmetry cuts the study asks besides,
on boards cut in quarters A B / D C, that A holds no fewer stones than C and B no fewer than D.
The middle row and column of odd sides are left out here.
"""

from collections.abc import Iterator
from typing import NamedTuple

from solvers.grid import neighbours
from solvers.kind import Cell, PuzzleError
from solvers.maxstrings.plain import phases
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, Board, cells

_LINE = 8
"""Terms on one line of the file; LP readers take lines of 255 signs at most."""


class Programme(NamedTuple):
    """An integer programme and its size."""

    lp: str
    """The file, in CPLEX LP format, which GLPK, HiGHS, CBC, SCIP and Gurobi read."""
    variables: int
    rows: int


def programme(board: Board, *, cuts: bool = False) -> Programme:
    """Return the integer programme of a board's checkerboard forms, with the study's symmetry
    cuts or without.

    Raises PuzzleError when no checkerboard fits the stones, and for cuts on a board that is not
    square, empty and whole.
    """
    if not phases(board):
        raise PuzzleError("The stones that stand don't fit one checkerboard.")
    is_whole = len(board) == len(board[0]) and set("".join(board)) == {FREE}
    if cuts and not is_whole:
        raise PuzzleError("The symmetry cuts need a square board with nothing on it.")
    points = [(r, c) for r, c in cells(board) if board[r][c] != HOLE]
    rows = [*_liberties(board, points), *(_cuts(len(board)) if cuts else ())]
    return Programme(_file(board, points, rows), len(points), len(rows))


def _file(board: Board, points: list[Cell], rows: list["Row"]) -> str:
    """Return the file."""
    lines = ["\\ Max Strings: " + "/".join(board), "Maximize", *_wrapped("obj", points, [], "")]
    lines.append("Subject To")
    for number, (more, less, bound) in enumerate(rows, 1):
        lines += _wrapped(f"c{number}", more, less, bound)
    lines.append("Bounds")
    for row, column in points:
        if board[row][column] != FREE:
            lines.append(f" {variable((row, column))} = {int(board[row][column] != EMPTY)}")
    lines += ["Binary", *(f" {variable(point)}" for point in points), "End", ""]
    return "\n".join(lines)


Row = tuple[list[Cell], list[Cell], str]
"""Variables to add, variables to take away, and the bound."""


def _liberties(board: Board, points: list[Cell]) -> Iterator[Row]:
    for point in points:
        near = [
            c for c in neighbours(point, len(board), len(board[0])) if board[c[0]][c[1]] != HOLE
        ]
        yield [point, *near], [], f"<= {len(near)}"


def _cuts(n: int) -> Iterator[Row]:
    """Yield A >= C and B >= D; turning and mirroring an optimal board makes both true.

    Only the quarters without the middle row and column are compared.
    """
    low, high = range(n // 2), range((n + 1) // 2, n)
    for first, second in (((low, low), (high, high)), ((low, high), (high, low))):
        more, less = ([(r, c) for r in rows for c in columns] for rows, columns in (first, second))
        if more:
            yield more, less, ">= 0"


def variable(cell: Cell) -> str:
    """Return the variable of a point."""
    return f"x_{cell[0] + 1}_{cell[1] + 1}"


def _wrapped(name: str, more: list[Cell], less: list[Cell], bound: str) -> Iterator[str]:
    """Yield the lines of an expression."""
    terms = [f"+ {variable(cell)}" for cell in more] + [f"- {variable(cell)}" for cell in less]
    for at in range(0, len(terms), _LINE):
        is_last = at + _LINE >= len(terms)
        head = f" {name}:" if at == 0 else "  "
        yield " ".join([head, *terms[at : at + _LINE], *([bound] if is_last and bound else [])])
