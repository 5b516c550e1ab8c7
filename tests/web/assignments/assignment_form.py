"""The form of an assignment: the fields that it sends, and a library for it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.puzzles.models import Puzzle

PAST = "This time has passed. Choose a time in the future."
"""What the form says of a time in the past."""


@pytest.fixture
def library(teacher, puzzle) -> list[Puzzle]:
    """Return three puzzles of the teacher."""
    others = [("Four", "oo/oo"), ("Steps", "oo./.oo")]
    return [
        puzzle,
        *(
            Puzzle.objects.create(owner=teacher, kind_slug="goishi", position=text, title=title)
            for title, text in others
        ),
    ]


def fields(*boards: str, listed: tuple[str, ...] = (), **others: str) -> dict[str, object]:
    """Return the fields that the form sends."""
    due = timezone.localtime() + timedelta(days=1)
    return {
        "title": "Homework",
        "due_at": due.strftime("%Y-%m-%dT%H:%M"),
        "shows_total": "on",
        "hints": "3",
        "board": boards,
        "listed": listed or boards,
    } | others


def in_library(puzzle: Puzzle) -> str:
    """Return the name that the form has for a puzzle of the library."""
    return f"library-{puzzle.pk}"


def contents(assignment: Assignment) -> list[tuple[int, str]]:
    """Return the number and the title of each puzzle of the assignment."""
    return list(assignment.puzzles.values_list("number", "title"))
