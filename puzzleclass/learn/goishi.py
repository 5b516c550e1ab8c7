"""The page on Goishi Hiroi: what a school's poster asked, and every board up to 5x5."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET
from msgspec.structs import astuple

from puzzleclass.learn import goishi_pictures as pictures
from puzzleclass.learn.figures import (
    BoardTally,
    GoishiCensus,
    GoishiFigures,
    HardBoard,
    RandomBoards,
    RandomSurvey,
    StoneCensus,
    duration_in_words,
    stored,
)
from puzzleclass.learn.guest_cache import cache_for_guests
from puzzleclass.tables.charts import Curve, NumberTable, Words, chart, table
from solvers.message import Message, gettext_noop
from solvers.picture import Picture

SOLUTION = "1,1 2,1 2,2 4,2 4,1"
"""A solution of the poster's example."""

STEPS = (
    gettext_noop("The first stone may be any of the five: five entries, one order each."),
    gettext_noop(
        "From each entry go straight to the next stone. An entry remembers which stones are gone, "
        "which one was last, and where we came from (the short tail)."
    ),
    gettext_noop("Turning straight back is not allowed: no line leaves towards the tail."),
    gettext_noop(
        "You pass the places of picked stones as if they were empty. Some entries are dead ends: "
        "no line leaves them, because the remaining stones lie on no common line or straight "
        "behind."
    ),
    gettext_noop(
        "All five are gone. Three entries are left, and their numbers add up: 1 + 3 + 1 = 5."
    ),
)
"""The texts that say what happens at each number of picked stones."""

WISHES = (
    (
        gettext_noop("How many solutions does a board have?"),
        gettext_noop("Counted exactly, also far beyond the poster's 20 stones."),
    ),
    (
        gettext_noop("Boards made automatically"),
        gettext_noop(
            "You choose the number of solutions and the difficulty. Stones never share a point."
        ),
    ),
    (
        gettext_noop("An easier way to enter stones"),
        gettext_noop("Press on the board, or paste rows of o and dots."),
    ),
    (gettext_noop("Show a right way"), gettext_noop("All solutions can be played step by step.")),
    (
        gettext_noop("Repair a board without a solution by adding or removing stones"),
        gettext_noop("The fewest changes are found and shown."),
    ),
    (gettext_noop("Play it on a computer"), gettext_noop("That is what this site is for.")),
    (
        gettext_noop("How many stones and how large a board give the right difficulty?"),
        gettext_noop("Answered below, exactly for all boards up to 5 × 5."),
    ),
)
"""The poster's questions and open wishes, and what became of them."""

IDEAS = (
    (
        gettext_noop("Only what can happen"),
        gettext_noop(
            "Most sets of stones can never be what is left in the middle of a game. If we start "
            "from the whole board, we meet only those that can."
        ),
    ),
    (
        gettext_noop("Count equal boards once"),
        gettext_noop(
            "The way back matters only while a stone lies there. If none does, it makes no "
            "difference where we came from, and several entries become one."
        ),
    ),
    (
        gettext_noop("Giving up early"),
        gettext_noop(
            "If a stone can't be reached any more, or if each of three stones would have to be "
            "the last, the program gives up the board at once."
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
"""The ideas that make counting fast."""


_STONES = _("Number of stones")
_TALLY = (pgettext_lazy("their number", "Boards"), _("Solvable"), _("Exactly one solution"))
_POSTER, _COMPILED = _("The poster's program, Python"), _("The same, compiled")
_SOLVABLE = _("Boards that can be solved, in %")
_UNIQUE = _("Boards with exactly one solution, in %")
_LEVEL = _("Difficulty for a careful player (level)")
_ALL = _("5 × 5, all boards")


@dataclass(frozen=True, slots=True)
class CensusBoard:
    """A board of the census, as a puzzle and solved."""

    stones: int
    hard: HardBoard
    board: Picture
    solved: Picture
    successes: int
    """How many of the `tries` of a player who avoids visible dead ends succeed on average."""
    tries: str

    @classmethod
    def read(cls, hard: HardBoard) -> "CensusBoard":
        board, solved = pictures.board(hard.board), pictures.board(hard.board, hard.line)
        successes, tries = 1, 10**hard.careful_level
        if tries < 10:
            successes, tries = round(100 / tries), 100
        words = f"{float(f'{tries:.2g}'):,g}"
        return cls(hard.board.count("o"), hard, board, solved, successes, words)


@require_GET
@cache_for_guests()
def learn_goishi(request: HttpRequest) -> HttpResponse:
    """Show the poster's questions, one after the other, with what was found."""
    census, poster = stored(GoishiCensus), stored(GoishiFigures)
    stones = census.figures.stones
    charts = _charts(census.figures, poster.figures)
    race = max((row for row in poster.figures.times if row.poster), key=lambda row: row.stones)
    smallest = next(row for row in stones[1:] if row.all.unique)
    context = {
        "start": pictures.board(pictures.EXAMPLE),
        "solved": pictures.board(pictures.EXAMPLE, SOLUTION),
        "numbered": pictures.numbered(),
        "asked": poster.figures,
        "wishes": WISHES,
        "frames": [
            {"picture": pictures.table(poster.figures.states, number), "text": Message(text)}
            for number, text in enumerate(STEPS, 1)
        ],
        "entries": len(poster.figures.states),
        "doubled": fmean(draw.doubled_percent for draw in poster.figures.draws),
        "middle": poster.figures.draws[len(poster.figures.draws) // 2],
        "shown_doubled": 100 * poster.figures.shown_doubled / poster.figures.shown,
        "ideas": IDEAS,
        "race": {
            "stones": race.stones,
            "poster": duration_in_words(race.poster or 0),
            "ours": duration_in_words(race.ours),
        },
        "tables": _tables(census.figures, poster.figures),
        "run": census.run,
        "census": census.figures,
        "largest": census.figures.sizes[-1],
        "always": next(row for row in stones if row.stones > 2 and _is_always(stones, row)),
        "most_unique": max(stones, key=lambda row: row.all.unique),
        "last_unique": max((row for row in stones if row.all.unique), key=lambda row: row.stones),
        "hardest_row": max(stones, key=lambda row: row.careful_level),
        "smallest": [CensusBoard.read(hard) for hard in smallest.hardest_unique],
        "smallest_stones": smallest.stones,
        "hardest": [
            CensusBoard.read(row.hardest_unique[0]) for row in stones[1:] if row.all.unique
        ],
        "record": CensusBoard.read(
            max((row.hardest for row in stones), key=lambda hard: hard.careful_level)
        ),
        "full": stones[-1],
        "larger_charts": [each for each in charts if str(each["name"]).startswith("large-")],
        "halves": _halves(census.figures, poster.figures),
        "surveys": [
            (_size(survey.rows, survey.columns), _survey_table(survey))
            for survey in poster.figures.surveys
        ],
        "charts": {each["name"]: each for each in charts},
        "all_charts": charts,
    }
    return render(request, "learn/goishi.html", context)


def _is_always(stones: Iterable[StoneCensus], row: StoneCensus) -> bool:
    """Return whether all boards with at least as many stones as in this row can be solved."""
    return all(each.all.solvable == each.all.boards for each in stones if each.stones >= row.stones)


def _halves(census: GoishiCensus, poster: GoishiFigures) -> list[tuple[str, int]]:
    """Return, for each size, the fewest stones with which at least half the boards are solvable."""
    exact = [(row.stones, row.all.solvable / row.all.boards) for row in census.stones]
    found = [(_size(5, 5), exact)]
    for survey in poster.surveys:
        shares = [(row.stones, row.solvable / row.boards) for row in survey.found]
        found.append((_size(survey.rows, survey.columns), shares))
    return [
        (size, next(n for n, share in shares if n > 1 and share >= 0.5)) for size, shares in found
    ]


def _size(rows: int, columns: int) -> str:
    return f"{rows} × {columns}"


# Tables and charts


def _tables(census: GoishiCensus, poster: GoishiFigures) -> dict[str, NumberTable]:
    stones, (boards, solvable, unique) = census.stones, _TALLY
    counted = {
        _("Every way to put stones on 5 × 5 points"): [row.all for row in stones],
        _("Turned and mirrored boards are the same"): [row.up_to_symmetry for row in stones],
        _("Empty rows and columns left out, too: they change nothing for a player"): [
            row.different for row in stones
        ],
    }
    return {
        "draws": table(
            [_STONES, *(str(draw.stones) for draw in poster.draws)],
            [
                [
                    _("Two stones on one point"),
                    *(f"{draw.doubled_percent:.1f}%" for draw in poster.draws),
                ]
            ],
        ),
        "times": table(
            [
                _STONES,
                _("Board"),
                _("Solutions"),
                _POSTER,
                _COMPILED,
                _("PuzzleClass"),
                _("Entries we look at"),
            ],
            (
                [
                    row.stones,
                    _size(row.side, row.side),
                    row.solutions,
                    *(
                        time and duration_in_words(time)
                        for time in (row.poster, row.poster_compiled)
                    ),
                    duration_in_words(row.ours),
                    row.situations,
                ]
                for row in poster.times
            ),
        ),
        "counted": table(
            [_("What counts as one board"), *_TALLY],
            ([words, *astuple(BoardTally.total(tallies))] for words, tallies in counted.items()),
        ),
        "stones": table(
            [
                *(_STONES, boards, solvable, unique, _("Different ones among these")),
                *(_("Solutions (median)"), _("Most solutions"), _("Level (mean)")),
                *(_("Level, one solution"), _("Hardest board")),
            ],
            (
                [
                    *(row.stones, *astuple(row.all), row.different.unique, row.median, row.most),
                    *(row.careful_level, row.unique_level, row.hardest.careful_level),
                ]
                for row in stones
            ),
        ),
        "sizes": table(
            [_("Board"), *_TALLY, _("Solutions of all boards together")],
            (
                [_size(row.rows, row.columns), *astuple(row.all), row.solutions]
                for row in census.sizes
            ),
        ),
        "solutions": table(
            [
                _("Solutions"),
                *(
                    str(row.least) if row.least == row.most else f"{row.least}–{row.most}"
                    for row in census.by_solutions
                ),
            ],
            [
                [boards, *(row.boards for row in census.by_solutions)],
                [_("Level (mean)"), *(row.careful_level for row in census.by_solutions)],
            ],
        ),
    }


def _survey_table(survey: RandomSurvey) -> NumberTable:
    return table(
        [_STONES, *_TALLY, _("Solutions (median)"), _("Level")],
        (
            [
                *(row.stones, row.boards, row.solvable, row.unique),
                f"≥ {row.median:,}" if row.median and row.is_bound else row.median,
                row.careful_level,
            ]
            for row in survey.found
        ),
    )


def _charts(census: GoishiCensus, poster: GoishiFigures) -> list[dict[str, object]]:
    rows = [row for row in census.stones if row.stones > 1]

    def curve(label: Words, value: Callable[[StoneCensus], float | None]) -> Curve:
        return Curve(label, [(row.stones, value(row)) for row in rows])

    def larger(
        exact: Callable[[StoneCensus], float | None], drawn: Callable[[RandomBoards], float | None]
    ) -> list[Curve]:
        found = [curve(_ALL, exact)]
        for survey in poster.surveys:
            points = [(row.stones, drawn(row)) for row in survey.found]
            found.append(Curve(_size(survey.rows, survey.columns), points))
        return found

    def percent(name: str) -> Callable[[BoardTally | RandomBoards], float]:
        return lambda tally: round(100 * getattr(tally, name) / tally.boards, 3)

    solvable, unique = percent("solvable"), percent("unique")

    def by_stones(
        name: str, title: Words, *lines: Curve, is_logarithmic: bool = False
    ) -> dict[str, object]:
        return chart(name, title, _STONES, lines, is_logarithmic=is_logarithmic)

    return [
        by_stones(
            "time",
            _("Seconds to count one board"),
            Curve(_POSTER, [(row.stones, row.poster) for row in poster.times]),
            Curve(_COMPILED, [(row.stones, row.poster_compiled) for row in poster.times]),
            Curve(_("PuzzleClass"), [(row.stones, row.ours) for row in poster.times]),
            is_logarithmic=True,
        ),
        by_stones("solvable", _SOLVABLE, curve(_ALL, lambda row: solvable(row.all))),
        by_stones("unique", _UNIQUE, curve(_ALL, lambda row: unique(row.all))),
        by_stones(
            "solutions",
            _("Solutions of a board that can be solved"),
            curve(_("median"), lambda row: row.median),
            curve(_("most"), lambda row: row.most),
            is_logarithmic=True,
        ),
        by_stones(
            "level",
            _LEVEL,
            curve(_("mean of all"), lambda row: row.careful_level),
            curve(_("mean, one solution"), lambda row: row.unique_level),
            curve(_("hardest board"), lambda row: row.hardest.careful_level),
        ),
        by_stones("large-solvable", _SOLVABLE, *larger(lambda row: solvable(row.all), solvable)),
        by_stones("large-unique", _UNIQUE, *larger(lambda row: unique(row.all), unique)),
        by_stones(
            "large-median",
            _("Solutions of a board that can be solved (median)"),
            *larger(lambda row: row.median, lambda row: row.median),
            is_logarithmic=True,
        ),
        by_stones(
            "large-level",
            _LEVEL,
            *larger(lambda row: row.careful_level, lambda row: row.careful_level),
        ),
    ]
