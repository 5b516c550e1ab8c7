"""Classes: their list, a class's page, and creating, renaming and deleting a class."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom, DataRecord
from puzzleclass.classes.services import delete_expired_classes, restore_classrooms
from puzzleclass.play.models import Attempt

# The list


def test_the_list_shows_the_teachers_own_classes(
    teacher_client, classroom, puzzle, other_teacher, assign, make_class
):
    make_class(other_teacher, "Other")
    make_class(classroom.teachers.get(), "1-1")
    assign(classroom, puzzle)
    assign(classroom, puzzle, due_at=timezone.now() + timedelta(days=2))
    assign(classroom, puzzle, due_at=timezone.now() - timedelta(days=2))
    listed = teacher_client.get("/classes/").context["classrooms"]
    assert [(c.name, c.student_count, c.open_count) for c in listed] == [
        ("1-1", 0, 0),
        ("4-2", 3, 2),
    ]


def test_an_empty_list_says_what_to_do(other_client):
    assert "You have no class yet." in other_client.get("/classes/").content.decode()


# A class


def test_the_page_shows_how_to_sign_in(teacher_client, classroom):
    page = teacher_client.get(f"/classes/{classroom.pk}/students/").content.decode()
    assert f"http://testserver/join/{classroom.code}/" in page
    assert [name in page for name in ("Abe Haruto", "Ito Yui", "Kato Ren")] == [True] * 3
    assert "never" in page


def test_who_has_played_was_here(teacher_client, classroom, assigned, student, tried):
    """Attempts may come from an import, without a sign-in."""
    url = f"/classes/{classroom.pk}/students/"
    assert teacher_client.get(url).content.decode().count("never here") == 3
    tried(student, assigned, "1,1")
    assert teacher_client.get(url).content.decode().count("never here") == 2


def test_the_page_says_who_has_signed_in_and_who_is_locked_out(teacher_client, classroom, student):
    User.objects.filter(pk=student.pk).update(last_login=timezone.now())
    locked_out = classroom.students.get(name="Kato Ren")
    assert [locked_out.check_pin("8642") for _ in range(5)] == [False] * 5
    page = teacher_client.get(f"/classes/{classroom.pk}/students/").content.decode()
    assert page.count("never here") == 2
    assert page.count("Locked after wrong PINs") == 1


def test_the_page_lists_assignments_the_latest_first(teacher_client, classroom, puzzle, assign):
    assign(classroom, puzzle, title="Past", due_at=timezone.now() - timedelta(days=2))
    assign(classroom, puzzle, title="Next", due_at=timezone.now() + timedelta(days=2))
    answer = teacher_client.get(f"/classes/{classroom.pk}/")
    assert [a.title for a in answer.context["assignments"]] == ["Next", "Past"]
    assert "Closed" in answer.content.decode()


def test_an_empty_class_says_what_to_do(teacher_client, teacher, make_class):
    empty = make_class(teacher, "Empty")
    page = teacher_client.get(f"/classes/{empty.pk}/students/").content.decode()
    assert "There are no students yet." in page
    page = teacher_client.get(f"/classes/{empty.pk}/").content.decode()
    assert "There are no assignments yet." in page


# Creating


def test_a_class_is_created_with_numbered_students_and_pins(client_of, teacher, confirmed):
    client = client_of(teacher)
    answer = confirmed(
        client,
        "/classes/new/",
        {"name": " 5-1 ", "students": "\ufeffAbe\u3000Haruto\r\n\r\n Ito\tYui \r\n"},
    )
    made = Classroom.objects.get(name="5-1")
    assert [(t.teacher, t.role) for t in made.teachings.all()] == [(teacher, "owner")]
    assert [str(e) for e in made.enrolments.all()] == ["1 Abe Haruto", "2 Ito Yui"]
    assert answer.url == f"/classes/{made.pk}/pins/"
    slips = client.get(answer.url).context["slips"]
    assert [enrolment.student.check_pin(pin) for enrolment, pin in slips] == [True, True]


def test_a_class_can_start_empty(teacher_client):
    answer = teacher_client.post("/classes/new/", {"name": "5-1", "students": ""})
    assert answer.url == f"/classes/{Classroom.objects.get().pk}/"


def test_two_students_of_one_name_are_taken_and_said(client_of, teacher, confirmed):
    for language, said in [
        ("en", "This student is on the list more than once."),
        ("ja", "名簿に同じ名前があります。"),
    ]:
        client = client_of(teacher, language)
        fields = {"name": language, "students": "Abe\nIto\nAbe\nKato\nIto"}
        assert client.post("/classes/new/", fields).content.decode().count(said) == 4
        confirmed(client, "/classes/new/", fields)
        assert Classroom.objects.get(name=language).students.count() == 5


@pytest.mark.parametrize(
    ("name", "students", "english", "japanese"),
    [
        (
            "",
            "",
            "Press the grade and the class, or type a name.",
            "学年と組を押すか、名前を入れてください。",
        ),
        (
            "5-1",
            f"Abe\n\n{'x' * 61}",
            "“xxxxxxxxxxxx…” has 61 characters. The maximum is 60.",
            "「xxxxxxxxxxxx…」は61文字あります。60文字までです。",
        ),
        (
            "5-1",
            "\n" + "\n".join(f"Student {n}" for n in range(1001)),
            "A class holds at most 1000 students.",
            "1つのクラスに入れるのは1000人までです。",
        ),
        (
            "5-1",
            "\n" + "\n".join(f"Student {n}" for n in range(2100)),
            "The list is too long from line 2002 on. At most 2000 rows can be read at a time.",
            "2002行目から多すぎます。一度に読めるのは2000行までです。",
        ),
    ],
)
def test_bad_forms_are_answered_in_words_and_keep_what_was_typed(
    client_of, teacher, name, students, english, japanese
):
    for language, said in (("en", english), ("ja", japanese)):
        answer = client_of(teacher, language).post(
            "/classes/new/", {"name": name, "students": students}
        )
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert students.strip()[:20] in answer.content.decode()
    assert not Classroom.objects.exists()
    assert not User.objects.filter(role="student").exists()


def test_a_name_too_long_and_one_with_a_null_are_refused(teacher_client):
    for name in ("x" * 61, "5\x001"):
        assert teacher_client.post("/classes/new/", {"name": name}).status_code == 422
    answer = teacher_client.post("/classes/new/", {"name": "5-1", "students": "A\x00be"})
    assert answer.status_code == 422


# Renaming


def test_a_class_is_renamed(colleague_client, classroom):
    answer = colleague_client.post(f"/classes/{classroom.pk}/edit/", {"name": "5-2"})
    assert answer.url == f"/classes/{classroom.pk}/edit/"
    classroom.refresh_from_db()
    assert classroom.name == "5-2"


def test_a_class_needs_a_name(teacher_client, classroom):
    answer = teacher_client.post(f"/classes/{classroom.pk}/edit/", {"name": "  "})
    assert answer.status_code == 422
    assert "Give the class a name." in answer.content.decode()
    assert "4-2" in answer.content.decode()


# Deleting


def test_deleting_says_what_is_deleted(
    teacher_client, classroom, student, assigned, other_student, tried
):
    classroom.enrolments.create(student=other_student, number=4)
    tried(student, assigned, "1,1")
    loss = teacher_client.get(f"/classes/{classroom.pk}/delete/").context["loss"]
    assert (loss.students, loss.assignments, loss.attempts) == (3, 1, 1)
    assert Classroom.objects.filter(pk=classroom.pk).exists()


def test_a_class_in_the_bin_is_closed_and_comes_back_with_its_work(
    client_of, teacher_client, teacher, classroom, student, assigned, tried, puzzle
):
    tried(student, assigned, "1,1")
    student_client = client_of(student)
    here = f"/classes/{classroom.pk}/"
    answer = teacher_client.post(f"{here}delete/", follow=True)
    assert "“4-2” is in the bin." in answer.content.decode()
    classroom.refresh_from_db()
    assert not classroom.is_open
    for url in (here, f"/assignments/{assigned.assignment_id}/", f"/students/{student.pk}/"):
        assert teacher_client.get(url).status_code == 404
    assert not teacher_client.get("/").context["classrooms"]
    assert "4-2" not in teacher_client.get("/classes/?archived").content.decode()
    assert student_client.get(f"/play/{assigned.pk}/").status_code in (302, 403, 404)
    joined = client_of(None).post("/join/", {"code": classroom.code}, follow=True)
    assert "Abe Haruto" not in joined.content.decode()
    page = teacher_client.get("/bin/").content.decode()
    assert "4-2" in page
    [number] = re.findall(r'action="(/bin/[^"]+)"', page)
    answer = teacher_client.post(number, {"only": f"class-{classroom.pk}"})
    assert answer.url == here
    classroom.refresh_from_db()
    assert (classroom.is_open, classroom.archived_at) == (True, None)
    assert teacher_client.get(here).status_code == 200
    assert Attempt.objects.filter(student=student).exists()


def test_an_archived_class_is_restored_as_it_was(teacher_client, classroom):
    day = timezone.now() - timedelta(days=3)
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=day)
    teacher_client.post(f"/classes/{classroom.pk}/delete/")
    restore_classrooms(Classroom.objects.filter(pk=classroom.pk))
    classroom.refresh_from_db()
    assert (classroom.archived_at, classroom.deleted_at) == (day, None)


def test_only_owners_find_a_class_in_their_bin(
    teacher_client, substitute_client, other_client, classroom
):
    teacher_client.post(f"/classes/{classroom.pk}/delete/")
    for client in (substitute_client, other_client):
        assert "4-2" not in client.get("/bin/").content.decode()
    assert "4-2" in teacher_client.get("/bin/").content.decode()


def test_a_class_leaves_the_bin_after_30_days_with_a_receipt(
    teacher_client, classroom, student, other_student, assigned, tried
):
    classroom.enrolments.create(student=other_student, number=4)
    tried(student, assigned, "1,1")
    teacher_client.post(f"/classes/{classroom.pk}/delete/")
    assert not list(delete_expired_classes())
    day = timezone.now() - timedelta(days=31)
    Classroom.objects.filter(pk=classroom.pk).update(deleted_at=day)
    assert list(delete_expired_classes())
    assert not Classroom.objects.filter(pk=classroom.pk).exists()
    assert not Attempt.objects.exists()
    assert list(User.objects.filter(role="student")) == [other_student]
    receipt = DataRecord.objects.get(action="deleted", actor=None)
    assert (receipt.actor, receipt.class_name) == (None, "4-2")


def test_deleting_a_class_deletes_only_its_own_students(
    teacher_client, classroom, student, assigned, other_student, puzzle, tried
):
    classroom.enrolments.create(student=other_student, number=4)
    tried(student, assigned, "1,1")
    answer = teacher_client.post(f"/classes/{classroom.pk}/delete/", {"do": "now"}, follow=True)
    assert "“4-2” has been deleted." in answer.content.decode()
    assert not Classroom.objects.filter(pk=classroom.pk).exists()
    assert not Assignment.objects.exists()
    assert not Attempt.objects.exists()
    assert list(User.objects.filter(role="student")) == [other_student]
    puzzle.refresh_from_db()
