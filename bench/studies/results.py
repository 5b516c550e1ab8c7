"""The new results: larger censuses, full boards, few stones, and Tonari Othello.

The censuses are those of `goishi_census` on boards up to 24 points. Each move goes along a line,
so a board of k stones that has a solution takes up at most k + 1 rows and columns together: the
censuses of the sizes with rows + columns <= 10 hold every board of up to 9 stones, whatever its
size. Ten minutes, and 5 GB of memory for the boards of 5 x 5.
"""

from collections.abc import Iterator

import numpy as np

from bench.studies.goishi_census import WAYS, census, symmetries
from puzzleclass.studies.figures import BoardTally
from puzzleclass.studies.result_figures import (
    AllBlack,
    BoardCensus,
    FewStones,
    FullBoard,
    NewResults,
)
from solvers.question import finish
from solvers.registry import get_kind
from solvers.tonari.classes import found_classes
from solvers.tonari.count import class_size
from solvers.warm import warm

GOISHI, TONARI = get_kind("goishi"), get_kind("tonari")

POINTS = 24
"""The most points of a census."""
LINES = 10
"""The most rows and columns together of the boards that are searched for few stones."""
FULL = {1: 19, 2: 19, 3: 12, 4: 9, 5: 7, 6: 6}
"""Rows -> the most columns of the full boards."""
TONARI_POINTS, TONARI_SIDE = 36, 8
SHOWN = 4
"""Boards of each small number of stones that are kept."""


def figures() -> NewResults:
    """Return all results of the page."""
    warm()
    return NewResults(
        sizes=tuple(counted(*size) for size in sizes(POINTS)),
        full=tuple(full(rows, columns) for rows, columns in full_sizes()),
        few=tuple(few(LINES - 1)),
        tonari=tuple(all_black(*size) for size in tonari_sizes()),
    )


def sizes(points: int) -> Iterator[tuple[int, int]]:
    """Yield the sizes of at least two rows, no more rows than columns, and so many points."""
    for rows in range(2, points):
        for columns in range(rows, points // rows + 1):
            yield rows, columns


def counted(rows: int, columns: int) -> BoardCensus:
    """Return the census of a size."""
    ways = census(rows, columns, WAYS)
    unique = np.flatnonzero(ways == 1)
    tally = BoardTally(len(ways) - 1, int((ways > 0).sum()), len(unique))
    return BoardCensus(
        rows=rows,
        columns=columns,
        all=tally,
        solutions=int(ways.sum(dtype=np.uint64)),
        most=int(ways.max()),
        full=int(ways[-1]),
        most_unique_stones=int(np.bitwise_count(unique).max()),
    )


def full_sizes() -> Iterator[tuple[int, int]]:
    """Yield the sizes of the full boards that are counted, small ones first."""
    for rows, most in FULL.items():
        for columns in range(max(rows, 2), most + 1):
            yield rows, columns


def full(rows: int, columns: int) -> FullBoard:
    """Count the solutions of a full board."""
    board = GOISHI.read("/".join(["o" * columns] * rows))
    answer = finish(GOISHI.questions["count"].ask(GOISHI, board))
    assert answer.proven
    return FullBoard(rows, columns, int(answer.value))


# Few stones


def few(most: int) -> Iterator[FewStones]:
    """Yield for 2 stones to `most` the boards of any size that have exactly one solution."""
    by_stones: dict[int, set[str]] = {stones: set() for stones in range(2, most + 1)}
    for rows in range(1, (most + 1) // 2 + 1):
        for columns in range(max(rows, 2), most + 2 - rows):
            for stones, board in unique_boards(rows, columns, most):
                by_stones[stones].add(board)
    for stones, boards in by_stones.items():
        examples = sorted(boards, key=lambda board: (len(board), board))[:SHOWN]
        yield FewStones(stones, len(boards), tuple(examples))


def unique_boards(rows: int, columns: int, most: int) -> Iterator[tuple[int, str]]:
    """Yield stones and text of the boards of a size without an empty row or column that have at
    most so many stones and exactly one solution; of turned and mirrored ones the least text."""
    masks = np.flatnonzero(census(rows, columns, WAYS) == 1).astype(np.uint32)
    masks = masks[np.bitwise_count(masks) <= most]
    group = symmetries(rows, columns)
    for mask in masks.tolist():
        cells = [cell for cell in range(rows * columns) if mask >> cell & 1]
        lines = {divmod(cell, columns) for cell in cells}
        has_gap = len({row for row, _ in lines}) < rows or len({c for _, c in lines}) < columns
        if not has_gap:
            images = [_text({image[cell] for cell in cells}, rows, columns) for image in group]
            yield len(cells), min(images)


def _text(cells: set[int], rows: int, columns: int) -> str:
    signs = "".join("o" if cell in cells else "." for cell in range(rows * columns))
    return "/".join(signs[start : start + columns] for start in range(0, len(signs), columns))


# Tonari Othello


def tonari_sizes() -> Iterator[tuple[int, int]]:
    """Yield the sizes on which all black is not ruled out, no more rows than columns."""
    for rows, columns in sizes(TONARI_POINTS):
        if columns <= TONARI_SIDE and (rows + columns) % 2 == 0:
            yield rows, columns


def all_black(rows: int, columns: int) -> AllBlack:
    """Count the orders set by set, and once more class by class, see `solvers.tonari.classes`."""
    start = TONARI.read(f"{rows}x{columns} 11")
    answer = finish(TONARI.questions["count"].ask(TONARI, start))
    assert answer.proven
    lines = [line for lines_of_class in found_classes(start) for line in lines_of_class]
    assert sum(finish(class_size(start, line)) or 0 for line in lines) == answer.value
    return AllBlack(rows, columns, int(answer.value), len(lines))
