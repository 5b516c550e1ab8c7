"""Prepared queries return the same as Django's.

`Prepared` uses `get_compiler` and `as_sql`, which Django does not document. If an upgrade of Django
changes one of them, these tests fail.
"""

from datetime import timedelta

import pytest
from django.db import models
from django.db.models import BigIntegerField, DateTimeField, F, UUIDField
from django.db.models.lookups import In
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.classes.models import Enrolment
from puzzleclass.database.prepared_queries import Prepared
from puzzleclass.jobs import services
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt


def columns(row: models.Model) -> dict[str, object]:
    """Return the stored columns of a row, and of the rows that were read with it."""
    kept = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    for name, related in row._state.fields_cache.items():
        kept[name] = related and columns(related)
    return kept


@pytest.fixture
def attempt(student, assigned, tried, lines) -> Attempt:
    return tried(student, assigned, lines.lost)


def test_an_object_comes_with_those_it_is_related_to(attempt, student, django_assert_num_queries):
    def make(key, student):
        wanted = Attempt.objects.select_related("puzzle__assignment__classroom", "student")
        return wanted.filter(key=key, student=student).order_by()

    prepared = Prepared(make, UUIDField, BigIntegerField)
    plain = make(attempt.key, student.pk).get()
    for _ in range(2):  # the SQL is prepared once and used again
        with django_assert_num_queries(1):
            found = next(prepared(attempt.key, student.pk))
            assert found.puzzle.assignment.classroom.name
            assert found.student.name
        assert columns(found) == columns(plain)
        assert found == plain and not found._state.adding
    assert not list(prepared(attempt.key, student.pk + 1))


def test_a_relation_without_a_row_is_none(assigned):
    def make(pk):
        return AssignedPuzzle.objects.select_related("written", "assignment").filter(pk=pk)

    (found,) = Prepared(make, BigIntegerField)(assigned.pk)
    assert columns(found) == columns(make(assigned.pk).get())
    assert found.written is None


def test_columns_are_made_from_what_the_database_holds(teacher, attempt):
    """SQLite and PostgreSQL store times, JSON and keys in different ways."""
    job = services.ask(teacher, "goishi", "count", "ooo")

    def make(since, pk):
        wanted = Job.objects.filter(asked_at__gt=since, pk=pk)
        return wanted.values_list("asked_at", "options", "kind_slug", "done")

    since = timezone.now() - timedelta(days=1)
    rows = list(Prepared(make, DateTimeField, BigIntegerField)(since, job.pk))
    assert rows == list(make(since, job.pk))
    assert len(rows) == 1


def test_each_value_stands_in_its_own_place(classroom, other_student):
    def make(number, pk):
        return Enrolment.objects.filter(classroom=pk, number__gte=number).order_by("number")

    prepared = Prepared(make, BigIntegerField, BigIntegerField)
    for number in (0, 1, 2, 99):
        found = [columns(row) for row in prepared(number, classroom.pk)]
        assert found == [columns(row) for row in make(number, classroom.pk)]


def test_an_annotation_comes_with_its_object(attempt, student):
    def make(student, number):
        counted = Attempt.objects.filter(student=student).order_by()
        return counted.annotate(steps_made=models.Count("steps"), twice=number + number)

    [found] = Prepared(make, BigIntegerField, models.IntegerField)(student.pk, 21)
    [plain] = make(student.pk, models.Value(21))
    assert (found.steps_made, found.twice) == (plain.steps_made, 42)
    assert found.steps_made > 0


def test_a_list_may_hold_several_values(classroom, other_student):
    def make(*keys):
        return Enrolment.objects.filter(In(F("pk"), keys)).order_by("pk")

    stored = list(Enrolment.objects.order_by("pk"))
    assert len(stored) > 1
    prepared = Prepared(make, BigIntegerField, BigIntegerField)
    for wanted in stored:
        assert list(prepared(wanted.pk, 0)) == [wanted]
    assert list(prepared(stored[-1].pk, stored[0].pk)) == [stored[0], stored[-1]]
