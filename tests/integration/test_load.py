"""Short forms of `make lesson`, `make load` and `make soak`, on one installation."""

import asyncio

import pytest

from tests.integration.course import lead
from tests.integration.rehearsal import rehearse
from tests.load.lesson import hold_lesson
from tests.load.school import lesson, make_school
from tests.load.slow import slow_visitors
from tests.load.soak import soak, victims

pytestmark = pytest.mark.integration

SECONDS = 8
DELETE = "from puzzleclass.play.models import Attempt; Attempt.objects.all().delete()"


@pytest.fixture
def site(site):
    """Provide the module's installation, and delete the attempts of each test after it, because the
    next test compares all that are stored with its own."""
    yield site
    site.manage(DELETE)


def test_a_lesson_of_eight_from_the_class_code_to_the_discussion(site):
    lesson = rehearse(site, clients=8, pace=0.3)
    figures = lesson.figures
    assert figures.faults == []
    assert len(figures.until_seen) == 2
    # Five seconds are promised, but a machine that runs tests is busy.
    assert max(figures.until_seen) < 10
    assert lead(lesson) == []
    # Two seconds are promised for both.
    assert max(seconds for times in figures.delays.values() for seconds in times) < 10


def test_a_lesson_beside_500_slow_connections_loses_nothing_and_nobody_waits(site):
    boards = lesson()
    classes = make_school(site, 30, boards)

    async def hold():
        async with slow_visitors(site, 500):
            return await hold_lesson(
                site, classes, boards, pace=2, seconds=SECONDS, arrival=SECONDS / 2
            )

    outcome = asyncio.run(hold())
    assert outcome.is_whole, outcome.table()
    assert not outcome.record.faults, outcome.table()
    assert outcome.sent > 30
    assert outcome.quantile(0.95, "move", "undo") < 1, outcome.table()


def test_a_lesson_in_which_everything_dies_once_loses_nothing(site):
    kills = list(victims(site).values())
    outcome, faults = soak(site, kills, students=10, pace=1, pause=2, counts=10)
    assert outcome.is_whole, outcome.table()
    assert outcome.sent > 10
    assert not faults
