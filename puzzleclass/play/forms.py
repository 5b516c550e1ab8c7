"""The types of what a board sends."""

from typing import Annotated, Literal, TypeVar

import msgspec
from django.http import QueryDict

from puzzleclass.database.texts import STORABLE
from puzzleclass.play.models import HintUse

StepNumber = Annotated[int, msgspec.Meta(ge=0, le=999_999)]
"""The sequence number of a step, or of the next step when something is asked about a board."""

MoveText = Annotated[str, msgspec.Meta(max_length=200, pattern=STORABLE)]

StrokeText = Annotated[str, msgspec.Meta(max_length=20_000, pattern=STORABLE)]


class SentStep(msgspec.Struct, frozen=True):
    """A step as it is sent: its number in the attempt, its action and its move."""

    step: StepNumber
    action: Literal["move", "undo"] = "move"
    move: MoveText = ""
    stroke: StrokeText = ""
    """The moves that were made with one stroke, the first of which has the number of the step."""
    redo: MoveText = ""
    """A move that was taken back and is made again."""
    typed: MoveText = ""
    """A move that was typed instead of pressed."""
    expects: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """What the browser has shown already: `refusal` if the rules forbid the move, else the number
    of moves on the board after the step and its mark (`play.quiet`)."""
    ago: Annotated[int, msgspec.Meta(ge=0, le=10**12)] = 0
    """How many milliseconds ago the step was made, if it had to wait for the network."""
    handed: MoveText = ""
    """When the board was handed to the browser, signed by the server (`play.offline_steps`)."""


class SentBoard(msgspec.Struct, frozen=True):
    """The board that a request is about, named by the number of its next step."""

    step: StepNumber


class SentMoves(SentBoard, frozen=True):
    """A request to go back or on again, to the board with a number of moves."""

    moves: StepNumber


class SentHint(SentBoard, frozen=True):
    """A request for a hint of a level."""

    level: HintUse.Level


class SentWait(SentBoard, frozen=True):
    """A request from a board that waits for the answer to its hint."""

    away: bool = False
    """Whether the board already says that no worker is running."""


T = TypeVar("T")


def read(fields: QueryDict, wanted: type[T]) -> T:
    """Return the fields as the wanted type. Raise msgspec.ValidationError if they do not fit it."""
    return msgspec.convert(fields.dict(), wanted, strict=False)
