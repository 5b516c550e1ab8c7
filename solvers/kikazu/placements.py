"""From the leaves of a search to its solutions, one by one."""

from collections.abc import Iterator

from solvers.grid import write_cell
from solvers.kikazu.rules import PIECES, Position
from solvers.kikazu.search import Leaf, Problem
from solvers.kind import Cell

Put = tuple[str, int]
"""A piece and its square."""

Placement = tuple[Put, ...]
"""A solution: pieces and their squares, piece by piece in the order of `PIECES`."""


def placements(asked: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the solutions of a leaf."""
    rests = _fill(asked, leaf) if leaf.rest else _columns(asked, leaf)
    for rest in rests:
        yield tuple(sorted((*leaf.placed, *rest), key=lambda put: (PIECES.index(put[0]), put[1])))


def moves(asked: Problem, placement: Placement) -> tuple[str, ...]:
    """Return the solution as texts of moves, row by row for each piece."""
    cells = sort_key(asked, placement)
    return tuple(f"{PIECES[piece]} {write_cell(cell)}" for piece, cell in cells)


def given(asked: Problem, position: Position, chosen: Placement) -> Position:
    """Return the board as it stands as a new start, with these pieces of the hand given."""
    board, hand = list(position.board), list(position.hand)
    for piece, square in chosen:
        board[position.index(asked.cell(square))] = piece
        hand[PIECES.index(piece)] -= 1
    return Position(position.rows, position.columns, "".join(board), tuple(hand))


def sort_key(asked: Problem, placement: Placement) -> list[tuple[int, Cell]]:
    """Return the pieces (index in `PIECES`) and their cells, row by row for each piece."""
    return sorted((PIECES.index(piece), asked.cell(square)) for piece, square in placement)


def _fill(asked: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the ways to give K, G, S, L and P to the squares of the rest, all of them taken."""
    taken = asked.occupied | leaf.rest | sum(1 << square for _, square in leaf.placed)
    hand = dict(zip(PIECES, asked.hand))
    left = {piece: hand[piece] for piece in "KGSLP"}
    kinds_of = {
        square: [
            piece
            for piece in left
            if left[piece] and not asked.reach[PIECES.index(piece)][square] & taken
        ]
        for square in range(asked.rows * asked.columns)
        if leaf.rest >> square & 1
    }
    forced = tuple((kinds[0], square) for square, kinds in kinds_of.items() if len(kinds) == 1)
    for piece, square in forced:
        left[piece] -= 1
        del kinds_of[square]
    squares, possible = list(kinds_of), list(kinds_of.values())
    # ahead[piece][i]: how many of the squares from the i-th on the piece may take.
    ahead = {
        piece: [sum(piece in kinds for kinds in possible[i:]) for i in range(len(squares) + 1)]
        for piece in left
    }
    chosen: list[str] = []

    def go_on() -> Iterator[Placement]:
        at = len(chosen)
        if at == len(squares):
            yield (*forced, *zip(chosen, squares))
            return
        for piece in possible[at]:
            if not left[piece]:
                continue
            left[piece] -= 1
            if all(number <= ahead[other][at + 1] for other, number in left.items()):
                chosen.append(piece)
                yield from go_on()
                chosen.pop()
            left[piece] += 1

    yield from go_on()


def _columns(asked: Problem, leaf: Leaf) -> Iterator[Placement]:
    """Yield the ways to put the lances and pawns anywhere they can stand."""
    occupied, barred = asked.occupied, asked.barred
    for piece, square in leaf.placed:
        occupied |= 1 << square
        barred |= 1 << square | asked.reach[PIECES.index(piece)][square]
    up = asked.reach[PIECES.index("L")]
    squares = [
        square
        for square in range(asked.rows * asked.columns)
        if not barred >> square & 1 and not asked.reach[PIECES.index("P")][square] & occupied
    ]
    # fits[i]: how many pieces the squares from the i-th on can take, none ahead of another.
    fits = [0] * (len(squares) + 2)
    for at in range(len(squares) - 1, -1, -1):
        in_line = squares[at + 1 : at + 2] == [squares[at] + 1] and up[squares[at] + 1]
        fits[at] = max(fits[at + 1], 1 + fits[at + 2 if in_line else at + 1])
    put: list[tuple[str, int]] = []

    def go_on(at: int, lances: int, pawns: int, standing: int) -> Iterator[Placement]:
        if lances + pawns == 0:
            yield tuple(put)
            return
        if lances + pawns > fits[at]:
            return
        square = squares[at]
        yield from go_on(at + 1, lances, pawns, standing)
        ahead = up[square]
        # The piece ahead, if any, is attacked by whatever stands here.
        if standing & ahead and standing >> (square - 1) & 1:
            return
        for piece, left in (("L", lances), ("P", pawns)):
            if left and not (piece == "L" and ahead & (standing | occupied)):
                put.append((piece, square))
                yield from go_on(
                    at + 1,
                    lances - (piece == "L"),
                    pawns - (piece == "P"),
                    standing | 1 << square,
                )
                put.pop()

    yield from go_on(0, asked.hand[PIECES.index("L")], asked.hand[PIECES.index("P")], 0)
