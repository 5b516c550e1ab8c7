"""What a student has just earned with the step that solved a board.

It is sent with the answer to that step, and with no other answer: a page that is loaded again, or a
step that is sent again, does not show it a second time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.play.models import Attempt, Step
from puzzleclass.play.path import Result, Results, path_of, stars_of
from puzzleclass.play.practised import results_of
from puzzleclass.play.result_models import ClassFind, FoundSolution
from puzzleclass.puzzles.daily import DailyBoard, daily_boards_of
from puzzleclass.puzzles.worlds import BoardKey, PracticeBoard, find_board
from solvers.message import Message, gettext_noop
from solvers.registry import AnyKind


class NewStars(NamedTuple):
    """The stars of a practice board. The new ones move to their place."""

    before: range
    """One number for each star that the board had before this step."""
    new: range
    """One number for each star that the step has won."""
    open: range
    """One number for each star that is still to be won."""


class WorldLeft(NamedTuple):
    """How many boards are left in a world of practice after this one."""

    level: int
    left: int


@dataclass(frozen=True, slots=True)
class Earned:
    """What the step has earned. Everything is compared with what the student did before, except the
    solution that is new in the class, where nobody is named."""

    stars: NewStars | None = None
    """The stars of a practice board; None elsewhere, and if the step has won none."""
    world: WorldLeft | None = None
    """The world of a practice board that is solved for the first time."""
    first_of_kind: AnyKind | None = None
    """The kind, if this is the student's first solution of a puzzle of the kind."""
    is_new_in_class: bool = False
    """Whether the class has found solutions of this puzzle, but not this one."""
    daily: DailyBoard | None = None
    """The board of a day on whose flower a petal has opened, or which has become a fruit."""
    went_straight: bool = False
    """Whether the first attempt has solved the puzzle, and no move was taken back."""

    @property
    def badges(self) -> list[Message]:
        """What is told beside the solution, the most important first."""
        told = []
        if self.is_new_in_class:
            told.append(Message("New in your class!"))
        if self.stars:
            told.append(NEW_STARS[len(self.stars.new)])
        if self.daily:
            text = FRUIT if self.daily.is_hard else PETAL
            told.append(Message(text, {"name": self.daily.name}))
        if self.first_of_kind:
            kind = self.first_of_kind.name
            told.append(Message("Your first {kind}!", {"kind": kind}))
        if self.went_straight:
            told.append(Message("Without taking back a move!"))
        return told[:MAX_BADGES]

    @property
    def world_said(self) -> Message | None:
        """How far the student has come in the world."""
        if self.world is None:
            return None
        if self.world.left:
            values = {"world": self.world.level, "n": self.world.left}
            return Message("World {world}: {n} to go.", values)
        return Message("World {world} is complete!", {"world": self.world.level})


MAX_BADGES = 2
"""The most badges that are shown at a time."""

PETAL = gettext_noop("A petal has opened: {name}")
FRUIT = gettext_noop("The tree bears a fruit: {name}")
NEW_STARS = {1: Message("A star!"), 2: Message("Two stars!"), 3: Message("Three stars!")}


def earned_by(student: User, attempt: Attempt, *, is_new: bool) -> Earned | None:
    """Return what the last step of the attempt has earned. It must have solved the board.

    Return None if it has earned nothing. `is_new` says that the student had not found this solution
    before. Three queries at most, and three more in practice.
    """
    board = _practice_board(attempt)
    results = results_of(student) if board else {}
    earned = Earned(stars=_stars(attempt, board, results, is_new) if board else None)
    if is_new:
        is_first, is_new_in_class = _new_in_class(attempt)
        daily: Mapping[BoardKey, DailyBoard] = {}
        if board and is_first:
            classroom = attempt.puzzle.assignment.classroom
            daily = daily_boards_of(classroom, timezone.localdate(attempt.last_at))
        earned = replace(
            earned,
            world=_world_left(board, results) if board else None,
            first_of_kind=_first_of_kind(student, attempt),
            is_new_in_class=is_new_in_class,
            daily=daily.get(attempt.puzzle.key),
            went_straight=_went_straight(attempt),
        )
    return earned if earned != Earned() else None


def _practice_board(attempt: Attempt) -> PracticeBoard | None:
    """Return the board of practice at which the attempt was made.

    A board that the worker made belongs to no world that can be completed. Its number of solutions
    is not looked up here, so it is treated like a board with several.
    """
    puzzle = attempt.puzzle
    if not puzzle.assignment.is_practice:
        return None
    return find_board(puzzle.kind, puzzle.position) or PracticeBoard(
        puzzle.kind_slug, puzzle.position, 0, 0, None, "", is_made=True
    )


def _stars(
    attempt: Attempt, board: PracticeBoard, results: Results, is_new: bool
) -> NewStars | None:
    """Return the board's stars, or None if the step has won none. One query at most."""
    result = results[board.key]
    without_hint = result.without_hint
    if without_hint and not attempt.was_solved:
        earlier = Attempt.objects.filter(
            student=attempt.student_id,
            puzzle__assignment__is_practice=True,
            puzzle__kind_slug=board.kind_slug,
            puzzle__position=board.position,
            has_solved=True,
            hints=None,
        )
        without_hint = earlier.exclude(pk=attempt.pk).exists()
    before = Result(result.found - is_new, without_hint)
    now, won = stars_of(board, results), stars_of(board, {board.key: before}).won
    if now.won <= won:
        return None
    # The number of solutions of a board that the worker made is not known here.
    most = now.won if board.is_made else now.most
    return NewStars(range(won), range(now.won - won), range(most - now.won))


def _first_of_kind(student: User, attempt: Attempt) -> AnyKind | None:
    """Return the kind if this is the student's first solution of a puzzle of it. One query."""
    solutions = FoundSolution.objects.filter(
        student=student, puzzle__kind_slug=attempt.puzzle.kind_slug
    )
    return attempt.puzzle.kind if len(solutions.order_by().values("pk")[:2]) == 1 else None


def _world_left(board: PracticeBoard, results: Results) -> WorldLeft | None:
    """Return what is left of the board's world, if the board has just been solved first."""
    if board.is_made or results[board.key].found > 1:
        return None
    world = path_of(board.kind, results, board).worlds[board.level]
    return WorldLeft(board.level, world.left)


def _new_in_class(attempt: Attempt) -> tuple[bool, bool]:
    """Return whether this step was the class's first to find the solution, and whether the class
    had found others before. One query."""
    puzzle = attempt.puzzle
    own = ClassFind.hash_of(puzzle.kind.solution(attempt.position))
    finds = ClassFind.objects.filter(
        classroom=puzzle.assignment.classroom_id, board=puzzle.fingerprint
    )
    numbers = finds.order_by().aggregate(
        others=Count("pk", filter=~Q(solution=own)),
        # The find has the time of the step, because both are stored together.
        now=Count("pk", filter=Q(solution=own, at=attempt.last_at)),
    )
    return bool(numbers["now"]), bool(numbers["now"] and numbers["others"])


def _went_straight(attempt: Attempt) -> bool:
    """Return whether the first attempt has solved the puzzle without a move taken back. One query
    at most."""
    if attempt.number > 1 or attempt.was_solved:
        return False
    return not attempt.steps.filter(action=Step.Action.UNDO).exists()
