"""The imports of rosters that have failed, for the notices of the schools' administrators."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch, Q

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import School
from puzzleclass.rosters.models import RosterUpload

State = RosterUpload.State


@dataclass(frozen=True, slots=True)
class FailedImport:
    """An import that has stored nothing, or a service from which no roster could be fetched."""

    school: School
    name: str
    """The name of the file or of the school's system."""
    at: datetime


def failed_imports(teacher: User) -> list[FailedImport]:
    """Return what has failed in the schools that the teacher administers. At most two queries."""
    # An import in which something is wrong is only checked.
    failed = RosterUpload.objects.filter(
        Q(state=State.FAILED) | Q(state=State.CHECKED, stores=True)
    ).defer("content", "report")
    schools = teacher.schools.select_related("service").prefetch_related(
        Prefetch("uploads", failed, to_attr="failed_uploads")
    )
    found = []
    for school in schools:
        service = getattr(school, "service", None)
        if service and service.fault and service.fetched_at:
            found.append(FailedImport(school, service.source, service.fetched_at))
        found += [
            FailedImport(school, each.file_name, each.made_at) for each in school.failed_uploads
        ]
    return found
