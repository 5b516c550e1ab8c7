"""The search of the whole site: a teacher's puzzles, classes, students, assignments, and help."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.access import in_class_of
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.help import tasks
from puzzleclass.language.folding import contains_all, folded
from puzzleclass.language.reader import say
from puzzleclass.puzzles.kind_names import kinds_named
from puzzleclass.puzzles.models import Puzzle

MAX_CHARACTERS = 60
MAX_WORDS = 6

MAX_SHOWN = 6
"""The most results of each sort."""

PAGES = {
    "home": _("Home"),
    "classroom_list": _("Classes"),
    "classroom_new": _("Create a class"),
    "puzzle_list": _("Puzzles"),
    "puzzle_kind": _("Create a puzzle"),
    "kind_list": _("Kinds of puzzles"),
    "collection_start": _("Ready collection"),
    "pack_list": _("Plans and collections"),
    "job_list": _("Calculations"),
    "bin": _("Bin"),
    "studies": _("Discover"),
    "data_log": _("Data protection"),
    "account": _("Your account"),
    "help": _("Help"),
}
"""The pages that are found by their titles, by URL name."""


class Found(NamedTuple):
    """A result: what it is called, what tells it from others of that name, and its address."""

    title: str
    url: str
    detail: str = ""


class FoundGroup(NamedTuple):
    """Results of one sort."""

    title: Promise
    results: list[Found]


def find(teacher: User, text: str) -> list[FoundGroup]:
    """Return what the teacher may see and the text finds, by sort. Sorts without results are left
    out.

    Every word of the text must be found. Four queries, each of which reads rows of the teacher
    only and stops after `MAX_SHOWN`. An empty text finds the pages.
    """
    words = text[:MAX_CHARACTERS].split()[:MAX_WORDS]
    groups = [FoundGroup(_("Pages"), list(_pages(words)))]
    if words:
        groups = [
            FoundGroup(_("Puzzles"), _puzzles(teacher, words)),
            FoundGroup(_("Classes"), _classes(teacher, words)),
            FoundGroup(_("Assignments"), _assignments(teacher, words)),
            FoundGroup(_("Students"), _students(teacher, words)),
            FoundGroup(_("Kinds of puzzles"), list(_kinds(" ".join(words)))),
            *groups,
            FoundGroup(_("Help"), _help(" ".join(words))),
        ]
    return [group for group in groups if group.results]


def _kinds(text: str) -> Iterator[Found]:
    for each in kinds_named(text)[:MAX_SHOWN]:
        nearest = _("The nearest to “{name}”")
        detail = str(nearest).format(name=each.missing) if each.missing else ""
        yield Found(say(each.kind.name), f"{reverse('kind_list')}#{each.name}", detail)


def _puzzles(teacher: User, words: list[str]) -> list[Found]:
    rows = Puzzle.objects.filter(contains_all(words, "title"), owner=teacher)
    return [
        Found(row.title, reverse("puzzle", args=[row.pk]), say(row.kind.name))
        for row in rows.only("title", "kind_slug")[:MAX_SHOWN]
    ]


def _classes(teacher: User, words: list[str]) -> list[Found]:
    rows = Classroom.objects.filter(in_class_of(teacher), contains_all(words, "name"))
    return [
        Found(
            row.name,
            reverse("classroom", args=[row.pk]),
            str(_("In the archive")) if row.archived_at else "",
        )
        for row in rows.order_by("archived_at", "name", "pk")[:MAX_SHOWN]
    ]


def _assignments(teacher: User, words: list[str]) -> list[Found]:
    rows = Assignment.objects.filter(
        in_class_of(teacher, "classroom"), contains_all(words, "title")
    )
    return [
        Found(row.title, reverse("assignment", args=[row.pk]), row.classroom.name)
        for row in rows.select_related("classroom")[:MAX_SHOWN]
    ]


def _students(teacher: User, words: list[str]) -> list[Found]:
    rows = Enrolment.objects.filter(
        in_class_of(teacher, "classroom"), contains_all(words, "student__name", "student__reading")
    )
    # A student of several classes is one result, with the class that is not archived.
    latest = rows.select_related("classroom", "student").order_by(
        "classroom__archived_at", "student__name", "student_id", "pk"
    )
    results: dict[int, Found] = {}
    for row in latest[: 4 * MAX_SHOWN]:
        results.setdefault(
            row.student_id,
            Found(row.student.name, reverse("student", args=[row.student_id]), row.classroom.name),
        )
    return list(results.values())[:MAX_SHOWN]


def _pages(words: list[str]) -> Iterator[Found]:
    for name, title in PAGES.items():
        if all(folded(word) in folded(str(title)) for word in words):
            yield Found(str(title), reverse(name))


def _help(text: str) -> list[Found]:
    hits = tasks.search(tasks.tasks(tasks.TEACHERS), text)
    return [
        Found(task.title, reverse("help_task", args=[task.audience, task.name]), task.group)
        for task in hits[:MAX_SHOWN]
    ]
