"""Short forms of `make load`, and of other loads that the site must bear."""

import asyncio

import pytest

from tests.load.lesson import hold_lesson
from tests.load.school import lesson, make_school
from tests.load.slow import slow_visitors
from tests.load.soak import soak, victims

pytestmark = pytest.mark.integration

SECONDS = 8


def test_a_lesson_beside_500_slow_connections_loses_nothing_and_nobody_waits(own_site):
    boards = lesson()
    classes = make_school(own_site, 30, boards)

    async def hold():
        async with slow_visitors(own_site, 500):
            return await hold_lesson(
                own_site, classes, boards, pace=2, seconds=SECONDS, arrival=SECONDS / 2
            )

    outcome = asyncio.run(hold())
    assert outcome.is_whole, outcome.table()
    assert not outcome.record.faults, outcome.table()
    assert outcome.sent > 30
    assert outcome.quantile(0.95, "move", "undo") < 1, outcome.table()


def test_a_lesson_in_which_everything_dies_once_loses_nothing(own_site):
    kills = list(victims(own_site).values())
    outcome, faults = soak(own_site, kills, students=10, pace=1, pause=2, counts=10)
    assert outcome.is_whole, outcome.table()
    assert outcome.sent > 10
    assert not faults
