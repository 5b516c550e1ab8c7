"""What teachers have agreed to: that a school's roster names them, and that it takes their classes.

A roster says who teaches in a school, but it is written by the school's system and its
administrators. The account of somebody who is not in the school yet is linked only when its owner
has agreed (`RosterRequest`) and an administrator confirms that this is the person, because anybody
may choose any username and address that is free. Whoever is asked stays unknown to the school until
then.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypedDict

from django.db.models import F, Q, QuerySet

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.classes.school_models import Board, Owner, School
from puzzleclass.rosters.models import RosterRequest, RosterSource, SchoolId, UserId, named_by

MAX_SHOWN = 20
"""The most questions that a teacher's home page counts."""


@dataclass(slots=True)
class Consent:
    """What holds without a further question in an import."""

    named: frozenset[str] | None = None
    """The usernames of the teachers for whom the operator of the machine answers, in an import of
    the operator; None in an import of a school, whose teachers are asked."""
    members: set[int] = field(default_factory=set)
    """The keys of the teachers whom the rosters of the school, or those of the board, name already,
    and of the importer."""
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
    school: str
    """The identifier of the school on the roster."""


def consent_for(
    owner: Owner | None, source: str, by: User | None, named: Iterable[str] = ()
) -> Consent:
    """Return what an import into the school, or into the schools of the board, may rely on.

    For an import of the operator, no owner is given, but the usernames of the teachers for whom
    the operator answers.
    """
    if owner is None:
        return Consent(named=frozenset(named))
    schools = owner.own_schools()
    teachers = UserId.objects.filter(
        source__school__in=schools, left_at=None, user__role=User.Role.TEACHER
    )
    if isinstance(owner, Board):
        # Who belongs to a single school by its own word is asked once more.
        teachers = teachers.filter(named_by(owner))
    yes = RosterRequest.objects.filter(source__school__in=schools, agrees=True)
    given = yes.filter(
        given__teachings__teacher=F("teacher"), given__teachings__role=Teaching.Role.OWNER
    )
    return Consent(
        members={*teachers.values_list("user", flat=True), *([by.pk] if by else [])},
        agreed={*yes.filter(source__name=source).values_list("sourced_id", "teacher")},
        given={*given.values_list("given", flat=True)},
    )


def places_of(owner: Owner, name: str) -> Callable[[str], RosterSource | None]:
    """Return a function that finds the source of this name in the school with an identifier of the
    roster. A single school has one source for any identifier."""
    if isinstance(owner, School):
        place, _made = owner.sources.get_or_create(name=name)
        return lambda key: place
    ids = SchoolId.objects.filter(named_by(owner), source__name=name)
    return {each.sourced_id: each.source for each in ids.select_related("source__school")}.get


def ask_teachers(owner: Owner, source: str, asks: Iterable[Ask], *, is_whole: bool) -> None:
    """Ask these teachers about what a roster of the source says of them.

    Nobody is asked about a school that is not stored yet. If the roster `is_whole`, the questions
    and answers of all teachers whom it does not name go.
    """
    place_of = places_of(owner, source)
    valid: dict[int, list[int]] = defaultdict(list)
    teachers = User.objects.filter(role=User.Role.TEACHER, is_active=True)
    active = set(teachers.values_list("pk", flat=True))
    for ask in list(asks)[: RosterRequest.MAX_COUNT]:
        place = place_of(ask["school"])
        if ask["teacher"] not in active or place is None:
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
        valid[place.pk].append(request.teacher_id)
    if is_whole:
        for each in RosterSource.objects.filter(name=source, school__in=owner.own_schools()):
            linked = each.userids.filter(left_at=None).values("user")
            over = each.requests.exclude(teacher__in=valid[each.pk])
            over.exclude(teacher__in=linked).delete()


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
