"""A question that generates three boards at once, in place of that of Goishi Hiroi."""

from dataclasses import replace

import pytest
from django.urls import reverse

from puzzleclass.jobs.models import Job
from solvers import options
from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.kind import Kind, PuzzleError
from solvers.question import Option, Progress, Question, Run
from solvers.registry import get_kind

FORM = reverse("puzzle_generate", args=["goishi"])
HTMX = {"hx-request": "true"}
WISH = {"stones": "5..9", "look": "round", "seed": "7"}
"""The options that a search is started with."""

BOARDS = (
    GeneratedBoard(position="oo/oo", solutions=Exact(8), band="easy"),
    GeneratedBoard(position="o.o/ooo", solutions=Exact(12), band=4),
    GeneratedBoard(position="ooo/ooo"),
)


def refuse(position: object, *, stones: list[int], **others: object) -> None:
    """Refuse fifty stones at once, because they have no room."""
    if stones[1] >= 50:
        raise PuzzleError("So many stones have no room: {stones}.", stones=stones[1])


def make(
    kind: Kind, position: object, *, stones: list[int], look: str, seed: int, known: list[str]
) -> Run[GenerateAnswer]:
    """Find some boards, one after the other; fail for options that ask too much."""
    if stones[1] > 40:
        raise PuzzleError("These stones don't fit after all.")
    for number in range(len(BOARDS)):
        yield Progress(number, len(BOARDS), found=GenerateAnswer(boards=BOARDS[:number]))
    return GenerateAnswer(Exact(len(BOARDS)), boards=BOARDS)


MAKES = Question(
    "New boards",
    f"{__name__}:make",
    GenerateAnswer,
    check=f"{__name__}:refuse",
    options={
        "stones": options.span("Number of stones", "8..12", 2, 60),
        "look": options.choice("Look", {"any": "Any", "round": "Round <b>"}),
        "seed": replace(options.whole("Seed", 1, 0, 999), is_folded=True),
        "known": Option("Known", "", str.split),
    },
    position="o",
)


@pytest.fixture(autouse=True)
def makes(monkeypatch):
    """Let Goishi Hiroi have this question in place of its own."""
    monkeypatch.setitem(get_kind("goishi").questions, "generate", MAKES)


@pytest.fixture
def job(teacher_client) -> Job:
    """Return a waiting search."""
    teacher_client.post(FORM, WISH)
    return Job.objects.get(question="generate")


@pytest.fixture
def made(job, done) -> Job:
    """Return a search that has ended."""
    return done(job)


def results(job: Job) -> str:
    """Return the address of the boards that a search has found."""
    return reverse("puzzle_generated", args=[job.pk])
