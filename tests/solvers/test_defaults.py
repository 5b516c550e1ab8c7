"""The simple answers that serve a new kind, given to the queens of the template for placements."""

import random
from collections.abc import Callable, Hashable
from itertools import repeat

import pytest

from solvers import defaults
from solvers._template_placement import KIND
from solvers.answers import BANDS, CountAnswer, Exact
from solvers.hint import ALIVE, LIVE, NEXT, UNKNOWN
from solvers.kind import IllegalMove
from solvers.message import Message
from solvers.question import Progress, Run, finish

FOUR = KIND.read("..../..../..../....")
"""The board of four queens, which has two solutions, one of which begins at row 1, column 2."""
NOTE = Message("No more boards like this were found.")


@pytest.fixture
def counts(monkeypatch) -> Callable[[Callable[[Hashable], CountAnswer]], None]:
    """Return a function that lets the kind's count answer as another function does."""

    def counts(answer: Callable[[Hashable], CountAnswer]) -> None:
        def count(kind: object, position: Hashable) -> Run[CountAnswer]:
            yield Progress(0, 1)
            return answer(position)

        monkeypatch.setattr(defaults, "_count", count)

    return counts


def number_of(position: Hashable) -> Exact:
    return finish(KIND.questions["count"].ask(KIND, position)).value


def hint(position: Hashable, level: str = NEXT):
    return finish(defaults.hint(KIND, position, level=level))


def test_without_a_line_of_the_count_the_move_with_the_most_solutions_is_told(counts):
    counts(lambda position: CountAnswer(number_of(position)))
    told = hint(FOUR)
    after = KIND.play(FOUR, KIND.read_move(told.moves[0]))
    assert number_of(after) == max(
        number_of(KIND.play(FOUR, move)) for move in KIND.moves(FOUR)
    ) and (told.state, told.left) == ("live", 2)
    assert hint(FOUR, ALIVE).moves == ()


def test_what_the_count_does_not_decide_is_not_said(counts):
    counts(lambda position: CountAnswer(None, proven=False))
    assert hint(FOUR) == UNKNOWN
    # It knows that there are solutions, but of no move how many it leaves.
    counts(lambda at: CountAnswer(Exact(1) if at == FOUR else None, proven=False))
    told = hint(FOUR)
    assert (told.value, told.state, told.left, told.moves, told.note) == (1, "live", None, (), LIVE)


def test_a_lost_board_leads_back_to_where_it_could_be_solved():
    lost = KIND.play_line(FOUR, "Q 1,2 Q 2,4 Q 4,4")
    told = hint(lost)
    assert (told.value, told.state, told.keep) == (0, "trapped", 2)
    assert number_of(KIND.play_line(FOUR, "Q 1,2 Q 2,4")) == 1


def test_a_game_without_an_end_is_not_won(monkeypatch):
    assert finish(defaults.rate(KIND, FOUR)).careful > 0.1
    monkeypatch.setattr(defaults, "LONGEST_GAME", 3)
    rated = finish(defaults.rate(KIND, FOUR))
    assert (rated.band, rated.careful) == (BANDS[-1], rated.random)


def test_a_board_is_generated_once_and_never_solved_already():
    solved = KIND.start(KIND.read(".Q../...Q/Q.../..Q."))
    starts = [FOUR, FOUR, solved, KIND.read(".../.../...")]
    found = finish(defaults.select_boards(KIND, starts, [1, 20], 2, NOTE))
    assert [board.position for board in found.boards] == [KIND.write(FOUR)]
    assert (found.value, found.proven, found.note) == (1, False, NOTE)
    endless = finish(defaults.select_boards(KIND, repeat(FOUR), [1, 20], 2, NOTE))
    assert len(endless.boards) == 1


def test_the_template_tells_its_rules():
    tall = KIND.read("../../..")
    assert KIND.obstacles.obstacle(tall) and number_of(tall) == 0
    assert KIND.obstacles.obstacle(FOUR) is None
    given = KIND.read(".Q../..../..../....")
    clear = KIND.read_move("- 1,2")
    for position in (given, FOUR):
        with pytest.raises(IllegalMove, match="no queen of yours"):
            KIND.play(position, clear)
    placed = KIND.play_line(FOUR, "Q 1,2")
    assert KIND.write_start(KIND.play(placed, clear)) == KIND.write_start(FOUR)
    assert KIND.describe(clear).text == "Row {row}, column {column} cleared"
    assert KIND.sample(random.Random(1), 4)
