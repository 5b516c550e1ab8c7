"""Two votes and a round with all processes: every number on the teacher's page is right."""

import json

import pytest

from tests.integration.led import lead
from tests.integration.rehearsal import BOARD, MAKE, Lesson

pytestmark = pytest.mark.integration


def test_a_class_of_eight_is_led(site):
    made = json.loads(site.manage(MAKE.format(clients=8, board=BOARD)))
    assert lead(Lesson(site, pace=0.3, **made)) == []
