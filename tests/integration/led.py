"""The second half of a rehearsed lesson: the teacher leads the class through two votes and a round.

One student is offline and misses the second vote, and pages are loaded again now and then. Every
number on the teacher's page is compared with what the clients have sent.
"""

import json
import random
import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html import unescape

from tests.integration.rehearsal import SOLUTION, Browser, Lesson

SESSIONS = """
import json
from django.test import Client
from puzzleclass.assignments.models import Assignment
made = []
for student in Assignment.objects.get(pk={assignment}).classroom.students.order_by("pk"):
    client = Client()
    client.force_login(student)
    made.append(client.cookies["sessionid"].value)
print(json.dumps(made))
"""
AT_A_TIME = 8
"""The number of clients that send at the same moment."""


def lead(lesson: Lesson) -> list[str]:
    """Lead the class; return what the teacher's page shows wrong."""
    sessions = json.loads(lesson.site.manage(SESSIONS.format(assignment=lesson.assignment)))
    students = [Browser(lesson.site, lesson.figures, session) for session in sessions]
    teacher = Browser(lesson.site, lesson.figures, lesson.session)
    faults: list[str] = []
    faults += _vote(lesson, teacher, students, "move", list(SOLUTION[:2]))
    faults += _vote(lesson, teacher, students, "solvable", ["yes", "no"])
    faults += _round(lesson, teacher, students)
    return faults


def _press(lesson: Lesson, teacher: Browser, do: str) -> str:
    url = f"/assignments/{lesson.assignment}/lesson/lead/"
    return teacher.ask("control", url, {"do": do}, htmx=True)[1]


def _news(lesson: Lesson, student: Browser) -> str:
    url = f"/assignments/{lesson.assignment}/lesson/now/?have="
    return student.ask("lesson", url, htmx=True)[1]


def _vote(
    lesson: Lesson, teacher: Browser, students: list[Browser], question: str, answers: list[str]
) -> list[str]:
    """Hold both rounds of a vote, and compare the numbers of answers after each."""
    rng, faults = random.Random(question), []
    teacher.ask("vote", f"/assigned/{lesson.board}/votes/new/", {"question": question})
    for number, next_stage in enumerate(("talk", "revealed")):
        here = students if question == "move" else students[1:]  # one has lost the network
        given = {student: rng.choice(answers) for student in here}

        def answer(student: Browser, given: dict[Browser, str] = given) -> None:
            url = re.search(r'data-go="(/votes/\d+/)"', _news(lesson, student))
            assert url, "the class is not led to the vote"
            if rng.random() < 0.2:
                student.ask("vote page", url.group(1))
            status, _ = student.ask("ballot", url.group(1), {"answer": given[student]}, htmx=True)
            assert status == 200, f"a ballot answered {status}"

        with ThreadPoolExecutor(AT_A_TIME) as pool:
            list(pool.map(answer, here))
        _, page = teacher.ask("lesson page", f"/assignments/{lesson.assignment}/lesson/")
        if f"Answers: {len(here)} of {len(students)}" not in page:
            faults.append(f"{question}: the page does not count {len(here)} answers")
        shown = [int(n) for n in re.findall(r'<td class="figure[^"]*">(\d+)</td>', page)]
        wanted = sorted(Counter(given.values()).values())
        if sorted(filter(None, shown[number :: number + 1])) != wanted:
            faults.append(f"{question}, round {number + 1}: {shown} instead of {wanted}")
        _press(lesson, teacher, f"vote:{next_stage}")
        if next_stage == "talk":
            _press(lesson, teacher, "vote:second")
    _press(lesson, teacher, "vote:over")
    return faults


def _round(lesson: Lesson, teacher: Browser, students: list[Browser]) -> list[str]:
    """Play a round that half of the class solves."""
    _press(lesson, teacher, f"round:{lesson.board}")
    left = re.search(r'data-begins-in="(\d+)"', _news(lesson, students[0]))
    assert left, "no countdown"
    time.sleep(int(left.group(1)) / 1000)
    half = students[: len(students) // 2]

    def solve(student: Browser) -> None:
        _, text = student.ask("board", f"/play/{lesson.board}/")
        for step, move in enumerate(SOLUTION):
            url = re.search(r'hx-post="([^"]*/steps/)"', text)
            assert url, "the board has no form"
            sent = {"action": "move", "move": move, "step": step}
            _, text = student.ask("move", url.group(1), sent, htmx=True)
        assert "Solved!" in unescape(text), "the board is not solved"

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(solve, half))
    page = _press(lesson, teacher, "round:end")
    _press(lesson, teacher, "end")
    wanted = f"Solved: {len(half)} of {len(students)}"
    return [] if wanted in page else [f"the round does not show “{wanted}”"]
