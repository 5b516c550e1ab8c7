"""Presses that many tests make, and the waiting for their results."""

from playwright.sync_api import Page, expect


def press(page: Page, what: str) -> None:
    """Press a tool or a spot, and wait until the server has processed it."""
    if what.startswith("take "):
        button = page.locator(f'button[data-tool][name=take][value="{what[5:]}"]')
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        return
    step = page.locator("#board input[name=step]")
    before = step.get_attribute("value")
    page.locator(f'#board .spot[data-move="{what}"]').click()
    if len(what) == 1:
        expect(page.locator("#board input[name=tool]")).to_have_value(what)
    else:
        expect(page.locator(f'#board input[name=step][value="{before}"]')).to_have_count(0)


def choose(page: Page, what: str) -> None:
    """Choose something in the menu of the board."""
    page.get_by_role("button", name="Menu", exact=True).click()
    page.locator("#play-menu").get_by_role("button", name=what, exact=True).click()


def count(page: Page) -> None:
    """Have the solutions of a saved puzzle counted, unless the editor has already counted them."""
    button = page.get_by_role("button", name="Count the solutions")
    button.or_(page.locator("#count .number")).first.wait_for()
    if button.is_visible():
        button.click()
