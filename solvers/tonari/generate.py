"""The question `generate`: new targets for the board and the start stones of a position.

Three ways lead to a target: a picture is set down wherever it fits and changed as little as can
be; for few solutions all targets are scanned; anything else is found by hill climbing from random
targets.
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
from solvers.tonari.questions import COUNTABLE, PICTURES, SCANNED, Wanted, read_options
from solvers.tonari.rate import chances, rate
from solvers.tonari.repair import LISTED, MOST_CHANGES, nearest
from solvers.tonari.rules import Position, with_fated_starts
from solvers.tonari.solve import find
from solvers.tonari.table import Table
from solvers.tonari.targets import TargetScan, mirror_images

STEPS = 3000
"""Targets looked at for each one wanted, by hill climbing."""

CLIMB = 600
"""Targets looked at before the climb starts anew elsewhere."""

UPHILL = 0.02
"""Chance to go on with a target that fits less well than the last."""

MOST_SCANNED = 40_000_000
"""Targets looked at by a scan: half a minute, and all of a board of 5x5."""

T = TypeVar("T")


def generate(
    kind: Kind[Position, Cell], position: Position, *, many: int, **wanted: Any
) -> Run[GenerateAnswer]:
    """Ask for new targets; see `Wanted` for what may be wanted.

    They are for the position's board and start stones, or for a board of another `size` with
    a start in the corner. The boards found so far are given on the way too, counted and rated
    where that does not take long. None is a mirror image of another. The same seed gives the
    same puzzles. When fewer than `many` were found a `note` says what was looked at; then the
    answer is proven only if there are no others. Raises PuzzleError for what can't be had on the
    board.
    """
    start, chosen, seed = read_options(position, **wanted)
    generator = _Generator(kind, with_fated_starts(start), chosen, many, random.Random(seed))
    complete = yield from relayed(generator.run(), lambda _: generator.sign())
    found = len(generator.boards)
    return GenerateAnswer(
        Exact(found),
        proven=complete or found == many,
        note=generator.explanation(complete) if found < many else None,
        boards=tuple(generator.boards),
    )


class _Generator:
    """Makes targets as they are wanted."""

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
        self._fewest: float = math.inf
        self._chances: list[float] = []
        self._seen: set[int] = set()
        """White points of the targets found, and of their mirror images."""
        self._looked = 0
        self.boards: list[GeneratedBoard] = []

    def run(self) -> Run[bool]:
        """Fill `boards` in the way that suits what is wanted. Returns whether there are no others;
        False as soon as there are as many as wanted."""
        if self._wanted.look in PICTURES:
            return self._set_down()
        if self._wanted.orders[1] <= SCANNED:
            return self._scan()
        return self._climb()

    def sign(self) -> Progress:
        """Return how many targets have been found, and these."""
        found = len(self.boards)
        note = Message(
            "Puzzles found: {found} of {many}. Targets looked at: {looked}.",
            {"found": found, "many": self._many, "looked": f"{self._looked:,}"},
        )
        return Progress(found, self._many, note, found=GenerateAnswer(boards=tuple(self.boards)))

    @property
    def _is_done(self) -> bool:
        return len(self.boards) == self._many

    def _keep(self, target: Position) -> Run[None]:
        """Count and rate a target and put it to the boards, unless it is there already."""
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
        yield self.sign()

    def explanation(self, complete: bool) -> Message:
        """Return why there are not more."""
        if complete and self._wanted.look in PICTURES:
            return Message(
                "This picture was tried everywhere on the board, black on white and white on "
                "black: there are no others as wanted. Targets looked at: {looked}.",
                {"looked": f"{self._looked:,}"},
            )
        if complete and self._fewest > SCANNED:
            return Message(
                "All targets of this board were looked at: {looked}. Each that can be reached has "
                "more solutions than {most}.",
                {"looked": f"{self._looked:,}", "most": f"{SCANNED:,}"},
            )
        if complete:
            return Message(
                "All targets of this board were looked at: {looked}. There are no others as "
                "wanted. The fewest solutions that one of them has: {fewest}.",
                {"looked": f"{self._looked:,}", "fewest": f"{self._fewest:,}"},
            )
        if self._chances:
            least, most = self._wanted.chances
            values = {
                "looked": f"{self._looked:,}",
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
            "Targets looked at: {looked}. No others as wanted were found among them.",
            {"looked": f"{self._looked:,}"},
        )

    def _set_down(self) -> Run[bool]:
        """Set the picture down wherever it fits, in black or white, and mend what is around."""
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
            mended, _, _ = yield from nearest(self._with(white), MOST_CHANGES, LISTED)
            for target in self._shuffled(mended):
                self._looked += 1
                if (yield from self._distance(target)) == 0:
                    yield from self._keep(target)
                if self._is_done:
                    return False
        return True

    def _scan(self) -> Run[bool]:
        """Look at all targets, or those that some mirror leaves as they are."""
        images: list[Callable[[Cell], Cell]] = [lambda cell: cell]
        if self._wanted.look == "symmetric":
            images = self._shuffled(mirrors(self._start.rows, self._start.columns))
        complete, before = True, 0
        for orbits, white in filter(None, map(self._alike, images)):
            bits = [sum(map(self._start.bit, orbit)) for orbit in orbits]
            scan = TargetScan(self._with(white), bits, 1, SCANNED, self._rng)
            for found in scan.run():
                self._looked = before + scan.looked
                yield Progress(self._looked, scan.total)
                for target in found:
                    if (yield from self._distance(target)) == 0:
                        yield from self._keep(target)
                    if self._is_done:
                        return False
                if self._looked > MOST_SCANNED:
                    return False
            before = self._looked
            complete &= not scan.undecided
        return complete

    def _climb(self) -> Run[bool]:
        """Draw targets by lot and change them, step by step, towards what is wanted."""
        while self._looked < self._many * STEPS and not self._is_done:
            self._looked += 1
            target = self._draw()
            if target is None:
                continue
            distance = yield from self._distance(target)
            for _ in range(CLIMB):
                if distance == 0:
                    yield from self._keep(target)
                    break
                self._looked += 1
                other = self._vary(target)
                other_distance = yield from self._distance(other)
                if other_distance <= distance or (
                    other_distance < math.inf and self._rng.random() < UPHILL
                ):
                    target, distance = other, other_distance
                yield Progress(0, 1)
        return False

    def _draw(self) -> Position | None:
        if self._wanted.look == "symmetric":
            return self._draw_symmetric()
        position = self._start.painted(0)
        while moves := list(rules.moves(position)):
            position = rules.play(position, self._rng.choice(moves))
        return self._with(cell for cell, white in rules.colours(position).items() if white)

    def _draw_symmetric(self) -> Position | None:
        """Return a random target that a random mirror leaves as it is, if the start stones
        allow it; and remember which points go together."""
        alike = self._alike(self._rng.choice(mirrors(self._start.rows, self._start.columns)))
        if alike is None:
            return None
        self._orbits, white = alike
        chosen = [cell for orbit in self._orbits if self._rng.random() < 0.5 for cell in orbit]
        return self._with(white + chosen)

    def _alike(
        self, image: Callable[[Cell], Cell]
    ) -> tuple[list[tuple[Cell, ...]], list[Cell]] | None:
        """Return the points that go together under a mirror, and those that must be white with
        a start stone; None where start stones contradict each other."""
        orbits: set[tuple[Cell, ...]] = set()
        for cell in self._start.cells:
            together = {cell}
            while (cell := image(cell)) not in together:
                together.add(cell)
            orbits.add(tuple(sorted(together)))
        free: list[tuple[Cell, ...]] = []
        white: list[Cell] = []
        for orbit in sorted(orbits):
            fates = {
                rules.wants_white(self._start, c)
                for c in orbit
                if self._start.starts & self._start.bit(c)
            }
            if len(fates) > 1:
                return None
            if not fates:
                free.append(orbit)
            elif fates.pop():
                white += orbit
        return free, white

    def _vary(self, target: Position) -> Position:
        changed = self._rng.sample(self._orbits, min(2, len(self._orbits)))
        white = target.white ^ sum(target.bit(cell) for orbit in changed for cell in orbit)
        return target.painted(white)

    def _with(self, white: Iterable[Cell]) -> Position:
        """Return the target with these points white; start stones keep their fate."""
        start = self._start
        free = sum(map(start.bit, white)) & ~start.starts
        return start.painted(free | start.white & start.starts)

    def _shuffled(self, things: Iterable[T]) -> list[T]:
        listed = list(things)
        self._rng.shuffle(listed)
        return listed

    def _distance(self, target: Position) -> Run[float]:
        """Return how far, in powers of ten, the target is from what is wanted."""
        wanted, distance = self._wanted, 0.0
        if wanted.counts or wanted.difficulty != "any":
            table = Table(target, TARGET)
            if not (yield from table.reach()):
                return math.inf
            if wanted.counts:
                yield from table.complete()
                distance += self._miscount(table.orders(target.occupied))
            if wanted.difficulty != "any" and distance < math.inf:
                distance += self._misfit((yield from chances(table))[1])
        elif not (yield from find(target)) and not rules.judge(target).solved:
            return math.inf
        if wanted.classes == "one":
            found = yield from classes(self._kind, target, listed=0)
            distance += math.log10(found.value or 1)
        return distance

    def _miscount(self, orders: int) -> float:
        """Return how far, in powers of ten, a number of orders is from what is wanted."""
        if not orders:
            return math.inf
        self._fewest = min(self._fewest, orders)
        least, most = self._wanted.orders
        return max(0.0, math.log10(least / orders), math.log10(orders / most))

    def _misfit(self, careful: float) -> float:
        """Return how far, in powers of ten, a chance is from the difficulty wanted."""
        if not careful:
            return math.inf
        self._chances.append(careful)
        least, most = self._wanted.chances
        if careful < least:
            return math.log10(least / careful)
        return math.log10(careful / most) + 0.01 if careful >= most else 0.0
