"""Diagrams of Go boards as text: the board that such a diagram shows.

Three shapes are read:

- The diagrams that Go programs print, with the letters of the columns above or below, the numbers
  of the rows beside the board, or bars around it (GNU Go, Pachi, Leela Zero, KataGo, Sgfmill). `X`
  is black and `O` is white in most of them, `#` is black and `o` is white in those of Sgfmill. The
  marks of the last move, `(X)` and `X1`, are read as the stone alone.
- Diagrams of Sensei's Library, in which each line begins with `$$`
  (senseis.xmp.net/?HowDiagramsWork). The first line has the colour that moves first (`$$W`) and the
  title. Digits are numbered stones, whose colours take turns. `B`, `#`, `Y` and `Z` are marked
  black stones, `W`, `@`, `Q` and `P` marked white ones. `C`, `S`, `T`, `M` and small letters are
  marked empty points, and `_` is outside the board.
- Boards that are drawn with lines (`├┼●┤`), as in Japanese texts.

If only a part of a board is shown, the part is the board. Nothing is captured.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from solvers.kind import BadText
from solvers.marks import JUNCTIONS, NUMBERED, SENSEI, is_lettering, is_rule
from solvers.message import gettext_noop
from solvers.sgf import BLACK, EMPTY, WHITE

OUTSIDE = "#"
"""The letter of a place in the returned rows that is not a point of the board."""

_PLAIN = (
    dict.fromkeys(".・･·+_,", EMPTY)
    | dict.fromkeys("xX●bB@*", BLACK)
    | dict.fromkeys("oO○〇◯wW", WHITE)
)
_SENSEI = (
    dict.fromkeys(".,abcdefghijklmnopqrstuvwxyzCSTM", EMPTY)
    | dict.fromkeys("XB#YZ", BLACK)
    | dict.fromkeys("OW@QP", WHITE)
    | {"_": OUTSIDE}
)
_DRAWN = dict.fromkeys(JUNCTIONS + "+・･·.", EMPTY) | _PLAIN
_SGFMILL = "#"
_BESIDE = re.compile(r"[\s※0-9一二三四五六七八九十]*")
"""The number of a row of a drawn board, in digits or in kanji."""
_HEADER = re.compile(r"\$\$(?P<settings>[BW]?c?[0-9]*(?:m[0-9]+)?)(?:\s+(?P<title>.*))?")
_LINE_ONLY = "─━═"
_BAR_ONLY = "│┃║"

SECOND = gettext_noop("Line {line}: a second board begins here, but only one can be read.")

Row = tuple[int, list[tuple[int, str]]]
"""The number of a line, and the signs in it with their columns; all count from 1."""


def read_diagram(text: str) -> tuple[str, ...]:
    """Return the rows of the board in a diagram, with the letters `x`, `o`, `.` and `#` for places
    outside the board. Raise BadText, naming the place."""
    if text.startswith(SENSEI):
        return _read_sensei(text)
    if any(sign in JUNCTIONS for sign in text) and not _has_bars(text):
        return _letters(_drawn_rows(text), _DRAWN)
    rows = list(_framed_rows(text))
    signs: Mapping[str, str] = _PLAIN
    used = {sign for _, row in rows for _, sign in row}
    if _SGFMILL in used:
        for line, row in rows:
            for column, sign in row:
                if _PLAIN.get(sign) == BLACK:
                    raise BadText(
                        "Line {line}, column {column}: “#” stands for a black stone in a diagram "
                        "with a frame, but “{sign}” does so, too. If “#” is a place without a "
                        "point, take away the letters, numbers and bars at the edge.",
                        line=line,
                        column=column,
                        sign=sign,
                    )
        signs = {**_PLAIN, _SGFMILL: BLACK}
    return _letters(rows, signs)


def sensei_title(line: str) -> str | None:
    """Return the title in the first line of a diagram of Sensei's Library; None if the line is
    something else, like a row of the board."""
    header = _HEADER.fullmatch(line.strip())
    if not header:
        return None
    title = (header["title"] or "").strip()
    if header["settings"]:
        return title
    words = title.split()
    if {".", ",", "|"} & {*words}:
        return None
    are_signs = all(sign in _SENSEI or sign in "|+-0123456789" for sign in "".join(words))
    is_spaced = len(words) > 1 and all(len(word) == 1 for word in words)
    is_closed = any(sign in "|.,+-" for sign in title) and not re.search("[a-z]{2}", title)
    return None if are_signs and (is_spaced or is_closed) else title


def _letters(rows: list[Row], signs: Mapping[str, str]) -> tuple[str, ...]:
    """Return the rows with the letter of each sign. Raise BadText for unknown signs and for rows of
    different lengths."""
    if not rows:
        raise BadText("There is no board yet.")
    letters = []
    for number, (line, row) in enumerate(rows, 1):
        for column, sign in row:
            if sign not in signs:
                raise BadText(
                    "Line {line}, column {column}: “{sign}” is neither a stone nor a point of a "
                    "Go board.",
                    line=line,
                    column=column,
                    sign=sign,
                )
        letters.append("".join(signs[sign] for _, sign in row))
        if len(row) != len(rows[0][1]):
            raise BadText(
                "The length of row {row} is {width}, but that of row 1 is {first}. All rows must "
                "be equally long.",
                row=number,
                width=len(row),
                first=len(rows[0][1]),
                line=line,
            )
    return tuple(letters)


def _has_bars(text: str) -> bool:
    """Return whether the lines of a text only surround the board, whose rows stand between bars."""
    bars = _BAR_ONLY + "|"
    rows = [row for line in text.split("\n") if (row := _BESIDE.sub("", line, count=1).strip())]
    return any(row[0] in bars and any(sign in _PLAIN for sign in row) for row in rows)


def _framed_rows(text: str) -> Iterator[Row]:
    """Yield the rows of a diagram with letters, numbers or bars at its edges."""
    lines = [
        (number, line, NUMBERED.fullmatch(line))
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not is_lettering(line) and not _is_edge(line)
    ]
    numbered = [number for number, _, match in lines if match]
    if len(numbered) > 1:
        # Remarks of the program stand above and below the numbered rows.
        lines = [each for each in lines if numbered[0] <= each[0] <= numbered[-1]]
        _check_numbers([(number, match[1] if match else "") for number, _, match in lines])
    for number, line, match in lines:
        yield number, list(_signs(line, match.start(2) if match else 0))


def _check_numbers(rows: Sequence[tuple[int, str]]) -> None:
    """Raise BadText unless the rows, each with its line, are numbered without a gap."""
    step = 1 if int(rows[0][1]) < int(rows[-1][1]) else -1
    for index, (line, number) in enumerate(rows):
        wanted = int(rows[0][1]) + step * index
        if number == "" or int(number) != wanted:
            raise BadText(
                "Line {line}: the row of the diagram with the number {number} should stand here.",
                line=line,
                number=wanted,
            )


def _is_edge(line: str) -> bool:
    """Return whether a line is the edge above or below the board."""
    return is_rule(line) or bool(re.fullmatch(rf"\s*[{JUNCTIONS}+][{_LINE_ONLY}-]+\S?\s*", line))


def _signs(line: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield the signs of a row from an index on, up to the number that is repeated behind it."""
    before = " "
    for index in range(start, len(line)):
        sign = line[index]
        if sign in "0123456789":
            if before in " \t|│":
                return
            # KataGo numbers the last moves behind their stones.
        elif sign not in " \t|()" + _BAR_ONLY:
            yield index + 1, sign
        before = sign


def _drawn_rows(text: str) -> list[Row]:
    """Return the rows of a board that is drawn with lines."""
    rows = []
    numbers = []
    for number, line in enumerate(text.split("\n"), 1):
        points = [index for index, sign in enumerate(line) if sign in JUNCTIONS + "●○◯〇"]
        if not points:
            continue
        beside = _BESIDE.match(line)
        start = beside.end() if beside else 0
        numbers.append((number, line[:start].strip(" ※\t")))
        signs = [
            (index + 1, line[index])
            for index in range(start, points[-1] + 1)
            if line[index] not in " \t" + _LINE_ONLY + _BAR_ONLY
        ]
        rows.append((number, signs))
    if len(rows) > 1 and all(told.isdecimal() for _, told in numbers):
        _check_numbers(numbers)
    return rows


def _read_sensei(text: str) -> tuple[str, ...]:
    """Return the rows of a diagram of Sensei's Library."""
    lines = list(enumerate(text.split("\n"), 1))
    first_line = lines[0][1].strip()
    if sensei_title(first_line) is not None:
        lines = lines[1:]
    odd, even = (WHITE, BLACK) if first_line.startswith("$$W") else (BLACK, WHITE)
    numbers = {digit: odd if int(digit) % 2 else even for digit in "0123456789"}
    rows: list[Row] = []
    for number, line in lines:
        if not line.strip():
            continue
        if not line.lstrip().startswith(SENSEI):
            raise BadText("Line {line}: each line of this diagram begins with “$$”.", line=number)
        start = line.index(SENSEI) + len(SENSEI)
        body = line[start:].strip()
        # Lines in brackets and braces hold links, arrows and lines.
        if not body or body[0] in "[{" or re.fullmatch(r"[-+|\s]+", body):
            continue
        if rows and sensei_title(line) is not None:
            raise BadText(SECOND, line=number)
        signs = [(i + 1, line[i]) for i in range(start, len(line)) if line[i] not in " \t|+-"]
        rows.append((number, signs))
    return _letters(rows, {**_SENSEI, **numbers})
