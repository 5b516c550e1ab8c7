"""What a class has done as xAPI statements (1.0.3, and 2.0 as IEEE 9274.1.1), under pseudonyms.

A learning record store reads them as newline-delimited JSON, or as one array. The statements name
no student and no class. A student is an account whose name is a keyed hash (HMAC) of the class and
the student. The key of the class is stored here alone, so nobody else can link a name to a student.
The same facts give the same statements with the same identifiers, so a file can be sent again.

Statuses come from `play.progress`. Attempts are read in parts, so that the memory does not grow
with their number.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import IO, Any
from uuid import NAMESPACE_URL, uuid5

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from puzzleclass.address import absolute
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.play.models import Attempt
from puzzleclass.stats.class_ledger import ClassLedger
from puzzleclass.stats.ledger import Work
from puzzleclass.stats.models import PseudonymKey

Statement = dict[str, Any]

VERBS = "http://adlnet.gov/expapi/verbs/"
ACTIVITIES = "http://adlnet.gov/expapi/activities/"
ROWS_AT_ONCE = 2000


def write_statements(
    file: IO[bytes], room: ClassLedger, request: HttpRequest, *, as_array: bool
) -> int:
    """Write the statements of the class, one in each line; return their number.

    The number of queries does not depend on the class, but for one for every `ROWS_AT_ONCE`
    attempts.
    """
    writer = _StatementWriter(room, request)
    number = 0
    for statement in writer.statements():
        before = b"[\n" if as_array and not number else b",\n" if as_array else b""
        line = json.dumps(statement, ensure_ascii=False, separators=(",", ":"))
        file.write(before + line.encode() + (b"" if as_array else b"\n"))
        number += 1
    if as_array:
        file.write(b"\n]\n" if number else b"[]\n")
    return number


def pseudonym(classroom: Classroom, key: str, student: int) -> str:
    """Return the name under which the student (pk) appears in the statements of the class."""
    secret = f"puzzleclass xapi {key} {settings.SECRET_KEY}".encode()
    return hmac.new(secret, f"{classroom.pk} {student}".encode(), hashlib.sha256).hexdigest()[:32]


class _StatementWriter:
    """Makes the statements of one class."""

    def __init__(self, room: ClassLedger, request: HttpRequest) -> None:
        self.room, self.request = room, request
        self.site = absolute("/", request)
        classroom = room.classroom
        key = PseudonymKey.objects.get_or_create(classroom=classroom)[0].salt
        self.names = {
            each.student_id: pseudonym(classroom, key, each.student_id) for each in room.enrolments
        }

    def statements(self) -> Iterator[Statement]:
        """Yield what the students did: first their attempts, then what they have reached."""
        yield from self._of_attempts()
        for student in self.names:
            for work in self.room.ledger.works_of(student):
                yield from self._reached(student, work)

    def _of_attempts(self) -> Iterator[Statement]:
        puzzles = {
            puzzle.pk: (assignment, puzzle)
            for assignment in self.room.assignments
            for puzzle in assignment.puzzles.all()
        }
        rows = Attempt.objects.filter(
            puzzle__assignment__in=self.room.assignments,
            student__enrolments__classroom=self.room.classroom,
            next_step__gt=0,
        )
        fields = ("student", "puzzle", "number", "state", "has_solved", "seconds", "started_at")
        attempts = rows.order_by("pk").values_list(*fields, "last_at")
        for (
            student,
            pk,
            number,
            state,
            is_solved,
            seconds,
            started_at,
            last_at,
        ) in attempts.iterator(ROWS_AT_ONCE):
            assignment, puzzle = puzzles[pk]
            activity = self._puzzle(puzzle)
            context = self._context(assignment) | {
                "extensions": {f"{self.site}xapi/attempt-number": number}
            }
            yield self._statement(student, "attempted", activity, started_at, context)
            # A solved attempt is complete, even while it goes on for a better score.
            if is_solved or state != Attempt.State.OPEN:
                verb = "completed" if is_solved else "terminated"
                result = {
                    "success": is_solved,
                    "completion": is_solved,
                    "duration": f"PT{seconds}S",
                }
                yield self._statement(student, verb, activity, last_at, context, result)

    def _reached(self, student: int, work: Work) -> Iterator[Statement]:
        """Yield that the student has solved boards, and the assignment if all are solved."""
        for each in work.cells:
            if each.status.is_solved and each.status.since:
                result = {"success": True, **_all_of(each.status.needed)}
                context = self._context(work.assignment)
                activity = self._puzzle(each.puzzle)
                yield self._statement(
                    student, "passed", activity, each.status.since, context, result
                )
        times = [each.status.since for each in work.cells if each.status.since]
        if work.given and work.solved == work.given and times:
            result = {"success": True, **_all_of(work.given)}
            context = {"contextActivities": {"grouping": [self._class()]}, **self._platform()}
            activity = self._assignment(work.assignment)
            yield self._statement(student, "completed", activity, max(times), context, result)

    def _statement(
        self,
        student: int,
        verb: str,
        activity: dict[str, Any],
        at: datetime,
        context: dict[str, Any],
        result: dict[str, Any] | None = None,
    ) -> Statement:
        """Return a statement. Its identifier follows from all that it says."""
        statement: Statement = {
            "actor": {
                "objectType": "Agent",
                "account": {"homePage": self.site, "name": self.names[student]},
            },
            "verb": {"id": f"{VERBS}{verb}", "display": {"en": verb}},
            "object": activity,
            **({"result": result} if result else {}),
            "context": context,
            "timestamp": at.astimezone(UTC).isoformat(timespec="milliseconds"),
        }
        text = json.dumps(statement, sort_keys=True)
        return {"id": str(uuid5(NAMESPACE_URL, f"{self.site} {text}")), **statement}

    # Activities and context

    def _activity(self, name: str, pk: int, kind: str, title: str = "") -> dict[str, Any]:
        definition: dict[str, Any] = {"type": f"{ACTIVITIES}{kind}"}
        if title:
            definition["name"] = {"und": title}
        address = absolute(reverse(name, args=[pk]), self.request)
        return {"objectType": "Activity", "id": address, "definition": definition}

    def _puzzle(self, puzzle: AssignedPuzzle) -> dict[str, Any]:
        return self._activity("play", puzzle.pk, "question", puzzle.title)

    def _assignment(self, assignment: Assignment) -> dict[str, Any]:
        return self._activity("assignment", assignment.pk, "assessment", assignment.title)

    def _class(self) -> dict[str, Any]:
        return self._activity("classroom", self.room.classroom.pk, "course")

    def _platform(self) -> dict[str, Any]:
        return {"platform": "PuzzleClass"}

    def _context(self, assignment: Assignment) -> dict[str, Any]:
        """Return the context of a statement about a puzzle: its assignment and the class."""
        around = {"parent": [self._assignment(assignment)], "grouping": [self._class()]}
        return {"contextActivities": around, **self._platform()}


def _all_of(number: int) -> dict[str, Any]:
    """Return the part of a result that says that all of a number were reached."""
    return {"completion": True, "score": {"scaled": 1, "raw": number, "min": 0, "max": number}}
