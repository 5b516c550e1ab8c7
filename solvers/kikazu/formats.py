"""The texts a start is read from and written to: SFEN, the notation of shogi programs.

`9/9/3K5/9/9/4-4/9/9/9 2R2B18P`: rows from the top joined by `/` (or one row a line),
digits for runs of empty squares, capitals for the pieces given, `-` for a square that must
stay empty; then the pieces to place, their number in front where it is more than one.
Also read: the longer `sfen ... b 2R2B18P 1`, `.` for one empty square, Japanese letters
for the pieces, and hands with the numbers behind (`R2 B2 P18`).
"""

import re
from typing import NamedTuple

from solvers.kikazu.rules import (
    BARRED,
    EMPTY,
    LARGEST,
    PIECES,
    SMALLEST,
    Position,
    attack_message,
    conflicts,
)
from solvers.kind import BadText, Place, check_length

KANJI = {"R": "飛", "B": "角", "K": "王", "G": "金", "S": "銀", "N": "桂", "L": "香", "P": "歩"}

_LETTERS = {ord(kanji): letter for letter, kanji in KANJI.items()} | {
    ord("玉"): "K",
    ord("・"): EMPTY,
    ord("･"): EMPTY,
    ord("‐"): BARRED,
    ord("−"): BARRED,
}
_PREFIX = re.compile(r"\A\s*(?:position\s+)?sfen\s+", re.IGNORECASE)
# Each line is looked at once: a run of blank lines would else be gone through from each of them.
_HAND_LINE = re.compile(r"(?<=\n)[^\S\n]*(?:hand|持ち?駒)\s*:?\s*", re.IGNORECASE)
_TURN = re.compile(r"[bw]\s+(\S+)(?:\s+[0-9]+)?")
_NUMBER_FIRST = re.compile(r"(?P<number>[0-9]{0,2})(?P<piece>[RBKGSNLP])")
_NUMBER_LAST = re.compile(r"(?P<piece>[RBKGSNLP])(?P<number>[0-9]{0,2})")


class Draft(NamedTuple):
    """A start that is written down but not checked against the rules."""

    rows: int
    columns: int
    given: str
    stock: tuple[int, ...]


def read_start(text: str) -> Position:
    """Return the start of a cleaned text. Raises BadText, naming the place."""
    draft = read_draft(text)
    check_size(draft.rows, draft.columns)
    position = Position(*draft)
    clash = next(iter(conflicts(position)), None)
    if clash:
        message = attack_message(position, *clash)
        raise BadText(message.text, place=Place(cell=clash[1]), **message.values)
    if not any(draft.stock):
        raise BadText("The hand is empty: there is nothing to place.")
    if sum(draft.stock) > draft.given.count(EMPTY):
        raise BadText(
            "There are {pieces} pieces to place, but only {squares} squares are free.",
            pieces=sum(draft.stock),
            squares=draft.given.count(EMPTY),
        )
    return position


def read_draft(text: str) -> Draft:
    """Return what a text says, whether or not it makes a puzzle. Raises BadText."""
    check_length(text)
    text = _PREFIX.sub("", text.translate(_LETTERS), count=1)
    board, hand = _board_and_hand(text)
    if not board:
        raise BadText("There is no board yet.")
    rows = [_squares(number, row) for number, row in enumerate(board.split("/"), 1)]
    for number, squares in enumerate(rows, 1):
        if len(squares) != len(rows[0]):
            raise BadText(
                "Row {row} has {width} squares, but row 1 has {first}. All rows must be equally "
                "long.",
                row=number,
                width=len(squares),
                first=len(rows[0]),
                place=Place(line=number),
            )
    check_size(len(rows), len(rows[0]), 1)
    return Draft(len(rows), len(rows[0]), "".join(rows), _stock(hand))


def check_size(rows: int, columns: int, least: int = SMALLEST) -> None:
    """Raise BadText unless the board has `least` to `LARGEST` rows and columns."""
    if min(rows, columns) < least or max(rows, columns) > LARGEST:
        raise BadText(
            "The board has {rows} rows and {columns} columns. It can have {least} to {most} of "
            "each.",
            rows=rows,
            columns=columns,
            least=least,
            most=LARGEST,
        )


def write_draft(position: Draft | Position) -> str:
    """Return the canonical text: rows with runs of empty squares as digits, and the hand."""
    rows = (
        position.given[first : first + position.columns]
        for first in range(0, len(position.given), position.columns)
    )
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{board} {write_hand(position.stock)}"


def write_hand(stock: tuple[int, ...]) -> str:
    """Return the pieces as SFEN writes a hand; `-` for an empty one."""
    counted = zip(PIECES, stock)
    return "".join(f"{n if n > 1 else ''}{piece}" for piece, n in counted if n) or BARRED


def _board_and_hand(text: str) -> tuple[str, str]:
    board, marked, hand = _HAND_LINE.sub("\0", text, count=1).partition("\0")
    if not marked:
        if "/" in text:
            board, _, hand = text.strip().replace("\n", " ").partition(" ")
        else:
            # A row a line; the hand stands behind the last row.
            above, _, last = text.strip().rpartition("\n")
            row, _, hand = last.strip().partition(" ")
            board = f"{above}\n{row}" if above else row
    board = "/".join(row.strip() for row in board.strip().split("\n"))
    hand = hand.strip()
    turn = _TURN.fullmatch(hand)
    return board, turn[1] if turn else hand


def _squares(number: int, row: str) -> str:
    squares = ""
    for column, sign in enumerate(row, 1):
        place = Place(line=number, column=column)
        if sign in "123456789":
            squares += EMPTY * int(sign)
        elif sign in PIECES or sign in (EMPTY, BARRED):
            squares += sign
        elif sign == "+":
            raise BadText(
                "Row {row}: “+” marks a promoted piece. Only pieces that are not promoted are "
                "used here.",
                row=number,
                place=place,
            )
        elif sign.upper() in PIECES:
            raise BadText(
                "Row {row}: the small letter “{sign}” is a piece of the other side, facing down. "
                "Here all pieces face up: write “{capital}”.",
                row=number,
                sign=sign,
                capital=sign.upper(),
                place=place,
            )
        else:
            raise BadText(
                "Row {row}: “{sign}” has no meaning here. Pieces are R B K G S N L P, a digit is "
                "a run of empty squares, “-” a square that must stay empty.",
                row=number,
                sign=sign,
                place=place,
            )
    return squares


def _stock(hand: str) -> tuple[int, ...]:
    text = re.sub(r"\s", "", hand)
    if text in ("", BARRED):
        return (0,) * len(PIECES)
    # Numbers behind the letters end a word now and then; SFEN's, before them, never do.
    behind = any(word[-1].isdecimal() for word in hand.split())
    pattern = _NUMBER_LAST if behind else _NUMBER_FIRST
    stock = dict.fromkeys(PIECES, 0)
    named = set()
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if not match:
            raise _bad_hand(hand, text[at:])
        piece = match["piece"]
        if piece in named:
            raise BadText("The hand names “{piece}” twice.", piece=piece)
        named.add(piece)
        stock[piece] = int(match["number"] or 1)
        at = match.end()
    return tuple(stock.values())


def _bad_hand(hand: str, rest: str) -> BadText:
    sign = rest.lstrip("0123456789")[:1]
    if sign == "+" or (sign.islower() and sign.upper() in PIECES):
        return BadText(
            "The hand “{hand}” holds promoted pieces or pieces of the other side. Write capital "
            "letters without “+”.",
            hand=hand[:40],
        )
    return BadText(
        "The hand “{hand}” can't be read from “{rest}” on. Write it like 2R2B4G18P.",
        hand=hand[:40],
        rest=rest[:10],
    )
