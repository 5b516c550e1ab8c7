"""The same person, once: launches that carry an identifier of the roster, and those without a
course. Platforms of a board serve all its schools."""

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from puzzleclass.classes.school_models import Board, School
from puzzleclass.lti.models import Platform, PlatformClass
from puzzleclass.rosters.models import UserId
from tests.learning_platform import CLAIM, DL, STUDENT
from tests.web.lti.test_lti import Visitor, linked, platform, registered, said, school, visitor

__all__ = ["linked", "platform", "registered", "school", "visitor"]

pytestmark = pytest.mark.django_db

MASTER = "2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d"
CUSTOM = {f"{CLAIM}custom": {"master": MASTER}}
PORTAL = {f"{CLAIM}context": None}


@pytest.fixture
def pupil(school, student, classroom) -> User:
    """Return a student of the school whom its roster names."""
    classroom.school = school
    classroom.save()
    source = school.sources.create(name="koumu")
    UserId.objects.create(source=source, sourced_id="u1", user=student, master_id=MASTER)
    return student


def trust(**changed) -> None:
    """Let an administrator have said that the platform sends the shared identifier."""
    Platform.objects.update(roster_claim="master", roster_identifier="master_id", **changed)


@pytest.fixture
def board(registered, school) -> Board:
    """Return a board of which the school is one, and to which the platform belongs."""
    board = Board.objects.create(name="みどり市教育委員会")
    School.objects.filter(pk=school.pk).update(board=board)
    Platform.objects.filter(pk=registered.pk).update(school=None, board=board)
    return board


def signed_in(visitor):
    key = visitor.client.session.get("_auth_user_id")
    return User.objects.get(pk=key) if key else None


# Finding the same person


def test_a_pupil_is_found_by_the_identifier_that_all_systems_share(visitor, linked, pupil):
    trust()
    before = User.objects.count()
    visitor.come(**CUSTOM)
    assert signed_in(visitor) == pupil and User.objects.count() == before
    # From now on, the platform's own identifier is enough.
    again = Visitor(visitor.platform)
    again.come()
    assert signed_in(again) == pupil


def test_nobody_is_found_unless_an_administrator_has_said_so(visitor, linked, pupil):
    lis = {f"{CLAIM}lis": {"person_sourcedid": "u1"}}
    visitor.come(**CUSTOM, **lis)
    assert signed_in(visitor) not in (None, pupil)


def test_only_the_identifier_that_was_named_counts(visitor, linked, pupil):
    Platform.objects.update(roster_claim="lis.person_sourcedid")
    visitor.come(**{f"{CLAIM}lis": {"person_sourcedid": MASTER}}, **CUSTOM)
    assert signed_in(visitor) not in (None, pupil)


@pytest.mark.parametrize("custom", [None, "x", ["x"], {"master": ["x"]}, {"master": ""}, {}])
def test_a_strange_identifier_finds_nobody(custom, visitor, linked, pupil):
    trust()
    page = visitor.come(**{f"{CLAIM}custom": custom})
    assert page.status_code == 200 and signed_in(visitor) not in (None, pupil)


def test_an_identifier_that_two_people_have_finds_nobody(visitor, linked, pupil, classmate):
    trust()
    source = pupil.external_ids.get().source
    UserId.objects.create(source=source, sourced_id="u2", user=classmate, master_id=MASTER)
    visitor.come(**CUSTOM)
    assert signed_in(visitor) not in (None, pupil, classmate)


def test_a_platform_of_another_school_gains_nothing_by_a_known_identifier(
    visitor, linked, pupil, registered
):
    """Its administrators have said that the identifier is that of the roster: of their own."""
    other = School.objects.create(name="あおば小学校", board=Board.objects.create(name="B"))
    School.objects.update(board=other.board)
    trust(school=other)
    for extra in ({}, PORTAL):
        visitor.come(**CUSTOM, **extra)
        assert signed_in(visitor) != pupil
    assert not registered.users.filter(user=pupil).exists()


def test_a_pupil_who_has_left_and_a_teacher_are_not_found(visitor, linked, pupil, teacher):
    trust()
    UserId.objects.update(left_at=timezone.now())
    source = pupil.external_ids.get().source
    UserId.objects.create(source=source, sourced_id="u9", user=teacher, master_id=MASTER)
    visitor.come(**CUSTOM)
    assert signed_in(visitor) not in (None, pupil, teacher)


def test_the_form_says_which_identifier_the_platform_sends(registered, teacher_client, school):
    url = reverse("platform_edit", args=[school, registered.pk])
    fields = {name: getattr(registered, name) for name in ("name", "issuer", "client_id")}
    fields |= {"auth_url": "https://p.example/a", "token_url": "https://p.example/t"}
    fields |= {"key_set_url": "https://p.example/k", "roster_claim": "master"}
    assert teacher_client.post(url, fields | {"roster_identifier": "master_id"}).status_code == 302
    registered.refresh_from_db()
    assert (registered.roster_claim, registered.roster_identifier) == ("master", "master_id")


# A board's platform


def test_a_boards_platform_finds_pupils_of_its_roster(visitor, linked, pupil, board):
    trust()
    UserId.objects.update(by_board=board)
    visitor.come(**CUSTOM)
    assert signed_in(visitor) == pupil


def test_a_boards_platform_does_not_trust_what_one_school_has_imported(
    visitor, linked, pupil, board
):
    trust()
    visitor.come(**CUSTOM)
    assert signed_in(visitor) not in (None, pupil)


def test_a_class_from_a_boards_platform_belongs_to_the_teachers_school(
    visitor, board, teacher, school
):
    school.administrators.clear()
    school.staff.create(teacher=teacher)
    visitor.client.force_login(teacher)
    visitor.come("t-1")
    visitor.client.post(reverse("lti_account"), {"do": "link"}, follow=True)
    visitor.client.post(reverse("lti_class"), {"name": "4年1組"}, follow=True)
    assert Classroom.objects.get(name="4年1組").school == school
    # A teacher of two schools of the board is asked.
    second = board.schools.create(name="あおば小学校")
    second.staff.create(teacher=teacher)
    board.schools.create(name="もり小学校")
    PlatformClass.objects.all().delete()
    visitor.come("t-1")
    choices = visitor.client.get(reverse("lti_class")).context["form"].fields["school"].queryset
    assert set(choices) == {school, second}
    fields = {"name": "4年2組", "school": second.pk}
    visitor.client.post(reverse("lti_class"), fields, follow=True)
    assert Classroom.objects.get(name="4年2組").school == second


def test_a_teacher_from_a_boards_platform_belongs_to_no_school(visitor, board):
    visitor.come("t-1")
    visitor.client.post(reverse("lti_account"), {"do": "new"}, follow=True)
    visitor.client.post(reverse("lti_class"), {"name": "4年1組"}, follow=True)
    assert Classroom.objects.get(name="4年1組").school is None


def test_a_platform_is_registered_for_a_board_by_its_link(board, client_of):
    head = User.objects.create_teacher("hara", "Hara Ken", "a good password")
    board.administrators.add(head)
    page = client_of(head).get(reverse("platform_list", args=[board]))
    link = page.context["registration_link"]
    assert board.name in client_of(None).get(link).content.decode()


# Without a course


@pytest.mark.parametrize("roles", [[STUDENT], []])
def test_a_known_pupil_comes_home_without_a_course(roles, visitor, linked, pupil):
    trust()
    page = visitor.come(**CUSTOM, **PORTAL, **{f"{CLAIM}roles": roles})
    assert signed_in(visitor) == pupil and page.redirect_chain[-1][0] == reverse("home")


def test_a_pupil_of_a_course_comes_home_without_it_later(visitor, linked):
    visitor.come()
    made = signed_in(visitor)
    later = Visitor(visitor.platform)
    later.come(**PORTAL)
    assert signed_in(later) == made


def test_an_unknown_pupil_without_a_course_is_told_what_to_do(visitor, linked):
    before = User.objects.count()
    page = visitor.come(**PORTAL)
    assert page.status_code == 403 and "does not know yet who you are" in said(page)
    assert User.objects.count() == before


def test_a_pupil_of_no_class_of_the_school_stays_outside(visitor, linked, pupil, registered):
    """The platform still knows a pupil who has gone to another school."""
    registered.users.create(sub="s-1", user=pupil)
    UserId.objects.update(left_at=timezone.now())
    PlatformClass.objects.all().delete()
    Classroom.objects.update(school=School.objects.create(name="あおば小学校"))
    page = visitor.come(**PORTAL)
    assert page.status_code == 403 and signed_in(visitor) is None


def test_a_known_teacher_comes_home_without_a_course(visitor, registered, teacher):
    registered.users.create(sub="t-1", user=teacher)
    page = visitor.come("t-1", **PORTAL)
    assert signed_in(visitor) == teacher and page.redirect_chain[-1][0] == reverse("home")


def test_a_closed_class_is_said_to_be_closed(visitor, linked, pupil):
    trust()
    Classroom.objects.update(joins_until=timezone.now())
    page = visitor.come(**CUSTOM, **PORTAL)
    assert page.status_code == 403 and signed_in(visitor) is None


def test_a_pupil_who_is_to_choose_a_link_is_told_why_not(visitor, linked):
    wanted = {"deep_link_return_url": "https://p.example/back", "accept_types": ["ltiResourceLink"]}
    changed = {
        f"{CLAIM}message_type": "LtiDeepLinkingRequest",
        f"{CLAIM}resource_link": None,
        f"{DL}deep_linking_settings": wanted,
    }
    page = visitor.come(**changed)
    assert page.status_code == 403 and "teachers choose" in said(page)
    assert signed_in(visitor) is None
