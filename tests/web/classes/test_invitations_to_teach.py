"""Nobody teaches a class of others without consent."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom, DataRecord, Teaching, TeachingInvitation
from tests.web.conftest import PASSWORD


def people(classroom):
    return f"/classes/{classroom.pk}/teachers/"


@pytest.fixture
def invited(classroom, other_teacher, teacher_client):
    """Return a function that invites the other teacher to the class."""

    def invite(client=teacher_client):
        sent = {"username": other_teacher.username, "role": "teacher"}
        assert client.post(people(classroom), sent).status_code == 302
        return TeachingInvitation.objects.get(teacher=other_teacher)

    return invite


def test_the_class_and_its_rights_follow_acceptance(
    classroom, invited, other_teacher, other_client, teacher_client
):
    asked = invited()
    assert other_client.get(classroom.get_absolute_url()).status_code == 404
    assert not other_teacher.teachings.exists()
    shown = teacher_client.get(people(classroom)).content.decode()
    assert "Has not answered yet" in shown and other_teacher.name not in shown
    assert asked.get_absolute_url() in other_client.get("/").content.decode()
    page = other_client.get(asked.get_absolute_url()).content.decode()
    assert classroom.name in page and "Sato Keiko (sato)" in page and "Your role: Teacher" in page
    assert teacher_client.get(asked.get_absolute_url()).status_code == 404
    answer = other_client.post(asked.get_absolute_url(), {"do": "accept"}, follow=True)
    assert f"You teach {classroom.name} now." in answer.content.decode()
    assert other_client.get(classroom.get_absolute_url()).status_code == 200
    assert not TeachingInvitation.objects.exists()
    events = set(DataRecord.objects.values_list("event", flat=True))
    assert {"teacher invited", "teacher added"} <= events


def test_a_refusal_is_kept_and_not_told(
    classroom, invited, other_teacher, other_client, teacher_client
):
    asked = invited()
    other_client.post(asked.get_absolute_url(), {"do": "decline"})
    assert "Has not answered yet" in teacher_client.get(people(classroom)).content.decode()
    teacher_client.post(people(classroom), {"invitation": asked.pk})
    assert "Has not answered yet" not in teacher_client.get(people(classroom)).content.decode()
    again = invited()
    assert "Has not answered yet" in teacher_client.get(people(classroom)).content.decode()
    assert other_client.get("/").context["now"].class_invitations.rows == []
    assert other_client.post(again.get_absolute_url(), {"do": "accept"}).status_code == 404
    assert not other_teacher.teachings.exists()


def _the_inviter_is_no_owner(asked):
    asked.classroom.teachings.filter(teacher=asked.invited_by).update(role=Teaching.Role.TEACHER)


def _the_inviter_has_left(asked):
    asked.classroom.teachings.all().delete()


def _the_inviter_is_gone(asked):
    asked.invited_by.is_active = False
    asked.invited_by.save()


def _the_class_is_in_the_bin(asked):
    Classroom.objects.update(deleted_at=timezone.now())


def _the_question_is_old(asked):
    old = timezone.now() - timedelta(days=TeachingInvitation.DAYS, minutes=1)
    TeachingInvitation.objects.update(made_at=old)


def _the_question_is_withdrawn(asked):
    asked.withdraw()


@pytest.mark.parametrize(
    "ends",
    [
        _the_inviter_is_no_owner,
        _the_inviter_has_left,
        _the_inviter_is_gone,
        _the_class_is_in_the_bin,
        _the_question_is_old,
        _the_question_is_withdrawn,
    ],
)
def test_an_invitation_ends(invited, other_client, ends):
    asked = invited()
    ends(asked)
    assert other_client.get("/").context["now"].class_invitations.rows == []
    assert other_client.post(asked.get_absolute_url(), {"do": "accept"}).status_code == 404


def test_another_owner_invites_again(invited, colleague_client, other_client, other_teacher):
    _the_inviter_is_no_owner(invited())
    again = invited(colleague_client)
    assert other_client.post(again.get_absolute_url(), {"do": "accept"}).status_code == 302
    assert other_teacher.teachings.get().role == Teaching.Role.TEACHER


def test_only_owners_of_the_class_withdraw(
    classroom, invited, make_class, other_client, other_teacher, substitute_client
):
    asked = invited()
    own = make_class(other_teacher, "2-1")
    sent = {"invitation": asked.pk}
    assert other_client.post(people(own), sent).status_code == 404
    assert substitute_client.post(people(classroom), sent).status_code == 403
    assert "Has not answered yet" not in substitute_client.get(people(classroom)).content.decode()
    assert TeachingInvitation.objects.exists()


def test_a_class_has_a_limit_of_teachers(classroom, invited, teacher_client, monkeypatch):
    monkeypatch.setattr(Teaching, "MAX_COUNT", 2)
    invited()
    User.objects.create_teacher("hara", "Hara Ken", PASSWORD)
    page = teacher_client.post(people(classroom), {"username": "hara", "role": "teacher"})
    assert "at most 2 teachers" in page.content.decode()
