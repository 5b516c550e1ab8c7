"""What a teacher fills in to give puzzles to a class: the terms, and the choice of the puzzles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import MOST_HINTS, AssignedPuzzle, Assignment
from puzzleclass.language import say
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goals_of, to_be_given
from puzzleclass.puzzles.models import Puzzle
from solvers.kind import PuzzleError

MOST_PUZZLES = 40
"""In one assignment: as many as a class table can show."""

_MINUTE_FORMAT = "%Y-%m-%dT%H:%M"

_HOW_MANY = format_lazy(gettext_lazy("Hints: a number from 0 to {most}."), most=MOST_HINTS)


def usual_due_date() -> datetime:
    """Return 17:00 a week from today."""
    day = timezone.localdate() + timedelta(days=7)
    return timezone.make_aware(datetime.combine(day, time(17)))


class AssignmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """Title, due date and what the students are told."""

    class Meta:
        model = Assignment
        fields = ["title", "due_at", "shows_total", "shades", "warns", "hints"]
        help_texts = {
            "warns": gettext_lazy(
                "Exactly, and at no cost: also which places can't end well any more, and the way "
                "back. How many solutions are left is said if their number may be told."
            ),
            "hints": gettext_lazy("0: no hints. A hint never costs a move."),
        }
        widgets = {
            "due_at": forms.DateTimeInput(attrs={"type": "datetime-local"}, format=_MINUTE_FORMAT)
        }
        error_messages = {
            "title": {"required": gettext_lazy("Give the assignment a title.")},
            "due_at": {
                "required": gettext_lazy("Say until when the puzzles can be solved."),
                "invalid": gettext_lazy("This is not a date and time."),
            },
            "hints": dict.fromkeys(("required", "invalid", "min_value", "max_value"), _HOW_MANY),
        }

    def clean_due_at(self) -> datetime:
        due_at: datetime = self.cleaned_data["due_at"]
        old: datetime | None = self.instance.due_at
        if old and _to_the_minute(old) == _to_the_minute(due_at):
            # Not changed: also an assignment that is over can get another title.
            return old
        if due_at <= timezone.now():
            raise ValidationError(_("This moment has passed. Choose one that is still to come."))
        return due_at


def _to_the_minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


@dataclass(slots=True)
class Choice:
    """A board that can be part of the assignment: one that is given, or one of the library."""

    name: str
    board: AssignedPuzzle | Puzzle
    count: Count | None
    chosen: bool
    place: str = ""
    """As it was typed."""
    goal: Goal | None = None
    """Of a kind with a score. It can be changed until the board is given."""
    typed_goal: str = field(init=False)
    fault: str = ""

    def __post_init__(self) -> None:
        self.typed_goal = self.goal.typed if self.goal else ""

    @property
    def is_given(self) -> bool:
        return isinstance(self.board, AssignedPuzzle)

    def to_give(self) -> AssignedPuzzle | Puzzle:
        """Return the board as the class gets it. Raises PuzzleError for a goal that can't be."""
        if self.goal is None or self.is_given:
            return self.board
        position = to_be_given(self.board, self.typed_goal)
        kept = ("pk", "kind_slug", "title")
        return Puzzle(position=position, **{name: getattr(self.board, name) for name in kept})

    @property
    def order(self) -> float:
        return int(self.place) if self.place else float("inf")


def choices_for(
    teacher: User, given: Iterable[AssignedPuzzle] = (), preselected: Sequence[str] = ()
) -> list[Choice]:
    """Return the given boards, then the teacher's library without those that are given.

    `preselected` are keys of puzzles as they came in the address; anything else is ignored.
    """
    given = list(given)
    library = list(
        Puzzle.objects.filter(owner=teacher).exclude(
            pk__in=[board.puzzle_id for board in given if board.puzzle_id]
        )
    )
    # What brought the teacher here comes first, in its order.
    place = {key: number for number, key in enumerate(preselected)}
    library.sort(key=lambda puzzle: place.get(str(puzzle.pk), len(place)))
    given_counts, library_counts = known_counts(given), known_counts(library)
    goals = iter(goals_of([*given, *library]))
    return [
        *(
            Choice(
                f"given-{board.pk}",
                board,
                given_counts.get(board.pk),
                chosen=True,
                place=str(board.number),
                goal=next(goals),
            )
            for board in given
        ),
        *(
            Choice(
                f"library-{puzzle.pk}",
                puzzle,
                library_counts.get(puzzle.pk),
                chosen=str(puzzle.pk) in place,
                goal=next(goals),
            )
            for puzzle in library
        ),
    ]


class PuzzleChoice:
    """The cards on which the puzzles of an assignment are chosen and put in order.

    Each card sends `board` when it is ticked, `place-<name>` and, for a kind with a score,
    `goal-<name>` with a number or nothing, and
    `listed` in any case: a board that another window has added meanwhile was not on the
    page, so that it isn't ticked doesn't mean that it shall go.
    """

    def __init__(self, choices: Iterable[Choice], data: QueryDict | None) -> None:
        self.choices = list(choices)
        self.gone: set[str] = set()
        self.fault = ""
        if data is None:
            return
        ticked, listed = set(data.getlist("board")), set(data.getlist("listed"))
        for choice in self.choices:
            if not choice.is_given or choice.name in listed:
                choice.chosen = choice.name in ticked
                choice.place = data.get(f"place-{choice.name}", "").strip()
                choice.typed_goal = data.get(f"goal-{choice.name}", choice.typed_goal).strip()
        self.gone = ticked - {choice.name for choice in self.choices}

    def is_valid(self) -> bool:
        """Return whether the choice can be taken; the faults stand with the cards."""
        for choice in self.choices:
            choice.fault = _fault(choice) if choice.chosen else ""
        if self.gone:
            self.fault = _("A puzzle you chose is no longer there. Please look again.")
        elif not any(choice.chosen for choice in self.choices):
            self.fault = _("Choose at least one puzzle.")
        elif sum(choice.chosen for choice in self.choices) > MOST_PUZZLES:
            self.fault = _("An assignment holds at most {most} puzzles.").format(most=MOST_PUZZLES)
        return not self.fault and not any(choice.fault for choice in self.choices)

    @property
    def shadings(self) -> list[str]:
        """What the kinds that can be chosen have a shading for, as marked texts."""
        kinds = [choice.board.kind for choice in self.choices]
        return list(dict.fromkeys(kind.shading.title for kind in kinds if kind.shading))

    @property
    def boards(self) -> list[AssignedPuzzle | Puzzle]:
        """The chosen boards: by their places, and those without one after them, as listed."""
        chosen = [choice for choice in self.choices if choice.chosen]
        return [choice.to_give() for choice in sorted(chosen, key=lambda choice: choice.order)]

    @property
    def dropped_with_tries(self) -> list[AssignedPuzzle]:
        """The given boards that are to go although students have tried them."""
        dropped = [choice.board for choice in self.choices if not choice.chosen]
        return [board for board in dropped if isinstance(board, AssignedPuzzle) and board.tries]


def _fault(choice: Choice) -> str:
    """Return what is wrong with what was typed on a card; empty when it is in order."""
    try:
        choice.to_give()
    except PuzzleError as error:
        return say(error.message)
    return _place_fault(choice.place)


def _place_fault(place: str) -> str:
    if not place or (place.isdecimal() and len(place) < 4 and int(place) > 0):
        return ""
    return _("A place is a number from 1 to 999, or nothing.")
