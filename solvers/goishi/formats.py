"""The texts a Goishi Hiroi board is read from.

Rows of signs (`o.oo/oo..`, or one row a line), the same rows between quotation
marks (the C# study's files, where a space is an empty point), and the school
poster's input: the number of stones, then `x y` for each stone, y upwards. The
formats of other programs are in `pzpr`.
"""

import re

from solvers.goishi import pzpr
from solvers.goishi.limits import LARGEST, check_size, start
from solvers.goishi.rules import Position
from solvers.grid import check_width
from solvers.kind import BadText, Place

STONES = "oO○〇◯●◎xX*"
EMPTY = ".・･·‥_=+-"
_QUOTES = "\"'“”„‟‘’「」『』"
_QUOTED = re.compile(f"[{_QUOTES}](.*)[{_QUOTES}][,;]?")
_NUMBERS = re.compile(r"[0-9+\-,.()\s]*[0-9][0-9+\-,.()\s]*")


def read_board(text: str) -> Position:
    """Return the start of a cleaned text in any of the formats, played on as far as a file says.

    Raises BadText, or IllegalMove when a file's order of picking breaks the rules.
    """
    if not text:
        raise BadText("The board is empty. Put at least one stone on it.")
    if pzpr.is_address(text):
        return pzpr.read_address(text)
    if pzpr.is_pzprv3(text):
        return pzpr.read_pzprv3(text)
    if pzpr.is_pencilbox(text):
        return pzpr.read_pencilbox(text)
    return _read_pairs(text) if _NUMBERS.fullmatch(text) else _read_rows(text)


def _read_rows(text: str) -> Position:
    lines = [_unquoted(line) for line in re.split("[/\n]", text)]
    width = len(lines[0][0])
    check_size(len(lines), width)
    stones = 0
    sign_used = ""
    for row, (line, offset, blank) in enumerate(lines):
        for column, sign in enumerate(line):
            if sign in STONES:
                sign = sign.lower()
                if sign_used and sign != sign_used:
                    raise BadText(
                        "Line {line}, column {column}: two signs stand for stones here, “{first}” "
                        "and “{second}”. Use one of them, and “.” for an empty point.",
                        line=row + 1,
                        column=column + offset,
                        first=sign_used,
                        second=sign,
                        place=Place(line=row + 1, column=column + offset),
                    )
                sign_used = sign
                stones |= 1 << (row * width + column)
            elif sign not in EMPTY and sign not in blank:
                raise _unknown_sign(row + 1, column + offset, sign)
        check_width(row + 1, len(line), width)
    return start(len(lines), width, stones)


def _unquoted(line: str) -> tuple[str, int, str]:
    """Return a row's signs, the column of the first, and the blanks it may hold."""
    match = _QUOTED.fullmatch(line.strip())
    if match:
        start = len(line) - len(line.lstrip()) + 2
        return match[1], start, " "
    return line.strip(), len(line) - len(line.lstrip()) + 1, ""


def _unknown_sign(line: int, column: int, sign: str) -> BadText:
    place = Place(line=line, column=column)
    if sign.isspace():
        return BadText(
            "Line {line}, column {column}: a space is an empty point only between quotation "
            "marks. Write “.” for an empty point.",
            line=line,
            column=column,
            place=place,
        )
    return BadText(
        "Line {line}, column {column}: “{sign}” is neither a stone (“o”) nor an empty point (“.”).",
        line=line,
        column=column,
        sign=sign,
        place=place,
    )


def _read_pairs(text: str) -> Position:
    words = [
        (word, number)
        for number, line in enumerate(text.split("\n"), 1)
        for word in re.sub("[,()]", " ", line).split()
    ]
    (first, line), *rest = words
    count = _number(first, line, 9999)
    if count > LARGEST * LARGEST:
        raise BadText(
            "Number of stones: {count}. At most {most} are possible, a full Go board.",
            count=count,
            most=LARGEST * LARGEST,
            place=Place(line=line),
        )
    numbers = [(_number(word, number, 9999), number) for word, number in rest]
    if len(numbers) % 2:
        raise BadText(
            "Line {line}: this coordinate has no partner. Each stone is a pair “x y”.",
            line=numbers[-1][1],
            place=Place(line=numbers[-1][1]),
        )
    entries: dict[tuple[int, int], int] = {}
    for entry, ((x, line), (y, _)) in enumerate(zip(numbers[::2], numbers[1::2]), 1):
        if (x, y) in entries:
            raise BadText(
                "Stones {first} and {second} both stand at {x} {y}. Take one of them out.",
                first=entries[x, y],
                second=entry,
                x=x,
                y=y,
                place=Place(line=line),
            )
        entries[x, y] = entry
    if len(entries) != count:
        raise BadText(
            "The first number is {count}, but the number of stones that follow is {pairs}.",
            count=count,
            pairs=len(entries),
            place=Place(line=1),
        )
    if not entries:
        raise BadText("The board is empty. Put at least one stone on it.")
    xs, ys = zip(*entries)
    columns, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    check_size(rows, columns)
    stones = sum(1 << ((max(ys) - y) * columns + x - min(xs)) for x, y in entries)
    return start(rows, columns, stones)


def _number(word: str, line: int, most: int) -> int:
    if not re.fullmatch(r"\+?[0-9]+", word):
        raise BadText(
            "Line {line}: “{number}” is not a whole number from 0 on.",
            line=line,
            number=word[:20],
            place=Place(line=line),
        )
    if len(word.lstrip("+0")) > len(str(most)) or int(word) > most:
        raise BadText(
            "Line {line}: {number} is too large. The largest number that makes sense here "
            "is {most}.",
            line=line,
            number=word if len(word) <= 20 else word[:20] + "…",
            most=most,
            place=Place(line=line),
        )
    return int(word)
