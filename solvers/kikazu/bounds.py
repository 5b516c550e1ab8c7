"""How many pieces can stand on a board at most, where a short proof says so without a search.

Nobody shares a rook's row or column. So with r rooks there are n - r columns for the others. In
such a column of m squares a bishop or knight takes its square; a piece that attacks the square
ahead takes its own and that one, which must stay empty, and only at the upper edge a single one.
These squares never overlap: with x bishops and knights in it, the column has room for
(m + 1 - x) // 2 of the other pieces. For 9 x 9 and R2 B2 N4 that makes 32 and so 40 pieces
altogether, which is what the study found; with two knights more 31 and 41.
"""

from solvers.kikazu.rules import PIECES, Position
from solvers.message import Message

FORWARD = "KGSLP"
"""The pieces that attack at least the square ahead."""


def obstacle(position: Position) -> Message | None:
    """Return why the pieces given and those of the hand never fit on the board together.

    None proves nothing. Squares that must stay empty, and where the given pieces stand, are left
    out of account.
    """
    rows, columns = position.rows, position.columns
    number = {
        piece: position.board.count(piece) + left for piece, left in zip(PIECES, position.hand)
    }
    lines = min(rows, columns)
    if number["R"] > lines:
        return Message(
            "Two rooks never share a row or a column, so at most {most} fit on this board.",
            {"most": lines},
        )
    if number["B"] > rows + columns - 1:
        return Message(
            "Two bishops never share a diagonal, so at most {most} fit on this board.",
            {"most": rows + columns - 1},
        )
    quarters = -(-rows // 2) * -(-columns // 2)
    if number["K"] > quarters:
        return Message(
            "Two kings never stand in one block of 2 × 2 squares, so at most {most} fit on this "
            "board.",
            {"most": quarters},
        )
    left = columns - number["R"]
    if number["L"] > left:
        return Message(
            "Two lances never share a column, and none stands in the column of a rook, so at "
            "most {most} fit on this board.",
            {"most": left},
        )
    singles = number["B"] + number["N"]
    forward = sum(number[piece] for piece in FORWARD)
    most = most_forward(rows, left, singles)
    if most is None:
        return Message("So many rooks, bishops and knights never fit on this board together.")
    if forward > most:
        return Message(
            "These {pieces} pieces never fit on this board together. It is proven that with so "
            "many rooks, bishops and knights {most} pieces are the most.",
            {
                "pieces": sum(number.values()),
                "most": sum(number.values()) - forward + most,
            },
        )
    return None


def most_forward(rows: int, columns: int, singles: int) -> int | None:
    """Return how many pieces that attack the square ahead fit beside `singles` other pieces.

    `columns`: those without a rook. None when not even the others fit.
    """
    # best[x]: the most with x of the others in the columns so far.
    best = {0: 0}
    for _ in range(columns):
        wider: dict[int, int] = {}
        for before, forward in best.items():
            for x in range(min(rows, singles - before) + 1):
                more = forward + (rows + 1 - x) // 2
                wider[before + x] = max(wider.get(before + x, 0), more)
        best = wider
    return best.get(singles)
