"""The choice of a student's next board: one that the student is expected to solve three times in
four, and has not had lately."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.play.models import Attempt
from puzzleclass.practice.boards import from_made_board
from puzzleclass.practice.experience import MAX_CLASSES, MAX_FIGURES, Experience, Figures, fitted
from puzzleclass.practice.models import MadeBoard, StoredSkill
from puzzleclass.practice.skill import (
    TARGET,
    Skill,
    chance,
    collected_difficulty,
    difficulty_of_level,
    skill_at,
)
from puzzleclass.puzzles.models import BoardFigures, fingerprint
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


def experience_of(classroom: Classroom) -> Experience:
    """Return what the class, and the classes that share their figures, have experienced.

    One query.
    """
    sharing = (
        Classroom.objects.filter(shares_figures=True, deleted_at=None).order_by("-pk").values("pk")
    )
    own = Q(classroom=classroom)
    known = BoardFigures.objects.filter(own | Q(classroom__in=sharing[:MAX_CLASSES]))
    rows = known.filter(students__gt=0).annotate(is_own=own)
    rows = rows.order_by("-is_own", "-students", "pk")
    columns = ("classroom", "kind_slug", "fingerprint", "difficulty", "students", "solved")
    figures = [Figures(*row) for row in rows.values_list(*columns)[:MAX_FIGURES]]
    return fitted(figures, classroom.pk)


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """Everything on which the choice of a student's next boards depends."""

    skills: Mapping[str, Skill]
    played: Mapping[BoardKey, Played]
    experience: Experience
    """What the student's class, and classes that share it, have experienced at boards."""
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
        skill = skill_at(kind.slug, self.skills, self.experience.beginners)

        def distance(board: PracticeBoard) -> float:
            return abs(chance(skill, self.difficulty(board)) - TARGET)

        # The first of equal ones counts.
        return min(unsolved or rested, key=distance, default=None)

    def difficulty(self, board: PracticeBoard) -> float:
        """Return the difficulty of the board for students of the class, in log-odds."""
        key = fingerprint(board.kind_slug, board.position)
        return self.experience.felt(board.kind_slug, key, difficulty_of(board))

    def _is_solved(self, board: PracticeBoard) -> bool:
        played = self.played.get(board.key)
        return played is not None and played.is_solved

    def _rests(self, board: PracticeBoard) -> bool:
        played = self.played.get(board.key)
        if played is None:
            return False
        return self.now < played.last_at + (SOLVED_RESTS if played.is_solved else PLAYED_RESTS)


def choice_for(student: User, classroom: Classroom) -> BoardChoice:
    """Return what the choice of the student's boards in the class depends on. Four queries."""
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
    experience = experience_of(classroom)
    return BoardChoice(skills_of(student), played, experience, made, timezone.now())


def difficulty_of(board: PracticeBoard) -> float:
    """Return the difficulty of a practice board as it is computed, in log-odds."""
    collected = collected_difficulty(board.kind, board.position)
    return difficulty_of_level(board.kind, board.level) if collected is None else collected
