"""The page of what a student has found, and a picture of one record to keep or to show."""

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import SignedInRequest, for_students
from puzzleclass.gallery import services as gallery
from puzzleclass.language.reader import say
from puzzleclass.play.records import MAX_BOARDS, BoardRecord, Records, records_of, shows_records
from puzzleclass.practice.access import challenges_class
from puzzleclass.practice.garden import Plant
from puzzleclass.puzzles.export import download, share_card
from puzzleclass.puzzles.player import drawn_after
from puzzleclass.templating.templatetags.words import clock
from solvers.message import Message

RECORDS_ARE_OFF = Message("Your teacher has switched the page of your records off.")


@for_students("GET")
def own_records(request: SignedInRequest) -> HttpResponse:
    """Show what the student has found, the student's own puzzles and the thanks for them.

    `?more` shows only puzzles with solutions that are still to be found.
    """
    student = request.user
    records, shows_more = records_of(student), "more" in request.GET
    accepted = student.written_puzzles.filter(shown_as__isnull=False)
    written = list(accepted.select_related("shown_as"))
    boards = [each.shown_as for each in written]
    outcomes, thanks = gallery.outcomes(boards), gallery.thanks_for(boards)
    context = {
        "records": records,
        "most": MAX_BOARDS,
        "boards": [
            (record, _flower(record), [drawn_after(record.puzzle, line) for line in record.lines])
            for record in records.boards
            if not shows_more or (record.total or 0) > record.found
        ],
        "shows_more": shows_more,
        "shows_records": shows_records(student),
        "written": [
            (each, outcomes[each.shown_as.pk], thanks.get(each.shown_as.pk, [])) for each in written
        ],
        "has_challenges": challenges_class(request) is not None,
    }
    return render(request, "home/own_records.html", context)


@for_students("GET")
def record_card(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send the record at a board as a picture, which names nobody."""
    boards = _records_for(request.user).boards
    record = next((each for each in boards if each.puzzle.pk == pk), None)
    if record is None:
        raise Http404
    lines = [say(record.puzzle.kind.name), " · ".join(_said(record))]
    svg = share_card(record.puzzle, drawn_after(record.puzzle, record.lines[0]), lines)
    return download(svg, "image/svg+xml", "PuzzleClass.svg")


def _records_for(student: User) -> Records:
    if not shows_records(student):
        raise PermissionDenied(RECORDS_ARE_OFF)
    return records_of(student)


def _flower(record: BoardRecord) -> Plant:
    puzzle, day = record.puzzle, localdate(record.found_at)
    return Plant(*puzzle.key, puzzle.title, day, record.found, record.total, 0, puzzle=puzzle.pk)


def _time(record: BoardRecord) -> str:
    return "" if record.seconds is None else clock(record.seconds)


def _said(record: BoardRecord) -> list[str]:
    """Return the record in words, for the picture."""
    sentences = [_("Time: {time}").format(time=_time(record))] if _time(record) else []
    if record.without_hint:
        sentences.append(_("Without hints"))
    if record.total and record.total > 1:
        number, total = f"{record.found:,}", f"{record.total:,}"
        sentences.append(_("Solutions: {n} of {total}").format(n=number, total=total))
    return sentences
