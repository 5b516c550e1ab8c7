"""The plain Python program for the study's page, checked by the rules and by published figures."""

from itertools import combinations, permutations

import pytest

from solvers.kikazu.rules import EMPTY, PIECES, Position, attacks, conflicts
from solvers.kikazu.skeletons import boards, head_pawns, mirror, up_to_mirror

WHOLE = {"R": 2, "B": 2, "K": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}


@pytest.fixture(scope="module")
def whole() -> list[str]:
    return boards(9, 9, WHOLE)


def attacks_of(board: str, columns: int) -> list[object]:
    hand = (0,) * len(PIECES)
    return list(conflicts(Position(len(board) // columns, columns, board, hand)))


def test_the_whole_set_has_3720_boards_and_none_with_an_attack(whole: list[str]) -> None:
    assert (len(whole), len(set(whole)), up_to_mirror(whole, 9)) == (3720, 3720, 1860)
    assert all(board.count(piece) == n for board in whole for piece, n in WHOLE.items())
    assert not any(attacks_of(board, 9) for board in whole)


def test_mirror_images_are_boards_too(whole: list[str]) -> None:
    assert {mirror(board, 9) for board in whole} == set(whole)
    assert mirror("R.B...", 3) == "B.R..."


def test_with_six_knights_41_pieces_fit() -> None:
    board = "P.P.PPPPP.R.......P.P.PPPPP...R.....P.P.PPPPPN....N.N.N.P.P.P.PN....P.P.N.P.PBPBP"
    assert {piece: board.count(piece) for piece in "RBNP"} == {"R": 2, "B": 2, "N": 6, "P": 31}
    assert not attacks_of(board, 9)


@pytest.mark.parametrize(
    ("rows", "columns", "hand"),
    [
        (3, 4, {"K": 1, "G": 1, "P": 2}),
        (4, 3, {"G": 2, "S": 1, "N": 1, "P": 1}),
        (3, 3, {"R": 1, "L": 1, "P": 2}),
        (3, 4, {"B": 1, "N": 1, "S": 1, "L": 1}),
    ],
)
def test_every_way_to_stand_them_is_tried_on_small_boards(
    rows: int, columns: int, hand: dict[str, int]
) -> None:
    pieces = [piece for piece, number in hand.items() for _ in range(number)]
    expected = set()
    orders = set(permutations(pieces))
    for squares in combinations(range(rows * columns), len(pieces)):
        for order in orders:
            signs = [EMPTY] * (rows * columns)
            for at, piece in zip(squares, order):
                signs[at] = piece
            if not attacks_of("".join(signs), columns):
                expected.add("".join(signs))
    assert set(boards(rows, columns, hand)) == expected


def test_blocking_makes_no_difference() -> None:
    """Two rooks and two bishops on 4x4 have 36 boards, whether attacks end at the first piece or
    not."""
    cells = [(row, column) for row in range(4) for column in range(4)]

    def hits(piece: str, cell: tuple[int, int], standing: set[tuple[int, int]]) -> bool:
        """Return whether the piece attacks one of the others when pieces block."""
        steps = {"R": ((0, 1), (0, -1), (1, 0), (-1, 0)), "B": ((1, 1), (1, -1), (-1, 1), (-1, -1))}
        for down, right in steps[piece]:
            row, column = cell
            while (row := row + down) in range(4) and (column := column + right) in range(4):
                if (row, column) in standing:
                    return True
        return False

    blocked = through = 0
    for rooks in combinations(cells, 2):
        for bishops in combinations([cell for cell in cells if cell not in rooks], 2):
            placed = [("R", cell) for cell in rooks] + [("B", cell) for cell in bishops]
            standing = {cell for _, cell in placed}
            blocked += not any(hits(piece, cell, standing) for piece, cell in placed)
            through += not any(standing & attacks(piece, cell, 4, 4) for piece, cell in placed)
    assert (blocked, through) == (36, 36)


def test_head_pawns() -> None:
    assert head_pawns("P.GP.P.P.", 3) == 2


def test_squares_left_after_rooks_and_bishops() -> None:
    """They are 27 to 45, as the study says. The page prints these numbers as our own."""
    squares = [(row, column) for column in range(9) for row in range(9)]
    number = {square: at for at, square in enumerate(squares)}
    reach = {
        piece: [
            1 << at | sum(1 << number[s] for s in attacks(piece, square, 9, 9))
            for at, square in enumerate(squares)
        ]
        for piece in "RB"
    }
    left = set()
    for one, two in combinations(range(81), 2):
        if reach["R"][one] >> two & 1:
            continue
        rooks, taken = 1 << one | 1 << two, reach["R"][one] | reach["R"][two]
        free = [at for at in range(81) if not taken >> at & 1 and not reach["B"][at] & rooks]
        for at, first in enumerate(free):
            for second in free[at + 1 :]:
                if not reach["B"][first] >> second & 1:
                    all_taken = taken | reach["B"][first] | reach["B"][second]
                    left.add(81 - all_taken.bit_count())
    assert (min(left), max(left)) == (27, 45)


def test_what_one_rook_or_bishop_takes() -> None:
    taken = {
        piece: {len(attacks(piece, divmod(at, 9), 9, 9)) for at in range(81)} for piece in "RB"
    }
    assert taken == {"R": {16}, "B": {8, 10, 12, 14, 16}}
    assert [at for at in range(81) if len(attacks("B", divmod(at, 9), 9, 9)) == 16] == [40]
