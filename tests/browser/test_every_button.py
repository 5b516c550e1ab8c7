"""What the buttons of forms do in a browser when nothing else has been filled in."""

import json

import pytest

from tests.browser.test_pages import CRAWL, NOTHING, lesson

__all__ = ["lesson"]
pytestmark = pytest.mark.browser

OPENED = CRAWL.replace("if page.is_page", 'if "<form" in page.text')
"""A script that prints the addresses of pages and fragments that have forms."""

# Only a browser knows which fields stop a button. What can be opened is opened; nothing is sent.
PRESS_ALL = """
() => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  for (const part of document.querySelectorAll("dialog:not([open])")) part.show();
  for (const part of document.querySelectorAll("[popover]")) part.showPopover();
  let hindered = [];
  const note = ({ target }) =>
    hindered.push({ field: target.name, isSeen: target.checkVisibility() });
  const keep = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  addEventListener("invalid", note, true);
  addEventListener("submit", keep, true);
  const pressed = [];
  for (const [number, form] of [...document.forms].entries())
    for (const button of form.elements) {
      if (button.type !== "submit" || button.disabled) continue;
      hindered = [];
      form.requestSubmit(button);
      const sends = [button.formAction, button.name, button.value].join();
      pressed.push({ form: number, sends, hindered });
    }
  removeEventListener("invalid", note, true);
  removeEventListener("submit", keep, true);
  return pressed;
}
"""


def faults(pressed: list[dict]) -> list[str]:
    """Return what a user would not understand about buttons that send nothing.

    The browser says what is missing at a field that can be seen. A field may stop buttons that send
    one and the same thing; of different buttons, at least one does not need it.
    """
    found, stopped = [], {}
    for button in pressed:
        for field in button["hindered"]:
            if not field["isSeen"]:
                found.append(f"{button['sends']} is stopped by {field['field']}, which is not seen")
            stopped.setdefault((button["form"], field["field"]), set()).add(button["sends"])
    for (_form, field), sends in stopped.items():
        if len(sends) > 1:
            found.append(f"{field} stops {sorted(sends)}")
    return found


@pytest.mark.parametrize("reader", ["nobody", "student", "teacher"])
def test_every_button_sends_or_says_what_it_needs(visit, site, lesson, reader):
    addresses = json.loads(site.manage(OPENED.format(keys=lesson.keys)))[reader]
    page = visit(NOTHING, session=getattr(lesson, reader, None))
    found, buttons = {}, 0
    for path in addresses:
        page.goto(path)
        pressed = page.evaluate(PRESS_ALL)
        buttons += len(pressed)
        if said := faults(pressed):
            found[path] = said
    assert found == {}
    assert buttons > len(addresses)


MARKS = {
    "A flower for you": "Sent: ",
    "A week later": "Now due ",
    "Set this day": "Choose a day.",
    "Send the comment alone": "Choose a stamp or write a comment.",
}
"""What the page says after a press on a button, when nothing but a student is chosen."""


def test_the_buttons_above_a_ledger_do_what_they_say_for_the_ticked_student(visit, lesson):
    page = visit(lesson.table, session=lesson.teacher)
    for button, said in MARKS.items():
        page.locator("input[name=student]").first.check()
        with page.expect_response(lambda answer: answer.request.method == "POST"):
            page.get_by_role("button", name=button, exact=True).click()
        page.locator("main").get_by_text(said).first.wait_for()
