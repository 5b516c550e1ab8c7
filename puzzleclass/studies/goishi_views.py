"""The page on Goishi Hiroi: what a school's poster asked, and every board up to 5x5."""

from collections.abc import Callable, Iterable
from statistics import fmean

from django.http import HttpResponse
from django.template.defaultfilters import floatformat
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET
from msgspec.structs import astuple

from puzzleclass.charts import Curve, Words, chart
from puzzleclass.http import Request
from puzzleclass.studies import goishi_pictures as pictures
from puzzleclass.studies.figures import (
    BoardTally,
    GoishiCensus,
    GoishiFigures,
    HardBoard,
    RandomBoards,
    StoneCensus,
    duration_in_words,
    stored,
)
from puzzleclass.studies.guest_cache import cache_for_guests
from puzzleclass.studies.pages import (
    GOISHI,
    GalleryBoard,
    charts_side_by_side,
    gallery,
    run,
    show_study,
    stepper,
)
from solvers.message import Message, gettext_noop

SOLUTION = "1,1 2,1 2,2 4,2 4,1"
"""A solution of the poster's example."""

PICKED = (2, 4, 3)
"""The stones that the poster picks in its example of sets as numbers, counted from 0."""

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

_STONES = _("Number of stones")
_POSTER, _COMPILED = _("The poster's program, Python"), _("The same, compiled")
_SOLVABLE = _("Boards that can be solved, in %")
_UNIQUE = _("Boards with exactly one solution, in %")
_LEVEL = _("Difficulty for a careful player (level)")
_ALL = _("5 × 5, all boards")


@require_GET
@cache_for_guests()
def study_goishi(request: Request) -> HttpResponse:
    """Show the poster's questions, one after the other, with what was found."""
    census, poster = stored(GoishiCensus), stored(GoishiFigures)
    charts = _charts(census.figures, poster.figures)
    names = ("solvable", "unique", "solutions", "level")
    parts = {
        "start": pictures.board(pictures.EXAMPLE),
        "solved": pictures.board(pictures.EXAMPLE, SOLUTION),
        **_poster_parts(poster.figures),
        **_census_parts(request, census.figures),
        "halves": ", ".join(f"{size}: {n}" for size, n in halves(census.figures, poster.figures)),
        **{f"survey.{each.rows}": [_survey_row(row) for row in each.found]
           for each in poster.figures.surveys},
        "chart.time": charts_side_by_side(charts[:1]),
        "charts": charts_side_by_side(each for each in charts if each["name"] in names),
        "charts.larger": charts_side_by_side(charts[1 + len(names):]),
        "explore": _explore(request),
        "run": run(census.run),
    }  # fmt: skip
    return show_study(request, "goishi", parts, charts=charts)


def _poster_parts(found: GoishiFigures) -> dict[str, object]:
    """Return what the poster's example and its two programs show."""
    race = max((row for row in found.times if row.poster), key=lambda row: row.stones)
    middle = found.draws[len(found.draws) // 2]
    frames = [
        {"picture": pictures.table(found.states, number), "text": Message(text)}
        for number, text in enumerate(STEPS, 1)
    ]
    return {
        "race.stones": race.stones,
        "race.poster": duration_in_words(race.poster or 0),
        "race.ours": duration_in_words(race.ours),
        "numbered": pictures.numbered(),
        "all_sets": pictures.all_sets(found.states),
        "sets": 2 ** len(pictures.PLACES),
        "sets.met": len({state.picked for state in found.states}),
        **{f"bits.{name}": row for name, row in bits(PICKED).items()},
        "entries": len(found.states),
        "stepper": stepper("sets", frames),
        "n": found.solutions,
        "turns": found.with_turns,
        "blocked": found.blocked,
        "middle.stones": middle.stones,
        "middle.percent": floatformat(middle.doubled_percent, 0),
        "draws": tuple(f"{draw.doubled_percent:.1f}%" for draw in found.draws),
        "doubled": floatformat(fmean(draw.doubled_percent for draw in found.draws), 1),
        "shown_doubled": floatformat(100 * found.shown_doubled / found.shown, 0),
        "shown": found.shown,
        "begins": len(starts(found)),
        "sentinels": pictures.sentinels(4),
        "sentinel.entries": 6 * 6,
        "sentinel.edge": 6 * 6 - 4 * 4,
        "times": [
            (
                *(row.stones, _size(row.side, row.side), row.solutions),
                *(time and duration_in_words(time) for time in (row.poster, row.poster_compiled)),
                *(duration_in_words(row.ours), row.situations),
            )
            for row in found.times
        ],
    }


def bits(picked: Iterable[int]) -> dict[str, tuple[str, ...]]:
    """Return the rows of the poster's table: the stones picked, counted from 0, and the sets before
    the pick, of the pick and after it as binary numbers."""
    stones = tuple(picked)
    sums = [sum(1 << stone for stone in stones[:n]) for n in range(len(stones) + 1)]
    width = len(pictures.PLACES)
    return {
        "stones": tuple(map(str, stones)),
        "before": tuple(f"{number:0{width}b}" for number in sums[:-1]),
        "added": tuple(f"{1 << stone:0{width}b}" for stone in stones),
        "after": tuple(f"{number:0{width}b}" for number in sums[1:]),
    }


def starts(found: GoishiFigures) -> set[int]:
    """Return the stones from which a solution of the poster's example begins."""
    whole = len(pictures.PLACES)

    def ends_well(at: int) -> bool:
        state = found.states[at]
        return len(state.picked) == whole or any(map(ends_well, state.after))

    return {
        state.last
        for at, state in enumerate(found.states)
        if len(state.picked) == 1 and ends_well(at)
    }


def _census_parts(request: Request, census: GoishiCensus) -> dict[str, object]:
    """Return what all boards up to 5x5 show."""
    stones, largest = census.stones, census.sizes[-1]
    unique = [row for row in stones if row.all.unique]
    smallest, best = unique[1], max(stones, key=lambda row: row.all.unique)
    record = max((row.hardest for row in stones), key=lambda hard: hard.careful_level)
    alike = census.by_solutions

    def total(tallies: Iterable[BoardTally]) -> tuple[int, ...]:
        return astuple(BoardTally.total(list(tallies)))

    return {
        "boards": largest.all.boards,
        "solvable": largest.all.solvable,
        "unique": largest.all.unique,
        "solutions": largest.solutions,
        "counted.all": total(row.all for row in stones),
        "counted.symmetry": total(row.up_to_symmetry for row in stones),
        "counted.different": total(row.different for row in stones),
        "always": next(row.stones for row in stones if row.stones > 2 and _is_always(stones, row)),
        "least": smallest.stones,
        "least.boards": len(smallest.hardest_unique),
        "last": unique[-1].stones,
        "best": best.stones,
        "best.percent": floatformat(best.unique_percent, 1),
        "full": stones[-1].most,
        "stones": [
            (
                *(row.stones, *astuple(row.all), row.different.unique, row.median, row.most),
                *(row.careful_level, row.unique_level, row.hardest.careful_level),
            )
            for row in stones
        ],
        "sizes": [
            (_size(row.rows, row.columns), *astuple(row.all), row.solutions) for row in census.sizes
        ],
        "smallest": gallery(request, map(_shown, smallest.hardest_unique), GOISHI),
        "checked": census.checked,
        "hardest.stones": max(stones, key=lambda row: row.careful_level).stones,
        "alike": census.alike,
        "alike.solutions": tuple(
            str(row.least) if row.least == row.most else f"{row.least}–{row.most}" for row in alike
        ),
        "alike.columns": ("--:",) * len(alike),
        "alike.boards": tuple(row.boards for row in alike),
        "alike.levels": tuple(row.careful_level for row in alike),
        "hardest": gallery(request, (_shown(row.hardest_unique[0]) for row in unique[1:]), GOISHI),
        "record": gallery(request, [_shown(record)], GOISHI),
        "record.solutions": record.solutions,
        "record.tries": _tries(record)[1],
    }


def _shown(hard: HardBoard) -> GalleryBoard:
    """Return a board of the census with its level, its solution, and the puzzle for teachers."""
    successes, tries = _tries(hard)
    text = Message(
        "Stones: {stones}. Level {level} (success in {n} of {tries} attempts)",
        {
            **{"stones": hard.board.count("o"), "level": floatformat(hard.careful_level, 2)},
            **{"n": successes, "tries": tries},
        },
    )
    solved = pictures.board(hard.board, hard.line)
    return GalleryBoard(pictures.board(hard.board), "", text, solved, hard.board)


def _tries(hard: HardBoard) -> tuple[int, str]:
    """Return how many of how many attempts succeed if a player avoids visible dead ends."""
    tries = 10**hard.careful_level
    return (round(100 / tries), "100") if tries < 10 else (1, f"{float(f'{tries:.2g}'):,g}")


def _explore(request: Request) -> SafeString:
    """Return the link for teachers to the statistics of other random boards."""
    if not (request.user.is_authenticated and request.user.is_teacher):
        return SafeString("")
    return format_html(
        '<p>{} <a href="{}">{}</a></p>',
        _now("You can look at other sizes yourself:"),
        reverse("puzzle_explore", args=["goishi"]),
        _now("What random boards are like"),
    )


def _is_always(stones: Iterable[StoneCensus], row: StoneCensus) -> bool:
    """Return whether all boards with at least as many stones as in this row can be solved."""
    return all(each.all.solvable == each.all.boards for each in stones if each.stones >= row.stones)


def halves(census: GoishiCensus, poster: GoishiFigures) -> list[tuple[str, int]]:
    """Return, for each size, the fewest stones with which at least half the boards are solvable."""
    exact = [(row.stones, row.all.solvable / row.all.boards) for row in census.stones]
    columns = [(_size(5, 5), exact)]
    for survey in poster.surveys:
        shares = [(row.stones, row.solvable / row.boards) for row in survey.found]
        columns.append((_size(survey.rows, survey.columns), shares))
    return [
        (size, next(n for n, share in shares if n > 1 and share >= 0.5)) for size, shares in columns
    ]


def _size(rows: int, columns: int) -> str:
    return f"{rows} × {columns}"


def _survey_row(row: RandomBoards) -> tuple[object, ...]:
    return (
        *(row.stones, row.boards, row.solvable, row.unique),
        f"≥ {row.median:,}" if row.median and row.is_bound else row.median,
        row.careful_level,
    )


def _charts(census: GoishiCensus, poster: GoishiFigures) -> list[dict[str, object]]:
    rows = [row for row in census.stones if row.stones > 1]

    def curve(label: Words, value: Callable[[StoneCensus], float | None]) -> Curve:
        return Curve(label, [(row.stones, value(row)) for row in rows])

    def larger(
        exact: Callable[[StoneCensus], float | None], drawn: Callable[[RandomBoards], float | None]
    ) -> list[Curve]:
        curves = [curve(_ALL, exact)]
        for survey in poster.surveys:
            points = [(row.stones, drawn(row)) for row in survey.found]
            curves.append(Curve(_size(survey.rows, survey.columns), points))
        return curves

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
