"""Kinds that students make, with the consent of a teacher, who reads them before the class does."""

from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.kinds.models import Invention, InventionStep
from puzzleclass.language.reader import say
from puzzleclass.workshop.services import save_kind
from solvers.rule_tables.sentences import sentence
from solvers.rule_tables.table import read_table

State = Invention.State


class KindRefusal(Exception):
    """Raised when a kind can't be handed in or shown now. The text says why, to the reader."""


def inventing_classes(student: User) -> QuerySet[Classroom]:
    """Return the classes of a student whose teachers let students make kinds."""
    return Classroom.objects.filter(students=student, archived_at=None, invents=True).order_by("pk")


def hand_in(invention: Invention) -> None:
    """Hand a kind in to the teachers of the author's class. Until they have read it, or the author
    takes it back, it can't be changed."""
    classroom = inventing_classes(invention.owner).first()
    kinds = Invention.objects.filter(pk=invention.pk).exclude(state=State.WAITING)
    kinds.update(state=State.WAITING, classroom=classroom)


def take_back(invention: Invention) -> None:
    """Make a waiting kind a draft again, or what it was if the class sees an earlier version."""
    state = State.SHOWN if invention.versions.exists() else State.DRAFT
    Invention.objects.filter(pk=invention.pk, state=State.WAITING).update(state=state)


def handed_in(classroom: Any) -> QuerySet[Invention]:
    """Return the kinds of the students of a class that wait, or that it sees. `classroom` is a
    primary key, or an expression for one."""
    of_class = Invention.objects.filter(
        classroom=classroom, owner__enrolments__classroom=F("classroom")
    )
    return of_class.filter(state__in=(State.WAITING, State.SHOWN)).select_related("owner")


def waiting_kinds(classroom: Any) -> QuerySet[Invention]:
    """Return the kinds that wait for the teachers of a class, the oldest first."""
    return handed_in(classroom).filter(state=State.WAITING).order_by("changed_at", "pk")


def read_kinds(classroom: Classroom) -> list[tuple[Invention, list[str]]]:
    """Return the kinds that students of a class have handed in, the oldest first, and their rules
    in words. One query."""
    steps = InventionStep.objects.filter(
        invention__in=handed_in(classroom.pk), number=F("invention__step")
    ).select_related("invention__owner")
    read = []
    for step in steps.order_by("invention__changed_at", "invention"):
        table = read_table(step.table)
        read.append((step.invention, [say(sentence(table, rule)) for rule in table.rules]))
    return read


@transaction.atomic
def show(invention: Invention, seen: str) -> None:
    """Let the class see a waiting kind. Raise KindRefusal if it is not as the teacher has `seen` it
    any more, or has the most versions."""
    waiting = Invention.objects.select_for_update().filter(pk=invention.pk, state=State.WAITING)
    current = waiting.first()
    if current is None or current.mark != seen:
        raise KindRefusal(
            _("The author has changed this kind in the meantime. Please read it again.")
        )
    if save_kind(current) is None:
        raise KindRefusal(_("This kind has the most versions. Begin another one."))
    waiting.update(state=State.SHOWN, word="")


@transaction.atomic
def send_back(invention: Invention, word: str) -> None:
    """Return a kind to its author with a message. The class does not see it any more; puzzles of it
    stay."""
    invention.versions.all().delete()
    Invention.objects.filter(pk=invention.pk).update(state=State.RETURNED, word=word)
