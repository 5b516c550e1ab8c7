"""The questions `count`, `solve` and `most`: how many ways there are to place the pieces, whether
there is one, and how many pieces of a kind fit.
"""

from itertools import chain, islice
from typing import NamedTuple

from solvers.answers import CountAnswer, Exact, ShownBoard
from solvers.kikazu.questions import MostAnswer, SolveAnswer
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position, mirrored, obstacle
from solvers.kikazu.search import Problem, Race, problem, race
from solvers.kikazu.solutions import moves, placements
from solvers.kind import Kind, PuzzleError
from solvers.message import Message
from solvers.question import Progress, Run, within

KEPT = 10_000
"""Leaves of a search kept to say, from a second look, how many ways there are with each move."""

SECOND_LOOK = 500_000_000
"""Additions that it may take, about half a second."""

FITS_SECONDS = 2.0
"""For what is said of a start without solutions."""


def count(kind: Kind[Position, Move], position: Position) -> Run[CountAnswer]:
    """Ask for the number of ways to place the rest of the hand, mirror images counted apart.

    The solutions with each move are left out where counting them would take long, the number up
    to the mirror where the position is not its own mirror image or the symmetric solutions can't
    be counted quickly. The note says why there is none, or how many pieces fit, for a start
    without solutions.
    """
    if kind.judge(position).solved:
        return CountAnswer(Exact(1))
    asked = problem(position)
    never = obstacle(position)
    if asked is None or never:
        return CountAnswer(Exact(0), note=never, up_to_mirror=Exact(0))
    search = yield from race(asked, keep=KEPT)
    by_move: dict[str, Exact] = {}
    if (
        search.leaf_count == search.kept
        and search.tally_cost() <= SECOND_LOOK
        and search.total < 1 << 64
    ):
        search.tally()
        by_move = {
            kind.write_move(move): Exact(search.with_move(move.piece, asked.square(move.cell)))
            for move in kind.moves(position)
        }
    is_own_mirror = mirrored(position) == position.board
    same = symmetric(asked) if is_own_mirror else None
    first = next(search.leaves(), None)
    return CountAnswer(
        Exact(search.total),
        moves(asked, next(placements(asked, first))) if first else (),
        note=None if first or position.line else (yield from _what_fits(kind, position)),
        by_move=by_move,
        up_to_mirror=None if same is None else Exact((search.total + same) // 2),
    )


def _what_fits(kind: Kind[Position, Move], start: Position) -> Run[Message | None]:
    """Return how many pieces fit when some of the most frequent one are left out."""
    piece = max(PIECES, key=lambda piece: (held(start, piece), PIECES.index(piece)))
    answer = yield from within(most(kind, start, piece=piece), FITS_SECONDS)
    if not answer or not answer.value or not answer.proven:
        return None
    return Message(
        "These {pieces} pieces don't fit on the board together. When only {letter} are left "
        "out, {most} fit.",
        {
            "pieces": sum(sign in PIECES for sign in start.board) + sum(start.hand),
            "letter": piece,
            "most": answer.pieces,
        },
    )


SYMMETRIC_NODES = 100_000
"""Search nodes before the count of symmetric solutions is given up, about half a second."""


class _Unit(NamedTuple):
    """A piece of the middle column, or a piece and its mirror image."""

    pieces: int
    squares: int
    reach: int


def symmetric(asked: Problem, nodes: int = SYMMETRIC_NODES) -> int | None:
    """Return how many solutions of a symmetric position are symmetric, None if undecided."""
    hand = dict(zip(PIECES, asked.hand))
    order = [piece for piece in "RBNKGSLP" if hand[piece]]
    units = [_units(asked, piece) for piece in order]
    top = sum(1 << column * asked.rows for column in range(asked.columns))
    board = (1 << asked.rows * asked.columns) - 1
    total = 0
    # kind, first unit to try, pieces of the kind left, occupied, barred, forward pieces left
    forward = sum(hand[piece] for piece in "KGSLP")
    stack = [(0, 0, hand[order[0]], asked.occupied, asked.barred, forward)]
    while stack:
        nodes -= 1
        if nodes < 0:
            return None
        kind, first, left, occupied, barred, forward = stack.pop()
        if not left:
            kind, first = kind + 1, 0
            if kind == len(order):
                total += 1
                continue
            left = hand[order[kind]]
        room = board & ~barred & ~(occupied << 1 & ~top)
        if _capacity(room, top) < forward:
            continue
        for at in range(first, len(units[kind])):
            unit = units[kind][at]
            if unit.pieces <= left and not unit.squares & barred and not unit.reach & occupied:
                stack.append(
                    (
                        kind,
                        at + 1,
                        left - unit.pieces,
                        occupied | unit.squares,
                        barred | unit.squares | unit.reach,
                        forward - unit.pieces * (order[kind] in "KGSLP"),
                    )
                )
    return total


def _units(asked: Problem, piece: str) -> list[_Unit]:
    reach = asked.reach[PIECES.index(piece)]
    units = []
    for square in range(asked.rows * -(-asked.columns // 2)):
        column, row = divmod(square, asked.rows)
        other = (asked.columns - 1 - column) * asked.rows + row
        squares = 1 << square | 1 << other
        if not reach[square] & squares:
            units.append(_Unit(squares.bit_count(), squares, reach[square] | reach[other]))
    return units


def _capacity(room: int, top: int) -> int:
    """Return how many squares of the room can be taken, none directly below another."""
    taken = 0
    while room:
        first_of_run = room & ~(room << 1 & ~top)
        taken += first_of_run.bit_count()
        room &= ~(first_of_run | (first_of_run << 1 & ~top))
    return taken


SOLVE_SECONDS = 60.0
"""Of searching, before the question is given up."""


def solve(
    kind: Kind[Position, Move], position: Position, *, seconds: float = SOLVE_SECONDS
) -> Run[SolveAnswer]:
    """Ask for one way to place the rest of the hand.

    Value 1 and its moves; value 0 when there is provably none; value None and not proven when
    `seconds` did not decide it.
    """
    if kind.judge(position).solved:
        return SolveAnswer(Exact(1), unique=True)
    asked = problem(position)
    never = obstacle(position)
    if asked is None or never:
        return SolveAnswer(Exact(0), note=never)
    race = Race(asked, keep=2)
    while not race.leader.finished and race.leader.kept < 2 and race.seconds < seconds:
        yield race.step()
    every = (placements(asked, leaf) for leaf in race.leader.leaves())
    found = [moves(asked, placement) for placement in islice(chain.from_iterable(every), 2)]
    if len(found) > 1:
        return SolveAnswer(Exact(1), found[0], unique=False, second=found[1])
    if found:
        return SolveAnswer(Exact(1), found[0], unique=True if race.leader.finished else None)
    if race.leader.finished:
        return SolveAnswer(Exact(0))
    note = Message("Not decided after {seconds} s.", {"seconds": seconds})
    return SolveAnswer(None, proven=False, note=note)


MOST_SECONDS = 3.0
"""For each number of pieces, before it is left undecided."""


def most(
    kind: Kind[Position, Move],
    position: Position,
    *,
    piece: str = "P",
    seconds: float = MOST_SECONDS,
) -> Run[MostAnswer]:
    """Ask how many of a piece the hand can hold at most, the rest of it being as it is.

    Value: that number, 0 also when the others don't fit even without it. Not proven, as a
    lower bound, when `seconds` did not decide a larger number. The board is a solved one that
    shows it. Raises PuzzleError for a piece that is none.

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
        if obstacle(tried):
            continue
        race = Race(asked, keep=1)
        while not (race.leader.finished or race.leader.kept or race.seconds > seconds):
            race.step()
            bound = MostAnswer(at_most=Exact(number)) if decided else None
            yield Progress(free - number, free, found=bound)
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
    return MostAnswer(
        Exact(best),
        proven=decided,
        note=note,
        pieces=standing,
        boards=(ShownBoard(kind.write(shown), caption),) if shown else (),
    )


def held(position: Position, piece: str) -> int:
    """Return how many of a piece are in the hand."""
    return position.hand[PIECES.index(piece)]


def with_hand(position: Position, piece: str, number: int) -> Position:
    """Return the board as it stands as a new start, with so many of a piece in the hand."""
    hand = list(position.hand)
    hand[PIECES.index(piece)] = number
    return Position(position.rows, position.columns, position.board, tuple(hand))
