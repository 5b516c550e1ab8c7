"""The question `large`: the maximum of an empty board of any size, and a good board at once.

Points with row + 2 * column the same modulo 5 dominate the endless grid, each point once. On a
board such a pattern is cut out, one line wider all around; what lies on that outer line moves
inwards by one; and points that are not needed get their stones back. The best of the five
patterns and their mirror images misses the formula's maximum (`known`) by some strings only.
"""

from collections.abc import Sequence

from solvers.grid import neighbours
from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.maxstrings import form
from solvers.maxstrings.known import FORMULA_FROM, LARGEST, most_strings
from solvers.maxstrings.rules import FREE, STONES, Board, Move, Position, score
from solvers.maxstrings.study import BOARDS
from solvers.message import Message

FORMULA = Message(
    "Rows × columns − (⌊(rows + 2) × (columns + 2) ÷ 5⌋ − 4), from 16 rows and columns on: "
    "Gonçalves, Pinlou, Rao, Thomassé, The domination number of grids, 2011."
)
PERIOD = Message(
    "The search's table for a board so thin comes back to itself after some rows, so the maximum "
    "is known for any length."
)
SEARCH = Message("All checkerboard forms were compared.")


def large(kind: Kind[Position, Move], position: Position, *, size: list[int]) -> Run:
    """Ask for the most strings on an empty board of the size; what the position is doesn't matter.

    The value is proven. details: `source`, why it is known; `board`, a good board; `drawn`, how
    many strings that has; `gap`, how many it is short of the value; `table`, all of it in words;
    `files`, the board as text.
    """
    rows, columns = size
    yield Progress(0, 1)
    most = most_strings(rows, columns)
    if min(size) < FORMULA_FROM:
        # Thin boards are searched in no time, however long, and the pattern suits them badly.
        found = yield from form.best(form.codes((FREE * columns,) * rows))
        assert found is not None
        board = _checkered(found.board)
    else:
        board = good_board(rows, columns)
    drawn = score(board)
    text = "\n".join(board)
    file = Message("The board as text: x black, o white").to_json()
    table: list[list[object]] = [
        [Message("Most strings").to_json(), most],
        [Message("Why that is known").to_json(), source(rows, columns).to_json()],
        [Message("Strings of the board that comes with it").to_json(), drawn],
        [Message("Short of the maximum by").to_json(), most - drawn],
    ]
    size_said = Message("Board of {rows} × {columns}", {"rows": rows, "columns": columns})
    details = {
        "source": source(rows, columns).to_json(),
        "board": "/".join(board),
        "drawn": drawn,
        "gap": most - drawn,
        "table": {"head": [size_said.to_json(), Message("Answer").to_json()], "rows": table},
        "files": [{"name": f"max-strings-{rows}x{columns}.txt", "title": file, "text": text}],
    }
    return Answer(most, details=details)


def source(rows: int, columns: int) -> Message:
    """Return why the maximum of an empty board of this size is known."""
    if min(rows, columns) >= FORMULA_FROM:
        return FORMULA
    return PERIOD if max(rows, columns) > LARGEST else SEARCH


def good_board(rows: int, columns: int) -> Board:
    """Return a best board where one is kept, else a good one. Rows, columns >= 1."""
    if rows == columns <= len(BOARDS):
        return tuple(BOARDS[rows - 1].split("/"))
    return _checkered(good_form(rows, columns))


def _checkered(stands: Sequence[Sequence[bool]]) -> Board:
    """Return the stones of a checkerboard form in their colours."""
    return tuple(
        "".join(STONES[(r + c) % 2] if stone else FREE for c, stone in enumerate(row))
        for r, row in enumerate(stands)
    )


def good_form(rows: int, columns: int) -> list[list[bool]]:
    """Return a checkerboard form with many stones: True where one stands. Rows, columns >= 1."""
    patterns = (
        _thinned(_pattern(rows, columns, shift, step), rows, columns)
        for shift in range(5)
        for step in (2, 3)
    )
    empty = min(patterns, key=len)
    return [[(r, c) not in empty for c in range(columns)] for r in range(rows)]


def _pattern(rows: int, columns: int, shift: int, step: int) -> set[Cell]:
    """Return empty points that leave every stone a liberty."""
    return {
        (min(max(r, 0), rows - 1), min(max(c, 0), columns - 1))
        for r in range(-1, rows + 1)
        for c in range(-1, columns + 1)
        if (r + step * c + shift) % 5 == 0 and (0 <= r < rows or 0 <= c < columns)
    }


def _thinned(empty: set[Cell], rows: int, columns: int) -> set[Cell]:
    """Return the empty points without those that are not needed, and with those that are missing
    in the corners."""
    served: dict[Cell, int] = {(r, c): 0 for r in range(rows) for c in range(columns)}
    for point in served:
        near = (point, *neighbours(point, rows, columns))
        served[point] = sum(cell in empty for cell in near)
    for point, number in served.items():
        if number == 0:
            empty.add(point)
            for cell in (point, *neighbours(point, rows, columns)):
                served[cell] += 1
    for point in sorted(empty):
        near = (point, *neighbours(point, rows, columns))
        if all(served[cell] > 1 for cell in near):
            empty.remove(point)
            for cell in near:
                served[cell] -= 1
    return empty
