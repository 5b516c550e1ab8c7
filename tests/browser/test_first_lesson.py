"""The first lesson from an empty installation: what a new teacher does in ten minutes."""

import re
from collections.abc import Iterator
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.integration.processes import SMALL, Site

pytestmark = pytest.mark.browser

STUDY_EXAMPLE = "5\n1 1\n1 3\n1 4\n2 1\n2 3"
"""The five stones of the school poster, y upwards: the board o./oo/../oo, which has 5 solutions."""
SOLUTION = ["1,1", "2,1", "2,2", "4,2", "4,1"]
ANOTHER = ["1,1", "2,1", "4,1", "4,2", "2,2"]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """Provide an installation that nobody has used, on a machine with little memory."""
    folder = tmp_path_factory.mktemp("new")
    with Site(folder / "var", folder / "log", MEMORY_MB=SMALL) as site:
        yield site.start_prepared()


def press_stone(page: Page, stone: str) -> None:
    """Press a stone and wait until the server has processed it."""
    page.locator(f'#board .spot[data-move="{stone}"]').click()
    expect(page.locator(f'#board .spot[data-move="{stone}"]')).to_have_count(0)


def new_teacher(site: Site) -> str:
    """Create a teacher; return the key of a session in which she is signed in."""
    return site.manage(
        "from django.test import Client\n"
        "from puzzleclass.accounts.models import User\n"
        "client = Client()\n"
        f"teacher = User.objects.create_teacher('mori-{token_hex(3)}', 'Mori Jun', 'stones')\n"
        "client.force_login(teacher)\n"
        "print(client.cookies['sessionid'].value)"
    )


@pytest.mark.journey
def test_from_an_empty_installation_to_a_class_that_has_solved_it(visit):
    # A teacher starts.
    teacher = visit("/")
    teacher.get_by_role("link", name="Start with a new account").click()
    teacher.get_by_label("Username").fill(f"sato-{token_hex(3)}")
    teacher.get_by_label("Password", exact=True).fill("stones on a board")
    teacher.get_by_role("button", name="Create account").click()
    # She could create the class at once, but here a puzzle comes first.
    expect(teacher.get_by_role("heading", level=1)).to_have_text("Create a class")
    expect(teacher.locator("main")).to_contain_text("Welcome. This is the first step")

    # The study's example text becomes a board.
    teacher.goto("/puzzles/new/")
    teacher.get_by_role("link", name="Goishi Hiroi").click()
    teacher.get_by_label("Paste a board as text").fill(STUDY_EXAMPLE)
    teacher.get_by_role("button", name="Put on the board").click()
    expect(teacher.locator("#editor input[name=draft]")).to_have_value("o./oo/../oo")
    teacher.get_by_label("Title").fill("Five stones")
    teacher.locator("#editor").get_by_role("button", name="Save").last.click()
    expect(teacher.get_by_role("heading", level=1)).to_have_text("Five stones")

    # The worker counts its solutions; one is played, and the page says where they start.
    teacher.get_by_role("button", name=re.compile("^(Count|Show where) ")).click()
    # The worker has only just started, so it loads its kernels first.
    expect(teacher.locator("#count .number")).to_have_text("5", timeout=60_000)
    player = teacher.locator("[data-player]")
    expect(player).to_contain_text("of 5")
    expect(player).to_contain_text("Move 0 of 5")
    teacher.locator("h1").click()
    teacher.keyboard.press("ArrowRight")
    expect(player).to_contain_text("Move 1 of 5")
    player.locator("[data-speed]").select_option("fast")
    player.get_by_role("button", name="Play").click()
    expect(player).to_contain_text("Move 5 of 5")
    begins = teacher.locator("#count details.card").filter(has_text="Where solutions begin")
    expect(begins.locator("tbody td")).not_to_have_count(0)
    numbers = begins.locator("tbody td").all_text_contents()
    assert sum(map(int, numbers)) == 5

    # She creates a class and gets its PINs.
    teacher.get_by_role("link", name="Classes").click()
    teacher.get_by_role("link", name="Create a class").first.click()
    teacher.get_by_label("or another name").fill("4-2")
    teacher.get_by_label("List of students").fill("Abe Haruto\nIto Yui")
    expect(teacher.locator("#preview tbody tr")).to_have_count(2)
    teacher.get_by_role("button", name="Create a class").click()
    slip = teacher.locator(".slip").filter(has_text="Ito Yui")
    expect(slip.locator("b")).to_have_count(2)
    pin, code = slip.locator("b").all_text_contents()

    # She assigns the puzzle to the class.
    teacher.get_by_role("link", name="Puzzles").click()
    teacher.get_by_role("link", name="Five stones").first.click()
    teacher.get_by_role("link", name="4-2").click()
    teacher.get_by_label("Title", exact=True).fill("First lesson")
    teacher.get_by_role("button", name="Assign").click()
    expect(teacher.get_by_role("heading", level=1)).to_have_text("First lesson")
    table = teacher.locator("#ledger")
    expect(table).to_contain_text("0 of 2")

    # A student signs in on a phone, without an e-mail address.
    student = visit("/", size=PHONE)
    student.get_by_label("For students").fill(code.lower())
    student.get_by_role("button", name="Go to my class").click()
    student.get_by_role("link", name="2", exact=True).click()
    # The fourth digit submits the form by itself.
    for digit in pin:
        student.locator(f'[data-digit="{digit}"]').click()
    student.get_by_role("link", name="Begin").click()

    # A wrong step is explained, and the right ones solve the puzzle.
    press_stone(student, "4,2")
    student.locator('#board .spot[data-move="1,1"]').click()
    expect(student.locator(".play-status")).to_contain_text("not in line with the last one")
    student.get_by_role("button", name="Undo").click()
    expect(student.locator("#board .spot")).to_have_count(5)
    for stone in SOLUTION[:-1]:
        press_stone(student, stone)
    student.locator(f'#board .spot[data-move="{SOLUTION[-1]}"]').click()
    expect(student.locator(".play-told")).to_contain_text("Solution 1 of 5")

    # The student solves it in another way by keyboard: the focus moves to the nearest stone left.
    student.get_by_role("button", name="Look for another solution").click()
    student.locator('#board .spot[data-move="1,1"]').focus()
    for keys, next_stone in (
        (["Enter"], "2,1"),
        (["Enter"], "2,2"),
        (["ArrowDown", "ArrowLeft", "Enter"], "4,2"),
    ):
        for key in keys:
            student.keyboard.press(key)
        expect(student.locator("#board .spot:focus")).to_have_attribute("data-move", next_stone)
    for stone in ANOTHER[3:-1]:
        press_stone(student, stone)
    student.locator(f'#board .spot[data-move="{ANOTHER[-1]}"]').click()
    expect(student.locator(".play-told")).to_contain_text("Solution 2 of 5")

    # The class page shows this without being reloaded.
    row = table.locator("tbody tr").filter(has_text="Ito Yui")
    expect(row.locator(".cell.solved")).to_have_count(1)
    expect(table.locator("thead")).to_contain_text("Solutions found: 2 of 5")

    # The solutions that the class has found can be played.
    table.get_by_role("link", name=re.compile("Five stones")).click()
    teacher.get_by_role("link", name="How many are there?").click()
    expect(teacher.get_by_role("status").filter(has_text="2 of 5")).to_be_visible()


def test_the_editor_draws_what_is_pressed(visit, site):
    page = visit("/puzzles/new/goishi/", session=new_teacher(site))
    draft = page.locator("#editor input[name=draft]")
    page.get_by_label("Rows").fill("2")
    page.get_by_label("Rows").press("Tab")
    expect(draft).to_have_value("/".join(["." * 6] * 2))
    page.locator('#editor .spot[data-move="1,2"]').click()
    expect(draft).to_have_value(".o..../......")
    # With the keyboard, the focus stays on the board.
    page.locator('#editor .spot[data-move="1,2"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(draft).to_have_value(".o..../.o....")
    expect(page.locator('#editor .spot[data-move="2,2"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(draft).to_have_value(".o..../.oo...")
    page.get_by_role("button", name="Undo").click()
    expect(draft).to_have_value(".o..../.o....")

    # A text that can't be read is reported, with the place of its fault, and stays in the box.
    box = page.get_by_label("Paste a board as text")
    box.fill("o.o\no?o")
    expect(page.locator("#pasted")).to_contain_text("Line 2, column 2")
    expect(box).to_have_value("o.o\no?o")
