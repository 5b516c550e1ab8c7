"""The questions `rate` and `survey`: the difficulty of a board, and statistics of random boards.

The difficulty is measured by the chances of players who can't think ahead. The survey answers the
question that the school's study asks about its random boards, without the study's flaw of drawing a
point twice: how often they can be solved, how many solutions they have, and how hard they are.
"""

import math
import random
import statistics
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from solvers.answers import BANDS, Exact, RateAnswer, SurveyAnswer, SurveyRow
from solvers.goishi import kernels
from solvers.goishi.crowds import CAREFUL, estimates
from solvers.goishi.generate_kernels import evaluate, work
from solvers.goishi.layers import LayeredCount
from solvers.goishi.network import FREE, Network, State, network
from solvers.goishi.questions import refuse_survey
from solvers.goishi.rules import Position
from solvers.goishi.search import find
from solvers.kind import Cell, Kind
from solvers.memory import MEMORY
from solvers.message import Message
from solvers.question import Progress, Run, relayed
from solvers.rating import UNSOLVABLE

LEVELS = (0.7, 1.3, 2.0)
"""The lowest careful levels of the bands except the first."""

GAMES = 200
"""The number of random games for the two means that are not exact."""

OFTEN = 0.1
"""The chance above which "one try in 1.4" is less clear than "71 tries of 100"."""

RATED_MEMORY = min(512 << 20, MEMORY)
"""Bytes for the exact chances. They suffice for most boards of 40 stones."""

_SEARCH_NODES = 100_000

RATED = 20
"""The most solvable boards with one number of stones whose difficulty is measured."""

_SURVEY_NODES = 2_000_000
"""The most search nodes for one board, which take a fraction of a second."""

_CAP = 1 << 60


def rate(
    kind: Kind[Position, Cell], position: Position, *, memory: int = RATED_MEMORY
) -> Run[RateAnswer]:
    """Rate how hard the position is.

    The value is the number of the band, 1 to 4. It is None if there is no solution. The chances are
    exact where the states fit into `memory` bytes. Otherwise they are estimated by crowds and not
    proven, and `error` is the standard error of `careful`; the value is None if no crowd solved the
    board. `branching` and `trap_depth` come from random games. All games are the same
    each time.
    """
    if kind.judge(position).solved:
        return _rated(1, [1.0, 1.0], 0.0, 0.0)
    board, starts = network(position)
    line = yield from find(board, starts, _SEARCH_NODES)
    if line == []:
        return _NONE
    legal = len(list(kind.moves(position)))
    if len(board.cells) > kernels.MAX_STONES:
        return (yield from _estimated(board, starts, legal))
    layers = LayeredCount(board, starts, memory, int(bool(line)))
    total = yield from layers.ways()
    if total is None or layers.links is None:
        return (yield from _estimated(board, starts, legal))
    if total == 0:
        return _NONE
    chances = yield from layers.chances()
    lucky, careful = (sum(column) for column in zip(*chances))
    branching, trap_depth = yield from _play(board, _legal_starts(board, position, kind))
    return _rated(total, [lucky / legal, careful / len(starts)], branching, trap_depth)


_NONE = replace(UNSOLVABLE, solutions=Exact(0))
_TOO_LARGE = Message("This board is too large for its difficulty to be worked out exactly.")


def _estimated(board: Network, starts: list[State], legal: int) -> Run[RateAnswer]:
    """Return the rating from games. `legal` is the number of legal first moves."""
    found = yield from estimates(board, starts, legal, CAREFUL)
    careful, lucky = found.careful.mean, found.random.mean
    if not careful:
        return RateAnswer(None, proven=False, note=_TOO_LARGE)
    number = band(-math.log10(careful))
    return RateAnswer(
        Exact(number),
        proven=False,
        random=float(f"{lucky:.4g}"),
        careful=float(f"{careful:.4g}"),
        random_level=round(-math.log10(lucky), 3),
        careful_level=round(-math.log10(careful), 3),
        band=BANDS[number - 1],
        error=float(f"{found.careful.error:.2g}"),
        note=Message(
            "Estimated from {games} games: without a plan, one try in {random} succeeds; one in "
            "{careful}, if moves that are seen to be lost at once are avoided.",
            {
                "games": f"{found.careful.games:,}",
                "random": _one_in(lucky),
                "careful": _one_in(careful),
            },
        ),
    )


def band(careful_level: float) -> int:
    """Return the number of the band of a careful level, counted from 1."""
    return bisect_right(LEVELS, careful_level) + 1


def _rated(total: int, chances: list[float], branching: float, trap_depth: float) -> RateAnswer:
    levels = [round(abs(math.log10(chance)), 3) for chance in chances]
    number = band(abs(math.log10(chances[1])))
    return RateAnswer(
        Exact(number),
        solutions=Exact(total),
        random=float(f"{chances[0]:.4g}"),
        careful=float(f"{chances[1]:.4g}"),
        random_level=levels[0],
        careful_level=levels[1],
        band=BANDS[number - 1],
        branching=round(branching, 2),
        trap_depth=round(trap_depth, 2),
        note=_note(chances, trap_depth),
    )


def _note(chances: list[float], trap_depth: float) -> Message:
    """Return what a random and a careful player achieve, in words."""
    random, careful = chances
    if _one_in(random) == "1":
        return Message("Nothing can go wrong: every order of moves solves this board.")
    tries = 10 ** max(2, math.ceil(-math.log10(random)))
    of_tries: dict[str, str | int | float | Message | None] = {
        "tries": f"{tries:,}",
        "random": f"{round(random * tries):,}",
        "careful": f"{round(careful * tries):,}",
        "trap": f"{round(trap_depth, 1):g}",
    }
    if _one_in(careful) == "1":
        if random > OFTEN:
            return Message(
                "Of {tries} tries without a plan {random} succeed. If moves that are seen to be "
                "lost at once are avoided, all of them do.",
                of_tries,
            )
        return Message(
            "Without a plan, one try in {random} succeeds. If moves that are seen to be lost at "
            "once are avoided, every try does.",
            {"random": _one_in(random)},
        )
    if careful > OFTEN:
        return Message(
            "Of {tries} tries without a plan {random} succeed; {careful}, if moves that are seen "
            "to be lost at once are avoided. A mistake shows after {trap} more moves on average.",
            of_tries,
        )
    return Message(
        "Without a plan, one try in {random} succeeds; one in {careful}, if moves that are seen "
        "to be lost at once are avoided. A mistake shows after {trap} more moves on average.",
        {"random": _one_in(random), "careful": _one_in(careful), "trap": of_tries["trap"]},
    )


def _one_in(chance: float) -> str:
    attempts = 1 / chance
    return f"{attempts:.2g}" if attempts < 10 else f"{float(f'{attempts:.2g}'):,.0f}"


Stage = tuple[int, int, int]
"""A position in a random game: the stones left, the current stone, the way back."""


def _legal_starts(board: Network, position: Position, kind: Kind[Position, Cell]) -> list[Stage]:
    everything = (1 << len(board.cells)) - 1
    stages = []
    for move in kind.moves(position):
        arrival = kind.play(position, move).arrival
        stone = board.cells.index(move)
        back = FREE if arrival is None else (arrival + 2) % 4
        stages.append((everything & ~(1 << stone), stone, back))
    return stages


def _play(board: Network, starts: list[Stage]) -> Run[tuple[float, float]]:
    """Return the mean number of choices and the mean number of futile moves of random games. A move
    is futile if it follows the mistake that loses the board."""
    rng = random.Random(1)
    choices: list[int] = []
    futile: list[int] = []
    # Games on small boards pass through the same stages again and again.
    next_stages = cache(partial(_next_stages, board))
    lost_stages: dict[Stage, bool] = {}
    for game in range(GAMES):
        stages, ways = [], starts
        while ways:
            stages.append(rng.choice(ways))
            ways = next_stages(stages[-1])
            choices += [len(ways)] if ways else []
        if stages[-1][0]:
            lost = yield from _first_lost(board, stages, lost_stages)
            futile.append(len(stages) - 1 - lost)
        yield Progress(game, GAMES)
    return sum(choices) / max(1, len(choices)), sum(futile) / max(1, len(futile))


def _next_stages(board: Network, stage: Stage) -> list[Stage]:
    rest, stone, back = stage
    ways = []
    for direction in range(4):
        there = board.nearest(stone, direction, rest)
        if direction != back and there is not None:
            ways.append((rest & ~(1 << there), there, (direction + 2) % 4))
    return ways


def _first_lost(board: Network, stages: list[Stage], lost: dict[Stage, bool]) -> Run[int]:
    """Return the index of the first stage without a solution. The last stage must have none.

    `lost` has the stages that have been searched, and whether each of them is lost. The function
    adds to it.
    """
    low, high = -1, len(stages) - 1
    while low + 1 < high:
        middle = (low + high) // 2
        stage = stages[middle]
        if stage not in lost:
            state: State | None = board.state(*stage)
            line = (yield from find(board, [state], _SEARCH_NODES)) if state else []
            lost[stage] = line == []
        if lost[stage]:
            high = middle
        else:
            low = middle
    return high


def survey(
    kind: Kind[Position, Cell],
    position: Position,
    *,
    size: list[int],
    stones: list[int],
    boards: int,
    seed: int,
) -> Run[SurveyAnswer]:
    """Compute statistics of random boards. The position does not matter.

    `size` is [rows, columns], and `stones` is [least, most]. `boards` is the number of random
    boards of each number of stones that are examined. If there are not more of them, all are. The
    same seed yields the same boards. The levels are means over up to `RATED` solvable boards. Every
    progress report contains what has been found so far. Raise PuzzleError at once if there are more
    stones than points on the board.
    """
    rows, columns = size
    least, most = stones
    refuse_survey(position, size=size, stones=stones)
    numbers = range(least, min(most, rows * columns, kernels.MAX_STONES) + 1)
    table: list[SurveyRow] = []
    for done, number in enumerate(numbers):
        note = Message("Boards with this many stones: {stones}", {"stones": number})
        report = Progress(done, len(numbers), note, found=SurveyAnswer(survey=tuple(table)))
        rng = random.Random(f"{seed} {number}")
        run = _survey_row(kind, rows, columns, number, boards, rng)
        table.append((yield from relayed(run, lambda _, report=report: report)))  # type: ignore[misc]
    return SurveyAnswer(Exact(sum(row.boards for row in table)), survey=tuple(table))


def _survey_row(
    kind: Kind[Position, Cell],
    rows: int,
    columns: int,
    stones: int,
    boards: int,
    rng: random.Random,
) -> Run[SurveyRow]:
    """Return the statistics of `boards` random boards with this number of stones, or of all."""
    points = rows * columns
    everything = math.comb(points, stones)
    counts: list[int] = []
    levels: list[tuple[float, float]] = []
    undecided, is_bound, arrays = 0, False, work()
    for cells in _boards(points, stones, boards, rng):
        yield Progress(0, 1)
        taken = np.zeros(points, np.bool_)
        taken[list(cells)] = True
        count, exact, _ = evaluate(taken, columns, arrays, _CAP, _SURVEY_NODES)
        is_bound |= not exact
        undecided += not count and not exact
        if count:
            counts.append(int(count))
        if count and exact and len(levels) < RATED:
            board = Position(rows, columns, sum(1 << cell for cell in cells))
            rated = yield from kind.questions["rate"].ask(kind, board)
            if rated.value is not None:
                levels.append((rated.careful_level, rated.random_level))
    careful, lucky = zip(*levels) if levels else ((), ())
    level = round(statistics.fmean(careful), 3) if careful else None
    return SurveyRow(
        stones=stones,
        boards=min(boards, everything),
        is_all=everything <= boards,
        solvable=len(counts),
        unique=counts.count(1),
        undecided=undecided,
        median=Exact(statistics.median_low(counts)) if counts else None,
        is_bound=is_bound,
        careful_level=level,
        random_level=round(statistics.fmean(lucky), 3) if lucky else None,
        band="" if level is None else BANDS[band(level) - 1],
    )


def _boards(points: int, stones: int, boards: int, rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Yield the points that bear stones, for each of `boards` random boards or for all boards."""
    if math.comb(points, stones) <= boards:
        # The order is random, because the first boards are rated and must not be alike.
        everything = list(combinations(range(points), stones))
        yield from rng.sample(everything, len(everything))
        return
    for _ in range(boards):
        yield tuple(rng.sample(range(points), stones))
