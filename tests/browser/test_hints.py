"""A student takes hints: the worker's answers come by themselves, and lead back to the way."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def student(site) -> dict[str, str]:
    """A student who has been given a board, with two hints; what signs them in, and where."""
    return dict(
        line.split(" ", 1)
        for line in site.manage(
            "from datetime import timedelta\n"
            "from django.test import Client\n"
            "from django.utils import timezone\n"
            "from puzzleclass.accounts.models import User\n"
            "from puzzleclass.assignments.services import give\n"
            "from puzzleclass.classes.models import Classroom\n"
            "from puzzleclass.puzzles.models import Puzzle\n"
            "teacher = User.objects.create_teacher('ono', 'Ono Emi', 'stones')\n"
            "student = User.objects.create_student('Abe Haruto', '1234')\n"
            "classroom = Classroom.objects.create(name='5-1')\n"
            "classroom.teachers.add(teacher)\n"
            "classroom.enrolments.create(student=student, number=1)\n"
            "puzzle = Puzzle.objects.create(owner=teacher, kind_slug='goishi', title='Five',\n"
            "    position='o./oo/../oo')\n"
            "given = give(classroom, teacher, 'Hints', timezone.now() + timedelta(days=1),\n"
            "    [puzzle], hints=2)\n"
            "client = Client()\n"
            "client.force_login(student)\n"
            "print('key', client.cookies['sessionid'].value)\n"
            "print('board', f'/play/{given.puzzles.get().pk}/')\n"
        ).splitlines()
    )


def pick(page: Page, move: str) -> None:
    step = page.locator("#board input[name=step]")
    before = int(step.get_attribute("value"))
    page.locator(f'#board .spot[data-move="{move}"]').click()
    expect(step).to_have_value(str(before + 1))


def work(site) -> None:
    """Answer what is asked, unless the worker has: it may still be loading its kernels."""
    site.manage(
        "from puzzleclass.jobs import runner\n"
        "from puzzleclass.jobs.models import Job\n"
        "for job in Job.objects.filter(question='hint', state='waiting'):\n"
        "    runner.run(job.pk)\n"
    )


def test_hints_come_by_themselves_and_lead_back(visit, site, student):
    page = visit("/")
    cookie = {"name": "sessionid", "value": student["key"], "url": site.address}
    page.context.add_cookies([cookie])
    page.goto(student["board"])
    hint = page.locator("#hint")

    pick(page, "2,1")
    pick(page, "1,1")
    alive = hint.get_by_role("button", name="Can it still be solved?")
    # A press too many takes no second hint.
    alive.dblclick()
    expect(hint).to_contain_text("Hints left: 1")
    work(site)
    expect(hint).to_contain_text("This can't be solved any more.")
    expect(hint).to_contain_text("Hints left: 1")
    expect(hint).not_to_have_attribute("hx-trigger", "every 1s")
    hint.get_by_role("button", name="Back to the last position").click()
    expect(page.locator("#board input[name=step]")).to_have_value("3")

    hint.get_by_role("button", name="The next move").press("Enter")
    expect(hint).to_contain_text("Hints left: 0")
    work(site)
    expect(hint).to_contain_text("A good next move:")
    expect(page.locator("#board .hinted-move")).to_have_count(1)
    expect(hint).to_contain_text("Hints left: 0")
    # On another board the answer is gone, and there is nothing left to ask.
    page.locator('#board .spot[data-move="2,2"]').click()
    expect(page.locator("#board .hinted-move")).to_have_count(0)
    expect(hint.get_by_role("button")).to_have_count(0)
