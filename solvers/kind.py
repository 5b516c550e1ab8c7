"""What a puzzle kind is: the rules, the text forms and the questions.

A kind is a set of stateless functions over immutable, hashable positions. A
puzzle is its starting position; a position in mid-game is a start and the line
of moves played from it. At every border (database, job, URL, command line)
positions and moves are text:

    o.oo/oo..              a start
    o.oo/oo.. | 1,1 1,3    the same after two moves

so undo, replay, saving, sending again and statistics are written once for all
kinds. Coordinates in text count from 1, top left first: `row,column`.
"""

import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from solvers.message import Message
from solvers.picture import Picture
from solvers.question import Question

if TYPE_CHECKING:
    from solvers.capabilities import (
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
    from solvers.editor import Editor

Cell = tuple[int, int]
"""(row, column), both from 0."""

LONGEST_TEXT = 20_000
"""Characters. The largest board of any kind needs under a tenth of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a fault is: a cell of the board, or a line and column of a text (from 1)."""

    cell: Cell | None = None
    line: int | None = None
    column: int | None = None
    way: tuple[Cell, ...] = ()
    """Of a move that is refused: the cells from the last move on to where it fails."""

    @property
    def fields(self) -> dict[str, int | None]:
        """What texts say of it."""
        if self.cell:
            return row_and_column(self.cell)
        return {"line": self.line, "column": self.column}


def row_and_column(cell: Cell) -> dict[str, int | None]:
    """Return what texts say of a cell, counted from 1: the values of {row} and {column}."""
    return {"row": cell[0] + 1, "column": cell[1] + 1}


class PuzzleError(ValueError):
    """Something the user can mend. Its message is shown to the user.

    The fields of its place (`Place`) need not be said again among the values of the text.
    """

    def __init__(
        self,
        text: str | Message,
        /,
        *,
        cell: Cell | None = None,
        line: int | None = None,
        column: int | None = None,
        way: tuple[Cell, ...] = (),
        **values: Any,
    ) -> None:
        self.place = Place(cell, line, column, way)
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
    """The text is no position, or no move, of this kind."""


class IllegalMove(PuzzleError):
    """A move, but the rules forbid it here; the message says why."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say of a position."""

    solved: bool
    over: bool
    """No move is left."""
    score: int | None = None
    """For kinds with an optimum."""
    faults: tuple[tuple[Cell, Message], ...] = ()
    goal: int | None = None
    """The score that solves the puzzle, where it is known."""
    counts: bool = True
    """Whether the score may be set down as it is: nothing is at fault, and nothing lacks that the
    start asks for."""


P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)


class Kind(ABC, Generic[P, M]):
    """One puzzle kind. Instances hold no state."""

    slug: ClassVar[str]
    title: ClassVar[str]
    childrens_title: ClassVar[str] = ""
    """The plainer name that students read, marked; empty: the title."""
    rule: ClassVar[str]
    """The rules in a sentence or two."""
    aim: ClassVar[str] = ""
    """What is to be done, in one short line above the board, marked."""
    family: ClassVar[Literal["sequence", "placement"]]
    """Whether a solution is the order of the moves or what stands on the board at the end."""
    version: ClassVar[int]
    """Raised whenever an answer of its solvers could change: part of every job's key."""
    questions: ClassVar[Mapping[str, Question]]
    editor: ClassVar["Editor"]
    misunderstandings: ClassVar[Mapping[str, str]] = {}
    """Text of a refusal (`IllegalMove`) -> what whoever tries such moves may have understood wrong,
    marked; for teachers. Slips of the hand are not in it."""

    # What some kinds have besides; see solvers/capabilities.py.
    tools: "Tools[P, M] | None" = None
    score: "Score[P] | None" = None
    obstacles: "Obstacles[P] | None" = None
    notations: "Notations[P] | None" = None
    illustrations: "Illustrations | None" = None
    players_words: "PlayersWords | None" = None
    shading: "Shading | None" = None
    presses: "Presses | None" = None
    introduction: "tuple[TinyBoard, ...]" = ()

    addresses: ClassVar[tuple[str, ...]] = ()
    """What stands in the addresses of other sites that the kind reads."""

    # The rules.

    @abstractmethod
    def read_start(self, text: str) -> P:
        """Return the start that a cleaned text describes, in any format of the kind.

        Whatever is accepted here never fails later. Raises BadText.
        """

    @abstractmethod
    def write_start(self, position: P) -> str:
        """Return the canonical text of the start that the position came from."""

    @abstractmethod
    def start(self, position: P) -> P:
        """Return the start that the position came from."""

    @abstractmethod
    def line(self, position: P) -> tuple[M, ...]:
        """Return the moves played since the start."""

    @abstractmethod
    def read_move(self, text: str) -> M:
        """Return the move. Raises BadText when the text is no move on any board."""

    @abstractmethod
    def write_move(self, move: M) -> str:
        """Return the canonical text of a move."""

    @abstractmethod
    def cell_of(self, move: M) -> Cell:
        """Return the cell that the move is about."""

    @abstractmethod
    def moves(self, position: P) -> Iterable[M]:
        """Yield the legal moves in a fixed order."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """Return the position after the move. Raises IllegalMove with the reason."""

    @abstractmethod
    def judge(self, position: P) -> Verdict:
        """Return what the rules say of the position."""

    @abstractmethod
    def draw(self, position: P) -> Picture:
        """Return the position as shapes with style names; spots carry the text of a move."""

    @abstractmethod
    def sample(self, rng: random.Random, size: int) -> P:
        """Return a random start. Sizes up to 3 are small enough for brute force."""

    # What follows from the rules. A kind overrides what it can say better.

    def describe(self, move: M) -> Message:
        """Return in a few words what a move does, for people who don't read its text."""
        return Message("Row {row}, column {column}", row_and_column(self.cell_of(move)))

    def sequel(self, position: P) -> tuple[Message, ...]:
        """Return what the last move did besides, and what is left, a few words each: for those who
        hear the board and don't see it."""
        return ()

    @property
    def on_paper(self) -> Message:
        """How a solution is written down on a printed board."""
        if self.family == "sequence":
            return Message("Write 1, 2, 3 … where you move, in order.")
        return Message("Draw on the board what you place.")

    def facts(self, position: P) -> tuple[Message, ...]:
        """Return what there is to say of a start in a word or two each: its size, its stones."""
        rows, columns = self.editor.size(self.write_start(position))
        return (Message("{rows} rows, {columns} columns", {"rows": rows, "columns": columns}),)

    def solution(self, position: P) -> str:
        """Return the text by which two solved positions are the same solution or not.

        Of a sequence that is the order of the moves, of a placement the board as text.
        """
        return self.write_line(position) if self.family == "sequence" else self.draw(position).text

    def read(self, text: str) -> P:
        """Return the position of a text: a start, or a start and the moves from it.

        Raises BadText or IllegalMove, naming the place.
        """
        start, bar, moves = clean(text).partition(" | ")
        check_address(start, self.addresses)
        position = self.read_start(start)
        return self.play_line(position, moves) if bar else position

    def write(self, position: P) -> str:
        """Return the canonical text: `read(write(p)) == p`."""
        start = self.write_start(position)
        moves = self.write_line(position)
        return f"{start} | {moves}" if moves else start

    def write_line(self, position: P) -> str:
        """Return the moves since the start as one text, joined by spaces."""
        return " ".join(self.write_move(move) for move in self.line(position))

    def play_line(self, position: P, moves: str) -> P:
        """Return the position after the moves of a text. Raises BadText or IllegalMove."""
        for text in split_moves(moves):
            position = self.play(position, self.read_move(text))
        return position


def check_length(text: str) -> None:
    """Raise BadText for a text longer than `LONGEST_TEXT`."""
    if len(text) > LONGEST_TEXT:
        raise BadText(
            "This text is too long: {length} characters. At most {most} can be read.",
            length=len(text),
            most=LONGEST_TEXT,
        )


_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def clean(text: str) -> str:
    """Return a pasted text with the traces of editors and input methods taken out.

    Byte order mark, Windows and old Mac line ends, full-width letters, digits and
    spaces (one for one, so that places keep their number), blank ends. Raises BadText
    for a text longer than `LONGEST_TEXT`.
    """
    check_length(text)
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_FULL_WIDTH).strip()


_NAMED = re.compile(
    r"(?:\S*[?/])?([a-z]{3,20})(?:\.html\?problem=|/(?:v:/)?[0-9]{1,4}/[0-9]{1,4}/)\S*"
)
_FILE = re.compile(r"pzprv3(?:\.[0-9]+)?\s*[/\n]\s*([a-z]{3,20})")
_PAGE = re.compile(r"https?://|www\.")


def check_address(text: str, known: tuple[str, ...]) -> None:
    """Raise BadText for the address or the file of another puzzle, and for any other page's.

    `known`: what stands in those that a kind reads by itself.
    """
    if any(name in text for name in known):
        return
    # An address holds no space; behind a search for many of them the match would take long.
    is_word = not re.search(r"\s", text)
    if match := _FILE.match(text) or (_NAMED.fullmatch(text) if is_word else None):
        raise BadText("This is a “{name}” puzzle, not one of this kind.", name=match[1])
    if is_word and _PAGE.match(text):
        raise BadText("The board can't be read from this address. Paste the board itself.")


_MOVE = re.compile(r"(?<!\S)(?:[^\s0-9]\S*\s+)?[0-9]+,[0-9]+(?!\S)")


def split_moves(text: str) -> list[str]:
    """Return the moves of a line, each of which ends in `row,column`.

    >>> split_moves("1,1 1,3")
    ['1,1', '1,3']
    >>> split_moves("R 2,3 - 2,3")
    ['R 2,3', '- 2,3']

    Raises BadText, naming the column, for what is left over.
    """
    check_length(text)
    rest = _MOVE.sub(lambda match: " " * len(match[0]), text)
    if rest.strip():
        column = len(rest) - len(rest.lstrip()) + 1
        raise BadText(
            "“{text}” is not a move. A move ends in row,column, like 2,3.",
            text=rest.strip()[:20],
            line=1,
            column=column,
        )
    return _MOVE.findall(text)
