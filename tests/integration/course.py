"""The course of a rehearsed lesson by its plan, with what comes at its end: the discussion of what
was found, and looking back."""

import random
import re
import time
from collections import Counter
from html import unescape

from solvers.kind import split_moves
from tests.integration.led import FIRST_MOVES, LATE, LOOK_SECONDS, Led, solutions
from tests.integration.rehearsal import PLAN, Browser, Lesson


def discuss(led: Led) -> None:
    """Show the proposed slides one by one; compare groups, finders and the tree."""
    led.next()
    ways = solutions()
    by_class = Counter(way for own in led.found.values() for way in own)
    found = f"/assigned/{led.lesson.board}/found/?view=groups&by=first&total=1&missing=1"
    led.teacher.ask("what was found", found, {"do": "groups"})
    end = time.monotonic() + 60
    while "Groups:" not in (page := led.teacher.ask("what was found", found)[1]):
        assert time.monotonic() < end, "the solutions are not grouped"
        time.sleep(LOOK_SECONDS)
    first = Counter(split_moves(way)[0] for way in ways)
    first_found = Counter(split_moves(way)[0] for way in by_class)
    head = (
        f"Solutions: {len(ways)} · Groups: {len(first)} · "
        f"Groups that the class has found: {len(first_found)}"
    )
    led.expect_text("the groups", re.sub(r"</?b>", "", page), head)
    groups = re.findall(r"<span class=\"small\">Solutions: (\d+)</span>(.*?)</li>", page, re.S)
    shown = [(int(size), _number(r"Found: (\d+)", rest)) for size, rest in groups]
    wanted = [(size, first_found[move]) for move, size in first.items()]
    led.expect("the sizes of the groups, and what was found", sorted(shown), sorted(wanted))
    led.teacher.ask("what was found", found, {"do": "propose"})
    _, page = led.teacher.ask("what was found", found)
    slides = re.findall(r'value="slide:(\d+)"', page)
    for slide in slides:
        led.teacher.ask("what was found", found, {"do": f"slide:{slide}"})
        _, scene = led.teacher.ask("projector", "/screen/now/", htmx=True)
        led.expect("the boards on the projector", scene.count("<figure>"), 1)
    # A mistake and a solution, at least.
    led.expect("the number of slides is at least 2", len(slides) >= 2, True)
    _tree(led, len(ways), by_class)


def _tree(led: Led, total: int, by_class: Counter[str]) -> None:
    _, page = led.teacher.ask(
        "tree", f"/assigned/{led.lesson.board}/found/?view=tree&missing=1&total=1"
    )
    text = f"Solutions that the class has found: {len(by_class)} of {total}"
    led.expect_text("the tree", page, text)
    table = page[page.index("cases-students") :]
    cells = [int(n) for n in re.findall(r'<td class="figure">(\d+)</td>', table)]
    rows = [tuple(cells[at : at + 3]) for at in range(0, len(cells), 4)]
    led.expect(
        "the cases of the students",
        rows,
        [
            (len(own), total - len(own), sum(n > 1 for n in own.values()))
            for own in led.found.values()
        ],
    )


def look_back(led: Led) -> None:
    """Let all but the late students send a face and a sentence; compare what is read."""
    led.next()
    rng, here = random.Random(PLAN[-1]), led.students[:-LATE]
    faces = {student: rng.choice(("good", "almost", "hard")) for student in here}

    def look_back(student: Browser) -> None:
        url = re.search(r'data-go="(/lesson/look-back/)"', led.news(student))
        assert url, "the class is not led to looking back"
        _, page = student.ask("looking back", url.group(1))
        ticket = re.search(r'name="lesson" value="([^"]+)"', page)
        assert ticket, "the page doesn't name the lesson"
        said = {"face": faces[student], "sentence": f"It was {faces[student]}"}
        student.ask("reflection", url.group(1), {"lesson": unescape(ticket.group(1)), **said})

    led.at_once(look_back, here)
    page = led.teacher.ask("lesson page", led.page)[1]
    led.expect_text("the end", page, f"Have not looked back yet: {LATE}")
    led.press("end")
    _, page = led.teacher.ask("reflections", f"/assignments/{led.lesson.assignment}/reflections/")
    counted = Counter(faces.values())
    shown = [int(n) for n in re.findall(r'<span class="said">.*?<b>(\d+)</b>', page, re.DOTALL)]
    led.expect("the faces", shown, [counted[face] for face in ("good", "almost", "hard")])
    said = Counter(re.findall(r"<td>It was (\w+)</td>", page))
    led.expect("the sentences", said, counted)


def lead(lesson: Lesson) -> list[str]:
    """Lead the class; return what the teacher's pages show wrong."""
    led = Led(lesson)
    led.reach()
    led.come(led.students[:-LATE])
    led.question("move", FIRST_MOVES, lambda answer: bool(solutions(answer)))
    led.question("solvable", ("yes", "no"), lambda answer: answer == "yes")
    led.question("count", ("3", "5", "12"), lambda answer: int(answer) == len(solutions()))
    led.question("free", ("5", "7", "9"), lambda answer: answer == "7")
    led.come(led.students)
    led.solve()
    discuss(led)
    look_back(led)
    return led.faults


def _number(pattern: str, page: str) -> int:
    found = re.search(pattern, page)
    return int(found.group(1)) if found else 0
