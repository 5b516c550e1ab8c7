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

import importlib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, TypeVar

from solvers.message import Message
from solvers.picture import Picture

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


class PuzzleError(ValueError):
    """Something the user can mend. Its message is shown to the user."""

    def __init__(self, text: str, /, *, place: Place | None = None, **values: object) -> None:
        self.message = Message(text, values)
        self.place = place or Place()
        super().__init__(str(self.message))

    def __reduce__(self) -> tuple[Callable[..., "PuzzleError"], tuple[Any, ...]]:
        return _rebuild, (type(self), self.message.text, self.place, dict(self.message.values))


def _rebuild(
    cls: type[PuzzleError], text: str, place: Place, values: dict[str, object]
) -> PuzzleError:
    return cls(text, place=place, **values)


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


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life of a running question: `done` of `total` steps."""

    done: int
    total: int
    note: Message | None = None
    at_least: int | None = None
    """A proven lower bound of the answer's value so far."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What has been found so far, as in the answer's details."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. Counts are exact integers of any size."""

    value: int | None
    moves: tuple[str, ...] = ()
    """A line of moves that proves or shows the answer; replayed before anyone sees it."""
    proven: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)
    """JSON values only; counts as decimal strings."""

    def to_json(self) -> dict[str, Any]:
        """Return the answer as JSON values, counts as decimal strings."""
        return {
            "value": None if self.value is None else str(self.value),
            "proven": self.proven,
            "moves": list(self.moves),
            "details": dict(self.details),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Answer":
        """Return the answer that `to_json` made."""
        value = None if stored["value"] is None else int(stored["value"])
        return cls(value, tuple(stored["moves"]), stored["proven"], stored["details"])


Run = Generator[Progress, None, Answer]
"""A question being worked on. Yields at least once a second; `close()` cancels it."""

P = TypeVar("P", bound=Hashable)
M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Option:
    """Something a question may be told besides the position. `solvers.options` makes them."""

    title: str
    default: str
    """As text, like everything that is written on a command line or in a form."""
    read: Callable[[str], Any]
    """Text -> the JSON value that jobs store and solvers are given. Raises BadText."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Where only a few values are possible: each with its title."""
    write: Callable[[Any], str] = str
    """The value as text again: `read(write(value)) == value`."""
    hint: str = ""
    """How it is written, where that is not plain."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something a kind can be asked about a position.

    The solver is named, not imported, so that a process which only needs the
    rules never loads numba.
    """

    title: str
    solver: str
    """`package.module:generator`, called with the kind, a position and the options."""
    queue: Literal["hint", "solve"] = "solve"
    options: Mapping[str, Option] = field(default_factory=dict)
    """Name -> what it may be told; the solver is always given all of them."""
    about: str = ""
    """A sentence on what the answer tells, where the title does not say it all."""
    position: str = ""
    """The position it is asked about when none is given; empty where one must be."""
    drawn_by: str = ""
    """The option whose choice `drawn` makes the position matter; empty where it always does."""
    is_compiled: bool = True
    """Whether there are kernels to be compiled before somebody asks."""
    check: str = ""
    """`package.module:function` that knows at once what can't be: called with the position and
    the options, it raises PuzzleError. It loads no numba."""
    split: str = ""
    """A module with `parts(kind, position, number)`, which returns for each part the options
    that ask for it, and `combine(answers)`; empty where it can't be split. The values of the
    parts, and the lower bounds they prove on the way, add up to those of the whole."""

    def ask(self, kind: "Kind[Any, Any]", position: Hashable, **options: Any) -> Run:
        """Start the solver and return it as a generator that has done nothing yet.

        Options are given as values, as `Option.read` returns them.
        """
        run: Run = _named(self.solver)(kind, position, **self._told(options))
        return run

    def refuse_impossible(self, position: Hashable, **options: Any) -> None:
        """Raise PuzzleError, with the reason, where it is known at once that there is no answer."""
        if self.check:
            _named(self.check)(position, **self._told(options))

    def _told(self, options: Mapping[str, Any]) -> dict[str, Any]:
        defaults = {key: option.read(option.default) for key, option in self.options.items()}
        return defaults | dict(options)


def _named(name: str) -> Callable[..., Any]:
    """Return the function of a name `package.module:function`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found


class Editor(ABC):
    """How a board is drawn up. A draft is text and may still be no legal puzzle."""

    brushes: ClassVar[Mapping[str, str]]
    """Name -> title. The first one is in the hand at the start."""
    largest: ClassVar[tuple[int, int]]
    """Rows and columns."""
    advice: ClassVar[str] = ""
    """What is not seen at once, in a sentence."""
    formats: ClassVar[Mapping[str, str]] = {}
    """Title -> an example, for each way to write a board that the kind reads."""

    @abstractmethod
    def blank(self, rows: int, columns: int) -> str:
        """Return a draft without anything on it. Raises BadText beyond `largest`."""

    @abstractmethod
    def size(self, draft: str) -> tuple[int, int]:
        """Return rows and columns. Raises BadText when the text is no draft."""

    @abstractmethod
    def resize(self, draft: str, rows: int, columns: int) -> str:
        """Return the draft cut or extended at its right and lower edges."""

    @abstractmethod
    def paint(self, draft: str, cell: Cell, brush: str) -> str:
        """Return the draft with the brush set down once on the cell."""

    @abstractmethod
    def draw(self, draft: str, fault: Cell | None = None) -> Picture:
        """Return the draft as a picture; every cell is a spot whose move is `row,column`."""

    # A kind with a score writes the mark, the score that solves the puzzle, into its draft.

    def mark(self, draft: str) -> str | None:
        """Return the mark as digits, empty for the best score there can be; None for kinds without
        a score."""
        return None

    def with_mark(self, draft: str, mark: str) -> str:
        """Return the draft with another mark, which may still be one that can't be reached."""
        return draft


class Kind(ABC, Generic[P, M]):
    """One puzzle kind. Instances hold no state."""

    slug: ClassVar[str]
    title: ClassVar[str]
    rule: ClassVar[str]
    """The rules in a sentence or two."""
    family: ClassVar[Literal["sequence", "placement"]]
    """Whether a solution is the order of the moves or what stands on the board at the end."""
    version: ClassVar[int]
    """Raised whenever an answer of its solvers could change: part of every job's key."""
    questions: ClassVar[Mapping[str, Question]]
    editor: ClassVar[Editor]
    usual_words: ClassVar[Mapping[str, str]] = {}
    """Plain text -> what those say who know the game, for readers who choose so. A kind that has
    such words also draws two signs on each piece, in the styles `kanji` and `letter`."""

    @property
    def illustrations(self) -> tuple[tuple[Picture, Message], ...]:
        """Pictures that explain the rules, each with what it says."""
        return ()

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

    def told(self, move: M) -> Message:
        """Return in a few words what a move does, for people who don't read its text."""
        return Message(self.write_move(move))

    # What a kind with a choice in the hand (a piece, a colour) says besides.

    def tools(self, position: P) -> Mapping[str, Message]:
        """Return what can be taken in the hand before the board is pressed: name -> title.

        Empty for kinds where a press says everything. A spot of the picture whose move is
        one of these names takes that tool up instead of moving.
        """
        return {}

    def movable(self, position: P) -> Mapping[str, Message]:
        """Return what stands on the board and can be taken up to be set elsewhere: name -> title.

        Taken up it is a tool like those of the hand, but never by itself.
        """
        return {}

    def draw_with(self, position: P, tool: str) -> Picture:
        """Return the position with spots whose moves use the tool as far as it can be used."""
        return self.draw(position)

    # What the rules say beyond that; most kinds have nothing to say.

    def doomed(self, position: P) -> tuple[tuple[Cell, Message], ...]:
        """Return the places where it is seen already that the puzzle can't be solved any more.

        For students only where the teacher allows it. Nothing found proves nothing.
        """
        return ()

    def obstacle(self, position: P) -> Message | None:
        """Return why the position can't be solved, where that needs no search: for the editor.

        None proves nothing.
        """
        return None

    def optimum(self, position: P) -> int | None:
        """Return the best score there can be from the start on, where that is known for certain
        without a long search: for kinds with a score. The question `best` finds it otherwise."""
        return None

    # What follows from the rules, the same for every kind.

    def read(self, text: str) -> P:
        """Return the position of a text: a start, or a start and the moves from it.

        Raises BadText or IllegalMove, naming the place.
        """
        start, bar, moves = clean(text).partition(" | ")
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

    def facts(self, position: P) -> tuple[Message, ...]:
        """Return what there is to say of a start in a word or two each: its size, its stones."""
        rows, columns = self.editor.size(self.write_start(position))
        return (Message("{rows} rows, {columns} columns", {"rows": rows, "columns": columns}),)

    def exports(self, position: P) -> Mapping[str, str]:
        """Return the position in the notations of others: title -> text. `read` reads them all."""
        return {}

    def solution(self, position: P) -> str:
        """Return the text by which two solved positions are the same solution or not."""
        if self.family == "sequence":
            return self.write_line(position)
        return " ".join(sorted(self.write_move(move) for move in self.line(position)))


_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def clean(text: str) -> str:
    """Return a pasted text with the traces of editors and input methods taken out.

    Byte order mark, Windows and old Mac line ends, full-width letters, digits and
    spaces (one for one, so that places keep their number), blank ends. Raises BadText
    for a text longer than `LONGEST_TEXT`.
    """
    if len(text) > LONGEST_TEXT:
        raise BadText(
            "This text is too long: {length} characters. At most {most} can be read.",
            length=len(text),
            most=LONGEST_TEXT,
        )
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.translate(_FULL_WIDTH).strip()


_MOVE = re.compile(r"(?<!\S)(?:[^\s0-9]\S*\s+)?[0-9]+,[0-9]+(?!\S)")


def split_moves(text: str) -> list[str]:
    """Return the moves of a line, each of which ends in `row,column`.

    >>> split_moves("1,1 1,3")
    ['1,1', '1,3']
    >>> split_moves("R 2,3 - 2,3")
    ['R 2,3', '- 2,3']

    Raises BadText, naming the column, for what is left over.
    """
    rest = _MOVE.sub(lambda match: " " * len(match[0]), text)
    if rest.strip():
        column = len(rest) - len(rest.lstrip()) + 1
        raise BadText(
            "“{text}” is not a move. A move ends in row,column, like 2,3.",
            text=rest.strip()[:20],
            place=Place(line=1, column=column),
        )
    return _MOVE.findall(text)
