"""The question `rate`: how hard a puzzle is, as the chance of a player who can't think ahead.

The player takes the pieces of the hand from left to right and sets each on any square where
it attacks nothing and is not attacked. The chance to end with a solution is estimated by
walks that keep to moves from which there is a solution: the product of (such moves) / (moves
that the player might have made), averaged, has the chance as its mean.
"""

import math
import random
import statistics
from bisect import bisect_left

from solvers.answers import BANDS, RateAnswer
from solvers.kikazu.count import count
from solvers.kikazu.rules import Move, Position
from solvers.kikazu.search import problem
from solvers.kikazu.solutions import Placement, Put, SolutionSets, all_solutions
from solvers.kind import Kind
from solvers.message import Message
from solvers.question import Progress, Run, within

LEVELS = (1.0, 3.0, 7.0)
"""The highest level, -log10 of the chance, of each of `BANDS` but the last."""

WALKS = 10

COUNT_SECONDS = 2.0
"""For the moves that lead on in one position, and for all solutions of the first."""


def rate(kind: Kind[Position, Move], position: Position) -> Run[RateAnswer]:
    """Ask how hard the position is, by the chance of the careful player.

    `error` is relative. Not proven: it is an estimate. Proven without a solution, when there is no
    band and no note. No value.
    """
    rng = random.Random(1)
    chances: list[float] = []
    solutions = yield from all_solutions(position, COUNT_SECONDS)
    guide: _Knowing | _Searching
    guide = _Searching(kind) if solutions is None else _Knowing(kind, position, solutions)
    while len(chances) < WALKS:
        chance = yield from _walk(kind, position, guide, rng)
        if chance is None:
            note = Message("There are too many solutions to say how hard this is.")
            return RateAnswer(None, proven=False, note=note)
        if chance == 0:
            return RateAnswer(None, careful=0.0)
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
    guide: "_Knowing | _Searching",
    rng: random.Random,
) -> Run[float | None]:
    """Return a walk's product of live / legal moves, 0 without a solution, None if unknown."""
    chance = 1.0
    while not kind.judge(position).solved:
        legal = list(kind.moves(position))
        legal = [move for move in legal if move.piece == legal[0].piece]
        live = yield from guide.live(position, legal)
        if live is None:
            return None
        if not live:
            return 0.0
        chance *= len(live) / len(legal)
        position = kind.play(position, rng.choice(live))
    return chance


class _Knowing:
    """Knows the moves that lead on: has all solutions of the position that the walks begin at."""

    def __init__(
        self, kind: Kind[Position, Move], position: Position, solutions: list[Placement]
    ) -> None:
        self._asked = problem(position)
        self._moves_before = len(kind.line(position))
        self._solutions = SolutionSets(solutions)

    def live(self, position: Position, legal: list[Move]) -> Run[list[Move] | None]:
        """Return those of the moves from which there is a solution, None when undecided."""
        played = position.line[self._moves_before :]
        left = self._solutions.left(map(self._put, played))
        yield Progress(0, WALKS)
        if not left:
            return []
        return [move for move in legal if self._solutions.left([self._put(move)], left)]

    def _put(self, move: Move) -> Put:
        assert self._asked is not None
        return move.piece, self._asked.square(move.cell)


class _Searching:
    """Finds them out for every position anew."""

    def __init__(self, kind: Kind[Position, Move]) -> None:
        self._kind = kind

    def live(self, position: Position, legal: list[Move]) -> Run[list[Move] | None]:
        run = count(self._kind, position)
        counted = yield from within(run, COUNT_SECONDS)
        if counted is None or (counted.value and not counted.by_move):
            return None
        return [move for move in legal if counted.by_move.get(self._kind.write_move(move))]
