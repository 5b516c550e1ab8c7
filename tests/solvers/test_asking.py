"""Driving questions to their end, or not that far."""

from solvers.asking import finish, limited
from solvers.kind import Answer, Progress, Run


def endless(closed: list[bool]) -> Run:
    try:
        for number in range(10**9):
            yield Progress(0, 1, at_least=number if number < 3 else None)
    finally:
        closed.append(True)
    return Answer(0)


def quick() -> Run:
    yield Progress(0, 1)
    return Answer(7, ("1,1",))


def test_finish_returns_the_answer_and_shows_the_signs_of_life():
    signs = []
    assert finish(quick(), signs.append) == finish(quick()) == Answer(7, ("1,1",))
    assert signs == [Progress(0, 1)]


def test_time_up_is_the_lower_bound_and_the_run_is_closed():
    closed = []
    assert finish(limited(endless(closed), 0.05)) == Answer(2, proven=False)
    assert closed == [True]


def test_no_time_at_all_is_no_answer():
    assert finish(limited(quick(), 0)) == Answer(None, proven=False)


def test_enough_time_changes_nothing():
    signs = []
    assert finish(limited(quick(), 60), signs.append) == Answer(7, ("1,1",))
    assert signs == [Progress(0, 1)]


def test_closing_closes_what_is_inside():
    closed = []
    run = limited(endless(closed), 60)
    next(run)
    run.close()
    assert closed == [True]
