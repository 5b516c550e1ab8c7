"""What is sent from a board, with its types."""

from typing import Annotated, Literal, TypeVar

import msgspec
from django.http import QueryDict

from puzzleclass.play.models import HintUse

StepNumber = Annotated[int, msgspec.Meta(ge=0, le=999_999)]
"""The sequence number of a step; or of the one to come, for what is asked of a board."""

MoveText = Annotated[str, msgspec.Meta(max_length=200, pattern=r"^[^\0]*$")]


class SentStep(msgspec.Struct, frozen=True):
    """A step: what is done, and its number in the try."""

    step: StepNumber
    action: Literal["move", "undo"] = "move"
    move: MoveText = ""
    redo: MoveText = ""
    """A move that was taken back and is made again."""
    typed: MoveText = ""
    """A move that was typed, where none was pressed."""


class SentBoard(msgspec.Struct, frozen=True):
    """A board that something is asked about, by the number of its next step."""

    step: StepNumber


class SentMoves(SentBoard, frozen=True):
    """How many moves the board is to have: it goes back, or on again."""

    moves: StepNumber


class SentHint(SentBoard, frozen=True):
    """A hint that is asked for, and how plain it may be."""

    level: HintUse.Level


T = TypeVar("T")


def read(fields: QueryDict, wanted: type[T]) -> T:
    """Return what was sent. Raises msgspec.ValidationError where it does not fit."""
    return msgspec.convert(fields.dict(), wanted, strict=False)
