"""What some kinds have besides their rules. A kind owns an object of each class that it needs.

Shared code asks `kind.tools`, `kind.score`, ...: None means that the kind has none. Like kinds,
these objects hold no state.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic

from solvers.kind import Cell, M, P
from solvers.message import Message
from solvers.picture import Picture, Shape


class Tools(ABC, Generic[P, M]):
    """For kinds where something is chosen before the board is pressed: a piece, a colour."""

    @abstractmethod
    def names(self, position: P) -> Mapping[str, Message]:
        """Return the tools there are to choose from: name -> title.

        A spot of a picture whose move is one of these names takes that tool up instead of moving.
        """

    def movable(self, position: P) -> Mapping[str, Message]:
        """Return what stands on the board and can be taken up to be set elsewhere: name -> title.

        Taken up it is a tool like the others, but never the first choice.
        """
        return {}

    icons: Mapping[str, tuple[Shape, ...]] = {}
    """Tool -> its picture, in a box of a cell; its title is said all the same."""

    @abstractmethod
    def draw(self, position: P, tool: str) -> Picture:
        """Return the position with spots whose moves use the tool as far as it can be used."""

    @abstractmethod
    def tool_of(self, move: M) -> str:
        """Return the name of the tool that the move uses."""


class Score(ABC, Generic[P]):
    """For kinds with a score: the goal is the score that solves a puzzle, the optimum the best
    that there can be. The goal stands in the draft and in the start."""

    @abstractmethod
    def optimum(self, position: P) -> int | None:
        """Return the best score from the start on, where that is known for certain without a long
        search. The question `best` finds it otherwise."""

    @abstractmethod
    def goal(self, draft: str) -> str:
        """Return the goal as digits; empty where the best score there can be is asked for."""

    @abstractmethod
    def with_goal(self, draft: str, goal: str) -> str:
        """Return the draft with another goal, which may still be one that can't be reached."""


@dataclass(frozen=True, slots=True)
class Obstacles(Generic[P]):
    """For kinds where it can be seen without a search that a board can't be solved. Nothing
    found proves nothing."""

    obstacle: Callable[[P], Message | None]
    """Position -> why it can't be solved."""
    doomed: Callable[[P], tuple[tuple[Cell, Message], ...]] = lambda position: ()
    """Position -> the places that can't end well any more, each with the reason. Students see them
    only where the teacher allows it."""


@dataclass(frozen=True, slots=True)
class Presses:
    """For kinds of which it can be foretold, place by place, what a press does to the picture: so
    a browser shows it before the rules have answered, and their answer corrects it.

    Each place is in a state, its `Spot.state`. A piece that is carried (`Spot.carries`) needs no
    rule: set down on a place in the state `vacant`, it leaves the place where it was.
    """

    looks: Mapping[str, tuple[Shape, ...]]
    """State -> what stands on a place in it, drawn around (0, 0)."""
    rules: Mapping[str, Mapping[str, tuple[str, str]]]
    """Tool ("" for kinds without) -> state -> what the move says before its cell, and the state
    after it."""
    turns: Mapping[str, str] = field(default_factory=dict)
    """State -> what it becomes when the place above, below, left or right of it is pressed."""
    vacant: str = "."
    carried: str = "{state}{cell}>"
    """The name of a piece that was set down, as a tool."""
    back: str = "- {cell}"
    """The move that takes it off the board again."""
    trail: str = ""
    """The style of a line that leads from each move to the next."""


@dataclass(frozen=True, slots=True)
class PlayersWords:
    """For kinds whose pieces have names that players use and others may not know.

    Such a kind draws two signs on each piece, in the styles `kanji` and `letter`.
    """

    words: Mapping[str, str]
    """Plain text -> what players say, both marked for translation."""


@dataclass(frozen=True, slots=True)
class Illustrations:
    """For kinds whose rules are easier seen than read."""

    pictures: Callable[[], tuple[tuple[Picture, Message], ...]]
    """Returns the pictures, each with what it says."""


@dataclass(frozen=True, slots=True)
class TinyBoard:
    """A board of a kind's introduction: it teaches one rule by being played.

    Both texts are marked, and written for a child of ten.
    """

    position: str
    """A start, or a start and moves that have been made: what is left takes a few presses."""
    before: str
    """What to do, and the rule that it needs."""
    after: str
    """What was learnt, said once the board is solved."""
    slip: str = ""
    """A line of moves by which one goes against the rule: its last move is refused, makes a fault
    or loses the board."""


@dataclass(frozen=True, slots=True)
class Notations(Generic[P]):
    """For kinds whose boards other programs read, too."""

    write: Callable[[P], Mapping[str, str]]
    """Position -> it in their notations: title -> text. The kind reads them all."""


@dataclass(frozen=True, slots=True)
class Shading:
    """For kinds whose board can show more than stands on it, where the teacher allows it."""

    title: str
    """What is shaded, as a marked text for a form."""
