"""The pages of a school, clicked through by its administrator, and a class that needs no typing.

The provider of accounts and the learning platform run beside the site.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pressing import press
from tests.browser.test_learning_platform import ASSIGN
from tests.learning_platform import DEPLOYMENT, learning_platform
from tests.oneroster import BULK, packed, tables
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, running_provider

pytestmark = pytest.mark.browser

STUDENTS = 40
MAKE_ADMINISTRATOR = """
import time
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
number = User.objects.count()
teacher = User.objects.create_teacher(f"office{number}", "佐藤 恵子", "stones on a board")
school = School.objects.create(name=f"ひがし小学校{number}")
school.administrators.add(teacher)
client = Client()
client.force_login(teacher)
session = client.session
session["proven_at"] = time.time()
session.save()
print(teacher.username, school.pk, school.name, session.session_key, sep="|")
"""
CLASS_OF = """
from puzzleclass.classes.school_models import School
classroom = School.objects.get(pk=%s).classrooms.get()
print(classroom.pk, classroom.code, classroom.enrolments.count(), sep="|")
"""


@pytest.fixture
def office(site) -> tuple[str, str, str, str]:
    """Return an administrator's username, the school's key and name, and the key of a session."""
    username, school, name, session = site.manage(MAKE_ADMINISTRATOR).strip().split("|")
    return username, school, name, session


def roster_of(school: str, teacher: str) -> bytes:
    """Return the ZIP of a school with one class of `STUDENTS` and its teacher."""
    users, roles, enrolments = (BULK[name][:1] for name in ("users", "roles", "enrollments"))
    people = [(f"{school} u{n}", f"u{n}", "student", str(n)) for n in range(1, STUDENTS + 1)]
    for key, username, role, number in [*people, (f"{school} t", teacher, "teacher", "")]:
        users.append([key, "true", username, f"名{number}", "生徒", *[""] * 4, school, *[""] * 3])
        roles.append([f"r {key}", key, "primary", role, school])
        place = [f"e {key}", f"{school} c", school, key, role, "false", "2026-04-01", "", number]
        enrolments.append([*place, "true"])
    return packed(
        tables(
            orgs=[BULK["orgs"][0], [school, "", "", school, "school", ""]],
            courses=[BULK["courses"][0], ["k1", "ホームルーム", school]],
            classes=[
                BULK["classes"][0],
                [f"{school} c", "4年1組", "P4", "k1", "homeroom", school, "t1", "false"],
            ],
            users=users,
            roles=roles,
            enrollments=enrolments,
        )
    )


def part(page: Page, title: str) -> Page:
    """Open the page to which “Change” leads in the part of the school's page with the title."""
    block = page.locator("section", has=page.get_by_role("heading", name=title, exact=True))
    block.get_by_role("link", name="Change").click()
    return page


def set_up_sign_in(page: Page, issuer: str) -> None:
    """Fill in the page of the school's provider, which shows its accounts' rosters' identifiers."""
    page.get_by_label("Provider", exact=True).select_option("openid")
    page.get_by_label("Domain or tenant").fill("higashi")
    page.get_by_label("Claim that names the school").fill("hd")
    page.get_by_label("Issuer").fill(issuer)
    page.get_by_label("Client ID").fill(CLIENT_ID)
    page.get_by_label("Client secret").fill(CLIENT_SECRET)
    page.get_by_label("Claim with the identifier on the roster").fill("roster_id")
    page.get_by_label("Show the button on the sign-in pages").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Redirect URI")).to_have_value(re.compile("/back/$"))


def test_a_class_of_40_solves_puzzles_without_a_typed_name(visit, site, office):
    """From the ZIP of the school's own system to a solved board, with the school's own accounts."""
    username, school, name, session = office
    child = {"sub": "7", "hd": "higashi", "roster_id": f"{name} u7"}
    with running_provider({"child": child}) as openid:
        desk = visit(f"/schools/{school}/", session=session)
        desk.get_by_label("ZIP file").set_input_files(
            {
                "name": "roster.zip",
                "mimeType": "application/zip",
                "buffer": roster_of(name, username),
            }
        )
        desk.get_by_role("button", name="Check the file").click()
        expect(
            desk.get_by_role("heading", name="Teachers whose accounts are not linked")
        ).to_be_visible()
        desk.get_by_label("Accounts that are proposed").check()
        desk.get_by_role("button", name="Check the file again").click()
        expect(desk.get_by_text("Nothing has been stored yet.")).to_be_visible()
        desk.get_by_role("button", name="Import the roster").click()
        expect(desk.get_by_text("The roster has been imported.")).to_be_visible()
        desk.goto(f"/schools/{school}/")
        set_up_sign_in(part(desk, "Signing in with school accounts"), openid.issuer)

        classroom, code, students = site.manage(CLASS_OF % school).strip().split("|")
        assert int(students) == STUDENTS
        site.manage(ASSIGN % int(classroom))

        room = visit(f"/join/{code}/")
        room.get_by_role("button", name=f"Sign in with {name}").click()
        room.get_by_role("link", name="child").click()
        expect(room.get_by_text("生徒 名7").first).to_be_visible()
        room.locator("main a[href^='/play/']").first.click()
        for stone in ("1,1", "1,2", "2,2", "2,1"):
            press(room, stone)
        expect(room.locator(".solved").first).to_be_visible()

        # The teacher of the roster finds the class, and the student among the forty.
        desk.goto(f"/classes/{classroom}/students/")
        expect(desk.get_by_text("生徒 名40").first).to_be_visible()


def test_an_administrator_clicks_through_the_pages_of_the_school(visit, site, office):
    _username, school, name, session = office
    with learning_platform("localhost") as platform:
        desk = visit(f"/schools/{school}/", session=session)

        part(desk, "Signing in and retention")
        desk.get_by_label("With a card").uncheck()
        desk.get_by_label("Years").fill("2")
        desk.get_by_role("button", name="Save").click()
        expect(desk.locator(".figures", has_text="Years for which data is kept")).to_contain_text(
            "2"
        )

        part(desk, "Learning platforms")
        expect(desk.get_by_label("Public keyset, public JWK URL")).to_have_value(
            f"{site.address}/lti/jwks/"
        )
        desk.get_by_role("button", name="Copy").first.click()
        expect(desk.get_by_role("button", name="Copied")).to_have_count(1)
        desk.get_by_role("link", name="Register a platform").click()
        labels = {
            "Issuer (platform ID)": "issuer",
            "Client ID": "client_id",
            "Authentication request URL": "auth_url",
            "Access token URL": "token_url",
            "Public keyset URL": "key_set_url",
        }
        desk.get_by_label("Name of the platform").fill("Moodle")
        for label, field in labels.items():
            desk.get_by_label(label).fill(platform.registration[field])
        desk.get_by_label("Deployment IDs").fill(DEPLOYMENT)
        desk.get_by_role("button", name="Save").click()
        expect(desk.get_by_text("“Moodle” is registered.")).to_be_visible()

        # A student opens the site from there.
        platform.frame_url = platform.login_url(site.address, "s-1")
        course = visit(f"{platform.address}/course")
        with course.expect_popup() as opened:
            course.frame_locator("iframe").get_by_role("link", name="Open PuzzleClass").click()
        expect(opened.value.locator("main h1")).to_be_visible()

        desk.goto("/school-board/")
        expect(desk.get_by_text("localhost").first).to_be_visible()

        # The removal asks first, and can be cancelled.
        desk.goto(f"/schools/{school}/platforms/")
        for answer in ("Cancel", "Remove the platform"):
            desk.get_by_role("link", name="Remove").click()
            expect(desk.get_by_role("heading", level=1)).to_have_text("Remove Moodle?")
            desk.get_by_role("link", name=answer).or_(
                desk.get_by_role("button", name=answer)
            ).click()
        expect(desk.get_by_text("“Moodle” is no longer registered.")).to_be_visible()

        desk.goto(f"/schools/{school}/")
        part(desk, "Administrators of the school")
        expect(desk.get_by_text("佐藤 恵子").first).to_be_visible()
        expect(desk.get_by_role("link", name=name)).to_be_visible()
