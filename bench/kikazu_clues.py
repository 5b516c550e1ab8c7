"""`python -m bench.kikazu_clues`: find the fewest clues for each of the study's 1,860 boards.

A few seconds of work, too much for a page: puzzleclass/learn/kikazu_clues.txt keeps the result.
"""

from puzzleclass.learn.kikazu_figures import CLUES, SIDE, WHOLE, left_rook_is_higher
from solvers.kikazu import KIND
from solvers.kikazu.clues import SmallestSets
from solvers.kikazu.search import problem
from solvers.kikazu.solutions import all_solutions
from solvers.kikazu.study import boards
from solvers.question import finish


def main() -> None:
    """Write the file: for each board, in the order of their texts, the squares of its clues."""
    start = KIND.read("/".join([str(SIDE)] * SIDE) + " 2R2B2K4G4S4N4L18P")
    asked = problem(start)
    assert asked is not None
    ways = finish(all_solutions(start))
    assert ways is not None
    number_of = {
        tuple(sorted((asked.cell(square), piece) for piece, square in way)): number
        for number, way in enumerate(ways)
    }
    sets = SmallestSets(ways)
    lines = []
    for board in filter(left_rook_is_higher, boards(SIDE, SIDE, WHOLE)):
        pieces = ((divmod(at, SIDE), sign) for at, sign in enumerate(board) if sign in WHOLE)
        chosen = finish(sets.smallest(number_of[tuple(pieces)]))
        cells = sorted(asked.cell(square) for _, square in chosen)
        lines.append(" ".join(f"{row + 1}{column + 1}" for row, column in cells))
    CLUES.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
