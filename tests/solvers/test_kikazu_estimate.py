import pytest

from solvers.kikazu import KIND
from solvers.question import finish


def ask(question: str, board: str):
    return finish(KIND.questions[question].ask(KIND, KIND.read(board)))


BOARDS = [
    *("5/5/5/5/5 K2G2S", "5/5/5/5/5 2NKGSP", "4/4/4/4 2R2B", "5/5/1-3/5/5 BKL3P"),
    "3R1/5/5/5/5 2G",
]


@pytest.mark.parametrize("board", BOARDS)
def test_an_estimate_is_close_to_the_count(board):
    exact, found = ask("count", board), ask("estimate", board)
    assert exact.proven
    assert not found.proven
    assert abs(found.estimate - exact.value) < 5 * found.error + 0.01 * exact.value


@pytest.mark.parametrize("hand", ["2R2B2K4G4S4N", "4K3G2S5N", "2K4G4S4N"])
def test_a_board_with_few_pieces_has_an_estimate_with_a_small_error(hand):
    """No search counts these boards: they have more than 10^17 solutions."""
    board = f"9/9/9/9/9/9/9/9/9 {hand}"
    found = ask("estimate", board)
    assert found.value > 10**17
    assert found.error < 0.03 * found.estimate
    assert ask("estimate", board) == found


@pytest.mark.thorough
def test_it_says_when_nothing_was_found_and_when_the_number_is_known():
    full = ask("estimate", "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P")
    assert (full.value, full.estimate, full.proven) == (None, None, False)
    crowded = ask("estimate", "3/3/3 7P")
    assert (crowded.value, crowded.proven) == (0, True)
