"""The second half of a rehearsed lesson: a pause, and the phases of a plan one after the other.

They are questions with reasons, a solved board, the discussion, and looking back. Two teachers
press the button of each phase at once. One student's laptop sleeps through a question, another has
no network while a board is solved, two arrive late, and pages are loaded again now and then. Every
number on the teacher's pages is compared with what the clients have sent, or with brute force.
"""

import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from threading import Event
from urllib.parse import urlencode

from puzzleclass.charts import round_half_up
from solvers.kind import split_moves
from solvers.registry import get_kind
from tests.integration.rehearsal import BOARD, MISTAKE, PLAN, SOLUTION, Browser, Lesson, versions

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
ASK_SECONDS, LOOK_SECONDS = 1.25, 1
"""Seconds between two requests of a student's page and of the lesson page, as in the templates."""
ANSWERS_WITHIN = 2
"""Seconds within which all students send their answers, at a human pace."""
CLOSING_SECONDS = 5.2
"""Seconds after which a question is closed, and a little more."""
LATE = 2
"""The number of students who arrive late."""
REACHING_PRESSES = 8
"""How many presses for everybody are measured."""
OFFLINE_SECONDS = 3
"""The time without a network in which a student plays a board."""

FIRST_MOVES = (SOLUTION[0], "2,1", MISTAKE)


def solutions(line: str = "") -> list[str]:
    """Return all solutions of the board after a line, by brute force."""
    kind = get_kind("goishi")

    def after(position: object) -> Iterable[str]:
        if kind.judge(position).solved:
            yield kind.write_line(position)
        else:
            for move in kind.moves(position):
                yield from after(kind.play(position, move))

    return list(after(kind.play_line(kind.read(BOARD), line)))


class Led:
    """A class that is led by its teacher, and what the teacher's pages show wrong."""

    def __init__(self, lesson: Lesson) -> None:
        sessions = json.loads(lesson.site.manage(SESSIONS.format(assignment=lesson.assignment)))
        self.lesson, self.faults = lesson, list[str]()
        self.students = [Browser(lesson.site, lesson.figures, session) for session in sessions]
        self.teacher = Browser(lesson.site, lesson.figures, lesson.session)
        self.teachers = [self.teacher, Browser(lesson.site, lesson.figures, lesson.session)]
        self.page = f"/assignments/{lesson.assignment}/lesson/"
        self.sleeping, self.offline = self.students[2], self.students[1]
        self.phase = 0
        self.found = {student: Counter([" ".join(SOLUTION)]) for student in self.students}
        """The solutions that each student has found, with their number."""

    def expect(self, what: str, shown: object, wanted: object) -> None:
        if shown != wanted:
            self.faults.append(f"{what}: {shown} instead of {wanted}")

    def expect_text(self, where: str, page: str, text: str) -> None:
        if text not in " ".join(unescape(page).split()):
            self.faults.append(f"{where}: no “{text}”")

    def press(self, do: str, **fields: object) -> str:
        sent = {"do": do, **fields}
        return self.teacher.ask("control", f"{self.page}lead/", sent, htmx=True)[1]

    def next(self) -> None:
        """Go on to the next phase. Two teachers press the button, and one step is made."""
        self.phase += 1
        sent = {"do": f"phase:{self.phase}"}
        self.at_once(lambda each: each.ask("control", f"{self.page}lead/", sent), self.teachers)
        page = self.teacher.ask("lesson page", self.page)[1]
        self.expect_text("the phases", page, f"Phase {self.phase} of {len(PLAN)}")

    def come(self, students: list[Browser]) -> None:
        """Let the pages of students say that the students are here."""
        for student in students:
            if 'value="come"' in self.news(student):
                student.ask("coming", "/lesson/message/", {"do": "come"}, htmx=True)
        page = self.teacher.ask("lesson page", self.page)[1]
        here, everybody = self.students.index(students[-1]) + 1, len(self.students)
        self.expect_text("the number of those who have come", page, f"<b>{here}/{everybody}</b>")

    def news(self, student: Browser, have: str = "") -> str:
        return student.ask("lesson", f"/lesson/now/?have={have}", htmx=True)[1]

    def at_once(self, do: Callable[[Browser], None], students: list[Browser]) -> None:
        with ThreadPoolExecutor(len(students)) as pool:
            list(pool.map(do, students))

    # What reaches everybody

    def reach(self) -> None:
        """Press buttons for all boards and for the projector, and measure how long it takes until
        the last page knows."""
        for at in range(REACHING_PRESSES):
            is_paused = at % 2 == 0
            shown = ("clock", "blank")[at % 2]
            self._reach(
                "pause" if is_paused else "resume",
                "the last student",
                [self._student_follows(each, is_paused=is_paused) for each in self.students],
            )
            self._reach(f"show:{shown}", "the projector", [self._projector_follows(at % 2 == 0)])

    def _reach(self, do: str, whom: str, pages: list[Callable[[], bool]]) -> None:
        """Press a button while pages look by themselves; note when the last one has seen it."""
        pressed, seen = Event(), list[float]()

        def follow(looks: Callable[[], bool]) -> None:
            time.sleep(random.random() * ASK_SECONDS)
            while not (looks() and pressed.is_set()):
                assert not pressed.is_set() or time.monotonic() - began < 30, f"{do} never arrives"
                time.sleep(ASK_SECONDS)
            seen.append(time.monotonic())

        began = time.monotonic()
        with ThreadPoolExecutor(len(pages)) as pool:
            following = [pool.submit(follow, looks) for looks in pages]
            time.sleep(2 * ASK_SECONDS)
            began = time.monotonic()
            pressed.set()
            self.press(do)
            for each in following:
                each.result()
        self.lesson.figures.delays[f"a press at {whom}"].append(max(seen) - began)

    def _student_follows(self, student: Browser, *, is_paused: bool) -> Callable[[], bool]:
        """Return a function that asks as a student's page does, and returns whether it shows that
        the boards are paused, or that they are not."""
        have, knows = "", False

        def looks() -> bool:
            nonlocal have, knows
            text = self.news(student, have)
            if have_now := _have(text):
                have, knows = have_now, ("data-paused" in text) is is_paused
            return knows

        return looks

    def _projector_follows(self, is_clock: bool) -> Callable[[], bool]:
        """Return a function that asks as the projector does, and returns whether it has the
        scene."""
        screen = Browser(self.lesson.site, self.lesson.figures, self.lesson.session)

        def looks() -> bool:
            _, text = screen.ask("projector", "/screen/now/", htmx=True)
            return ("scene-clock" in text) is is_clock

        return looks

    # A question

    def question(
        self, question: str, answers: tuple[str, ...], right: Callable[[str], bool]
    ) -> None:
        """Ask twice, and compare what the page shows with the answers."""
        rng, lesson = random.Random(question), self.lesson
        self.next()
        # The laptop of one student sleeps through a whole question. When it wakes up, its page is
        # led to the next one like any other.
        awake = [each for each in self.students if question != "solvable" or each != self.sleeping]
        here = {1: awake[:-LATE], 2: awake[1:]}
        given = {
            number: {student: rng.choice(answers) for student in of} for number, of in here.items()
        }
        for number, step in ((1, "again"), (2, "reveal")):
            self._answers(number, given[number], rng)
            self.press("question:close")
            time.sleep(CLOSING_SECONDS)
            if step == "reveal":
                chosen = self._reasons(given)
            self.press(f"question:{step}")
        self._shown(chosen)
        counted = {number: Counter(of.values()) for number, of in given.items()}
        page = self._when_counted()
        # Those who answered once have learned nothing from the talk.
        twice = given[1].keys() & given[2].keys()
        shares = [
            round_half_up(100 * sum(right(of[each]) for each in twice), len(twice))
            for of in given.values()
        ]
        gain = (
            f"Right answers of the {len(twice)} who answered twice: "
            f"{shares[0]}% before talking, {shares[1]}% after."
        )
        self.expect_text(f"the {question} question", page, gain)
        if question != "free":
            self.expect_text(
                f"the {question} question", page, f"Solutions from this board: {len(solutions())}"
            )
        if question in ("count", "free"):
            for number, row in ((1, "before"), (2, "many")):
                points = re.findall(
                    r'<text x="\d+" y="\d+">(?:✓ )?(\d+)</text>(?:(?!</g>).)*?'
                    rf'<text class="{row}".*?>×(\d+)<',
                    page,
                    re.DOTALL,
                )
                shown = {each: int(n) for each, n in points}
                self.expect(f"the number line, round {number}", shown, dict(counted[number]))
        else:
            wanted = {self._row(question, answer, counted) for answer in counted[1] | counted[2]}
            self.expect(f"the {question} question", set(_rows(page)), wanted)
        self.press("question:done")
        _, past = self.teacher.ask("questions", f"/assignments/{lesson.assignment}/questions/")
        self.expect_text("the list of questions", past, gain)

    def _answers(self, number: int, given: dict[Browser, str], rng: random.Random) -> None:
        """Let the students answer, and measure when the lesson page has counted all of them."""
        within = ANSWERS_WITHIN * self.lesson.pace
        delays = {student: rng.random() * within for student in given}
        reloads = {student for student in given if rng.random() < 0.2}
        sent: list[float] = []

        def answer(student: Browser) -> None:
            if number == 2 and student in self.students[-LATE:]:
                student.ask("board", f"/play/{self.lesson.board}/")
            time.sleep(delays[student])
            url = re.search(r'data-go="(/questions/\d+/)"', self.news(student))
            assert url, "the class is not led to the question"
            student.ask("question page", url.group(1))
            fields = {"answer": given[student], "round": number}
            status, _ = student.ask("answer", url.group(1), fields, htmx=True)
            sent.append(time.monotonic())
            assert status == 200, f"an answer got {status}"
            if student in self.students[::3]:
                reason = {"words": f"Because of {given[student]}", "round": number}
                student.ask("reason", url.group(1), reason, htmx=True)
            if student in reloads:
                _, again = student.ask("question page", url.group(1))
                assert "✓" in again, "a page that is loaded again does not know the answer"

        with ThreadPoolExecutor(1) as looking:
            full = looking.submit(self._wait_for, f"Answers: {len(given)} of ")
            self.at_once(answer, list(given))
            self.lesson.figures.delays["all answers to a question on the page"].append(
                full.result() - max(sent)
            )

    def _reasons(self, given: dict[int, dict[Browser, str]]) -> str:
        """Compare the reasons that the teacher reads with those given; choose one for the class."""
        page = self.teacher.ask("lesson page", f"{self.page}?peek=on")[1]
        giving = self.students[::3]
        wanted = Counter(
            f"Because of {answer}"
            for of in given.values()
            for student, answer in of.items()
            if student in giving
        )
        self.expect("the reasons", Counter(re.findall(r"<q>(.*?)</q>", page)), wanted)
        key, words = re.findall(r'value="choose:([^"]+)".*?<q>(.*?)</q>', page, re.DOTALL)[0]
        self.press(f"choose:{key}")
        return words

    def _shown(self, words: str) -> None:
        """Check that the class reads the chosen reason, and no name, on the projector."""
        _, scene = self.teacher.ask("projector", "/screen/now/", htmx=True)
        self.expect_text("the projector", scene, words)
        self.expect("the names on the projector", re.findall(r"Student \d+", scene), [])

    def _wait_for(self, text: str) -> float:
        """Look at the lesson page as it looks by itself; return when it showed the text."""
        teacher = Browser(self.lesson.site, self.lesson.figures, self.lesson.session)
        end, have = time.monotonic() + 60, dict[str, str]()
        while time.monotonic() < end:
            asked = urlencode({"have": list(have.values())}, doseq=True)
            _, page = teacher.ask("lesson page", f"{self.page}?{asked}", htmx=True)
            if text in " ".join(page.split()):
                return time.monotonic()
            have |= versions(page)
            time.sleep(LOOK_SECONDS)
        raise AssertionError(f"the page does not say “{text}”")

    def _when_counted(self) -> str:
        """Return the lesson page as soon as the workers have counted what the answers leave."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            _, page = self.teacher.ask("lesson page", self.page)
            if "still being counted" not in page:
                return page
            time.sleep(LOOK_SECONDS)
        raise AssertionError("the answers are not counted")

    def _row(
        self, question: str, answer: str, counted: dict[int, Counter[str]]
    ) -> tuple[str, int, int, str]:
        """Return what the table of a question has to show of an answer."""
        if question == "solvable":
            described, leaves = answer.capitalize(), "right" if answer == "yes" else "not right"
        else:
            row, column = answer.split(",")
            described = f"Stone at row {row}, column {column}"
            left = len(solutions(answer))
            leaves = f"Solutions: {left}" if left else "no solution"
        return described, counted[1][answer], counted[2][answer], leaves

    # A board that is solved together

    def solve(self) -> None:
        """Let half of the class solve a board together, each with one of the solutions."""
        board = self.lesson.board
        self.next()
        left = re.search(r'data-begins-in="(\d+)"', self.news(self.students[0]))
        assert left, "no countdown"
        time.sleep(int(left.group(1)) / 1000)
        ways = solutions()
        half = [*self.students[: len(self.students) // 2 - LATE], *self.students[-LATE:]]
        chosen = {student: ways[at % len(ways)] for at, student in enumerate(half)}

        def solve(student: Browser) -> None:
            _, text = student.ask("board", f"/play/{board}/")
            url = re.search(r'hx-post="([^"]*/steps/)"', text)
            assert url, "the board has no form"
            handed = re.search(r'data-handed="([^"]*)"', text)
            assert handed, "the board does not say when it was handed out"
            without = {"ago": 1000, "handed": handed.group(1)} if student is self.offline else {}
            if without:
                # The board is played without a network, and sent when it is back.
                time.sleep(OFFLINE_SECONDS)
            for step, move in enumerate(split_moves(chosen[student])):
                sent = {"action": "move", "move": move, "step": step, **without}
                if student is self.students[0]:
                    # The network is lost before the answer comes, so the move is sent again.
                    student.ask("move", url.group(1), sent, htmx=True)
                _, text = student.ask("move", url.group(1), sent, htmx=True)
            assert "Solved!" in unescape(text), "the board is not solved"

        self.at_once(solve, half)
        for student, way in chosen.items():
            self.found[student][way] += 1
        page = self.press("question:close")
        self.expect_text(
            "the board solved together", page, f"Solved: {len(half)} of {len(self.students)}"
        )
        self.expect("the students who solved it", page.count('aria-label="Solved"'), len(half))


def _have(page: str) -> str:
    found = re.search(r'hx-get="[^"]*\?have=([^"&]*)', page)
    return found.group(1) if found else ""


def _rows(page: str) -> Iterable[tuple[str, int, int, str]]:
    """Yield the rows of the table of a question."""
    for row in re.findall(r'<tr>\s*<th scope="row">.*?</tr>', page, re.DOTALL):
        words = [" ".join(unescape(text).split()) for text in re.findall(r">([^<>]+)<", row)]
        texts = [text for text in words if text]
        yield texts[0], int(texts[1]), int(texts[2]), texts[3].lstrip("✓✗ ")
