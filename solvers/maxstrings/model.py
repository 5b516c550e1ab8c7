"""The question `model`: the study's 0-1 integer programme for a board, as an LP file.

A variable for each point, 1 where a stone stands; in every closed neighbourhood of a point one
point at least is empty; as many stones as possible. With its symmetry cuts the study asks besides,
on boards cut in quarters A B / D C, that A holds no fewer stones than C and B no fewer than D.
The middle row and column of odd sides are left out here.
"""

from collections.abc import Iterator

from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, PuzzleError, Run
from solvers.maxstrings.best import moves_to
from solvers.maxstrings.highs import maximise
from solvers.maxstrings.plain import phases
from solvers.maxstrings.rules import EMPTY, FREE, HOLE, Board, Move, Position, cells, merged

_LINE = 8
"""Terms on one line of the file; LP readers take lines of 255 signs at most."""


def model(
    kind: Kind[Position, Move], position: Position, *, cuts: str = "no", solver: str = "none"
) -> Run:
    """Ask for the integer programme of the checkerboard forms of the position.

    details: `lp`, the file, in CPLEX LP format, which GLPK, HiGHS, CBC, SCIP and Gurobi read;
    `variables` and `rows`. With the solver `highs` the value is HiGHS's maximum and the moves its
    board, and what it knows so far is shown with the signs of life; without, there is no value.
    Raises PuzzleError when no checkerboard fits the stones, for cuts on a board that is not square,
    empty and whole, and when HiGHS is not installed.
    """
    board = merged(position)
    if not phases(board):
        raise PuzzleError("The stones that stand don't fit one checkerboard.")
    is_whole = len(board) == len(board[0]) and set("".join(board)) == {FREE}
    if cuts == "yes" and not is_whole:
        raise PuzzleError("The symmetry cuts need a square board with nothing on it.")
    points = [(r, c) for r, c in cells(board) if board[r][c] != HOLE]
    rows = [*_liberties(board, points), *(_cuts(len(board)) if cuts == "yes" else ())]
    text = _lp(board, points, rows)
    details = {"lp": text, "variables": len(points), "rows": len(rows)}
    yield Progress(0, 1)
    if solver == "none":
        return Answer(None, details=details)
    stones = yield from maximise(text)
    if stones is None:
        return Answer(None, details=details)
    stands = tuple(
        tuple(variable((r, c)) in stones for c in range(len(board[0]))) for r in range(len(board))
    )
    return Answer(len(stones), moves_to(position, stands), details=details)


def _lp(board: Board, points: list[Cell], rows: list["Row"]) -> str:
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
