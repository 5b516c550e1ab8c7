"""The text formats of Goishi Hiroi boards, which are read and written.

These formats are read:

- rows of signs (`o.oo/oo..`, or one row per line, with or without blanks between the signs);
- the same rows in quotation marks, where a space is an empty point (the C# study's files);
- the school poster's input, also on one line with slashes: the number of stones, then `x y` of
  each, where y counts upwards;
- game records of Go programs (SGF, `solvers.sgf`) and diagrams of Go boards
  (`solvers.go_diagrams`), in which a stone of either colour counts;
- the formats of the pzpr family: puzz.link and Kanpen addresses, pzprv3 files, Kanpen and PencilBox
  text, and their XML.

An address is `goishi/columns/rows/body`, or its part from the columns on. What stands before it
(`type=editor&`) or behind it (`&...`, `#...`) is ignored, percent-encoding is undone, and a whole
pzprv3 file may take its place, with `_` or `+` for its spaces. The body lists the points
row by row. A base-32 digit stands for five points, the first of which is worth 16, and a bit 1 is
an *empty* point. The unused bits of the last digit are arbitrary. The files give rows before
columns, then a sign and a space for each point. They may contain the order in which stones have
been picked so far. Other programs accept any order, but here the order is played by the rules.
"""

import re
from urllib.parse import unquote
from xml.etree import ElementTree

from solvers.go_diagrams import OUTSIDE, read_diagram
from solvers.goishi.rules import LARGEST, Position, cells, check_size, play, start, text_rows
from solvers.grid import board_rows, check_width
from solvers.kind import BadText, Cell, IllegalMove
from solvers.marks import is_go_diagram
from solvers.message import gettext_noop
from solvers.sgf import BLACK, WHITE, is_record, read_record

STONES = "oO○〇◯●◎xX*"
EMPTY = ".・･·‥_=+-"
_QUOTES = "\"'“”„‟‘’「」『』"
_QUOTED = re.compile(f"[{_QUOTES}](.*)[{_QUOTES}][,;]?")
_NUMBERS = re.compile(r"[+\-,.()/\s]*[0-9][0-9+\-,.()/\s]*")
_SPACED = re.compile(r"\S(?: \S)+")
_ADDRESS = re.compile(r"(?:\S*[?/&])?goishi(?:(?:_edit|_play)?/|\.html\?pzpr=/?)([^&#]*)\S*")
_FILE_ADDRESS = re.compile(r"(?:\S*[?/&])?(pzprv3(?:\.\d+)?/[^&#]*)(?:[&#].*)?")
_KANPEN = re.compile(r"\S*goishi\.html\?problem=([^\s&#]+)\S*")
_BARE = re.compile(r"[0-9]{1,4}/[0-9]{1,4}/[0-9a-v]+/?")
_SPACE = re.compile(r"\s")
_PZPRV3 = re.compile(r"pzprv3(\.\d+)?\s*[/\n]")
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_PER_DIGIT = 5
_LONGEST_SIDE = 4
"""The most digits of a number of rows or columns that are read. Larger boards get a message."""


def read_board(text: str) -> Position:
    """Return the board of a cleaned text in any of the formats, with the stones picked that a file
    contains as picked.

    Raise BadText, or IllegalMove if a file's order of picking breaks the rules.
    """
    if not text:
        raise BadText("The board is empty. Put at least one stone on it.")
    if text.startswith("<") and not text.startswith("<http"):
        return _read_xml(text)
    # Mail programs put addresses into angle brackets.
    address_text = unquote(text.strip("<>"))
    if file_address := _FILE_ADDRESS.fullmatch(address_text):
        return _read_pzprv3(re.sub("[_+]", " ", file_address[1]))
    # An address contains no white space, and the match would be slow in a text full of it.
    if not _SPACE.search(text):
        if address := _ADDRESS.fullmatch(address_text):
            return _read_address(address[1])
        if address := _KANPEN.fullmatch(address_text):
            file = address[1].rstrip("/").replace("/", "\n").replace("_", " ")
            if not _is_pencilbox(file):
                raise BadText(
                    "In an address, “problem=” is followed by rows/columns/board, row by row, "
                    "like 2/2/1_./1_1/."
                )
            return _read_pencilbox(file)
        # `1/2/3` is not an address but one stone at 2 3.
        if _BARE.fullmatch(text) and not text.startswith("1/"):
            return _read_address(text)
    if is_record(text):
        return _read_rows("/".join(read_record(text)).replace(BLACK, WHITE))
    if _PZPRV3.match(text):
        return _read_pzprv3(text)
    if _is_pencilbox(text):
        return _read_pencilbox(text)
    if _NUMBERS.fullmatch(text):
        return _read_pairs(text)
    if is_go_diagram(text):
        return _read_rows("/".join(read_diagram(text)).replace(BLACK, WHITE).replace(OUTSIDE, "."))
    return _read_rows(text)


def write_notations(position: Position) -> dict[str, str]:
    """Return the texts of the board in the formats, by their titles."""
    return {
        gettext_noop("Text, row by row"): "".join(
            f"{row}\n" for row in text_rows(position, position.stones)
        ),
        gettext_noop("puzz.link address"): _write_address(position),
        gettext_noop("pzprv3 file"): _write_pzprv3(position),
        gettext_noop("Kanpen and PencilBox text"): _write_pencilbox(position),
        gettext_noop("Number of stones, then x and y of each"): _write_pairs(position),
        gettext_noop("Rows in quotation marks"): _write_quoted(position),
    }


def _read_rows(text: str) -> Position:
    lines = [_unquoted(line) for line in board_rows(text)]
    step = 1
    if all(_SPACED.fullmatch(line) and not blank for line, _, blank in lines):
        # Some sites write blanks between the signs.
        lines, step = [(line[::2], offset, blank) for line, offset, blank in lines], 2
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
                        column=step * column + offset,
                        first=sign_used,
                        second=sign,
                    )
                sign_used = sign
                stones |= 1 << (row * width + column)
            elif sign not in EMPTY and sign not in blank:
                raise _unknown_sign(row + 1, step * column + offset, sign)
        check_width(row + 1, len(line), width)
    return start(len(lines), width, stones)


def _unquoted(line: str) -> tuple[str, int, str]:
    """Return a row's signs, the column of its first sign, and the blanks that it may contain."""
    match = _QUOTED.fullmatch(line.strip())
    if match:
        start = len(line) - len(line.lstrip()) + 2
        return match[1], start, " "
    return line.strip(), len(line) - len(line.lstrip()) + 1, ""


def _unknown_sign(line: int, column: int, sign: str) -> BadText:
    if sign.isspace():
        return BadText(
            "Line {line}, column {column}: a space is an empty point only between quotation "
            "marks. Write “.” for an empty point.",
            line=line,
            column=column,
        )
    return BadText(
        "Line {line}, column {column}: “{sign}” is neither a stone (“o”) nor an empty point (“.”).",
        line=line,
        column=column,
        sign=sign,
    )


def _read_pairs(text: str) -> Position:
    words = [
        (word, number)
        for number, line in enumerate(text.split("\n"), 1)
        for word in re.sub("[,()/]", " ", line).split()
    ]
    (first, line), *rest = words
    count = _number(first, line, 9999)
    if count > LARGEST * LARGEST:
        raise BadText(
            "Number of stones: {count}. At most {most} are possible, a full Go board.",
            count=count,
            most=LARGEST * LARGEST,
            line=line,
        )
    numbers = [(_number(word, number, 9999), number) for word, number in rest]
    if len(numbers) % 2:
        raise BadText(
            "Line {line}: this coordinate has no partner. Each stone is a pair “x y”.",
            line=numbers[-1][1],
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
                line=line,
            )
        entries[x, y] = entry
    if len(entries) != count:
        raise BadText(
            "The first number is {count}, but the number of stones that follow is {pairs}.",
            count=count,
            pairs=len(entries),
            line=1,
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
            "Line {line}: “{number}” is not a whole number from 0 on.", line=line, number=word[:20]
        )
    digits = word.lstrip("+0") or "0"
    if len(digits) > len(str(most)) or int(digits) > most:
        raise BadText(
            "Line {line}: {number} is too large. The largest number that makes sense here "
            "is {most}.",
            line=line,
            number=word if len(word) <= 20 else word[:20] + "…",
            most=most,
        )
    return int(digits)


def _read_address(address: str) -> Position:
    """Return the board of an address, from the part after its “goishi/”. Raise BadText."""
    parts = address.rstrip("/=").split("/")
    if len(parts) != 3 or not all(re.fullmatch("[0-9]{1,4}", side) for side in parts[:2]):
        raise BadText("In an address, “goishi” is followed by columns/rows/board, like 4/2/8k.")
    columns, rows, body = int(parts[0]), int(parts[1]), parts[2].lower()
    wanted = -(-rows * columns // _PER_DIGIT)
    if len(body) != wanted:
        raise BadText(
            "The length of the board in this address is {length}, but {rows} rows and {columns} "
            "columns need {wanted}.",
            length=len(body),
            rows=rows,
            columns=columns,
            wanted=wanted,
        )
    stones: list[Cell] = []
    for number, sign in enumerate(body):
        if sign not in _DIGITS:
            raise BadText(
                "“{sign}” can't be used in this address. Only digits and the letters a to v are "
                "possible.",
                sign=sign,
            )
        for k in range(_PER_DIGIT):
            cell = number * _PER_DIGIT + k
            if cell < rows * columns and not _DIGITS.index(sign) >> (_PER_DIGIT - 1 - k) & 1:
                stones.append(divmod(cell, columns))
    top = left = 0
    if stones and max(rows, columns) > LARGEST:
        # Other sites allow larger boards. Only an empty rim may exceed the largest size.
        top, left = (min(side) for side in zip(*stones))
        rows, columns = (max(side) + 1 - least for side, least in zip(zip(*stones), (top, left)))
    check_size(rows, columns)
    bits = sum(1 << ((row - top) * columns + column - left) for row, column in stones)
    return start(rows, columns, bits)


def _write_address(position: Position) -> str:
    """Return the puzz.link address of the start."""
    points = position.rows * position.columns
    body = ""
    for first in range(0, points, _PER_DIGIT):
        digit = 0
        for cell in range(first, first + _PER_DIGIT):
            is_empty = cell < points and not position.stones >> cell & 1
            digit = 2 * digit + is_empty
        body += _DIGITS[digit]
    return f"https://puzz.link/p?goishi/{position.columns}/{position.rows}/{body}"


def _read_pzprv3(text: str) -> Position:
    """Return the board of a file, with the stones picked in it. Raise BadText or IllegalMove."""
    lines = [line.strip() for line in re.split("[/\n]", text)]
    if len(lines) < 4 or lines[1] != "goishi":
        raise BadText(
            "Line {line}: this file belongs to another puzzle. This line must be “goishi”.", line=2
        )
    rows, columns = _side(lines, 2), _side(lines, 3)
    check_size(rows, columns)
    for number, line in enumerate(lines[4 + rows :], 5 + rows):
        if line.startswith("pzprv3"):
            raise BadText(
                "Line {line}: a second board begins here, but only one can be read.", line=number
            )
    stones = 0
    order: dict[int, Cell] = {}
    for row in range(rows):
        for column, word in enumerate(_words(lines, 4 + row, columns)):
            if word == ".":
                continue
            if not re.fullmatch("[0-9]{1,3}", word):
                raise BadText(
                    "Line {line}: “{sign}” is neither “.”, an empty point, nor a number.",
                    line=5 + row,
                    sign=word[:20],
                )
            stones |= 1 << (row * columns + column)
            if int(word):
                _add_pick(order, int(word), (row, column), 5 + row)
    return _play_order(start(rows, columns, stones), order)


def _write_pzprv3(position: Position) -> str:
    """Return the pzprv3 file, with the stones picked so far."""
    numbers = {cell: number for number, cell in enumerate(position.picked, 1)}
    rows = [
        "".join(f"{numbers.get((r, c), 0)} " if sign == "o" else ". " for c, sign in enumerate(row))
        for r, row in enumerate(text_rows(position, position.stones))
    ]
    head = ["pzprv3", "goishi", str(position.rows), str(position.columns)]
    return "\n".join([*head, *rows, ""])


def _is_pencilbox(text: str) -> bool:
    """Return whether the text is a Kanpen or PencilBox file: two numbers, then that many rows."""
    lines = text.split("\n")
    if len(lines) < 3 or not all(re.fullmatch(r"\s*[0-9]{1,4}\s*", line) for line in lines[:2]):
        return False
    rows, columns = int(lines[0]), int(lines[1])
    board = [line.split() for line in lines[2 : 2 + rows]]
    return len(board) == rows and all(
        len(words) == columns and set(words) <= {"1", "."} for words in board
    )


def _read_pencilbox(text: str) -> Position:
    """Return the board of a Kanpen or PencilBox file, with the stones picked in it.

    Raise BadText or IllegalMove.
    """
    lines = text.split("\n")
    rows, columns = int(lines[0]), int(lines[1])
    check_size(rows, columns)
    stones = sum(
        1 << (r * columns + c)
        for r, line in enumerate(lines[2 : 2 + rows])
        for c, word in enumerate(line.split())
        if word == "1"
    )
    order: dict[int, Cell] = {}
    for number, line in enumerate(lines[2 + rows :], 3 + rows):
        words = line.split()
        if len(words) != 3 or not all(re.fullmatch("[0-9]{1,3}", word) for word in words):
            raise BadText(
                "Line {line}: after the board each line is a picked stone: its number, its row "
                "and its column, counted from 0.",
                line=number,
            )
        _add_pick(order, int(words[0]), (int(words[1]), int(words[2])), number)
    return _play_order(start(rows, columns, stones), order)


def _read_xml(text: str) -> Position:
    """Return the board of an XML file of Kanpen or PencilBox, with the stones picked in it.

    `size` has the attributes `row` and `col`. Each `number` of the `board` is a stone. Each
    `picked` of the `answer` has its number as `n`. `r` and `c` count from 1. Raise BadText or
    IllegalMove.
    """
    try:
        # A document type could expand without limit, and these files have none.
        puzzle = ElementTree.fromstring(text if "<!" not in text else "")  # noqa: S314
        (kind,) = (node.get("type", "") for node in puzzle.iter("puzzle"))
        if kind != "goishi":
            raise BadText(
                "This is a “{name}” puzzle, which can't be read as a puzzle of this kind.",
                name=kind[:20],
            )
        (size,) = puzzle.iter("size")
        rows, columns = _numbers_of(size, "row", "col")
        check_size(rows, columns)
        stones = 0
        order: dict[int, Cell] = {}
        for number in puzzle.iterfind(".//board/number"):
            row, column = _numbers_of(number, "r", "c")
            if not (1 <= row <= rows and 1 <= column <= columns):
                raise ValueError
            stones |= 1 << ((row - 1) * columns + column - 1)
        for picked in puzzle.iterfind(".//answer/picked"):
            turn, row, column = _numbers_of(picked, "n", "r", "c")
            _add_pick(order, turn, (row - 1, column - 1), 1)
    except BadText:
        raise
    except (ElementTree.ParseError, ValueError) as fault:
        raise BadText("This XML is not a board of Goishi Hiroi as Kanpen writes it.") from fault
    return _play_order(start(rows, columns, stones), order)


def _numbers_of(node: ElementTree.Element, *names: str) -> list[int]:
    texts = [node.get(name, "") for name in names]
    if not all(re.fullmatch("[0-9]{1,4}", text) for text in texts):
        raise ValueError
    return [int(text) for text in texts]


def _write_pencilbox(position: Position) -> str:
    """Return the Kanpen and PencilBox text, with the stones picked so far."""
    rows = [
        "".join("1 " if sign == "o" else ". " for sign in row)
        for row in text_rows(position, position.stones)
    ]
    picks = [f"{number} {row} {column}" for number, (row, column) in enumerate(position.picked, 1)]
    return "\n".join([str(position.rows), str(position.columns), *rows, *picks, ""])


def _write_pairs(position: Position) -> str:
    """Return the school poster's input: the number of stones, then x and y of each. y counts
    upwards."""
    stones = list(cells(position, position.stones))
    pairs = [f"{column + 1} {position.rows - row}" for row, column in stones]
    return "\n".join([str(len(stones)), *pairs, ""])


def _write_quoted(position: Position) -> str:
    """Return the rows in quotation marks, with spaces for empty points."""
    rows = text_rows(position, position.stones)
    return "\n".join([f'"{row.replace(".", " ")}",' for row in rows] + [""])


def _side(lines: list[str], index: int) -> int:
    if not re.fullmatch(f"[0-9]{{1,{_LONGEST_SIDE}}}", lines[index]) or not int(lines[index]):
        raise BadText(
            "Line {line}: this line must be the number of rows or columns.", line=index + 1
        )
    return int(lines[index])


def _words(lines: list[str], index: int, columns: int) -> list[str]:
    words = lines[index].split() if index < len(lines) else []
    if len(words) != columns:
        raise BadText(
            "Line {line}: this line must have {wanted} points, but it has {found}.",
            line=index + 1,
            wanted=columns,
            found=len(words),
        )
    return words


def _add_pick(order: dict[int, Cell], number: int, cell: Cell, line: int) -> None:
    if number in order:
        raise BadText(
            "Line {line}: the number {number} appears for the second time.",
            line=line,
            number=number,
        )
    order[number] = cell


def _play_order(position: Position, order: dict[int, Cell]) -> Position:
    """Return the position after the stones were picked in the given order, by the rules."""
    for number in range(1, len(order) + 1):
        if number not in order:
            raise BadText(
                "Picked stones are numbered from 1 on, but number {number} is missing.",
                number=number,
            )
        try:
            position = play(position, order[number])
        except IllegalMove as fault:
            raise IllegalMove(
                "The order of picking breaks the rules at number {number}.",
                number=number,
                cell=fault.place.cell,
                path=fault.place.path,
            ) from fault
    return position
