"""Nobody becomes an administrator of a school or a board without consent."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.accounts.second_step import required_from
from puzzleclass.classes.access import administered_schools
from puzzleclass.classes.invitations import AdministratorInvitation
from puzzleclass.classes.models import DataRecord
from puzzleclass.classes.school_models import Board, School, SchoolAdministrator
from tests.web.conftest import PASSWORD

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["school", "board"])
def owner(request, teacher):
    """Return a school, or a board with a school, that the teacher administers."""
    if request.param == "school":
        owner = School.objects.create(name="みどり小学校")
    else:
        owner = Board.objects.create(name="みどり市教育委員会")
        owner.schools.create(name="みどり小学校")
    owner.administrators.add(teacher)
    return owner


def people(owner):
    return reverse("administrator_list", args=[owner])


def invited(owner, teacher, teacher_client):
    assert teacher_client.post(people(owner), {"username": teacher.username}).status_code == 302
    return AdministratorInvitation.objects.get(teacher=teacher)


@pytest.mark.parametrize("is_staff", [False, True])
def test_nobody_is_locked_out_by_a_school_that_was_never_accepted(
    owner, other_teacher, teacher_client, client, is_staff
):
    """A school adds any teacher of the site, and requires a second step from today on."""
    User.objects.filter(pk=other_teacher.pk).update(is_staff=is_staff, is_superuser=is_staff)
    client.post("/sign-in/", {"username": other_teacher.username, "password": PASSWORD})
    assert client.get("/classes/").status_code == 200
    asked = invited(owner, other_teacher, teacher_client)
    School.objects.update(second_step_from=timezone.localdate())
    assert required_from(other_teacher) is None
    assert client.get("/classes/").status_code == 200
    assert not administered_schools(other_teacher).exists()
    if is_staff:
        assert client.get("/administration/").status_code == 200
    page = client.get(asked.get_absolute_url(), headers={"accept-language": "en"}).content.decode()
    assert owner.name in page and "Sato Keiko (sato)" in page
    assert ("requires a second step" in page) == isinstance(owner, School)
    client.post(asked.get_absolute_url(), {"do": "accept"})
    assert required_from(other_teacher) == timezone.localdate()


def test_the_home_page_asks_and_the_rights_follow_acceptance(
    owner, other_teacher, other_client, teacher_client
):
    assert other_client.get(owner.get_absolute_url()).status_code == 404
    asked = invited(owner, other_teacher, teacher_client)
    assert other_client.get(owner.get_absolute_url()).status_code == 404
    assert asked.get_absolute_url() in other_client.get("/").content.decode()
    shown = teacher_client.get(people(owner)).content.decode()
    assert "mori" in shown and "Has not answered yet" in shown and other_teacher.name not in shown
    assert teacher_client.get(asked.get_absolute_url()).status_code == 404
    answer = other_client.post(asked.get_absolute_url(), {"do": "accept"}, follow=True)
    assert f"You administer {owner.name} now." in answer.content.decode()
    assert other_client.get(owner.get_absolute_url()).status_code == 200
    assert not AdministratorInvitation.objects.exists()
    events = set(DataRecord.objects.values_list("event", flat=True))
    kind = owner.FIELD
    assert {f"{kind} administrator invited", f"{kind} administrator added"} <= events


def test_a_refusal_is_kept_and_not_told(owner, other_teacher, other_client, teacher_client):
    asked = invited(owner, other_teacher, teacher_client)
    before = teacher_client.get(people(owner)).content.decode().count("Has not answered yet")
    other_client.post(asked.get_absolute_url(), {"do": "decline"})
    assert not owner.administrators.filter(pk=other_teacher.pk).exists()
    after = teacher_client.get(people(owner)).content.decode().count("Has not answered yet")
    assert before == after == 1
    assert other_client.get("/").context["now"].invitations.rows == []
    assert other_client.post(asked.get_absolute_url(), {"do": "accept"}).status_code == 404
    again = teacher_client.post(people(owner), {"username": other_teacher.username})
    assert "invited already" in again.content.decode()


def test_a_refusal_outlasts_that_the_question_is_withdrawn_and_put_again(
    owner, other_teacher, other_client, teacher_client
):
    asked = invited(owner, other_teacher, teacher_client)
    other_client.post(asked.get_absolute_url(), {"do": "decline"})
    teacher_client.post(people(owner), {"invitation": asked.pk})
    assert "Has not answered yet" not in teacher_client.get(people(owner)).content.decode()
    again = invited(owner, other_teacher, teacher_client)
    # To the administrators, it looks as if a new question had been put.
    assert "Has not answered yet" in teacher_client.get(people(owner)).content.decode()
    assert other_client.get("/").context["now"].invitations.rows == []
    assert other_client.post(again.get_absolute_url(), {"do": "accept"}).status_code == 404


def test_an_invitation_is_withdrawn_or_ends(owner, other_teacher, other_client, teacher_client):
    asked = invited(owner, other_teacher, teacher_client)
    teacher_client.post(people(owner), {"invitation": asked.pk})
    assert other_client.post(asked.get_absolute_url(), {"do": "accept"}).status_code == 404
    asked = invited(owner, other_teacher, teacher_client)
    old = timezone.now() - timedelta(days=AdministratorInvitation.DAYS, minutes=1)
    AdministratorInvitation.objects.update(made_at=old)
    assert other_client.get(asked.get_absolute_url()).status_code == 404
    assert invited(owner, other_teacher, teacher_client).pk != asked.pk
    AdministratorInvitation.objects.update(made_at=old)
    assert AdministratorInvitation.expired().exists()


def test_an_invitation_ends_with_the_right_of_its_inviter(
    owner, teacher, other_teacher, other_client, teacher_client, client_of
):
    asked = invited(owner, other_teacher, teacher_client)
    head = User.objects.create_teacher("hara", "Hara Ken", PASSWORD)
    owner.administrators.set([head])
    assert other_client.get("/").context["now"].invitations.rows == []
    assert other_client.post(asked.get_absolute_url(), {"do": "accept"}).status_code == 404
    page = client_of(head).get(people(owner)).content.decode()
    assert "Has not answered yet" not in page
    again = invited(owner, other_teacher, client_of(head))
    assert other_client.post(again.get_absolute_url(), {"do": "accept"}).status_code == 302
    assert owner.administrators.filter(pk=other_teacher.pk).exists()


def test_an_administrator_of_the_board_invites_to_its_schools_while_the_board_has_them(
    teacher, other_teacher, other_client, teacher_client
):
    board = Board.objects.create(name="みどり市教育委員会")
    board.administrators.add(teacher)
    school = board.schools.create(name="みどり小学校")
    asked = invited(school, other_teacher, teacher_client)
    assert other_client.get(asked.get_absolute_url()).status_code == 200
    School.objects.update(board=None)
    assert other_client.get(asked.get_absolute_url()).status_code == 404


def test_only_the_own_invitations_can_be_withdrawn(owner, other_teacher, teacher_client, client_of):
    asked = invited(owner, other_teacher, teacher_client)
    head = User.objects.create_teacher("hara", "Hara Ken", PASSWORD)
    foreign = School.objects.create(name="あおば小学校")
    foreign.administrators.add(head)
    page = client_of(head).post(people(foreign), {"invitation": asked.pk})
    assert page.status_code == 404 and AdministratorInvitation.objects.exists()


def test_invitations_count_as_administrators(owner, other_teacher, teacher_client, monkeypatch):
    monkeypatch.setattr(SchoolAdministrator, "MAX_COUNT", 2)
    invited(owner, other_teacher, teacher_client)
    User.objects.create_teacher("hara", "Hara Ken", PASSWORD)
    page = teacher_client.post(people(owner), {"username": "hara"})
    assert "at most 2 administrators" in page.content.decode()


def test_a_school_in_the_bin_asks_nobody(teacher, other_teacher, other_client):
    school = School.objects.create(name="みどり小学校", deleted_at=timezone.now())
    asked = AdministratorInvitation.objects.create(
        school=school, teacher=other_teacher, invited_by=teacher
    )
    assert other_client.get(asked.get_absolute_url()).status_code == 404
