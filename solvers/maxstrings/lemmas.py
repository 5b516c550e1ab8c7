"""The study's two lemmas at work: from any legal board to a checkerboard form, step by step.

Lemma 1: strings are cut down to single stones. The stone that stays touches a stone that went, so
it has a liberty; the other strings only gain some. Lemma 2: stones that touch each other, of
whatever colour, are a group; strings being single stones, the colours alternate within it, and
turning all of a group over harms nothing. Neither step changes the number of strings.
"""

from collections.abc import Iterator

from solvers.grid import neighbours
from solvers.kind import Cell
from solvers.maxstrings.rules import BLACK, FREE, STONES, WHITE, Board, cells, strings

TURNED = {BLACK: WHITE, WHITE: BLACK}


def to_single_stones(board: Board) -> Iterator[Board]:
    """Yield the board after each string of several stones was cut down to its first one."""
    for string in strings(board):
        if len(string.cells) > 1:
            board = _changed(board, dict.fromkeys(string.cells[1:], FREE))
            yield board


def groups(board: Board) -> list[tuple[Cell, ...]]:
    """Return the sets of stones, of any colour, that hang together, by their first cells."""
    found: list[tuple[Cell, ...]] = []
    seen: set[Cell] = set()
    for first in cells(board):
        if board[first[0]][first[1]] not in STONES or first in seen:
            continue
        group = [first]
        seen.add(first)
        for cell in group:
            for there in neighbours(cell, len(board), len(board[0])):
                if board[there[0]][there[1]] in STONES and there not in seen:
                    seen.add(there)
                    group.append(there)
        found.append(tuple(group))
    return found


def fits(board: Board, group: tuple[Cell, ...]) -> bool:
    """Return whether a group of single stones has the colours of the checkerboard that is black
    in the first corner."""
    row, column = group[0]
    return (STONES.index(board[row][column]) + row + column) % 2 == 0


def to_checkerboard(board: Board) -> Iterator[Board]:
    """Yield a board of single stones after each group that does not fit was turned over."""
    for group in groups(board):
        if not fits(board, group):
            board = _changed(board, {(r, c): TURNED[board[r][c]] for r, c in group})
            yield board


def _changed(board: Board, letters: dict[Cell, str]) -> Board:
    return tuple(
        "".join(letters.get((r, c), letter) for c, letter in enumerate(row))
        for r, row in enumerate(board)
    )
