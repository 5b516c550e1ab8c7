"""The pages of a school: its administrators, uploads with their dry run, imports and undo."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.classes.personal_data import overdue_classes
from puzzleclass.classes.school_models import Board, School
from puzzleclass.rosters import uploads
from puzzleclass.rosters.imports import import_roster
from puzzleclass.rosters.models import (
    ChangedRow,
    ClassId,
    RosterImport,
    RosterSource,
    RosterUpload,
    StudentMatch,
    UserId,
)
from tests.oneroster import packed, tables, tables_of_two_schools

pytestmark = pytest.mark.django_db


@pytest.fixture
def school(teacher) -> School:
    """Return a school that the teacher administers."""
    school = School.objects.create(name="みどり小学校")
    school.administrators.add(teacher)
    return school


@pytest.fixture
def send(school, teacher_client):
    """Return a function that uploads a ZIP and returns the page of its dry run."""

    def send(content, name="roster.zip"):
        url = reverse("roster_new", args=[school.pk])
        file = SimpleUploadedFile(name, content, "application/zip")
        return teacher_client.post(url, {"file": file}, follow=True)

    return send


def press(client, page, do, **fields):
    return client.post(page.request["PATH_INFO"], {"do": do, **fields}, follow=True)


def cells_of(page):
    return {row.table: dict(row.cells) for row in page.context["counts"]}


def students():
    return Enrolment.objects.filter(classroom__archived_at=None).count()


def test_an_administrator_checks_imports_and_undoes_a_roster(school, send, teacher_client):
    page = send(packed(tables()))
    assert students() == 0
    cells = cells_of(page)
    assert cells["orgs"]["new"] == 1
    assert (cells["classes"]["new"], cells["users"]["new"]) == (2, 3)
    assert cells["enrollments"]["new"] == 3
    listed = teacher_client.get(page.request["PATH_INFO"] + "?table=enrollments&change=new")
    names = ["4年1組 1 安部 陽斗", "4年1組 2 伊藤 ゆい", "4年2組 1 加藤 蓮"]
    assert list(listed.context["page"]) == names
    page = press(teacher_client, page, "import")
    assert students() == 3
    assert Classroom.objects.get(name="4年1組").school == school
    assert School.objects.count() == 1
    upload = RosterUpload.objects.get()
    assert (upload.state, bytes(upload.content)) == ("done", b"")
    shown = teacher_client.get(reverse("school", args=[school.pk]))
    [(record, changes)] = shown.context["imports"]
    assert (record.file_name, record.made_by, changes) == ("roster.zip", upload.teacher, 9)
    undone = teacher_client.post(reverse("roster_undo", args=[school.pk, record.pk]), follow=True)
    assert "The import is undone." in undone.content.decode()
    assert students() == 0 and School.objects.get() == school
    again = teacher_client.post(reverse("roster_undo", args=[school.pk, record.pk]), follow=True)
    assert "can&#x27;t be undone any more" in again.content.decode()


def test_the_same_roster_again_changes_nothing(send, teacher_client):
    press(teacher_client, send(packed(tables())), "import")
    page = send(packed(tables()))
    assert not page.context["has_changes"]
    assert "There is nothing to import." in page.content.decode()
    press(teacher_client, page, "import")
    assert RosterImport.objects.count() == 1


def test_faults_are_named_by_file_line_and_column(send, teacher_client):
    given = tables()
    given["users"][2][4] = ""
    page = send(packed(given))
    assert [tuple(each)[:3] for each in page.context["faults"]] == [("users.csv", 3, "familyName")]
    said = page.content.decode()
    assert "export it again" in said and 'name="links"' not in said
    press(teacher_client, page, "import")
    assert students() == 0
    ja = teacher_client.get(page.request["PATH_INFO"], headers={"accept-language": "ja"})
    assert "空" in ja.content.decode()


def test_a_file_that_is_no_zip_is_named(send):
    page = send(b"no zip")
    assert page.status_code == 200 and page.context["fault_count"] == 1
    assert "roster.zip" in page.content.decode()


@pytest.mark.parametrize("of_board", [False, True])
def test_a_roster_may_be_larger_than_other_files(
    school, teacher, teacher_client, settings, of_board
):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE, settings.MAX_ROSTER_BYTES = 1000, 3000
    board = Board.objects.create(name="City")
    board.administrators.add(teacher)
    url = reverse("roster_new", args=[board if of_board else school.pk])
    for length, status in ((2000, 302), (4000, 413)):
        file = SimpleUploadedFile("roster.zip", b"x" * length)
        answer = teacher_client.post(url, {"file": file})
        assert answer.status_code == status
    assert "Leave out the files" in answer.content.decode()
    elsewhere = reverse("school_edit", args=[school.pk])
    assert teacher_client.post(elsewhere, {"name": "x" * 2000}).status_code == 413


def test_a_form_without_a_file_is_told(school, teacher_client):
    page = teacher_client.post(reverse("roster_new", args=[school.pk]), follow=True)
    assert "Choose the ZIP file first." in page.content.decode()


def test_teachers_are_linked_when_the_administrator_confirms_it(send, teacher, teacher_client):
    page = send(packed(tables()))
    assert page.context["unlinked"] == [["佐藤 恵子", "sato"]]
    assert 'name="links"' in page.content.decode()
    page = press(teacher_client, page, "check", links="on")
    assert page.context["unlinked"] == []
    assert not UserId.objects.exists()
    press(teacher_client, page, "import", links="on")
    assert teacher.classrooms.get().name == "4年1組"


def test_so_many_leavers_are_confirmed(send, teacher_client):
    press(teacher_client, send(packed(tables())), "import")
    given = tables()
    for name in ("users", "roles", "enrollments"):
        del given[name][2:]
    page = send(packed(given))
    assert page.context["fault_count"] == 1
    page = press(teacher_client, page, "check", many_changes="on")
    assert cells_of(page)["users"]["left"] == 2
    press(teacher_client, page, "import", many_changes="on")
    assert students() == 1


def test_a_large_roster_is_left_to_a_worker(send, teacher_client, monkeypatch):
    sent = []
    monkeypatch.setattr(uploads, "SMALL_BYTES", 10)
    monkeypatch.setattr(uploads.work_on, "apply_async", lambda args, queue: sent.append(args))
    # The transaction of a test is never committed.
    monkeypatch.setattr(transaction, "on_commit", lambda call: call())
    page = send(packed(tables()))
    [(pk,)] = sent
    assert "The roster is being checked" in page.content.decode()
    press(teacher_client, page, "import")  # has no effect yet
    assert RosterUpload.objects.get().state == "waiting"
    uploads.work_on(pk)
    page = teacher_client.get(page.request["PATH_INFO"])
    page = press(teacher_client, page, "import")
    assert "The roster is being imported" in page.content.decode()
    uploads.work_on(pk)
    uploads.work_on(pk)  # a message that arrives twice
    assert students() == 3 and RosterImport.objects.count() == 1


def test_uploads_that_wait_or_are_lost_are_looked_after(school, teacher, monkeypatch):
    sent = []
    monkeypatch.setattr(uploads.work_on, "apply_async", lambda args, queue: sent.append(args))
    made = [
        RosterUpload.objects.create(
            school=school, teacher=teacher, file_name="a", content=b"", state=state,
            begun_at="2026-01-01T00:00:00Z",
        )
        for state in ("waiting", "running", "checked")
    ]  # fmt: skip
    uploads.look_after_uploads()
    assert sent == [(made[0].pk,)]
    states = RosterUpload.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["waiting", "failed", "checked"]


def test_only_the_last_uploads_are_kept(school, send):
    for _ in range(RosterUpload.MAX_COUNT + 2):
        send(b"no zip")
    assert school.uploads.count() == RosterUpload.MAX_COUNT


def test_a_file_can_be_discarded(send, teacher_client):
    press(teacher_client, send(packed(tables())), "discard")
    assert not RosterUpload.objects.exists()


# Only the own school


@pytest.fixture
def send_to(other_teacher, client_of):
    """Return a function that uploads a ZIP for another school of this name and imports it.

    It returns the school and the page of the import.
    """

    def send_to(name, content, **fields):
        school = School.objects.create(name=name)
        school.administrators.add(other_teacher)
        client = client_of(other_teacher)
        file = SimpleUploadedFile("roster.zip", content, "application/zip")
        url = reverse("roster_new", args=[school.pk])
        page = client.post(url, {"file": file}, follow=True)
        return school, press(client, page, "import", **fields)

    return send_to


def at_aoba(given):
    """Return the tables with all of their rows at another school."""
    given["orgs"][2] = ["o2", "", "", "あおば小学校", "school", ""]
    for row in given["courses"][1:]:
        row[2] = "o2"
    for table, column in (("classes", 5), ("users", 9), ("roles", 4), ("enrollments", 2)):
        for row in given[table][1:]:
            row[column] = "o2"
    return given


def test_schools_with_one_source_and_the_same_identifiers_know_nothing_of_each_other(
    school, send, send_to, teacher_client
):
    press(teacher_client, send(packed(tables())), "import")
    before = list(Enrolment.objects.order_by("pk").values())
    other, page = send_to("あおば小学校", packed(at_aoba(tables())))
    assert page.context["fault_count"] == 0
    assert (
        list(Enrolment.objects.filter(classroom__school=school).order_by("pk").values()) == before
    )
    assert UserId.objects.filter(source__school=school).count() == 3
    assert UserId.objects.filter(source__school=other).count() == 3
    people = [
        set(one.sources.get().userids.values_list("user", flat=True)) for one in (school, other)
    ]
    assert people[0].isdisjoint(people[1])
    # Neither takes an identifier away from the other, in whatever order they import.
    assert not send(packed(tables())).context["has_changes"]


def test_an_import_for_one_school_changes_neither_its_name_nor_another_school(
    school, send, send_to, teacher_client
):
    press(teacher_client, send(packed(tables())), "import")
    given = tables()
    given["orgs"][2][3] = "ひかり小学校"
    press(teacher_client, send(packed(given)), "import")
    school.refresh_from_db()
    assert school.name == "みどり小学校"
    twin, page = send_to("みどり小学校", packed(tables()))
    assert page.context["fault_count"] == 0 and twin != school
    assert set(twin.sources.get().userids.values_list("user", flat=True)).isdisjoint(
        school.sources.get().userids.values_list("user", flat=True)
    )


def test_a_delta_enrols_nobody_of_another_school(school, send, send_to, teacher_client):
    press(teacher_client, send(packed(tables())), "import")
    stamp = "2026-11-01T00:00:00Z"
    given = {
        "manifest": tables()["manifest"],
        "orgs": [["sourcedId", "status", "dateLastModified", "name", "type"],
                 ["o2", "active", stamp, "あおば小学校", "school"]],
        "classes": [["sourcedId", "status", "dateLastModified", "title", "classType",
                     "schoolSourcedId"], ["c9", "active", stamp, "Club", "scheduled", "o2"]],
        "enrollments": [["sourcedId", "status", "dateLastModified", "classSourcedId",
                         "userSourcedId", "role"], ["e99", "active", stamp, "c9", "u1", "student"]],
    }  # fmt: skip
    _other, page = send_to("あおば小学校", packed(given, "delta"))
    assert [tuple(each)[:3] for each in page.context["faults"]] == [
        ("enrollments.csv", 2, "userSourcedId")
    ]


def test_after_a_school_is_deleted_nobody_else_gets_its_people(
    school, send, send_to, teacher_client
):
    press(teacher_client, send(packed(tables())), "import")
    before = set(User.objects.filter(role="student").values_list("pk", flat=True))
    school.delete()
    assert not UserId.objects.exists()
    other, _page = send_to("みどり小学校", packed(tables()))
    found = set(other.sources.get().userids.values_list("user", flat=True))
    assert len(found) == 3 and found.isdisjoint(before)


def test_no_school_decides_where_the_operator_s_import_finds_a_school_or_a_person(
    school, send, send_to, tmp_path
):
    """The administrators of a school claim the identifiers of another one beforehand."""
    claimed = tables()
    claimed["orgs"][2] = ["o1", "", "", "みどり小学校", "school", ""]
    other, page = send_to("あおば小学校", packed(claimed))
    assert page.context["fault_count"] == 0
    theirs = set(other.sources.get().userids.values_list("user", flat=True))
    path = tmp_path / "roster.zip"
    path.write_bytes(packed(tables()))
    call_command("roster", str(path), stdout=io.StringIO())
    other.refresh_from_db()
    assert other.name == "あおば小学校"
    ours = set(school.sources.get().userids.values_list("user", flat=True))
    assert len(ours) == 3 and ours.isdisjoint(theirs)
    assert set(school.classrooms.values_list("name", flat=True)) == {"4年1組", "4年2組"}


def test_a_person_in_two_schools_has_an_identifier_of_each(send, teacher_client, tmp_path):
    given = tables_of_two_schools()
    given["roles"].append(["r7", "u3", "secondary", "student", "o2"])
    given["enrollments"].append(["e7", "c5", "o2", "u3", "student", "false", *[""] * 4])
    path = tmp_path / "roster.zip"
    path.write_bytes(packed(given))
    call_command("roster", str(path), stdout=io.StringIO())
    student = User.objects.get(name="加藤 蓮")
    rows = UserId.objects.filter(user=student)
    names = ["あおば小学校", "みどり小学校"]
    assert sorted(rows.values_list("source__school__name", flat=True)) == names
    assert set(rows.values_list("sourced_id", "left_at")) == {("u3", None)}
    before = RosterImport.objects.count()
    call_command("roster", str(path), stdout=io.StringIO())
    assert RosterImport.objects.count() == before
    # Each school finds the person by itself.
    for each in School.objects.all():
        done = import_roster(io.BytesIO(path.read_bytes()), target=each)
        assert (done.faults.count, done.record) == (0, None)
    # Whoever leaves one of the two schools stays in the other.
    del given["roles"][-1], given["enrollments"][-1]
    path.write_bytes(packed(given))
    call_command("roster", str(path), stdout=io.StringIO())
    assert [each.source.school.name for each in rows.all()] == ["みどり小学校"]
    call_command("roster", "--undo", stdout=io.StringIO())
    assert rows.filter(left_at=None).count() == 2


def test_a_school_has_a_bound_of_sources(school, send, teacher_client):
    for number in range(RosterSource.MAX_COUNT):
        school.sources.create(name=f"{number}")
    page = send(packed(tables()))
    assert [tuple(each)[:3] for each in page.context["faults"]] == [("orgs.csv", 0, "name")]


def test_an_import_of_several_schools_is_not_undone_by_one(school, send, teacher_client):
    press(teacher_client, send(packed(tables())), "import")
    record = RosterImport.objects.get()
    record.schools.add(School.objects.create(name="あおば小学校"))
    page = teacher_client.post(reverse("roster_undo", args=[school.pk, record.pk]), follow=True)
    assert "has changed other schools, too" in page.content.decode()
    assert students() == 3


# Administrators


def test_an_administrator_sees_no_class_without_teaching_it(
    school, classroom, student, other_teacher, other_client
):
    school.administrators.add(other_teacher)
    Classroom.objects.update(school=school)
    assert other_client.get(reverse("school", args=[school.pk])).status_code == 200
    assert other_client.get(reverse("classroom", args=[classroom.pk])).status_code == 404
    assert other_client.get(reverse("student", args=[student.pk])).status_code == 404


def test_administrators_add_and_remove_each_other(school, teacher, other_teacher, teacher_client):
    url = reverse("administrator_list", args=[school.pk])
    assert teacher_client.post(url, {"username": "nobody"}).status_code == 422
    school.administrators.add(other_teacher)
    assert teacher_client.post(url, {"username": "mori"}).status_code == 422
    key = school.administrations.get(teacher=other_teacher).pk
    teacher_client.post(url, {"administration": key})
    assert list(school.administrators.all()) == [teacher]
    page = teacher_client.post(
        url, {"administration": school.administrations.get().pk}, follow=True
    )
    assert "A school needs an administrator." in page.content.decode()
    assert list(school.administrators.all()) == [teacher]


def test_the_command_makes_a_school_and_its_administrators(teacher, other_teacher):
    def run(*options):
        out = io.StringIO()
        call_command("school", "みどり小学校", *options, stdout=out)
        return json.loads(out.getvalue())["administrators"]

    assert run("--administrator", "sato", "--administrator", "mori") == ["mori", "sato"]
    assert run("--remove", "mori") == ["sato"]
    assert School.objects.count() == 1
    with pytest.raises(CommandError, match="No teacher"):
        run("--administrator", "nobody")
    with pytest.raises(CommandError, match="1 to 100"):
        call_command("school", "あ" * 101)


def test_a_school_with_administrators_stays_when_its_import_is_undone(teacher, tmp_path):
    path = tmp_path / "roster.zip"
    path.write_bytes(packed(tables()))
    call_command("roster", str(path), stdout=io.StringIO())
    school = School.objects.get()
    school.administrators.add(teacher)
    call_command("roster", "--undo", stdout=io.StringIO())
    assert School.objects.get() == school
    assert not User.objects.filter(role="student").exists()


def test_the_list_of_classes_leads_administrators_to_their_schools(
    school, teacher_client, other_client
):
    link = reverse("school_list")
    assert link in teacher_client.get(reverse("classroom_list")).content.decode()
    assert link not in other_client.get(reverse("classroom_list")).content.decode()
    assert "みどり小学校" in teacher_client.get(link).content.decode()


# Students entered by hand


@pytest.fixture
def waiting(send, teacher_client) -> Classroom:
    """Return a class with two students entered by hand whom the roster names, too."""
    given = tables()
    for name in ("users", "roles", "enrollments"):
        del given[name][1:3]
    press(teacher_client, send(packed(given)), "import", links="on")
    classroom = Classroom.objects.get(name="4年1組")
    for number, name in ((1, "安部　陽斗"), (2, "伊藤 ゆい"), (3, "森 さくら")):
        student = User.objects.create_student(name, "1234")
        classroom.enrolments.create(student=student, number=number)
    page = send(packed(tables()))
    assert cells_of(page)["users"]["waiting"] == cells_of(page)["enrollments"]["waiting"] == 2
    press(teacher_client, page, "import")
    assert classroom.enrolments.count() == 3
    return classroom


def test_a_teacher_confirms_students_one_by_one_or_all(waiting, send, teacher_client):
    page = teacher_client.get(reverse("class_students", args=[waiting.pk]))
    url = reverse("match_list", args=[waiting.pk])
    assert url in page.content.decode()
    matches = list(StudentMatch.of_class(waiting))
    assert [each.enrolment.number for each in matches] == [1, 2]
    students = set(waiting.students.values_list("pk", flat=True))
    answer = teacher_client.post(url, {"match": matches[1].pk}, follow=True)
    assert "1 student is confirmed." in answer.content.decode()
    teacher_client.post(url)
    page = teacher_client.get(reverse("class_students", args=[waiting.pk]))
    assert url not in page.content.decode()
    assert UserId.objects.filter(user__role="student").count() == 3
    cells = cells_of(press(teacher_client, send(packed(tables())), "import"))
    assert cells["users"]["new"] == cells["users"]["waiting"] == 0
    assert cells_of(send(packed(tables())))["enrollments"]["unchanged"] == 4
    assert set(waiting.students.values_list("pk", flat=True)) == students


def test_a_student_with_another_number_waits_no_more(waiting, send, teacher_client):
    waiting.enrolments.filter(number=2).update(number=20)
    press(teacher_client, send(packed(tables())), "import")
    numbers = waiting.enrolments.values_list("number", flat=True)
    assert list(numbers) == [1, 2, 3, 20]
    assert StudentMatch.objects.get().enrolment.number == 1


# Export


def test_an_exported_roster_changes_nothing_when_it_is_imported(
    school, send, teacher, teacher_client, tmp_path
):
    press(teacher_client, send(packed(tables())), "import", links="on")
    User.objects.filter(name="加藤 蓮").update(name="れん", reading="れん")
    enrolment = Enrolment.objects.get(student__name="伊藤 ゆい")
    enrolment.number = 7
    enrolment.save()
    answer = teacher_client.post(reverse("roster_export", args=[school.pk]))
    content = b"".join(answer.streaming_content)
    page = send(content)
    assert page.context["fault_count"] == 0
    cells = cells_of(page)
    assert not page.context["has_changes"]
    assert [cells[table]["unchanged"] for table in cells] == [1, 2, 4, 4]
    path = tmp_path / "export.zip"
    call_command("roster", "--export", str(path), "--school", school.name, stdout=io.StringIO())
    with zipfile.ZipFile(path) as first, zipfile.ZipFile(io.BytesIO(content)) as second:
        assert "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d" in first.read("users.csv").decode()
        year = timezone.localdate().year - (timezone.localdate().month < 4)
        term = first.read("academicSessions.csv").decode().splitlines()[1].split(",")
        assert term[3:] == [
            f"{year}年度", "schoolYear", f"{year}-04-01", f"{year + 1}-03-31", "", str(year)
        ]  # fmt: skip
        said = first.read("manifest.csv").decode().splitlines()
        assert "file.users,bulk" in said and "file.results,absent" in said
        assert {n: first.read(n) for n in first.namelist()} == {
            n: second.read(n) for n in second.namelist()
        }
    with pytest.raises(CommandError, match="can't be written"):
        call_command("roster", "--export", str(path), "--school", school.name)


def test_special_needs_are_kept_only_while_the_school_asks_for_it(school, send, teacher_client):
    def stored() -> dict[str, bool | None]:
        return dict(ClassId.objects.values_list("sourced_id", "special_needs"))

    def switch(is_on: bool) -> None:
        kept = {"keeps_special_needs": "on"} if is_on else {}
        fields = {"takes_pins": "on", "takes_cards": "on", **kept}
        answer = teacher_client.post(reverse("school_edit", args=[school.pk]), fields)
        assert answer.status_code == 302

    classes = tables()["classes"]
    classes[1][7] = "true"
    content = packed(tables(classes=classes))
    press(teacher_client, send(content), "import")
    assert stored() == {"c1": None, "c2": None}
    switch(True)
    page = send(content)
    assert cells_of(page)["classes"]["changed"] == 2
    press(teacher_client, page, "import")
    assert stored() == {"c1": True, "c2": False}
    assert not send(content).context["has_changes"]
    answer = teacher_client.post(reverse("roster_export", args=[school.pk]))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        [_head, *rows] = archive.read("classes.csv").decode().splitlines()
    assert sorted(row.rpartition(",")[2] for row in rows) == ["false", "true"]
    switch(False)
    assert stored() == {"c1": None, "c2": None}
    assert not ChangedRow.objects.filter(before__has_key="special_needs").exists()
    assert not send(content).context["has_changes"]


@pytest.fixture
def needs(school, send, teacher_client):
    """Import a roster in which only the special needs of a class have changed."""
    School.objects.filter(pk=school.pk).update(keeps_special_needs=True)
    press(teacher_client, send(packed(tables())), "import")
    classes = tables()["classes"]
    classes[1][7] = "true"
    press(teacher_client, send(packed(tables(classes=classes))), "import")
    return RosterImport.objects.first()


def test_a_change_of_special_needs_alone_is_an_import_that_can_be_undone(
    school, needs, teacher_client
):
    def stored() -> list[bool | None]:
        return list(ClassId.objects.order_by("sourced_id").values_list("special_needs", flat=True))

    assert RosterImport.objects.count() == 2 and needs.counts["classes"]["changed"] == 1
    assert stored() == [True, False]
    teacher_client.post(reverse("roster_undo", args=[school.pk, needs.pk]))
    needs.refresh_from_db()
    assert needs.undone_at and stored() == [False, False]


def test_no_undo_brings_special_needs_back_that_the_school_no_longer_keeps(
    school, needs, teacher_client
):
    fields = {"takes_pins": "on", "takes_cards": "on"}
    teacher_client.post(reverse("school_edit", args=[school.pk]), fields)
    assert "special" not in str(list(ChangedRow.objects.values_list("before", "after")))
    # It stays away when the school asks for it again.
    School.objects.filter(pk=school.pk).update(keeps_special_needs=True)
    teacher_client.post(reverse("roster_undo", args=[school.pk, needs.pk]))
    needs.refresh_from_db()
    assert needs.undone_at
    assert set(ClassId.objects.values_list("special_needs", flat=True)) == {None}


def test_a_school_without_an_import_has_nothing_to_export(school, teacher_client, tmp_path):
    page = teacher_client.post(reverse("roster_export", args=[school.pk]), follow=True)
    assert "Nothing has been imported yet." in page.content.decode()
    path = tmp_path / "export.zip"
    with pytest.raises(CommandError, match="Nothing has been imported"):
        call_command("roster", "--export", str(path), "--school", school.name)
    assert not path.exists()
    with pytest.raises(CommandError, match="Name one school"):
        call_command("roster", "--export", str(path))


def test_a_school_leaves_its_students_a_way_to_sign_in(school, teacher_client):
    url = reverse("school_edit", args=[school.pk])
    answer = teacher_client.post(url, {"kept_years": ""})
    assert answer.status_code == 422 and "one way to sign in" in answer.content.decode()
    assert teacher_client.post(url, {"takes_cards": "on", "kept_years": "0"}).status_code == 422
    assert teacher_client.post(url, {"takes_cards": "on", "kept_years": ""}).status_code == 302
    school.refresh_from_db()
    assert (school.takes_pins, school.takes_cards, school.kept_years) == (False, True, None)


def test_teachers_are_reminded_after_the_years_of_their_school(school, teacher, classroom):
    Classroom.objects.update(created_at=timezone.now() - timedelta(days=800), school=school)
    assert overdue_classes(teacher) == []
    school.kept_years = 2
    school.save()
    assert overdue_classes(teacher) == [classroom]
