"""The job card in a real browser: it follows its job by itself and comes to rest."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

LONG = "/".join(["oooooo"] * 5 + ["oo...."])
LONGER = "/".join(["oooooo"] * 5 + ["ooooo."])
"""Some seconds of counting, and half a minute and more."""

ASK = """
from django.test import Client
from puzzleclass.accounts.models import User
from puzzleclass.jobs.services import ask
teacher = User.objects.filter(username="t").first() or User.objects.create_teacher("t", "T", "x")
client = Client()
client.force_login(teacher)
print(ask(teacher, "goishi", "count", {position!r}).pk, client.cookies["sessionid"].value)
"""


@pytest.fixture
def open_card(site, visit) -> Callable[[str], Page]:
    """Has a board counted, and opens the card's own page as the teacher who asked."""

    def open_card(position: str) -> Page:
        pk, session = site.manage(ASK.format(position=position)).split()
        page = visit(f"/jobs/{pk}/", session=session)
        # What a page around the card does: it hears the end.
        page.evaluate("document.addEventListener('job-ended', () => document.title = 'heard')")
        return page

    return open_card


def polls(page: Page, seconds: float) -> int:
    """Count the card's requests for so long."""
    seen = []
    page.on("request", lambda request: seen.append(urlsplit(request.url).path))
    page.wait_for_timeout(seconds * 1000)
    return len([path for path in seen if path.startswith("/jobs/")])


def test_it_shows_the_answer_without_a_reload_and_rests(site, open_card):
    with site.worker_held():
        page = open_card(LONG)
    card = page.locator(".job-card")
    expect(card.locator("progress")).to_be_visible()
    expect(card).to_contain_text("At least")
    with site.worker_held():
        stop = card.get_by_role("button", name="Stop")
        stop.focus()
        with page.expect_response("**/jobs/**") as response:
            pass
        assert response.value.ok
        expect(stop).to_be_focused()  # the keyboard is not thrown off by a refresh
        # A server out of reach for a while changes nothing.
        page.context.set_offline(True)
        with page.expect_event("requestfailed"):
            pass
        expect(card.locator("progress")).to_be_visible()
        page.context.set_offline(False)
    expect(card.locator(".number")).to_have_text("209,758,055", timeout=120_000)
    expect(page).to_have_title("heard")
    assert polls(page, 2.5) == 0


def test_stop(site, open_card):
    with site.worker_held():
        page = open_card(LONGER)
    card = page.locator(".job-card")
    expect(card.locator("progress")).to_be_visible()
    with site.worker_held():
        card.get_by_role("button", name="Stop").click()
        expect(card).to_have_attribute("data-state", "stopping")
    expect(card).to_have_attribute("data-state", "stopped")
    expect(page).to_have_title("heard")
    assert polls(page, 2.5) == 0
    with page.expect_request("**/jobs/*/"):
        card.get_by_role("button", name="Ask again").click()
        expect(card.locator("progress")).to_be_visible()
