"""Delete what nobody looks at any more. Every model's rule is named here.

A model's `expired()` returns its rows whose time is over. Where deleting takes more than that, a
function of the app's services does it.

Everything that is deleted here can be made again (a question is asked again, a visitor signs in, a
board is begun again), has been in the bin for its time, or goes by a rule of its school. Logs are
deleted when they have been kept for their time. Rows are deleted in batches, each in a short
transaction of its own, so that nobody waits for them. The worker of the sweeper does this between
its rounds, a little at a time. A pass over everything begins every `PASS_INTERVAL`.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from time import monotonic
from typing import Any

from celery import shared_task
from django.db.models import QuerySet
from django.utils import timezone

from puzzleclass.accounts.models import Session
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Template, WrittenPuzzle
from puzzleclass.classes.audit import expired_lines
from puzzleclass.classes.invitations import AdministratorInvitation
from puzzleclass.classes.models import ClassChange, TeachingInvitation
from puzzleclass.classes.services import delete_expired_classes
from puzzleclass.database.batches import delete_in_batches
from puzzleclass.database.journal import clear_journal
from puzzleclass.forms.models import SentForm
from puzzleclass.jobs.services import delete_old_jobs
from puzzleclass.kinds.models import Invention, StoredTable
from puzzleclass.lti.keys import renew_keys
from puzzleclass.lti.models import Launch, SigningKey
from puzzleclass.practice.services import delete_fruitless_attempts
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.rosters.models import RosterImport, RosterRequest, RosterUpload, TeacherInvitation
from puzzleclass.rosters.retention import delete_by_rules
from puzzleclass.rosters.school_deletion import delete_expired_schools
from puzzleclass.sharing.models import Pack

PASS_INTERVAL = timedelta(hours=6)

SLICE_SECONDS = 1.0
"""How many seconds the other tasks of the sweeper's worker wait for this one."""

_under_way: Iterator[int] = iter(())
_next_pass_at = float("-inf")


@shared_task
def prune() -> None:
    """Delete a part of what may go: continue the pass under way, or begin one that is due.

    The pass is kept in the memory of the process, so another process begins a new one.
    """
    global _under_way, _next_pass_at
    clear_journal()
    now = monotonic()
    if now >= _next_pass_at:
        _under_way = _new_pass()
        _next_pass_at = now + PASS_INTERVAL.total_seconds()
    for _ in _under_way:
        if monotonic() >= now + SLICE_SECONDS:
            return


def _new_pass() -> Iterator[int]:
    """Return the work of a pass as an iterator over the number of rows deleted in each batch."""
    if SigningKey.objects.exists():
        renew_keys()
    return chain(
        *map(delete_in_batches, expired_rows()),
        delete_fruitless_attempts(),
        delete_old_jobs(asked_positions()),
        delete_by_rules(),
        delete_expired_schools(),
        delete_expired_classes(),
    )


def expired_rows() -> list[QuerySet[Any]]:
    """Return the rows whose time is over, for each model whose rows go without further work."""
    return [
        Session.objects.filter(expire_date__lt=timezone.now()),
        SentForm.expired(),
        Puzzle.expired(),
        Assignment.expired(),
        Template.expired(),
        Pack.expired(),
        Invention.expired(),
        expired_lines(),
        ClassChange.expired(),
        RosterUpload.expired(),
        RosterRequest.expired(),
        RosterImport.expired(),
        TeacherInvitation.expired(),
        AdministratorInvitation.expired(),
        TeachingInvitation.expired(),
        Launch.expired(),
        StoredTable.expired(),
    ]


def asked_positions() -> Iterator[tuple[str, str]]:
    """Yield the kind and the start of every board that a page may ask about."""
    # Imported here, because these modules take half a second to load.
    from puzzleclass.studies import maxstrings_questions, tonari_methods

    for source in (maxstrings_questions, tonari_methods, Puzzle, WrittenPuzzle, AssignedPuzzle):
        yield from source.asked_positions()
