"""What a teacher fills in to give puzzles to a class: the terms, and the basket of puzzles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import deal
from puzzleclass.assignments.models import MOST_HINTS, AssignedPuzzle, Assignment
from puzzleclass.assignments.services import Time, time_for
from puzzleclass.classes.models import Classroom, Enrolment, Group
from puzzleclass.http import read_key
from puzzleclass.language import say
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goals_of, to_be_given
from puzzleclass.puzzles.models import Puzzle
from solvers.kind import PuzzleError
from solvers.registry import kinds

MOST_PUZZLES = 40
"""In one assignment: as many as a class table can show."""

_MOMENT = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

_HOW_MANY = format_lazy(gettext_lazy("Hints: a number from 0 to {most}."), most=MOST_HINTS)


def usual_due_date() -> datetime:
    """Return 17:00 a week from today."""
    day = timezone.localdate() + timedelta(days=7)
    return timezone.make_aware(datetime.combine(day, time(17)))


class AssignmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """Title, due date and what the students are told."""

    class Meta:
        model = Assignment
        fields = [
            *("title", "instructions", "starts_at", "due_at", "is_draft"),
            *("shows_total", "shades", "warns", "hints"),
        ]
        labels = {"starts_at": pgettext_lazy("date", "Start")}
        help_texts = {
            "instructions": gettext_lazy(
                "The students read them in the list of assignments and at each puzzle."
            ),
            "starts_at": gettext_lazy("Empty: at once."),
            "warns": gettext_lazy(
                "Exactly, and at no cost: also which places can't end well any more, and the way "
                "back. How many solutions are left is said if their number may be told."
            ),
            "hints": gettext_lazy("0: no hints. A hint never costs a move."),
        }
        widgets = {
            "instructions": forms.Textarea(attrs={"rows": 2}),
            "starts_at": _MOMENT,
            "due_at": _MOMENT,
        }
        error_messages = {
            "title": {"required": gettext_lazy("Give the assignment a title.")},
            "starts_at": {"invalid": gettext_lazy("This is not a date and time.")},
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

    def clean(self) -> dict[str, object]:
        fields: dict[str, object] = super().clean() or self.cleaned_data
        starts_at, due_at = fields.get("starts_at"), fields.get("due_at")
        if isinstance(starts_at, datetime) and isinstance(due_at, datetime) and starts_at >= due_at:
            self.add_error("starts_at", _("The start must be before the due date."))
        return fields


class SharingForm(forms.Form):
    """Who of the class gets it, which of the boards each gets, and how much is to be found."""

    WHO = [("class", gettext_lazy("The whole class")), ("some", gettext_lazy("Only some of it"))]
    AIMS = [
        ("one", gettext_lazy("Find one solution of each puzzle")),
        ("several", gettext_lazy("Find several different solutions of each")),
        ("together", gettext_lazy("Find all solutions together, as a class")),
    ]

    who = forms.ChoiceField(
        label=gettext_lazy("Who gets it"), choices=WHO, widget=forms.RadioSelect, required=False
    )
    groups = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Groups"),
        queryset=Group.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("With the members that they have now."),
    )
    students = forms.MultipleChoiceField(
        label=gettext_lazy("Students"), required=False, widget=forms.CheckboxSelectMultiple
    )
    dealing = forms.ChoiceField(
        label=gettext_lazy("Who gets which boards"),
        choices=Assignment.Dealing.choices,
        widget=forms.RadioSelect,
        required=False,
    )
    aim = forms.ChoiceField(
        label=gettext_lazy("What is to be found"),
        choices=AIMS,
        widget=forms.RadioSelect,
        required=False,
    )
    several = forms.IntegerField(
        label=gettext_lazy("How many, if several"),
        widget=forms.NumberInput({"aria-label": gettext_lazy("How many, if several")}),
        required=False,
        min_value=2,
        max_value=Assignment.MOST_WANTED,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"),
            gettext_lazy("Solutions to find: a whole number from 2 to 99."),
        ),
    )

    def __init__(
        self, classroom: Classroom, data: QueryDict | None, given: Assignment | None = None
    ) -> None:
        wanted = given.wanted if given else 1
        chosen = given.parts.values_list("student", flat=True) if given and given.for_some else ()
        initial = {
            "who": "some" if given and given.for_some else "class",
            "students": [str(student) for student in chosen],
            "dealing": given.dealing if given else Assignment.Dealing.ALL,
            "aim": {1: "one", Assignment.TOGETHER: "together"}.get(wanted, "several"),
            "several": wanted if wanted > 1 else 3,
        }
        super().__init__(data, initial=initial)
        self.fields["groups"].queryset = classroom.groups.all()  # type: ignore[attr-defined]
        places = classroom.enrolments.values_list("student", "number", "student__name")
        students = [(str(pk), f"{number} {name}") for pk, number, name in places]
        self.fields["students"].choices = students  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        self.chosen: set[int] | None = None
        if values.get("who") == "some":
            members = Enrolment.objects.filter(groups__in=values.get("groups") or [])
            self.chosen = {int(pk) for pk in values.get("students") or []}
            self.chosen |= set(members.values_list("student", flat=True))
            if not self.chosen:
                self.add_error("who", _("Choose a group or a student."))
        if values.get("aim") == "several" and not values.get("several"):
            self.add_error("several", _("Solutions to find: a whole number from 2 to 99."))
        return values

    def save(self, assignment: Assignment) -> None:
        """Store it all, and deal the boards."""
        values = self.cleaned_data
        aims = {"several": values["several"], "together": Assignment.TOGETHER}
        assignment.wanted = aims.get(values["aim"], 1)
        assignment.dealing = values["dealing"] or Assignment.Dealing.ALL
        assignment.save(update_fields=["wanted", "dealing"])
        deal(assignment, self.chosen)


def _to_the_minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


@dataclass(slots=True)
class Choice:
    """A board of the assignment: one that is given, or one of the library in the basket."""

    name: str
    board: AssignedPuzzle | Puzzle
    count: Count | None
    chosen: bool = True
    goal: Goal | None = None
    """Of a kind with a score. It can be changed until the board is given."""
    typed_goal: str = field(init=False)
    fault: str = ""

    def __post_init__(self) -> None:
        self.typed_goal = self.goal.typed if self.goal else ""

    @property
    def is_given(self) -> bool:
        return isinstance(self.board, AssignedPuzzle)

    @property
    def level(self) -> int:
        """The difficulty, 1 to 4; 0 while it is not known."""
        puzzle = self.board.puzzle if isinstance(self.board, AssignedPuzzle) else self.board
        return puzzle.level if puzzle else 0

    @property
    def is_hopeless(self) -> bool:
        """It is known that it can't be solved."""
        return bool(self.count and self.count.is_hopeless) or self.board.obstacle is not None

    def to_give(self) -> AssignedPuzzle | Puzzle:
        """Return the board as the class gets it. Raises PuzzleError for a goal that can't be."""
        if self.goal is None or self.is_given:
            return self.board
        position = to_be_given(self.board, self.typed_goal)
        kept = ("pk", "kind_slug", "title")
        return Puzzle(position=position, **{name: getattr(self.board, name) for name in kept})


def choices_for(
    teacher: User, given: Iterable[AssignedPuzzle] = (), names: Iterable[str] = ()
) -> list[Choice]:
    """Return the given boards, then those of the teacher's library that have these names.

    A name is `library-` and the puzzle's key; what is no such name is left out.
    """
    given = list(given)
    library_names = (name for name in names if name.startswith("library-"))
    keys = [read_key(name.removeprefix("library-")) for name in library_names]
    library = Puzzle.objects.filter(owner=teacher, pk__in=keys).order_by("pk")
    boards: list[AssignedPuzzle | Puzzle] = [*given, *library]
    counts = known_counts(given), known_counts(library)
    return [
        Choice(_name(board), board, counts[isinstance(board, Puzzle)].get(board.pk), goal=goal)
        for board, goal in zip(boards, goals_of(boards))
    ]


def _name(board: AssignedPuzzle | Puzzle) -> str:
    return f"{'given' if isinstance(board, AssignedPuzzle) else 'library'}-{board.pk}"


class PuzzleChoice:
    """The basket: the puzzles of an assignment, in order.

    The form sends `board` for each in its order, `goal-<name>` for one whose goal can still be
    set, and `listed` in any case: a given board that another window has added meanwhile was not
    on the page, so that it isn't in the basket doesn't mean that it shall go.
    """

    def __init__(
        self, choices: Iterable[Choice], names: Sequence[str], data: QueryDict | None
    ) -> None:
        self.choices = list(choices)
        self.gone: set[str] = set()
        self.fault = ""
        self._names = list(dict.fromkeys(names))
        if data is None:
            return
        listed = set(data.getlist("listed"))
        for choice in self.choices:
            if not choice.is_given or choice.name in listed:
                choice.chosen = choice.name in self._names
                choice.typed_goal = data.get(f"goal-{choice.name}", choice.typed_goal).strip()
        self.gone = set(self._names) - {choice.name for choice in self.choices}

    def take(self, step: str) -> None:
        """Change the basket: `drop:<name>`, `up:<name>`, `down:<name>`, or `easy` to hard."""
        do, _, name = step.partition(":")
        order = [choice.name for choice in self.basket]
        if do == "easy":
            levels = {choice.name: choice.level or 5 for choice in self.basket}
            order.sort(key=lambda each: levels[each])
        elif name in order:
            place = order.index(name)
            order.remove(name)
            if do == "up":
                order.insert(max(place - 1, 0), name)
            elif do == "down":
                order.insert(place + 1, name)
            elif do == "drop":
                next(each for each in self.choices if each.name == name).chosen = False
            else:
                order.insert(place, name)
        self._names = order

    @property
    def basket(self) -> list[Choice]:
        """The chosen boards in their order; those that no order names after them, as given."""
        place = {name: number for number, name in enumerate(self._names)}
        chosen = [choice for choice in self.choices if choice.chosen]
        return sorted(chosen, key=lambda choice: place.get(choice.name, len(place)))

    def is_valid(self) -> bool:
        """Return whether the choice can be taken; the faults stand with the boards."""
        for choice in self.choices:
            choice.fault = _fault(choice) if choice.chosen else ""
        if self.gone:
            self.fault = _("A puzzle you chose is no longer there. Please look again.")
        elif not self.basket:
            self.fault = _("Choose at least one puzzle.")
        elif len(self.basket) > MOST_PUZZLES:
            self.fault = _("An assignment holds at most {most} puzzles.").format(most=MOST_PUZZLES)
        return not self.fault and not any(choice.fault for choice in self.choices)

    @property
    def shadings(self) -> list[str]:
        """What kinds have a shading for, as marked texts; seen while the basket has such a kind."""
        return [kind.shading.title for kind in kinds().values() if kind.shading]

    @property
    def boards(self) -> list[AssignedPuzzle | Puzzle]:
        """The boards to be given, in order."""
        return [choice.to_give() for choice in self.basket]

    @property
    def hopeless(self) -> list[Choice]:
        """Boards to be given of which it is known that they can't be solved."""
        return [choice for choice in self.basket if choice.is_hopeless and not choice.is_given]

    @property
    def time(self) -> Time | None:
        """How long a student is about to take, from earlier tries at these boards."""
        return time_for([choice.board for choice in self.basket])

    @property
    def dropped_with_tries(self) -> list[tuple[str, AssignedPuzzle]]:
        """The given boards, by name, that are to go although students have tried them."""
        dropped = [(choice.name, choice.board) for choice in self.choices if not choice.chosen]
        return [
            (name, board)
            for name, board in dropped
            if isinstance(board, AssignedPuzzle) and board.tries
        ]

    def answer_for_tries(self, data: QueryDict) -> bool:
        """Put the boards back whose tries are to be kept; return whether it was said of all what
        shall become of theirs: `tries-<name>` is `keep` or `delete`."""
        said = {name: data.get(f"tries-{name}") for name, _board in self.dropped_with_tries}
        for choice in self.choices:
            choice.chosen = choice.chosen or said.get(choice.name) == "keep"
        return all(answer in ("keep", "delete") for answer in said.values())


def _fault(choice: Choice) -> str:
    """Return what is wrong with what was typed on a card; empty when it is in order."""
    try:
        choice.to_give()
    except PuzzleError as error:
        return say(error.message)
    return ""
