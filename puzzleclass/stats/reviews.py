"""Attempts in retrospect: their reviews, their replays, and the moves at which a class lost them.

A review names the move after which no solution was left. It is asked for a position, so students
who have played the same line share it.
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
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import request_review
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.play.reviews import (
    MAY_BE_STUCK,
    QUESTION,
    Review,
    note_stuck,
    read_review,
    review_key,
)
from puzzleclass.puzzles.player import Player, player_at
from solvers.kind import split_moves
from solvers.message import Message

QUIET = timedelta(seconds=20)
"""An attempt with a last step at least this old is reviewed as it stands: the student thinks or has
left."""

LOOKED_BACK = timedelta(hours=1)
"""Attempts that have been quiet for longer than this are not looked for, because their reviews have
already been asked for."""

MAX_AT_ONCE = 24
"""The most reviews that one round asks for. The rest follow in the next round."""


def can_be_reviewed(attempt: Attempt) -> bool:
    """Return whether a move has been made and the kind has the question."""
    return bool(attempt.line) and QUESTION in attempt.puzzle.kind.questions


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
    found = jobs.find_all(keys)
    reviews = {key: read_review(job) for key, job in found.items()}
    return KnownReviews(
        reviews={key: review for key, review in reviews.items() if review},
        asked=set(found),
        under_way={key for key, job in found.items() if not job.has_ended},
        has_no_worker=any(job.has_no_worker for job in found.values()),
    )


@shared_task
def review_quiet_tries() -> int:
    """Ask for the reviews of open attempts at which the student thinks, has left or can't go on.

    Return how many were asked for. A review of an attempt that has ended was asked for at its end,
    so no page needs to ask for it when somebody looks at the attempt.
    """
    now = timezone.now()
    quiet = Q(last_at__lte=now - QUIET) | Q(is_jammed=True)
    tries = Attempt.objects.filter(
        quiet,
        MAY_BE_STUCK,
        puzzle__assignment__is_practice=False,
        state=Attempt.State.OPEN,
        last_at__gt=now - LOOKED_BACK,
    ).exclude(line="")
    by_key: defaultdict[str, list[Attempt]] = defaultdict(list)
    for attempt in tries.select_related("puzzle__assignment__teacher").order_by("last_at"):
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


def review_job(attempt: Attempt) -> Job | None:
    """Return the job that reviews the attempt as it stands; None when nobody has asked for it."""
    if not can_be_reviewed(attempt):
        return None
    return Job.objects.filter(key=review_key(attempt.puzzle, attempt.line)).first()


def ask_for_review(user: User, attempt: Attempt) -> None:
    """Ask for the review of the attempt on behalf of the user, who then sees the job's card.

    It is taken before the reviews that no user has asked for.
    """
    if can_be_reviewed(attempt):
        jobs.ask(user, attempt.puzzle.kind_slug, QUESTION, attempt.position_text, priority=0)


# The replay of one attempt


@dataclass(slots=True)
class ReplayedStep:
    """A step of an attempt, or a hint that the student took."""

    text: str
    """The move; empty for an undo and for a hint."""
    is_undone: bool = False
    """Whether the move was taken back later."""
    is_fatal: bool = False
    hint: HintUse | None = None


def replayed_steps(attempt: Attempt, review: Review | None) -> list[ReplayedStep]:
    """Return everything that was done in the attempt, including hints and moves taken back, with
    the fatal move marked."""
    steps: list[ReplayedStep] = []
    standing: list[ReplayedStep] = []
    hints = list(attempt.hints.all())
    for number, action, move in attempt.steps.values_list("number", "action", "move"):
        steps += [ReplayedStep("", hint=hint) for hint in hints if hint.step == number]
        steps.append(ReplayedStep(move))
        if action == Step.Action.MOVE:
            standing.append(steps[-1])
        else:
            standing.pop().is_undone = True
    steps += [ReplayedStep("", hint=hint) for hint in hints if hint.step == attempt.next_step]
    if review and review.fatal:
        standing[review.fatal - 1].is_fatal = True
    return steps


def replay_player(attempt: Attempt, review: Review | None, step: str | None) -> Player:
    """Return the player for the attempt's line. Without a step, it opens at the fatal move."""
    moves = split_moves(attempt.line)
    notes = {}
    if review and review.never:
        notes = dict.fromkeys(range(len(moves) + 1), Message("This puzzle cannot be solved."))
    elif review and review.fatal:
        later = Message("After move {number}, no solution was left.", {"number": review.fatal})
        notes = dict.fromkeys(range(review.fatal, len(moves) + 1), later)
        notes[review.fatal] = Message("After this move, the board could no longer be solved.")
    puzzle = attempt.puzzle
    return player_at(
        puzzle.kind,
        puzzle.position,
        moves,
        step if step is not None else (review.fatal if review else None),
        notes=notes,
        left=review.left if review else (),
        decisive=review.fatal if review else 0,
    )


# The moves at which the attempts of a class fall off


@dataclass(frozen=True, slots=True)
class Fall:
    """The attempts that lost their last solution with the same move."""

    move: int
    tries: list[Attempt]


@dataclass(frozen=True, slots=True)
class FallOff:
    """All falls at a puzzle, sorted by move."""

    falls: list[Fall]
    alive: int
    """The number of unsolved attempts from whose last board a solution could still be reached."""
    waiting: int
    """The number of unsolved attempts with a review that is still being made."""
    has_no_worker: bool
    """Whether no worker is there to review them."""
    never: bool
    """Whether the puzzle has no solution at all."""

    @property
    def most(self) -> int:
        """The number of attempts in the largest fall."""
        return max((len(fall.tries) for fall in self.falls), default=0)


def fall_off_of(puzzle: AssignedPuzzle) -> FallOff:
    """Return where the unsolved attempts of the class fell off, as far as they have been
    reviewed."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    tries = list(
        Attempt.objects.filter(puzzle=puzzle, student__in=in_class, has_solved=False)
        .exclude(line="")
        .select_related("student")
    )
    for attempt in tries:
        attempt.puzzle = puzzle
    keys = [review_key(puzzle, attempt.line) for attempt in tries]
    known = known_reviews(keys)
    by_move = defaultdict(list)
    alive = 0
    never = False
    for attempt, key in zip(tries, keys):
        review = known.reviews.get(key)
        if review is None:
            continue
        never = never or review.never
        if review.fatal:
            by_move[review.fatal].append(attempt)
        elif not review.never:
            alive += 1
    return FallOff(
        falls=[Fall(move, by_move[move]) for move in sorted(by_move)],
        alive=alive,
        waiting=sum(key in known.under_way for key in keys),
        has_no_worker=known.has_no_worker,
        never=never,
    )
