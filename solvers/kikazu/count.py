"""The questions `count`, `solve` and `most`: how many ways there are to place the pieces, whether
there is one, and how many pieces of a kind fit."""

from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from solvers.answers import CountAnswer, Exact, ShownBoard
from solvers.kikazu import columns
from solvers.kikazu.estimate import random_games
from solvers.kikazu.questions import MostAnswer, SolveAnswer
from solvers.kikazu.rules import EMPTY, NAMES, PIECES, Move, Position, mirrored, obstacle
from solvers.kikazu.search import Problem, Race, problem_of
from solvers.kikazu.solutions import moves, placements
from solvers.kind import Kind, PuzzleError
from solvers.message import Message
from solvers.question import Progress, Run, relayed, within

KEPT = 10_000
"""The most leaves of a search that are kept for a second pass, which counts the ways with each
move."""

SECOND_PASS = 500_000_000
"""The most additions that the second pass may take, about half a second."""

FITS_SECONDS = 2.0
"""Seconds for finding how many pieces fit on a start without solutions."""


def count(kind: Kind[Position, Move], position: Position) -> Run[CountAnswer]:
    """Count the ways to place the rest of the hand. Mirror images count as different ways.

    Returns a `CountAnswer`. `by_move` is empty where counting the ways with each move would take
    long. `up_to_mirror` is None where the position is not its own mirror image, or where the
    symmetric solutions can't be counted quickly. Where there is no solution, `note` is the reason,
    if one is seen without a search; for a start it may say how many pieces fit. The searches are
    those of `solvers.kikazu.kernels`; where they last, `solvers.kikazu.columns` takes over.
    """
    if kind.judge(position).solved:
        return CountAnswer(Exact(1))
    problem = problem_of(position)
    reason = obstacle(position)
    if problem is None or reason:
        return CountAnswer(Exact(0), note=reason, up_to_mirror=Exact(0))
    race = Race(problem, keep=KEPT)
    total = yield from _total(problem, race)
    search = race.leader
    by_move: dict[str, Exact] = {}
    if (
        search.finished
        and search.leaf_count == search.kept
        and search.tally_cost() <= SECOND_PASS
        and search.total < 1 << 64
    ):
        search.tally()
        by_move = {
            kind.write_move(move): Exact(search.with_move(move.piece, problem.square(move.cell)))
            for move in kind.moves(position)
        }
    is_own_mirror = mirrored(position) == position.board
    same = symmetric(problem) if is_own_mirror else None
    first = next(search.leaves(), None)
    return CountAnswer(
        Exact(total),
        moves(problem, next(placements(problem, first))) if first else (),
        note=None if first or position.line else (yield from _fitting_pieces(kind, position)),
        by_move=by_move,
        up_to_mirror=None if same is None else Exact((total + same) // 2),
    )


ESTIMATED_AFTER = 0.1
"""Seconds of the searches after which an estimate and a bound are made, which takes up to a second
or two, unless the searches will probably finish before."""
HEAD_START = 1.0
"""Seconds of the searches after which the transfer may take its turn."""
_GAMES = 15_000


def _total(problem: Problem, race: Race) -> Run[int]:
    """Return the number of solutions. The searches of the race begin. If they don't finish soon,
    an estimate and a bound are reported. The transfer (`solvers.kikazu.columns`) takes over when it
    is expected to finish before the searches, which is asked whenever they have taken twice as
    long."""
    total = bounded = ready = least = None
    at_most, asked_at, is_prepared = 0, 0.0, False

    def shown(done: Progress) -> Progress:
        return replace(done, at_least=least, found=bounded)

    while not race.leader.finished:
        is_long = race.seconds_left > 2 * HEAD_START or race.seconds >= HEAD_START
        if bounded is None and race.seconds >= ESTIMATED_AFTER and is_long:
            games = yield from relayed(random_games(problem, _GAMES), shown)
            at_most = yield from relayed(columns.bound(problem), shown)
            bounded = games.to_answer(CountAnswer, None, at_most=Exact(at_most))
            yield shown(Progress(0, 1))
        if not is_prepared and race.seconds >= HEAD_START:
            ready = yield from relayed(columns.prepare(problem), shown)
            is_prepared = True
        if ready and race.seconds >= 2 * asked_at:
            asked_at = race.seconds
            if ready.seconds < race.seconds_left:
                total = yield from relayed(columns.count(ready, at_most), shown)
                break
        step = race.step()
        least = step.at_least
        yield shown(step)
    # A solution is shown, which the race finds if there is one.
    while not (race.leader.finished or (total is not None and (race.leader.kept or not total))):
        yield race.step()
    return race.leader.total if total is None else total


def _fitting_pieces(kind: Kind[Position, Move], start: Position) -> Run[Message | None]:
    """Return a message with the number of pieces that fit when some of the most frequent one are
    left out, or None where that is not found in time."""
    piece = max(PIECES, key=lambda piece: (number_in_hand(start, piece), PIECES.index(piece)))
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
"""Search nodes after which the count of symmetric solutions is given up. They take about half a
second."""


class _Unit(NamedTuple):
    """A piece of the middle column, or a piece together with its mirror image."""

    pieces: int
    squares: int
    reach: int


def symmetric(problem: Problem, nodes: int = SYMMETRIC_NODES) -> int | None:
    """Return how many solutions of a symmetric position are symmetric, or None if undecided.

    The search is given up after `nodes` nodes.
    """
    hand = dict(zip(PIECES, problem.hand))
    order = [piece for piece in "RBNKGSLP" if hand[piece]]
    units = [_units(problem, piece) for piece in order]
    top = sum(1 << column * problem.rows for column in range(problem.columns))
    board = (1 << problem.rows * problem.columns) - 1
    total = 0
    # A stack entry: kind, first unit to place, pieces left, occupied, barred, forward pieces left.
    forward = sum(hand[piece] for piece in "KGSLP")
    stack = [(0, 0, hand[order[0]], problem.occupied, problem.barred, forward)]
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


def _units(problem: Problem, piece: str) -> list[_Unit]:
    reach = problem.reach[PIECES.index(piece)]
    units = []
    for square in range(problem.rows * -(-problem.columns // 2)):
        column, row = divmod(square, problem.rows)
        other = (problem.columns - 1 - column) * problem.rows + row
        squares = 1 << square | 1 << other
        if not reach[square] & squares:
            units.append(_Unit(squares.bit_count(), squares, reach[square] | reach[other]))
    return units


def _capacity(room: int, top: int) -> int:
    """Return the most squares of the room that can be taken with none directly below another."""
    taken = 0
    while room:
        first_of_run = room & ~(room << 1 & ~top)
        taken += first_of_run.bit_count()
        room &= ~(first_of_run | (first_of_run << 1 & ~top))
    return taken


SOLVE_SECONDS = 60.0
"""Seconds of searching after which the question is given up."""


def solve(
    kind: Kind[Position, Move], position: Position, *, seconds: float = SOLVE_SECONDS
) -> Run[SolveAnswer]:
    """Find one way to place the rest of the hand.

    Returns a `SolveAnswer`. Its value is 1, with the moves, or 0 when there is provably no way. The
    value is None and not proven when `seconds` seconds of searching did not decide it.
    """
    if kind.judge(position).solved:
        return SolveAnswer(Exact(1), unique=True)
    problem = problem_of(position)
    reason = obstacle(position)
    if problem is None or reason:
        return SolveAnswer(Exact(0), note=reason)
    race = Race(problem, keep=2)
    while not race.leader.finished and race.leader.kept < 2 and race.seconds < seconds:
        yield race.step()
    every = (placements(problem, leaf) for leaf in race.leader.leaves())
    lines = [moves(problem, placement) for placement in islice(chain.from_iterable(every), 2)]
    if len(lines) > 1:
        return SolveAnswer(Exact(1), lines[0], unique=False, second=lines[1])
    if lines:
        return SolveAnswer(Exact(1), lines[0], unique=True if race.leader.finished else None)
    if race.leader.finished:
        return SolveAnswer(Exact(0))
    note = Message("Not decided after {seconds} s.", {"seconds": seconds})
    return SolveAnswer(None, proven=False, note=note)


MAX_SECONDS = 3.0
"""Seconds for each number of pieces, after which that number is left undecided."""


def most(
    kind: Kind[Position, Move],
    position: Position,
    *,
    piece: str = "P",
    seconds: float = MAX_SECONDS,
) -> Run[MostAnswer]:
    """Find the most pieces of one kind that the hand can have while its other pieces stay as they
    are.

    Returns a `MostAnswer` whose value is that number. It is 0 also when the other pieces don't fit
    even without any of this kind. It is a lower bound and not proven when `seconds` seconds did not
    decide some larger number. The board shows a solution with that many pieces. Raises PuzzleError
    if `piece` is not one of `PIECES`.

    The numbers are searched from the largest down. Crowded boards are decided at once, because
    almost nothing fits on them.
    """
    if len(piece) != 1 or piece not in PIECES:
        raise PuzzleError(
            "“{piece}” is not a piece. The pieces are R B K G S N L P.", piece=piece[:20]
        )
    best, best_board, decided = 0, None, True
    free = position.board.count(EMPTY) - sum(position.hand) + number_in_hand(position, piece)
    at_most = None
    for number in range(free, 0, -1):
        candidate = with_hand(position, piece, number)
        problem = problem_of(candidate)
        if problem is None:
            break
        if obstacle(candidate):
            continue
        if at_most is not None and number > at_most:
            continue
        race = Race(problem, keep=1)
        # What the transfer has found exists, so it is worth a longer search.
        limit = 10 * seconds if number == at_most else seconds
        while not (race.leader.finished or race.leader.kept or race.seconds > limit):
            race.step()
            bound = MostAnswer(at_most=Exact(number)) if decided else None
            yield Progress(free - number, free, found=bound)
        leaf = next(race.leader.leaves(), None)
        if leaf:
            line = " ".join(moves(problem, next(placements(problem, leaf))))
            best, best_board = number, kind.play_line(candidate, line)
            break
        if not race.leader.finished and at_most is None and piece in columns.NEAR:
            transferred = yield from columns.most(problem, piece)
            at_most = free if transferred is None else transferred
        is_refuted = at_most is not None and number > at_most
        decided = decided and (race.leader.finished or is_refuted)
    standing = sum(sign in PIECES for sign in (best_board or position).board)
    if not decided:
        note = Message("It was not decided in time whether more fit.")
    elif best_board is None:
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
        at_most=None if decided or at_most is None else Exact(at_most),
        pieces=standing,
        boards=(ShownBoard(kind.write(best_board), caption),) if best_board else (),
    )


def number_in_hand(position: Position, piece: str) -> int:
    """Return how many pieces of this kind are in the hand."""
    return position.hand[PIECES.index(piece)]


def with_hand(position: Position, piece: str, number: int) -> Position:
    """Return the board as a new start, with this number of pieces of the kind in the hand."""
    hand = list(position.hand)
    hand[PIECES.index(piece)] = number
    return Position(position.rows, position.columns, position.board, tuple(hand))
