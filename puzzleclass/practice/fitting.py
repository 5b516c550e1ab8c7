"""The worlds that fit a student's skill: those whose boards the student is expected to solve three
times in four."""

from collections.abc import Mapping

from django.db.models import Q

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.practice.experience import MAX_CLASSES, MAX_FIGURES, Experience, Figures, fitted
from puzzleclass.practice.models import StoredSkill
from puzzleclass.practice.skill import (
    TARGET,
    Skill,
    chance,
    collected_difficulty,
    difficulty_of_level,
    skill_at,
)
from puzzleclass.puzzles.models import BoardFigures, fingerprint
from puzzleclass.puzzles.worlds import PracticeBoard, worlds
from solvers.registry import AnyKind


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


def fitting_levels(kind: AnyKind, skills: Mapping[str, Skill], experience: Experience) -> list[int]:
    """Return the levels of the kind whose middle board the student is expected to solve with the
    target chance."""
    skill = skill_at(kind.slug, skills, experience.beginners)
    middle = {level: boards[len(boards) // 2] for level, boards in worlds(kind).items()}
    return [
        level
        for level, board in middle.items()
        if chance(skill, felt_difficulty(board, experience)) >= TARGET
    ]


def felt_difficulty(board: PracticeBoard, experience: Experience) -> float:
    """Return the difficulty of the board for students of the class, in log-odds."""
    key = fingerprint(board.kind_slug, board.position)
    return experience.felt(board.kind_slug, key, difficulty_of(board))


def difficulty_of(board: PracticeBoard) -> float:
    """Return the difficulty of a practice board as it is computed, in log-odds."""
    collected = collected_difficulty(board.kind, board.position)
    return difficulty_of_level(board.kind, board.level) if collected is None else collected
