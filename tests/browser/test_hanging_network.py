"""A network that takes requests and answers nothing, or a proxy without its site, shows what is
stored."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_offline import kept, spot
from tests.cable import Cable
from tests.integration.lessons import give_lesson

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("fault", ["hangs", "502", "503", "504"])
def test_a_stored_board_opens_and_is_played_and_its_steps_are_sent_later(chrome, site, fault):
    lesson = give_lesson(site, [("maxstrings", ".../.../... 3")])
    board = lesson.boards[0]
    with Cable(site.port) as cable:
        window = chrome.new_context(base_url=cable.address, locale="en")
        cookie = {"name": "sessionid", "value": lesson.student, "url": cable.address}
        window.add_cookies([cookie])
        page = window.new_page()
        page.goto(board)
        assert kept(page, 0)
        if fault == "hangs":
            cable.hang()
        else:
            head = f"HTTP/1.1 {fault} Down\r\nContent-Type: text/html\r\nConnection: close\r\n"
            cable.answer_only(f"{head}Content-Length: 3\r\n\r\n{fault}".encode())
        page.goto(board, timeout=20_000)
        expect(page.locator("[data-offline]")).to_be_visible()
        spot(page, 1, 1).click()
        expect(spot(page, 1, 1)).to_have_attribute("data-is", "x")
        expect(page.locator("[data-offline] [data-number]")).to_have_text("Waiting to be sent: 1")
        cable.put_back()
        expect(page.locator("[data-offline]")).to_be_hidden()
        expect(page.locator("#board input[name=step]")).to_have_value("1")
        window.close()
