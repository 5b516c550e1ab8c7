"""Rules for every page, in both languages, on a Chromebook and a phone, light and dark.

axe-core finds no fault, every control has a name, and nothing is too wide for the window.
"""

import json

import pytest
from playwright.sync_api import Page

from tests.browser.axe import ALL_RULES, AXE
from tests.browser.conftest import DESKTOP, PHONE
from tests.integration.lessons import Lesson, give_lesson

pytestmark = pytest.mark.browser

BOARDS = [
    ("goishi", "o./oo/../oo"),
    ("tonari", "Bb/bb"),
    ("maxstrings", ".../.../..."),
    ("kikazu", "S2/3/3 RGP"),
]
GUESTS_BOARDS = [
    path.format(kind)
    for kind in ("goishi", "tonari", "maxstrings", "kikazu")
    for path in ("/how-to-play/{}/", "/practice/{}/1/1/")
]
LINES = ["1,1 2,1 2,2 4,2 4,1", "1,2", "x 1,1 o 1,2", "G 2,1"]
"""The moves that are played. The first line solves its puzzle."""

# The content of a class after some lessons, with a second class and an assignment that is over.
LIVED_IN = """
from datetime import timedelta
from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import ClassChange, Classroom, DataRecord, SignInCard
from puzzleclass.jobs import services as jobs
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.restarts import restart
from puzzleclass.play.models import Feedback
from puzzleclass.sharing.packs import make_pack
from django.utils import timezone
from solvers.kind import split_moves

keys = {keys!r}
classroom = Classroom.objects.get(pk=keys["class"])
student, teacher = User.objects.get(pk=keys["student"]), classroom.teachers.get()
teacher.is_staff = True
teacher.save()
assignment = classroom.assignments.get()
for assigned, line in zip(assignment.puzzles.order_by("number"), {lines!r}):
    attempt = current_attempt(student, assigned)
    for move in split_moves(line):
        attempt = take_step(attempt, attempt.next_step, "move", move)
    if assigned.number == 1:
        Feedback.objects.create(attempt=attempt, teacher=teacher, comment="Good", stamp="flower")
        attempt = restart(attempt)
        take_step(take_step(attempt, 0, "move", "2,1"), 1, "move", "1,1")
yesterday = timezone.now() - timedelta(days=1)
assign_puzzles(classroom, teacher, "Over", yesterday, list(assignment.puzzles.all()))
SignInCard.objects.create(student=student)
classroom.groups.create(name="Reds")
ClassChange.objects.create(
    teacher=teacher, done={{"made": [], "archived": [], "entered": [], "left": []}}
)
DataRecord.objects.create(actor=teacher, action="deleted")
make_pack(teacher, list(teacher.puzzles.all()), "Set")
jobs.ask(teacher, "goishi", "generate", "o./oo/../oo", {{"stones": [8, 8], "many": 1}})
"""

CRAWL = """
import json
from django.db import transaction
from puzzleclass.accounts.models import User
from puzzleclass.classes.models import Classroom
from tests.crawl import crawl

keys = {keys!r}
readers = {{
    "nobody": None,
    "student": User.objects.get(pk=keys["student"]),
    "teacher": Classroom.objects.get(pk=keys["class"]).teachers.get(),
}}
with transaction.atomic():
    opened = {{name: crawl(reader, most=1) for name, reader in readers.items()}}
print(json.dumps({{
    name: [page.url for page in pages if page.is_page] for name, pages in opened.items()
}}))
"""

LEAST = {"nobody": 5, "student": 5, "teacher": 55}
"""The least number of pages that each reader has."""

NOTHING = "/nothing-here/"
HELP_WITH_CODE = "/help/teachers/scripts/"

ENLARGED = {"width": 320, "height": 256}
"""The size of a window of 1280 by 1024 pixels at 400 %."""

LOOKS = [(DESKTOP, "light"), (PHONE, "light"), (PHONE, "dark"), (DESKTOP, "dark")]
OF_COLOURS = ["color-contrast", "link-in-text-block"]
OF_SIZES = ["target-size", "scrollable-region-focusable"]
"""The rules that depend on colours, and those that depend on sizes. All rules are checked at the
first look at a page, and those of sizes also on the phone. At the other looks, the rules of colours
are checked for each text that is coloured as none has been before."""

# A text's contrast follows from its own style and from the styles of what it stands in, so texts
# for which all of these are equal have the same contrast, on any page and in any window.
INKS = """
() => {
  const inks = new Map([[document.body.parentElement, ""]]), first = new Map();
  for (const part of document.querySelectorAll("body, body *")) {
    const style = getComputedStyle(part), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const own = [style.color, style.fill, style.backgroundColor, style.backgroundImage,
      style.opacity, style.textDecorationLine, style.textShadow, style.fontWeight, large].join();
    const around = inks.get(part.parentElement) ?? "";
    const ink = around.endsWith(`|${own}`) ? around : `${around}|${own}`;
    inks.set(part, ink);
    const says = [...part.childNodes].some(
      (child) => child.nodeType === Node.TEXT_NODE && child.data.trim());
    if ((says || part.matches("input, select, textarea, a")) && part.checkVisibility())
      if (!first.has(ink)) first.set(ink, part);
  }
  window.texts = [...first.values()];
  return [...first.keys()];
}
"""
"""A script that returns the ways in which visible texts on the page are coloured, and keeps one
text of each."""

FAULTS = """
() => {
  const faults = [];
  const headings = document.querySelectorAll("h1").length;
  if (headings !== 1) faults.push(`h1: ${headings}`);
  for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    const named = field.labels.length || field.ariaLabel || field.getAttribute("aria-labelledby");
    if (!named) faults.push(`no label: ${field.outerHTML}`);
  }
  for (const pressed of document.querySelectorAll("a[href], button:not([hidden])")) {
    const name = pressed.ariaLabel || pressed.textContent.trim() || pressed.querySelector("title");
    if (!name && !pressed.hasAttribute("aria-hidden")) faults.push(`no name: ${pressed.outerHTML}`);
  }
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) {
    const out = [...document.querySelectorAll("body *")].filter(
      (part) => part.getBoundingClientRect().right > innerWidth);
    faults.push(`${wide} pixels too wide: ${out.at(-1)?.outerHTML}`);
  }
  return faults;
}
"""

RUN = """
async ([rules, numbers]) => {
  const parts = numbers?.map((number) => window.texts[number]);
  const only = rules ? { runOnly: { type: "rule", values: rules } } : ALL_RULES;
  const { violations } = await axe.run(parts ? { include: parts } : document, {
    resultTypes: ["violations"], ...only });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}
""".replace("ALL_RULES", ALL_RULES)


@pytest.fixture(scope="module")
def lesson(site) -> Lesson:
    lesson = give_lesson(site, BOARDS)
    site.manage(LIVED_IN.format(keys=lesson.keys, lines=LINES))
    return lesson


@pytest.fixture(scope="module")
def addresses(site, lesson) -> dict[str, list[str]]:
    """Return the addresses of each reader, with some of every view."""
    return json.loads(site.manage(CRAWL.format(keys=lesson.keys)))


def faults(page: Page, path: str, inks: dict[str, set[str]]) -> list[str]:
    """Return what axe and our own checks find on the page, at all sizes and in all colour
    schemes. The browser tab must have axe as an init script.

    `inks` are those of texts whose colours have been checked, for each scheme. The function adds
    this page's to them.
    """
    open_page(page, path, DESKTOP)
    found = []
    for number, (size, scheme) in enumerate(LOOKS):
        if size != page.viewport_size:
            page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        runs: list[list[object]] = []
        if number == 0:
            found += page.evaluate(FAULTS)
            runs.append([None, None])
        elif number == 1:
            runs.append([OF_SIZES, None])
        here = page.evaluate(INKS)
        new = [text for text, ink in enumerate(here) if ink not in inks[scheme]]
        if number and new:
            runs.append([OF_COLOURS, new])
        inks[scheme].update(here)
        for run in runs:
            said = page.evaluate(RUN, run)
            found += [f"{scheme} {size['width']} {fault}" for fault in said]
    page.set_viewport_size(ENLARGED)
    return found + page.evaluate(FAULTS)


def open_page(page: Page, path: str, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    answer = page.goto(path)
    assert answer.status == (404 if path == NOTHING else 200), path


def paths_of(reader: str, addresses: dict[str, list[str]], lesson: Lesson) -> list[str]:
    """Return the pages to open for the reader, without duplicates."""
    paths = (
        addresses[reader]
        + {
            "nobody": [NOTHING, *GUESTS_BOARDS],
            "student": [*lesson.boards],
            "teacher": [HELP_WITH_CODE],
        }[reader]
    )
    if reader != "teacher":
        # The studies' pages are the longest, and those for a teacher have more than the others.
        paths = [path for path in paths if "/learn/" not in path]
    assert len(paths) >= LEAST[reader]
    return list(dict.fromkeys(paths))


READERS = pytest.mark.parametrize("reader", ["nobody", "student", "teacher"])


@READERS
def test_axe_finds_nothing(visit, lesson, addresses, reader):
    page = visit("/", session=getattr(lesson, reader, None), language="ja")
    page.add_init_script(AXE)
    paths = paths_of(reader, addresses, lesson)
    inks: dict[str, set[str]] = {"light": set(), "dark": set()}
    found = {path: said for path in paths if (said := faults(page, path, inks))}
    assert found == {}, json.dumps(found, indent=1, ensure_ascii=False)


@READERS
def test_everything_has_a_name_and_fits_in_english_too(visit, lesson, addresses, reader):
    page = visit("/", session=getattr(lesson, reader, None), language="en")
    found = {}
    for path in paths_of(reader, addresses, lesson):
        open_page(page, path, PHONE)
        said = page.evaluate(FAULTS)
        for size in (ENLARGED, DESKTOP):
            page.set_viewport_size(size)
            said += page.evaluate(FAULTS)
        if said:
            found[path] = said
    assert found == {}, json.dumps(found, indent=1)


def test_charts_fit_before_they_are_drawn(visit):
    page = visit("/join/", size=ENLARGED)
    page.route("**/charts.*.js", lambda route: route.abort())
    page.goto("/learn/goishi/")
    assert page.evaluate(FAULTS) == []
