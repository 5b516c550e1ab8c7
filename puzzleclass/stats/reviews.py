"""Tries looked at afterwards: reviews by the worker, the replay, where a class's tries fall off.

A review names the move after which no solution was left. It is asked for a position, so
students who played the same line share it.
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
from puzzleclass.play.attempts import request_review
from puzzleclass.play.models import Attempt, HintUse, Step
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.player import Player, player_at
from solvers.answers import ReviewAnswer
from solvers.kind import split_moves
from solvers.message import Message

QUIET = timedelta(seconds=20)
"""A try whose last step is this old is reviewed as it stands: the student thinks, or has left."""

LOOKED_BACK = timedelta(hours=1)
"""Tries that have been quiet for longer are not looked for: their review was asked for then."""

MOST_AT_ONCE = 24
"""Reviews that one round asks for. The rest follow in the next one."""

QUESTION = "review"


@dataclass(frozen=True, slots=True)
class Review:
    """A finished review."""

    fatal: int
    """The first move after which no solution was left; 0 while there is one."""
    never: bool
    """The puzzle has no solution at all."""
    left: tuple[int | None, ...]
    """Solutions left after 0, 1, ... moves, where they were counted."""

    @property
    def is_lost(self) -> bool:
        return self.never or self.fatal > 0


def can_be_reviewed(attempt: Attempt) -> bool:
    """A move was made, and the kind knows the question."""
    return bool(attempt.line) and QUESTION in attempt.puzzle.kind.questions


def review_key(puzzle: AssignedPuzzle, line: str) -> str:
    """Return the key of the job that reviews the line.

    The text is canonical as it is: position and line are both stored so.
    """
    return job_key(puzzle.kind_slug, QUESTION, f"{puzzle.position} | {line}")


def read_review(job: Job | None) -> Review | None:
    """Return what the job found out, or None when it has not, or could not decide."""
    answer = answer_in(job, ReviewAnswer)
    if answer is None or not answer.proven:
        return None
    return Review(fatal=int(answer.value or 0), never=answer.value is None, left=answer.left)


@dataclass(frozen=True, slots=True)
class KnownReviews:
    """What is known of many lines."""

    reviews: dict[str, Review]
    """Key -> review."""
    asked: set[str]
    """The keys of all jobs there are, also of those still under way or failed."""
    under_way: set[str]


def known_reviews(keys: Iterable[str]) -> KnownReviews:
    """Return what is known of the lines with these keys. One query."""
    found = jobs.find_all(keys)
    reviews = {key: read_review(job) for key, job in found.items()}
    return KnownReviews(
        reviews={key: review for key, review in reviews.items() if review},
        asked=set(found),
        under_way={key for key, job in found.items() if not job.has_ended},
    )


@shared_task
def review_quiet_tries() -> int:
    """Ask for the reviews of open tries whose students think, have left or can't go on.

    Returns how many were asked for. A try that has ended was asked about at its end, so no
    page needs to ask when somebody looks at it.
    """
    now = timezone.now()
    quiet = Q(last_at__lte=now - QUIET) | Q(is_jammed=True)
    tries = Attempt.objects.filter(
        quiet,
        puzzle__assignment__is_practice=False,
        state=Attempt.State.OPEN,
        has_solved=False,
        last_at__gt=now - LOOKED_BACK,
    ).exclude(line="")
    fresh: dict[str, Attempt] = {}
    for attempt in tries.select_related("puzzle__assignment__teacher").order_by("last_at"):
        if can_be_reviewed(attempt):
            fresh.setdefault(review_key(attempt.puzzle, attempt.line), attempt)
    known = known_reviews(fresh)
    asked = [attempt for key, attempt in fresh.items() if key not in known.asked][:MOST_AT_ONCE]
    for attempt in asked:
        request_review(attempt)
    return len(asked)


def review_job(attempt: Attempt) -> Job | None:
    """Return the job that reviews the try as it stands, if somebody has asked for it."""
    if not can_be_reviewed(attempt):
        return None
    return Job.objects.filter(key=review_key(attempt.puzzle, attempt.line)).first()


def ask_for_review(user: User, attempt: Attempt) -> None:
    """Have the try reviewed before those that nobody asked for. The user sees the job's card."""
    if can_be_reviewed(attempt):
        jobs.ask(user, attempt.puzzle.kind_slug, QUESTION, attempt.position_text, priority=0)


# The replay of one try


@dataclass(slots=True)
class ReplayedStep:
    """A step as the student made it."""

    text: str
    """The move; empty for an undo and for a hint."""
    is_undone: bool = False
    """A move that was taken back later."""
    is_fatal: bool = False
    hint: HintUse | None = None


def story(attempt: Attempt, review: Review | None) -> list[ReplayedStep]:
    """Return all that was done in the try, hints and taken-back moves too, the fatal one marked."""
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
    """Return the player over the try's line; without a step it opens where it was lost."""
    moves = split_moves(attempt.line)
    notes = {}
    if review and review.never:
        notes = dict.fromkeys(range(len(moves) + 1), Message("This puzzle cannot be solved."))
    elif review and review.fatal:
        later = Message("No solution is left since move {number}.", {"number": review.fatal})
        notes = dict.fromkeys(range(review.fatal, len(moves) + 1), later)
        notes[review.fatal] = Message("After this move no solution was left.")
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


# Where the tries of a class fall off


@dataclass(frozen=True, slots=True)
class Fall:
    """The tries that lost their last solution with the same move."""

    move: int
    tries: list[Attempt]


@dataclass(frozen=True, slots=True)
class FallOff:
    """All falls of a puzzle, by move."""

    falls: list[Fall]
    alive: int
    """Unsolved tries that left off while there still was a solution."""
    waiting: int
    """Unsolved tries whose review is not there yet."""
    never: bool
    """The puzzle has no solution at all."""

    @property
    def most(self) -> int:
        """The tries of the longest bar."""
        return max((len(fall.tries) for fall in self.falls), default=0)


def fall_off_of(puzzle: AssignedPuzzle) -> FallOff:
    """Return where the class's unsolved tries fell off, as far as they are reviewed."""
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
        never=never,
    )
