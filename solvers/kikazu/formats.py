"""The texts from which a start is read and to which it is written: SFEN, as shogi programs write
it.

In `9/9/3K5/9/9/4-4/9/9/9 2R2B18P` the rows from the top are joined by `/`; they may also stand on
lines of their own. Digits are runs of empty squares, capitals are given pieces, and `-` is a square
that must stay empty. Then come the pieces to place, with their number in front where it is more
than one.

These texts are read too: the longer `sfen ... b 2R2B18P 1`, `.` for one empty square, Japanese
letters for the pieces, blanks between the signs, hands with the numbers behind (`R2 B2 P18`) or
with a letter for each piece (`RRPPP`), and addresses: those with `sfen=...` or `initpos=...` in
them, and those of lishogi.org's editor and analysis, in which `_` stands for a blank. Records of
other shogi programs are read by `records`.

A board on which all pieces stand, as other programs write it (`9/4R4/... b - 1`, or without any
hand), is read as solved: its pieces are those to place, and the moves that placed them are the
line. Only the short form with the hand `-` is a start without pieces to place, as drawings can be.
"""

import re
from typing import NamedTuple
from urllib.parse import unquote

from solvers.grid import check_width
from solvers.kikazu import rules
from solvers.kikazu.records import read_record
from solvers.kikazu.rules import BARRED, EMPTY, LARGEST, PIECES, SMALLEST, Move, Position
from solvers.kind import BadText, check_length

KANJI = {"R": "飛", "B": "角", "K": "王", "G": "金", "S": "銀", "N": "桂", "L": "香", "P": "歩"}

_LETTERS = {ord(kanji): letter for letter, kanji in KANJI.items()} | {
    ord("玉"): "K",
    ord("・"): EMPTY,
    ord("･"): EMPTY,
    ord("‐"): BARRED,
    ord("−"): BARRED,
}
_PREFIX = re.compile(r"\A\s*(?:position\s+)?sfen\s+", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s=]+[?&](?:sfen|initpos)=([^\s&#]+)\S*")
_LISHOGI = re.compile(
    r"(?:https?://)?(?:www\.)?lishogi\.org/(?:editor|analysis)/"
    r"(?:(?:standard|minishogi|annanshogi|checkshogi)/)?([^\s?#]+)\S*"
)
_MOVES = re.compile(r"\smoves(?:\s|\Z)")
_SPACED = re.compile(r"\S(?:[^\S\n]\S)+")
# The pattern examines each line once. Otherwise a run of blank lines would be scanned again from
# each of them.
_HAND_LINE = re.compile(r"(?<=\n)[^\S\n]*(?:hand|持ち?駒)\s*:?\s*", re.IGNORECASE)
_TURN = re.compile(r"([bw])\s+(\S+)(?:\s+[0-9]+)?")
_NUMBER_FIRST = re.compile(r"(?P<number>[0-9]{0,2})(?P<piece>[RBKGSNLP])")
_NUMBER_LAST = re.compile(r"(?P<piece>[RBKGSNLP])(?P<number>[0-9]{0,2})")


class StartDrawing(NamedTuple):
    """A start as it is written, not checked against the rules."""

    rows: int
    columns: int
    given: str
    stock: tuple[int, ...]


def read_start(text: str) -> Position:
    """Return the start that a cleaned text describes, or the solved position if it has all pieces.

    Raises BadText, with the place of the fault, for a text that is no puzzle.
    """
    drawing, is_arrangement = _read(text)
    check_size(drawing.rows, drawing.columns)
    if is_arrangement and not any(drawing.stock):
        return _solved(drawing)
    position = Position(*drawing)
    clash = next(iter(rules.conflicts(position)), None)
    if clash:
        raise BadText(rules.attack_message(position, *clash), cell=clash[1])
    if not any(drawing.stock):
        if any(sign in PIECES for sign in drawing.given):
            raise BadText(
                "The hand is empty: there is nothing to place. The pieces on the board stay as "
                "they are."
            )
        raise BadText("The hand is empty: there is nothing to place.")
    if sum(drawing.stock) > drawing.given.count(EMPTY):
        raise BadText(
            "More pieces are to be placed ({pieces}) than squares are free ({squares}).",
            pieces=sum(drawing.stock),
            squares=drawing.given.count(EMPTY),
        )
    return position


def read_drawing(text: str) -> StartDrawing:
    """Return the start that a text describes, even if it is no puzzle.

    Raises BadText for a text that can't be read.
    """
    return _read(text)[0]


def _read(text: str) -> tuple[StartDrawing, bool]:
    """Return the drawing of a text, and whether pieces on its board may be those to place."""
    check_length(text)
    if record := read_record(text):
        return StartDrawing(*record), True
    if address := _ADDRESS.fullmatch(text):
        text = unquote(address[1].replace("+", " "))
    elif address := _LISHOGI.fullmatch(text):
        text = unquote(address[1]).replace("_", " ")
    elif "://" in text:
        raise BadText("The board can't be read from this address. Paste the board itself.")
    if _MOVES.search(text):
        raise BadText(
            "Moves can't be read from “moves” on. Paste the board as it stands, without them."
        )
    text = _PREFIX.sub("", text.translate(_LETTERS), count=1)
    board, hand, is_arrangement = _board_and_hand(text)
    if not board:
        raise BadText("There is no board yet.")
    rows = [_squares(number, row) for number, row in enumerate(board.split("/"), 1)]
    for number, squares in enumerate(rows, 1):
        check_width(number, len(squares), len(rows[0]))
    check_size(len(rows), len(rows[0]), 1)
    return StartDrawing(len(rows), len(rows[0]), "".join(rows), _stock(hand)), is_arrangement


def _solved(drawing: StartDrawing) -> Position:
    """Return the position in which the drawing's pieces have been placed on the empty board."""
    given = re.sub(f"[{PIECES}]", EMPTY, drawing.given)
    stock = tuple(map(drawing.given.count, PIECES))
    if not any(stock):
        raise BadText("The hand is empty: there is nothing to place.")
    position = Position(drawing.rows, drawing.columns, given, stock)
    for index, sign in enumerate(drawing.given):
        if sign in PIECES:
            position = rules.play(position, Move(sign, divmod(index, drawing.columns)))
    return position


def check_size(rows: int, columns: int, least: int = SMALLEST) -> None:
    """Raise BadText unless the board has `least` to `LARGEST` rows and columns."""
    if min(rows, columns) < least or max(rows, columns) > LARGEST:
        raise BadText(
            "The size of this board, rows × columns, is {rows} × {columns}. From {least} × "
            "{least} to {most} × {most} is possible.",
            rows=rows,
            columns=columns,
            least=least,
            most=LARGEST,
        )


def write_drawing(position: StartDrawing | Position) -> str:
    """Return the canonical text: the rows with runs of empty squares as digits, then the hand."""
    rows = (
        position.given[first : first + position.columns]
        for first in range(0, len(position.given), position.columns)
    )
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{board} {write_hand(position.stock)}"


def write_notations(position: Position) -> dict[str, str]:
    """Return title -> the start as shogi programs write it.

    The result is empty for a board with squares that must stay empty, which SFEN can't express.
    """
    board, hand = write_drawing(position).split(" ")
    return {} if BARRED in board else {"SFEN": f"sfen {board} b {hand} 1"}


def write_hand(stock: tuple[int, ...]) -> str:
    """Return the pieces as SFEN writes a hand; an empty hand is `-`."""
    counted = zip(PIECES, stock)
    return "".join(f"{n if n > 1 else ''}{piece}" for piece, n in counted if n) or BARRED


def _board_and_hand(text: str) -> tuple[str, str, bool]:
    """Return the board, the hand, and whether the hand is missing or written by another program."""
    board, marked, hand = _HAND_LINE.sub("\0", text, count=1).partition("\0")
    if not marked:
        text = _closed_up(text)
        if "/" in text:
            board, _, hand = text.strip().replace("\n", " ").partition(" ")
        else:
            # Each row is a line of its own. The hand is behind the last row.
            above, _, last = text.strip().rpartition("\n")
            row, _, hand = last.strip().partition(" ")
            board = f"{above}\n{row}" if above else row
    board = "/".join(row.strip() for row in _closed_up(board.strip()).split("\n"))
    hand = hand.strip()
    turn = _TURN.fullmatch(hand)
    return board, turn[2] if turn else hand, bool(turn) or not (marked or hand)


def _closed_up(text: str) -> str:
    """Return the rows without the blanks between their signs, if each sign stands for one square.

    The part of the last line behind its row is the hand.
    """
    *above, last = (line.strip() for line in text.strip().split("\n"))
    if not above or not all(_SPACED.fullmatch(line) for line in above):
        return text
    width = len(above[0])
    row, hand = (last[:width], last[width:]) if _SPACED.fullmatch(last[:width]) else (last, "")
    return "\n".join([*(line[::2] for line in above), row[::2] + hand if row else last])


def _squares(number: int, row: str) -> str:
    squares = ""
    for column, sign in enumerate(row, 1):
        if sign in "123456789":
            squares += EMPTY * int(sign)
        elif sign in PIECES or sign in (EMPTY, BARRED):
            squares += sign
        elif sign == "+":
            raise BadText(
                "Row {row}: “+” marks a promoted piece. Only pieces that are not promoted are "
                "used here.",
                row=number,
                line=number,
                column=column,
            )
        elif sign.upper() in PIECES:
            raise BadText(
                "Row {row}: the small letter “{sign}” is a piece of the other side, facing down. "
                "Here all pieces face up: write “{capital}”.",
                row=number,
                sign=sign,
                capital=sign.upper(),
                line=number,
                column=column,
            )
        else:
            raise BadText(
                "Row {row}: “{sign}” has no meaning here. Pieces are R B K G S N L P, a digit is "
                "a run of empty squares, “-” a square that must stay empty.",
                row=number,
                sign=sign,
                line=number,
                column=column,
            )
    return squares


def _stock(hand: str) -> tuple[int, ...]:
    text = re.sub(r"\s", "", hand)
    if text in ("", BARRED):
        return (0,) * len(PIECES)
    # Numbers behind the letters end a word at least once. Those of SFEN, before them, never do.
    behind = any(word[-1].isdecimal() for word in hand.split())
    pattern = _NUMBER_LAST if behind else _NUMBER_FIRST
    stock = dict.fromkeys(PIECES, 0)
    numbered: dict[str, bool] = {}
    at = 0
    while at < len(text):
        match = pattern.match(text, at)
        if not match:
            raise _bad_hand(hand, text[at:])
        piece = match["piece"]
        # Some programs write `PPP` for three pawns. With a number it would not be clear.
        if piece in numbered and (match["number"] or numbered[piece]):
            raise BadText("The hand names “{piece}” twice.", piece=piece)
        numbered[piece] = bool(match["number"])
        stock[piece] += int(match["number"] or 1)
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
