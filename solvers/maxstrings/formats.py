"""The texts a Max Strings board is read from.

Rows of signs, joined by `/` or one a line (`.../.x./...`), or a size alone (`9x9`); then, if
wanted, the number of strings that solves the puzzle (`9x9 61`). Blanks between the signs of a
line are passed over.

Also the two forms that Go has: diagrams as programs print them, with letters above and numbers
beside the board; and SGF (red-bean.com/sgf), of which the size, the stones set up (`AB`, `AW`,
`AE`) and the moves of the first branch are read, each as a stone set.
"""

import re
from collections.abc import Iterator
from itertools import product

from solvers.grid import check_width, unknown_sign
from solvers.kind import BadText, Cell
from solvers.maxstrings import rules
from solvers.maxstrings.maximum import LARGEST, bound, most_strings
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE, Position
from solvers.message import gettext_noop

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
_LETTERS_ABOVE = re.compile(r"\s*A(?: B(?: [C-T])*)?\s*", re.IGNORECASE)
_SGF = re.compile(r"\(\s*;")


def read_position(text: str) -> Position:
    """Return the start of a cleaned text. Raises BadText, naming the place."""
    if _SGF.match(text):
        points, goal = _read_sgf(text), None
    else:
        points, goal = split(_of_diagram(text))
    if all(letter == HOLE for row in points for letter in row):
        raise BadText("This board has no point. Leave at least one.")
    _check_liberties(points)
    if goal is not None:
        _check_goal(points, goal)
    return rules.start(points, goal)


def split_goal(text: str) -> tuple[str, str]:
    """Return the board's part of a text, and the goal behind it with the space before it."""
    board = text.rstrip("0123456789")
    digits = text[len(board) :]
    if not digits or _SIZE.fullmatch(text) or board.rstrip(_GAP) in ("", board):
        return text, ""
    return board.rstrip(_GAP), f" {digits}"


def split(text: str) -> tuple[rules.Board, int | None]:
    """Return the points and the goal of a text, whatever stands on them. Raises BadText."""
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
    rows_of_text = re.split("[/\n]", text)
    points = tuple(_row(number, row) for number, row in enumerate(rows_of_text, 1))
    for number, row in enumerate(points, 1):
        check_width(number, len(row), len(points[0]))
    check_size(len(points), len(points[0]))
    return points, goal


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
    """Raise BadText unless a board can have this size; say what is known of larger ones."""
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
    """Raise BadText where stones of the start can't have a liberty, whatever is added."""
    breathing = {colour: _breathing(points, colour + EITHER) for colour in STONES}
    for cell in rules.cells(points):
        letter = points[cell[0]][cell[1]]
        colours = STONES if letter == EITHER else (letter,) if letter in STONES else ()
        if colours and not any(cell in breathing[colour] for colour in colours):
            raise BadText(
                "The stone at row {row}, column {column} can never touch an empty point.", cell=cell
            )


def _breathing(points: rules.Board, letters: str) -> set[Cell]:
    """Return the cells of these letters whose string, as long as it can be made, meets a point
    that may be empty."""
    open_points = [cell for cell in rules.cells(points) if points[cell[0]][cell[1]] in FREE + EMPTY]
    return set(rules.connected(points, rules.around(points, open_points, letters), letters))


def _check_goal(points: rules.Board, goal: int) -> None:
    """Raise BadText for a goal that can't be reached, whatever stones are set."""
    most = bound(points)
    if goal > most:
        raise BadText(
            "{goal} strings can't be reached: a board of this shape holds {most} at most.",
            goal=goal,
            most=most,
        )


def _of_diagram(text: str) -> str:
    """Return the rows of a Go diagram, or the text as it is where it is none."""
    lines = text.split("\n")
    if not _LETTERS_ABOVE.fullmatch(lines[0]):
        return text
    rows = (line for line in lines if not _LETTERS_ABOVE.fullmatch(line))
    return "\n".join("".join(_unnumbered(row.split())) for row in rows)


def _unnumbered(words: list[str]) -> list[str]:
    """Return the signs of a diagram's row, without its number before and behind them."""
    if not words or not words[0].isdecimal():
        return words
    number, *signs = words
    return signs[: signs.index(number)] if number in signs else signs


def _read_sgf(text: str) -> rules.Board:
    """Return the points of a Go record, moves and all. Raises BadText."""
    rows = columns = LARGEST
    board: dict[Cell, str] = {}
    most = 8 * rows * columns
    for name, value in _properties(text):
        if name == "SZ":
            size = re.fullmatch(r"\s*([0-9]{1,4})(?:\s*:\s*([0-9]{1,4}))?\s*", value)
            if not size:
                raise BadText("“{value}” is not a size of a board.", value=value.strip()[:20])
            columns, rows = int(size[1]), int(size[2] or size[1])
            check_size(rows, columns)
        elif name in _SET_BY and value.strip():
            there = tuple(_sgf_cells(value.strip(), rows, columns))
            most -= len(there)
            if most < 0:
                raise BadText("This record sets stones on the same points again and again.")
            board |= dict.fromkeys(there, _SET_BY[name])
    letters = [[board.get((row, column), FREE) for column in range(columns)] for row in range(rows)]
    return tuple(map("".join, letters))


_SET_BY = {"AB": BLACK, "AW": WHITE, "AE": FREE, "B": BLACK, "W": WHITE}


def _properties(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and value of what the record's first branch says, in order. Raises BadText."""
    name, at = "", 0
    while at < len(text) and text[at] != ")":
        end = at + 1
        if text[at] == "[":
            while (end := text.find("]", end)) > 0 and text[end - 1] == "\\":
                end += 1
            if end < 0:
                raise BadText("A “[” in this record is never closed.")
            yield name, text[at + 1 : end]
            end += 1
        elif text[at].isupper():
            while text[end : end + 1].isupper():
                end += 1
            name = text[at:end]
        at = end


def _sgf_cells(value: str, rows: int, columns: int) -> Iterator[Cell]:
    """Yield the points of `cd`, or of all the rectangle `cd:ef`. Raises BadText."""
    corners = [(ord(c[1]) - 97, ord(c[0]) - 97) for c in re.findall("[a-z]{2}", value)]
    if not re.fullmatch("[a-z]{2}(:[a-z]{2})?", value) or not all(
        row < rows and column < columns for row, column in corners
    ):
        raise BadText(
            "“{value}” is no point of a board with {rows} rows and {columns} columns.",
            value=value[:20],
            rows=rows,
            columns=columns,
        )
    (top, left), (bottom, right) = corners[0], corners[-1]
    yield from product(range(top, bottom + 1), range(left, right + 1))


def write_notations(position: Position) -> dict[str, str]:
    """Return title -> the record of Go programs, for boards of stones and free points alone."""
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
    """Return the canonical text."""
    rows = "/".join(points)
    return rows if goal is None else f"{rows} {goal}"
