"""Odd requests from every role: a short form of `tests.fuzz_requests`."""

from tests.fuzz_requests import fuzz


def test_odd_requests_get_clear_answers(
    teacher, other_teacher, student, other_student, assigned, tried, lines
):
    tried(student, assigned, *lines.solution.split()[:2])
    statuses, faults = fuzz(300, seed=1)
    assert not faults
    # Most requests reach a view.
    assert statuses[200] + statuses[302] > 30, statuses
