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
    movable: Mapping[str, Message]
    """The same for what stands on the board and can be taken up again."""
    tool: str
    picture: Picture

    @property
    def is_drawn(self) -> bool:
        """The picture itself has a spot for each tool, so that no toolbar is wanted."""
        spots = {shape.move for shape in self.picture.shapes if isinstance(shape, Spot)}
        return self.tools.keys() <= spots

    @property
    def is_lifted(self) -> bool:
        """Something of the board is taken up."""
        return self.tool in self.movable


def hand_of(kind: AnyKind, position: Hashable, wanted: str) -> Hand:
    """Return the hand with the wanted tool in it, or the first one when there is none such."""
    tools, movable = kind.tools(position), kind.movable(position)
    tool = wanted if wanted in {**tools, **movable} else next(iter(tools), "")
    return Hand(tools, movable, tool, kind.draw_with(position, tool))
