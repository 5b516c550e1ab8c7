"""The workshop: the first fifteen minutes with the presses counted, each size, and no scripts."""

import json
from secrets import token_hex

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import VIOLATIONS
from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

MAX_PRESSES = 30
MAX_CONTROLS = 9
SOLVER = 120_000
"""Milliseconds within which the solvers answer on a machine that does much else. The explanation of
a contradiction alone may take 20 seconds, and the worker loads its kernels first."""
SIZES = [DESKTOP, {"width": 1024, "height": 768}, PHONE]
CONTRADICTION = """
import json
from secrets import token_hex
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.workshop import live, services

teacher = User.objects.create_teacher(f"ono-{token_hex(4)}", "Ono Emi", "stones")
invention = services.begin_with(teacher, "stars")
services.save_kind(invention)
draft = services.draft_of(invention).after("rule 1 number 4", {})
services.keep(invention, 0, draft)
live.ask(teacher, draft)
client = Client()
client.force_login(teacher)
print(json.dumps([client.cookies["sessionid"].value, invention.get_absolute_url()]))
"""
"""Makes a saved kind with a draft that contradicts itself."""


class Finger:
    """Presses buttons and counts the presses."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, what: str | Locator) -> None:
        button = self.page.locator(what) if isinstance(what, str) else what
        button.click()
        self.presses += 1

    def choose(self, rule: int, word: int, text: str) -> None:
        """Press a word of a rule and an entry of the list that opens."""
        self.press(self.page.locator(".workshop-rule").nth(rule - 1).locator(".word").nth(word))
        shown = self.page.locator(".workshop-list:popover-open")
        self.press(shown.get_by_role("button", name=text, exact=True).first)


@pytest.mark.journey
def test_the_first_fifteen_minutes(visit, sign_up):
    page = visit("/")
    sign_up(page, f"author{token_hex(3)}")
    finger = Finger(page)
    live, number = page.locator("#live"), page.locator(".workshop-number")

    page.get_by_role("link", name="Puzzles", exact=True).first.click()
    finger.press(page.get_by_role("link", name="My kinds"))
    finger.press(page.get_by_role("button", name="Star Battle"))
    rules = page.locator(".workshop-rule")
    expect(rules).to_have_count(3)

    # The answer comes by itself, and a press on a square says what forbids a star there.
    expect(number).to_have_text("1", timeout=SOLVER)
    finger.press(page.locator('#workshop .spot[data-move="1,2"]'))
    expect(live).to_contain_text("Star: never", timeout=SOLVER)

    # Other words make other rules; two of them contradict each other, and one press mends it.
    finger.choose(1, 0, "Every row has exactly 1 star.")
    expect(number).to_have_text("63", timeout=SOLVER)
    finger.choose(1, 2, "4")
    expect(live).to_contain_text("These contradict each other", timeout=SOLVER)
    finger.press(live.get_by_role("button", name="Leave this out").first)
    expect(live).not_to_contain_text("These contradict each other", timeout=SOLVER)
    for _ in range(3):
        revision = page.locator("#workshop [name=revision]").input_value()
        finger.press(page.get_by_role("button", name="Undo"))
        expect(page.locator(f"#workshop [name=revision][value='{revision}']")).to_have_count(0)
    expect(number).to_have_text("1", timeout=SOLVER)
    expect(rules).to_have_count(3)

    # A neighbourhood is painted, and the board is drawn anew.
    finger.press(rules.nth(2).locator(".neighbourhood button").nth(0))
    expect(rules.nth(2)).to_contain_text("drawn area")
    finger.press(page.get_by_role("button", name="Another board"))
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()

    # Rules are added and read numbers; the board becomes a puzzle by one press.
    finger.press(page.get_by_role("button", name="+ Rule"))
    shown = page.locator(".workshop-list:popover-open")
    finger.press(shown.get_by_role("button", name="A number tells how many stars").first)
    expect(rules).to_have_count(4)
    finger.press(page.get_by_role("button", name="Save as a kind"))
    expect(page.get_by_role("status").first).to_contain_text("Your classes see this kind now")
    finger.press(page.get_by_role("button", name="This board as a puzzle"))
    page.wait_for_url("**/puzzles/*/")
    assert finger.presses <= MAX_PRESSES


def test_presses_in_quick_succession_are_all_made(visit, sign_up):
    page = visit("/")
    sign_up(page, f"author{token_hex(3)}")
    page.goto("/workshop/")
    page.get_by_role("button", name="Star Battle").click()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    form = page.locator("#workshop[data-htmx-powered]")
    revision = form.locator("[name=revision]")
    begun = int(revision.input_value())
    for name in ("Every square is filled", "Squares may stay empty", "Every square is filled"):
        before = revision.input_value()
        page.get_by_role("button", name=name).click()
        expect(form.locator(f"[name=revision][value='{before}']")).to_have_count(0)
    undo = page.get_by_role("button", name="Undo")
    undo.evaluate("button => [1, 2, 3].forEach(() => button.click())")
    expect(revision).to_have_value(str(begun + 6))
    expect(undo).to_be_disabled()
    assert faults == []


@pytest.fixture
def contradiction(site) -> tuple[str, str]:
    """Return the session of a teacher, and the address of her draft that contradicts itself."""
    session, address = json.loads(site.manage(CONTRADICTION))
    return session, address


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_size_has_all_parts_and_no_fault(visit, contradiction, language):
    session, address = contradiction
    page = visit(address, session=session, language=language)
    expect(page.locator("#live .notice.bad")).to_be_attached(timeout=SOLVER)
    parts = page.locator("[name=part]")
    for size in SIZES:
        page.set_viewport_size(size)
        is_narrow = parts.first.is_visible()
        assert is_narrow == (size == PHONE)
        for number in range(3 if is_narrow else 1):
            if is_narrow:
                parts.nth(number).check()
                expect(page.locator("[data-part]:visible")).to_have_count(1)
            else:
                expect(page.locator("[data-part]:visible")).to_have_count(3)
            assert page.evaluate(f"async () => {{{VIOLATIONS}}}") == []
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_there_are_nine_controls(visit, contradiction):
    session, address = contradiction
    page = visit(address, session=session)
    controls = [
        page.locator("[popovertarget^=symbol]").first,
        page.get_by_role("button", name="Squares may stay empty"),
        page.locator(".workshop-rule .word").first,
        page.get_by_role("button", name="+ Rule"),
        page.locator("[popovertarget^=size]"),
        page.get_by_role("group", name="Draw with"),
        page.get_by_role("button", name="Another board"),
        page.get_by_role("button", name="Save as a kind"),
    ]
    for control in controls:
        expect(control).to_be_visible()
    # “Make it one” is the ninth. It is there when there are several solutions.
    assert len(controls) + 1 == MAX_CONTROLS


def test_without_scripts_each_press_is_a_page(chrome, site, contradiction):
    session, address = contradiction
    window = chrome.new_context(base_url=site.address, java_script_enabled=False, locale="en")
    window.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    page = window.new_page()
    page.goto(address)
    page.get_by_role("button", name="Undo").click()
    number, again = page.locator(".workshop-number"), page.get_by_role("link", name="Look again")
    for _ in range(240):
        if number.count():
            break
        page.wait_for_timeout(500)
        if again.count():
            again.click()
        else:
            page.goto(address)
    expect(number).to_have_text("1")
    page.locator(".workshop-rule").first.locator(".word", has_text="1").click()
    shown = page.locator(".workshop-list:popover-open")
    shown.get_by_role("button", name="2", exact=True).click()
    expect(page.locator(".workshop-rule").first).to_contain_text("exactly 2 stars")
    page.get_by_text("Set a point by its coordinates").click()
    page.get_by_label("Row and column").fill("1,2")
    wall = page.get_by_role("radio", name="Wall")
    wall.check()
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#live")).to_be_visible()
    expect(wall).to_be_checked()
    page.get_by_role("button", name="Try it").click()
    page.wait_for_url("**/trial/draft-*/")
    window.close()
