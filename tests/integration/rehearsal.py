"""Rehearse a lesson: a class signs in, plays at a human pace and is watched by its teacher.

    python -m tests.integration.rehearsal [--clients 40] [--pace 1]

starts an installation of its own and lets every client go the whole way from the class code to the
last solved board. It prints how long each sort of request took, when the last student made the
first move, and how soon a dead end appeared on the wall. Some students make the same mistake, and
attempt the same move against the rules. At the end the page about the puzzle must name both.
`--pace 2` lets everybody think twice as long.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import quantiles
from threading import Lock, Thread
from urllib.parse import urlencode

from tests.integration.processes import Site

TOKEN = "c" * 32

BOARD = "o./oo/../oo"
SOLUTION = ("1,1", "2,1", "2,2", "4,2", "4,1")
MISTAKE, AGAINST_THE_RULES = "4,2", "4,1"
"""A first move after which there is no solution, and a move that jumps over a stone after `1,1`."""

EVERY = 4
"""One student in this many makes the mistake."""

THINKING = 3.0
"""The mean number of seconds between two moves."""

PLAN = (
    "ask move board 1 twice",
    "ask solvable board 1 twice",
    "ask count board 1 twice",
    "ask number twice = 7",
    "ask solve board 1",
    "show found 1 tree",
    "look-back board 1",
)
"""What each phase of the lesson's plan does."""

MAKE = """
import json
from datetime import timedelta
from django.test import Client
from django.utils import timezone
from puzzleclass.accounts.models import User
from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom, Teaching
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.phases import Phase, stored

teacher = User.objects.create_teacher(
    f"rehearsal{{User.objects.count()}}", "Ono Emi", "stones of the sea"
)
classroom = Classroom.objects.create(name="5-1")
Teaching.objects.create(classroom=classroom, teacher=teacher, role=Teaching.Role.OWNER)
for number in range(1, {clients} + 1):
    student = User.objects.create_student(f"Student {{number}}", "1234")
    classroom.enrolments.create(student=student, number=number)
puzzle = Puzzle.objects.create(
    owner=teacher, kind_slug="goishi", title="Five stones", position={board!r}
)
due_at = timezone.now() + timedelta(days=1)
assignment = assign_puzzles(classroom, teacher, "A lesson", due_at, [puzzle])
phases = [Phase(minutes=5, title="Phase", question="What now?", do=do) for do in {plan!r}]
Pace.objects.create(assignment=assignment, phases=stored(phases))
client = Client()
client.force_login(teacher)
print(json.dumps({{
    "code": classroom.code,
    "assignment": assignment.pk,
    "board": assignment.puzzles.get().pk,
    "session": client.cookies["sessionid"].value,
}}))
"""


@dataclass(slots=True)
class Figures:
    """The measurements of all threads."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Sort of request -> the seconds that each request took."""
    first_moves: list[float] = field(default_factory=list)
    """For each student, the seconds from the start of the lesson to the first move."""
    mistakes: dict[int, float] = field(default_factory=dict)
    """Number of a student -> the time when the mistake was answered."""
    seen: dict[int, float] = field(default_factory=dict)
    """Number of a student -> the time when the wall showed the mistake."""
    solved: int = 0
    faults: list[str] = field(default_factory=list)
    delays: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """What had to reach a page -> the seconds that it took, each time."""
    lock: Lock = field(default_factory=Lock)

    @contextmanager
    def measured(self, what: str) -> Iterator[None]:
        begin = time.monotonic()
        yield
        with self.lock:
            self.seconds[what].append(time.monotonic() - begin)

    @property
    def until_seen(self) -> list[float]:
        """The seconds from each mistake until the wall showed it."""
        return [self.seen[who] - at for who, at in self.mistakes.items() if who in self.seen]

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report."""
        for what, times in sorted(self.seconds.items()):
            middle, late = quantiles([*times, times[-1]], n=20)[9::9][:2]
            spread = f"p50 {1000 * middle:6.0f} ms   p95 {1000 * late:6.0f} ms"
            yield f"{what:28} {len(times):5}   {spread}"
        yield f"the last student's first move after {max(self.first_moves, default=0):.1f} s"
        yield f"boards solved: {self.solved}"
        if self.until_seen:
            yield f"dead ends on the wall: {len(self.until_seen)}, at the latest after " + (
                f"{max(self.until_seen):.1f} s"
            )
        for what, times in self.delays.items():
            late = quantiles([*times, times[-1]], n=20)[-1]
            every = ", ".join(f"{seconds:.1f}" for seconds in times)
            yield f"{what} after {every} s, p95 {late:.1f} s"


class Browser:
    """A client that keeps cookies, follows redirects as a browser does, and measures its
    requests."""

    def __init__(self, site: Site, figures: Figures, session: str = "") -> None:
        self.figures = figures
        self.connection = HTTPConnection("127.0.0.1", site.port, timeout=60)
        self.cookies = {"csrftoken": TOKEN} | ({"sessionid": session} if session else {})

    def ask(
        self, what: str, path: str, sent: dict[str, object] | None = None, *, htmx: bool = False
    ) -> tuple[int, str]:
        """Return the status and the text of an answer. Redirects are followed as part of the
        request."""
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies["csrftoken"],
            "Accept-Language": "en",
        }
        if htmx:
            headers["HX-Request"] = "true"
        with self.figures.measured(what):
            if sent is None:
                self.connection.request("GET", path, headers=headers)
            else:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                self.connection.request("POST", path, urlencode(sent), headers)
            answer = self.connection.getresponse()
            text = answer.read().decode()
        self._keep_cookies(answer)
        if answer.status in (301, 302):
            return self.ask(f"{what} (redirected)", answer.headers["Location"])
        return answer.status, text

    def _keep_cookies(self, answer: HTTPResponse) -> None:
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value


@dataclass(slots=True)
class Lesson:
    """The values that all clients share."""

    site: Site
    code: str
    assignment: int
    board: int
    session: str
    pace: float
    figures: Figures = field(default_factory=Figures)
    began: float = 0

    def student(self, number: int) -> None:
        """Do everything that one student does, from the class code to the solved board."""
        browser, rng = Browser(self.site, self.figures), random.Random(number)

        def think() -> None:
            time.sleep(self.pace * rng.expovariate(1 / THINKING))

        think()
        browser.ask("class code", "/join/", {"code": self.code})
        page = f"/join/{self.code}/{number}/"
        browser.ask("name", page)
        status, _ = browser.ask("PIN", page, {"pin": "1234"})
        if status != 200:
            raise AssertionError(f"the sign-in of {number} answered {status}")
        _, text = browser.ask("board", f"/play/{self.board}/")
        think()
        step = 0

        def press(move: str, *, is_refused: bool = False) -> None:
            nonlocal text, step
            url = re.search(r'hx-post="([^"]*/steps/)"', text)
            assert url, "the board has no form"
            sent = {"action": "move", "move": move, "step": step}
            status, text = browser.ask("move", url.group(1), sent, htmx=True)
            assert status == 200, f"{move} answered {status}"
            step += not is_refused

        if number % EVERY == 0:
            press(MISTAKE)
            with self.figures.lock:
                self.first_moves()
                self.figures.mistakes[number] = time.monotonic()
            # Like a child, the client searches for a solution for a while, and then starts again.
            time.sleep(max(6.0, self.pace * 2 * THINKING))
            url = re.search(r'hx-post="([^"]*/restart/)"', text)
            assert url, "no way to begin again"
            _, text = browser.ask("restart", url.group(1), {}, htmx=True)
            step = 0
            press(SOLUTION[0])
            think()
            press(AGAINST_THE_RULES, is_refused=True)
            rest = SOLUTION[1:]
        else:
            press(SOLUTION[0])
            with self.figures.lock:
                self.first_moves()
            rest = SOLUTION[1:]
        for move in rest:
            think()
            press(move)
        with self.figures.lock:
            self.figures.solved += "Solved!" in text

    def first_moves(self) -> None:
        self.figures.first_moves.append(time.monotonic() - self.began)

    def teacher(self, is_over: "list[bool]") -> None:
        """Watch the lesson page until the lesson is over."""
        browser = Browser(self.site, self.figures, self.session)
        url = f"/assignments/{self.assignment}/lesson/"
        have = versions(browser.ask("lesson page", url)[1])
        while not is_over:
            time.sleep(1.5)
            asked = urlencode({"have": list(have.values())}, doseq=True)
            what = "lesson page, what changed"
            status, changed = browser.ask(what, f"{url}?{asked}", htmx=True)
            if status != 200:
                continue
            have |= versions(changed)
            for tile in re.findall(r'<li id="t.*?</li>', changed, re.DOTALL):
                number = re.search(r'class="tile-name">(\d+)', tile)
                if number and "Stuck since" in tile:
                    with self.figures.lock:
                        self.figures.seen.setdefault(int(number.group(1)), time.monotonic())

    def names_the_mistake(self) -> list[str]:
        """Return those of the two planted mistakes that the page about the puzzle fails to name."""
        browser = Browser(self.site, self.figures, self.session)
        students = rf"<b>\s*Students: {len(self.figures.mistakes)}\s*</b>"
        wanted = {
            "the mistake": rf"Move 1:\s+Stone at row 4, column 2\s+{students}",
            "the misunderstanding": "stones can be jumped over",
        }
        end = time.monotonic() + 60
        while True:
            _, page = browser.ask(
                "mistakes of the class", f"/assigned/{self.board}/found/?view=mistakes"
            )
            missing = [what for what, words in wanted.items() if not re.search(words, page)]
            if not missing or time.monotonic() > end:
                return missing
            time.sleep(1)


def versions(page: str) -> dict[str, str]:
    """Return student or part -> version for the tiles and parts in a lesson page or a fragment."""
    found = re.findall(r'name="have"\s+value="([^"]+)"', page)
    return {version.partition(".")[0]: version for version in found}


def rehearse(site: Site, clients: int, pace: float) -> Lesson:
    """Rehearse a lesson in a running installation. `figures.faults` of the result says what went
    wrong."""
    made = json.loads(site.manage(MAKE.format(clients=clients, board=BOARD, plan=PLAN)))
    lesson = Lesson(site, pace=pace, **made)
    is_over: list[bool] = []

    def kept(task: object, *arguments: object) -> None:
        try:
            task(*arguments)  # type: ignore[operator]
        except Exception as error:
            with lesson.figures.lock:
                lesson.figures.faults.append(f"{arguments}: {error!r}")

    lesson.began = time.monotonic()
    watching = Thread(target=kept, args=(lesson.teacher, is_over))
    students = [Thread(target=kept, args=(lesson.student, n)) for n in range(1, clients + 1)]
    for thread in (watching, *students):
        thread.start()
    for thread in students:
        thread.join()
    is_over.append(True)
    watching.join()
    figures = lesson.figures
    figures.faults += [f"the page does not name {what}" for what in lesson.names_the_mistake()]
    if missed := figures.mistakes.keys() - figures.seen.keys():
        figures.faults.append(f"the wall never showed the dead ends of {sorted(missed)}")
    if figures.solved != clients:
        figures.faults.append(f"{clients - figures.solved} students have not solved the board")
    return lesson


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=40)
    parser.add_argument("--pace", type=float, default=1)
    options = parser.parse_args()
    # That module needs the classes of this one.
    from tests.integration.course import lead

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Site(folder / "var", folder / "log") as site:
            lesson = rehearse(site.start("--no-demo"), options.clients, options.pace)
            lesson.figures.faults += lead(lesson)
    print(*lesson.figures.lines(), sep="\n")
    print(*lesson.figures.faults, sep="\n")
    return bool(lesson.figures.faults)


if __name__ == "__main__":
    sys.exit(main())
