"""The study 連数最大化問題: its tables and the true figures, its lemmas, its integer programme.

The tables cover n = 2 to 16 and 19. Three figures are misprints: n = 7 and 8 in both tables and in
the text, n = 15 in the first table only. `count` and `best` compute ours, up to 19 x 19, in
seconds, and `maximum` gives the larger maxima.

The lemmas turn any legal board into a checkerboard form, step by step. Lemma 1 cuts strings down to
single stones. The stone that stays touches a removed stone, so it has a liberty, and the other
strings only gain liberties. Lemma 2 concerns groups, which are stones of any colours that touch
each other. As strings are single stones, the colours alternate within a group, and exchanging the
colours of a whole group does no harm. Neither step changes the number of strings.

The integer programme has a variable for each point, which is 1 if a stone stands there. In every
closed neighbourhood of a point at least one point is empty. The number of stones is maximised. With
its symmetry cuts the study also requires, on boards cut into quarters A B / D C, that A has at
least as many stones as C, and B as many as D. The middle row and column of odd sides are left out
here. `model` writes the programme as an LP file and can let HiGHS solve it, in a thread of its own.
"""

import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from solvers.answers import AnswerFile, Exact
from solvers.grid import neighbours
from solvers.kind import Cell, Kind, PuzzleError
from solvers.maxstrings import rules
from solvers.maxstrings.maximum import phases
from solvers.maxstrings.questions import ModelAnswer
from solvers.maxstrings.rules import BLACK, EMPTY, FREE, HOLE, STONES, WHITE, Board, Move, Position
from solvers.message import Message
from solvers.question import Progress, Run

FIRST_TABLE = {2: 2, 3: 6, 4: 12, 5: 18, 6: 26, 7: 36, 8: 49, 9: 61, 10: 76, 11: 92, 12: 109,
               13: 129, 14: 149, 15: 169}  # fmt: skip
"""n -> the maximum as printed in table 1 (without symmetry cuts)."""

SECOND_TABLE = FIRST_TABLE | {15: 172}
"""n -> the maximum as printed in table 2 (with symmetry cuts)."""

FIGURES = {16: 196, 19: 277}
"""n -> the maximum printed only in a caption of a figure. That of 19 is by private
communication."""

GLPK_SECONDS = {10: 1.0, 11: 8.0, 12: 48.0, 13: 88.0, 14: 4788.0, 15: 5547.0}
"""n -> GLPK's seconds in table 1, with default settings on a Core Duo with 2 GHz. Below 10 it is
0."""

FORMS = (1, 6, 10, 2, 22, 288, 2, 52, 32, 4, 32, 21600, 18, 540360, 34528, 100406, 70266144,
         1380216154, 1682689266, 77900162)  # fmt: skip
"""The number of best checkerboard forms for n = 1, 2, ..., colours not exchanged, as `count` finds
them. The tests check them up to 14, and the benchmark up to 20."""

BOARDS = (Path(__file__).parent / "best_boards.txt").read_text(encoding="ascii").split()
"""A best board for each n = 1, 2, ..., as `checkerboard` finds it, from the lines of the file."""


TURNED = {BLACK: WHITE, WHITE: BLACK}


def to_single_stones(board: Board) -> Iterator[Board]:
    """Yield the board after each string of several stones was cut down to its first stone."""
    for string in rules.strings(board):
        if len(string.cells) > 1:
            board = _changed(board, dict.fromkeys(string.cells[1:], FREE))
            yield board


def groups(board: Board) -> list[tuple[Cell, ...]]:
    """Return the sets of connected stones of any colour, ordered by their first cells."""
    result: list[tuple[Cell, ...]] = []
    seen: set[Cell] = set()
    for first in rules.cells(board):
        if board[first[0]][first[1]] not in STONES or first in seen:
            continue
        group = rules.connected(board, [first], BLACK + WHITE)
        seen.update(group)
        result.append(tuple(group))
    return result


def fits(board: Board, group: tuple[Cell, ...]) -> bool:
    """Return whether a group of single stones has the colours of the checkerboard that is black
    in the first corner."""
    row, column = group[0]
    return (STONES.index(board[row][column]) + row + column) % 2 == 0


def to_checkerboard(board: Board) -> Iterator[Board]:
    """Yield a board of single stones after the colours of each group that does not fit were
    exchanged."""
    for group in groups(board):
        if not fits(board, group):
            board = _changed(board, {(r, c): TURNED[board[r][c]] for r, c in group})
            yield board


def _changed(board: Board, letters: dict[Cell, str]) -> Board:
    return tuple(
        "".join(letters.get((r, c), letter) for c, letter in enumerate(row))
        for r, row in enumerate(board)
    )


_LINE = 8
"""The terms on one line of the file. Some LP readers accept at most 255 characters per line."""


class Programme(NamedTuple):
    """An integer programme and its size."""

    lp: str
    """The text of the file in CPLEX LP format, which GLPK, HiGHS, CBC, SCIP and Gurobi read."""
    variables: int
    rows: int


def programme(board: Board, *, cuts: bool = False) -> Programme:
    """Return the integer programme of a board's checkerboard forms, with the study's symmetry
    cuts or without them.

    Raise PuzzleError if no checkerboard fits the stones, or for cuts on a board that is not
    square, empty and whole.
    """
    if not phases(board):
        raise PuzzleError("The stones on the board don't fit one checkerboard.")
    is_whole = len(board) == len(board[0]) and set("".join(board)) == {FREE}
    if cuts and not is_whole:
        raise PuzzleError("The symmetry cuts need a square board with nothing on it.")
    points = [(r, c) for r, c in rules.cells(board) if board[r][c] != HOLE]
    rows = [*_liberties(board, points), *(_cuts(len(board)) if cuts else ())]
    return Programme(_file(board, points, rows), len(points), len(rows))


def _file(board: Board, points: list[Cell], rows: list["Inequality"]) -> str:
    """Return the text of the file."""
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


Inequality = tuple[list[Cell], list[Cell], str]
"""The variables to add, the variables to subtract, and the bound."""


def _liberties(board: Board, points: list[Cell]) -> Iterator[Inequality]:
    for point in points:
        near = [
            c for c in neighbours(point, len(board), len(board[0])) if board[c[0]][c[1]] != HOLE
        ]
        yield [point, *near], [], f"<= {len(near)}"


def _cuts(n: int) -> Iterator[Inequality]:
    """Yield A >= C and B >= D. Turning and mirroring can make both true for an optimal board.

    Only the quarters without the middle row and column are compared.
    """
    low, high = range(n // 2), range((n + 1) // 2, n)
    for first, second in (((low, low), (high, high)), ((low, high), (high, low))):
        more, less = ([(r, c) for r in rows for c in columns] for rows, columns in (first, second))
        if more:
            yield more, less, ">= 0"


def variable(cell: Cell) -> str:
    """Return the name of the variable of a point."""
    return f"x_{cell[0] + 1}_{cell[1] + 1}"


def _wrapped(name: str, more: list[Cell], less: list[Cell], bound: str) -> Iterator[str]:
    """Yield the lines of an expression."""
    terms = [f"+ {variable(cell)}" for cell in more] + [f"- {variable(cell)}" for cell in less]
    for at in range(0, len(terms), _LINE):
        is_last = at + _LINE >= len(terms)
        head = f" {name}:" if at == 0 else "  "
        yield " ".join([head, *terms[at : at + _LINE], *([bound] if is_last and bound else [])])


def model(
    kind: Kind[Position, Move], position: Position, *, cuts: str = "no", solver: str = "none"
) -> Run[ModelAnswer]:
    """Write the integer programme of the checkerboard forms of the position (see `programme`).

    With the solver `highs` the value is HiGHS's maximum, and the moves are its board. The progress
    reports contain the bounds. Without a solver there is no value. Raise PuzzleError as `programme`
    does, or if HiGHS is not installed.
    """
    board = rules.merged(position)
    written = programme(board, cuts=cuts == "yes")
    size = {"variables": written.variables, "rows": written.rows}
    name = f"max-strings-{len(board)}x{len(board[0])}{'-cuts' if cuts == 'yes' else ''}.lp"
    title = Message("The integer programme as an LP file")
    known = ModelAnswer(
        note=Message("Variables of the programme: {variables}. Rows: {rows}.", size),
        variables=written.variables,
        rows=written.rows,
        files=(AnswerFile(name, title, written.lp),),
    )
    yield Progress(0, 1, found=known)
    stones = (yield from maximise(written.lp, known)) if solver == "highs" else None
    if stones is None:
        return known
    stands = tuple(
        tuple(variable((r, c)) in stones for c in range(len(board[0]))) for r in range(len(board))
    )
    return replace(known, value=Exact(len(stones)), moves=rules.moves_to_form(position, stands))


_LOOK_SECONDS = 0.2
"""The seconds between two looks at the solver's thread."""


def maximise(lp: str, known: ModelAnswer) -> Run[set[str] | None]:
    """Return the names of the variables that are 1 in a best solution of a 0-1 programme, or None
    if it has no solution.

    The progress reports contain the bounds in addition to what is `known`. Raise PuzzleError if
    HiGHS is not installed.
    """
    try:
        # The types of highspy are incomplete.
        highspy: Any = import_module("highspy")
    except ImportError:
        raise PuzzleError("The solver HiGHS is not installed on this computer.") from None
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.HandleUserInterrupt = True
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.lp"
        file.write_text(lp, encoding="ascii")
        highs.readModel(str(file))
    bounds: dict[str, float] = {}

    def look(event: Any) -> None:
        bounds["least"] = event.data_out.mip_primal_bound
        bounds["most"] = event.data_out.mip_dual_bound

    highs.cbMipInterrupt.subscribe(look)
    thread = highs.startSolve()
    try:
        while thread.is_alive():
            thread.join(_LOOK_SECONDS)
            yield _progress(bounds, known)
    finally:
        highs.cancelSolve()
        while thread.is_alive():
            time.sleep(0.01)
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    values = highs.getSolution().col_value
    return {highs.getColName(column)[1] for column, value in enumerate(values) if value > 0.5}


def _progress(bounds: dict[str, float], known: ModelAnswer) -> Progress:
    """Return a progress report of what HiGHS has proven so far."""
    least, most = bounds.get("least", 0), bounds.get("most", 1e9)
    if not 0 <= least <= most < 1e6:
        return Progress(0, 1, found=known)
    # Both bounds are floating-point numbers that differ slightly from whole numbers.
    values = {"least": round(least), "most": int(most + 1e-6)}
    note = Message("At least {least} strings, at most {most}", values)
    improved = replace(known, at_most=Exact(values["most"]))
    return Progress(0, 1, note, values["least"], improved)
