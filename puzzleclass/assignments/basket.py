"""The basket of an assignment: the boards that the form chooses, their order and their goals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.assignments.services import TimeEstimate, estimate_time
from puzzleclass.forms.merging import THEIRS, Conflict, merged_order
from puzzleclass.http import read_key
from puzzleclass.language.reader import say
from puzzleclass.puzzles.answers import Count, known_counts
from puzzleclass.puzzles.goals import Goal, goals_of, position_to_assign
from puzzleclass.puzzles.models import Puzzle, levels_of
from solvers.kind import PuzzleError
from solvers.registry import kinds

MAX_PUZZLES = 40
"""The most puzzles in an assignment: as many as a class table can show."""

ASSIGNED = "given-"
"""The beginning of the name of a board that is assigned already."""


@dataclass(slots=True)
class Choice:
    """A board on the form: one that is assigned already, or one of the library."""

    name: str
    board: AssignedPuzzle | Puzzle
    count: Count | None
    chosen: bool = True
    goal: Goal | None = None
    """The goal, in kinds with a score. It can be changed until the board is assigned."""
    level: int = 0
    """The difficulty from 1 to 4; 0 while it is not known."""
    typed_goal: str = field(init=False)
    fault: str = ""

    def __post_init__(self) -> None:
        self.typed_goal = self.goal.typed if self.goal else ""

    @property
    def is_assigned(self) -> bool:
        return isinstance(self.board, AssignedPuzzle)

    @property
    def in_library(self) -> str:
        """The name of the puzzle in the library that the board shows; empty if it was deleted."""
        puzzle = self.board.puzzle if isinstance(self.board, AssignedPuzzle) else self.board
        return f"library-{puzzle.pk}" if puzzle else ""

    @property
    def is_hopeless(self) -> bool:
        """Whether the board is known to have no solution."""
        return bool(self.count and self.count.is_hopeless) or self.board.obstacle is not None

    def to_assign(self) -> AssignedPuzzle | Puzzle:
        """Return the board as it will be assigned. Raises PuzzleError for an impossible goal."""
        if self.goal is None or self.is_assigned:
            return self.board
        position = position_to_assign(self.board, self.typed_goal)
        needed = ("pk", "kind_slug", "title")
        return Puzzle(position=position, **{name: getattr(self.board, name) for name in needed})


def choices_for(
    teacher: User, assigned: Iterable[AssignedPuzzle] = (), names: Iterable[str] = ()
) -> list[Choice]:
    """Return the assigned boards, then those of the teacher's library that have these names.

    A name is `library-` and the puzzle's key. Other names are left out.
    """
    assigned = list(assigned)
    library_names = (name for name in names if name.startswith("library-"))
    keys = [read_key(name.removeprefix("library-")) for name in library_names]
    library = Puzzle.every.filter(owner=teacher, pk__in=keys, deleted_at=None).order_by("pk")
    boards: list[AssignedPuzzle | Puzzle] = [*assigned, *library]
    counts = known_counts(assigned), known_counts(library)
    levels = levels_of(assigned)
    return [
        Choice(
            _name(board),
            board,
            counts[isinstance(board, Puzzle)].get(board.pk),
            goal=goal,
            level=board.level if isinstance(board, Puzzle) else levels[board.key],
        )
        for board, goal in zip(boards, goals_of(boards))
    ]


def _name(board: AssignedPuzzle | Puzzle) -> str:
    return f"{ASSIGNED if isinstance(board, AssignedPuzzle) else 'library-'}{board.pk}"


class PuzzleChoice:
    """The basket: the puzzles of an assignment, in order.

    The form sends `board` for each of them, in order, `goal-<name>` for each whose goal can still
    be set, and `listed` for each assigned board in the order in which the page has shown them. What
    another window has added, removed or moved meanwhile is merged (`forms.merging`).
    """

    def __init__(
        self, teacher: User, choices: Iterable[Choice], names: Sequence[str], data: QueryDict | None
    ) -> None:
        self.teacher = teacher
        self.choices = list(choices)
        self.gone: set[str] = set()
        self.fault = ""
        self.conflicts: list[Conflict] = []
        self._is_step = False
        self._names = list(dict.fromkeys(names))
        self._shown: list[str] = []
        if data is None:
            return
        self._shown = [name for name in data.getlist("listed") if name.startswith(ASSIGNED)]
        self._merge(data)
        for choice in self.choices:
            choice.chosen = choice.name in self._names
            choice.typed_goal = data.get(f"goal-{choice.name}", choice.typed_goal).strip()
        self.gone = set(self._names) - {choice.name for choice in self.choices}

    def _merge(self, data: QueryDict) -> None:
        """Take over what another window has done to the assigned boards."""
        assigned = {choice.name: choice for choice in self.choices if choice.is_assigned}
        theirs = list(assigned)
        # A board of the library that both windows have added is assigned already.
        added = {assigned[name].in_library for name in theirs if name not in self._shown}
        mine = [name for name in self._names if name not in added]
        question = Conflict("boards", _("Order of the puzzles"))
        base = self._shown
        if data.get(question.field) == THEIRS:
            base = _in_order_of(mine, base)
        order = merged_order(base, theirs, mine)
        if order is None:
            in_words = [
                " → ".join(assigned[name].board.title for name in side if name in assigned)
                for side in (mine, theirs)
            ]
            self.conflicts.append(replace(question, mine=in_words[0], theirs=in_words[1]))
            order = merged_order(_in_order_of(theirs, base), theirs, mine) or mine
        self._names = order

    @property
    def listed(self) -> list[Choice]:
        """The boards of the page, in the order in which it was shown before its last step."""
        if not self._is_step:
            return self.choices
        place = {name: number for number, name in enumerate(self._shown)}
        return sorted(self.choices, key=lambda choice: place.get(choice.name, len(place)))

    def take(self, step: str) -> None:
        """Change the basket by `drop:<name>`, `up:<name>`, `down:<name>`, or `easy` (easiest
        first)."""
        self._is_step = True
        do, _colon, name = step.partition(":")
        order = [choice.name for choice in self.basket]
        if do == "easy":
            levels = {choice.name: choice.level or 5 for choice in self.basket}
            order.sort(key=lambda each: levels[each])
        elif name in order:
            index = order.index(name)
            order.remove(name)
            if do == "up":
                order.insert(max(index - 1, 0), name)
            elif do == "down":
                order.insert(index + 1, name)
            elif do == "drop":
                next(each for each in self.choices if each.name == name).chosen = False
            else:
                order.insert(index, name)
        self._names = order

    @property
    def basket(self) -> list[Choice]:
        """The chosen boards in the order that was sent, then those that it does not name."""
        order = {name: number for number, name in enumerate(self._names)}
        chosen = [choice for choice in self.choices if choice.chosen]
        return sorted(chosen, key=lambda choice: order.get(choice.name, len(order)))

    def is_valid(self) -> bool:
        """Return whether the basket can be saved; store the fault of each board with it."""
        for choice in self.choices:
            choice.fault = _fault(choice) if choice.chosen else ""
        if self.gone:
            self.fault = _(
                "One of the puzzles you selected has been removed. Please check your selection."
            )
        elif not self.basket:
            self.fault = _("Choose at least one puzzle.")
        elif len(self.basket) > MAX_PUZZLES:
            self.fault = _("An assignment holds at most {most} puzzles.").format(most=MAX_PUZZLES)
        is_faulty = self.fault or any(choice.fault for choice in self.choices)
        return not is_faulty and not self.conflicts

    @property
    def shadings(self) -> list[str]:
        """The titles of all kinds' shadings, marked for translation.

        The page shows them while the basket has a board of such a kind.
        """
        return [kind.shading.title for kind in kinds().values() if kind.shading]

    @property
    def boards(self) -> list[AssignedPuzzle | Puzzle]:
        """The boards to be assigned, in order."""
        return [choice.to_assign() for choice in self.basket]

    @property
    def hopeless(self) -> list[Choice]:
        """The boards of the library that are known to have no solution."""
        return [choice for choice in self.basket if choice.is_hopeless and not choice.is_assigned]

    @property
    def time(self) -> TimeEstimate | None:
        """The time that a student will need, from earlier attempts at these boards."""
        return estimate_time([choice.board for choice in self.basket], self.teacher)

    @property
    def dropped_with_attempts(self) -> list[tuple[str, AssignedPuzzle]]:
        """The assigned boards, by name, that are to be removed in spite of attempts at them."""
        dropped = [(choice.name, choice.board) for choice in self.choices if not choice.chosen]
        return [
            (name, board)
            for name, board in dropped
            if isinstance(board, AssignedPuzzle) and board.attempt_count
        ]

    def decide_on_attempts(self, data: QueryDict) -> bool:
        """Put back the boards whose attempts are to be kept; return whether all were decided on.

        For each removed board with attempts, the form sends `tries-<name>`, `keep` or `delete`.
        """
        answers = {name: data.get(f"tries-{name}") for name, _board in self.dropped_with_attempts}
        for choice in self.choices:
            choice.chosen = choice.chosen or answers.get(choice.name) == "keep"
        return all(answer in ("keep", "delete") for answer in answers.values())


def _in_order_of(side: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names in the order in which one side has them, and then the others."""
    return [*(name for name in side if name in names), *(n for n in names if n not in side)]


def _fault(choice: Choice) -> str:
    """Return the fault in the text typed for a board; empty if there is none."""
    try:
        choice.to_assign()
    except PuzzleError as error:
        return say(error.message)
    return ""
