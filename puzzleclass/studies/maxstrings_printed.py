"""What the study of Max Strings prints besides its maxima: times, densities, bounds."""

from typing import NamedTuple

from puzzleclass.studies.printed_figures import PrintedFigures
from solvers.maxstrings.maximum import most_strings
from solvers.maxstrings.study import SECOND_TABLE


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


def printed_rows(figures: PrintedFigures) -> list[tuple[object, ...]]:
    """Return the rows of the study's tables beside HiGHS's times and the true densities."""
    highs = {each.n: each for each in figures.programmes}
    return [
        (
            n,
            *(f"{seconds:,.0f}" for seconds in times),
            *((f"{highs[n].plain:g}", f"{highs[n].cuts:g}") if n in highs else ("–", "–")),
            f"~~{DENSITIES[n] / 100:.2f}~~ {{{{ {fault} }}}}"
            if (fault := density_fault(n))
            else f"{DENSITIES[n] / 100:.2f}",
            f"{most_strings(n, n) / n**2:.4f}",
        )
        for n, times in GLPK.items()
    ]


def density_fault(n: int) -> str:
    """Return "misprint" if the printed density follows from a misprinted maximum, "slip" if it is
    wrong although the maximum is right, and otherwise an empty text."""
    most = most_strings(n, n)
    if SECOND_TABLE[n] != most:
        return "misprint"
    return "" if DENSITIES[n] == 100 * most // n**2 else "slip"
