"""The audit log: which events of the security log administrators see, and what a page shows of it.

Everything is written in two places: `record` (`accounts.sign_in`) for what a request does, of which
the events named here are stored, and `personal_data.log` for what is done with students' data.
Nothing that students do is stored here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.locks import spend
from puzzleclass.accounts.models import User
from puzzleclass.accounts.sign_in import recorded
from puzzleclass.accounts.visitors import present_network
from puzzleclass.classes.access import schools_of_teacher
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.classes.personal_data import months
from puzzleclass.classes.school_models import Board, Owner, School
from puzzleclass.language.folding import contains

Action = DataRecord.Action

MAX_FAILURES_PER_DAY = 50
"""The most failed sign-ins to one account that are stored in a day."""

EVENTS: dict[str, tuple[DataRecord.Action, Promise]] = {
    "signed in": (Action.SIGN_IN, _("Signed in")),
    "signed out": (Action.SIGN_IN, _("Signed out")),
    "wrong password": (Action.SIGN_IN, _("Wrong password")),
    "password locked": (Action.SIGN_IN, _("Too many wrong passwords")),
    "wrong code": (Action.SIGN_IN, _("Wrong code of the second step")),
    "code locked": (Action.SIGN_IN, _("Too many wrong codes of the second step")),
    "passkey refused": (Action.SIGN_IN, _("Passkey refused")),
    "password confirmed": (Action.SIGN_IN, _("Password confirmed")),
    "signed up": (Action.SECURITY, _("Account created")),
    "account changed by administrator": (Action.SECURITY, _("Account changed")),
    "class changed by administrator": (Action.SECURITY, _("Class changed")),
    "account viewed": (Action.LOOKED, _("Account viewed in the administration")),
    "class viewed": (Action.LOOKED, _("Class viewed in the administration")),
    "second step reset": (Action.SECURITY, _("Second step reset by an administrator")),
    "e-mail changed": (Action.SECURITY, _("E-mail address changed")),
    "password changed": (Action.SECURITY, _("Password changed")),
    "new password asked for": (Action.SECURITY, _("New password asked for")),
    "password recovered": (Action.SECURITY, _("Password recovered by e-mail")),
    "second factor turned on": (Action.SECURITY, _("Second step turned on")),
    "second factor turned off": (Action.SECURITY, _("Second step turned off")),
    "recovery codes renewed": (Action.SECURITY, _("Recovery codes renewed")),
    "passkey added": (Action.SECURITY, _("Passkey added")),
    "passkey removed": (Action.SECURITY, _("Passkey removed")),
    "passkey copied": (Action.SECURITY, _("Passkey may have been copied")),
    "api token created": (Action.SECURITY, _("Token for scripts created")),
    "api token deleted": (Action.SECURITY, _("Token for scripts deleted")),
    "school account connected": (Action.SECURITY, _("School account connected")),
    "school account disconnected": (Action.SECURITY, _("School account disconnected")),
    "school provider changed": (Action.SECURITY, _("Sign-in with school accounts changed")),
    "school provider removed": (Action.SECURITY, _("Sign-in with school accounts removed")),
    "platform registered": (Action.SECURITY, _("Learning platform registered")),
    "platform deleted": (Action.SECURITY, _("Learning platform removed")),
    "deployment allowed": (Action.SECURITY, _("Deployment of a learning platform allowed")),
    "roster service changed": (Action.SECURITY, _("Roster service changed")),
    "roster service removed": (Action.SECURITY, _("Roster service removed")),
    "school changed": (Action.SECURITY, _("Settings of the school changed")),
    "school administrator invited": (Action.SECURITY, _("Administrator of the school invited")),
    "board administrator invited": (Action.SECURITY, _("Administrator of the board invited")),
    "school administrator added": (Action.SECURITY, _("Administrator of the school added")),
    "school administrator removed": (Action.SECURITY, _("Administrator of the school removed")),
    "board administrator added": (Action.SECURITY, _("Administrator of the board added")),
    "board administrator removed": (Action.SECURITY, _("Administrator of the board removed")),
    "school made": (Action.SECURITY, _("School made in the board")),
    "school joined": (Action.SECURITY, _("Joined the school")),
    "teacher left school": (Action.SECURITY, _("Teacher taken off the school")),
    "teachers invited": (Action.PEOPLE, _("Teachers invited")),
    "invitations sent": (Action.PEOPLE, _("Invitations sent")),
    "invitations printed": (Action.PEOPLE, _("Invitations shown for printing")),
    "invitation withdrawn": (Action.PEOPLE, _("Invitation withdrawn")),
    "class given": (Action.PEOPLE, _("Class given to a teacher")),
    "class of school": (Action.PEOPLE, _("School of a class changed")),
    "teacher invited": (Action.PEOPLE, _("Teacher invited to the class")),
    "teacher added": (Action.PEOPLE, _("Teacher added to the class")),
    "teacher changed": (Action.PEOPLE, _("Role of a teacher in the class changed")),
    "class created": (Action.PEOPLE, _("Class created")),
    "class archived": (Action.PEOPLE, _("Class archived or opened again")),
    "students added": (Action.PEOPLE, _("Students added")),
    "student changed": (Action.PEOPLE, _("Student's name or number changed")),
    "students moved": (Action.PEOPLE, _("Students moved")),
    "classes changed": (Action.PEOPLE, _("Class change")),
    "class change undone": (Action.PEOPLE, _("Class change undone")),
    "students of a roster confirmed": (Action.PEOPLE, _("Students of a roster confirmed")),
    "PINs made": (Action.PEOPLE, _("New PINs made")),
    "card": (Action.PEOPLE, _("Card renewed or revoked")),
    "lock opened": (Action.PEOPLE, _("Lock of a PIN opened")),
    "student removed": (Action.PEOPLE, _("Student taken off the class list")),
    "class moved to the bin": (Action.DELETED, _("Class moved to the bin")),
    "school moved to the bin": (Action.DELETED, _("School moved to the bin")),
    "restored": (Action.RESTORED, _("Restored from the bin")),
    "roster uploaded": (Action.IMPORTED, _("Roster sent to be checked")),
    "roster fetched": (Action.IMPORTED, _("Roster fetched")),
    "roster": (Action.IMPORTED, _("Import confirmed")),
    "roster undone": (Action.IMPORTED, _("Import undone")),
    "pseudonyms renewed": (Action.SECURITY, _("Pseudonyms renewed")),
    "log exported": (Action.EXPORTED, _("Log exported")),
}
"""The events of the security log that are stored, with their sort and their name on the page."""

_PEOPLE = ("teacher", "student", "of", "who")
"""The facts that may name the person whom an event is about."""

OTHER_EVENTS: dict[str, Promise] = {
    "API": _("Read by a script"),
    "roster": _("Roster exported"),
    "import": _("Roster imported"),
    "leavers": _("Deleted by rule: students who have left"),
    "classes": _("Moved to the bin by rule: class past the retention period"),
    "bin": _("Deleted after its time in the bin"),
    "school": _("Deleted with the school"),
}
"""The names of events that `personal_data.log` stores."""


@receiver(recorded)
def _store(request: HttpRequest, event: str, facts: dict[str, Any], **kwargs: object) -> None:
    """Store a line of the audit log for each school and board that the event concerns."""
    if event not in EVENTS:
        return
    action, _name = EVENTS[event]
    user = getattr(request, "user", None)
    actor = user if isinstance(user, User) else None
    person = next((facts[each] for each in _PEOPLE if facts.get(each)), None)
    if actor is None and person:
        # Nobody is signed in: it is about the account that somebody wants to enter.
        actor = User.objects.filter(pk=person).first()
    if actor is None or not actor.is_teacher:
        return
    if event.startswith(("wrong", "passkey refused")) and not spend(
        f"failures of {actor.pk}", MAX_FAILURES_PER_DAY, timedelta(days=1)
    ):
        return
    key = facts.get("classroom")
    classroom = Classroom.objects.filter(pk=key).first() if key else None
    students = facts.get("students", facts.get("number"))
    number = len(students) if isinstance(students, list) else students
    DataRecord.objects.bulk_create(
        DataRecord(
            actor=actor,
            action=action,
            event=event,
            classroom=classroom,
            class_name=classroom.name if classroom else "",
            school_key=school,
            board_key=board,
            person_key=None if person == actor.pk else person,
            network=present_network(),
            rows={User._meta.label: number} if number else {},
        )
        for school, board in _owners(facts, classroom, actor)
    )


def _owners(
    facts: dict[str, Any], classroom: Classroom | None, actor: User
) -> set[tuple[int | None, int | None]]:
    """Return the keys of school and board of each line about the event; None for none.

    What is about no school, board or class is about the account of the actor.
    """
    here = classroom.school_id if classroom else None
    named: set[int | None] = {facts.get("school"), facts.get("was"), here} - {None}
    board = facts.get("board")
    if named:
        return {(school, board) for school in named}
    if board or classroom or "school" in facts:
        return {(None, board)}
    boards = set(actor.boards.values_list("pk", flat=True))
    others = schools_of_teacher(actor).exclude(board__in=boards).values_list("pk", flat=True)
    return {*((None, key) for key in boards), *((key, None) for key in others)} or {(None, None)}


# What a page shows


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for in the log: everything that is not empty must fit."""

    person: str = ""
    """A part of the name or the username of who did it, or of whom it is about."""
    action: str = ""
    since: date | None = None
    until: date | None = None


def lines_of(owner: Owner | None, wanted: Wanted) -> QuerySet[DataRecord]:
    """Return the wanted lines of the school, of the board with its schools, or of the whole site,
    the latest one first."""
    lines = DataRecord.objects.select_related("actor")
    if isinstance(owner, Board):
        schools = School.every.filter(board=owner).values("pk")
        lines = lines.filter(Q(board_key=owner.pk) | Q(school_key__in=schools))
    elif owner:
        of_board = Q(school_key=None, board_key=owner.board_id) if owner.board_id else Q(pk=None)
        lines = lines.filter(Q(school_key=owner.pk) | of_board)
    if wanted.person:
        named = User.objects.filter(contains(wanted.person, "name", "username")).values("pk")
        lines = lines.filter(Q(actor__in=named) | Q(person_key__in=named))
    if wanted.action:
        lines = lines.filter(action=wanted.action)
    if wanted.since:
        lines = lines.filter(at__gte=_midnight(wanted.since))
    if wanted.until:
        lines = lines.filter(at__lt=_midnight(wanted.until + timedelta(days=1)))
    return lines


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


@dataclass(frozen=True, slots=True)
class Line:
    """A line as the page and the file show it."""

    record: DataRecord
    what: str
    person: str
    """The name of whom it is about; empty for nobody."""
    school: str
    """The name of the school, or of the board if the line is about the board itself."""

    @property
    def rows(self) -> int:
        """The number of rows that were exported, imported or deleted."""
        return sum(self.record.rows.values())


def shown(records: Iterable[DataRecord]) -> Iterator[Line]:
    """Yield the lines with the names of people, schools and boards, with three queries."""
    records = list(records)
    people = User.objects.in_bulk({each.person_key for each in records if each.person_key})
    schools = School.every.in_bulk({each.school_key for each in records if each.school_key})
    boards = Board.objects.in_bulk({each.board_key for each in records if each.board_key})
    for each in records:
        person = people.get(each.person_key or 0)
        about = _("deleted account") if each.person_key and person is None else person or ""
        owner = schools.get(each.school_key or 0) or boards.get(each.board_key or 0)
        yield Line(each, what(each), str(about), str(owner or ""))


def what(record: DataRecord) -> str:
    """Return what happened, in words."""
    known = EVENTS.get(record.event)
    if known and known[0] == record.action:
        return str(known[1])
    return str(OTHER_EVENTS.get(record.event) or record.get_action_display())


# How long it is kept


def expired_lines() -> QuerySet[DataRecord]:
    """Return the lines that are older than their school or the site keeps them, and the oldest ones
    beyond `MAX_COUNT`."""
    own = dict(School.every.exclude(log_months=None).values_list("pk", "log_months"))
    now = timezone.now()
    old = Q(at__lt=now - months(settings.LOG_MONTHS))
    if own:
        old &= Q(school_key=None) | ~Q(school_key__in=list(own))
    for school, number in own.items():
        old |= Q(school_key=school, at__lt=now - months(number or settings.LOG_MONTHS))
    newest = DataRecord.objects.order_by("-pk").values_list("pk", flat=True)
    for surplus in newest[DataRecord.MAX_COUNT : DataRecord.MAX_COUNT + 1]:
        old |= Q(pk__lte=surplus)
    return DataRecord.objects.filter(old)
