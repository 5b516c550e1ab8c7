"""A short lesson with all processes: from the class code to the discussion."""

import pytest

from tests.integration.led import lead
from tests.integration.rehearsal import rehearse

pytestmark = pytest.mark.integration


def test_a_lesson_of_eight(site):
    lesson = rehearse(site, clients=8, pace=0.3)
    figures = lesson.figures
    assert figures.faults == []
    assert len(figures.until_seen) == 2
    # Five seconds are promised, but a machine that runs tests is busy.
    assert max(figures.until_seen) < 10
    assert lead(lesson) == []
    # Two seconds are promised for both.
    assert max(seconds for times in figures.delays.values() for seconds in times) < 10
