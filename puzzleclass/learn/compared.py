"""Figures that the studies print, beside ours."""

from dataclasses import dataclass

from solvers.message import Message

Said = str | Message


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A figure of a study beside ours."""

    what: Said
    study: str
    ours: Said
    agrees: bool | None
    """None where there is nothing to judge."""
    note: Said = ""
