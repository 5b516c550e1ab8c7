"""The question `rate`: how hard a puzzle is, as the chance of a player who can't think ahead.

The player takes the pieces of the hand from left to right and sets each on a random square where it
attacks nothing and is not attacked. The chance to end with a solution is estimated by random walks
that keep to moves from which there is a solution. Each walk yields the product of (number of such
moves) / (number of moves that the player might have made), and the mean of that product is the
chance.
"""

import math
import random
import statistics
from bisect import bisect_left

from msgspec.structs import replace

from solvers.answers import BANDS, RateAnswer
from solvers.kikazu.count import count
from solvers.kikazu.rules import Move, Position, obstacle
from solvers.kikazu.search import problem_of
from solvers.kikazu.solutions import PlacedPiece, Placement, SolutionSets, all_solutions
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Progress, Run, within
from solvers.rating import UNSOLVABLE

LEVELS = (1.0, 3.0, 7.0)
"""The highest level, which is -log10 of the chance, of each of `BANDS` but the last."""

WALKS = 10

COUNT_SECONDS = 2.0
"""Seconds for finding the solving moves of one position, and all solutions of the first
position."""


def rate(kind: Kind[Position, Move], position: Position) -> Run[RateAnswer]:
    """Rate the position by the chance of a careful player.

    Returns a `RateAnswer` without a value. It is not proven, because the chance is an estimate;
    `error` is its relative standard error. There is no band without a solution, and none if the
    solutions can't be counted in time.
    """
    rng = random.Random(1)
    chances: list[float] = []
    solutions = yield from all_solutions(position, COUNT_SECONDS)
    source: _KnownSolutions | _CountedSolutions
    source = (
        _CountedSolutions(kind) if solutions is None else _KnownSolutions(kind, position, solutions)
    )
    while len(chances) < WALKS:
        chance = yield from _walk(kind, position, source, rng)
        if chance is None:
            note = Message("Counting the solutions takes too long to say how hard this is.")
            return RateAnswer(None, proven=False, note=note)
        if chance == 0:
            return replace(UNSOLVABLE, careful=0.0, note=obstacle(position) or UNSOLVABLE.note)
        chances.append(chance)
        yield Progress(len(chances), WALKS)
    careful = statistics.fmean(chances)
    level = -math.log10(careful)
    note = Message(
        "A player who sets piece after piece on any square that is still allowed solves this "
        "about once in {tries} tries.",
        {"tries": round(1 / careful) if careful > 1e-4 else f"10^{round(level)}"},
    )
    return RateAnswer(
        None,
        proven=False,
        note=note,
        careful=careful,
        careful_level=level,
        error=statistics.stdev(chances) / careful / math.sqrt(WALKS),
        band=BANDS[bisect_left(LEVELS, level)],
    )


def _walk(
    kind: Kind[Position, Move],
    position: Position,
    source: "_KnownSolutions | _CountedSolutions",
    rng: random.Random,
) -> Run[float | None]:
    """Return a walk's product of solving moves / legal moves; 0 without a solution, None if
    undecided."""
    chance = 1.0
    while not kind.judge(position).solved:
        legal = list(kind.moves(position))
        legal = [move for move in legal if move.piece == legal[0].piece]
        live = yield from source.live(position, legal)
        if live is None:
            return None
        if not live:
            return 0.0
        chance *= len(live) / len(legal)
        position = kind.play(position, rng.choice(live))
    return chance


class _KnownSolutions:
    """A source of solving moves that has all solutions of the walks' first position."""

    def __init__(
        self, kind: Kind[Position, Move], position: Position, solutions: list[Placement]
    ) -> None:
        self._problem = problem_of(position)
        self._moves_before = len(kind.line(position))
        self._solutions = SolutionSets(solutions)

    def live(self, position: Position, legal: list[Move]) -> Run[list[Move] | None]:
        """Return those of the moves from which there is a solution, or None when undecided."""
        played = position.line[self._moves_before :]
        left = self._solutions.left(map(self._placed, played))
        yield Progress(0, WALKS)
        if not left:
            return []
        return [move for move in legal if self._solutions.left([self._placed(move)], left)]

    def _placed(self, move: Move) -> PlacedPiece:
        assert self._problem is not None
        return move.piece, self._problem.square(move.cell)


class _CountedSolutions:
    """A source of solving moves that counts the solutions of each position."""

    def __init__(self, kind: Kind[Position, Move]) -> None:
        self._kind = kind

    def live(self, position: Position, legal: list[Move]) -> Run[list[Move] | None]:
        """Return those of the moves from which there is a solution, or None when undecided."""
        run = count(self._kind, position)
        counted = yield from within(run, COUNT_SECONDS)
        if counted is None or (counted.value and not counted.by_move):
            return None
        return [move for move in legal if counted.by_move.get(self._kind.write_move(move))]
