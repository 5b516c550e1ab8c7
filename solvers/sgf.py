"""Game records of Go programs (SGF, red-bean.com/sgf): the board at the end of the first branch.

The `;` before the first node may be missing, and other text may stand before and after the game.

The size, the stones set up (`AB`, `AW`, `AE`) and the moves (`B`, `W`) are read in the order of the
record. A move captures as in Go. Strings of the other colour without a liberty leave the board, and
then the string of the move itself if it has none. Stones that are set up capture nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from solvers.grid import neighbours
from solvers.kind import BadText, Cell
from solvers.marks import GAME, is_sgf
from solvers.message import gettext_noop

BLACK, WHITE, EMPTY = "xo."

LARGEST = 19
"""The most rows and columns. SGF defines `tt` as a pass on boards up to this size."""

SEVERAL = gettext_noop("This text has {number} game records, but only one board can be read.")

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<name>[A-Za-z]*[A-Z][a-z]*)                  # the long names of old records: AddBlack
        |\[(?P<value>(?:[^\]\\]|\\.)*)\]
        |(?P<sign>[();])
    )""",
    re.VERBOSE | re.DOTALL,
)
_STRUCTURE = re.compile(r"[\[()]")
_VALUE = re.compile(r"(?:[^\]\\]|\\.)*\]", re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")
_POINT = re.compile("[a-s]{2}")
_COLOURS = {"B": BLACK, "W": WHITE}
_SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}


class _Property(NamedTuple):
    """A property of a node and its values in the record."""

    name: str
    values: Sequence[str]


def is_record(text: str) -> bool:
    """Return whether a text contains a game record. Other text may stand before it."""
    return is_sgf(text)


def games_in(text: str) -> list[str]:
    """Return the games of a collection, each from its first to its last parenthesis. The last one
    may be cut off."""
    games = []
    at = 0
    while begin := GAME.search(text, at):
        at = _end_of_game(text, begin.start())
        games.append(text[begin.start() : at])
    return games


def _end_of_game(text: str, at: int) -> int:
    """Return the index behind the parenthesis that closes the one at this index, or the length of
    the text if there is none."""
    depth = 0
    while token := _STRUCTURE.search(text, at):
        at = token.end()
        if token[0] == "[":
            value = _VALUE.match(text, at)
            if not value:
                break
            at = value.end()
            continue
        depth += 1 if token[0] == "(" else -1
        if depth == 0:
            return at
    return len(text)


def read_record(text: str) -> tuple[str, ...]:
    """Return the rows of the board at the end of the record, with the letters `x`, `o` and `.`.

    Raise BadText if the text is not a record of Go, can't be read, or has several games.
    """
    if (number := len(games_in(text))) > 1:
        raise BadText(SEVERAL, number=number)
    properties = list(_first_branch(text))
    rows, columns = _size(properties)
    board = _Board(rows, columns)
    for name, values in properties:
        for value in values:
            for row, column in _cells(name, value.strip(), rows, columns):
                if name in _COLOURS:
                    board.play(row * columns + column, _COLOURS[name])
                else:
                    board.set(row * columns + column, _SET_UP[name])
    signs = "".join(board.signs)
    return tuple(signs[first : first + columns] for first in range(0, len(signs), columns))


class _Board:
    """A Go board, point by point. It limits its work, because a record can demand very much."""

    def __init__(self, rows: int, columns: int) -> None:
        points = list(product(range(rows), range(columns)))
        self.signs = [EMPTY] * len(points)
        self._beside = [
            [row * columns + column for row, column in neighbours(point, rows, columns)]
            for point in points
        ]
        self._left = 250 * len(points)
        """The number of points that may still be examined. A real game needs a tenth of them."""

    def set(self, point: int, sign: str) -> None:
        """Put a stone on a point, or remove the stone from it."""
        self._use(1)
        self.signs[point] = sign

    def play(self, point: int, colour: str) -> None:
        """Set a stone and remove the stones that it captures. As the standard demands, a record's
        move is made even on an occupied point."""
        self.set(point, colour)
        others = [near for near in self._beside[point] if self.signs[near] not in (EMPTY, colour)]
        for stone in (*others, point):
            if self.signs[stone] != EMPTY:
                for captured in self._without_liberty(stone):
                    self.signs[captured] = EMPTY

    def _without_liberty(self, stone: int) -> list[int]:
        """Return the points of a stone's string if it has no liberty, else an empty list."""
        signs, colour = self.signs, self.signs[stone]
        string, seen = [stone], {stone}
        for each in string:
            for near in self._beside[each]:
                if signs[near] == EMPTY:
                    self._use(len(string))
                    return []
                if signs[near] == colour and near not in seen:
                    seen.add(near)
                    string.append(near)
        self._use(len(string))
        return string

    def _use(self, points: int) -> None:
        self._left -= points
        if self._left < 0:
            raise BadText("This record sets stones on the same points again and again.")


def _first_branch(text: str) -> Iterator[_Property]:
    """Yield the properties of the first game's first branch, in order. Raise BadText for errors."""
    begin = GAME.search(text)
    at = begin.start() if begin else 0
    name = ""
    values: list[str] = []
    while True:
        token = _TOKEN.match(text, at)
        if not token:
            raise _unreadable(text, at)
        value = token["value"]
        if value is None:
            if name and not values:
                raise _unreadable(text, at)
            if name:
                yield _Property(name, tuple(values))
            name = "".join(filter(str.isupper, token["name"] or ""))
            values = []
        elif name:
            values.append(value)
        else:
            raise _unreadable(text, at)
        if token["sign"] == ")":
            return
        at = token.end()


def _unreadable(text: str, at: int) -> BadText:
    """Return the error for a record that can't be read from index `at` on."""
    at += len(text[at:]) - len(text[at:].lstrip())
    if at >= len(text):
        return BadText("This record breaks off: its last “)” is missing.")
    if text[at] == "[" and not _TOKEN.match(text, at):
        return BadText("A “[” in this record is never closed.")
    return BadText(
        "Line {line}, column {column}: this record can't be read from “{text}” on.",
        line=text.count("\n", 0, at) + 1,
        column=at - text.rfind("\n", 0, at),
        text=text[at : at + 20].split("\n")[0],
    )


def _size(properties: Sequence[_Property]) -> tuple[int, int]:
    """Return the rows and columns of the board. Raise BadText if the size is invalid."""
    values_by_name = {name: values[-1].strip() for name, values in reversed(properties)}
    if values_by_name.get("GM", "1") != "1":
        raise BadText("This is the record of another game, not of Go.")
    text = values_by_name.get("SZ", str(LARGEST))
    size = _SIZE.fullmatch(text)
    if not size:
        raise BadText("“{value}” is not a size of a board.", value=text[:20])
    columns, rows = int(size[1]), int(size[2] or size[1])
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
        raise BadText(
            "The size of this record's board, rows × columns, is {rows} × {columns}. At most "
            "{most} × {most} is possible.",
            rows=rows,
            columns=columns,
            most=LARGEST,
        )
    return rows, columns


def _cells(name: str, value: str, rows: int, columns: int) -> Iterator[Cell]:
    """Yield the points that a property's value names: a point `cd`, or a rectangle `cd:ef`. Yield
    none for a pass and for properties that do not concern stones. Raise BadText for all others."""
    if name in _COLOURS and value in ("", "tt"):
        return
    if name not in _COLOURS and name not in _SET_UP:
        return
    corners = value.split(":") if name in _SET_UP else [value]
    places = [(ord(c[1]) - 97, ord(c[0]) - 97) for c in corners if _POINT.fullmatch(c)]
    on_board = all(row < rows and column < columns for row, column in places)
    if len(places) != len(corners) or len(places) > 2 or not on_board:
        raise BadText(
            "“{value}” is not a point of this board. Its size, rows × columns, is {rows} × "
            "{columns}.",
            value=value[:20],
            rows=rows,
            columns=columns,
        )
    (top, left), (bottom, right) = min(places), max(places)
    left, right = min(left, right), max(left, right)
    yield from product(range(top, bottom + 1), range(left, right + 1))
