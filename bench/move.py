"""The cost of a move for the web server, beside a bare view behind the same middleware."""

import gzip
import io
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from statistics import median
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from bench.timing import Length, seconds, table
from solvers.kind import IllegalMove, split_moves
from solvers.registry import AnyKind, get_kind, ready_kinds

if TYPE_CHECKING:
    from django.http import HttpResponse

    from puzzleclass.accounts.sign_in import SignedInRequest

ROUNDS = (3, 23, 23)
"""How often each line is played, by the length of the run. The first time warms up."""
MOVES = 12

BOARDS = [
    ("goishi", "5x5, 18 stones", "o.oo./ooo.o/.oo.o/o.ooo/oo.oo"),
    ("goishi", "10x10, full", "/".join(["o" * 10] * 10)),
    ("tonari", "5x5", "Bbwbw/bbwwb/wbbwb/bwbbw/bbwbb"),
    ("tonari", "8x8", "/".join(["Bbwbwbbw", *["bwbbwbwb"] * 7])),
    ("maxstrings", "5x5", "5x5"),
    ("maxstrings", "10x10", "10x10"),
    ("kikazu", "6x6, 18 pieces", "6/6/6/6/6/6 2R2B4N10P"),
    ("kikazu", "9x9, 40 pieces", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P"),
]


class StepCost(NamedTuple):
    """What a step takes of a web process, whatever else the machine does."""

    calls: int
    """How many functions of Python and of C are called."""
    statements: int
    """How many statements the database gets, BEGIN and COMMIT among them."""


STEP_COSTS = {
    "goishi": {
        "accepted": StepCost(8_795, 6),
        "refused": StepCost(5_836, 3),
        "solving": StepCost(18_436, 13),
    },
    "queens": {
        "accepted": StepCost(7_032, 6),
        "refused": StepCost(5_865, 3),
        "solving": StepCost(28_166, 13),
    },
}
"""The costs of a step on the last board of the introduction, for a kind in code and for a table, on
SQLite, with Python 3.11 and Django 5.2."""


class Sent(NamedTuple):
    """An answered request."""

    content: bytes
    """The answer's body, as it goes over the wire."""
    seconds: float
    """The CPU time that the process took."""


def section(length: Length) -> str:
    """Measure moves on boards of every kind and return the section of the page."""
    with tempfile.TemporaryDirectory() as folder:
        site = _scratch_site(folder, length)
        rows = [site.row(*board) for board in BOARDS[: None if length else 1]]
        costs = {name: site.step_costs(name) for name in STEP_COSTS}
    head = [
        "kind",
        "board",
        "queries",
        "on the page",
        "on the wire",
        "bare view",
        "a move",
        "ratio",
        "unprepared",
    ]
    return f"""## A move

What it costs the web server to take a move, store it and answer with the board: from the request
to the last byte, the whole stack of middleware included, on a scratch database (SQLite). Beside it
a bare view behind the same middleware, which inserts one row (the step) and says “ok”. Both are
sent in turn in one process; the times are CPU time, medians of at least
{(ROUNDS[length] // 2) * MOVES} requests. No hints, no look ahead. “Queries” is the most that one of
the moves took; bytes are those of the longest answer, before and after compression. “Unprepared” is
a move in every second attempt of the same run: there each query of
`database/prepared_queries.py` is
asked as an ordinary queryset, for which Django writes the SQL anew.

{table(head, rows)}

Counts do not depend on what else the machine does: functions of Python and of C that are called,
and statements that the database gets, for a step on the last board of the introduction.
`tests/web/play/test_step_costs.py` fails if the calls rise by more than 5 % or the statements at
all.

{
        table(
            ["kind", "step", "calls", "statements"],
            [
                [name, sort, f"{cost.calls:,}", str(cost.statements)]
                for name, sorts in costs.items()
                for sort, cost in sorts.items()
            ],
        )
    }
"""


def calls_of(run: Callable[[], object]) -> int:
    """Return how many functions of Python and of C are called while `run` runs."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return calls


def _scratch_site(folder: str, length: Length) -> "Site":
    """Return the site on a scratch database."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "puzzleclass.settings",
        "VAR_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
        "DEBUG": "0",
    }
    import django

    django.setup()
    from django.apps import apps
    from django.conf import settings
    from django.core.management import call_command

    settings.ROOT_URLCONF = __name__
    if length == Length.SHORT:
        # Tables made from the models take a second, and all migrations a quarter of a minute.
        settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}
    call_command("migrate", run_syncdb=True, verbosity=0)
    (Path(folder) / "static").mkdir()
    return Site(ROUNDS[length])


class Site:
    """One class of the site, and a student who plays."""

    def __init__(self, rounds: int) -> None:
        from django.core.wsgi import get_wsgi_application
        from django.test import Client

        self.rounds = rounds
        self.application = get_wsgi_application()
        from puzzleclass.accounts.models import User
        from puzzleclass.classes.models import Classroom

        self.teacher = User.objects.create_teacher("teacher", "Teacher", "a password of ours")
        self.student = User.objects.create_student("Student", "1234")
        self.classroom = Classroom.objects.create(name="Class")
        self.classroom.teachers.add(self.teacher)
        self.classroom.enrolments.create(student=self.student, number=1)
        client = Client()
        client.force_login(self.student)
        self.session = client.cookies["sessionid"].value
        self.numbers = itertools.count(1_000_000)

    def row(self, slug: str, board: str, position: str) -> list[str]:
        """Return the measured row for a board."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        kind = get_kind(slug)
        start = kind.read(position)
        line = _line(kind, start)
        tool = next(iter(kind.tools.names(start)), "") if kind.tools else ""
        puzzle = self._assign(slug, kind.write(start))
        bare, queries, longest = [], 0, b""
        moves: dict[bool, list[float]] = {True: [], False: []}
        for attempt in self._attempts(puzzle):
            for number, move in enumerate(line):
                fields = {"action": "move", "step": number, "move": move, "tool": tool}
                step = f"/attempts/{attempt.key}/steps/"
                if attempt.number == 1:
                    with CaptureQueriesContext(connection) as seen:
                        sent = self._post(step, fields)
                    queries = max(queries, len(seen))
                    longest = max(longest, sent.content, key=len)
                    continue
                is_prepared = attempt.number % 2 == 0
                with nullcontext() if is_prepared else unprepared():
                    moves[is_prepared].append(self._post(step, fields).seconds)
                row = {"attempt": attempt.pk, "number": next(self.numbers), "move": move}
                bare.append(self._post("/bare/", row).seconds)
        page, wire = len(gzip.decompress(longest)), len(longest)
        return [
            slug, board, str(queries), f"{page:,}", f"{wire:,}",
            seconds(median(bare)), seconds(median(moves[True])),
            f"{median(moves[True]) / median(bare):.2f}", seconds(median(moves[False])),
        ]  # fmt: skip

    def step_costs(self, name: str) -> dict[str, StepCost]:
        """Return the costs of a step by its sort. `name` is that of a kind in code or of a table.

        The first board fills memories, so it tells only the statements.
        """
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        from puzzleclass.play.models import Attempt

        kind = ready_kinds().get(name) or get_kind(name)
        tiny = kind.introduction[-1]
        tool = next(iter(kind.tools.names(kind.read(tiny.position))), "") if kind.tools else ""
        *solution, last = split_moves(tiny.solution)
        statements: dict[str, int] = {}
        calls: dict[str, list[int]] = {}
        for number in range(3):
            puzzle = self._assign(kind.slug, tiny.position.partition(" | ")[0])
            rest = split_moves(tiny.position.partition(" | ")[2])
            attempt = puzzle.attempts.create(student=self.student, number=1)
            moves = [*rest, *solution]
            refused = _refused_move(kind, puzzle.start, moves)
            sent = [("first", move) for move in moves[:-1]]
            sent += [("accepted", moves[-1]), ("refused", refused), ("refused", refused)]
            step = 0
            for sort, move in [*sent, ("solving", last)]:
                fields = {"action": "move", "step": step, "move": move, "tool": tool}
                if sort == "refused":
                    # The rules in the browser have said so before.
                    fields["expects"] = "refusal"
                elif kind.presses and kind.presses.names:
                    # The browser has drawn the step as the server would.
                    line = " ".join([*moves, last][: step + 1])
                    fields["expects"] = f"{step + 1} {Attempt(line=line).mark}"
                post = partial(self._post, f"/attempts/{attempt.key}/steps/", fields)
                if number:
                    calls.setdefault(sort, []).append(calls_of(post))
                else:
                    with CaptureQueriesContext(connection) as seen:
                        post()
                    statements[sort] = len(seen)
                step += sort != "refused"
        sorts = ("accepted", "refused", "solving")
        return {sort: StepCost(min(calls[sort]), statements[sort]) for sort in sorts}

    def _assign(self, slug: str, position: str) -> Any:
        from datetime import timedelta

        from django.utils import timezone

        assignment = self.classroom.assignments.create(
            teacher=self.teacher,
            title="Homework",
            due_at=timezone.now() + timedelta(days=1),
            hints=0,
        )
        return assignment.puzzles.create(
            number=1, kind_slug=slug, position=position, title="Puzzle"
        )

    def _attempts(self, puzzle: Any) -> Iterator[Any]:
        from puzzleclass.play.models import Attempt

        for number in range(1, self.rounds + 1):
            attempts = Attempt.objects.filter(student=self.student, puzzle=puzzle)
            attempts.update(state=Attempt.State.GIVEN_UP)
            yield attempts.create(student=self.student, puzzle=puzzle, number=number)

    def _post(self, path: str, fields: dict[str, Any]) -> Sent:
        """Send a form, as a browser with scripts does."""
        secret = "b" * 32
        body = urlencode({**fields, "csrfmiddlewaretoken": secret}).encode()
        environ = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "HTTP_HOST": "localhost",
            "HTTP_HX_REQUEST": "true",
            "HTTP_ACCEPT_ENCODING": "gzip",
            "HTTP_ACCEPT_LANGUAGE": "ja",
            "HTTP_COOKIE": f"sessionid={self.session}; csrftoken={secret}",
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
        }
        statuses: list[str] = []
        began = time.process_time()
        response = self.application(environ, lambda status, headers: statuses.append(status))
        content = b"".join(response)
        response.close()
        taken = time.process_time() - began
        if statuses not in (["200 OK"], ["204 No Content"]):
            raise AssertionError(f"{path} {fields}: {statuses}")
        return Sent(content, taken)


@contextmanager
def unprepared() -> Iterator[None]:
    """Ask each prepared query as the ordinary queryset that it is made of."""
    from puzzleclass.database.prepared_queries import Prepared

    def ask(self: Prepared[Any], *values: object) -> Iterator[Any]:
        return iter(self._make(*values))

    original = Prepared.__call__
    Prepared.__call__ = ask  # type: ignore[method-assign]
    try:
        yield
    finally:
        Prepared.__call__ = original  # type: ignore[method-assign]


def _refused_move(kind: AnyKind, start: Any, moves: list[str]) -> str:
    """Return a move that the rules forbid after the moves: one of them once more, or one on a
    square that has been given."""
    position = kind.play_line(start, " ".join(moves))
    for move in [*moves, *(f"o {row},{column}" for row in (1, 2) for column in range(1, 6))]:
        try:
            kind.play(position, kind.read_move(move))
        except IllegalMove:
            return move
    raise AssertionError


def _line(kind: AnyKind, start: Any) -> list[str]:
    """Return a line of legal moves from the start that does not solve the puzzle."""
    for seed in itertools.count():
        rng, position = random.Random(seed), start
        for _ in range(MOVES):
            moves = list(kind.moves(position))
            if not moves:
                break
            position = kind.play(position, rng.choice(moves))
        else:
            if not kind.judge(position).solved:
                return [kind.write_move(move) for move in kind.line(position)]
    raise AssertionError


def _bare(request: "SignedInRequest") -> "HttpResponse":
    """Insert one row, and answer with a short text."""
    from django.http import HttpResponse

    from puzzleclass.play.models import Step

    sent = request.POST
    Step.objects.create(
        attempt_id=sent["attempt"], number=sent["number"], action="move", move=sent["move"]
    )
    return HttpResponse("ok")


def __getattr__(name: str) -> Any:
    """Return `urlpatterns`. They are made when Django asks for them, because it is set up late."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.urls import path

    from puzzleclass.accounts.sign_in import for_students
    from puzzleclass.urls import urlpatterns

    return [*urlpatterns, path("bare/", for_students("GET", "POST")(_bare))]
