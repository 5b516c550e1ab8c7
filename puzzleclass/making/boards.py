"""The boards that a solver has made so far, and how they are saved."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from django.db import transaction

from puzzleclass.accounts.models import User
from puzzleclass.jobs.models import Job
from puzzleclass.making.forms import NUMBER_SIGN
from puzzleclass.puzzles.difficulty import BANDS
from puzzleclass.puzzles.models import Puzzle


@dataclass(frozen=True, slots=True)
class Made:
    """A board that a solver has made."""

    number: int
    board: Puzzle
    """Not saved."""
    solutions: str
    """How many it has, as a decimal string; empty when that was not counted."""
    band: str
    """Its difficulty in a word, as a marked English text; empty when it was not rated."""
    is_known: bool
    """The teacher's library has it."""

    @property
    def level(self) -> int:
        """1 for the easiest band to 4 for the hardest; 0 when it is not known."""
        return BANDS.index(self.band) + 1 if self.band in BANDS else 0

    @property
    def facts(self):
        """What there is to say of it in a word or two each."""
        return self.board.kind.facts(self.board.start)


def library(user: User, kind_slug: str) -> set[str]:
    """Return the positions that the user's library has."""
    puzzles = Puzzle.objects.filter(owner=user, kind_slug=kind_slug)
    return set(puzzles.values_list("position", flat=True))


def made_boards(user: User, job: Job) -> list[Made]:
    """Return what the job has made so far, in the order in which it was found."""
    known = library(user, job.kind_slug)
    return [
        Made(
            number,
            Puzzle(kind_slug=job.kind_slug, position=entry["position"]),
            str(entry.get("solutions", "")),
            _band(entry.get("band")),
            entry["position"] in known,
        )
        for number, entry in enumerate(job.details.get("boards", ()), 1)
    ]


def save_boards(user: User, kind_slug: str, positions: Sequence[str], pattern: str) -> list[Puzzle]:
    """Put the boards into the user's library, but for those that it has. Returns the new puzzles.

    Each is called by the pattern, with a number in the place of `#` that no title has yet; a
    pattern without `#` gets the number at its end, unless there is only one board.
    """
    with transaction.atomic():
        known = library(user, kind_slug)
        new = [text for text in dict.fromkeys(positions) if text not in known]
        titles = _titles(user, pattern, len(new))
        return [
            Puzzle.objects.create(owner=user, kind_slug=kind_slug, position=text, title=title)
            for text, title in zip(new, titles)
        ]


def _titles(user: User, pattern: str, number: int) -> list[str]:
    if NUMBER_SIGN not in pattern:
        if number == 1:
            return [pattern]
        pattern = f"{pattern} {NUMBER_SIGN}"
    taken = set(Puzzle.objects.filter(owner=user).values_list("title", flat=True))
    titles = (pattern.replace(NUMBER_SIGN, str(n)) for n in count(1))
    free = (title for title in titles if title not in taken)
    return [next(free) for _ in range(number)]


def _band(band: object) -> str:
    return BANDS[band - 1] if isinstance(band, int) else str(band or "")
