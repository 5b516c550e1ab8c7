"""The schools about which there are notices, and the imports of rosters that have failed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import (
    BooleanField,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Prefetch,
    Q,
    prefetch_related_objects,
)

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import BoardAdministrator, Owner, School, SchoolAdministrator
from puzzleclass.rosters.models import RosterUpload
from puzzleclass.rosters.retention import HAS_RULES

State = RosterUpload.State


def schools_with_notices(teacher: User) -> list[School]:
    """Return the schools about which the teacher may have notices: those that the teacher
    administers (`is_administered`), and those whose rules delete classes of the teacher's. One
    query."""
    administrations = SchoolAdministrator.objects.filter(school=OuterRef("pk"), teacher=teacher)
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN), school=OuterRef("pk"))
    boards = BoardAdministrator.objects.filter(board=OuterRef("board"), teacher=teacher)
    is_administered = Q(Exists(administrations)) | Q(Exists(boards))
    schools = School.objects.annotate(
        is_boards=Exists(boards), is_administered=ExpressionWrapper(is_administered, BooleanField())
    )
    concerned = schools.filter(Q(is_administered=True) | HAS_RULES & Exists(owned))
    return list(concerned.select_related("service", "board__service"))


@dataclass(frozen=True, slots=True)
class FailedImport:
    """An import that has stored nothing, or a service from which no roster could be fetched."""

    owner: Owner
    name: str
    """The name of the file or of the school's system."""
    at: datetime


def failed_imports(schools: Iterable[School]) -> list[FailedImport]:
    """Return what has failed in these of the `schools_with_notices`, and in the teacher's boards.
    At most one query, and one for the boards."""
    # An import in which something is wrong is only checked.
    failed = RosterUpload.objects.filter(
        Q(state=State.FAILED) | Q(state=State.CHECKED, stores=True)
    ).defer("content", "report")
    administered: list[Any] = [each for each in schools if each.is_administered]  # type: ignore[attr-defined]
    boards: list[Any] = [*{each.board for each in administered if each.is_boards}]
    found = []
    for owners in (administered, boards):
        prefetch_related_objects(owners, Prefetch("uploads", failed, to_attr="failed_uploads"))
        for owner in owners:
            service = getattr(owner, "service", None)
            if service and service.fault and service.fetched_at:
                found.append(FailedImport(owner, service.source, service.fetched_at))
            found += [
                FailedImport(owner, each.file_name, each.made_at) for each in owner.failed_uploads
            ]
    return found
