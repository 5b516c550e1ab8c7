"""A student takes hints. The worker's answers appear by themselves and lead back to a solution."""

import pytest
from playwright.sync_api import Page, expect

from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


def pick(page: Page, move: str) -> None:
    step = page.locator("#board input[name=step]")
    before = int(step.get_attribute("value"))
    page.locator(f'#board .spot[data-move="{move}"]').click()
    expect(step).to_have_value(str(before + 1))


def work(site) -> None:
    """Answer the question, unless the worker has: it may still be loading its kernels."""
    site.manage(
        "from puzzleclass.jobs import runner\n"
        "from puzzleclass.jobs.models import Job\n"
        "for job in Job.objects.filter(question='hint', state='waiting'):\n"
        "    runner.run(job.pk)\n"
    )


def test_hints_come_by_themselves_and_lead_back(visit, site):
    lesson = give_lesson(site, [("goishi", "o./oo/../oo")], hints=1)
    page = visit(lesson.boards[0], session=lesson.student)
    hint = page.locator("#hint")

    pick(page, "2,1")
    pick(page, "1,1")
    # A hint costs nothing when no move is left, because everybody can see that.
    alive = hint.get_by_role("button", name="Can it still be solved?")
    # An extra press takes no second hint.
    alive.dblclick()
    expect(hint).to_contain_text("Hints left: 1")
    work(site)
    expect(hint).to_contain_text("This can't be solved any more.")
    expect(hint).to_contain_text("Hints left: 1")
    expect(hint.locator("[hx-trigger]")).to_have_count(0)
    hint.get_by_role("button", name="Go back to the last position").click()
    expect(page.locator("#board input[name=step]")).to_have_value("3")

    hint.get_by_role("button", name="The next move").press("Enter")
    work(site)
    expect(hint).to_contain_text("A good next move:")
    expect(page.locator("#board .hinted-move")).to_have_count(1)
    expect(hint).to_contain_text("Hints left: 0")
    # On the next board the answer is gone, and no further hint is offered.
    page.locator('#board .spot[data-move="2,2"]').click()
    expect(page.locator("#board .hinted-move")).to_have_count(0)
    expect(hint.get_by_role("button")).to_have_count(0)
