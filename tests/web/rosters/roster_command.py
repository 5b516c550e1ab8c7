"""Run the command `roster`, and read what it has stored."""

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment, Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.models import ClassId, EnrolmentId, SchoolId, UserId

COUNTS = ("new", "changed", "moved", "left", "unchanged")


def roster(content, *options):
    """Run the command with the bytes of a ZIP, and return its JSON and exit code.

    With `--link`, all teachers are named, too.
    """
    if "--link" in options:
        teachers = User.objects.filter(role=User.Role.TEACHER, is_active=True)
        options += tuple(f"--teacher={each.username}" for each in teachers)
    return roster_naming(content, *options)


def roster_naming(content, *options):
    """Run the command with the bytes of a ZIP and exactly these options."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "roster.zip"
        path.write_bytes(content)
        return answer_of(str(path), *options)


def undo(*options):
    """Undo an import by the command, and return its JSON and exit code."""
    return answer_of("--undo", *options)


def answer_of(*options):
    """Run the command with exactly these arguments, and return its JSON and exit code."""
    out, code = io.StringIO(), 0
    try:
        call_command("roster", *options, "--language", "en", stdout=out)
    except SystemExit as ended:
        code = ended.code
    return json.loads(out.getvalue()), code


def count_of(report, table):
    """Return how many rows of the table are new, changed, moved, left and unchanged."""
    return tuple(report[table][name] for name in COUNTS)


def places_of(report):
    """Return the file, the line and the column of each fault."""
    return [(each["file"], each["line"], each["column"]) for each in report["errors"]]


def everything():
    """Return all rows that an import can touch, without the counts of sign-outs."""
    models = (School, Classroom, User, Enrolment, Teaching, SchoolId, ClassId, UserId, EnrolmentId)
    tables = [list(model.objects.order_by("pk").values()) for model in models]
    for row in tables[2]:
        del row["sign_outs"]
    return tables


def names_in(name):
    """Return the number and the name of each student in the class of this name."""
    enrolments = Enrolment.objects.filter(classroom__name=name)
    return [f"{each.number} {each.student.name}" for each in enrolments.order_by("number")]
