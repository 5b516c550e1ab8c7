"""The text formats from which a Max Strings board is read.

A board is rows of signs, joined by `/` or one per line (`.../.x./...`), or only a size (`9x9`). The
number of strings that solves the puzzle may follow (`9x9 61`). Blanks between the signs of a line
are ignored.

Two formats of Go are also read: diagrams of Go boards (`solvers.go_diagrams`), and game records
(`solvers.sgf`), which give the board after the captures. In a diagram with letters, numbers or bars
at its edges `#` is a black stone; elsewhere it is a place without a point.
"""

import re

from solvers.go_diagrams import OUTSIDE, read_diagram
from solvers.grid import board_rows, check_width, unknown_sign
from solvers.kind import BadText, Cell
from solvers.marks import is_go_diagram
from solvers.maxstrings import rules
from solvers.maxstrings.maximum import LARGEST, bound, most_strings
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE, Position
from solvers.message import gettext_noop
from solvers.sgf import is_record, read_record

_SIGNS = {
    FREE: ".・･·+＋_,",
    BLACK: "xX●bB@*",
    WHITE: "oO○〇◯wW",
    EITHER: "sS",
    EMPTY: "-ー−",
    HOLE: "#",
}
_LETTER = {sign: letter for letter, signs in _SIGNS.items() for sign in signs}
_SIZE = re.compile(r"([0-9]{1,9}) *[x×*] *([0-9]{1,9})", re.IGNORECASE)
_GAP = "/ \t\n"


def read_position(text: str) -> Position:
    """Return the start that a cleaned text describes. Raise BadText, naming the place."""
    points: rules.Board
    goal: int | None = None
    if is_record(text):
        points = read_record(text)
        check_size(len(points), len(points[0]))
    elif is_go_diagram(text):
        points = tuple(row.replace(OUTSIDE, HOLE) for row in read_diagram(text))
        check_size(len(points), len(points[0]))
    else:
        points, goal = split(text)
    if all(letter == HOLE for row in points for letter in row):
        raise BadText("This board has no point. Leave at least one.")
    _check_liberties(points)
    if goal is not None:
        _check_goal(points, goal)
    return rules.start(points, goal)


def split_goal(text: str) -> tuple[str, str]:
    """Return the board in a text, and the goal after it with a space before it. The goal is empty
    if there is none."""
    board = text.rstrip("0123456789")
    digits = text[len(board) :]
    if not digits or _SIZE.fullmatch(text) or board.rstrip(_GAP) in ("", board):
        return text, ""
    return board.rstrip(_GAP), f" {digits}"


def split(text: str) -> tuple[rules.Board, int | None]:
    """Return the points and the goal of a text, without checking the stones. Raise BadText."""
    text, digits = split_goal(text)
    if len(digits) > 4:
        raise BadText("“{number}” strings are too many for any board.", number=digits[1:20])
    goal = int(digits) if digits else None
    size = _SIZE.fullmatch(text.strip())
    if size:
        rows, columns = int(size[1]), int(size[2])
        check_size(rows, columns)
        return (FREE * columns,) * rows, goal
    if not text:
        raise BadText("There is no board yet.")
    rows_of_text = list(enumerate(board_rows(text), 1))
    if "/" not in text:
        _check_blocks(text)
        rows_of_text = [(number, row) for number, row in rows_of_text if row.strip()]
    points = tuple(_row(number, row) for number, row in rows_of_text)
    for (number, _), row in zip(rows_of_text, points):
        check_width(number, len(row), len(points[0]))
    check_size(len(points), len(points[0]))
    return points, goal


def _check_blocks(text: str) -> None:
    """Raise BadText if blank lines separate blocks of several rows, which are boards of their own.
    A blank line after each row is none."""
    blocks = re.split(r"\n(?:[ \t]*\n)+", text)
    if len(blocks) > 1 and max(block.count("\n") for block in blocks):
        line = text[: text.index(blocks[1], len(blocks[0]))].count("\n") + 1
        raise BadText(
            "Line {line}: a second board begins here, but only one can be read. Take out the blank "
            "line before it if it belongs to the same board.",
            line=line,
        )


def _row(number: int, text: str) -> str:
    letters = []
    for column, sign in enumerate(text, 1):
        if sign in " \t":
            continue
        if sign not in _LETTER:
            raise unknown_sign(sign, (number, column), _SIGNS)
        letters.append(_LETTER[sign])
    return "".join(letters)


def check_size(rows: int, columns: int) -> None:
    """Raise BadText unless a board can have this size. The message for larger boards gives their
    maximum."""
    if 1 <= rows <= LARGEST and 1 <= columns <= LARGEST:
        return
    if rows < 1 or columns < 1:
        raise BadText("There is no board yet.")
    if max(rows, columns) > 10_000:
        raise BadText("Boards have at most {most} rows and columns.", most=LARGEST)
    raise BadText(
        "Boards have at most {largest} rows and columns. The maximum on {rows}×{columns} is known "
        "all the same: {most} strings. “Discover” tells why and shows a board; so does “large” on "
        "the command line.",
        largest=LARGEST,
        rows=rows,
        columns=columns,
        most=most_strings(rows, columns),
    )


def _check_liberties(points: rules.Board) -> None:
    """Raise BadText if stones of the start can't have a liberty, whatever is added."""
    may_live = {colour: _cells_with_liberty(points, colour + EITHER) for colour in STONES}
    for cell in rules.cells(points):
        letter = points[cell[0]][cell[1]]
        colours = STONES if letter == EITHER else (letter,) if letter in STONES else ()
        if colours and not any(cell in may_live[colour] for colour in colours):
            raise BadText(
                "The stone at row {row}, column {column} can never touch an empty point.", cell=cell
            )


def _cells_with_liberty(points: rules.Board, letters: str) -> set[Cell]:
    """Return the cells with these letters whose string, if it grows as far as possible, touches a
    point that may be empty."""
    open_points = [cell for cell in rules.cells(points) if points[cell[0]][cell[1]] in FREE + EMPTY]
    return set(rules.connected(points, rules.around(points, open_points, letters), letters))


def _check_goal(points: rules.Board, goal: int) -> None:
    """Raise BadText if the goal can't be reached, whatever stones are set."""
    most = bound(points)
    if goal > most:
        raise BadText(
            "{goal} strings can't be reached: a board of this shape holds {most} at most.",
            goal=goal,
            most=most,
        )


def write_notations(position: Position) -> dict[str, str]:
    """Return the record of Go programs by its title, if the board has only stones and free points
    and no goal."""
    if position.goal is not None or not set("".join(position.points)) <= {FREE, *STONES}:
        return {}
    size = f"{position.columns}:{position.rows}"
    if position.rows == position.columns:
        size = str(position.rows)
    stones = ""
    for name, colour in (("AB", BLACK), ("AW", WHITE)):
        there = [
            f"[{chr(97 + column)}{chr(97 + row)}]"
            for row, column in rules.cells(position.points)
            if position.points[row][column] == colour
        ]
        stones += name + "".join(there) if there else ""
    return {gettext_noop("SGF, the record of Go programs"): f"(;GM[1]FF[4]SZ[{size}]{stones})"}


def write(points: rules.Board, goal: int | None) -> str:
    """Return the canonical text of a start."""
    rows = "/".join(points)
    return rows if goal is None else f"{rows} {goal}"
