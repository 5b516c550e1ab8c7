"""Access of teachers to classes. Every view checks it here.

A class has owners, teachers and substitutes. For a teacher who has no role in a class, everything
in it is missing (404). A request that the teacher's role does not allow is refused (403).
"""

from enum import Enum
from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import F, Manager, Model, Q, QuerySet
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.owners import OwnerKey
from puzzleclass.classes.school_models import Board, Owner, School
from puzzleclass.http import read_key
from solvers.message import Message

M = TypeVar("M", bound=Model)
Role = Teaching.Role


class Right(Enum):
    """A right in a class; its value is the set of the roles that have it."""

    LOOK = frozenset(Role)
    TEACH = frozenset({Role.OWNER, Role.TEACHER})
    """The right to change the class list, the PINs and the assignments."""
    OWN = frozenset({Role.OWNER})
    """The right to delete or archive the class, export its data, and choose its teachers."""


def in_class_of(teacher: User, path: str = "", right: Right = Right.LOOK) -> Q:
    """Return the condition that the teacher has the right in the class at `path`, which is not in
    the bin.

    >>> Assignment.objects.filter(in_class_of(teacher, "classroom"))  # doctest: +SKIP
    """
    prefix = f"{path}__" if path else ""
    roles = {
        f"{prefix}teachings__teacher": teacher,
        f"{prefix}teachings__role__in": sorted(right.value),
    }
    return Q(**roles, **{f"{prefix}deleted_at": None})


def get_for_teacher(
    rows: QuerySet[M], teacher: User, path: str = "", right: Right = Right.TEACH, **lookup: object
) -> M:
    """Return the row that `lookup` finds, with the teacher's role in the class at `path` as `role`.

    Raises Http404 if there is no such row or the teacher has no role in the class, PermissionDenied
    if the role does not give the right.
    """
    prefix = f"{path}__teachings" if path else "teachings"
    matches = rows.filter(in_class_of(teacher, path), **lookup)
    row = matches.annotate(role=F(f"{prefix}__role")).first()
    if row is None:
        raise Http404
    if not may(row, right):
        raise PermissionDenied
    return row


def taught_classes(teacher: User) -> QuerySet[Classroom]:
    """Return the classes, without archived ones, in which the teacher can assign puzzles and change
    the list."""
    return Classroom.objects.filter(in_class_of(teacher, right=Right.TEACH), archived_at=None)


def get_classroom_for_teacher(teacher: User, pk: int, right: Right = Right.TEACH) -> Classroom:
    """Return a class in which the teacher has the right. Raises Http404 or PermissionDenied."""
    return get_for_teacher(Classroom.objects.all(), teacher, right=right, pk=pk)


def get_enrolment_for_teacher(
    teacher: User, classroom: int, pk: int, right: Right = Right.TEACH
) -> Enrolment:
    """Return an enrolment in this class. Raises Http404 or PermissionDenied."""
    enrolments = Enrolment.objects.select_related("classroom", "student")
    return get_for_teacher(enrolments, teacher, "classroom", right, pk=pk, classroom=classroom)


def administered_schools(
    teacher: User, schools: Manager[School] = School.objects
) -> QuerySet[School]:
    """Return those of the schools that the teacher administers, alone or with all others of their
    board."""
    own = schools.filter(Q(administrators=teacher) | Q(board__administrators=teacher))
    return schools.filter(pk__in=own.order_by().values("pk"))


def administers_anything(teacher: User) -> bool:
    """Return whether the teacher administers a school or a board of education. One query."""
    is_administrator = Q(administrations__isnull=False) | Q(board_administrations__isnull=False)
    return User.objects.filter(is_administrator, pk=teacher.pk).exists()


def get_school_for_administrator(teacher: User, pk: int) -> School:
    """Return a school that the teacher administers. Raises Http404."""
    return get_object_or_404(administered_schools(teacher), pk=pk)


def get_board_for_administrator(teacher: User, pk: int) -> Board:
    """Return a board that the teacher administers. Raises Http404."""
    return get_object_or_404(Board, pk=pk, administrators=teacher)


def get_owner_for_administrator(teacher: User, key: OwnerKey) -> Owner:
    """Return a school or a board that the teacher administers. Raises Http404."""
    if key.model is Board:
        return get_board_for_administrator(teacher, key.pk)
    return get_school_for_administrator(teacher, key.pk)


def schools_with_provider() -> QuerySet[School]:
    """Return the schools whose people can sign in at a provider of the school or of its board."""
    return School.objects.filter(Q(provider__is_on=True) | Q(board__provider__is_on=True))


def schools_of(user: User) -> QuerySet[School]:
    """Return the schools on whose rosters or class lists the user is, or which he or she
    administers or has joined."""
    classes = Classroom.objects.filter(archived_at=None)
    own = classes.filter(Q(enrolments__student=user) | Q(teachings__teacher=user))
    named = School.objects.filter(sources__userids__user=user, sources__userids__left_at=None)
    return School.objects.filter(
        Q(pk__in=named.order_by().values("pk"))
        | Q(pk__in=own.order_by().values("school"))
        | Q(pk__in=administered_schools(user))
        | Q(pk__in=user.school_places.values("school"))
    )


def schools_of_teacher(teacher: User) -> QuerySet[School]:
    """Return the schools to which the teacher belongs, and may therefore give own classes: those
    that the teacher administers or has joined, and those whose rosters or platforms know the
    teacher."""
    own = School.objects.filter(
        Q(pk__in=administered_schools(teacher))
        | Q(staff__teacher=teacher)
        | Q(sources__userids__user=teacher, sources__userids__left_at=None)
        | Q(platforms__users__user=teacher)
    )
    return School.objects.filter(pk__in=own.order_by().values("pk"))


def teachers_of_school(school: School) -> QuerySet[User]:
    """Return the teachers who belong to the school (`schools_of_teacher`)."""
    return teachers_of_schools(School.every.filter(pk=school.pk))


def teachers_of_schools(schools: QuerySet[School]) -> QuerySet[User]:
    """Return the teachers who belong to one of the schools."""
    keys = schools.order_by().values("pk")
    own = User.objects.filter(
        Q(administrations__school__in=keys)
        | Q(board_administrations__board__schools__in=keys)
        | Q(school_places__school__in=keys)
        | Q(external_ids__source__school__in=keys, external_ids__left_at=None)
        | Q(platform_users__platform__school__in=keys)
    )
    teachers = User.objects.filter(role=User.Role.TEACHER, is_active=True)
    return teachers.filter(pk__in=own.order_by().values("pk")).order_by("name", "pk")


def only_chosen(classroom: Classroom, fields: QueryDict) -> QuerySet[Enrolment]:
    """Return the enrolments of the class that the fields named `only` choose."""
    keys = set(map(read_key, fields.getlist("only")))
    return classroom.enrolments.filter(pk__in=keys).select_related("student")


def check_not_archived(classroom: Classroom) -> None:
    """Raise PermissionDenied, with a message that says what to do, if the class is archived.

    Nobody can sign in to an archived class, so it gets no puzzles, PINs or cards.
    """
    if classroom.archived_at is not None:
        raise PermissionDenied(
            Message(
                "“{name}” is archived. Restore it from the archive first.", {"name": classroom.name}
            )
        )


def may(row: Model, right: Right) -> bool:
    """Return whether the teacher's role, which comes with the row, gives the right."""
    return getattr(row, "role", None) in right.value


def may_teach_now(row: Model, classroom: Classroom) -> bool:
    """Return whether the teacher may teach this class, which is not archived, so that a page can
    offer what belongs to a lesson. The teacher's role comes with the row."""
    return may(row, Right.TEACH) and classroom.archived_at is None
