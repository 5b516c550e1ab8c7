"""Runs of questions that are executed to their end, or only part of the way."""

from solvers.answers import Answer, CountAnswer, Exact
from solvers.question import Execution, Progress, Run, finish, limited, within


def endless(closed: list[bool]) -> Run[CountAnswer]:
    found = CountAnswer(by_move={"1,1": Exact(1)})
    try:
        for number in range(10**9):
            yield Progress(0, 1, at_least=number if number < 3 else None, found=found)
    finally:
        closed.append(True)
    return CountAnswer(Exact(0))


def quick() -> Run[Answer]:
    yield Progress(0, 1)
    return Answer(Exact(7), ("1,1",))


def test_finish_returns_the_answer_and_shows_the_signs_of_life():
    signs = []
    assert finish(quick(), signs.append) == finish(quick()) == Answer(Exact(7), ("1,1",))
    assert signs == [Progress(0, 1)]


def test_an_execution_has_the_result_at_its_end_only():
    execution = Execution(quick())
    for _ in execution:
        assert execution.result is None and not execution.has_ended
    assert execution.result == Answer(Exact(7), ("1,1",)) and execution.has_ended


def test_a_loop_that_is_left_cancels_the_run():
    closed = []
    signs = iter(Execution(endless(closed)))
    next(signs)
    signs.close()
    assert closed == [True]


def test_time_up_is_what_is_known_and_the_run_is_closed():
    closed = []
    cut = finish(limited(endless(closed), 0.05, CountAnswer))
    assert cut == CountAnswer(Exact(2), proven=False, limit="time", by_move={"1,1": Exact(1)})
    assert closed == [True]


def test_partial_results_of_another_type_are_ignored():
    assert finish(limited(endless([]), 0.05, Answer)) == CountAnswer(
        Exact(2), proven=False, limit="time", by_move={"1,1": Exact(1)}
    )
    execution = Execution(endless([]), 0.05)
    assert all(execution) and execution.cut_short(Answer).value == 2


def test_no_time_at_all_is_no_answer():
    assert finish(limited(quick(), 0, Answer)) == Answer(None, proven=False, limit="time")
    assert finish(within(quick(), 0)) is None


def test_enough_time_changes_nothing():
    signs = []
    assert finish(limited(quick(), 60, Answer), signs.append) == Answer(Exact(7), ("1,1",))
    assert finish(within(quick(), 60)) == Answer(Exact(7), ("1,1",))
    assert signs == [Progress(0, 1)]


def test_a_part_shows_the_signs_of_the_whole():
    signs = []
    finish(within(quick(), 60, lambda _: Progress(3, 4)), signs.append)
    assert signs == [Progress(3, 4)]


def test_closing_closes_what_is_inside():
    closed = []
    for run in (limited(endless(closed), 60, CountAnswer), within(endless(closed), 60)):
        next(run)
        run.close()
    assert closed == [True, True]
