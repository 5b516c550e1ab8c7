"""Puzzles on paper: worksheets, and answer sheets apart from them, printed by the browser.

A sheet fits both A4 and Letter, so the paper is chosen where one prints.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.models import Board
from solvers.kind import Cell
from solvers.message import Message
from solvers.picture import CELL, Picture, Text
from solvers.registry import AnyKind

MOST_PRINTED = 120
"""Boards of one worksheet."""


class PaperForm(forms.Form):
    """How a worksheet is set."""

    PARTS = (
        ("puzzles", _("Puzzles")),
        ("answers", pgettext_lazy("on paper", "Answers")),
        ("both", _("Puzzles, then answers")),
    )

    title = forms.CharField(label=_("Title"), max_length=60, required=False)
    part = forms.ChoiceField(label=_("Print"), choices=PARTS, initial="puzzles")
    a_page = forms.TypedChoiceField(
        label=_("Boards on a page"), choices=[(n, n) for n in (1, 2, 4, 6)], coerce=int, initial=4
    )
    rules = forms.BooleanField(label=_("Rules"), required=False, initial=True)
    codes = forms.BooleanField(label=_("QR code to the same board"), required=False, initial=True)


@dataclass(frozen=True, slots=True)
class PaperBoard:
    """A board on a sheet."""

    number: int
    board: Board
    picture: Picture | None
    """None on an answer sheet, where no answer is known."""
    link: str = ""
    """Where the same board is on the site; empty where there is no such page."""

    @property
    def facts(self) -> tuple[Message, ...]:
        return self.board.facts


@dataclass(frozen=True, slots=True)
class Sheet:
    """A printed page."""

    boards: tuple[PaperBoard, ...]
    is_answers: bool

    @property
    def kinds(self) -> list[AnyKind]:
        """The kinds on this page, each once."""
        return list({entry.board.kind_slug: entry.board.kind for entry in self.boards}.values())


def worksheet(
    query: QueryDict, boards: Sequence[Board], title: str, links: Mapping[int, str] | None = None
) -> dict[str, object]:
    """Return what `puzzles/worksheet.html` shows of the boards, set as the query says.

    `links`: a board's pk -> where students find it. What the query leaves out, or says wrongly, is
    as the form begins. At most one query.
    """
    initial = {name: field.initial for name, field in PaperForm.base_fields.items()}
    initial["title"] = title
    form = PaperForm(query if "part" in query else initial)
    form.full_clean()
    chosen = initial | form.cleaned_data
    shown = (links or {}) if chosen["codes"] else {}
    pages = sheets(boards, chosen["part"], chosen["a_page"], shown)
    return {"form": form, "chosen": chosen, "pages": pages, "has_codes": bool(links)}


def sheets(
    boards: Sequence[Board], part: str, a_page: int, links: Mapping[int, str]
) -> list[Sheet]:
    """Return the pages of a worksheet, one of `PaperForm.PARTS`. At most one query."""
    pages: Iterable[Sheet] = ()
    if part != "answers":
        puzzles = [
            PaperBoard(number, board, board.picture, links.get(board.pk, ""))
            for number, board in enumerate(boards, 1)
        ]
        pages = _pages(puzzles, a_page, is_answers=False)
    if part != "puzzles":
        pages = chain(pages, _pages(_answers(boards), a_page, is_answers=True))
    return list(pages)


def _pages(entries: Sequence[PaperBoard], a_page: int, *, is_answers: bool) -> Iterable[Sheet]:
    for first in range(0, len(entries), a_page):
        yield Sheet(tuple(entries[first : first + a_page]), is_answers)


def _answers(boards: Sequence[Board]) -> list[PaperBoard]:
    counts = known_counts(boards)
    entries = []
    for number, board in enumerate(boards, 1):
        known = counts.get(board.pk)
        moves = known.answer.moves if known else ()
        picture = answer_picture(board, moves) if moves else None
        entries.append(PaperBoard(number, board, picture))
    return entries


def answer_picture(board: Board, moves: Sequence[str]) -> Picture:
    """Return a solution as one writes it on paper.

    That is what stands on the board at the end; or, where the order is what matters, the
    untouched board with the numbers of the moves in their places.
    """
    kind = board.kind
    if kind.family == "placement":
        return kind.draw(kind.play_line(board.start, " ".join(moves)))
    numbers: dict[Cell, list[str]] = defaultdict(list)
    for number, text in enumerate(moves, 1):
        numbers[kind.cell_of(kind.read_move(text))].append(str(number))
    return board.picture.with_shapes(
        Text(
            column * CELL + CELL / 2,
            row * CELL + CELL / 2,
            " ".join(found),
            "label long" if len(found) > 1 else "label",
        )
        for (row, column), found in numbers.items()
    )
