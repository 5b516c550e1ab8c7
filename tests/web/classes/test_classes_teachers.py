"""The teachers of a class, its groups, and its archive."""

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import NEVER_DUE, Assignment, Template
from puzzleclass.classes.models import Classroom, Group, TeachingInvitation

# Teachers


@pytest.fixture
def parts(classroom):
    """Return a function that returns user name -> role in the class."""
    return lambda: dict(classroom.teachings.values_list("teacher__username", "role"))


def test_an_owner_invites_changes_and_removes_teachers(
    teacher_client, classroom, other_teacher, other_client, parts
):
    url = f"/classes/{classroom.pk}/teachers/"
    teacher_client.post(url, {"username": " mori ", "role": "substitute"})
    asked = TeachingInvitation.objects.get()
    assert other_client.post(asked.get_absolute_url(), {"do": "accept"}).status_code == 302
    assert parts() == {"sato": "owner", "mori": "substitute"}
    key = classroom.teachings.get(teacher=other_teacher).pk
    teacher_client.post(url, {"do": "change", "teaching": key, "role": "teacher"})
    assert parts()["mori"] == "teacher"
    assert "Mori Jun" in teacher_client.get(url).content.decode()
    teacher_client.post(url, {"do": "remove", "teaching": key})
    assert parts() == {"sato": "owner"}


@pytest.mark.parametrize(
    ("name", "english", "japanese"),
    [
        ("nobody", "No teacher has this username.", "このユーザー名の先生はいません。"),
        ("sato", "This teacher already teaches the class.", "この先生はすでにクラスの先生です。"),
    ],
)
def test_invalid_additions_are_reported(client_of, teacher, classroom, name, english, japanese):
    url = f"/classes/{classroom.pk}/teachers/"
    for language, said in (("en", english), ("ja", japanese)):
        answer = client_of(teacher, language).post(url, {"username": name, "role": "teacher"})
        assert answer.status_code == 422
        assert said in answer.content.decode()


def test_user_names_are_not_tried_out(teacher_client, classroom, other_teacher, monkeypatch):
    monkeypatch.setattr("puzzleclass.classes.people_views.NAMES_PER_DAY", 2)
    url = f"/classes/{classroom.pk}/teachers/"
    for name in ("a", "b", "mori"):
        page = teacher_client.post(url, {"username": name, "role": "teacher"}).content.decode()
    assert "That is enough for today." in page


def test_a_class_keeps_an_owner(teacher_client, classroom, parts):
    url, key = f"/classes/{classroom.pk}/teachers/", classroom.teachings.get().pk
    for sent in ({"do": "leave"}, {"do": "change", "teaching": key, "role": "teacher"}):
        answer = teacher_client.post(url, sent, follow=True)
        assert "A class needs an owner." in answer.content.decode()
    assert parts() == {"sato": "owner"}


def test_a_substitute_leaves(substitute_client, classroom, parts):
    assert (
        substitute_client.post(f"/classes/{classroom.pk}/teachers/", {"do": "leave"}).status_code
        == 302
    )
    assert parts() == {"sato": "owner"}


@pytest.mark.parametrize(
    "sent", [{"do": "crown"}, {"do": "change", "role": "king"}, {"do": "change"}]
)
def test_unknown_changes_of_teachers_are_refused(teacher_client, classroom, parts, sent):
    key = classroom.teachings.get().pk
    url = f"/classes/{classroom.pk}/teachers/"
    assert teacher_client.post(url, sent | {"teaching": key}).status_code == 400
    assert parts() == {"sato": "owner"}


def test_only_an_owner_changes_the_teachers(
    colleague, colleague_client, classroom, other_teacher, parts
):
    classroom.teachings.filter(teacher=colleague).update(role="teacher")
    before, url = parts(), f"/classes/{classroom.pk}/teachers/"
    key = classroom.teachings.get(teacher__username="sato").pk
    for sent in (
        {"username": "mori", "role": "owner"},
        {"do": "remove", "teaching": key},
        {"do": "change", "teaching": key, "role": "substitute"},
    ):
        assert colleague_client.post(url, sent).status_code == 403
    assert parts() == before


# Groups


def test_groups_are_made_changed_and_deleted(teacher_client, classroom):
    here = f"/classes/{classroom.pk}/groups/"
    enrolments = list(classroom.enrolments.values_list("pk", flat=True))
    teacher_client.post(f"{here}new/", {"name": "Reds", "members": enrolments[:2]})
    group = classroom.groups.get()
    assert group.members.count() == 2
    assert "Reds" in teacher_client.get(f"/classes/{classroom.pk}/students/").content.decode()
    answer = teacher_client.post(f"{here}new/", {"name": "Reds"})
    assert "Another group of the class has this name." in answer.content.decode()
    teacher_client.post(f"{here}{group.pk}/", {"name": "Blues", "members": enrolments[2:]})
    group.refresh_from_db()
    assert (group.name, group.members.get().pk) == ("Blues", enrolments[2])
    teacher_client.post(f"{here}{group.pk}/", {"do": "delete"})
    assert not classroom.groups.exists()


def test_members_are_of_the_class(teacher_client, classroom, other_student):
    stranger = other_student.enrolments.get().pk
    url = f"/classes/{classroom.pk}/groups/new/"
    assert teacher_client.post(url, {"name": "Reds", "members": [stranger]}).status_code == 422


def test_a_class_has_a_bound_of_groups(teacher_client, classroom, monkeypatch):
    monkeypatch.setattr(Group, "MAX_COUNT", 2)
    for name in ("Reds", "Blues"):
        group = classroom.groups.create(name=name)
    url = f"/classes/{classroom.pk}/groups/"
    answer = teacher_client.post(f"{url}new/", {"name": "Greens"})
    assert "A class has at most 2 groups." in answer.content.decode()
    assert teacher_client.post(f"{url}{group.pk}/", {"name": "Greens"}).status_code == 302
    assert set(classroom.groups.values_list("name", flat=True)) == {"Reds", "Greens"}


# The archive


def test_nothing_can_be_assigned_to_an_archived_class(
    teacher_client, teacher, classroom, puzzle, assign, make_class
):
    enrolment = classroom.enrolments.first()
    draft = assign(classroom, puzzle, is_draft=True)
    other = assign(make_class(teacher, "5-1"), puzzle)
    template = Template.objects.create(owner=teacher, title="Week")
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    here = f"/classes/{classroom.pk}/"
    requests = [
        ("post", f"{here}assignments/new/", {}),
        ("get", f"{here}students/new/", {}),
        ("post", f"{here}pins/new/", {"sure": "on"}),
        ("post", f"{here}students/{enrolment.pk}/pin/", {}),
        ("post", f"{here}students/{enrolment.pk}/card/", {"do": "renew"}),
        ("post", f"{here}door/", {"do": "lesson"}),
        ("post", f"/assignments/{draft.pk}/publish/", {}),
        ("post", f"/assignments/{other.pk}/copy/", {"classroom": classroom.pk}),
        ("post", f"/templates/{template.pk}/assign/", {"classroom": classroom.pk}),
    ]
    for method, address, fields in requests:
        answer = getattr(teacher_client, method)(address, fields)
        assert answer.status_code == 403, address
        assert "Restore it from the archive first." in answer.content.decode()
    for page in (here, f"{here}students/{enrolment.pk}/"):
        shown = teacher_client.get(page).content.decode()
        for words in ("New assignment", "New PIN", "Add students", "Create a card"):
            assert words not in shown, page


def test_an_archived_class_is_laid_aside_and_found_again(
    teacher_client, substitute_client, classroom, client_of
):
    here = f"/classes/{classroom.pk}/"
    teacher_client.post(f"{here}archive/", {"do": "archive"})
    assert teacher_client.get("/classes/").context["classrooms"].count() == 0
    for client in (teacher_client, substitute_client):
        found = client.get("/classes/?archived=1&q=4-").context["classrooms"]
        assert list(found) == [classroom]
        page = client.get(here).content.decode()
        assert "Archived since" in page and "How students sign in" not in page
    assert client_of(None).get(f"/join/{classroom.code}/").status_code == 403
    teacher_client.post(f"{here}archive/", {"do": "restore"})
    assert client_of(None).get(f"/join/{classroom.code}/").status_code == 200


def test_signed_in_students_cannot_play_in_an_archived_class(
    student_client, student, classroom, assigned, begun, play
):
    attempt = play(begun(student, assigned), "1,1")
    practice = Assignment.every.create(
        classroom=classroom,
        teacher=assigned.assignment.teacher,
        title="Practice",
        due_at=NEVER_DUE,
        is_practice=True,
    )
    board = practice.puzzles.create(number=1, **assigned.copied)
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    assert student_client.get("/").context["due"].open == []
    step = {"action": "move", "move": "2,1", "step": "1"}
    for answer in (
        student_client.get(f"/play/{assigned.pk}/"),
        student_client.get(f"/play/{assigned.pk}/tries/"),
        student_client.get(f"/play/{board.pk}/"),
        student_client.post(f"/attempts/{attempt.key}/steps/", step),
        student_client.post(f"/attempts/{attempt.key}/hint/", step),
        student_client.post(f"/play/{board.pk}/next/"),
    ):
        assert answer.status_code == 403
        assert "This class is over." in answer.content.decode()
    attempt.refresh_from_db()
    assert attempt.next_step == 1
