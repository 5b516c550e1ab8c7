"""The page on Goishi Hiroi: what a school's poster asked, and every board up to 5x5."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from puzzleclass.learn import goishi_pictures as pictures
from puzzleclass.learn.figures import (
    CountTimes,
    GoishiCensus,
    GoishiFigures,
    HardBoard,
    RandomBoards,
    StoneCensus,
    Tally,
    in_words,
    stored,
)
from solvers.message import Message, gettext_noop
from solvers.picture import Picture

SOLUTION = "1,1 2,1 2,2 4,2 4,1"
"""Of the poster's example."""

STEPS = (
    gettext_noop("The first stone may be any of the five: five entries, one order each."),
    gettext_noop(
        "From each entry go straight to the next stone. An entry remembers which stones are gone, "
        "which one was last, and where we came from (the short tail)."
    ),
    gettext_noop("Turning straight back is not allowed: no line leaves towards the tail."),
    gettext_noop(
        "Places of picked stones are passed as if empty. Some entries are dead ends: no line "
        "leaves them, because the next stone lies on no line or straight behind."
    ),
    gettext_noop(
        "All five are gone. Three entries are left, and their numbers add up: 1 + 3 + 1 = 5."
    ),
)
"""What happens at each number of picked stones."""

WISHES = (
    (
        gettext_noop("How many solutions has a board?"),
        gettext_noop("Counted exactly, also far beyond the poster's 20 stones."),
    ),
    (
        gettext_noop("Boards made automatically"),
        gettext_noop("With a wanted number of solutions and difficulty; no stone on another."),
    ),
    (
        gettext_noop("An easier way to enter stones"),
        gettext_noop("Press on the board, or paste rows of o and dots."),
    ),
    (gettext_noop("Show a right way"), gettext_noop("All solutions can be played step by step.")),
    (
        gettext_noop("Mend a board without a solution by adding or removing stones"),
        gettext_noop("The fewest changes are found and shown."),
    ),
    (gettext_noop("Play it on a computer"), gettext_noop("That is what this site is for.")),
    (
        gettext_noop("How many stones, how large a board, for the right difficulty?"),
        gettext_noop("Answered below, for all boards up to 5 × 5 exactly."),
    ),
)
"""The poster's questions and open wishes, and what became of them."""

IDEAS = (
    (
        gettext_noop("Only what can happen"),
        gettext_noop(
            "Most sets of stones can never be what is left in the middle of a game. We start from "
            "the whole board, and only meet those that can."
        ),
    ),
    (
        gettext_noop("What is alike counts once"),
        gettext_noop(
            "The way back matters only while a stone lies there. If none does, it makes no "
            "difference where we came from, and several entries become one."
        ),
    ),
    (
        gettext_noop("Giving up early"),
        gettext_noop(
            "A stone that can't be reached any more, or three stones each of which would have to "
            "be the last: such a board is given up at once."
        ),
    ),
    (
        gettext_noop("A compiler"),
        gettext_noop(
            "The program becomes machine code. That alone makes the poster's own program "
            "dozens of times faster."
        ),
    ),
)
"""What makes counting fast."""


@dataclass(frozen=True, slots=True)
class TimeRow:
    """How long the programs count a board."""

    of: CountTimes
    poster: Message | None
    poster_compiled: Message | None
    ours: Message

    @classmethod
    def read(cls, of: CountTimes) -> "TimeRow":
        poster, compiled = (
            None if time is None else in_words(time) for time in (of.poster, of.poster_compiled)
        )
        return cls(of, poster, compiled, in_words(of.ours))


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board of the census, as a puzzle and solved."""

    stones: int
    hard: HardBoard
    board: Picture
    solved: Picture
    tries: str
    """So many tries of a player who avoids what is seen to be lost bring one success."""

    @classmethod
    def read(cls, hard: HardBoard) -> "ShownBoard":
        board, solved = pictures.board(hard.board), pictures.board(hard.board, hard.line)
        tries = 10**hard.careful_level
        words = f"{float(f'{tries:.2g}'):,g}"
        return cls(hard.board.count("o"), hard, board, solved, words)


@require_GET
def learn_goishi(request: HttpRequest) -> HttpResponse:
    """The poster's questions, one after the other, with what was found."""
    census, asked = stored(GoishiCensus), stored(GoishiFigures)
    stones = census.figures.stones
    times = [TimeRow.read(each) for each in asked.figures.times]
    charts = _charts(census.figures, asked.figures)
    smallest = next(row for row in stones[1:] if row.all.unique)
    context = {
        "section": "learn",
        "start": pictures.board(pictures.EXAMPLE),
        "solved": pictures.board(pictures.EXAMPLE, SOLUTION),
        "numbered": pictures.numbered(),
        "asked": asked.figures,
        "wishes": WISHES,
        "frames": [
            {"picture": pictures.table(asked.figures.states, number), "text": Message(text)}
            for number, text in enumerate(STEPS, 1)
        ],
        "entries": len(asked.figures.states),
        "doubled": fmean(draw.doubled_percent for draw in asked.figures.draws),
        "middle": asked.figures.draws[len(asked.figures.draws) // 2],
        "shown_doubled": 100 * asked.figures.shown_doubled / asked.figures.shown,
        "ideas": IDEAS,
        "times": times,
        "race": max((row for row in times if row.poster), key=lambda row: row.of.stones),
        "run": census.run,
        "census": census.figures,
        "largest": census.figures.sizes[-1],
        "up_to_symmetry": Tally.total([row.up_to_symmetry for row in stones]),
        "different": Tally.total([row.different for row in stones]),
        "always": next(row for row in stones if row.stones > 2 and _is_always(stones, row)),
        "most_unique": max(stones, key=lambda row: row.all.unique),
        "last_unique": max((row for row in stones if row.all.unique), key=lambda row: row.stones),
        "hardest_row": max(stones, key=lambda row: row.careful_level),
        "smallest": [ShownBoard.read(hard) for hard in smallest.hardest_unique],
        "smallest_stones": smallest.stones,
        "hardest": [ShownBoard.read(row.hardest_unique[0]) for row in stones[1:] if row.all.unique],
        "record": ShownBoard.read(
            max((row.hardest for row in stones), key=lambda hard: hard.careful_level)
        ),
        "full": stones[-1],
        "draws": asked.figures.draws,
        "larger_charts": [chart for name, chart in charts.items() if name.startswith("large-")],
        "halves": _halves(census.figures, asked.figures),
        "surveys": asked.figures.surveys,
        "charts": charts,
        "all_charts": list(charts.values()),
    }
    return render(request, "learn/goishi.html", context)


def _is_always(stones: Iterable[StoneCensus], row: StoneCensus) -> bool:
    """Return whether all boards with so many stones and more can be solved."""
    return all(each.all.solvable == each.all.boards for each in stones if each.stones >= row.stones)


def _halves(census: GoishiCensus, asked: GoishiFigures) -> list[tuple[str, int]]:
    """Return for each size of board the stones with which every other board can be solved."""
    exact = [(row.stones, row.all.solvable / row.all.boards) for row in census.stones]
    found = [(_size(5, 5), exact)]
    for survey in asked.surveys:
        shares = [(row.stones, row.solvable / row.boards) for row in survey.found]
        found.append((_size(survey.rows, survey.columns), shares))
    return [
        (size, next(n for n, share in shares if n > 1 and share >= 0.5)) for size, shares in found
    ]


def _size(rows: int, columns: int) -> str:
    return f"{rows} × {columns}"


# Charts, as explore.js draws them


def _charts(census: GoishiCensus, asked: GoishiFigures) -> dict[str, dict[str, object]]:
    """Return the charts by name."""
    rows = [row for row in census.stones if row.stones > 1]

    def curve(
        label: str | Promise, value: Callable[[StoneCensus], float | None]
    ) -> dict[str, object]:
        points = [(row.stones, value(row)) for row in rows]
        return _line(label, [(x, y) for x, y in points if y is not None])

    def larger(
        ours: Callable[[StoneCensus], float | None], drawn: Callable[[RandomBoards], float | None]
    ) -> list[dict[str, object]]:
        lines = [curve(_("5 × 5, all boards"), ours)]
        for survey in asked.surveys:
            points = [(row.stones, drawn(row)) for row in survey.found]
            label = _size(survey.rows, survey.columns)
            lines.append(_line(label, [(x, y) for x, y in points if y is not None]))
        return lines

    def share(number: str) -> Callable[[StoneCensus | RandomBoards], float]:
        def of(row: StoneCensus | RandomBoards) -> float:
            tally = row.all if isinstance(row, StoneCensus) else row
            part: int = getattr(tally, number)
            return round(100 * part / tally.boards, 3)

        return of

    times = asked.times
    charts = [
        _chart(
            "time",
            _("Seconds to count one board"),
            [
                _line(label, [(row.stones, time) for row, time in pairs if time is not None])
                for label, pairs in (
                    (_("The poster's program, Python"), [(r, r.poster) for r in times]),
                    (_("The same, compiled"), [(r, r.poster_compiled) for r in times]),
                    (_("PuzzleClass"), [(r, r.ours) for r in times]),
                )
            ],
            is_logarithmic=True,
        ),
        _chart(
            "solvable",
            _("Boards that can be solved, in %"),
            [curve(_("5 × 5, all boards"), share("solvable"))],
        ),
        _chart(
            "unique",
            _("Boards with exactly one solution, in %"),
            [curve(_("5 × 5, all boards"), share("unique"))],
        ),
        _chart(
            "solutions",
            _("Solutions of a board that can be solved"),
            [curve(_("median"), lambda row: row.median), curve(_("most"), lambda row: row.most)],
            is_logarithmic=True,
        ),
        _chart(
            "level",
            _("Difficulty for a careful player (level)"),
            [
                curve(_("mean of all"), lambda row: row.careful_level),
                curve(_("mean, one solution"), lambda row: row.unique_level),
                curve(_("hardest board"), lambda row: row.hardest.careful_level),
            ],
        ),
        _chart(
            "large-solvable",
            _("Boards that can be solved, in %"),
            larger(share("solvable"), share("solvable")),
        ),
        _chart(
            "large-unique",
            _("Boards with exactly one solution, in %"),
            larger(share("unique"), share("unique")),
        ),
        _chart(
            "large-median",
            _("Solutions of a board that can be solved (median)"),
            larger(lambda row: row.median, lambda row: row.median),
            is_logarithmic=True,
        ),
        _chart(
            "large-level",
            _("Difficulty for a careful player (level)"),
            larger(lambda row: row.careful_level, lambda row: row.careful_level),
        ),
    ]
    return {str(chart["name"]): chart for chart in charts}


def _chart(
    name: str,
    title: str | Promise,
    lines: list[dict[str, object]],
    *,
    is_logarithmic: bool = False,
) -> dict[str, object]:
    return {
        "name": name,
        "title": str(title),
        "across": gettext("Number of stones"),
        "isLogarithmic": is_logarithmic,
        "lines": lines,
    }


def _line(label: str | Promise, points: Iterable[tuple[int, float]]) -> dict[str, object]:
    return {"label": str(label), "points": [{"x": x, "y": y} for x, y in points]}
