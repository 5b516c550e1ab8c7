"""The non-attacking pieces: hints, reviews and difficulty."""

import random

from solvers.contract.boards import make_ask
from solvers.kikazu import KIND, rate
from solvers.kikazu.hint import standing
from solvers.kikazu.rules import Position
from solvers.question import Progress, Run
from tests.solvers.kikazu_boards import board

ask = make_ask(KIND)


def test_hints():
    start = KIND.read(board(5, 5, "RBNKG2S2L5P"))
    solution = ask("solve", start).moves
    position = start
    while not KIND.judge(position).solved:
        hint = ask("hint", position)
        assert (hint.value, hint.state) == (1, "live")
        cell = KIND.read_move(hint.moves[0]).cell
        assert f"{cell[0] + 1},{cell[1] + 1}" in hint.region
        position = KIND.play_line(position, hint.moves[0])
        assert ask("count", position).value
    assert ask("hint", position).moves == ()

    lost = KIND.play_line(start, f"{solution[0]} B 1,1 {solution[2]}")
    hint = ask("hint", lost)
    assert hint.value == 0
    stage = lost
    for wrong in hint.wrong:
        stage = KIND.play_line(stage, f"- {wrong}")
    assert ask("count", stage).value
    assert hint.moves == (f"- {hint.wrong[0]}",)

    clash = KIND.play_line(start, "R 2,2 B 2,3")
    assert ask("hint", clash).state == "doomed"
    never = KIND.read(board(4, 4, "9R"))
    assert ask("hint", never).wrong is None


def test_review_of_a_line_that_takes_pieces_back():
    """R 1,1 loses everything; it is taken back; B 1,1 loses everything for good."""
    line = "R 1,1 - 1,1 S 1,4 B 1,1 P 5,5"
    answer = ask("review", KIND.play_line(KIND.read(board(5, 5, "RBNKG2S2L5P")), line))
    assert answer.value == 4
    assert answer.left[1] == 0
    assert answer.left[3] > 0
    mended = KIND.play_line(KIND.read(board(5, 5, "RBNKG2S2L5P")), "R 1,1 - 1,1")
    assert ask("review", mended).value == 0


def chance(position: Position) -> float:
    """The chance of `rate`'s player, from the rules alone."""
    if KIND.judge(position).solved:
        return 1.0
    legal = list(KIND.moves(position))
    legal = [move for move in legal if move.piece == legal[0].piece]
    return sum(chance(KIND.play(position, move)) for move in legal) / max(len(legal), 1)


def test_difficulty_against_the_exact_chance():
    tried = 0
    for seed in range(40):
        start = KIND.sample(random.Random(seed), 3)
        exact = chance(start)
        rated = ask("rate", start)
        if exact == 0:
            assert (rated.careful, rated.careful_level, rated.band) == (0.0, None, "")
            continue
        # Ten walks; five standard errors, and a little for those that all went alike.
        assert abs(rated.careful - exact) <= exact * (5 * rated.error + 0.1)
        tried += 1
    assert tried > 10


def test_a_rating_is_the_same_whether_solutions_are_listed_or_counted(monkeypatch):
    starts = [KIND.sample(random.Random(seed), 3) for seed in range(12)]
    listed = [ask("rate", start) for start in starts]
    monkeypatch.setattr(rate, "all_solutions", too_many)
    assert [ask("rate", start) for start in starts] == listed
    monkeypatch.setattr(rate, "COUNT_SECONDS", 0)
    answer = ask("rate", starts[0])
    assert (answer.band, answer.proven) == ("", False)
    assert answer.note.text == "Counting the solutions takes too long to say how hard this is."


def too_many(position: Position, seconds: float) -> Run[None]:
    """Answer as the list of all solutions does where there are too many."""
    yield Progress(0, 1)


def test_the_pieces_on_the_board_are_those_of_the_moves():
    start = KIND.read(board(5, 5, "RBNKG2S2L5P"))
    end = KIND.play_line(start, "R 1,1 S 4,4 G 5,5 - 1,1 S4,4> 2,4 N 3,1")
    assert [KIND.write_move(move) for move in standing(end)] == ["G 5,5", "S 2,4", "N 3,1"]
    again = KIND.play_line(start, " ".join(map(KIND.write_move, standing(end))))
    assert again.board == end.board
    assert KIND.describe(KIND.read_move("- 1,1")).text == "Row {row}, column {column} cleared"
