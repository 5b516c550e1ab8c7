"""The drawings of the page of new results."""

from functools import cache

from puzzleclass.learn.goishi_pictures import KIND, board
from puzzleclass.learn.result_figures import FewStones
from solvers.picture import Picture

ROUND = "oo.ooo/.oo.oo"
"""A board on two lines whose last column holds two stones."""
THERE = "1,1 1,2 1,4 1,5 1,6 2,6 2,5 2,3 2,2"
BACK = " ".join(reversed(THERE.split()))

CHAIN = "oo..oo/.oooo."
"""A board with a lone stone at both ends that has a solution."""
ALONG = "1,1 1,2 2,2 2,3 2,4 2,5 1,5 1,6"
STUCK = "oo.o../.ooo.o"
"""A board with a lone stone at both ends that has none."""
AS_FAR = "1,1 1,2 1,4 2,4 2,3 2,2"
"""A line that leaves two stones behind with its third move, and jams on the leftmost of them."""


@cache
def two_lines() -> dict[str, Picture]:
    """Return the pictures of the proof for boards on two lines."""
    return {
        "there": board(ROUND, THERE),
        "back": board(ROUND, BACK),
        "chain": board(CHAIN, ALONG),
        "stuck": board(STUCK, AS_FAR),
    }


def few_stones(found: FewStones) -> list[tuple[str, Picture]]:
    """Return examples of puzzles with few stones, as text and as pictures."""
    return [(text, KIND.draw(KIND.read(text))) for text in found.examples]
