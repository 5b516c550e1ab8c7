"""All solutions of the study's boards in plain Python, so that a page can have them without a
worker.

The study (松元隆二, 利かずの駒並べの全解探索, 2014, A.1) proposes at its end, but does not carry
out, a search in two stages: first skeletons of rooks, bishops and knights, then the pieces that
attack the square ahead of them. This module is written from the rules and shares nothing with the
compiled searches, so where both answer, each checks the other. It suits crowded boards; other
boards have too many skeletons.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from solvers.kikazu.rules import EMPTY, FORWARD, mirror, reach

Board = str
"""The squares row by row, as in `Position.board`."""

_RIDERS = "RBN"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The squares of rooks, bishops and knights, together with the squares that the rest fills."""

    board: Board
    """The board with the pieces of the rest as pawns."""
    riders: tuple[tuple[str, int], ...]
    rest: tuple[int, ...]


def boards(rows: int, columns: int, hand: dict[str, int]) -> list[Board]:
    """Return all boards with this hand (piece -> number), sorted. Mirror images are different
    boards."""
    return sorted(
        board
        for skeleton in skeletons(rows, columns, hand)
        for board in fillings(skeleton, rows, hand)
    )


def skeletons(rows: int, columns: int, hand: dict[str, int]) -> list[Skeleton]:
    """Return the skeletons of a hand (piece -> number): the pieces besides R, B and N stand as
    pawns."""
    reached_by = {piece: reach(piece, rows, columns) for piece in _RIDERS}
    order = [piece for piece in _RIDERS for _ in range(hand.get(piece, 0))]
    forward = sum(hand.get(piece, 0) for piece in FORWARD)
    cells = rows * columns
    bottom = sum(1 << column * rows + rows - 1 for column in range(columns))
    complete: list[Skeleton] = []

    def go_on(placed: tuple[int, ...], free: int, taken: int) -> None:
        room = free & ~((taken & ~bottom) << 1)
        if _capacity(room, rows, columns) < forward:
            return
        level = len(placed)
        if level == len(order):
            riders = tuple(zip(order, placed))
            for rest in _scattered(room, forward, rows, columns):
                pawns = (("P", square) for square in rest)
                board = _board((*riders, *pawns), rows, columns)
                complete.append(Skeleton(board, riders, rest))
            return
        piece = order[level]
        alike = level and order[level - 1] == piece
        for square in range(placed[-1] + 1 if alike else 0, cells):
            reached = reached_by[piece][square]
            if free >> square & 1 and not reached & taken:
                go_on((*placed, square), free & ~reached & ~(1 << square), taken | 1 << square)

    go_on((), (1 << cells) - 1, 0)
    return complete


def fillings(skeleton: Skeleton, rows: int, hand: dict[str, int]) -> Iterator[Board]:
    """Yield the boards in which the hand's pieces stand on the squares of a skeleton."""
    columns = len(skeleton.board) // rows
    taken = sum(1 << square for _, square in skeleton.riders) | sum(1 << s for s in skeleton.rest)
    left = {piece: hand[piece] for piece in FORWARD if hand.get(piece)}
    possible = {
        square: [piece for piece in left if not reach(piece, rows, columns)[square] & taken]
        for square in skeleton.rest
    }
    # Squares with the fewest choices come first, so that dead ends show early.
    squares = sorted(possible, key=lambda square: len(possible[square]))
    ahead = {
        piece: [
            sum(piece in possible[square] for square in squares[at:])
            for at in range(len(squares) + 1)
        ]
        for piece in left
    }
    chosen: list[str] = []

    def go_on() -> Iterator[Board]:
        at = len(chosen)
        if at == len(squares):
            yield _board((*skeleton.riders, *zip(chosen, squares)), rows, columns)
            return
        for piece in possible[squares[at]]:
            if left[piece]:
                left[piece] -= 1
                if all(number <= ahead[other][at + 1] for other, number in left.items()):
                    chosen.append(piece)
                    yield from go_on()
                    chosen.pop()
                left[piece] += 1

    yield from go_on()


def up_to_mirror(found: list[Board], columns: int) -> int:
    """Return the number of boards when a board and its mirror image count as one."""
    same = sum(board == mirror(board, columns) for board in found)
    return (len(found) + same) // 2


def head_pawns(board: Board, columns: int) -> int:
    """Return the number of pawns with no piece ahead in their column. A lance could replace
    each."""
    tops = (board[column::columns].replace(EMPTY, "")[:1] for column in range(columns))
    return sum(top == "P" for top in tops)


def always(found: list[Board]) -> Board:
    """Return the board with only the pieces that stand on the same square on all boards."""
    return "".join(
        signs[0] if len(set(signs)) == 1 else EMPTY for signs in zip(*found, strict=True)
    )


@cache
def _apart(rows: int, mask: int) -> tuple[int, ...]:
    """Return the sets of squares of a column's mask, as masks, in which no two are neighbours."""
    return tuple(s for s in range(1 << rows) if not s & ~mask and not s & s >> 1)


@cache
def _most_apart(rows: int, mask: int) -> int:
    return max(map(int.bit_count, _apart(rows, mask)))


def _capacity(room: int, rows: int, columns: int) -> int:
    """Return the most forward pieces that the room has space for, with none ahead of another."""
    column = (1 << rows) - 1
    return sum(_most_apart(rows, room >> at * rows & column) for at in range(columns))


def _scattered(room: int, number: int, rows: int, columns: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to choose `number` squares of the room, with none ahead of another."""
    masks = [room >> at * rows & (1 << rows) - 1 for at in range(columns)]

    def go_on(at: int, left: int) -> Iterator[int]:
        if at == columns:
            if not left:
                yield 0
            return
        spare = sum(_most_apart(rows, mask) for mask in masks[at + 1 :])
        for chosen in _apart(rows, masks[at]):
            if chosen.bit_count() <= left <= chosen.bit_count() + spare:
                for others in go_on(at + 1, left - chosen.bit_count()):
                    yield chosen << at * rows | others

    for chosen in go_on(0, number):
        yield tuple(square for square in range(rows * columns) if chosen >> square & 1)


def _board(placed: tuple[tuple[str, int], ...], rows: int, columns: int) -> Board:
    signs = [EMPTY] * (rows * columns)
    for piece, square in placed:
        column, row = divmod(square, rows)
        signs[row * columns + column] = piece
    return "".join(signs)
