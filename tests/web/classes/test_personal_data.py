"""Data protection: export, deletion with a receipt, the log, and the password asked for again."""

import csv
import io
import time
import zipfile
from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.account_deletion import account_roots
from puzzleclass.classes.data_views import table_name
from puzzleclass.classes.models import Classroom, DataRecord, SignInCard
from puzzleclass.classes.personal_data import class_roots, rows_under, student_roots
from puzzleclass.play.models import Attempt


@pytest.fixture
def worked(student, classmate, assigned, tried, lines, teacher):
    """Create a student and a classmate with attempts, a card and a note."""
    for one in (student, classmate):
        tried(one, assigned, lines.solution)
        SignInCard.objects.create(student=one)
        one.notes.create(author=teacher, text=f"A note on {one.name}")
    return student


def opened(answer) -> dict[str, list[list[str]]]:
    """Return table -> its rows, including the heads."""
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as packed:
        texts = {name: packed.read(name).decode("utf-8-sig") for name in packed.namelist()}
    return {name: list(csv.reader(io.StringIO(text))) for name, text in texts.items()}


def data_url(student) -> str:
    enrolment = student.enrolments.get()
    return f"/classes/{enrolment.classroom_id}/students/{enrolment.pk}/data/"


def test_all_data_of_a_student_are_exported_and_nobody_elses(teacher_client, worked, classmate):
    tables = opened(teacher_client.post(data_url(worked)))
    for name in ("accounts.user", "classes.enrolment", "classes.studentnote", "play.attempt",
                 "play.foundsolution", "classes.signincard"):  # fmt: skip
        assert len(tables[f"{name}.csv"]) == 2, name
    assert len(tables["play.step.csv"]) == 1 + 5
    text = str(tables)
    assert "Abe Haruto" in text
    assert classmate.name not in text
    assert worked.password not in text
    assert SignInCard.objects.get(student=worked).salt not in text


def test_all_data_of_a_class_are_exported(teacher_client, classroom, worked):
    tables = opened(teacher_client.post(f"/classes/{classroom.pk}/data/"))
    assert len(tables["accounts.user.csv"]) == 1 + 3
    assert len(tables["play.attempt.csv"]) == 1 + 2
    assert len(tables["classes.studentnote.csv"]) == 1 + 2
    assert len(tables["assignments.assignedpuzzle.csv"]) == 1 + 1
    assert "Sato" not in str(tables["accounts.user.csv"])


def test_a_deleted_student_is_nowhere_any_more(teacher_client, worked, classroom):
    worked.check_pin("8642")
    key, name = worked.pk, worked.name
    enrolment = worked.enrolments.get()
    answer = teacher_client.post(f"/classes/{classroom.pk}/students/{enrolment.pk}/remove/")
    receipt = DataRecord.objects.get(action="deleted")
    assert answer.url == f"/data/{receipt.pk}/"
    page = teacher_client.get(answer.url).content.decode()
    assert (receipt.rows["play.Step"], receipt.rows["accounts.User"]) == (5, 1)
    assert "Moves and undos" in page
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            if field.related_model is User:
                assert not model._base_manager.filter(**{field.name: key}).exists(), model
            elif field.get_internal_type() in ("CharField", "TextField"):
                assert not model._base_manager.filter(**{f"{field.name}__contains": name}).exists()
    assert (
        not apps.get_model("accounts", "Lock").objects.filter(key__contains=f"pin {key}").exists()
    )


def test_a_deleted_class_leaves_a_receipt(teacher_client, classroom, worked, client_of):
    answer = teacher_client.post(f"/classes/{classroom.pk}/delete/", {"do": "now"}, follow=True)
    receipt = DataRecord.objects.get(action="deleted")
    assert (receipt.class_name, receipt.classroom, receipt.rows["play.Attempt"]) == ("4-2", None, 2)
    assert "“4-2” has been deleted." in answer.content.decode()
    assert not Attempt.objects.exists()


def test_a_receipt_names_every_table_in_words(teacher, classroom, student):
    roots = [class_roots(classroom), student_roots(student), account_roots(teacher)[0]]
    tables = {model._meta.label for each in roots for model in rows_under(each)}
    # These tables of the admin and the second factor hold no texts of teachers or students, and
    # allauth's tables of e-mail addresses and tokens stay empty.
    foreign = ("admin.", "otp_", "accounts.User_", "account.", "socialaccount.SocialToken")
    ours = {label for label in tables if not label.startswith(foreign)}
    assert [label for label in sorted(ours) if table_name(label) == label] == []


def test_data_operations_are_logged(
    teacher_client, colleague_client, colleague, classroom, worked, other_client
):
    for _ in range(2):
        colleague_client.get(f"/students/{worked.pk}/")
    teacher_client.post(f"/classes/{classroom.pk}/data/")
    teacher_client.post(f"/classes/{classroom.pk}/students.csv")
    lines = DataRecord.objects.filter(action__in=["looked", "exported"]).values_list(
        "action", "actor__username", "class_name", "number"
    )
    assert list(lines)[::-1] == [
        ("looked", "ueda", "4-2", 1),
        ("exported", "sato", "4-2", None),
        ("exported", "sato", "4-2", None),
    ]
    log = teacher_client.get("/data/").content.decode()
    assert "Ueda Rie" in log
    assert worked.name not in log
    assert "Ueda Rie" not in other_client.get("/data/").content.decode()


def test_the_password_is_asked_again(teacher_client, classroom, worked, monkeypatch):
    here, now = f"/classes/{classroom.pk}/", time.time()
    monkeypatch.setattr(time, "time", lambda: now + 16 * 60)
    assert (
        teacher_client.get(f"{here}delete/").url
        == f"/confirm/?next={here.replace('/', '%2F')}delete%2F"
    )
    for url in (f"{here}delete/", f"{here}data/", data_url(worked), f"{here}students.csv"):
        answer = teacher_client.post(url, headers={"Referer": f"http://testserver{here}"})
        assert answer.url.startswith("/confirm/?next=%2Fclasses%2F"), url
    assert not DataRecord.objects.exclude(action="sign-in").exists()
    assert Classroom.objects.exists()
    assert teacher_client.get(f"/students/{worked.pk}/").status_code == 200
    wrong = teacher_client.post("/confirm/", {"password": "x", "next": here})
    assert "Attempts left: 4" in wrong.content.decode()
    sent = {"password": "a good password", "next": here, "username": "somebody"}
    assert teacher_client.post("/confirm/", sent).url == here
    assert teacher_client.post(f"{here}data/").status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + 9 * 3600)
    teacher_client.force_login(User.objects.get(username="sato"))
    session = teacher_client.session
    session["proven_at"] = now
    session.save()
    assert teacher_client.get(f"/students/{worked.pk}/").url.startswith("/confirm/")


def test_the_teacher_is_reminded_of_old_classes(teacher_client, classroom, assignment, settings):
    settings.KEPT_YEARS = 3
    old = timezone.now() - timedelta(days=3 * 366)
    Classroom.objects.update(created_at=old)
    assert "passed the retention period" not in teacher_client.get("/classes/").content.decode()
    assignment.due_at = old
    assignment.save()
    assert "passed the retention period" in teacher_client.get("/classes/").content.decode()
    assert Classroom.objects.exists()
