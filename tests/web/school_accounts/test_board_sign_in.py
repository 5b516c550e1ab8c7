"""One provider for all schools of a board, and the sign-in page of a site with many schools."""

import pytest
from django.urls import reverse

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import Board, School
from puzzleclass.rosters.models import UserId
from puzzleclass.school_accounts.models import SignInProvider, provider_of
from tests.web.school_accounts.test_school_accounts import (
    client,
    come,
    link,
    openid,
    provider,
    school,
    signed_in,
)

__all__ = ["client", "come", "openid", "provider", "school"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def board(provider, school, teacher) -> Board:
    """Return the board of the school, to which the provider belongs."""
    board = Board.objects.create(name="みどり市教育委員会")
    board.administrators.add(teacher)
    board.schools.add(school)
    board.schools.create(name="あおば小学校")
    SignInProvider.objects.filter(pk=provider.pk).update(
        school=None, board=board, roster_claim="employee", roster_identifier="master_id"
    )
    return board


def named(user: User, school: School, **changed: object) -> UserId:
    source, _made = school.sources.get_or_create(name="koumu")
    return UserId.objects.create(source=source, sourced_id="u1", user=user, **changed)


def test_the_schools_provider_goes_before_that_of_the_board(board, school, provider):
    provider.refresh_from_db()
    assert provider_of(school) == provider
    own = SignInProvider.objects.create(school=school, client_id="own", is_on=True)
    assert provider_of(school) == own
    own.is_on = False
    own.save()
    assert provider_of(school) == provider
    assert provider_of(School.objects.create(name="North")) is None


def test_a_pupil_of_any_school_of_the_board_signs_in(board, client, student, classroom, come):
    second = board.schools.get(name="あおば小学校")
    Classroom.objects.filter(pk=classroom.pk).update(school=second)
    link(student, SignInProvider.objects.get(), "s-1")
    come(client, "hanako")
    assert signed_in(client) == str(student.pk)


def test_a_pupil_who_has_left_all_schools_of_the_board_stays_outside(
    board, client, student, classroom, come
):
    elsewhere = Board.objects.create(name="Town").schools.create(name="North")
    Classroom.objects.filter(pk=classroom.pk).update(school=elsewhere)
    link(student, SignInProvider.objects.get(), "s-1")
    assert come(client, "hanako").status_code == 403 and not signed_in(client)


@pytest.mark.parametrize("by_board", [True, False])
def test_only_the_boards_roster_names_a_pupil(
    by_board, board, school, client, student, come, openid
):
    """What the administrators of a single school import says nothing to a provider of the board."""
    openid.people["hanako"]["employee"] = "m-1"
    named(student, school, master_id="m-1", by_board=board if by_board else None)
    come(client, "hanako")
    assert signed_in(client) == (str(student.pk) if by_board else None)


def test_a_provider_of_another_school_gains_nothing_by_a_known_identifier(
    board, school, provider, client, student, come, openid
):
    openid.people["hanako"]["employee"] = "m-1"
    named(student, school, master_id="m-1", by_board=board)
    other = board.schools.get(name="あおば小学校")
    SignInProvider.objects.filter(pk=provider.pk).update(board=None, school=other)
    come(client, "hanako")
    assert not signed_in(client)


def test_an_administrator_of_the_board_sets_it_up_and_tests_it(board, teacher_client, come):
    page = teacher_client.get(reverse("school_provider", args=[board])).content.decode()
    provider = SignInProvider.objects.get()
    assert reverse("school_account_callback", args=[provider.pk]) in page
    answer = come(teacher_client, "hanako", reverse("school_provider_test", args=[board]))
    assert answer.status_code == 200
    assert "OpenID" in teacher_client.get(reverse("board", args=[board.pk])).content.decode()


def test_a_boards_provider_stays_while_a_school_depends_on_it(board, teacher_client, school):
    School.objects.filter(pk=school.pk).update(takes_pins=False, takes_cards=False)
    teacher_client.post(reverse("school_provider", args=[board]), {"do": "remove"})
    assert SignInProvider.objects.exists()
    page = teacher_client.get(reverse("school_edit", args=[school.pk]))
    assert page.status_code == 200
    url = reverse("school_edit", args=[school.pk])
    assert teacher_client.post(url, {"kept_years": "2"}).status_code == 302


def test_a_board_is_one_button(board, client):
    page = client.get(reverse("sign_in")).content.decode()
    assert "Sign in with みどり市教育委員会" in page and "Find my school" not in page


def test_several_providers_ask_for_the_school(board, client, provider):
    for number in range(12):
        school = School.objects.create(name=f"第{number:02}小学校")
        SignInProvider.objects.create(school=school, client_id="c", is_on=True)
    page = client.get(f"{reverse('sign_in')}?next=/classes/").content.decode()
    assert "Find my school" in page and "Sign in with みどり" not in page
    assert "Find my school" in client.get(reverse("join")).content.decode()
    found = client.get(reverse("school_choice"), {"q": " 第07", "next": "/classes/"})
    [school] = found.context["page"].object_list
    door = f"{reverse('school_door', args=[school.pk])}?next=%2Fclasses%2F"
    assert door in found.content.decode()
    page = client.get(door).content.decode()
    assert "第07小学校" in page and 'name="next" value="/classes/"' in page
    assert len(client.get(reverse("school_choice")).context["page"].object_list) == 14
    # A page that somebody has bookmarked leads on when the school has no provider any more.
    SignInProvider.objects.filter(school=school).delete()
    assert client.get(door)["Location"] == reverse("sign_in")
    assert client.get(reverse("school_door", args=[10**9])).status_code == 404


def test_a_teacher_of_the_board_links_the_account_once(board, teacher_client):
    page = teacher_client.get(reverse("account")).content.decode()
    assert page.count("Account at みどり市教育委員会") == 1
