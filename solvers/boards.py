"""Texts with several boards: the boards in such a text, each with its place and its title.

A text has several boards in one of these ways:

- It is in a format of another program that has several: games in SGF, diagrams of Sensei's Library,
  boards in KIF or BOD, records in CSA with `/` between them, or pzprv3 or XML files one after
  another. Words between the games and diagrams are ignored, but not other boards.
- Each of its lines is a board: an address, or rows with slashes between them. Words before an
  address, before a tab or on a line above an address are the title.
- Blank lines stand between the boards, one of which has several rows. Words in the first line of a
  board are its title.

A text that the kind reads as one board is one board.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from solvers.go_diagrams import sensei_title
from solvers.kind import BadText, Kind, Place, PuzzleError, plain
from solvers.marks import KIF_FRAME, KIF_HAND, SENSEI, is_csa, is_kif, is_sgf
from solvers.message import Message
from solvers.sgf import games_in

LONGEST = 300_000
"""The longest text with several boards, in characters."""
MAX_BOARDS = 100
"""The most boards that are read at once."""
LONGEST_TITLE = 60

_ADDRESS = re.compile(r"<?(?:https?(?:://|%3A)|www\.)\S+")
_BARE_ADDRESS = re.compile(r"(?<!\S)\S*?goishi(?:_edit|_play)?/[0-9]+/[0-9]+/\S+")
_LINE_BOARD = re.compile(
    r"(?:position\s+)?(?:sfen\s+)?\S*/\S.*|[0-9]{1,3} +/.*|[0-9]{1,2} ?[x×] ?[0-9]{1,2}\b.*"
)
_SIGNS = "oOxXbBwWsS黒白●○RBKGSNLPrkgnlp飛角王玉金銀桂香歩龍竜馬全圭杏と成・"
"""The letters that rows of boards consist of. They alone make no title."""
_WORD = re.compile(r"[ぁ-ヿ一-鿿]|[^\W\d_].*[^\W\d_]")
_FILE_STARTS = tuple(
    re.compile(rf"(?m)^[ \t]*{mark}")
    for mark in (r"pzprv3(?:\.\d+)?[ \t]*$", r"<\?xml\b", r"<puzzle\b")
)
_SEPARATOR = re.compile(r"(?m)^[ \t]*/[ \t]*$")
_BLOCK = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_NAME_OF_GAME = re.compile(r"(?<![A-Za-z])GN\[((?:[^\]\\]|\\.){0,200})\]", re.DOTALL)
_KIF_HEAD = re.compile(r"\s*(?:[1-9]\s+)+1\s*")
_KIF_TITLE = re.compile(r"(?m)^\s*(?:表題|作品名|棋戦)\s*:\s*(\S.*)$")


@dataclass(frozen=True, slots=True)
class BoardText:
    """A part of a text that is to be one board."""

    text: str
    line: int
    """The line at which the part begins, counted from 1."""
    column: int = 1
    """The column in this line."""
    title: str = ""

    def placed(self, place: Place) -> Place:
        """Return a place in the part as a place in the whole text.

        Kinds count rows, and a slash ends a row just as a line break does.
        """
        if place.line is None:
            return place
        line, column = self.line, self.column
        for row in re.findall(r"[^/\n]*[/\n]?", self.text)[: place.line - 1]:
            if row.endswith("\n"):
                line, column = line + 1, 1
            else:
                column += len(row)
        if place.column is None:
            return replace(place, line=line)
        return replace(place, line=line, column=column + place.column - 1)


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A board of a text with several boards, or the reason why it can't be read."""

    number: int
    """The number of the board in the text, counted from 1."""
    text: BoardText
    position: Any = None
    """The position of the kind; None if it can't be read."""
    fault: Message | None = None
    place: Place | None = None
    """The place of the fault in the whole text."""


class _Source:
    """A text with several boards, with the indexes at which its lines begin."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def part(self, start: int, end: int, title: str = "") -> BoardText:
        """Return the part between two indexes, without blanks around it."""
        part = self.text[start:end]
        start += len(part) - len(part.lstrip())
        line = bisect(self._starts, start)
        column = start - self._starts[line - 1] + 1
        return BoardText(part.strip(), line, column, title.strip()[:LONGEST_TITLE])


def split_boards(kind: Kind[Any, Any], text: str) -> list[BoardText]:
    """Return the parts of a text that are to be boards, in order."""
    source = _Source(plain(text))
    if not source.text.strip():
        return []
    if recorded := list(_recorded(source)):
        others = (part for part in _beside(source, recorded) if _is_read(kind, part.text))
        return sorted([*recorded, *others], key=lambda part: (part.line, part.column))
    lines = list(_lines(source, 0, len(source.text)))
    if len(lines) > 1 and _are_boards(lines):
        return lines
    whole = source.part(0, len(source.text))
    if _is_read(kind, whole.text):
        return [whole]
    blocks = [block.span() for block in _BLOCK.finditer(source.text)]
    parts = [part for block in blocks for part in _parts_of_block(source, *block)]
    # Rows with blank lines between them are one board.
    is_several = any(
        "\n" in part.text or part.title or _LINE_BOARD.fullmatch(part.text) for part in parts
    )
    return parts if is_several else [whole]


def read_boards(kind: Kind[Any, Any], text: str) -> list[ReadBoard]:
    """Return the boards of a text, and the faults of those that can't be read.

    Raise BadText if the text is too long or has more than `MAX_BOARDS` boards.
    """
    if len(text) > LONGEST:
        raise BadText(
            "This text is too long: {length} characters. At most {most} can be read.",
            length=len(text),
            most=LONGEST,
        )
    parts = split_boards(kind, text)
    if len(parts) > MAX_BOARDS:
        raise BadText(
            "This text has {number} boards. At most {most} can be read at once: leave some out, "
            "and read them afterwards.",
            number=len(parts),
            most=MAX_BOARDS,
        )
    return [_read(kind, number, part) for number, part in enumerate(parts, 1)]


def _read(kind: Kind[Any, Any], number: int, part: BoardText) -> ReadBoard:
    try:
        return ReadBoard(number, part, kind.read(part.text))
    except PuzzleError as error:
        first, _, rest = part.text.partition("\n")
        is_below_title = error.place.line in (None, 1) and _is_title(first)
        if rest.strip() and not part.title and is_below_title:
            title = first.strip(" \t#*")[:LONGEST_TITLE]
            return _read(kind, number, BoardText(rest, part.line + 1, 1, title))
        place = part.placed(error.place)
        message = error.message
        if place.cell is None:
            names = {name: value for name, value in place.fields.items() if name in message.values}
            message = Message(message.text, {**message.values, **names})
        return ReadBoard(number, part, None, message, place)


def _is_title(line: str) -> bool:
    """Return whether a line is words, and certainly not a row of a board with a wrong sign."""
    return bool(_WORD.search("".join(sign for sign in line if sign not in _SIGNS)))


def _is_read(kind: Kind[Any, Any], text: str) -> bool:
    try:
        kind.read(text)
    except PuzzleError:
        return False
    return True


def _recorded(source: _Source) -> Iterator[BoardText]:
    """Yield the boards of a text in a format of another program that has several."""
    text = source.text
    if is_sgf(text):
        yield from _games(source)
    elif text.lstrip().startswith(SENSEI) or f"\n{SENSEI}" in text:
        yield from _diagrams(source)
    elif is_csa(text):
        separators = [match.span() for match in _SEPARATOR.finditer(text)]
        starts = [0, *(end for _, end in separators)]
        yield from _between(source, starts, [*(start for start, _ in separators), len(text)])
    elif any(map(KIF_FRAME.fullmatch, text.split("\n"))) and is_kif(text):
        starts = list(_kif_starts(text))
        yield from _between(source, starts, [*starts[1:], len(text)])
    else:
        for mark in _FILE_STARTS:
            starts = [match.start() for match in mark.finditer(text)]
            if starts and not text[: starts[0]].strip():
                yield from _between(source, starts, [*starts[1:], len(text)])
                break


def _beside(source: _Source, parts: list[BoardText]) -> Iterator[BoardText]:
    """Yield the blocks of lines in which no part stands, or the lines of such a block."""
    taken = {part.line + row for part in parts for row in range(part.text.count("\n") + 1)}
    lines = enumerate(source.text.split("\n"), 1)
    rest = _Source("\n".join("" if number in taken else line for number, line in lines))
    for block in _BLOCK.finditer(rest.text):
        yield from _parts_of_block(rest, *block.span())


def _between(source: _Source, starts: list[int], ends: list[int]) -> Iterator[BoardText]:
    """Yield the parts between indexes that are not blank, with the titles that KIF gives them."""
    for start, end in zip(starts, ends):
        named = _KIF_TITLE.search(source.text, start, end)
        part = source.part(start, end, named[1] if named else "")
        if part.text:
            yield part


def _games(source: _Source) -> Iterator[BoardText]:
    at = 0
    for game in games_in(source.text):
        at = source.text.index(game, at)
        name = _NAME_OF_GAME.search(game)
        title = re.sub(r"\\(.)", r"\1", name[1], flags=re.DOTALL) if name else ""
        yield source.part(at, at + len(game), " ".join(title.split()))
        at += len(game)


def _diagrams(source: _Source) -> list[BoardText]:
    """Return the diagrams of Sensei's Library in a text. Other lines stand between them."""
    spans: list[tuple[int, int, str]] = []
    at = 0
    is_open = has_rows = False
    for line in source.text.split("\n"):
        end = at + len(line)
        if not line.lstrip().startswith(SENSEI):
            is_open = False
        else:
            title = sensei_title(line)
            if is_open and (title is None or not has_rows):
                start, _, first_title = spans.pop()
                spans.append((start, end, first_title))
            else:
                spans.append((at, end, title or ""))
                has_rows = False
            has_rows = has_rows or title is None
            is_open = True
        at = end + 1
    return [source.part(*span) for span in spans]


def _kif_starts(text: str) -> Iterator[int]:
    """Yield the indexes at which the boards of a text in KIF or BOD begin."""
    yield 0
    at = frames = 0
    for line in text.split("\n"):
        hand = KIF_HAND.match(line)
        is_other_hand = hand is not None and hand[1] in ("後手", "上手")
        is_frame = bool(KIF_FRAME.fullmatch(line))
        if frames == 2 and (is_other_hand or is_frame or _KIF_HEAD.fullmatch(line)):
            yield at
            frames = 0
        frames += is_frame
        at += len(line) + 1


def _lines(source: _Source, at: int, end: int) -> Iterator[BoardText]:
    """Yield the lines between two indexes, with the title before an address or a tab. Blank lines
    are left out."""
    for line in source.text[at:end].split("\n"):
        if line.strip():
            address = _ADDRESS.search(line) or _BARE_ADDRESS.search(line)
            start = address.start() if address else line.find("\t") + 1
            yield source.part(at + start, at + len(line), line[:start].strip(" \t:・-–—"))
        at += len(line) + 1


def _are_boards(lines: list[BoardText]) -> bool:
    return all(_LINE_BOARD.fullmatch(line.text) for line in lines)


def _parts_of_block(source: _Source, start: int, end: int) -> list[BoardText]:
    """Return the lines of a block if they are boards of their own, else the block. Words on a line
    above an address are its title."""
    lines = list(_lines(source, start, end))
    if _are_boards(lines) and (len(lines) > 1 or lines[0].title):
        return lines
    if not any(_ADDRESS.match(each.text) or _BARE_ADDRESS.match(each.text) for each in lines):
        return [source.part(start, end)]
    boards: list[BoardText] = []
    words = ""
    for line in lines:
        if _is_title(line.text) and not _are_boards([line]) and line is not lines[-1]:
            words = f"{words} {line.text}".strip()
        else:
            boards.append(replace(line, title=line.title or words[:LONGEST_TITLE]))
            words = ""
    return boards
