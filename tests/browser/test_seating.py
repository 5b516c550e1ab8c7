"""Starting with a class: from no account to 40 printed cards and a signed-in student, in
presses."""

import re
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE

pytestmark = pytest.mark.browser

CLASS = "番号\t氏名\tふりがな\t性別\n" + "\n".join(
    f"{n}\t生徒 {n}\tせいと\t{'男女'[n % 2]}" for n in range(1, 41)
)
MAX_PRESSES = 4


def pages_printed(page: Page) -> list[int]:
    """Return how many sheets of A4 and of Letter the page takes."""
    printed = (page.pdf(format=paper) for paper in ("A4", "Letter"))
    return [len(re.findall(rb"/Type\s*/Page\b", pdf)) for pdf in printed]


def test_account_and_class_of_forty_are_printed_with_four_presses(visit):
    teacher, presses = visit("/"), 0

    def press(role: str, name: str) -> None:
        nonlocal presses
        presses += 1
        teacher.get_by_role(role, name=name).click()

    teacher.add_init_script("window.print = () => { window.wasPrinted = true; };")
    press("link", "Start with a new account")
    teacher.get_by_label("Username").fill(f"kimura-{token_hex(3)}")
    teacher.get_by_label("Password", exact=True).fill("stones on a board")
    press("button", "Create account")
    teacher.get_by_label("or another name").fill("4-2")
    # The list is pasted, and the page shows by itself how it was understood.
    teacher.get_by_label("List of students").fill(CLASS)
    expect(teacher.locator("#preview tbody tr")).to_have_count(40)
    press("button", "Create a class")
    expect(teacher.locator(".slip .qr")).to_have_count(40)
    expect(teacher.locator(".slip-pin b")).to_have_count(40)
    press("button", "Print")
    assert teacher.evaluate("window.wasPrinted")
    assert presses == MAX_PRESSES

    # A sheet has eight cards, or ten; no card is split, and one card can be printed alone.
    assert pages_printed(teacher) == [5, 5]
    teacher.get_by_role("link", name="10 to a sheet").click()
    expect(teacher.locator(".per-10")).to_have_count(1)
    assert pages_printed(teacher) == [4, 4]
    pin = teacher.locator(".slip-pin b").nth(6).text_content() or ""
    code = teacher.locator(".slip b.code").last.text_content()
    teacher.get_by_role("link", name="Only this card").nth(6).click()
    expect(teacher.locator(".slip")).to_have_count(1)
    assert pages_printed(teacher) == [1, 1]

    # A student signs in by pressing the number and four digits only.
    student = visit(f"/join/{code}/", size=PHONE)
    expect(student.locator("main")).not_to_contain_text("生徒 7")
    student.get_by_role("link", name="7", exact=True).click()
    for digit in pin:
        student.locator(f'[data-digit="{digit}"]').click()
    expect(student.get_by_role("heading", level=1)).to_contain_text("生徒 7")
    student.get_by_role("button", name="Sign out").click()
    expect(student.get_by_role("heading", level=1)).to_have_text("Choose your number.")

    # On a new device, wrong PINs block the sign-in, and the remaining time is counted down.
    stranger = visit(f"/join/{code}/", size=PHONE)
    stranger.get_by_role("link", name="7", exact=True).click()
    wrong = "0000" if pin != "0000" else "1111"
    for left in range(4, 0, -1):
        stranger.get_by_label("Your PIN").fill(wrong)
        expect(stranger.get_by_role("alert")).to_contain_text(f"Attempts left: {left}")
    stranger.get_by_label("Your PIN").fill(wrong)
    expect(stranger.locator("[data-countdown]")).to_have_text(re.compile(r"^(1:00|0:5\d)$"))
    expect(stranger.locator("[data-countdown]")).to_have_text(re.compile(r"^0:5\d$"))


def test_a_file_is_read_into_the_box_and_mended_there(visit, sign_up):
    teacher = visit("/")
    sign_up(teacher, "nomura")
    teacher.get_by_label("or another name").fill("5-1")
    teacher.get_by_label("or a file").set_input_files(
        {
            "name": "list.csv",
            "mimeType": "text/csv",
            "buffer": "番号,氏名\n3,阿部\n3,伊藤".encode("cp932"),
        }
    )
    expect(teacher.locator("#preview .is-faulty")).to_have_count(2)
    expect(teacher.locator("#preview")).to_contain_text("Number 3 appears in lines 2, 3.")
    teacher.get_by_label("List of students").fill("番号,氏名\n3,阿部\n4,伊藤")
    expect(teacher.locator("#preview .is-faulty")).to_have_count(0)
    teacher.get_by_role("button", name="Create a class").click()
    expect(teacher.locator(".slip .qr")).to_have_count(2)
