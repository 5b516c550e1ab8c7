"""One key opens the search of the whole site, and the keyboard is enough to use it."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LIBRARY = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.puzzles.models import Puzzle
name = f"finder{User.objects.count()}"
owner = User.objects.create_user(role="teacher", username=name, name="Fujita", password="p")
for title in ("Lighthouse", "Lantern"):
    Puzzle.objects.create(owner=owner, kind_slug="goishi", position="oo/oo", title=title)
client = Client()
client.force_login(owner)
print(client.cookies["sessionid"].value)
"""


@pytest.mark.parametrize("key", ["/", "Control+k"])
def test_a_key_opens_the_search_and_enter_the_result(visit, site, key):
    page = visit("/", session=site.manage(LIBRARY).strip())
    page.keyboard.press(key)
    field = page.get_by_role("combobox", name="Search puzzles")
    expect(field).to_be_focused()
    expect(page.get_by_role("option", name="Create a puzzle")).to_be_visible()
    field.press_sequentially("l")
    options = page.get_by_role("option")
    expect(options.filter(has_text="Lantern")).to_be_visible()
    field.fill("li")
    expect(options.filter(has_text="Lantern")).to_have_count(0)
    field.fill("l")
    expect(options.filter(has_text="Lantern")).to_be_visible()
    first = options.first
    expect(first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(first).to_have_attribute("aria-selected", "false")
    second = page.locator("[role=option][aria-selected=true]")
    assert field.get_attribute("aria-activedescendant") == second.get_attribute("id")
    expect(second).to_contain_text("Lighthouse")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Lighthouse")).to_be_visible()


def test_escape_closes_it_and_a_slash_in_a_field_is_a_slash(visit, site):
    page = visit("/puzzles/", session=site.manage(LIBRARY).strip())
    library = page.get_by_role("searchbox")
    library.press_sequentially("a/b")
    expect(library).to_have_value("a/b")
    page.get_by_role("link", name="Search").first.click()
    dialog = page.locator("#search-dialog")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
