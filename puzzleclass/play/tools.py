"""The tools of a board: what a student can take up, and the buttons for it."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from puzzleclass.play.models import Attempt
from solvers.message import Message
from solvers.picture import CELL, Picture, Shape, Spot
from solvers.registry import AnyKind


class ToolButton(NamedTuple):
    """A button that takes up a tool."""

    name: str
    title: Message
    key: int | None
    """The number key that also presses the button, if one does; never from the tenth button on."""
    is_pressed: bool
    icon: Picture | None


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """The tools of a board, the one that is taken up, and the picture of the board for it."""

    tools: Mapping[str, Message]
    """The titles of the tools, by name; empty for kinds where a press needs no tool."""
    movable: Mapping[str, Message]
    """The titles of the things on the board that can be taken up again, by name."""
    tool: str
    """The name of the tool that is taken up; empty if there is none."""
    picture: Picture
    icons: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)
    """The shapes of the tools' icons, by the tool's name."""

    @property
    def can_take(self) -> bool:
        """Whether something can be taken up: a tool, or a thing on the board."""
        return bool(self.tools or self.movable)

    @property
    def has_way_back(self) -> bool:
        """Whether something on the board can be taken off it again."""
        return any(isinstance(shape, Spot) and shape.back for shape in self.picture.shapes)

    @property
    def is_drawn(self) -> bool:
        """Whether the picture itself has a spot for each tool, so that no toolbar is needed."""
        spots = {shape.move for shape in self.picture.shapes if isinstance(shape, Spot)}
        return self.tools.keys() <= spots

    @property
    def bar(self) -> list[ToolButton]:
        """The buttons of the toolbar; empty if the picture has a spot for each tool."""
        return [] if self.is_drawn else self._buttons(self.tools)

    @property
    def without_scripts(self) -> list[ToolButton]:
        """The buttons for a browser without scripts, in which neither the board nor a key can be
        pressed."""
        bar = self.tools if self.is_drawn else {}
        buttons = self._buttons({**bar, **self.movable})
        return [button._replace(key=None) for button in buttons]

    def _buttons(self, tools: Mapping[str, Message]) -> list[ToolButton]:
        icons = {
            name: Picture(CELL, CELL, tools[name], "", shapes)
            for name, shapes in self.icons.items()
            if name in tools
        }
        return [
            ToolButton(
                name, title, number if number < 10 else None, name == self.tool, icons.get(name)
            )
            for number, (name, title) in enumerate(tools.items(), 1)
        ]


def tools_for(kind: AnyKind, position: Hashable, wanted: str) -> ToolChoice:
    """Return the tools, with the wanted one taken up, or the first if the wanted one is missing."""
    if kind.tools is None:
        return ToolChoice({}, {}, "", kind.draw(position))
    tools, movable = kind.tools.names(position), kind.tools.movable(position)
    tool = wanted if wanted in tools or wanted in movable else next(iter(tools), "")
    drawn = kind.tools.draw(position, tool)
    return ToolChoice(tools, movable, tool, drawn, kind.tools.icons)


def has_new_tools(
    kind: AnyKind, attempt: Attempt | None, choice: ToolChoice | None, wanted: str
) -> bool:
    """Return whether the toolbar may look different from before the step."""
    if kind.tools is None:
        return False
    if not attempt or attempt.before is None or not choice or choice.tool != wanted:
        return True
    return kind.tools.names(attempt.before) != choice.tools


def has_same_tools(attempt: Attempt, tool: str) -> bool:
    """Return whether the step that was just stored has left the tools as they were, with this one
    taken up."""
    tools = attempt.puzzle.kind.tools
    if tools is None:
        return not tool
    names = tools.names(attempt.position)
    return tool in names and names == tools.names(attempt.before)


def example_move(choice: ToolChoice) -> str:
    """Return an example of a typed move: one that a press on the board would make.

    Return an empty text if there is none.
    """
    spots = (shape for shape in choice.picture.shapes if isinstance(shape, Spot))
    names = {**choice.tools, **choice.movable}
    return next((spot.move for spot in spots if spot.move not in names), "")
