"""Optional capabilities of kinds. A kind owns an object of each class that it needs.

Shared code reads `kind.tools`, `kind.score` and so on. None means that the kind lacks the
capability. Like kinds, these objects hold no state.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Literal, TypeVar

from msgspec.structs import replace

from solvers.message import Message
from solvers.picture import CELL, Picture, Rect, Shape, Spot
from solvers.symmetry import Cell

P = TypeVar("P", bound=Hashable)
"""The type of a kind's positions."""
M = TypeVar("M", bound=Hashable)
"""The type of a kind's moves."""


class Editor(ABC):
    """The editor in which a board is drawn. A drawing is text and need not be a puzzle yet."""

    brushes: ClassVar[Mapping[str, str]]
    """The name of a brush -> its title. The first brush is selected at the start."""
    largest: ClassVar[tuple[int, int]]
    """The most rows and columns of a board."""
    has_points: ClassVar[bool] = False
    """Whether the cells are the points of a Go board, and not squares."""
    largest_for_students: ClassVar[tuple[int, int] | None] = None
    """The most rows and columns of a board that a student draws, if they are fewer. Counting the
    solutions of a large board takes minutes."""
    advice: ClassVar[str] = ""
    """A sentence of advice about things that are not obvious. Empty if there is none."""
    formats: ClassVar[Mapping[str, str]] = {}
    """The title of a notation -> an example, for each notation that the kind reads."""

    @abstractmethod
    def blank(self, rows: int, columns: int) -> str:
        """Return an empty drawing. Raise BadText if the size exceeds `largest`."""

    @abstractmethod
    def size(self, drawing: str) -> tuple[int, int]:
        """Return the rows and columns of a drawing. Raise BadText if the text is not a drawing."""

    @abstractmethod
    def resize(self, drawing: str, rows: int, columns: int) -> str:
        """Return the drawing, cut or extended at its right and lower edges."""

    @abstractmethod
    def paint(self, drawing: str, cell: Cell, brush: str) -> str:
        """Return the drawing after the brush was applied once to the cell."""

    @abstractmethod
    def draw(self, drawing: str, fault: Cell | None = None) -> Picture:
        """Return the drawing as a picture. Every cell is a spot whose move is `row,column`."""


class Tools(ABC, Generic[P, M]):
    """The tools of a kind where players select a piece or a colour before they press the board."""

    @abstractmethod
    def names(self, position: P) -> Mapping[str, Message]:
        """Return the tools that can be chosen in the position: name -> title.

        Pressing a spot whose move is one of these names selects that tool instead of moving.
        """

    def movable(self, position: P) -> Mapping[str, Message]:
        """Return the pieces on the board that can be taken up and set elsewhere: name -> title.

        A piece that has been taken up is a tool like the others, but never the first choice.
        """
        return {}

    icons: Mapping[str, tuple[Shape, ...]] = {}
    """The name of a tool -> its picture, in a box of one cell. Its title is shown as well."""

    @abstractmethod
    def draw(self, position: P, tool: str) -> Picture:
        """Return the picture of a position. Its spots' moves use the tool wherever they can."""

    @abstractmethod
    def tool_of(self, move: M) -> str:
        """Return the name of the tool that the move uses."""


class Score(ABC, Generic[P]):
    """The scores of a kind that has them. The goal is the score that solves a puzzle, and the
    optimum is the best score that is possible. The goal is part of the drawing and of the start."""

    @abstractmethod
    def optimum(self, position: P) -> int | None:
        """Return the best score that can be reached from the start, or None if it is not known for
        certain without a long search. The question `best` searches for it."""

    @abstractmethod
    def goal(self, drawing: str) -> str:
        """Return the goal as digits. It is empty if the best possible score is required."""

    @abstractmethod
    def with_goal(self, drawing: str, goal: str) -> str:
        """Return the drawing with another goal. The goal may be one that can't be reached."""


@dataclass(frozen=True, slots=True)
class Obstacles(Generic[P]):
    """Reasons why a board can't be solved that are seen without a search. Finding none proves
    nothing."""

    obstacle: Callable[[P], Message | None]
    """The position -> the reason why it can't be solved, or None."""
    doomed: Callable[[P], tuple[tuple[Cell, Message], ...]] = lambda position: ()
    """The position -> the cells that can't end well any more, each with the reason. Students see
    them only if the teacher allows it."""


@dataclass(frozen=True, slots=True)
class Presses:
    """A prediction, spot by spot, of how a press changes the picture. A browser shows it before
    the server has applied the rules. The server's answer then corrects it.

    Each spot has a state, `Spot.state`. A piece that can be carried (`Spot.carries`) needs no
    rule: when it is set down on a spot in the state `vacant`, it leaves its old spot. As a tool it
    is then named `R2,3>` by its state and its cell, and `- 2,3` takes it off the board again.
    """

    looks: Mapping[str, tuple[Shape, ...]]
    """The state of a spot -> the shapes on it, drawn around (0, 0)."""
    rules: Mapping[str, Mapping[str, tuple[str, str]]]
    """The tool ("" for kinds without tools) -> the state of the pressed spot -> the text of the
    move before its cell, and the next state."""
    names: Mapping[str, Message] = field(default_factory=dict)
    """The state of a spot -> what a screen reader calls what is there, for every state of `looks`;
    empty if the picture after a press needs the server. With names, a kind promises that a press
    changes only its spot, whose label has the name of its state as its first part that reads so. A
    browser that has the rules then draws a step as the server does."""
    turns: Mapping[str, str] = field(default_factory=dict)
    """The state of a spot -> its state after a press on the spot above, below, left or right. It is
    also shown in small while the pointer or the keyboard's focus is on that spot."""
    vacant: str = "."
    trail: str = ""
    """The style of the line that connects each move with the next. Empty if none is drawn. With a
    trail, `looks` also has the state `passed`: the cell of a move that is not the latest."""
    strokes: Literal["", "cells", "edges", "links"] = ""
    """Where a pointer that is dragged over the board makes the same change as at its first spot: in
    the cells that it crosses, on the edges between the corners that it passes, or on the links
    between the cells. Empty if each change needs a press of its own."""


@dataclass(frozen=True, slots=True)
class BrowserRules(Generic[P]):
    """The rules in JavaScript, with which a page refuses moves, judges boards and says what has
    happened without the server. The server still applies the rules to every move.

    They are a module in the folder `static` beside the kind. `Rules` in static.d.ts has its
    functions. `tests/solvers/test_browser_rules.py` compares them with the rules in Python.
    """

    texts: Mapping[str, str | Message]
    """The name by which the module says a text -> the text, marked for translation. The module
    fills in the fields of a string. A message has its values already."""
    start: Callable[[P], str] | None = None
    """The start -> its text for the module, if that is not `Kind.write_start`."""
    module: str = ""
    """The name of the module, if it is not the slug of the kind."""


@dataclass(frozen=True, slots=True)
class PlayersWords:
    """The names of pieces that players use and that others may not know.

    A kind with such names draws two signs on each piece, in the styles `kanji` and `letter`.
    """

    words: Mapping[str, str]
    """The plain text -> the players' text, both marked for translation."""


@dataclass(frozen=True, slots=True)
class Illustrations:
    """Pictures of rules that are easier to see than to read."""

    pictures: Callable[[], tuple[tuple[Picture, Message], ...]]
    """A function that returns the pictures, each with its caption."""


@dataclass(frozen=True, slots=True)
class TinyBoard:
    """A board of a kind's introduction, which teaches one rule by being played.

    All texts are marked for translation and written for a child of ten.
    """

    position: str
    """A start, or a start and moves already made. A few presses are enough to solve it."""
    before: str | Message = field(hash=False)
    """The task and the rule that it needs."""
    after: str | Message = field(hash=False)
    """The rule that was learnt, shown once the board is solved."""
    slip: str = ""
    """A line of moves that breaks the rule: its last move is refused, causes a fault or makes the
    board unsolvable."""
    solution: str = ""
    """The moves that solve the board. A finger points at one after another, and at the moves of
    other solutions once a player has left these. Without them no finger points."""


@dataclass(frozen=True, slots=True)
class Notations(Generic[P]):
    """The notations of other programs that read the kind's boards."""

    write: Callable[[P], Mapping[str, str]]
    """The position -> its texts: notation title -> text. The kind reads them all."""


@dataclass(frozen=True, slots=True)
class Shading:
    """Additional shading of the board, which is shown if the teacher allows it."""

    title: str
    """The name of what is shaded, for a form, marked for translation."""
    style: str = ""
    """The style of the squares that are drawn for it."""
    label: str = "{what}"
    """The name of a shaded spot for screen readers, marked for translation; {what} is its name
    without the shading."""

    def named_in(self, picture: Picture) -> Picture:
        """Return the picture with the shading in the names of the shaded spots."""
        shaded = {
            (int(shape.y // CELL), int(shape.x // CELL))
            for shape in picture.shapes
            if isinstance(shape, Rect) and shape.style == self.style
        }
        shapes = (
            replace(shape, label=Message(self.label, {"what": shape.label}))
            if isinstance(shape, Spot) and (shape.row, shape.column) in shaded
            else shape
            for shape in picture.shapes
        )
        return replace(picture, shapes=tuple(shapes))


@dataclass(frozen=True, slots=True)
class Grouping(Generic[P]):
    """A way to group the solutions of a board, so that a class can talk about how they differ."""

    title: str
    """What the solutions of a group have in common, as a short noun, marked for translation."""
    key: Callable[[P], str]
    """The solved position -> a text that it shares with the other solutions of its group only."""
    describe: Callable[[P], Message | None] = lambda position: None
    """The solved position -> its group in a few words, where a picture does not say it."""


@dataclass(frozen=True, slots=True)
class Branching(Generic[P, M]):
    """How the tree diagram of all placements on a small board branches.

    The order of the moves does not count in a placement, so the tree makes them in a fixed order.
    Each solution stands at the end of one path only.
    """

    moves: Callable[[P], Iterable[M]]
    """The position -> the moves that follow it in the tree."""
    is_dead_end: Callable[[P], bool]
    """The position -> whether its path ends there without a solution. A path that ends otherwise is
    left out: it only repeats another one, or comes to nothing because too few cells are left."""
    contains: Callable[[P, P], bool]
    """A board that was played, and a position of the tree -> whether the position's path leads
    towards that board."""
    order: str
    """A sentence that says how the tree branches, marked for translation."""
    dead_end: str
    """What a dead end is, in a few words, marked for translation."""
    signs: Callable[[M], Mapping[str, str]] = lambda move: {}
    """The move -> style -> the sign of what is set, which stands before the cell."""
    suits: Callable[[P], bool] = lambda start: True
    """The start -> whether the tree has all of its solutions. Otherwise they are only listed."""
