"""The job card in a real browser: it follows its job by itself and stops when the job has ended."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.questions import LONG, LONG_COUNT, LONGER

pytestmark = pytest.mark.browser

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
    """Have a board counted, and open the card's own page as the teacher who asked."""

    def open_card(position: str) -> Page:
        pk, session = site.manage(ASK.format(position=position)).split()
        page = visit(f"/jobs/{pk}/", session=session)
        # Listen for the event of the job's end, as a page around the card does.
        page.evaluate("document.addEventListener('job-ended', () => document.title = 'heard')")
        return page

    return open_card


def polls(page: Page, seconds: float) -> int:
    """Return the number of the card's requests within this time."""
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
        expect(stop).to_be_focused()  # a refresh keeps the focus
        # A server that can't be reached for a while changes nothing.
        page.context.set_offline(True)
        with page.expect_event("requestfailed"):
            pass
        expect(card.locator("progress")).to_be_visible()
        page.context.set_offline(False)
    expect(card.locator(".number")).to_have_text(f"{LONG_COUNT:,}", timeout=240_000)
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
        card.get_by_role("button", name="Calculate again").click()
        expect(card.locator("progress")).to_be_visible()
    # Without this, the count would go on beside the next tests.
    card.get_by_role("button", name="Stop").click()
    expect(card).to_have_attribute("data-state", "stopped")
