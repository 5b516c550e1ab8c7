"""The question `generate`: new puzzles for the board and the pieces of a position.

Where a start has few enough solutions, they are all found once and kept while puzzles are made from
them. The whole set, for example, has 3,720. The solutions that some clues leave are then a set of
numbers. Where there are too many, a sample is drawn, and the solutions that clues leave are
searched for.
"""

import random
from typing import Any

from msgspec.structs import replace

from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.kikazu.count import most, with_hand
from solvers.kikazu.questions import OWN, WantedPuzzle, base_position
from solvers.kikazu.rate import rate
from solvers.kikazu.rules import BARRED, EMPTY, Move, Position, mirrored
from solvers.kikazu.search import Problem, Race, problem_of
from solvers.kikazu.solutions import (
    PlacedPiece,
    Placement,
    SolutionSets,
    all_solutions,
    placements,
    with_clues,
)
from solvers.kind import Kind
from solvers.message import Message
from solvers.options import ANY
from solvers.question import Progress, Run

ATTEMPTS = 40
"""Attempts for each puzzle wanted."""

MAX_LEAVES = 2_000
"""The most leaves of a search among which the solution of a new puzzle is drawn."""

SECONDS = 5.0
"""Seconds for one search or count. A puzzle that takes longer is not used."""

Puzzle = tuple[Position, GeneratedBoard]
"""A start and its entry in the answer."""


def generate(
    kind: Kind[Position, Move],
    position: Position,
    *,
    board: str = OWN,
    many: int = 1,
    seed: int = 0,
    **options: Any,
) -> Run[GenerateAnswer]:
    """Make new puzzles with the board and pieces of the position, or of one of `BOARDS`.

    `options` are those of `WantedPuzzle`. No clue of a puzzle can be left out, because there
    would be more solutions than wanted without it. Only where a number of clues or a difficulty is
    wanted may a puzzle have more clues than that. The level and the band are rated when a band is
    wanted. No puzzle is a mirror image of another. The same seed gives the same puzzles.

    Returns a `GenerateAnswer`. It is not proven and has a `note` when fewer than `many` puzzles
    were found in `ATTEMPTS` attempts for each. Raises PuzzleError for options that can't be met.
    """
    wanted = WantedPuzzle(**options)
    start = base_position(position, board)
    wanted.check(start)
    if wanted.style == "maximum":
        best = yield from most(kind, start, piece=wanted.piece, seconds=SECONDS)
        if not best.value or not best.proven:
            note = Message("It is not known how many pieces fit on this board.")
            return GenerateAnswer(Exact(0), proven=False, note=note)
        start = with_hand(start, wanted.piece, best.value)
        wanted.check(start, is_final=True)
    rng = random.Random(seed)
    problem = problem_of(start)
    listed = yield from all_solutions(start, SECONDS)
    known = (yield from _sample(problem, rng)) if problem and listed is None else listed
    if not known or problem is None:
        note = Message("These pieces don't fit on this board, or no way was found in time.")
        return GenerateAnswer(Exact(0), proven=False, note=note)
    maker = _PuzzleMaker(kind, start, problem, wanted, rng, SolutionSets(known) if listed else None)
    puzzles: list[GeneratedBoard] = []
    seen: set[str] = set()
    for _ in range(ATTEMPTS * many):
        if len(puzzles) == many:
            break
        made = yield from maker.attempt(rng.choice(known))
        if made:
            images = {made[0].given, mirrored(made[0])}
            if not images & seen:
                seen |= images
                puzzles.append(made[1])
        found_so_far = _answer(puzzles, many)
        yield Progress(len(puzzles), many, found_so_far.note, found=found_so_far)
    return _answer(puzzles, many)


def _answer(puzzles: list[GeneratedBoard], many: int) -> GenerateAnswer:
    note = Message("Puzzles found: {found} of {many}.", {"found": len(puzzles), "many": many})
    return GenerateAnswer.of(puzzles, many, note)


def _sample(problem: Problem, rng: random.Random) -> Run[list[Placement]]:
    """Return some solutions, as random as the search allows."""
    race = Race(problem, keep=MAX_LEAVES)
    while not race.leader.finished and race.leader.kept < MAX_LEAVES and race.seconds < SECONDS:
        yield race.step()
    drawn: list[Placement] = []
    for leaf in race.leader.leaves():
        several = [placement for placement, _ in zip(placements(problem, leaf), range(200))]
        drawn += rng.sample(several, min(len(several), 20))
    return drawn


class _PuzzleMaker:
    """A maker of puzzles, one after the other, from solutions of one start."""

    def __init__(
        self,
        kind: Kind[Position, Move],
        base: Position,
        problem: Problem,
        wanted: WantedPuzzle,
        rng: random.Random,
        table: SolutionSets | None,
    ) -> None:
        """Prepare the maker. `table` has all solutions of the start, where they are few
        enough."""
        self._kind = kind
        self._base = base
        self._problem = problem
        self._wanted = wanted
        self._least, self._most = wanted.solutions
        self._rng = rng
        self._table = table
        self._shapes = _by_shape(table.solutions) if table and wanted.style == "silhouette" else {}

    def attempt(self, solution: Placement) -> Run[Puzzle | None]:
        """Return a puzzle with this solution, or None when the attempt failed."""
        start, shape = self._base, _shape(solution)
        if self._wanted.style == "silhouette":
            start = self._silhouette(shape)
        clues: list[PlacedPiece] = []
        number = yield from self._count(start, shape, clues)
        shuffled = self._rng.sample(solution, len(solution))
        left = list(shuffled)
        while number is not None and number > self._most:
            # Take the one of a few clues that rules out the most solutions, so that few are needed.
            numbers = []
            for clue in left[:3]:
                numbers.append((yield from self._count(start, shape, [*clues, clue])))
            known = [n for n in numbers if n is not None and n >= self._least]
            if not known:
                return None
            best = numbers.index(min(known))
            clues.append(left.pop(best))
            number = numbers[best]
        # The last clue is needed, because there were too many solutions without it.
        for clue in clues[:-1]:
            rest = [other for other in clues if other != clue]
            without = yield from self._count(start, shape, rest)
            if without is not None and without <= self._most:
                clues, number = rest, without
        if number is None or number < self._least:
            return None
        more = [placed for placed in shuffled if placed not in clues]
        if self._wanted.clues:
            missing = self._wanted.clues - len(clues)
            if missing < 0:
                return None
            return (yield from self._puzzle(start, shape, clues + more[:missing]))
        for extra in range(min(len(more), 1) if self._wanted.band == ANY else len(more)):
            # Each further clue makes the puzzle easier.
            puzzle = yield from self._puzzle(start, shape, clues + more[:extra])
            if puzzle:
                return puzzle
        return None

    def _puzzle(self, start: Position, shape: int, clues: list[PlacedPiece]) -> Run[Puzzle | None]:
        """Return the start with these clues and its entry, or None when it is not as wanted."""
        number = yield from self._count(start, shape, clues)
        if number is None or number < self._least:
            return None
        puzzle = with_clues(self._problem, start, tuple(clues))
        made = GeneratedBoard(
            position=self._kind.write(puzzle), solutions=Exact(number), clues=len(clues)
        )
        if self._wanted.band == ANY:
            return puzzle, made
        rated = yield from rate(self._kind, puzzle)
        if rated.band != self._wanted.band:
            return None
        return puzzle, replace(made, band=rated.band, careful_level=rated.careful_level)

    def _count(self, start: Position, shape: int, clues: list[PlacedPiece]) -> Run[int | None]:
        """Return how many solutions are left, or None when a search did not decide it in time."""
        if self._table:
            return self._table.left(clues, self._shapes.get(shape)).bit_count()
        problem = problem_of(with_clues(self._problem, start, tuple(clues)))
        if problem is None:
            return 0
        race = Race(problem)
        while not race.leader.finished:
            if race.seconds > SECONDS:
                return None
            yield race.step()
        return race.leader.total

    def _silhouette(self, shape: int) -> Position:
        """Return the start with every square barred that the solution leaves empty."""
        base = self._base
        board = "".join(
            BARRED
            if sign == EMPTY and not shape >> self._problem.square(divmod(index, base.columns)) & 1
            else sign
            for index, sign in enumerate(base.board)
        )
        return Position(base.rows, base.columns, board, base.hand)


def _shape(solution: Placement) -> int:
    """Return the squares that a solution fills, as bits."""
    return sum(1 << square for _, square in solution)


def _by_shape(solutions: list[Placement]) -> dict[int, int]:
    """Return the squares that a solution fills -> the solutions that fill them, both as bits."""
    shapes: dict[int, int] = {}
    for number, solution in enumerate(solutions):
        shape = _shape(solution)
        shapes[shape] = shapes.get(shape, 0) | 1 << number
    return shapes
