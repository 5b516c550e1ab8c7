"""Steps whose answers have no content leave the page as the server would have drawn it."""

import pytest
from playwright.sync_api import Page, Response, expect

from solvers.registry import ready_kinds
from tests.browser.test_at_once import slow_down, spot, stands, step, stored
from tests.browser.test_offline import kept
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

# Name of the table -> its board, the tool to take up, and the places to press.
BOARDS = {
    "queens": ("5x5", "", [(1, 1), (2, 3), (2, 3), (1, 4), (3, 3), (5, 5)]),
    "sudoku": ("4x4", "=2", [(1, 1), (1, 2), (3, 3), (1, 2), (4, 1), (3, 4)]),
    "slitherlink": ("4x4", "", [(1, 2), (1, 5), (2, 1), (1, 5), (4, 2), (1, 2)]),
    "light_up": ("5x5", "", [(1, 1), (1, 5), (3, 3), (1, 5), (5, 1)]),
}

FACTS = """(part) => {
  const read = (element, ...names) => names.map((name) => element?.getAttribute(name) ?? "");
  const isOff = (element) => element?.getAttribute("aria-disabled") === "true";
  const svg = part.querySelector("svg.picture").cloneNode(true);
  const spots = [...svg.querySelectorAll(".spot")].map((spot) => {
    for (const mark of spot.querySelectorAll(".fault")) mark.remove();
    const shapes = spot.innerHTML.replace(/></g, ">\\n<");
    const names = ["data-row", "data-column", "aria-label", "data-is", "data-move", "data-closed"];
    return [...read(spot, ...names, "data-pending", "transform", "class"), shapes].join(" | ");
  });
  const rings = [...new Set([...part.querySelectorAll(".fault")].map((ring) => {
    const spot = ring.closest(".spot")?.dataset;
    const cell = ["cy", "cx"].map((name) => Math.floor(ring.getAttribute(name) / 40));
    return spot ? `${spot.row},${spot.column}` : cell.join();
  }))].sort();
  for (const each of svg.querySelectorAll(".spot, .fault")) each.remove();
  const words = (name) => part.querySelector(name)?.textContent.replace(/\\s+/g, " ").trim() ?? "";
  const [undo, redo] = part.querySelectorAll(".play-controls [form=board]");
  const again = part.querySelector("#restart button");
  const slider = part.querySelector(".play-moves [type=range]");
  return {
    spots, rings,
    rest: svg.innerHTML.replace(/></g, ">\\n<"),
    at: read(part.querySelector("form"), "data-at", "action"),
    steps: [...part.querySelectorAll("input[name=step]")].map((field) => field.value),
    tool: part.querySelector("#board [name=tool]").value,
    status: words(".play-status"), kind: part.querySelector(".play-status").className.trim(),
    told: [...part.querySelectorAll(".play-told li")].map((line) => line.textContent),
    hint: words(".hint"),
    controls: [isOff(undo), isOff(redo), ...read(redo, "value")],
    again: [isOff(again), ...read(again, "type", "popovertarget")],
    slider: [slider.max, slider.value, slider.defaultValue, slider.nextElementSibling.textContent],
  };
}"""

BOTH = f"""async () => {{
  const facts = {FACTS};
  const answer = await fetch(location.pathname + "?tool=" + encodeURIComponent(
    document.querySelector("#board [name=tool]").value), {{ headers: {{ "HX-Request": "true" }} }});
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  return [facts(document.getElementById("play")), facts(drawn.getElementById("play"))];
}}"""
"""A script that returns what the page shows, and what the server would have drawn."""


@pytest.fixture
def lesson(site) -> Lesson:
    return give_lesson(
        site, [(ready_kinds()[name].slug, board) for name, (board, _, _) in BOARDS.items()]
    )


def same(page: Page) -> None:
    shown, drawn = page.evaluate(BOTH)
    # Only the server knows what an undo took back when the page is opened anew.
    shown["status"] = drawn["status"] if "undone" in drawn["status"] else shown["status"]
    assert shown == drawn


def pressed(page: Page, cell: tuple[int, int]) -> Response:
    """Press a place and return the answer."""
    with page.expect_response(lambda answer: answer.url.endswith("/steps/")) as answered:
        spot(page, cell).locator(".press").click(force=True)
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    return answered.value


def test_the_rules_still_judge_after_an_expected_refusal(visit, site):
    lesson = give_lesson(site, [("goishi", "ooo/ooo/ooo")])
    page = visit(lesson.boards[0], session=lesson.student)
    page.wait_for_load_state("networkidle")
    pressed(page, (1, 1))
    for _ in range(2):
        # A stone further away is hidden behind a nearer one.
        answer = pressed(page, (3, 3))
        assert (answer.status, answer.headers["refused"]) == (204, "422")
        expect(page.locator(".play-status.bad")).to_be_visible()
    assert pressed(page, (1, 2)).status == 200
    expect(page.locator(".play-status.bad")).to_have_count(0)
    assert pressed(page, (3, 3)).status == 204


@pytest.mark.parametrize("name", BOARDS)
def test_the_page_is_as_the_server_draws_it(visit, lesson, name):
    page = visit(lesson.boards[list(BOARDS).index(name)], session=lesson.student)
    page.wait_for_load_state("networkidle")
    _, tool, cells = BOARDS[name]
    if tool:
        page.locator(f'#tools button[value="{tool}"]').click()
        expect(page.locator("#board [name=tool]")).to_have_value(tool)
    statuses = []
    for number, cell in enumerate(cells, 1):
        statuses.append(pressed(page, cell).status)
        expect(step(page)).to_have_value(str(number))
        same(page)
    assert statuses[0] == 200 and 204 in statuses and statuses.count(200) <= 2
    for number, button in enumerate(("Undo", "Undo", "Redo"), len(cells) + 1):
        page.get_by_role("button", name=button).click()
        expect(step(page)).to_have_value(str(number))
        same(page)
    pressed(page, cells[0])
    same(page)


@pytest.mark.journey
def test_steps_that_wait_stay_on_the_board(visit, lesson):
    page = visit(lesson.boards[0], session=lesson.student)
    page.wait_for_load_state("networkidle")
    slow_down(page, 300)
    cells = [(1, 1), (1, 2), (2, 4), (4, 4), (5, 2)]
    for cell in cells:
        spot(page, cell).locator(".press").click(force=True)
    assert stands(page, dict.fromkeys(cells)) == dict.fromkeys(cells, "o")
    expect(step(page)).to_have_value("5")
    expect(page.locator("#board [data-pending]")).to_have_count(0)
    assert stands(page, dict.fromkeys(cells)) == dict.fromkeys(cells, "o")
    same(page)
    page.reload()
    assert stands(page, dict.fromkeys(cells)) == dict.fromkeys(cells, "o")


def test_the_stored_page_has_the_steps_that_came_without_a_content(visit, site, lesson):
    page = visit(lesson.boards[0], session=lesson.student, service_workers="allow")
    assert kept(page, 0)
    assert [pressed(page, cell).status for cell in [(1, 1), (2, 3)]] == [200, 204]
    assert kept(page, 2)
    page.context.set_offline(True)
    spot(page, (4, 4)).locator(".press").click(force=True)
    page.reload()
    cells = [(1, 1), (2, 3), (4, 4)]
    assert stands(page, dict.fromkeys(cells)) == dict.fromkeys(cells, "o")
    page.get_by_role("button", name="Undo").click()
    now = {(1, 1): "o", (2, 3): "o", (4, 4): "."}
    assert stands(page, now) == now
    page.context.set_offline(False)
    expect(step(page)).to_have_value("4")
    moves = stored(site, lesson, ready_kinds()["queens"].slug)
    assert moves == ["o 1,1", "o 2,3", "o 4,4", "undo"]
    # A page that was opened later can take back every move, and so can what is stored of it.
    page.reload()
    assert pressed(page, (5, 5)).status == 204
    assert kept(page, 5)
    page.context.set_offline(True)
    page.reload()
    for left in (2, 1, 0):
        page.get_by_role("button", name="Undo").click()
        now = {cell: "o" if at < left else "." for at, cell in enumerate([(1, 1), (2, 3), (5, 5)])}
        assert stands(page, now) == now
    page.get_by_role("button", name="Redo").click()
    assert stands(page, {(1, 1): None}) == {(1, 1): "o"}
    page.context.set_offline(False)
    expect(step(page)).to_have_value("9")
