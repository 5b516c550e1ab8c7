"""The question `generate`: new targets for the board and the start stones of a position.

Targets are found in one of three ways. A picture is set down wherever it fits, and changed in as
few points as possible. Where few solutions are wanted, all targets are scanned. Everything else is
found by hill climbing from random targets.
"""

import math
import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeVar

from msgspec.structs import replace

from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.kind import Cell, Kind
from solvers.message import Message
from solvers.question import Progress, Run, relayed
from solvers.tonari import rules
from solvers.tonari.bitboard import TARGET, mirrors
from solvers.tonari.classes import classes
from solvers.tonari.count import count
from solvers.tonari.questions import COUNTABLE, MAX_ORDERS_SCANNED, PICTURES, Wanted, read_options
from solvers.tonari.rate import chances, rate
from solvers.tonari.repair import LISTED, MAX_CHANGES, nearest
from solvers.tonari.rules import Position, with_attainable_starts
from solvers.tonari.solve import find
from solvers.tonari.table import Table
from solvers.tonari.targets import TargetScan, mirror_images

MAX_CLIMBED = 3000
"""Targets that hill climbing examines for each target wanted."""

RESTART_AFTER = 600
"""Targets that are examined before the climb starts again from another one."""

WORSE_CHANCE = 0.02
"""The probability of continuing with a target that fits less well than the one before."""

MAX_SCANNED = 40_000_000
"""The most targets that a scan examines. This takes half a minute and covers all of a 5x5 board."""

T = TypeVar("T")


def generate(
    kind: Kind[Position, Cell], position: Position, *, many: int, **wanted: Any
) -> Run[GenerateAnswer]:
    """Find new targets with the properties that the `wanted` options describe (see `Wanted`).

    The targets have the board and the start stones of the position, or, with the option `size`, a
    board of that size with one start stone in the corner. No target is a mirror image of another.
    Boards of at most `COUNTABLE` empty points are counted and rated. The same seed gives the same
    puzzles.

    Returns a `GenerateAnswer`; progress carries the boards found so far. When fewer than `many` are
    found, `note` says what was examined, and the answer is proven only if there are no others.
    Raises PuzzleError for options that can't be met on the board.
    """
    start, chosen, seed = read_options(position, **wanted)
    search = _TargetSearch(kind, with_attainable_starts(start), chosen, many, random.Random(seed))
    complete = yield from relayed(search.run(), lambda _: search.progress())
    number = len(search.boards)
    return GenerateAnswer(
        Exact(number),
        proven=complete or number == many,
        note=search.explanation(complete) if number < many else None,
        boards=tuple(search.boards),
    )


class _TargetSearch:
    """The search for one request's targets, and the boards that it has found."""

    def __init__(
        self,
        kind: Kind[Position, Cell],
        start: Position,
        wanted: Wanted,
        many: int,
        rng: random.Random,
    ) -> None:
        self._kind, self._start, self._wanted = kind, start, wanted
        self._many, self._rng = many, rng
        self._orbits: list[tuple[Cell, ...]] = [
            (cell,) for cell in start.cells if not start.starts & start.bit(cell)
        ]
        self._size = len(self._orbits)
        self._fewest_orders: float = math.inf
        self._chances: list[float] = []
        self._seen: set[int] = set()
        """The white points of the targets found and of their mirror images."""
        self._examined = 0
        self.boards: list[GeneratedBoard] = []

    def run(self) -> Run[bool]:
        """Fill `boards` in the way that suits the options.

        Returns True when there are no other boards, and False when enough have been found or the
        search was given up.
        """
        if self._wanted.look in PICTURES:
            return self._place_picture()
        if self._wanted.orders[1] <= MAX_ORDERS_SCANNED:
            return self._scan()
        return self._climb()

    def progress(self) -> Progress:
        """Return the progress: the boards found so far and their number."""
        number = len(self.boards)
        note = Message(
            "Puzzles found: {found} of {many}. Targets looked at: {looked}.",
            {"found": number, "many": self._many, "looked": f"{self._examined:,}"},
        )
        return Progress(number, self._many, note, found=GenerateAnswer(boards=tuple(self.boards)))

    @property
    def _is_done(self) -> bool:
        return len(self.boards) == self._many

    def _add(self, target: Position) -> Run[None]:
        """Add a target to the boards unless it is there already, counted and rated if it is
        small."""
        if target.white in self._seen:
            return
        self._seen |= mirror_images(target)
        board = GeneratedBoard(position=self._kind.write(target))
        if self._size <= COUNTABLE:
            counted = yield from count(self._kind, target)
            rated = yield from rate(self._kind, target)
            board = replace(
                board, solutions=counted.value, band=rated.band, careful_level=rated.careful_level
            )
        self.boards.append(board)
        yield self.progress()

    def explanation(self, complete: bool) -> Message:
        """Return the reason why there are not more boards."""
        if complete and self._wanted.look in PICTURES:
            return Message(
                "This picture was tried everywhere on the board, black on white and white on "
                "black. No others fit the conditions. Targets looked at: {looked}.",
                {"looked": f"{self._examined:,}"},
            )
        if complete and self._fewest_orders > MAX_ORDERS_SCANNED:
            return Message(
                "All targets of this board were looked at: {looked}. Each that can be reached has "
                "more solutions than {most}.",
                {"looked": f"{self._examined:,}", "most": f"{MAX_ORDERS_SCANNED:,}"},
            )
        if complete:
            return Message(
                "All targets of this board were looked at: {looked}. Exactly {found} of them fit "
                "the conditions, if mirror images count as one. The fewest solutions of a "
                "target: {fewest}.",
                {
                    "looked": f"{self._examined:,}",
                    "found": len(self.boards),
                    "fewest": f"{self._fewest_orders:,}",
                },
            )
        if self._chances:
            least, most = self._wanted.chances
            values = {
                "looked": f"{self._examined:,}",
                "hardest": f"{1000 * min(self._chances):.0f}",
                "easiest": f"{1000 * max(self._chances):.0f}",
                "least": f"{1000 * least:.0f}",
                "most": f"{1000 * min(most, 1):.0f}",
            }
            return Message(
                "Targets looked at: {looked}. Of 1000 tries without a plan {hardest} to {easiest} "
                "solve them, but with this difficulty it must be {least} to {most}. On smaller "
                "boards puzzles are easier.",
                values,
            )
        return Message(
            "Targets looked at: {looked}. No others among them fit the conditions.",
            {"looked": f"{self._examined:,}"},
        )

    def _place_picture(self) -> Run[bool]:
        """Set the picture down wherever it fits, in black and in white, and repair the target
        around it."""
        rows = PICTURES[self._wanted.look]
        places = product(
            range(self._start.rows - len(rows) + 1),
            range(self._start.columns - len(rows[0]) + 1),
            (False, True),
        )
        for down, right, inverse in self._shuffled(places):
            figure = {
                (down + r, right + c)
                for r, row in enumerate(rows)
                for c, sign in enumerate(row)
                if sign == "o"
            }
            white = set(self._start.cells) - figure if inverse else figure
            mended, _, _ = yield from nearest(self._target_with(white), MAX_CHANGES, LISTED)
            for target in self._shuffled(mended):
                self._examined += 1
                if (yield from self._distance(target)) == 0:
                    yield from self._add(target)
                if self._is_done:
                    return False
        return True

    def _scan(self) -> Run[bool]:
        """Scan all targets, or all those that some mirror leaves unchanged."""
        images: list[Callable[[Cell], Cell]] = [lambda cell: cell]
        if self._wanted.look == "symmetric":
            images = self._shuffled(mirrors(self._start.rows, self._start.columns))
        complete, before = True, 0
        for orbits, white in filter(None, map(self._orbits_under, images)):
            bits = [sum(map(self._start.bit, orbit)) for orbit in orbits]
            scan = TargetScan(self._target_with(white), bits, 1, MAX_ORDERS_SCANNED, self._rng)
            for scanned in scan.run():
                self._examined = before + scan.looked
                yield Progress(self._examined, scan.total)
                for target in scanned:
                    if (yield from self._distance(target)) == 0:
                        yield from self._add(target)
                    if self._is_done:
                        return False
                if self._examined > MAX_SCANNED:
                    return False
            before = self._examined
            complete &= not scan.undecided
        return complete

    def _climb(self) -> Run[bool]:
        """Draw random targets and change each step by step towards what is wanted."""
        while self._examined < self._many * MAX_CLIMBED and not self._is_done:
            self._examined += 1
            target = self._random_target()
            if target is None:
                continue
            distance = yield from self._distance(target)
            for _ in range(RESTART_AFTER):
                if distance == 0:
                    yield from self._add(target)
                    break
                self._examined += 1
                other = self._changed(target)
                other_distance = yield from self._distance(other)
                if other_distance <= distance or (
                    other_distance < math.inf and self._rng.random() < WORSE_CHANCE
                ):
                    target, distance = other, other_distance
                yield Progress(0, 1)
        return False

    def _random_target(self) -> Position | None:
        if self._wanted.look == "symmetric":
            return self._random_symmetric_target()
        position = self._start.painted(0)
        while moves := list(rules.moves(position)):
            position = rules.play(position, self._rng.choice(moves))
        return self._target_with(cell for cell, white in rules.colours(position).items() if white)

    def _random_symmetric_target(self) -> Position | None:
        """Return a random target that a random mirror leaves unchanged, and store the mirror's
        orbits.

        Returns None if the start stones do not allow such a target.
        """
        alike = self._orbits_under(self._rng.choice(mirrors(self._start.rows, self._start.columns)))
        if alike is None:
            return None
        self._orbits, white = alike
        chosen = [cell for orbit in self._orbits if self._rng.random() < 0.5 for cell in orbit]
        return self._target_with(white + chosen)

    def _orbits_under(
        self, image: Callable[[Cell], Cell]
    ) -> tuple[list[tuple[Cell, ...]], list[Cell]] | None:
        """Return the orbits of free points under a mirror, and the points that must be white.

        A point must be white when its orbit contains a start stone that ends white. Returns None
        where the start stones of an orbit contradict each other.
        """
        orbits: set[tuple[Cell, ...]] = set()
        for cell in self._start.cells:
            together = {cell}
            while (cell := image(cell)) not in together:
                together.add(cell)
            orbits.add(tuple(sorted(together)))
        free: list[tuple[Cell, ...]] = []
        white: list[Cell] = []
        for orbit in sorted(orbits):
            colours = {
                rules.wants_white(self._start, c)
                for c in orbit
                if self._start.starts & self._start.bit(c)
            }
            if len(colours) > 1:
                return None
            if not colours:
                free.append(orbit)
            elif colours.pop():
                white += orbit
        return free, white

    def _changed(self, target: Position) -> Position:
        changed = self._rng.sample(self._orbits, min(2, len(self._orbits)))
        white = target.white ^ sum(target.bit(cell) for orbit in changed for cell in orbit)
        return target.painted(white)

    def _target_with(self, white: Iterable[Cell]) -> Position:
        """Return the target in which these points are white; start stones keep the colours they
        will get."""
        start = self._start
        free = sum(map(start.bit, white)) & ~start.starts
        return start.painted(free | start.white & start.starts)

    def _shuffled(self, elements: Iterable[T]) -> list[T]:
        listed = list(elements)
        self._rng.shuffle(listed)
        return listed

    def _distance(self, target: Position) -> Run[float]:
        """Return how far the target is from what is wanted, in powers of ten; infinity if out of
        reach."""
        wanted, distance = self._wanted, 0.0
        if wanted.counts or wanted.difficulty != "any":
            table = Table(target, TARGET)
            if not (yield from table.reach()):
                return math.inf
            if wanted.counts:
                yield from table.complete()
                distance += self._count_distance(table.orders(target.occupied))
            if wanted.difficulty != "any" and distance < math.inf:
                distance += self._difficulty_distance((yield from chances(table))[1])
        elif not (yield from find(target)) and not rules.judge(target).solved:
            return math.inf
        if wanted.classes == "one":
            answer = yield from classes(self._kind, target, listed=0)
            distance += math.log10(answer.value or 1)
        return distance

    def _count_distance(self, orders: int) -> float:
        """Return how far a number of orders is from what is wanted, in powers of ten."""
        if not orders:
            return math.inf
        self._fewest_orders = min(self._fewest_orders, orders)
        least, most = self._wanted.orders
        return max(0.0, math.log10(least / orders), math.log10(orders / most))

    def _difficulty_distance(self, careful: float) -> float:
        """Return how far a chance is from the wanted difficulty, in powers of ten."""
        if not careful:
            return math.inf
        self._chances.append(careful)
        least, most = self._wanted.chances
        if careful < least:
            return math.log10(least / careful)
        return math.log10(careful / most) + 0.01 if careful >= most else 0.0
