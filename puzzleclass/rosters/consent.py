"""What teachers have agreed to: that a school's roster names them, and that it takes their classes.

A roster says who teaches in a school, but it is written by the school's system and its
administrators. The account of somebody who is not in the school yet is linked only when its owner
has agreed (`RosterRequest`) and an administrator confirms that this is the person, because anybody
may choose any username and address that is free. Whoever is asked stays unknown to the school until
then.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypedDict

from django.db.models import F, Q, QuerySet

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, School, Teaching
from puzzleclass.rosters.models import RosterRequest, UserId

MAX_SHOWN = 20
"""The most questions that a teacher's home page counts."""


@dataclass(slots=True)
class Consent:
    """What holds without a further question in an import."""

    named: frozenset[str] | None = None
    """The usernames of the teachers for whom the operator of the machine answers, in an import of
    the operator; None in an import of a school, whose teachers are asked."""
    members: set[int] = field(default_factory=set)
    """The keys of the teachers whom the school's rosters name already, and of the importer."""
    agreed: set[tuple[str, int]] = field(default_factory=set)
    """The identifiers of the source with the teachers who have agreed that they are meant."""
    given: set[int] = field(default_factory=set)
    """The keys of the classes that their owners have given to the school."""

    def must_agree(self, teacher: User) -> bool:
        """Return whether the teacher's account is linked only if the teacher agrees."""
        return self.named is None and teacher.pk not in self.members

    def covers(self, sourced_id: str, teacher: User) -> bool:
        """Return whether the identifier may be linked with the teacher's account."""
        if self.named is not None:
            return teacher.username in self.named
        return (sourced_id, teacher.pk) in self.agreed or not self.must_agree(teacher)


class Ask(TypedDict):
    """A question to a teacher, as the report of an upload keeps it for the moment of asking."""

    sourced_id: str
    teacher: int
    name: str
    classes: list[str]


def consent_for(
    school: School | None, source: str, by: User | None, named: Iterable[str] = ()
) -> Consent:
    """Return what an import into the school may rely on.

    For an import of the operator, no school is given, but the usernames of the teachers for whom
    the operator answers.
    """
    if school is None:
        return Consent(named=frozenset(named))
    teachers = UserId.objects.filter(
        source__school=school, left_at=None, user__role=User.Role.TEACHER
    )
    yes = RosterRequest.objects.filter(source__school=school, agrees=True)
    given = yes.filter(
        given__teachings__teacher=F("teacher"), given__teachings__role=Teaching.Role.OWNER
    )
    return Consent(
        members={*teachers.values_list("user", flat=True), *([by.pk] if by else [])},
        agreed={*yes.filter(source__name=source).values_list("sourced_id", "teacher")},
        given={*given.values_list("given", flat=True)},
    )


def ask_teachers(school: School, source: str, asks: Iterable[Ask], *, is_whole: bool) -> None:
    """Ask these teachers about what a roster of the source says of them.

    If the roster `is_whole`, the questions and answers of all teachers whom it does not name go.
    """
    place, _made = school.sources.get_or_create(name=source)
    valid: set[int] = set()
    teachers = User.objects.filter(role=User.Role.TEACHER, is_active=True)
    active = set(teachers.values_list("pk", flat=True))
    for ask in list(asks)[: RosterRequest.MAX_COUNT]:
        if ask["teacher"] not in active:
            continue
        request, _made = RosterRequest.objects.update_or_create(
            source=place,
            teacher_id=ask["teacher"],
            defaults={"name": ask["name"], "classes": ask["classes"]},
        )
        if request.sourced_id != ask["sourced_id"]:
            # The answer was about another person of the roster.
            request.sourced_id, request.agrees, request.answered_at = ask["sourced_id"], None, None
            request.save()
            request.given.clear()
        valid.add(request.teacher_id)
    if is_whole:
        linked = place.userids.filter(left_at=None).values("user")
        place.requests.exclude(teacher__in=valid).exclude(teacher__in=linked).delete()


def classes_to_give(request: RosterRequest) -> QuerySet[Classroom]:
    """Return the teacher's own classes that may be those that the roster names."""
    return Classroom.objects.filter(
        ~Q(school=request.source.school) | Q(school=None),
        name__in=request.classes,
        teachings__teacher=request.teacher,
        teachings__role=Teaching.Role.OWNER,
        external_ids=None,
        leavers_of=None,
        archived_at=None,
    )


def open_requests(teacher: User) -> QuerySet[RosterRequest]:
    """Return the questions that wait for the teacher's answer."""
    waiting = teacher.roster_requests.filter(agrees=None)
    return waiting.select_related("source__school")[:MAX_SHOWN]
