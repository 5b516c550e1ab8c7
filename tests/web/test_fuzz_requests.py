"""Odd requests from every role get clear answers. `make fuzz` sends more, to the demo school."""

import os

from puzzleclass.demo.school import make_demo
from tests.fuzz_requests import fuzz

REQUESTS, SEED = int(os.environ.get("FUZZ_REQUESTS", 300)), int(os.environ.get("FUZZ_SEED", 1))


def test_odd_requests_get_clear_answers(
    teacher, other_teacher, student, other_student, assigned, tried, lines
):
    tried(student, assigned, *lines.solution.split()[:2])
    if "FUZZ_REQUESTS" in os.environ:
        make_demo()
    statuses, faults = fuzz(REQUESTS, SEED)
    assert not faults
    # Most requests reach a view.
    assert statuses[200] + statuses[302] > REQUESTS / 10, statuses
