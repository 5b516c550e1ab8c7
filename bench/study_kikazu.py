"""The study's search for non-attacking placements, written anew from its description.

松元隆二, 利かずの駒並べの全解探索 (2014), sections 4 to 7: kind after kind in the study's order
(飛 角 王 金 銀 歩 桂 香), the pieces of a kind on increasing squares from the own side of the
board forward; squares that are attacked are passed over; how often each square is attacked is
counted up and down again; a branch with fewer free squares than pieces is given up.
"""

from solvers.kikazu.rules import PIECES, Position, attacks

ORDER = "RBKGSPNL"


def count_in_python(start: Position) -> int:
    """Return the number of ways to place the hand on an empty board, mirror images too."""
    rows, columns = start.rows, start.columns
    squares = [(row, column) for row in range(rows - 1, -1, -1) for column in range(columns)]
    number = {cell: at for at, cell in enumerate(squares)}
    reach = {
        piece: [
            [number[there] for there in attacks(piece, cell, rows, columns)] for cell in squares
        ]
        for piece in PIECES
    }
    hand = dict(zip(PIECES, start.hand))
    pieces = [piece for piece in ORDER for _ in range(hand[piece])]
    attacked = [0] * len(squares)
    taken = [False] * len(squares)

    def place(at: int, first: int, free: int) -> int:
        if at == len(pieces):
            return 1
        if free < len(pieces) - at:
            return 0
        piece, total = pieces[at], 0
        for square in range(first, len(squares)):
            if attacked[square] or taken[square]:
                continue
            reached = reach[piece][square]
            if any(taken[there] for there in reached):
                continue
            lost = 1
            for there in reached:
                lost += not attacked[there]
                attacked[there] += 1
            taken[square] = True
            alike = at + 1 < len(pieces) and pieces[at + 1] == piece
            total += place(at + 1, square + 1 if alike else 0, free - lost)
            taken[square] = False
            for there in reached:
                attacked[there] -= 1
        return total

    return place(0, 0, len(squares))
