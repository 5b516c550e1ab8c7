"""The addresses of puzz.link and its relatives for boards of tables, read and written.

An address is `name/columns/rows/body`, the name that of the kind there. What stands before it
(`https://puzz.link/p?`) or behind it (`&...`, `#...`) is ignored. `FORMATS` says for each name of
which parts the body consists, as pzprjs has them in `src/variety-common/Encode.js`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from string import ascii_lowercase, digits
from typing import NamedTuple
from urllib.parse import unquote

from solvers.grid import neighbours
from solvers.kind import BadText, Cell
from solvers.rule_tables.areas import STEPS4
from solvers.rule_tables.boards import EMPTY, WALL, Board
from solvers.rule_tables.rooms import boxes
from solvers.rule_tables.table import MAX_SIDE, Table
from solvers.rule_tables.turning import ROOMS, canonical

SITE = "https://puzz.link/p?"
DIGITS = digits + ascii_lowercase
ALIASES: Mapping[str, tuple[str, ...]] = {"lightup": ("akari",), "mashu": ("masyu", "pearl")}
"""The name of a kind -> its other names."""
UNKNOWN = -2
"""A number that is there but not told."""
_ADDRESS = re.compile(
    r"(?:\S*[?/&])?([a-z]+)(?:_edit|_play)?/([0-9]{1,4})/([0-9]{1,4})/([^&#\s]*)\S*"
)

Numbers = Sequence[int | None]


class Part(NamedTuple):
    """A part of the body of an address."""

    read: Callable[[Table, Board, str], tuple[Board, str]]
    """The board so far and the rest of the body -> the board and the rest. Raises ValueError or
    IndexError."""
    write: Callable[[Table, Board], str]


def read_address(table: Table, name: str, text: str) -> Board | None:
    """Return the board of an address of the kind, or None for any other text. Raise BadText for an
    address without a board."""
    match = _ADDRESS.fullmatch(unquote(text.strip().strip("<>")))
    if not match or match[1] not in (name, *ALIASES.get(name, ())):
        return None
    columns, rows, rest = int(match[2]), int(match[3]), match[4]
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise BadText(
            "The board in this address has {columns} columns and {rows} rows. It may have "
            "1 to {most} of each.",
            columns=columns,
            rows=rows,
            most=MAX_SIDE,
        )
    fault = BadText("The board in this address can't be read. After “{name}” it has "
                    "columns/rows/board.", name=name)  # fmt: skip
    board = Board(rows, columns, EMPTY * (rows * columns))
    try:
        for part in FORMATS[name]:
            board, rest = part.read(table, board, rest)
    except BadText:
        raise
    except (ValueError, IndexError):
        raise fault from None
    if rest.strip("/="):
        raise fault
    return canonical(board)


def write_address(table: Table, name: str, board: Board) -> str:
    """Return the address of a board, or nothing if an address can't hold it."""
    try:
        body = "".join(part.write(table, board) for part in FORMATS[name])
        text = f"{SITE}{name}/{board.columns}/{board.rows}/{body}"
        return text if read_address(table, name, text) == canonical(board) else ""
    except (ValueError, BadText):
        return ""


def _read_16(rest: str, length: int) -> tuple[list[int | None], str]:
    """Read numbers of which each is a hexadecimal digit, or `-` and two, or `+` and three."""
    numbers: list[int | None] = []
    while rest and len(numbers) < length:
        sign, rest = rest[0], rest[1:]
        if "g" <= sign <= "z":
            numbers += [None] * (DIGITS.index(sign) - 15)
        elif sign == ".":
            numbers.append(UNKNOWN)
        else:
            size = {"-": 2, "+": 3}.get(sign, 0)
            numbers.append(int(rest[:size] if size else sign, 16))
            rest = rest[size:]
    return _filled(numbers, length), rest


def _write_16(numbers: Numbers) -> str:
    def sign(number: int) -> str:
        return "." if number == UNKNOWN else f"{number:x}" if number < 16 else f"-{number:02x}"

    return "".join(_with_gaps(numbers, 15, sign))


def _with_gaps(numbers: Numbers, none: int, sign: Callable[[int], str]) -> Iterator[str]:
    """Yield the numbers, and for up to 20 cells without one the digit of `none` more than that."""
    gap = 0
    for number in [*numbers, None]:
        if number is None:
            gap += 1
        if gap and (number is not None or gap == 20):
            yield DIGITS[none + gap]
            gap = 0
        if number is not None:
            yield sign(number)
    if gap > 1:
        yield DIGITS[none + gap - 1]


def _filled(numbers: list[int | None], length: int) -> list[int | None]:
    if len(numbers) > length and any(number is not None for number in numbers[length:]):
        raise ValueError
    return (numbers + [None] * length)[:length]


def _read_4(rest: str, length: int) -> tuple[list[int | None], str]:
    """Read numbers up to 4, each with the gap of up to two cells that follows it."""
    numbers: list[int | None] = []
    while rest and len(numbers) < length:
        at, rest = (EMPTY + DIGITS).index(rest[0]) - 1, rest[1:]
        if at >= 16:
            numbers += [None] * (at - 15)
        elif at >= 15:
            raise ValueError
        else:
            numbers += [UNKNOWN] if at < 0 else [at % 5, *[None] * (at // 5)]
    return _filled(numbers, length), rest


def _write_4(numbers: Numbers) -> str:
    def gap_from(at: int, most: int) -> int:
        """Return how many cells have no number; behind the end, there are as many as wanted."""
        ahead = numbers[at : at + most]
        return next((n for n, each in enumerate(ahead) if each is not None), most)

    parts, at = [], 0
    while at < len(numbers):
        number = numbers[at]
        if number is None:
            gap = min(gap_from(at, 20), len(numbers) - at)
            parts.append(DIGITS[15 + gap])
            at += gap
        elif number > 4:
            raise ValueError
        else:
            gap = 0 if number == UNKNOWN else gap_from(at + 1, 2)
            parts.append(EMPTY if number == UNKNOWN else DIGITS[number + 5 * gap])
            at += 1 + gap
    return "".join(parts)


def _bits(rest: str, length: int) -> tuple[list[bool], str]:
    """Read bits, five in a digit of base 32."""
    size = -(-length // 5)
    if len(rest) < size:
        raise ValueError
    bits = [bool(int(sign, 32) >> (4 - at) & 1) for sign in rest[:size] for at in range(5)]
    return bits[:length], rest[size:]


def _write_bits(bits: Sequence[bool]) -> str:
    groups = (bits[at : at + 5] for at in range(0, len(bits), 5))
    return "".join(DIGITS[sum(16 >> at for at, bit in enumerate(g) if bit)] for g in groups)


def _read_rooms(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    rows, columns = board.rows, board.columns
    beside, rest = _bits(rest, rows * (columns - 1))
    below, rest = _bits(rest, (rows - 1) * columns)
    room_of: dict[Cell, int] = {}
    for first in board:
        waiting = [first] if first not in room_of else []
        number = len(set(room_of.values()))
        while waiting:
            cell = waiting.pop()
            room_of[cell] = number
            for other in neighbours(cell, rows, columns):
                row, column = min(cell, other)
                is_beside = cell[0] == other[0]
                borders = beside if is_beside else below
                if other not in room_of and not borders[row * (columns - is_beside) + column]:
                    waiting.append(other)
    return replace(board, rooms="".join(ROOMS[room_of[cell]] for cell in board)), rest


def _write_rooms(table: Table, board: Board) -> str:
    lines = [[board.room((r, c)) for c in range(board.columns)] for r in range(board.rows)]
    beside = [one != two for line in lines for one, two in pairwise(line)]
    below = [one != two for up, down in pairwise(lines) for one, two in zip(up, down)]
    return _write_bits(beside) + _write_bits(below)


def _read_room_numbers(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    first = {room: at for at, room in reversed([*enumerate(board.rooms)])}
    numbers, rest = _read_16(rest, len(first))
    clues: list[int | None] = [None] * len(board.cells)
    for at, number in zip(sorted(first.values()), numbers):
        clues[at] = _told(number)
    return replace(board, clues=tuple(clues)), rest


def _write_room_numbers(table: Table, board: Board) -> str:
    numbers: dict[str, int | None] = {}
    for cell in board:
        number = board.number(board.clues, cell)
        numbers[board.room(cell)] = numbers.get(board.room(cell)) if number is None else number
    return _write_16([*numbers.values()])


def _told(number: int | None) -> int | None:
    if number == UNKNOWN:
        raise ValueError
    return number


def _numbers(
    read: Callable[[str, int], tuple[list[int | None], str]],
    write: Callable[[Numbers], str],
    section: str = "clues",
) -> Part:
    """Return the part of the numbers in cells, or at corners."""

    def reads(table: Table, board: Board, rest: str) -> tuple[Board, str]:
        more = int(section == "corners")
        numbers, rest = read(rest, (board.rows + more) * (board.columns + more))
        return replace(board, **{section: tuple(map(_told, numbers))}), rest  # type: ignore[arg-type]

    def writes(table: Table, board: Board) -> str:
        more = int(section == "corners")
        none = [None] * ((board.rows + more) * (board.columns + more))
        return write(getattr(board, section) or none)

    return Part(reads, writes)


def _read_digits(rest: str, length: int) -> tuple[list[int | None], str]:
    """Read numbers of which each is a digit of base 36, or none is `.`."""
    signs = rest[:length]
    return _filled([None if s == EMPTY else int(s, 36) for s in signs], length), rest[length:]


def _write_digits(numbers: Numbers) -> str:
    if max(number or 0 for number in numbers) > 35:
        raise ValueError
    return "".join(EMPTY if number is None else DIGITS[number] for number in numbers)


def _read_walls(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    numbers, rest = _read_4(rest, len(board.cells))
    cells = "".join(EMPTY if number is None else WALL for number in numbers)
    clues = tuple(None if number == UNKNOWN else number for number in numbers)
    return replace(board, cells=cells, clues=clues), rest


def _write_walls(table: Table, board: Board) -> str:
    numbers = [
        UNKNOWN if number is None and board.sign(cell) == WALL else number
        for cell in board
        for number in [board.number(board.clues, cell)]
    ]
    return _write_4(numbers)


def _read_givens(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    numbers, rest = _read_16(rest, len(board.cells))
    cells = "".join(EMPTY if number is None else str(_told(number)) for number in numbers)
    if len(cells) != len(board.cells) or set(cells) - {EMPTY, *table.letters}:
        raise ValueError
    return replace(board, cells=cells), rest


def _write_givens(table: Table, board: Board) -> str:
    return _write_16([None if sign == EMPTY else int(sign) for sign in board.cells])


def _read_boxes(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    if not board.rows == board.columns == len(table.letters):
        raise ValueError
    return replace(board, rooms=boxes(board.rows)), rest


def _circles(table: Table) -> str:
    """Return the letters of nothing, a white and a black circle."""
    colours = {symbol.picture.split(" ")[0]: symbol.letter for symbol in table.symbols}
    return EMPTY + colours["white"] + colours["black"]


def _read_circles(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    length, signs = len(board.cells), _circles(table)
    size = -(-length // 3)
    if len(rest) < size:
        raise ValueError
    values = [int(sign, 27) // unit % 3 for sign in rest[:size] for unit in (9, 3, 1)]
    return replace(board, cells="".join(signs[n] for n in values[:length])), rest[size:]


def _write_circles(table: Table, board: Board) -> str:
    values = [_circles(table).index(sign) for sign in board.cells]
    groups = (values[at : at + 3] for at in range(0, len(values), 3))
    return "".join(DIGITS[sum(value * unit for value, unit in zip(g, (9, 3, 1)))] for g in groups)


def _stars(table: Table) -> str:
    return next(f"{rule.number}/" for rule in table.rules if rule.where == "room")


def _read_stars(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    stars, _, _ = rest.partition("/")
    if stars.isascii() and stars.isdecimal() and f"{int(stars)}/" != _stars(table):
        raise BadText("In this address, every row, column and room has {many} stars. This kind has "
                      "{own} in each.", many=int(stars), own=_stars(table)[:-1])  # fmt: skip
    if not rest.startswith(_stars(table)):
        raise ValueError
    return board, rest.removeprefix(_stars(table))


def _read_rims(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    sides = (("top", board.columns), ("bottom", board.columns), ("left", board.rows),
             ("right", board.rows))  # fmt: skip
    numbers, rest = _read_16(rest, sum(many for _, many in sides))
    rims = {}
    for side, many in sides:
        rims[side] = tuple(() if (told := _told(n)) is None else (told,) for n in numbers[:many])
        numbers = numbers[many:]
    return board.with_rims(rims), rest


def _write_rims(table: Table, board: Board) -> str:
    if set(board.cells) != {EMPTY}:
        raise ValueError
    numbers: list[int | None] = []
    for side in ("top", "bottom", "left", "right"):
        many = board.columns if side in ("top", "bottom") else board.rows
        numbers += [max(each, default=None) for each in getattr(board, side) or ((),) * many]
    return _write_16(numbers)


def _read_counts(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    """Read the numbers above the columns and at the left of the rows."""
    numbers, rest = _read_16(rest, board.columns + board.rows)
    if UNKNOWN in numbers:
        raise ValueError
    rims = [() if number is None else (number,) for number in numbers]
    return board.with_rims({"top": tuple(rims[: board.columns]),
                            "left": tuple(rims[board.columns :])}), rest  # fmt: skip


def _write_counts(table: Table, board: Board) -> str:
    top, left = board.top or ((),) * board.columns, board.left or ((),) * board.rows
    return _write_16([max(each, default=None) for each in (*top, *left)])


def _read_trees(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    """Read the cells with a symbol. A digit up to 17 stands for one and as many empty cells, and a
    higher one for 18 less and one more."""
    cells, at = "", 0
    while len(cells) < len(board.cells):
        number, at = DIGITS.index(rest[at]), at + 1
        cells += table.given + EMPTY * number if number < 18 else EMPTY * (number - 17)
    return replace(board, cells=cells[: len(board.cells)]), rest[at:]


def _write_trees(table: Table, board: Board) -> str:
    parts = re.findall(r"[^.]\.{0,17}|\.{1,18}", board.cells)
    return "".join(DIGITS[len(p) - 1 if p[0] != EMPTY else len(p) + 17] for p in parts)


def _read_parts(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    """Read the water, which is a wall here, and given parts of ships. The shape of a part tells
    what lies beside it."""
    numbers, rest = _read_16(rest, len(board.cells))
    signs = dict(zip(board, (EMPTY if number is None else WALL if number == 0 else table.letters
                             for number in numbers)))  # fmt: skip
    for (row, column), number in zip(board, numbers):
        if number in SHAPES:
            for (down, right), name in zip(STEPS4, "ulrd"):
                if (near := (row + down, column + right)) in board:
                    sign = table.letters if name == SHAPES[number] else WALL
                    if signs[near] not in (EMPTY, sign):
                        raise ValueError
                    signs[near] = sign
        elif number not in (None, 0, UNKNOWN):
            raise ValueError
    return replace(board, cells="".join(signs.values())), rest


def _write_parts(table: Table, board: Board) -> str:
    numbers = {EMPTY: None, WALL: 0}
    return _write_16([numbers.get(sign, UNKNOWN) for sign in board.cells])


SHAPES: Mapping[int | None, str] = {1: "d", 2: "u", 3: "r", 4: "l", 6: ""}
"""The shape of a part that ends a ship -> where the ship goes on. The shape 5 has two ways."""
FLEETS: Mapping[str, str] = {"322111": "c", "4332221111": "d", "544333222211111": "e"}
"""The lengths of ships -> the letter of the fleet."""


def _fleet(table: Table) -> str:
    lengths = next(str(rule.number) for rule in table.rules if rule.relation == "fleet")
    return f"//{FLEETS[lengths]}"


def _read_fleet(table: Table, board: Board, rest: str) -> tuple[Board, str]:
    if rest.startswith("//") and rest != _fleet(table):
        raise BadText("The ships in this address are not those of this kind.")
    if rest != _fleet(table):
        raise ValueError
    return board, ""


BORDERS = Part(_read_rooms, _write_rooms)
FORMATS: Mapping[str, Sequence[Part]] = {
    "battleship": (
        Part(_read_counts, _write_counts),
        Part(_read_parts, _write_parts),
        Part(_read_fleet, lambda table, board: _fleet(table)),
    ),
    "creek": (_numbers(_read_4, _write_4, "corners"),),
    "heyawake": (BORDERS, Part(_read_room_numbers, _write_room_numbers)),
    "hitori": (_numbers(_read_digits, _write_digits),),
    "kurodoko": (_numbers(_read_16, _write_16),),
    "lightup": (Part(_read_walls, _write_walls),),
    "mashu": (Part(_read_circles, _write_circles),),
    "mines": (_numbers(_read_16, _write_16),),
    "norinori": (BORDERS,),
    "skyscrapers": (Part(_read_rims, _write_rims),),
    "slither": (_numbers(_read_4, _write_4),),
    "starbattle": (Part(_read_stars, lambda table, board: _stars(table)), BORDERS),
    "sudoku": (Part(_read_givens, _write_givens), Part(_read_boxes, lambda table, board: "")),
    "tents": (Part(_read_counts, _write_counts), Part(_read_trees, _write_trees)),
    "yinyang": (Part(_read_circles, _write_circles),),
}
"""The name of a kind on puzz.link -> the parts of the body of its addresses."""
