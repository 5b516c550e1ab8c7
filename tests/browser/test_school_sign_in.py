"""Signing in with a school's account, in a browser, at a provider that runs beside the site."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, OpenIDProvider, running_provider

pytestmark = pytest.mark.browser

PEOPLE = {
    "hanako": {"sub": "s-1", "name": "山本 花子", "hd": "midori"},
    "keiko": {"sub": "s-2", "name": "佐藤 恵子", "hd": "midori"},
}

MAKE_SCHOOL = """
from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.classes.roster import Entry
from puzzleclass.classes.services import create_classroom
number = User.objects.count()
teacher = User.objects.create_teacher(f"keiko{number}", "佐藤 恵子", "stones on a board")
school = School.objects.create(name=f"みどり小学校 {number}")
school.administrators.add(teacher)
classroom, pins = create_classroom(teacher, f"4-{number}", [Entry(1, number=1, name="山本 花子")])
classroom.school = school
classroom.save()
print(teacher.username, classroom.code, *pins.values(), school.pk, school.name, sep="|")
"""


@pytest.fixture
def openid() -> Iterator[OpenIDProvider]:
    with running_provider(PEOPLE) as provider:
        yield provider


def test_an_administrator_sets_it_up_and_a_student_connects_once(visit, site, openid):
    username, code, pin, school, school_name = site.manage(MAKE_SCHOOL).strip().split("|")

    desk = visit(f"/sign-in/?next=/schools/{school}/")
    desk.get_by_label("Username").fill(username)
    desk.get_by_label("Password", exact=True).fill("stones on a board")
    desk.get_by_role("button", name="Sign in", exact=True).click()
    block = desk.locator("section", has_text="Signing in with school accounts")
    block.get_by_role("link", name="Change").click()
    desk.get_by_label("Provider", exact=True).select_option("openid")
    desk.get_by_label("Domain or tenant").fill("midori")
    desk.get_by_label("Claim that names the school").fill("hd")
    desk.get_by_label("Issuer").fill(openid.issuer)
    desk.get_by_label("Client ID").fill(CLIENT_ID)
    desk.get_by_label("Client secret").fill(CLIENT_SECRET)
    desk.get_by_label("Show the button on the sign-in pages").check()
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_label("Redirect URI")).to_have_value(re.compile("/back/$"))
    desk.get_by_role("button", name="Test the sign-in").click()
    desk.get_by_role("link", name="keiko").click()
    expect(desk.get_by_text("The provider has proven who you are")).to_be_visible()
    expect(desk.get_by_role("row", name="sub s-2")).to_be_visible()

    button = f"Sign in with {school_name}"
    room = visit(f"/join/{code}/")
    room.get_by_role("button", name=button).click()
    room.get_by_role("link", name="hanako").click()
    room.get_by_role("link", name="Sign in with my PIN once").click()
    room.get_by_role("link", name="1", exact=True).click()
    room.get_by_label("Your PIN").fill(pin)
    expect(room.get_by_text("Is this your own account?")).to_be_visible()
    room.get_by_role("button", name="Yes, connect").click()
    expect(room.get_by_text("Connected.")).to_be_visible()

    home = visit(f"/join/{code}/")
    home.get_by_role("button", name=button).click()
    home.get_by_role("link", name="hanako").click()
    expect(home.get_by_text("山本 花子").first).to_be_visible()
    assert home.url == f"{site.address}/"
