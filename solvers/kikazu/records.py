"""Boards in records of shogi programs: KIF, BOD and CSA.

KIF and BOD draw the board (kakinoki.o.oo7.jp/kif_format.html): each square is a blank, or a `v` for
the other side, and a piece or `・`. The hand of the side that faces up stands below the board
(`先手の持駒：金二 歩`). CSA (computer-shogi.org, versions 2.2 and 3.0) names the pieces of each row
(`P1 * +KI`), or a square and its piece (`P+55KI`), and `00` as the square of the hand.

The pieces of the side that faces up are read. Pieces of the other side, promoted pieces and moves
are refused, because the puzzle has none.
"""

import re
from collections.abc import Iterator

from solvers.kikazu.rules import EMPTY, LARGEST, PIECES
from solvers.kind import BadText
from solvers.marks import KIF_FRAME, KIF_HAND, is_csa

Record = tuple[int, int, str, tuple[int, ...]]
"""The rows, the columns, the squares row by row, and the number of each piece in the hand."""

_KIF_PIECES = dict(zip("飛角王玉金銀桂香歩", "RBKKGSNLP")) | dict(zip(PIECES, PIECES))
_KIF_PROMOTED = "龍竜馬全圭杏と成"
_KIF_SQUARE = re.compile(r"\s*([v^]?)\s*([^\s|])")
_KIF_HELD = re.compile(r"\s*(\S)([一二三四五六七八九十0-9]*)")
_KIF_MOVE = re.compile(r"\s*(?:[0-9]{1,3}\s+(?:[1-9][一二三四五六七八九]|同)|[▲△▼▽])")
_KANJI_DIGITS = "〇一二三四五六七八九"

_CSA_PIECES = {
    "HI": "R",
    "KA": "B",
    "OU": "K",
    "KI": "G",
    "GI": "S",
    "KE": "N",
    "KY": "L",
    "FU": "P",
}
_CSA_PROMOTED = ("RY", "UM", "NG", "NK", "NY", "TO")
_CSA_SQUARE = re.compile(r"\s*(?:(\*)|([+-])([A-Z]{2}))")
_CSA_ROW = re.compile(r"P([1-9])(?=[ +\-])(.*)")
_CSA_PLACED = re.compile(r"P([+-])((?:[0-9]{2}[A-Z]{2})*)\s*")
_CSA_MOVE = re.compile(r"[+-][0-9]{4}[A-Z]{2}")
_ALL = "AL"
_FULL_SET = dict(zip(PIECES, (2, 2, 0, 4, 4, 4, 4, 18)))
"""The pieces of a game. `AL` is all of them that have not been placed, but never a king."""


def read_record(text: str) -> Record | None:
    """Return the board of a record; None if the text is none. Raise BadText, naming the place."""
    lines = text.split("\n")
    if any(map(KIF_FRAME.fullmatch, lines)) or any(map(KIF_HAND.match, lines)):
        return _read_kif(lines)
    return _read_csa(lines) if is_csa(text) else None


def _read_kif(lines: list[str]) -> Record:
    rows: list[str] = []
    hand = dict.fromkeys(PIECES, 0)
    is_complete = False
    for number, line in enumerate(lines, 1):
        if KIF_FRAME.fullmatch(line):
            if is_complete:
                raise _second_board(number)
            is_complete = bool(rows)
        elif line.lstrip().startswith("|"):
            if is_complete:
                raise _second_board(number)
            rows.append("".join(_kif_squares(number, len(rows) + 1, line)))
            _check_width(number, rows)
        elif match := KIF_HAND.match(line):
            listed_hand = _kif_hand(number, line, match.start(2))
            if match[1] in ("後手", "上手"):
                if any(listed_hand.values()):
                    raise _other_hand(number)
            else:
                hand = listed_hand
        elif _KIF_MOVE.match(line) and "手数=" not in line:
            raise _moves(number)
    if not rows:
        raise BadText("This record of a shogi game has no board. Paste the board as it is drawn.")
    return len(rows), len(rows[0]), "".join(rows), tuple(hand.values())


def _kif_squares(line: int, row: int, text: str) -> Iterator[str]:
    """Yield the signs of a row of a drawn board."""
    start = text.index("|") + 1
    end = text.find("|", start)
    for square in _KIF_SQUARE.finditer(text, start, end if end >= 0 else len(text)):
        side, sign = square.groups()
        column = square.start(2) + 1
        if sign in "・･.":
            yield EMPTY
        elif sign in _KIF_PROMOTED:
            raise _promoted(line, row, column)
        elif sign not in _KIF_PIECES:
            raise _no_piece(line, column, sign)
        elif side == "v":
            raise _other_side(line, row, column)
        else:
            yield _KIF_PIECES[sign]


def _kif_hand(line: int, text: str, start: int) -> dict[str, int]:
    """Return piece -> number of a hand like `飛 金二 歩十八` from an index of a line on."""
    hand = dict.fromkeys(PIECES, 0)
    if text[start:].strip() in ("", "なし", "無し", "-"):
        return hand
    for match in _KIF_HELD.finditer(text.rstrip(), start):
        if match[1] not in _KIF_PIECES:
            raise BadText(
                "Line {line}, column {column}: “{sign}” is not a piece that can be in hand.",
                line=line,
                column=match.start(1) + 1,
                sign=match[1],
            )
        hand[_KIF_PIECES[match[1]]] += _kanji_number(match[2])
    return hand


def _kanji_number(text: str) -> int:
    """Return the number of a text like 十八, up to 99; 1 for an empty text."""
    if not text:
        return 1
    if text.isdecimal():
        return min(int(text[:4]), 99)
    tens, ten, ones = text.rpartition("十")
    number = 10 * (_KANJI_DIGITS.find(tens) if tens else 1) if ten else 0
    return min(max(number + (_KANJI_DIGITS.find(ones) if ones else 0), 0), 99)


def _read_csa(lines: list[str]) -> Record:
    rows: dict[int, str] = {}
    placed: dict[tuple[int, int], str] = {}
    hand = dict.fromkeys(PIECES, 0)
    for number, column, statement in _csa_statements(lines):
        if match := _CSA_ROW.fullmatch(statement):
            row = int(match[1])
            if row != len(rows) + 1:
                raise _second_board(number)
            rows[row] = "".join(_csa_squares(number, row, column + 2, match[2]))
            _check_width(number, list(rows.values()))
        elif match := _CSA_PLACED.fullmatch(statement):
            _place(number, column + 2, match[1], match[2], placed, hand)
        elif statement.startswith("PI"):
            raise BadText(
                "Line {line}: this is the beginning of a game, in which both sides have "
                "pieces. Here all pieces face up.",
                line=number,
            )
        elif _CSA_MOVE.fullmatch(statement):
            raise _moves(number)
        elif statement == "/" and (rows or placed) and "".join(lines[number:]).strip():
            raise _second_board(number)
    columns = len(rows[1]) if rows else LARGEST
    squares = [list(row) for row in rows.values()] or [[EMPTY] * columns for _ in range(LARGEST)]
    for (row, column), piece in placed.items():
        if row > len(squares) or column > columns:
            raise BadText("There is no square {column}{row} on this board.", column=column, row=row)
        squares[row - 1][columns - column] = piece
    given = "".join(map("".join, squares))
    if hand.pop(_ALL, 0):
        for piece, number in _FULL_SET.items():
            hand[piece] += max(number - hand[piece] - given.count(piece), 0)
    return len(squares), columns, given, tuple(hand.values())


def _csa_statements(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the column and the text of each statement. Commas may separate them."""
    for number, line in enumerate(lines, 1):
        if not line.startswith("'"):
            for statement in re.finditer("[^,]+", line):
                yield number, statement.start() + 1, statement[0].rstrip()


def _csa_squares(line: int, row: int, column: int, text: str) -> Iterator[str]:
    """Yield the signs of a row in CSA, whose text begins at a column."""
    at = 0
    while rest := text[at:].lstrip():
        place = column + len(text) - len(rest)
        square = _CSA_SQUARE.match(rest)
        if not square:
            raise _no_piece(line, place, rest[0])
        yield EMPTY if square[1] else _csa_piece(line, row, place, square[2], square[3])
        at = len(text) - len(rest) + square.end()


def _csa_piece(line: int, row: int, column: int, side: str, name: str) -> str:
    if name in _CSA_PROMOTED:
        raise _promoted(line, row, column)
    if name not in _CSA_PIECES:
        raise _no_piece(line, column, name)
    if side == "-":
        raise _other_side(line, row, column)
    return _CSA_PIECES[name]


def _place(
    line: int,
    column: int,
    side: str,
    text: str,
    placed: dict[tuple[int, int], str],
    hand: dict[str, int],
) -> None:
    """Put the pieces of a statement like `P+55KI00FU` on their squares or into the hand. The text
    begins behind the sign of the side."""
    for at in range(0, len(text), 4):
        file, rank, name = int(text[at]), int(text[at + 1]), text[at + 2 : at + 4]
        is_in_hand = file == rank == 0
        if name == _ALL and is_in_hand:
            if side == "-":
                raise _other_hand(line)
            hand[_ALL] = 1
            continue
        piece = _csa_piece(line, rank, column + at + 2, side, name)
        if is_in_hand:
            hand[piece] += 1
        elif 0 in (file, rank) or (rank, file) in placed:
            raise BadText(
                "Line {line}, column {column}: the square {square} is taken or does not exist.",
                line=line,
                column=column + at,
                square=text[at : at + 2],
            )
        else:
            placed[rank, file] = piece


def _check_width(line: int, rows: list[str]) -> None:
    """Raise BadText if the last row has another length than the first one."""
    if len(rows[-1]) != len(rows[0]):
        raise BadText(
            "The length of row {row} is {width}, but that of row 1 is {first}. All rows must be "
            "equally long.",
            row=len(rows),
            width=len(rows[-1]),
            first=len(rows[0]),
            line=line,
        )


def _promoted(line: int, row: int, column: int) -> BadText:
    return BadText(
        "Row {row}: a promoted piece stands here. Only pieces that are not promoted are used.",
        row=row,
        line=line,
        column=column,
    )


def _other_side(line: int, row: int, column: int) -> BadText:
    return BadText(
        "Row {row}: a piece of the other side, facing down, stands here. Here all pieces face up.",
        row=row,
        line=line,
        column=column,
    )


def _other_hand(line: int) -> BadText:
    return BadText(
        "Line {line}: the other side has pieces in hand. Here all pieces face up: leave this hand "
        "empty.",
        line=line,
    )


def _no_piece(line: int, column: int, sign: str) -> BadText:
    return BadText(
        "Line {line}, column {column}: “{sign}” is no piece of shogi and no empty square.",
        line=line,
        column=column,
        sign=sign,
    )


def _moves(line: int) -> BadText:
    return BadText(
        "Line {line}: moves can't be read. Paste the board as it stands, without them.", line=line
    )


def _second_board(line: int) -> BadText:
    return BadText("Line {line}: a second board begins here, but only one can be read.", line=line)
