"""The interface of a puzzle kind: its rules, its text forms and its questions.

A kind is a set of stateless functions over immutable, hashable positions. A
puzzle is its starting position. A position in mid-game is a start and the line
of moves played from it. Wherever positions and moves leave Python code (database,
job, URL, command line), they are text:

    o.oo/oo..              a start
    o.oo/oo.. | 1,1 1,3    the same start after two moves

Undo, replay, saving, sending again and statistics are therefore written once for
all kinds. Coordinates in text are `row,column`. They count from 1 at the top left.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Generic, Literal
from urllib.parse import unquote

from solvers.capabilities import (
    Branching,
    BrowserRules,
    Editor,
    Grouping,
    Illustrations,
    Notations,
    Obstacles,
    PlayersWords,
    Presses,
    Score,
    Shading,
    TinyBoard,
    Tools,
)
from solvers.capabilities import M as M
from solvers.capabilities import P as P
from solvers.marks import SENSEI, is_sfen, other_format
from solvers.message import Message, gettext_noop
from solvers.picture import Picture, Shape
from solvers.question import Question
from solvers.symmetry import Cell as Cell
from solvers.symmetry import Symmetry, symmetries

LONGEST_TEXT = 20_000
"""The longest text that is read, in characters. The largest boards need less than a tenth of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a fault: a cell of the board, or a line and column of a text (from 1). A place
    between cells has the row and the column of its spot."""

    cell: Cell | None = None
    line: int | None = None
    column: int | None = None
    path: tuple[Cell, ...] = ()
    """The cells from the last move to the place where a refused move fails."""

    @property
    def fields(self) -> dict[str, int | None]:
        """The values of the place that a message can name, by field name."""
        if self.cell:
            return row_and_column(self.cell)
        return {"line": self.line, "column": self.column}


def row_and_column(cell: Cell) -> dict[str, int | None]:
    """Return the values of the message fields {row} and {column} for a cell, counted from 1."""
    return {"row": cell[0] + 1, "column": cell[1] + 1}


class PuzzleError(ValueError):
    """An error that the user can correct. Its message is shown to the user.

    A message that names fields of the place (`Place`) gets their values from there, so they need
    not be passed as values of the text.
    """

    def __init__(
        self,
        text: str | Message,
        /,
        *,
        cell: Cell | None = None,
        line: int | None = None,
        column: int | None = None,
        path: tuple[Cell, ...] = (),
        **values: Any,
    ) -> None:
        self.place = Place(cell, line, column, path)
        if isinstance(text, Message):
            values = {**text.values, **values}
            text = text.text
        named = {name: value for name, value in self.place.fields.items() if f"{{{name}}}" in text}
        self.message = Message(text, named | values)
        super().__init__(str(self.message))

    def __reduce__(self) -> tuple[Callable[..., "PuzzleError"], tuple[Any, ...]]:
        return _rebuild, (type(self), self.message, self.place)


def _rebuild(cls: type[PuzzleError], message: Message, place: Place) -> PuzzleError:
    error = cls.__new__(cls, str(message))
    error.message, error.place = message, place
    return error


class BadText(PuzzleError):
    """The text is not a position or a move of this kind."""


class IllegalMove(PuzzleError):
    """The text is a move, but the rules forbid it in this position. The message says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of applying the rules to a position."""

    solved: bool
    over: bool
    """Whether no move is left."""
    score: int | None = None
    """The score of the position, for kinds with an optimum."""
    faults: tuple[tuple[Cell, Message], ...] = ()
    goal: int | None = None
    """The score that solves the puzzle, if it is known."""
    is_score_valid: bool = True
    """Whether the score may be recorded as it is: the position has no fault and meets every
    condition of the start."""


INTERFACE = 1
"""The version of the interface between a kind and the framework. The interface covers `Kind`, its
capabilities, its editor, its questions and its answers. docs/compatibility.md says when the number
is raised."""


class Kind(ABC, Generic[P, M]):
    """A puzzle kind. Instances hold no state."""

    interface: ClassVar[int]
    """The `INTERFACE` for which the kind was written, as a number. The registry skips others."""
    slug: ClassVar[str]
    title: ClassVar[str]
    """The name, marked for translation. What shows it shows `name`."""
    rule: ClassVar[str | Message]
    """The rules in a sentence or two, marked for translation."""
    aim: ClassVar[str] = ""
    """The aim of the puzzle in one short line above the board, marked for translation."""
    family: ClassVar[Literal["sequence", "placement"]]
    """Whether a solution is the order of the moves or the board at the end."""
    version: ClassVar[int]
    """The version of the solvers, which is a part of every job's key. Raise it whenever an answer
    of a solver could change."""
    questions: ClassVar[Mapping[str, Question]]
    editor: ClassVar["Editor"]
    misunderstandings: ClassVar[Mapping[str, str]] = {}
    """The text of a refusal (`IllegalMove`) -> what a student who attempts such moves may have
    misunderstood, marked for translation. Teachers read it. Slips of the hand are left out."""

    terms: ClassVar[Mapping[str, str]] = {}
    """A word of the aim and of the introduction that children may not know -> what it means. Both
    are marked for translation. Students press the word to read it."""

    # Optional capabilities; see solvers/capabilities.py.
    tools: Tools[P, M] | None = None
    score: Score[P] | None = None
    obstacles: Obstacles[P] | None = None
    notations: Notations[P] | None = None
    illustrations: Illustrations | None = None
    players_words: PlayersWords | None = None
    shading: Shading | None = None
    presses: Presses | None = None
    browser_rules: BrowserRules[P] | None = None
    branching: Branching[P, M] | None = None
    introduction: "tuple[TinyBoard, ...]" = ()

    contents: Mapping[str, Any] | None = None
    """The entries that other kinds have in the files of their folders, if the kind itself was read
    from a file: the name of an entry -> the entries."""

    address_parts: ClassVar[tuple[str, ...]] = ()
    """Parts of the addresses of other sites that the kind can read."""
    reads: ClassVar[tuple[str, ...]] = ()
    """The formats of other programs (`solvers.marks`) that the kind can read. The message about a
    text in another one of them says what it is."""

    # The rules

    @abstractmethod
    def read_start(self, text: str) -> P:
        """Return the start that a cleaned text describes, in any format of the kind.

        A start that is returned is valid and never causes an error later. Raise BadText for any
        other text.
        """

    @abstractmethod
    def write_start(self, position: P) -> str:
        """Return the canonical text of the start that the position came from."""

    @abstractmethod
    def start(self, position: P) -> P:
        """Return the start that the position came from."""

    @abstractmethod
    def line(self, position: P) -> tuple[M, ...]:
        """Return the moves played since the start, in order."""

    @abstractmethod
    def read_move(self, text: str) -> M:
        """Return the move that a text describes. Raise BadText if it is no move on any board."""

    @abstractmethod
    def write_move(self, move: M) -> str:
        """Return the canonical text of a move."""

    @abstractmethod
    def cells_of(self, move: M) -> tuple[Cell, ...]:
        """Return the cells that the move names, in the order of the move: the cell on which a
        piece is set, or the cells from which and to which it goes. Cells that change because of
        the rules, such as stones that are turned over, are not among them."""

    @abstractmethod
    def turned_move(self, move: M, symmetry: Symmetry) -> M:
        """Return the move on the turned board. `symmetry` maps each cell of the board."""

    @abstractmethod
    def turned(self, position: P, symmetry: Symmetry) -> P | None:
        """Return the start that the position came from, turned or mirrored.

        Return None if the turned board does not belong to this kind, or if the symmetry changes a
        direction that the rules depend on, so that a turned line of moves means something else.
        """

    @abstractmethod
    def moves(self, position: P) -> Iterable[M]:
        """Yield the legal moves in a fixed order."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """Return the position after the move. Raise IllegalMove with the reason if the rules
        forbid the move."""

    @abstractmethod
    def judge(self, position: P) -> Verdict:
        """Return the verdict of the rules on the position."""

    @abstractmethod
    def draw(self, position: P) -> Picture:
        """Return the position as shapes with style names. Spots carry the text of a move."""

    @abstractmethod
    def sample(self, rng: random.Random, size: int) -> P:
        """Return a random start. Sizes up to 3 must be small enough for brute force."""

    # Methods that follow from the rules. A kind overrides those that it can answer better.

    def cell_of(self, move: M) -> Cell:
        """Return the cell at which the move ends."""
        return self.cells_of(move)[-1]

    def describe(self, move: M) -> Message:
        """Return what a move does in a few words, for people who do not read the move's text."""
        return Message("Row {row}, column {column}", row_and_column(self.cell_of(move)))

    def announcements(self, position: P) -> tuple[Message, ...]:
        """Return what else the last move did and what is left, in a few words each. People who
        hear the board instead of seeing it need this."""
        return ()

    def announcements_after_undo(self, position: P, undone: P) -> tuple[Message, ...]:
        """Return what else has changed now that the last move of `undone` was taken back, which led
        to `position`, and what is left, in a few words each."""
        return ()

    def shown_to_beginners(self, position: P, move: M) -> tuple[Shape, ...]:
        """Return shapes that show without words how the rules bear on a move that is to come.

        They are drawn over a board of the introduction, while a finger points at the move. The
        styles `way`, `reach`, `preview`, `bond` and `count` are meant for them.
        """
        return ()

    @property
    def name(self) -> Message:
        """The name of the kind, as it is shown."""
        return Message(self.title)

    @property
    def paper_instruction(self) -> Message:
        """The instruction how to write down a solution on a printed board."""
        if self.family == "sequence":
            return Message("Write 1, 2, 3 … where you move, in order.")
        return Message("Draw on the board what you place.")

    def facts(self, position: P) -> tuple[Message, ...]:
        """Return the properties of a start, such as its size and its stones, in a word or two
        each."""
        rows, columns = self.editor.size(self.write_start(position))
        return (Message("Rows: {rows}, columns: {columns}", {"rows": rows, "columns": columns}),)

    def solution(self, position: P) -> str:
        """Return a text that is equal for two solved positions if they are the same solution.

        For a sequence it is the order of the moves, for a placement the board as text.
        """
        return self.write_line(position) if self.family == "sequence" else self.draw(position).text

    def canonical(self, position: P) -> str:
        """Return a text that two starts share if and only if they are the same puzzle up to
        rotation and reflection."""
        size = self.editor.size(self.write_start(position))
        turned = (self.turned(position, symmetry) for symmetry in symmetries(*size))
        return min(self.write_start(start) for start in turned if start is not None)

    def symmetric_solutions(self, position: P) -> frozenset[str]:
        """Return the solutions (`solution`) into which the symmetries of its start turn a solved
        position, including its own."""
        size = self.editor.size(self.write_start(position))
        images = {self.solution(position)}
        for symmetry in symmetries(*size):
            end = self.start(position)
            if self.turned(end, symmetry) != end:
                continue
            try:
                for move in self.line(position):
                    end = self.play(end, self.turned_move(move, symmetry))
            except IllegalMove:
                continue
            if self.judge(end).solved:
                images.add(self.solution(end))
        return frozenset(images)

    @property
    def groupings(self) -> Mapping[str, Grouping[P]]:
        """The ways to group the solutions of a board, by name. Each solution is in one group."""
        symmetry: Grouping[P] = Grouping(
            gettext_noop("Turned and mirrored images"),
            lambda position: min(self.symmetric_solutions(position)),
        )
        if self.family == "sequence":
            first = Grouping(gettext_noop("First move"), self._first_move, self._describe_first)
            return {"symmetry": symmetry, "first": first}
        cells = Grouping(gettext_noop("Cells that are used"), self._changed_cells)
        return {"symmetry": symmetry, "cells": cells}

    def _first_move(self, position: P) -> str:
        return next(map(self.write_move, self.line(position)), "")

    def _describe_first(self, position: P) -> Message | None:
        return next(map(self.describe, self.line(position)), None)

    def _changed_cells(self, position: P) -> str:
        signs = zip(self.draw(position).text, self.draw(self.start(position)).text)
        return "".join("#" if now != before else "." for now, before in signs)

    def counted_moves(self, position: P) -> frozenset[str]:
        """Return the moves under which `CountAnswer.by_move` counts a solved position.

        For a sequence it is the first move, for a placement every move of which something stays on
        the board.
        """
        moves = map(self.write_move, self.line(position))
        if self.family == "sequence":
            return frozenset(list(moves)[:1])
        return frozenset(moves)

    def read(self, text: str) -> P:
        """Return the position that a text describes: a start, or a start and the moves from it.

        Raise BadText or IllegalMove, naming the place.
        """
        start, moves = _split_line(clean(text))
        check_address(start, self.address_parts)
        try:
            position = self.read_start(start)
        except BadText as fault:
            if message := other_format(start, self.reads):
                raise BadText(message) from fault
            raise
        return self.play_line(position, moves)

    def write(self, position: P) -> str:
        """Return the canonical text of a position, so that `read(write(p)) == p`."""
        start = self.write_start(position)
        moves = self.write_line(position)
        return f"{start} | {moves}" if moves else start

    def write_line(self, position: P) -> str:
        """Return the moves since the start as one text, joined by spaces."""
        return " ".join(self.write_move(move) for move in self.line(position))

    def play_line(self, position: P, moves: str) -> P:
        """Return the position after the moves of a text. Raise BadText or IllegalMove."""
        for text in split_moves(moves):
            position = self.play(position, self.read_move(text))
        return position


def check_length(text: str) -> None:
    """Raise BadText if a text is longer than `LONGEST_TEXT`."""
    if len(text) > LONGEST_TEXT:
        raise BadText(
            "This text is too long: {length} characters. At most {most} can be read.",
            length=len(text),
            most=LONGEST_TEXT,
        )


_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def clean(text: str) -> str:
    """Return a pasted text without the traces of editors and input methods.

    Remove the byte order mark and blanks at the ends, and replace Windows and old Mac line ends.
    Replace full-width letters, digits and spaces one for one, so that places keep their number.
    Raise BadText if the text is longer than `LONGEST_TEXT`.
    """
    check_length(text)
    return plain(text).strip()


def plain(text: str) -> str:
    """Return a text as `clean` does, but with the blanks at its ends, and of any length."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_FULL_WIDTH)


def _split_line(text: str) -> tuple[str, str]:
    """Return the start in a text and the moves behind its bar. The bars of a diagram are none."""
    start, bar, moves = text.partition(" | ")
    is_line = "\n" not in moves or _LINE.fullmatch(moves)
    if not bar or not is_line or moves.endswith("|") or text.startswith(SENSEI):
        return text, ""
    return start, moves


_NAMED = re.compile(
    r"(?:\S*[?/&])?([a-z]{3,20})(?:_edit|_play)?"
    r"(?:\.html\?(?:problem|pzpr)=|/(?:v:/)?[0-9]{1,4}/[0-9]{1,4}/)\S*"
)
_FILE = re.compile(r"(?:\S*[?/&])?pzprv3(?:\.[0-9]+)?\s*[/\n]\s*([a-z]{3,20})")
_PAGE = re.compile(r"https?://|www\.")


def check_address(text: str, known: tuple[str, ...]) -> None:
    """Raise BadText if a text is the address or the file of another puzzle, or another page's
    address.

    `known` lists the parts of addresses that the kind reads itself (`Kind.address_parts`).
    """
    if any(name in text for name in known) or is_sfen(text):
        return
    # An address contains no white space, and the match would be slow in a text full of it.
    is_word = not re.search(r"\s", text)
    if is_word and "%" in text:
        text = unquote(text)
    if match := _FILE.match(text) or (_NAMED.fullmatch(text) if is_word else None):
        raise BadText(
            "This is a “{name}” puzzle, which can't be read as a puzzle of this kind.",
            name=match[1],
        )
    if is_word and _PAGE.match(text):
        raise BadText("The board can't be read from this address. Paste the board itself.")


_MOVE = re.compile(r"(?<!\S)(?:[^\s0-9]\S*\s+)?[0-9]+,[0-9]+(?!\S)")
_LINE = re.compile(r"\s*(?:(?:[^\s0-9]\S*\s+)?[0-9]+,[0-9]+(?:\s+|\Z))*")


def split_moves(text: str) -> list[str]:
    """Return the texts of the moves in a line, each of which ends in `row,column`.

    >>> split_moves("1,1 1,3")
    ['1,1', '1,3']
    >>> split_moves("R 2,3 - 2,3")
    ['R 2,3', '- 2,3']

    Raise BadText, naming the column, if the text contains anything else.
    """
    return list(_split_moves(text))


@lru_cache(maxsize=64)
def _split_moves(text: str) -> tuple[str, ...]:
    """Return what `split_moves` returns. A request asks several times for the same line."""
    check_length(text)
    if _LINE.fullmatch(text):
        return tuple(_MOVE.findall(text))
    rest = _MOVE.sub(lambda match: " " * len(match[0]), text)
    raise BadText(
        "“{text}” is not a move. A move ends in row,column, like 2,3.",
        text=rest.strip()[:20],
        line=1,
        column=len(rest) - len(rest.lstrip()) + 1,
    )
