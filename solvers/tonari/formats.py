"""The texts from which a Tonari Othello puzzle is read.

A puzzle is written in one of two formats:

- Rows of the wanted colours, `b` and `w`, with a capital where a start stone stands:
  `Bbb/bbb/bbb`. The rows may also stand on lines of their own, with or without blanks between the
  signs. `●`, `■` and `黒` serve as `b`; `○`, `□` and `白` serve as `w`. A size before the rows is
  checked. Start stones may be named behind the rows: `■■□/■□■/■■■ 11`.
- The study's names of cells, two digits for row and column: `4x4 11` is the study's 4x4 puzzle,
  and `4x4 11 white 13 14 23 24` is one with white points in its target.
"""

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_

from solvers.grid import board_rows, letter_rows
from solvers.kind import BadText
from solvers.tonari.rules import Position

SMALLEST, LARGEST = 2, 8
"""The smallest and the largest number of rows, and of columns."""

_SIGNS = str.maketrans("●■⬛黒○□⬜白", "bbbbwwww", "\ufe0f")
_SIZED = re.compile(r"([0-9]{1,9})\s*[xX×]\s*([0-9]{1,9})(?:\s+(.*))?", re.DOTALL)
_BLANK = " \t"

_ROWS = re.compile(r"[bwBW●■⬛黒○□⬜白\ufe0f/\s]*[bwBW●■⬛黒○□⬜白\ufe0f]\s*[0-9\s]*")
"""Matches the text behind a size that is a picture and not a list of cell names."""


def read_puzzle(text: str) -> Position:
    """Return the start that a cleaned text in either format describes.

    Raises BadText for any other text.
    """
    if not text:
        raise BadText("There is no board yet.")
    sized = _SIZED.fullmatch(text)
    if not sized:
        return _read_rows(text)
    rows, columns, rest = int(sized[1]), int(sized[2]), sized[3] or ""
    if _ROWS.fullmatch(rest):
        return _read_rows(rest, (rows, columns))
    return _read_named(rows, columns, rest)


def _read_rows(text: str, size: tuple[int, int] | None = None) -> Position:
    """Return the start that a picture shows. The picture must have the `size`, if one is passed."""
    picture = text.rstrip("0123456789 \t\n")
    names = text[len(picture) :].split()
    lines = [_joined(line.strip(_BLANK)) for line in board_rows(picture.translate(_SIGNS))]
    rows = letter_rows("/".join(lines), "bwBW")
    actual = len(rows), len(rows[0])
    if size and actual != size:
        raise BadText(
            "The size is given as {rows}x{columns}, but the target has {found}.",
            rows=size[0],
            columns=size[1],
            found=f"{actual[0]}x{actual[1]}",
        )
    check_size(*actual)
    letters = "".join(rows)
    return _puzzle(
        *actual,
        white=_bits(letter in "wW" for letter in letters),
        starts=_bits(letter in "BW" for letter in letters)
        | reduce(or_, (1 << _named_cell(word, *actual) for word in names), 0),
    )


def _joined(line: str) -> str:
    """Return the line without its blanks if blanks stand between all its signs, else as it is."""
    signs = line.split()
    return "".join(signs) if len(signs) > 1 and all(len(sign) == 1 for sign in signs) else line


def check_size(rows: int, columns: int) -> None:
    """Raise BadText, with the possible sizes, for a board that is too small or too large."""
    if not (SMALLEST <= rows <= LARGEST and SMALLEST <= columns <= LARGEST):
        raise BadText(
            "A board of {rows}x{columns} is not possible. Boards go from 2x2 to 8x8; solutions "
            "can be counted exactly up to about 6x6.",
            rows=rows,
            columns=columns,
        )


def _read_named(rows: int, columns: int, names: str) -> Position:
    check_size(rows, columns)
    sets: dict[str, int] = {"start": 0, "white": 0}
    chosen = "start"
    for word in names.split():
        if word.lower() in ("white", "白"):
            chosen = "white"
            continue
        sets[chosen] |= 1 << _named_cell(word, rows, columns)
    return _puzzle(rows, columns, white=sets["white"], starts=sets["start"])


def _named_cell(word: str, rows: int, columns: int) -> int:
    if not re.fullmatch("[0-9]{2}", word):
        raise BadText(
            "“{word}” is not the name of a point. A name has two digits, the row and then the "
            "column: 23 is row 2, column 3.",
            word=word[:20],
        )
    row, column = int(word[0]), int(word[1])
    if not (1 <= row <= rows and 1 <= column <= columns):
        raise BadText(
            "There is no point “{word}” on a board with {rows} rows and {columns} columns.",
            word=word,
            rows=rows,
            columns=columns,
        )
    return (row - 1) * columns + column - 1


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


def _puzzle(rows: int, columns: int, white: int, starts: int) -> Position:
    if not starts:
        raise BadText("There is no start stone yet. Put one or more on the board.")
    return Position(rows, columns, white, starts)
