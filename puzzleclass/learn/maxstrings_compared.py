"""What the study of Max Strings prints besides its maxima: times, densities, numbers of boards."""

from dataclasses import dataclass
from typing import NamedTuple

from puzzleclass.learn.compared import ComparedFigure
from puzzleclass.learn.study_figures import ProgrammeTimes, StudyFigures
from solvers.maxstrings.maximum import most_strings
from solvers.maxstrings.study import SECOND_TABLE
from solvers.message import Message, gettext_noop


class GlpkTimes(NamedTuple):
    """Seconds that GLPK 4.9 took on an Intel Core Duo with 2 GHz, as the study prints them."""

    last: float
    """Table 1, with the option --last."""
    default: float
    """Table 1, with the default settings."""
    cuts_last: float
    """Table 2, with the symmetry cuts and --last."""
    cuts_default: float
    """Table 2, with the symmetry cuts and the default settings."""


GLPK = {
    **{n: GlpkTimes(0, 0, 0, 0) for n in range(2, 10)},
    10: GlpkTimes(1, 1, 0, 1),
    11: GlpkTimes(0, 8, 1, 5),
    12: GlpkTimes(23, 48, 24, 39),
    13: GlpkTimes(11, 88, 12, 29),
    14: GlpkTimes(4171, 4788, 4426, 2191),
    15: GlpkTimes(3544, 5547, 3519, 3161),
}

DENSITIES = {2: 50, 3: 66, 4: 75, 5: 72, 6: 72, 7: 73, 8: 76, 9: 75, 10: 75, 11: 76, 12: 75, 13: 76,
             14: 76, 15: 76}  # fmt: skip
"""n -> strings on 100 points, as both tables print them: digits are cut off, not rounded."""

HALVED = 14
"""The board on which the study's default run takes half as long with the cuts."""
BOUNDS = {"day": 282, "cuts": 281}
"""The study's upper bounds for 19 lines, after a day without the cuts and with them."""
LINES = 19


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row of the study's tables, with ours."""

    n: int
    glpk: GlpkTimes
    highs: ProgrammeTimes | None

    @property
    def most(self) -> int:
        """Return the most strings."""
        return most_strings(self.n, self.n)

    @property
    def density(self) -> str:
        """Return the density as the study prints it."""
        return f"{DENSITIES[self.n] / 100:.2f}"

    @property
    def true_density(self) -> str:
        """Return the density to four digits."""
        return f"{self.most / self.n**2:.4f}"

    @property
    def is_misprint(self) -> bool:
        """Return whether the printed density follows from a misprinted maximum."""
        return SECOND_TABLE[self.n] != self.most

    @property
    def is_slip(self) -> bool:
        """Return whether the printed density is wrong although the maximum is right."""
        return not self.is_misprint and DENSITIES[self.n] != 100 * self.most // self.n**2


def rows(figures: StudyFigures) -> list[PrintedRow]:
    """Return the rows of the study's tables."""
    highs = {each.n: each for each in figures.programmes}
    return [PrintedRow(n, times, highs.get(n)) for n, times in GLPK.items()]


def compared_figures() -> list[ComparedFigure]:
    """Return the study's other figures beside ours."""
    patterns = 3 ** (LINES**2)
    power = len(str(patterns)) - 1
    about = f"3^{LINES**2} ≈ {patterns / 10**power:.2f} × 10^{power}"
    times = GLPK[HALVED]
    return [
        ComparedFigure(
            gettext_noop("Ways to put stones on a board of n lines, legal or not"),
            "3^(n²)",
            about,
            True,
            Message(
                "Every point is empty, black or white. Ours is the number for {n} lines.",
                {"n": LINES},
            ),
        ),
        ComparedFigure(
            gettext_noop("Time that the cuts save GLPK with its default settings"),
            gettext_noop("about half"),
            f"{1 - times.cuts_default / times.default:.0%}",
            True,
            Message(
                "Worked out from the study's own times for {n} lines: {before} s and {after} s.",
                {"n": HALVED, "before": f"{times.default:,}", "after": f"{times.cuts_default:,}"},
            ),
        ),
        ComparedFigure(
            Message("Upper bound for {n} lines after a day, without the cuts", {"n": LINES}),
            str(BOUNDS["day"]),
            str(most_strings(LINES, LINES)),
            None,
            gettext_noop("The bound is true, but the maximum lies lower."),
        ),
        ComparedFigure(
            Message(
                "Upper bound for {n} lines with the cuts, after a day and after three", {"n": LINES}
            ),
            str(BOUNDS["cuts"]),
            str(most_strings(LINES, LINES)),
            None,
        ),
    ]
