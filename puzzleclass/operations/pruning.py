"""Delete what nobody looks at any more, as each app defines it.

Everything that is deleted here can be made again (a question is asked again, a visitor signs in, a
board is begun again) or has been in the bin for its time. Logs are deleted when they have been kept
for their time. Rows are deleted in batches, each in a short transaction of its own, so that nobody
waits for them. The worker of the sweeper does this between its rounds, a little at a time. A pass
over everything begins every `PASS_INTERVAL`.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from time import monotonic

from celery import shared_task

from puzzleclass.accounts.pruning import prune_sessions
from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.assignments.pruning import prune_assignments
from puzzleclass.classes.pruning import prune_classes, prune_data_records
from puzzleclass.database.journal import clear_journal
from puzzleclass.forms.pruning import prune_sent_forms
from puzzleclass.jobs.pruning import prune_jobs
from puzzleclass.lti.pruning import prune_launches
from puzzleclass.practice.pruning import prune_practice
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.pruning import prune_puzzles, stored_boards
from puzzleclass.rosters.pruning import prune_imports
from puzzleclass.sharing.pruning import prune_packs
from puzzleclass.studies.pruning import asked_boards

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
    boards = chain(asked_boards(), stored_boards(Puzzle, WrittenPuzzle, AssignedPuzzle))
    return chain(
        prune_sessions(),
        prune_sent_forms(),
        prune_puzzles(),
        prune_assignments(),
        prune_packs(),
        prune_practice(),
        prune_jobs(boards),
        prune_classes(),
        prune_data_records(),
        prune_imports(),
        prune_launches(),
    )
