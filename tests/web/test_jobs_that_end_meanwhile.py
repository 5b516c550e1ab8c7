"""Pages whose jobs end while they are being made.

A page states either what it stated before the answer or what it states after it. A page that reads
a job twice could put the old state beside the new answer, or the other way round.
"""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from typing import NamedTuple

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.play.restarts import restart
from puzzleclass.puzzles.lookahead import OPTIONS
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import ALL_SOLUTIONS
from tests.web.conftest import Lines
from tests.web.roles import ROLES, administrator, clients, world
from tests.web.test_rights import HTMX, OWNER, RIGHTS

__all__ = ["administrator", "clients", "world"]

VARIES = re.compile(r'(name="(?:csrfmiddlewaretoken|once|shown)" value=|X-CSRFToken": )"[^"]*"')
READS = 'FROM "jobs_job"'
OPENERS = ("owner", "student", "anonymous")
HOPELESS = "oo/../.o"
SEARCHED = "oo-/.../.s."
"""A board whose optimum is not known without a search."""


@pytest.fixture
def puzzle(make_puzzle) -> Puzzle:
    """Return a board with 5 solutions whose sequences of moves do not fit into a tree.

    Its tree therefore comes from a worker.
    """
    return make_puzzle("goishi", "...o.o/o...o./.....o/o.o.oo/o....o", "Eleven stones")


@pytest.fixture
def lines() -> Lines:
    return Lines(solution="1,4 1,6 3,6 4,6 5,6 5,1 4,1 4,3 4,5 2,5 2,1", lost="1,4 1,6 3,6 4,6 4,5")


@pytest.fixture
def all_jobs(world, teacher, student, puzzle, make_puzzle, assigned, lines, tried, done):
    """Return the jobs of all pages of the world, each with its answer. In the database they run."""
    Puzzle.objects.filter(pk=world["scored"]).update(position=SEARCHED)
    world["hopeless"] = make_puzzle("goishi", HOPELESS).pk
    assigned.assignment.warns, assigned.assignment.hints = True, 3
    assigned.assignment.save()
    restart(current_attempt(student, assigned))
    attempt = tried(student, assigned, lines.lost)
    attempt.awaited_hint = HintUse.Level.NEXT
    attempt.save()
    world["try"] = attempt.key
    for slug, question, position, options in (
        ("goishi", "solutions", puzzle.position, ALL_SOLUTIONS),
        ("goishi", "groups", puzzle.position, {}),
        ("goishi", "rate", puzzle.position, {}),
        ("goishi", "count", "ooo", {}),
        ("goishi", "count", HOPELESS, {}),
        ("goishi", "repair", HOPELESS, {}),
        ("goishi", "hint", attempt.position_text, OPTIONS),
        ("goishi", "review", attempt.position_text, {}),
        ("maxstrings", "best", SEARCHED, {}),
        ("maxstrings", "count", SEARCHED, {}),
        ("maxstrings", "count", "7x7", {}),
    ):
        jobs.ask(teacher, slug, question, position, options)
    found = [done(job) for job in Job.objects.all()]
    Job.objects.update(state=Job.State.RUNNING, answer=None)
    return found


class Meanwhile:
    """Ends a job after its row has been read `reads` times."""

    def __init__(self, job: Job, reads: int) -> None:
        self.job, self.reads, self.has_ended = job, reads, False

    def __call__(self, execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if READS in sql and self.job.key in params and not self.has_ended:
            self.reads -= 1
            if self.reads == 0:
                self.has_ended = True
                end(self.job)
        return result


def end(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, answer=job.answer)


class Request(NamedTuple):
    """What a browser asks for. With `fields`, it is a POST."""

    client: Client
    url: str
    headers: dict[str, str]
    fields: dict[str, object]

    def answer(self, *, ended: Job | None = None, meanwhile: Meanwhile | None = None):
        """Return the status and the text of the answer, without what is new in each answer, and
        undo what the request has changed."""
        with transaction.atomic():
            if ended:
                end(ended)
            with connection.execute_wrapper(meanwhile) if meanwhile else nullcontext():
                send = self.client.post if self.fields else self.client.get
                answer = send(self.url, self.fields, headers=self.headers)
            transaction.set_rollback(True)
        return answer.status_code, VARIES.sub("", answer.content.decode())


def requests(clients, world) -> Iterator[Request]:
    """Yield a GET of each address by somebody who may open it, as a page and as a fragment, and the
    POSTs with which a board asks for answers."""
    rows = [(name, methods, who, what.split()) for name, methods, who, what in RIGHTS]
    for name, methods, who, what in [*rows, ("puzzle", "GET", OWNER, ["hopeless"])]:
        letters = who.replace(" ", "")
        admitted = [role for role in OPENERS if letters[ROLES.index(role)] == "+"]
        if "GET" in methods and admitted:
            url = reverse(name, args=[world.get(word, word) for word in what])
            client = clients[ROLES.index(admitted[0])]
            yield Request(client, url, {}, {})
            yield Request(client, url, HTMX, {})
    fields = {"step": Attempt.objects.get(key=world["try"]).next_step}
    for name in ("hint_answer", "look_ahead", "where"):
        url = reverse(name, args=[world["try"]])
        yield Request(clients[ROLES.index("student")], url, HTMX, fields)


def test_a_page_shows_a_job_as_it_was_or_as_it_is(clients, world, all_jobs):
    wrong, ended = [], 0
    for request in requests(clients, world):
        with CaptureQueriesContext(connection) as seen:
            before = request.answer()
        asked = [query["sql"] for query in seen if READS in query["sql"]]
        for job in all_jobs:
            reads = sum(job.key in sql for sql in asked)
            if reads < 2:
                continue
            after = request.answer(ended=job)
            for number in range(1, reads + 1):
                meanwhile = Meanwhile(job, number)
                if request.answer(meanwhile=meanwhile) not in (before, after):
                    wrong.append((request.url, job.question))
                ended += meanwhile.has_ended
    assert wrong == []
    assert ended
