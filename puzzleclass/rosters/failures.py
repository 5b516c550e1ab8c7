"""The schools about which there are notices, and the imports of rosters that have failed."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, prefetch_related_objects

from puzzleclass.accounts.models import User
from puzzleclass.classes.access import Right, in_class_of
from puzzleclass.classes.models import Classroom, School, SchoolAdministrator
from puzzleclass.rosters.models import RosterUpload
from puzzleclass.rosters.retention import HAS_RULES

State = RosterUpload.State


def schools_with_notices(teacher: User) -> list[School]:
    """Return the schools about which the teacher may have notices: those that the teacher
    administers (`is_administered`), and those whose rules delete classes of the teacher's. One
    query."""
    administrations = SchoolAdministrator.objects.filter(school=OuterRef("pk"), teacher=teacher)
    owned = Classroom.objects.filter(in_class_of(teacher, right=Right.OWN), school=OuterRef("pk"))
    schools = School.objects.annotate(is_administered=Exists(administrations))
    concerned = schools.filter(Q(is_administered=True) | HAS_RULES & Exists(owned))
    return list(concerned.select_related("service"))


@dataclass(frozen=True, slots=True)
class FailedImport:
    """An import that has stored nothing, or a service from which no roster could be fetched."""

    school: School
    name: str
    """The name of the file or of the school's system."""
    at: datetime


def failed_imports(schools: Iterable[School]) -> list[FailedImport]:
    """Return what has failed in these of the `schools_with_notices`. At most one query."""
    # An import in which something is wrong is only checked.
    failed = RosterUpload.objects.filter(
        Q(state=State.FAILED) | Q(state=State.CHECKED, stores=True)
    ).defer("content", "report")
    administered = [school for school in schools if school.is_administered]  # type: ignore[attr-defined]
    prefetch_related_objects(administered, Prefetch("uploads", failed, to_attr="failed_uploads"))
    found = []
    for school in administered:
        service = getattr(school, "service", None)
        if service and service.fault and service.fetched_at:
            found.append(FailedImport(school, service.source, service.fetched_at))
        found += [
            FailedImport(school, each.file_name, each.made_at)
            for each in school.failed_uploads  # type: ignore[attr-defined]
        ]
    return found
