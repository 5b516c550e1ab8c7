"""The question `generate`: targets to order, for the board and the start stones of a position."""

import math
import random
from collections.abc import Generator, Iterable, Iterator

from solvers.kind import Answer, Cell, Kind, Progress, Run
from solvers.message import Message
from solvers.tonari import rules
from solvers.tonari.bands import BANDS
from solvers.tonari.formats import check_size
from solvers.tonari.layout import mirrors, symmetries
from solvers.tonari.pixels import PICTURES
from solvers.tonari.repair import LISTED, MOST_CHANGES, nearest, with_fated_starts
from solvers.tonari.rules import Position
from solvers.tonari.solve import find
from solvers.tonari.wish import COUNTABLE, Wish

STEPS = 3000
"""Targets looked at for each one wanted."""

CLIMB = 600
"""Targets looked at before the climb starts anew elsewhere."""

UPHILL = 0.02
"""Chance to go on with a target that fits less well than the last."""


def generate(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    many: int,
    size: list[int],
    seed: int,
    orders: list[int],
    classes: str,
    look: str,
    difficulty: str,
) -> Run:
    """Ask for new targets; the options are those of `wish`.

    They are for the position's board and start stones, or for a board of another `size` with
    a start in the corner. The value is the number found. details, on the way too: `boards`,
    each with `position`, and where they could be counted `solutions`, `classes` if these were
    asked for, and what `rate` says. None is a mirror image of another. The same seed gives the
    same puzzles. Not proven when fewer than `many` were found after `STEPS` targets for each.
    Raises PuzzleError for a wish that can't be fulfilled.
    """
    if size:
        rows, columns = size
        check_size(rows, columns)
        position = Position(rows, columns, white=0, starts=1)
    start = with_fated_starts(position)
    wish = Wish(orders, classes, look, difficulty)
    wish.check(start)
    maker = _Maker(kind, start, wish, random.Random(seed))
    puzzles: list[dict[str, object]] = []
    seen: set[int] = set()
    while len(puzzles) < many and maker.steps < many * STEPS:
        target = yield from maker.climb()
        if target is not None and target.white not in seen:
            seen |= {target.white, *_images(target)}
            puzzles.append((yield from maker.describe(target)))
        note = Message("Puzzles found: {found} of {many}.", {"found": len(puzzles), "many": many})
        yield Progress(len(puzzles), many, note, details={"boards": list(puzzles)})
    return Answer(len(puzzles), proven=len(puzzles) == many, details={"boards": puzzles})


def _images(target: Position) -> Iterator[int]:
    """Yield the mirror images of a target on the same start stones."""
    bare = Position(target.rows, target.columns, 0, target.starts)
    for image in symmetries(bare):
        yield sum(target.bit(image(c)) for c in target.cells if rules.wants_white(target, c))


class _Maker:
    """Draws targets by lot and changes them, step by step, towards what is wanted."""

    def __init__(
        self, kind: Kind[Position, Cell], start: Position, wish: Wish, rng: random.Random
    ) -> None:
        self._kind, self._start, self._wish, self._rng = kind, start, wish, rng
        self._orbits: list[tuple[Cell, ...]] = [
            (cell,) for cell in start.cells if not start.starts & start.bit(cell)
        ]
        self._size = start.rows * start.columns - start.starts.bit_count()
        self.steps = 0
        """Targets looked at so far."""

    def climb(self) -> Generator[Progress, None, Position | None]:
        """Return a target as wanted, or None when this climb led to none."""
        self.steps += 1
        target = yield from self._draw()
        if target is None:
            return None
        miss = yield from self._miss(target)
        for _ in range(CLIMB):
            if miss == 0:
                return target
            if self._wish.look in PICTURES:
                return None
            self.steps += 1
            other = self._vary(target)
            other_miss = yield from self._miss(other)
            if other_miss <= miss or (other_miss < math.inf and self._rng.random() < UPHILL):
                target, miss = other, other_miss
            yield Progress(0, 1)
        return None

    def describe(self, target: Position) -> Generator[Progress, None, dict[str, object]]:
        """Return the target with its measures, as details."""
        entry: dict[str, object] = {"position": self._kind.write(target)}
        if self._size <= COUNTABLE:
            counted = yield from self._ask("count", target)
            rated = yield from self._ask("rate", target)
            entry |= {"solutions": str(counted.value)} | dict(rated.details)
        if self._wish.classes == "one":
            entry["classes"] = "1"
        return entry

    def _draw(self) -> Generator[Progress, None, Position | None]:
        if self._wish.look in PICTURES:
            return (yield from self._draw_picture())
        if self._wish.look == "symmetric":
            return self._draw_symmetric()
        position = Position(self._start.rows, self._start.columns, 0, self._start.starts)
        while moves := list(rules.moves(position)):
            position = rules.play(position, self._rng.choice(moves))
        return self._with(cell for cell, white in rules.colours(position).items() if white)

    def _draw_picture(self) -> Generator[Progress, None, Position | None]:
        rows = PICTURES[self._wish.look]
        down = self._rng.randint(0, self._start.rows - len(rows))
        right = self._rng.randint(0, self._start.columns - len(rows[0]))
        figure = {
            (down + r, right + c)
            for r, row in enumerate(rows)
            for c, sign in enumerate(row)
            if sign == "o"
        }
        if self._rng.random() < 0.5:
            figure = set(self._start.cells) - figure
        targets, _, _ = yield from nearest(self._with(figure), MOST_CHANGES, LISTED)
        return self._rng.choice(targets) if targets else None

    def _draw_symmetric(self) -> Position | None:
        """Return a random target that a random mirror leaves as it is, if the start stones
        allow it; and remember which points go together."""
        image = self._rng.choice(mirrors(self._start.rows, self._start.columns))
        orbits: set[tuple[Cell, ...]] = set()
        for cell in self._start.cells:
            together = {cell}
            while (cell := image(cell)) not in together:
                together.add(cell)
            orbits.add(tuple(sorted(together)))
        self._orbits.clear()
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
                self._orbits.append(orbit)
                fates = {self._rng.random() < 0.5}
            white += orbit * fates.pop()
        return self._with(white)

    def _vary(self, target: Position) -> Position:
        changed = self._rng.sample(self._orbits, min(2, len(self._orbits)))
        white = target.white ^ sum(target.bit(cell) for orbit in changed for cell in orbit)
        return Position(target.rows, target.columns, white, target.starts)

    def _with(self, white: Iterable[Cell]) -> Position:
        """Return the target with these points white; start stones keep their fate."""
        start = self._start
        bits = sum(map(start.bit, white)) & ~start.starts | start.white & start.starts
        return Position(start.rows, start.columns, bits, start.starts)

    def _miss(self, target: Position) -> Generator[Progress, None, float]:
        """Return how far, in powers of ten, the target is from what is wanted."""
        wish, miss = self._wish, 0.0
        if wish.counts:
            counted = yield from self._ask("count", target)
            if not counted.value:
                return math.inf
            least, most = wish.orders
            miss += max(0.0, math.log10(least) - math.log10(counted.value))
            miss += max(0.0, math.log10(counted.value) - math.log10(most))
        elif not (yield from find(target)) and not rules.judge(target).solved:
            return math.inf
        if wish.classes == "one":
            found = yield from self._ask("classes", target, listed=0)
            miss += math.log10(found.value or 1)
        if wish.difficulty != "any":
            rated = yield from self._ask("rate", target)
            careful = rated.details["careful"]
            place = [name for _, name in BANDS].index(wish.difficulty)
            least_chance = BANDS[place][0]
            if careful < least_chance:
                miss += math.log10(least_chance / careful)
            elif place and careful >= BANDS[place - 1][0]:
                miss += math.log10(careful / BANDS[place - 1][0]) + 0.01
        return miss

    def _ask(self, question: str, target: Position, **options: object) -> Run:
        return self._kind.questions[question].ask(self._kind, target, **options)
