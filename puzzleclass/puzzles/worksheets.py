"""Puzzles on paper: worksheets and separate answer sheets, printed by the browser.

A sheet fits both A4 and Letter, so the paper is chosen in the browser's print dialog.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.models import Board
from puzzleclass.puzzles.player import numbered
from solvers.message import Message
from solvers.picture import Picture
from solvers.registry import AnyKind

MAX_PRINTED = 120
"""The most boards on one worksheet."""
A_PAGE = (1, 2, 4, 6)
"""The numbers of boards that a page can have."""


class PaperForm(forms.Form):
    """The layout of a worksheet."""

    PARTS = (
        ("puzzles", _("Puzzles")),
        ("answers", pgettext_lazy("on paper", "Answers")),
        ("both", _("Puzzles, then answers")),
    )

    title = forms.CharField(label=_("Title"), max_length=60, required=False)
    part = forms.ChoiceField(
        label=_("Print"), choices=PARTS, initial="puzzles", widget=forms.RadioSelect
    )
    a_page = forms.TypedChoiceField(
        label=_("Boards on a page"),
        choices=[(n, n) for n in A_PAGE],
        coerce=int,
        initial=4,
        widget=forms.RadioSelect,
    )
    rules = forms.BooleanField(label=_("Rules"), required=False, initial=True)
    codes = forms.BooleanField(label=_("QR code to the same puzzle"), required=False, initial=True)


@dataclass(frozen=True, slots=True)
class PaperBoard:
    """A board on a sheet."""

    number: int
    board: Board
    picture: Picture | None
    """The picture to print; None on an answer sheet if no answer is known."""
    link: str = ""
    """The address of the same board on the site; empty if there is none."""

    @property
    def facts(self) -> tuple[Message, ...]:
        return self.board.facts


@dataclass(frozen=True, slots=True)
class PrintedPage:
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
    """Return the context of `puzzles/worksheet.html` for the boards.

    The query string has the layout. Fields that are missing or invalid have their initial values.
    `links` has the addresses at which students find the boards, by primary key. One database query
    at most.
    """
    initial = {name: field.initial for name, field in PaperForm.base_fields.items()}
    initial["title"] = title
    # Without a choice, a few boards share one page and are as large as they can be.
    initial["a_page"] = next((n for n in A_PAGE if n >= len(boards)), initial["a_page"])
    form = PaperForm(query if "part" in query else initial)
    form.full_clean()
    chosen = initial | form.cleaned_data
    printed_links = (links or {}) if chosen["codes"] else {}
    pages = sheets(boards, chosen["part"], chosen["a_page"], printed_links)
    return {
        "form": form,
        "choices": [form["part"], form["a_page"]],
        "chosen": chosen,
        "pages": pages,
        "has_codes": bool(links),
    }


def sheets(
    boards: Sequence[Board], part: str, a_page: int, links: Mapping[int, str]
) -> list[PrintedPage]:
    """Return the pages of a worksheet. `part` is one of `PaperForm.PARTS`. One query at most."""
    pages: Iterable[PrintedPage] = ()
    if part != "answers":
        puzzles = [
            PaperBoard(number, board, board.picture, links.get(board.pk, ""))
            for number, board in enumerate(boards, 1)
        ]
        pages = _pages(puzzles, a_page, is_answers=False)
    if part != "puzzles":
        pages = chain(pages, _pages(_answers(boards), a_page, is_answers=True))
    return list(pages)


def _pages(
    entries: Sequence[PaperBoard], a_page: int, *, is_answers: bool
) -> Iterable[PrintedPage]:
    for first in range(0, len(entries), a_page):
        yield PrintedPage(tuple(entries[first : first + a_page]), is_answers)


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
    """Return a picture of a solution as it is written on paper.

    In a placement it is the final board. In a sequence, where the order matters, it is the
    untouched board with the numbers of the moves.
    """
    kind = board.kind
    if kind.family == "placement":
        return kind.draw(board.after(" ".join(moves)))
    return numbered(kind, board.picture, moves)
