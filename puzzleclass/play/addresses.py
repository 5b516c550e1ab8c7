"""The addresses of an attempt: its page, and the targets of the page's requests."""

from dataclasses import dataclass
from functools import cache, lru_cache
from urllib.parse import urlencode
from uuid import UUID

from django.urls import get_script_prefix, reverse

from puzzleclass.address import absolute
from puzzleclass.assignments.models import Assignment
from puzzleclass.http import Request

NO_ATTEMPT = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of an attempt, by name."""

    puzzle: int
    """The primary key of the assigned puzzle."""
    key: UUID
    """The key of the attempt."""
    trial: str | None
    """The name of a teacher's attempt (`play.trial`); None for a student's."""

    def __getitem__(self, name: str) -> str:
        """Return the address of `page`, `next_board`, `step`, `moves`, `restart`, `hint`,
        `hint_answer`, `hint_back` or `look_ahead`."""
        if self.trial:
            return reverse("trial" if name == "page" else f"trial_{name}", args=[self.trial])
        if name == "page":
            return play_address(self.puzzle, get_script_prefix())
        if name == "next_board":
            return reverse(name, args=[self.puzzle])
        return _address_pattern(name, get_script_prefix()).replace(str(NO_ATTEMPT), str(self.key))


@lru_cache(maxsize=2000)
def play_address(puzzle: int, prefix: str) -> str:
    """Return the address at which a student plays an assigned puzzle, given by its primary key.

    `prefix` is the site's (`get_script_prefix`). The address is kept because the page of a board
    links to all boards of its set, and Django takes some time to reverse each.
    """
    return reverse("play", args=[puzzle])


@cache
def _address_pattern(name: str, prefix: str) -> str:
    """Return the address of `NO_ATTEMPT` under this name.

    It is cached because a board has six addresses, and Django takes some time to reverse each.
    """
    return reverse(name, args=[NO_ATTEMPT])


CLASSROOM = "https://classroom.google.com/share"
"""The page of Google Classroom on which a teacher chooses a course for a link."""


def share_address(assignment: Assignment, request: Request) -> str:
    """Return the address by which the students of the class open the assignment.

    It contains the class code, so that they need not type it.
    """
    path = reverse("assignment_open", args=[assignment.classroom.code, assignment.pk])
    return absolute(path, request)


def classroom_address(assignment: Assignment, request: Request) -> str:
    """Return the address at which a teacher passes the assignment on to Google Classroom."""
    shared = {"url": share_address(assignment, request), "title": assignment.title}
    return f"{CLASSROOM}?{urlencode(shared)}"
