"""Identifiers of the former kind, a text beside a text, find their schools and platforms."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from puzzleclass.lti.models import PlatformClass, PlatformUser
from puzzleclass.rosters.models import (
    ChangedRow,
    ClassId,
    EnrolmentId,
    RosterImport,
    SchoolId,
    StudentMatch,
    UserId,
)
from puzzleclass.rosters.undo import undo_import
from tests.jobs.test_migrations import migrate, migrate_to_today

BEFORE = [("rosters", "0007_special_needs"), ("lti", "0003_refused_scores")]


@pytest.fixture(scope="module")
def copied() -> Iterator[sqlite3.Connection]:
    """Return a database in memory for a copy of the tables as they were before the migration.

    Django needs much longer for the way back than for the way that is tested.
    """
    with closing(sqlite3.connect(":memory:")) as copied:
        yield copied


@pytest.fixture
def old(transactional_db, copied):
    """Return a function that gives the manager of a model as it was before the migration."""
    others = [
        each
        for each in MigrationExecutor(connection).loader.graph.leaf_nodes()
        if each[0] not in ("rosters", "lti")
    ]
    if is_empty(copied):
        apps = migrate([*BEFORE, *others])
        if connection.vendor == "sqlite":
            connection.connection.backup(copied)
    else:
        copied.backup(connection.connection)
        apps = MigrationExecutor(connection).loader.project_state([*BEFORE, *others]).apps
    yield lambda app, name: apps.get_model(app, name).objects
    migrate_to_today()


def is_empty(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM sqlite_master").fetchone() is None


class Site:
    """Two schools with a class, a teacher and a student each, and a roster of both of them."""

    def __init__(self, old):
        self.old = old
        self.schools = [old("classes", "School").create(name=name) for name in ("A", "B")]
        self.students, self.teachers, self.classes, self.enrolments = [], [], [], []
        for number, school in enumerate(self.schools):
            user = old("accounts", "User")
            self.students.append(
                user.create(username=f"s{number}", role="student", name=f"S{number}")
            )
            self.teachers.append(user.create(username=f"t{number}", role="teacher"))
            made = old("classes", "Classroom").create(
                name=f"{number}", school=school, code=f"{number}"
            )
            self.classes.append(made)
            self.enrolments.append(
                old("classes", "Enrolment").create(
                    classroom=made, student=self.students[-1], number=1
                )
            )
            self.add("SchoolId", "koumu", f"o{number}", school=school)
            self.add("ClassId", "koumu", f"c{number}", classroom=made)
            self.person("koumu", f"u{number}", self.students[-1], school)
            self.add("EnrolmentId", "koumu", f"e{number}", enrolment=self.enrolments[-1])
        self.platform = old("lti", "Platform").create(
            school=self.schools[0], name="Moodle", issuer="i", client_id="c"
        )
        self.source = f"lti {self.platform.pk}"

    def add(self, model, source, sourced_id, **fields):
        return self.old("rosters", model).create(source=source, sourced_id=sourced_id, **fields)

    def person(self, source, sourced_id, user, school, **fields):
        return self.add("UserId", source, sourced_id, user=user, school=school, **fields)


@pytest.fixture
def site(old) -> Site:
    return Site(old)


def test_rows_of_a_roster_go_to_the_sources_of_their_schools(site):
    teaching = site.old("classes", "Teaching").create(
        classroom=site.classes[1], teacher=site.teachers[0]
    )
    site.person("koumu", "u9", site.teachers[0], site.schools[0], master_id="m")
    site.add("EnrolmentId", "koumu", "e9", teaching=teaching)
    hand = site.old("classes", "Enrolment").create(
        classroom=site.classes[1], student=site.students[0], number=2
    )
    site.old("rosters", "StudentMatch").create(
        source="koumu", sourced_user="u5", sourced_enrolment="e5", enrolment=hand,
        school=site.schools[1],
    )  # fmt: skip
    site.person("koumu", "gone", site.students[0], None)
    migrate_to_today()
    for model in (SchoolId, ClassId, EnrolmentId):
        rows = model.objects.exclude(sourced_id="e9").order_by("sourced_id")
        assert [each.source.school.name for each in rows] == ["A", "B"]
    # The teacher of a class of the other school has an identifier of that school, too.
    assert sorted(
        UserId.objects.values_list("sourced_id", "source__school__name", "master_id")
    ) == [("u0", "A", ""), ("u1", "B", ""), ("u9", "A", "m"), ("u9", "B", "m")]
    assert EnrolmentId.objects.get(sourced_id="e9").source.school.name == "B"
    assert StudentMatch.objects.get().source.school.name == "B"
    assert not UserId.objects.filter(by_operator=True).exists()


def test_rows_of_a_platform_go_to_its_table(site):
    school = site.schools[0]
    site.person(site.source, "t-1", site.teachers[0], school)
    site.add("ClassId", site.source, "course", classroom=site.classes[0])
    site.person("lti 999", "t-1", site.teachers[0], school)
    migrate_to_today()
    row = PlatformUser.objects.get()
    assert (row.platform_id, row.sub, row.user_id) == (site.platform.pk, "t-1", site.teachers[0].pk)
    course = PlatformClass.objects.get()
    assert (course.course_id, course.classroom_id) == ("course", site.classes[0].pk)
    names = {*UserId.objects.values_list("source__name", flat=True)}
    assert names | {*ClassId.objects.values_list("source__name", flat=True)} == {"koumu"}


def test_what_a_roster_wrote_in_the_name_of_a_platform_signs_nobody_in(site):
    school = site.schools[0]
    site.add("SchoolId", site.source, "o1", school=school)
    site.person(site.source, "t-1", site.teachers[1], school)
    site.add("ClassId", site.source, "course", classroom=site.classes[0])
    migrate_to_today()
    assert not PlatformUser.objects.exists() and not PlatformClass.objects.exists()
    row = UserId.objects.get(sourced_id="t-1")
    assert (row.source.name, row.source.school.name) == (site.source, "A")


def test_what_another_school_wrote_in_the_name_of_a_platform_signs_nobody_in(site):
    site.add("SchoolId", site.source, "o1", school=site.schools[1])
    site.person(site.source, "t-1", site.teachers[0], site.schools[1])
    site.person(site.source, "s-1", site.students[0], site.schools[0])
    site.add("ClassId", site.source, "course", classroom=site.classes[1])
    migrate_to_today()
    assert [each.sub for each in PlatformUser.objects.all()] == ["s-1"]
    assert not PlatformClass.objects.exists()
    assert UserId.objects.get(sourced_id="t-1").source.school.name == "B"


def test_an_import_of_before_can_still_be_undone(site):
    """The student has moved from one school to the other, and a teacher has lost a class."""
    row = site.old("rosters", "UserId").get(sourced_id="u0")
    row.school = site.schools[1]
    row.save()
    site.old("classes", "Enrolment").filter(pk=site.enrolments[0].pk).update(
        classroom=site.classes[1], number=2
    )
    record = site.old("rosters", "RosterImport").create(source="koumu")
    record.schools.set(site.schools)

    def changed(table, key, before, after):
        record.changed.create(table=table, key=key, before=before, after=after)

    changed("rosters.UserId", row.pk, {"school_id": site.schools[0].pk},
            {"school_id": site.schools[1].pk})  # fmt: skip
    changed("classes.Teaching", 77, {"classroom_id": site.classes[0].pk,
            "teacher_id": site.teachers[0].pk, "role": "owner"}, None)  # fmt: skip
    changed("rosters.EnrolmentId", 78, {"source": "koumu", "sourced_id": "e9", "left_at": None,
            "enrolment_id": None, "teaching_id": 77}, None)  # fmt: skip
    migrate_to_today()
    assert UserId.objects.get(sourced_id="u0").source.school.name == "B"
    undo_import(RosterImport.objects.get())
    assert UserId.objects.get(sourced_id="u0").source.school.name == "A"
    role = EnrolmentId.objects.get(sourced_id="e9")
    assert (role.source.school.name, role.teaching.teacher_id) == ("A", site.teachers[0].pk)
    assert ChangedRow.objects.count() == 3
