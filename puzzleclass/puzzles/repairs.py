"""Why a puzzle has no solution, and the smallest changes after which it has some."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Board
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

QUESTION = "repair"

SHOWN = 12
"""Changes on the page; those with the most solutions come first."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that rules a solution out, and the board with the place marked."""

    message: Message
    picture: Picture | None
    """None when the fault is not in a place."""


@dataclass(frozen=True, slots=True)
class Mend:
    """A changed board that can be solved."""

    position: str
    changes: list[Message]
    """`+ row,column`, `- row,column`, or a brush of the editor and where it is set down."""
    solutions: str
    """How many it has, as a decimal string; empty when that was not counted."""
    picture: Picture
    """The changed board, the changed points marked."""


@dataclass(frozen=True)
class Repair:
    """A stored answer to "how can it be made solvable?"."""

    puzzle: Board
    job: Job

    @property
    def faults(self) -> list[Fault]:
        """What is wrong."""
        position, kind = self.puzzle.position, self.puzzle.kind
        return [
            Fault(
                Message.from_json(entry["message"]),
                _marked(kind, position, entry["cells"], "fault") if entry["cells"] else None,
            )
            for entry in self.job.details.get("diagnosis", ())
        ]

    @cached_property
    def mends(self) -> list[Mend]:
        """The smallest changes, those with the most solutions first; at most `SHOWN`."""
        return [
            Mend(
                entry["position"],
                [_told(self.puzzle.kind, change) for change in entry["flips"]],
                entry.get("solutions", ""),
                _marked(
                    self.puzzle.kind,
                    entry["position"],
                    [change.rpartition(" ")[2] for change in entry["flips"]],
                    "changed",
                ),
            )
            for entry in self.job.details.get("repairs", ())[:SHOWN]
        ]

    @property
    def is_all(self) -> bool:
        """No other change of the same size makes the puzzle solvable."""
        found = self.job.details.get("repairs", ())
        return bool(self.job.details.get("all")) and len(found) <= SHOWN


def _told(kind: AnyKind, change: str) -> Message:
    """Return a change in words."""
    sign, _, place = change.rpartition(" ")
    if sign in kind.editor.brushes:
        brush = Message(kind.editor.brushes[sign])
        return Message("{brush}: {place}", {"brush": brush, "place": place})
    return Message(change)


def _marked(kind: AnyKind, position: str, cells: Iterable[str], style: str) -> Picture:
    return kind.editor.draw(position).with_rings(cells, style)
