"""A learning platform on another site, whose frame opens the site in a tab of its own."""

import json

import pytest
from playwright.sync_api import expect

from tests.learning_platform import COURSE, DEPLOYMENT, DL, learning_platform

pytestmark = pytest.mark.browser

REGISTER = """
import json
from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.classes.services import create_classroom
from puzzleclass.lti.models import Platform
name = f"lti{User.objects.count()}"
teacher = User.objects.create_teacher(name, "佐藤 恵子", "stones on a board")
classroom, _ = create_classroom(teacher, "4-1", [])
platform = Platform.objects.create(
    school=School.objects.create(name="みどり小学校"), name="Moodle", **json.loads(%r)
)
platform.deployments.create(deployment_id=%r)
platform.courses.create(course_id=%r, classroom=classroom)
platform.users.create(sub="t-1", user=teacher)
print(classroom.pk)
"""


KEYS = """
import json
from puzzleclass.lti.keys import public_keys, renew_keys
renew_keys()
print(json.dumps(public_keys()))
"""
ASSIGN = """
from datetime import timedelta
from django.utils import timezone
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom
from puzzleclass.puzzles.models import Puzzle
classroom = Classroom.objects.get(pk=%d)
teacher = classroom.teachers.get()
puzzle = Puzzle.objects.create(owner=teacher, title="Two", kind_slug="goishi", position="oo/oo")
due = timezone.now() + timedelta(days=3)
print(assign_puzzles(classroom, teacher, "Two", due, [puzzle]).pk)
"""


@pytest.fixture
def platform(site):
    """Provide a platform that is another site to the browser: localhost, and not 127.0.0.1."""
    with learning_platform("localhost") as platform:
        given = json.dumps(platform.registration)
        platform.classroom = site.manage(REGISTER % (given, DEPLOYMENT, COURSE["id"]))
        yield platform


def test_a_student_comes_from_a_frame_without_its_cookies(visit, site, platform):
    platform.frame_url = platform.login_url(site.address, "s-1")
    course = visit(f"{platform.address}/course")
    button = course.frame_locator("iframe").get_by_role("link", name="Open PuzzleClass")
    with course.expect_popup() as opened:
        button.click()
    page = opened.value
    expect(page.get_by_role("heading", name="安部 陽斗")).to_be_visible()
    assert page.url == f"{site.address}/"
    cookies = course.context.cookies(site.address)
    assert {each["sameSite"] for each in cookies} == {"Lax"}
    # The tab is signed in, and the frame still shows its button.
    expect(button).to_be_visible()


def test_a_teacher_chooses_an_assignment_for_the_frame(visit, site, platform):
    platform.site_keys = json.loads(site.manage(KEYS))
    platform.message = platform.deep_linking
    made = site.manage(ASSIGN % int(platform.classroom))
    platform.frame_url = platform.login_url(site.address, "t-1")
    course = visit(f"{platform.address}/course")
    frame = course.frame_locator("iframe")
    with course.expect_popup() as opened:
        frame.get_by_role("link", name="Open PuzzleClass").click()
    page = opened.value
    page.get_by_role("button", name="Link this assignment").click()
    expect(page.get_by_text("Close this tab")).to_be_visible()
    page.close()
    expect(frame.get_by_role("heading", name="Chosen")).to_be_visible()
    [link] = platform.read(platform.chosen)[f"{DL}content_items"]
    assert link["url"] == f"{site.address}/lti/launch/?assignment={made}"
