"""The question `generate`: new targets for the board and the start stones of a position.

Three ways lead to a target: a picture is set down wherever it fits and changed as little as can
be; for few solutions all targets are scanned; anything else is found by hill climbing from random
targets.
"""

import math
import random
from collections.abc import Callable, Generator, Iterable
from itertools import product
from typing import Any, TypeVar

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.bitboard import TARGET, mirrors
from solvers.tonari.options import COUNTABLE, PICTURES, SCANNED, Wanted, read_options
from solvers.tonari.rate import careful_chance
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

Found = Generator[Progress | Position, None, bool]
"""Yields targets as wanted, and signs of life between. Returns whether there are no others."""


def generate(kind: Kind[Position, Cell], position: Position, *, many: int, **wanted: Any) -> Run:
    """Ask for new targets; see `options` for what may be wanted.

    They are for the position's board and start stones, or for a board of another `size` with
    a start in the corner. The value is the number found. details, on the way too: `boards`,
    each with `position`, and where they could be counted `solutions`, `classes` if these were
    asked for, and what `rate` says. None is a mirror image of another. The same seed gives the
    same puzzles. When fewer than `many` were found a `note` says what was looked at; then the
    answer is proven only if there are no others. Raises PuzzleError for what can't be had on the
    board.
    """
    start, chosen, seed = read_options(position, **wanted)
    generator = _Generator(kind, with_fated_starts(start), chosen, random.Random(seed))
    puzzles: list[dict[str, object]] = []
    seen: set[int] = set()
    source = generator.targets(many)
    complete = False
    while len(puzzles) < many:
        try:
            target = next(source)
        except StopIteration as end:
            complete = end.value
            break
        if isinstance(target, Position) and target.white not in seen:
            seen |= mirror_images(target)
            puzzles.append((yield from generator.describe(target)))
        note = Message(
            "Puzzles found: {found} of {many}. Targets looked at: {looked}.",
            {"found": len(puzzles), "many": many, "looked": f"{generator.looked:,}"},
        )
        yield Progress(len(puzzles), many, note, details={"boards": list(puzzles)})
    details: dict[str, object] = {"boards": puzzles}
    if len(puzzles) < many:
        details["note"] = generator.explanation(complete).to_json()
    return Answer(len(puzzles), proven=complete or len(puzzles) == many, details=details)


def _same(cell: Cell) -> Cell:
    return cell


class _Generator:
    """Makes targets as they are wanted."""

    def __init__(
        self, kind: Kind[Position, Cell], start: Position, wanted: Wanted, rng: random.Random
    ) -> None:
        self._kind, self._start, self._wanted, self._rng = kind, start, wanted, rng
        self._orbits: list[tuple[Cell, ...]] = [
            (cell,) for cell in start.cells if not start.starts & start.bit(cell)
        ]
        self._size = len(self._orbits)
        self._fewest: float = math.inf
        self._chances: list[float] = []
        self.looked = 0
        """Targets looked at so far."""

    def targets(self, many: int) -> Found:
        """Yield targets in the way that suits what is wanted."""
        if self._wanted.look in PICTURES:
            return self._pictures()
        if self._wanted.orders[1] <= SCANNED:
            return self._scanned()
        return self._climbed(many * STEPS)

    def explanation(self, complete: bool) -> Message:
        """Return why there are not more."""
        if complete and self._wanted.look in PICTURES:
            return Message(
                "This picture was tried everywhere on the board, black on white and white on "
                "black: there are no others as wanted. Targets looked at: {looked}.",
                {"looked": f"{self.looked:,}"},
            )
        if complete and self._fewest > SCANNED:
            return Message(
                "All targets of this board were looked at: {looked}. Each that can be reached has "
                "more solutions than {most}.",
                {"looked": f"{self.looked:,}", "most": f"{SCANNED:,}"},
            )
        if complete:
            return Message(
                "All targets of this board were looked at: {looked}. There are no others as "
                "wanted. The fewest solutions that one of them has: {fewest}.",
                {"looked": f"{self.looked:,}", "fewest": f"{self._fewest:,}"},
            )
        if self._chances:
            least, most = self._wanted.chances
            values = {
                "looked": f"{self.looked:,}",
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
            {"looked": f"{self.looked:,}"},
        )

    def describe(self, target: Position) -> Generator[Progress, None, dict[str, object]]:
        """Return the target with its measures, as details."""
        entry: dict[str, object] = {"position": self._kind.write(target)}
        if self._size <= COUNTABLE:
            counted = yield from self._ask("count", target)
            rated = yield from self._ask("rate", target)
            entry |= {"solutions": str(counted.value)} | dict(rated.details)
        if self._wanted.classes == "one":
            entry["classes"] = "1"
        return entry

    def _pictures(self) -> Found:
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
                self.looked += 1
                if (yield from self._distance(target)) == 0:
                    yield target
        return True

    def _scanned(self) -> Found:
        """Look at all targets, or those that some mirror leaves as they are."""
        images: list[Callable[[Cell], Cell]] = [_same]
        if self._wanted.look == "symmetric":
            images = self._shuffled(mirrors(self._start.rows, self._start.columns))
        complete, before = True, 0
        for orbits, white in filter(None, map(self._alike, images)):
            bits = [sum(map(self._start.bit, orbit)) for orbit in orbits]
            scan = TargetScan(self._with(white), bits, 1, SCANNED, self._rng)
            for found in scan.run():
                self.looked = before + scan.looked
                yield Progress(self.looked, scan.total)
                for target in found:
                    if (yield from self._distance(target)) == 0:
                        yield target
                if self.looked > MOST_SCANNED:
                    return False
            before = self.looked
            complete &= not scan.undecided
        return complete

    def _climbed(self, steps: int) -> Found:
        """Draw targets by lot and change them, step by step, towards what is wanted."""
        while self.looked < steps:
            self.looked += 1
            target = self._draw()
            if target is None:
                continue
            distance = yield from self._distance(target)
            for _ in range(CLIMB):
                if distance == 0:
                    yield target
                    break
                self.looked += 1
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
        position = Position(self._start.rows, self._start.columns, 0, self._start.starts)
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
        return Position(target.rows, target.columns, white, target.starts)

    def _with(self, white: Iterable[Cell]) -> Position:
        """Return the target with these points white; start stones keep their fate."""
        start = self._start
        bits = sum(map(start.bit, white)) & ~start.starts | start.white & start.starts
        return Position(start.rows, start.columns, bits, start.starts)

    def _shuffled(self, things: Iterable[T]) -> list[T]:
        listed = list(things)
        self._rng.shuffle(listed)
        return listed

    def _distance(self, target: Position) -> Generator[Progress, None, float]:
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
                distance += self._misfit((yield from careful_chance(table)))
        elif not (yield from find(target)) and not rules.judge(target).solved:
            return math.inf
        if wanted.classes == "one":
            found = yield from self._ask("classes", target, listed=0)
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

    def _ask(self, question: str, target: Position, **options: object) -> Run:
        return self._kind.questions[question].ask(self._kind, target, **options)
