"""The question `most`: how many pieces of one kind fit beside the others."""

from solvers.kikazu.placements import moves, placements
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position
from solvers.kikazu.search import Race, problem
from solvers.kind import Answer, Kind, Progress, PuzzleError, Run
from solvers.message import Message

SECONDS = 3.0
"""For each number of pieces, before it is left undecided."""


def most(
    kind: Kind[Position, Move], position: Position, *, piece: str = "P", seconds: float = SECONDS
) -> Run:
    """Ask how many of a piece the hand can hold at most, the rest of it being as it is.

    Value: that number, 0 also when the others don't fit even without it. Not proven, as a
    lower bound, when `seconds` did not decide a larger number. details: `pieces`, all that
    stand on the board then; `boards`, a solved board that shows it; `note`, the answer in
    words. Progress.details: `at_most`, what is known from above. Raises PuzzleError for a piece
    that is none.

    From above, because crowded boards are decided at once: almost nothing fits.
    """
    if len(piece) != 1 or piece not in PIECES:
        raise PuzzleError("“{piece}” is no piece. Pieces are R B K G S N L P.", piece=piece[:20])
    best, shown, decided = 0, None, True
    free = position.board.count(EMPTY) - sum(position.hand) + held(position, piece)
    for number in range(free, 0, -1):
        tried = with_hand(position, piece, number)
        asked = problem(tried)
        if asked is None:
            break
        if kind.obstacle(tried):
            continue
        race = Race(asked, keep=1)
        while not (race.leader.finished or race.leader.kept or race.seconds > seconds):
            race.step()
            bound = {"at_most": str(number)} if decided else {}
            yield Progress(free - number, free, details=bound)
        leaf = next(race.leader.leaves(), None)
        if leaf:
            line = " ".join(moves(asked, next(placements(asked, leaf))))
            best, shown = number, kind.play_line(tried, line)
            break
        decided = decided and race.leader.finished
    standing = sum(sign in PIECES for sign in (shown or position).board)
    if not decided:
        note = Message("It was not decided in time whether more fit.")
    elif shown is None:
        note = Message("Not a single one fits.")
    else:
        note = Message(
            "More than {number} pieces cannot stand on this board.", {"number": standing}
        )
    caption = Message("{piece}: {number}", {"piece": NAMES[piece], "number": best})
    boards = [{"position": kind.write(shown), "caption": caption.to_json()}] if shown else []
    details = {"pieces": standing, "boards": boards, "note": note.to_json()}
    return Answer(best, proven=decided, details=details)


def held(position: Position, piece: str) -> int:
    """Return how many of a piece are in the hand."""
    return position.hand[PIECES.index(piece)]


def with_hand(position: Position, piece: str, number: int) -> Position:
    """Return the board as it stands as a new start, with so many of a piece in the hand."""
    hand = list(position.hand)
    hand[PIECES.index(piece)] = number
    return Position(position.rows, position.columns, position.board, tuple(hand))
