"""The choice of a student's next board: one that the student is expected to solve three times in
four, and has not had lately."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.play.models import Attempt
from puzzleclass.practice.boards import from_made_board
from puzzleclass.practice.models import MadeBoard, StoredSkill
from puzzleclass.practice.skill import (
    TARGET,
    Skill,
    chance,
    collected_difficulty,
    difficulty_of_level,
    skill_at,
)
from puzzleclass.puzzles.worlds import BoardKey, PracticeBoard, worlds
from solvers.registry import AnyKind

SOLVED_RESTS = timedelta(days=30)
"""The time for which a solved board does not come back."""

PLAYED_RESTS = timedelta(days=1)
"""The time for which a board that was played and not solved does not come back."""


class Played(NamedTuple):
    """When a student last played a board, and whether it is solved."""

    last_at: datetime
    is_solved: bool


def skills_of(student: User) -> dict[str, Skill]:
    """Return the student's skill by the slug of the kind. One query."""
    rows = StoredSkill.objects.filter(student=student).order_by("kind_slug")
    return {each.kind_slug: Skill(each.value, each.results) for each in rows}


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """Everything on which the choice of a student's next boards depends."""

    skills: Mapping[str, Skill]
    played: Mapping[BoardKey, Played]
    made: Mapping[str, list[PracticeBoard]]
    """The boards that the worker has made, by the slug of their kind."""
    now: datetime

    def next_board(self, kind: AnyKind) -> PracticeBoard | None:
        """Return the board of the kind with the chance of success that is nearest to the target.

        Boards that are not solved come first. Return None if every board rests.
        """
        boards = [each for level in worlds(kind).values() for each in level]
        boards += self.made.get(kind.slug, [])
        rested = [board for board in boards if not self._rests(board)]
        unsolved = [board for board in rested if not self._is_solved(board)]
        return _nearest(unsolved or rested, skill_at(kind.slug, self.skills))

    def _is_solved(self, board: PracticeBoard) -> bool:
        played = self.played.get(board.key)
        return played is not None and played.is_solved

    def _rests(self, board: PracticeBoard) -> bool:
        played = self.played.get(board.key)
        if played is None:
            return False
        return self.now < played.last_at + (SOLVED_RESTS if played.is_solved else PLAYED_RESTS)


def choice_for(student: User) -> BoardChoice:
    """Return what the choice of the student's boards depends on. Three queries."""
    attempts = Attempt.objects.filter(student=student, next_step__gt=0).order_by()
    by_board = attempts.values_list("puzzle__kind_slug", "puzzle__position").annotate(
        Max("last_at"), times_solved=Count("pk", filter=Q(has_solved=True))
    )
    played = {
        (slug, position): Played(last_at, solved > 0)
        for slug, position, last_at, solved in by_board
    }
    made: dict[str, list[PracticeBoard]] = {}
    for board in MadeBoard.objects.filter(level__gt=0):
        made.setdefault(board.kind_slug, []).append(from_made_board(board))
    return BoardChoice(skills_of(student), played, made, timezone.now())


def difficulty_of(board: PracticeBoard) -> float:
    """Return the difficulty of a practice board in log-odds."""
    collected = collected_difficulty(board.kind, board.position)
    return difficulty_of_level(board.kind, board.level) if collected is None else collected


def _nearest(boards: Iterable[PracticeBoard], skill: Skill) -> PracticeBoard | None:
    """Return the board with the chance nearest to the target. The first of equal ones counts."""

    def distance(board: PracticeBoard) -> float:
        return abs(chance(skill, difficulty_of(board)) - TARGET)

    return min(boards, key=distance, default=None)
