"""What a student has in the hand, for the kinds where a press needs a choice first."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from solvers.message import Message
from solvers.picture import Picture, Spot
from solvers.registry import AnyKind


@dataclass(frozen=True, slots=True)
class Hand:
    """The tools there are to choose from, and the board for the one that is held."""

    tools: Mapping[str, Message]
    """Name -> title; empty for kinds where a press says everything."""
    tool: str
    picture: Picture

    @property
    def is_drawn(self) -> bool:
        """The picture itself has a spot for each tool, so that no toolbar is wanted."""
        spots = {shape.move for shape in self.picture.shapes if isinstance(shape, Spot)}
        return self.tools.keys() <= spots


def hand_of(kind: AnyKind, position: Hashable, wanted: str) -> Hand:
    """Return the hand with the wanted tool in it, or the first one when there is none such."""
    tools = kind.tools(position)
    tool = wanted if wanted in tools else next(iter(tools), "")
    return Hand(tools, tool, kind.draw_with(position, tool))
