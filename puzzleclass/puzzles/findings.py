"""What an answer shows by itself, whatever was asked: tables, boards and files in its details.

The shapes are in docs/adding-a-kind.md. They may also come with a job's progress, so what is
here may still grow.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator

from puzzleclass.jobs.models import Job
from puzzleclass.language import say
from puzzleclass.puzzles.models import Board
from puzzleclass.templatetags.numbers import thousands
from solvers.message import Message
from solvers.picture import Picture

A_PAGE = 24
"""Boards on one page."""

_WHOLE = re.compile(r"-?[0-9]+")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, in words or digits as the reader sees it."""

    text: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each column knows whether it has numbers only."""

    title: Message | None
    head: list[tuple[Message, bool]]
    rows: list[list[Cell]]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board of the answer."""

    start: str
    """The text by which the editor takes it."""
    picture: Picture
    caption: Message | None


@dataclass(frozen=True, slots=True)
class File:
    """A text to be downloaded, numbered from 1."""

    number: int
    name: str
    title: Message
    text: str


@dataclass(frozen=True)
class Findings:
    """What a job has to show: its answer, or what has been found of it so far."""

    board: Board
    job: Job

    @cached_property
    def tables(self) -> list[Table]:
        """The tables, `table` before `tables`."""
        found = self.job.details
        alone = [found["table"]] if "table" in found else []
        return [_table(stored) for stored in (*alone, *found.get("tables", ()))]

    @cached_property
    def files(self) -> list[File]:
        """What can be downloaded."""
        return [
            File(number, stored["name"], Message.from_json(stored["title"]), stored["text"])
            for number, stored in enumerate(self.job.details.get("files", ()), 1)
        ]

    @property
    def says_something(self) -> bool:
        """There is more to see than that the work is done."""
        found, answer = self.job.details, self.job.answer or {"value": None, "moves": ()}
        in_shapes = self.tables or self.files or self._boards or found.get("note")
        return bool(answer["value"] is not None or answer["moves"] or in_shapes)

    def page(self, number: str | None) -> Page:
        """Return a page of the boards, the nearest one to a number that may come from a URL."""
        return Paginator(self._boards, A_PAGE).get_page(number)

    def drawn(self, page: Page) -> list[Drawn]:
        """Return the boards of the page."""
        kind, drawn = self.board.kind, []
        for stored in page:
            position = kind.read(stored["position"])
            caption = stored.get("caption")
            drawn.append(
                Drawn(
                    kind.write_start(position),
                    kind.draw(position),
                    caption and Message.from_json(caption),
                )
            )
        return drawn

    @property
    def seconds(self) -> str:
        """How long the answer took to work out, to two figures; empty while there is none."""
        took = self.job.details.get("seconds")
        if took is None:
            return ""
        return f"{took:,.0f}" if took >= 100 else f"{max(took, 0.0001):.2g}"

    @property
    def _boards(self) -> list[dict[str, Any]]:
        # Some answers have a number of this name that is older than the shape.
        boards = self.job.details.get("boards")
        return boards if isinstance(boards, list) else []


def _table(stored: Mapping[str, Any]) -> Table:
    rows = [[_cell(value) for value in row] for row in stored["rows"]]
    title = stored.get("title")
    return Table(
        title and Message.from_json(title),
        [
            (Message.from_json(name), _has_numbers(row[number : number + 1] for row in rows))
            for number, name in enumerate(stored["head"])
        ],
        rows,
    )


def _has_numbers(column: Iterable[list[Cell]]) -> bool:
    return all(cell.is_number for cells in column for cell in cells)


def _cell(value: Any) -> Cell:
    """Return a cell: a Message's JSON in words, a number with its digits in groups of three."""
    if isinstance(value, Mapping):
        return Cell(say(Message.from_json(value)), False)
    text = str(value)
    if _WHOLE.fullmatch(text):
        return Cell(thousands(text), True)
    if isinstance(value, float):
        return Cell(f"{value:,}", True)
    return Cell(text, bool(_DECIMAL.fullmatch(text)))
