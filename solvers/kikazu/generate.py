"""The question `generate`: puzzles to order, for the board and the pieces of a position.

Where a start has few enough solutions they are all found once, and kept while puzzles are drawn
from them: the whole set's 3,720, for one. What clues leave of them is then a set of numbers.
Where they are too many, a sample is drawn, and what clues leave is searched for.
"""

import random
from typing import Any

from msgspec.structs import replace

from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.kikazu.count import most, with_hand
from solvers.kikazu.questions import OWN, GenerateOptions, base_position
from solvers.kikazu.rate import rate
from solvers.kikazu.rules import BARRED, EMPTY, Move, Position, mirrored
from solvers.kikazu.search import Problem, Race, problem
from solvers.kikazu.solutions import Placement, Put, SolutionSets, all_solutions, given, placements
from solvers.kind import Kind
from solvers.message import Message
from solvers.options import ANY
from solvers.question import Progress, Run

TRIES = 40
"""Attempts for each puzzle wanted."""

KNOWN = 2_000
"""Leaves of a search among which the solution of a new puzzle is drawn."""

SECONDS = 5.0
"""For one search or count. What takes longer is no puzzle for a class."""

Puzzle = tuple[Position, GeneratedBoard]
"""A start, and its entry in the answer."""


def generate(
    kind: Kind[Position, Move],
    position: Position,
    *,
    board: str = OWN,
    many: int = 1,
    seed: int = 0,
    **options: Any,
) -> Run[GenerateAnswer]:
    """Ask for new puzzles with the board and pieces of the position or of one of `BOARDS`.

    `options`: see `GenerateOptions`.

    Unless a number of clues or a difficulty is asked for that takes more, no clue can be left
    out: without any of them there would be more solutions than wanted. The level and the band are
    rated when a band is wanted. None is a mirror image of another. The same seed gives the same
    puzzles. Not proven when fewer than `many` were found in `TRIES` attempts for each, with a
    note. Raises PuzzleError for options that make no sense.
    """
    wanted = GenerateOptions(**options)
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
    asked = problem(start)
    listed = yield from all_solutions(start, SECONDS)
    known = (yield from _sample(asked, rng)) if asked and listed is None else listed
    if not known or asked is None:
        note = Message("These pieces don't fit on this board, or no way was found in time.")
        return GenerateAnswer(Exact(0), proven=False, note=note)
    made = _Generator(kind, start, asked, wanted, rng, SolutionSets(known) if listed else None)
    puzzles: list[GeneratedBoard] = []
    seen: set[str] = set()
    for _ in range(TRIES * many):
        if len(puzzles) == many:
            break
        found = yield from made.attempt(rng.choice(known))
        if found:
            looks = {found[0].given, mirrored(found[0])}
            if not looks & seen:
                seen |= looks
                puzzles.append(found[1])
        found_so_far = _answer(puzzles, many)
        yield Progress(len(puzzles), many, found_so_far.note, found=found_so_far)
    return _answer(puzzles, many)


def _answer(puzzles: list[GeneratedBoard], many: int) -> GenerateAnswer:
    note = Message("Puzzles found: {found} of {many}.", {"found": len(puzzles), "many": many})
    return GenerateAnswer.of(puzzles, many, note)


def _sample(asked: Problem, rng: random.Random) -> Run[list[Placement]]:
    """Return some solutions, at random as far as the search allows it."""
    race = Race(asked, keep=KNOWN)
    while not race.leader.finished and race.leader.kept < KNOWN and race.seconds < SECONDS:
        yield race.step()
    drawn: list[Placement] = []
    for leaf in race.leader.leaves():
        several = [placement for placement, _ in zip(placements(asked, leaf), range(200))]
        drawn += rng.sample(several, min(len(several), 20))
    return drawn


class _Generator:
    """Makes one puzzle after the other out of solutions of one start."""

    def __init__(
        self,
        kind: Kind[Position, Move],
        base: Position,
        asked: Problem,
        wanted: GenerateOptions,
        rng: random.Random,
        table: SolutionSets | None,
    ) -> None:
        """`table` has all solutions of the start, where they are few enough."""
        self._kind = kind
        self._base = base
        self._asked = asked
        self._wanted = wanted
        self._least, self._most = wanted.solutions
        self._rng = rng
        self._table = table
        self._shapes = _by_shape(table.solutions) if table and wanted.style == "silhouette" else {}

    def attempt(self, solution: Placement) -> Run[Puzzle | None]:
        """Return a puzzle with this solution, None when none came of it."""
        start, shape = self._base, _shape(solution)
        if self._wanted.style == "silhouette":
            start = self._silhouette(shape)
        clues: list[Put] = []
        number = yield from self._count(start, shape, clues)
        shuffled = self._rng.sample(solution, len(solution))
        left = list(shuffled)
        while number is not None and number > self._most:
            # Of a few clues the one that rules out most: that keeps them few.
            tried = []
            for clue in left[:3]:
                tried.append((yield from self._count(start, shape, [*clues, clue])))
            known = [n for n in tried if n is not None and n >= self._least]
            if not known:
                return None
            best = tried.index(min(known))
            clues.append(left.pop(best))
            number = tried[best]
        # The last one rules something out, or it would not have been taken.
        for clue in clues[:-1]:
            rest = [other for other in clues if other != clue]
            without = yield from self._count(start, shape, rest)
            if without is not None and without <= self._most:
                clues, number = rest, without
        if number is None or number < self._least:
            return None
        more = [put for put in shuffled if put not in clues]
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

    def _puzzle(self, start: Position, shape: int, clues: list[Put]) -> Run[Puzzle | None]:
        """Return the start with these clues and what is known of it, None when not as wanted."""
        number = yield from self._count(start, shape, clues)
        if number is None or number < self._least:
            return None
        puzzle = given(self._asked, start, tuple(clues))
        made = GeneratedBoard(
            position=self._kind.write(puzzle), solutions=Exact(number), clues=len(clues)
        )
        if self._wanted.band == ANY:
            return puzzle, made
        rated = yield from rate(self._kind, puzzle)
        if rated.band != self._wanted.band:
            return None
        return puzzle, replace(made, band=rated.band, careful_level=rated.careful_level)

    def _count(self, start: Position, shape: int, clues: list[Put]) -> Run[int | None]:
        """Return how many solutions are left, None when a search did not find out in time."""
        if self._table:
            return self._table.left(clues, self._shapes.get(shape)).bit_count()
        asked = problem(given(self._asked, start, tuple(clues)))
        if asked is None:
            return 0
        race = Race(asked)
        while not race.leader.finished:
            if race.seconds > SECONDS:
                return None
            yield race.step()
        return race.leader.total

    def _silhouette(self, shape: int) -> Position:
        """Return the start with every square barred where a solution has nothing."""
        base = self._base
        board = "".join(
            BARRED
            if sign == EMPTY and not shape >> self._asked.square(divmod(index, base.columns)) & 1
            else sign
            for index, sign in enumerate(base.board)
        )
        return Position(base.rows, base.columns, board, base.hand)


def _shape(solution: Placement) -> int:
    """Return the set of squares that a solution fills."""
    return sum(1 << square for _, square in solution)


def _by_shape(solutions: list[Placement]) -> dict[int, int]:
    """Return set of squares -> set of the solutions that fill it."""
    shapes: dict[int, int] = {}
    for number, solution in enumerate(solutions):
        shape = _shape(solution)
        shapes[shape] = shapes.get(shape, 0) | 1 << number
    return shapes
