"""About how many solutions there are, for puzzles too large to be counted."""

from dataclasses import dataclass

from puzzleclass.jobs.models import Job
from solvers.message import Message

QUESTION = "estimate"

_IN_FULL_BELOW = 10**15
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over random games; never more than an estimate."""

    mean: float
    error: float
    """Its standard error."""
    note: Message | None
    """The solver's own words on how it was found."""

    @property
    def about(self) -> str:
        """The mean to two figures: `3,100,000,000`, or `3.1 × 10¹⁷` where that is long."""
        mantissa, _, power = f"{self.mean:.1e}".partition("e")
        if self.mean < _IN_FULL_BELOW:
            return f"{float(f'{self.mean:.2g}'):,.0f}"
        return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"

    @property
    def percent(self) -> str:
        """The standard error in per cent of the mean."""
        return f"{100 * self.error / self.mean:.2g}"


def estimate_in(job: Job | None) -> Estimate | None:
    """Return the estimate in the answer of a job, if there is one."""
    details = job.details if job else {}
    if not details.get("estimate"):
        return None
    note = details.get("estimate_note")
    return Estimate(details["estimate"], details["error"], note and Message.from_json(note))
