"""What reviews of lines, and workers' looks at boards, tell about the moves on a board."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.models import fingerprint
from solvers.answers import ReviewAnswer
from solvers.kind import split_moves

QUESTION = "review"

MAY_BE_STUCK = Q(has_solved=False) | Q(puzzle__assignment__wanted__gt=1)
"""The condition for attempts of which it matters whether they are stuck: they have not reached the
goal, or other solutions are still to be found."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a finished review says of a line."""

    fatal: int
    """The number of the first move (from 1) after which no solution was left; 0 if one is left."""
    never: bool
    """Whether the puzzle has no solution at all."""
    left: tuple[int | None, ...]
    """The number of solutions left after 0, 1, ... moves; None where it was not counted."""

    @property
    def is_lost(self) -> bool:
        """Whether no solution is left."""
        return self.never or self.fatal > 0


def review_key(puzzle: AssignedPuzzle, line: str) -> str:
    """Return the key of the job that reviews the line.

    The position and the line are stored as canonical texts, so equal boards have one key.
    """
    return job_key(puzzle.kind_slug, QUESTION, f"{puzzle.position} | {line}")


def read_review(job: Job | None) -> Review | None:
    """Return the review in the job's answer; None without an answer, or if it is not proven."""
    answer = answer_in(job, ReviewAnswer)
    if answer is None or not answer.proven:
        return None
    return Review(fatal=int(answer.value or 0), never=answer.value is None, left=answer.left)


def still_lost(family: str, look: tuple[str, bool | None, int | None], line: str) -> bool | None:
    """Return whether a look shows that the board with this line is lost; None if it can't tell.

    The look is a line, whether no solution was left, and since which move. In a sequence a board
    stays lost as long as the moves up to the fatal one stay.

    >>> still_lost("sequence", ("1,1 2,2", True, 1), "1,1 3,3")
    True
    >>> still_lost("sequence", ("1,1 2,2", True, 2), "1,1 3,3") is None
    True
    """
    seen, is_lost, since = look
    if seen == line:
        return is_lost
    if family == "sequence" and is_lost and since:
        kept_moves = " ".join(split_moves(seen)[:since])
        # Both lines are canonical texts, so equal moves have equal texts.
        if f"{line} ".startswith(f"{kept_moves} "):
            return True
    return None


def note_stuck(examined: Iterable[tuple[Attempt, bool]]) -> None:
    """Mark attempts whose board was examined (`Attempt.was_stuck`), each with whether it is stuck.

    A mark that an attempt was stuck stays. At most two queries, and none if all is marked already.
    """
    changed: dict[bool, list[int]] = {True: [], False: []}
    for attempt, is_stuck in examined:
        if attempt.was_stuck is None or (is_stuck and not attempt.was_stuck):
            changed[is_stuck].append(attempt.pk)
    if changed[True]:
        Attempt.objects.filter(pk__in=changed[True]).update(was_stuck=True)
    if changed[False]:
        Attempt.objects.filter(pk__in=changed[False], was_stuck=None).update(was_stuck=False)


def note_review(job: Job) -> None:
    """Mark the attempts that have the reviewed line, if the job is a review with an answer."""
    review = read_review(job) if job.question == QUESTION else None
    if review is None:
        return
    start, _bar, line = job.position.partition(" | ")
    reviewed = Attempt.objects.filter(
        MAY_BE_STUCK,
        puzzle__fingerprint=fingerprint(job.kind_slug, start),
        puzzle__assignment__is_practice=False,
        line=line,
    )
    note_stuck((attempt, review.is_lost) for attempt in reviewed.only("pk", "was_stuck"))
