"""The download of everything that is stored about a class, a student or a teacher."""

from collections.abc import Iterable
from tempfile import TemporaryFile
from typing import cast

from django.http import FileResponse, HttpResponse
from django.utils import timezone

from puzzleclass.accounts.sign_in import SignedInRequest, record
from puzzleclass.classes import personal_data
from puzzleclass.classes.models import Classroom, DataRecord, Enrolment


def export_class(request: SignedInRequest, classroom: Classroom) -> HttpResponse:
    """Answer with everything that is stored about the class, as a ZIP file, and log it."""
    students = classroom.students.values_list("pk", flat=True)
    roots = personal_data.class_roots(classroom)
    return export(request, roots, classroom.name, classroom, students=students)


def export(
    request: SignedInRequest,
    roots: personal_data.Roots,
    name: str,
    classroom: Classroom | None = None,
    enrolment: Enrolment | None = None,
    students: Iterable[int] = (),
) -> HttpResponse:
    """Answer with everything under the roots, as a ZIP file, and log it."""
    # FileResponse closes the file.
    file = TemporaryFile()  # noqa: SIM115
    rows = personal_data.write_export(file, roots, students)
    personal_data.log(request.user, DataRecord.Action.EXPORTED, classroom, rows, enrolment)
    record(request, "data exported", classroom=classroom.pk if classroom else None)
    file.seek(0)
    safe_name = "".join(
        "-" if sign in '\\/:*?"<>|' else sign for sign in name if sign.isprintable()
    )
    name = f"{safe_name} {timezone.localdate():%Y-%m-%d}.zip"
    return cast(HttpResponse, FileResponse(file, as_attachment=True, filename=name))
