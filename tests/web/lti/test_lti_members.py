"""The members of a course, with an independent platform."""

import pytest
from django.db import transaction

from puzzleclass.accounts.models import User
from puzzleclass.lti import members
from puzzleclass.lti.keys import public_keys, renew_keys
from puzzleclass.lti.models import Platform, PlatformUser
from puzzleclass.rosters.models import UserId
from tests.learning_platform import STUDENT
from tests.web.lti.test_lti import Visitor, linked, platform, registered, school, visitor

__all__ = ["linked", "platform", "registered", "school", "visitor"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def course(linked, registered, teacher, platform, monkeypatch):
    """Return the class of a course with five members, whose list the platform offers."""
    PlatformUser.objects.create(platform=registered, sub="t-1", user=teacher)
    renew_keys()
    platform.site_keys = public_keys()
    platform.message = platform.names
    platform.people |= {
        "s-2": {"name": "伊藤 ゆい", "roles": [STUDENT]},
        "s-3": {"name": "加藤 蓮", "roles": [STUDENT], "status": "Inactive"},
        "s-4": {"name": "山本 花子", "roles": [STUDENT]},
    }

    def at_once(args, **options):
        # A slow platform keeps no review waiting.
        assert options["queue"] == "outbound"
        members.read_members(*args)

    monkeypatch.setattr(members.read_members, "apply_async", at_once)
    # The transaction of a test is never committed.
    monkeypatch.setattr(transaction, "on_commit", lambda call: call())
    return linked


def names_of(classroom) -> list[str]:
    return [each.student.name for each in classroom.enrolments.select_related("student")]


def test_the_students_of_a_course_join_its_class_before_they_come(course, platform):
    before = names_of(course)
    Visitor(platform).come("t-1")
    joined = ["安部 陽斗", "伊藤 ゆい", "山本 花子"]
    assert names_of(course) == before + joined
    assert platform.asked.count("GET /members") == 3
    # The same list again changes nothing, and the student comes to the account that was made.
    Visitor(platform).come("t-1")
    assert names_of(course) == before + joined
    assert Visitor(platform).come("s-2").context["user"].name == "伊藤 ゆい"
    assert names_of(course) == before + joined


def test_one_who_may_not_join_keeps_nobody_else_out(course, platform):
    Visitor(platform).come("t-1")
    User.objects.filter(name="伊藤 ゆい").update(is_active=False)
    platform.people |= {"s-9": {"name": "和田 そら", "roles": [STUDENT]}}
    Visitor(platform).come("t-1")
    assert names_of(course)[-1] == "和田 そら"


def test_the_list_is_not_read_where_nobody_gets_an_account(course, platform):
    Platform.objects.update(makes_students=False)
    Visitor(platform).come("t-1")
    assert platform.asked.count("GET /members") == 0


def test_the_list_is_not_read_without_end(course, platform, monkeypatch):
    monkeypatch.setattr(members, "READINGS_AN_HOUR", 1)
    for _ in range(3):
        Visitor(platform).come("t-1")
    assert platform.asked.count("GET /members") == 3


def test_a_slow_platform_is_not_listened_to_for_ever(course, platform, monkeypatch):
    before = names_of(course)
    monkeypatch.setattr(members, "MAX_SECONDS", -1)
    assert Visitor(platform).come("t-1").status_code == 200
    assert names_of(course) == before
    assert "GET /members" not in platform.asked


def test_a_platform_that_is_down_does_not_disturb_a_teacher(course, platform):
    platform.is_down = True
    before = names_of(course)
    assert Visitor(platform).come("t-1").status_code == 200
    assert names_of(course) == before


def test_the_list_makes_no_second_account_of_a_pupil_on_the_roster(
    course, platform, registered, student
):
    """Whoever comes without the identifier of the roster may be on it, and is waited for."""
    Platform.objects.update(roster_claim="lis.person_sourcedid")
    source = registered.school.sources.create(name="koumu")
    UserId.objects.create(source=source, sourced_id="u2", user=student)
    platform.people["s-2"]["lis_person_sourcedid"] = "u2"
    before = names_of(course)
    Visitor(platform).come("t-1")
    assert names_of(course) == before
    assert registered.users.get(sub="s-2").user == student
