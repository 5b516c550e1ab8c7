"""What earlier imports of a source have stored, as a plan needs it."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeVar

from puzzleclass.classes.models import Enrolment, Teaching
from puzzleclass.rosters.models import ClassId, EnrolmentId, SchoolId, UserId


@dataclass(slots=True)
class Stored:
    """The identifiers of a source with their rows, and the class lists that they belong to."""

    schools: dict[str, SchoolId] = field(default_factory=dict)
    classes: dict[str, ClassId] = field(default_factory=dict)
    users: dict[str, UserId] = field(default_factory=dict)
    enrolments: dict[str, EnrolmentId] = field(default_factory=dict)
    lists: dict[int, list[Enrolment]] = field(default_factory=lambda: defaultdict(list))
    """All enrolments of each class of the source, also those entered by hand."""
    teachings: dict[tuple[int, int], Teaching] = field(default_factory=dict)
    """The roles in these classes, by class and teacher."""


Id = TypeVar("Id", SchoolId, ClassId, UserId, EnrolmentId)


def load(source: str) -> Stored:
    """Return what is stored of the source. Six queries."""
    stored = Stored(
        schools=_ids(SchoolId, source, "school"),
        classes=_ids(ClassId, source, "classroom__school"),
        users=_ids(UserId, source, "user"),
        enrolments=_ids(EnrolmentId, source, "enrolment__student", "teaching__teacher"),
    )
    classes = ClassId.objects.filter(source=source).values("classroom")
    for enrolment in Enrolment.objects.filter(classroom__in=classes).select_related(
        "student", "classroom"
    ):
        stored.lists[enrolment.classroom_id].append(enrolment)
    for teaching in Teaching.objects.filter(classroom__in=classes):
        stored.teachings[teaching.classroom_id, teaching.teacher_id] = teaching
    return stored


def _ids(model: type[Id], source: str, *related: str) -> dict[str, Id]:
    rows = model._default_manager.filter(source=source).select_related(*related)
    return {row.sourced_id: row for row in rows}
