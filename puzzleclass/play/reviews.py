"""Reviews of attempts: each names the move after which no solution was left.

A review is a job about a board and a line, so students who have played the same line share it. It
also marks the attempts that were stuck at some time (`Attempt.was_stuck`).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.models import fingerprint
from solvers.answers import Reason, ReviewAnswer
from solvers.kind import split_moves

QUESTION = "review"

MAY_BE_STUCK = Q(has_solved=False) | Q(puzzle__assignment__wanted__gt=1)
"""The condition for attempts of which it matters whether they are stuck: they have not reached the
goal, or other solutions are still to be found."""

MAX_WITHDRAWN = 20
"""The number of earlier attempts, and of shorter lines of this attempt, whose waiting reviews a new
review replaces. Because each new review does this, only one waits at a time."""

QUIET = timedelta(seconds=20)
"""An attempt with a last step at least this old is reviewed as it stands: the student thinks or has
left."""

LOOKED_BACK = timedelta(hours=1)
"""Attempts that have been quiet for longer than this are not looked for, because their reviews have
already been asked for."""

MAX_AT_ONCE = 24
"""The most reviews that one round asks for. The rest follow in the next round."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a finished review says of a line."""

    fatal: int
    """The number of the first move (from 1) after which no solution was left; 0 if one is left."""
    never: bool
    """Whether the puzzle has no solution at all."""
    left: tuple[int | None, ...]
    """The number of solutions left after 0, 1, ... moves; None where it was not counted."""
    why: Reason | None = None
    """The reason why no solution is left after that move, if it was found."""

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
    return Review(int(answer.value or 0), answer.value is None, answer.left, answer.why)


@dataclass(frozen=True, slots=True)
class KnownReviews:
    """What is known about many lines of moves."""

    reviews: dict[str, Review]
    """Key of the job -> its review."""
    asked: set[str]
    """The keys of all existing jobs, including those that are under way or have failed."""
    under_way: set[str]
    has_no_worker: bool
    """Whether one of the jobs waits in vain because no worker serves its queue."""


def known_reviews(keys: Iterable[str]) -> KnownReviews:
    """Return what is known about the lines with these keys. Uses one query."""
    results = jobs.find_all(keys)
    reviews = {key: read_review(job) for key, job in results.items()}
    return KnownReviews(
        reviews={key: review for key, review in reviews.items() if review},
        asked=set(results),
        under_way={key for key, job in results.items() if not job.has_ended},
        has_no_worker=any(job.has_no_worker for job in results.values()),
    )


def can_be_reviewed(attempt: Attempt) -> bool:
    """Return whether a move has been made and the kind has the question."""
    return bool(attempt.line) and QUESTION in attempt.puzzle.kind.questions


def review_job(attempt: Attempt) -> Job | None:
    """Return the job that reviews the attempt as it stands; None when nobody has asked for it."""
    if not can_be_reviewed(attempt):
        return None
    return Job.objects.filter(key=review_key(attempt.puzzle, attempt.line)).first()


# Asking for reviews


def ask_for_review(user: User, attempt: Attempt) -> None:
    """Ask for the review of the attempt on behalf of the user, who then sees the job's card.

    It is taken before the reviews that no user has asked for.
    """
    if can_be_reviewed(attempt):
        jobs.ask(user, attempt.puzzle.kind_slug, QUESTION, attempt.position_text, priority=0)


def request_review(attempt: Attempt) -> None:
    """Ask, in the teacher's name, where the attempt lost its last solution.

    The job's row is written in one transaction with the attempt, so that no attempt goes
    unreviewed. The job is sent to a worker after the commit. An attempt without a move has nothing
    to review. Reviews that still wait for this attempt, or for the student's other attempts at the
    puzzle, are withdrawn, so that nobody fills the queue by giving up. The review of a line that
    another student has played, too, stays.
    """
    puzzle = attempt.puzzle
    if not can_be_reviewed(attempt):
        return
    attempts = Attempt.objects.filter(puzzle=puzzle).exclude(line__in=["", attempt.line]).order_by()
    own = attempts.filter(student=attempt.student_id)
    lines = set(own.order_by("-number").values_list("line", flat=True)[:MAX_WITHDRAWN])
    moves = split_moves(attempt.line)
    lines |= {" ".join(moves[:n]) for n in range(len(moves))[-MAX_WITHDRAWN:] if n}
    others = attempts.filter(line__in=lines).exclude(student=attempt.student_id)
    lines -= set(others.values_list("line", flat=True))
    texts = (f"{puzzle.position} | {line}" for line in lines)
    jobs.delete_unwanted(job_key(puzzle.kind_slug, QUESTION, text) for text in texts)
    job = jobs.ask(
        puzzle.assignment.teacher,
        puzzle.kind_slug,
        QUESTION,
        attempt.position_text,
        served=attempt.student_id,
    )
    if review := read_review(job):
        note_stuck([(attempt, review.is_lost)])


@shared_task
def review_quiet_attempts() -> int:
    """Ask for the reviews of open attempts at which the student thinks, has left or can't go on.

    Return how many were asked for. A review of an attempt that has ended was asked for at its end,
    so no page needs to ask for it when somebody looks at the attempt.
    """
    now = timezone.now()
    quiet = Q(last_at__lte=now - QUIET) | Q(is_jammed=True)
    attempts = Attempt.objects.filter(
        quiet,
        MAY_BE_STUCK,
        puzzle__assignment__is_practice=False,
        state=Attempt.State.OPEN,
        last_at__gt=now - LOOKED_BACK,
    ).exclude(line="")
    by_key: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in attempts.select_related("puzzle__assignment__teacher").order_by("last_at"):
        if can_be_reviewed(attempt):
            by_key[review_key(attempt.puzzle, attempt.line)].append(attempt)
    known = known_reviews(by_key)
    note_stuck(
        (attempt, review.is_lost)
        for key, review in known.reviews.items()
        for attempt in by_key[key]
    )
    asked = [same[0] for key, same in by_key.items() if key not in known.asked][:MAX_AT_ONCE]
    for attempt in asked:
        request_review(attempt)
    return len(asked)


# Boards that are stuck


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
