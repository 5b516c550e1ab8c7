"""The groups of a board's solutions, and which of them the class has found."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.answers import answer_in, job_about
from puzzleclass.puzzles.player import drawn_after
from puzzleclass.puzzles.positions import position_after
from puzzleclass.stats.class_results import ClassSolution, NamedStudent
from solvers.answers import CountedGroup, GroupsAnswer
from solvers.message import Message, gettext_noop
from solvers.picture import Picture
from solvers.registry import kind_or_missing

GROUPS = "groups"
"""The question how the solutions of a board differ."""

BY_MOVE = "move"
"""The name of the grouping by moves, where there are too many solutions to list."""

MOVES_TITLE = gettext_noop("Moves")

MAX_SHOWN = 24
"""The most groups on the page, the largest ones."""

MAX_COMPARED = 1_000
"""The most found solutions that are looked up in the groups, the earliest ones."""


@dataclass(frozen=True, slots=True)
class ClassGroup:
    """A group of solutions, and what the class has found of it."""

    puzzle: AssignedPuzzle
    group: CountedGroup
    described: Message | None
    solutions: list[ClassSolution]
    """The different solutions of the group that the class has found, the first one first."""

    @property
    def finders(self) -> list[NamedStudent]:
        """The students who have found a solution of the group, the first one first."""
        return list(dict.fromkeys(who for each in self.solutions for who in each.finders))

    @property
    def picture(self) -> Picture:
        """The board with one of the solutions, or with the move that the group has in common."""
        if self.group.line:
            return drawn_after(self.puzzle, self.group.line)
        kind = self.puzzle.kind
        cells = kind.cells_of(kind.read_move(self.group.key))
        return self.puzzle.picture.annotated(rings={"changed": cells})


@dataclass(frozen=True, slots=True)
class Grouped:
    """The solutions of a board in groups, grouped in one of several ways."""

    answer: GroupsAnswer
    name: str
    """The name of the grouping."""
    titles: dict[str, str]
    """The name of each grouping that there is -> its title, as a marked text."""
    number: int
    """The number of groups. `groups` may have fewer."""
    groups: list[ClassGroup]
    found: int
    """The number of groups of which the class has found a solution."""

    @property
    def left_out(self) -> int:
        """The number of groups that are not shown."""
        return self.number - len(self.groups)


def groups_job(user: User, puzzle: AssignedPuzzle) -> Job | None:
    """Return the job that groups the solutions; None if the user may not see one."""
    return job_about(user, puzzle, GROUPS)


def grouped(
    puzzle: AssignedPuzzle, job: Job | None, name: str, solutions: Sequence[ClassSolution]
) -> Grouped | None:
    """Return the solutions in groups; None as long as there is no answer.

    A name that is no grouping of the answer stands for the first one that puts solutions together.
    `solutions` are those that the class has found.
    """
    answer = answer_in(job, GroupsAnswer)
    if answer is None:
        return None
    groupings, kind = puzzle.kind.groupings, puzzle.kind
    titles = {each: groupings[each].title for each in answer.groupings if each in groupings}
    if answer.by_move:
        titles = {BY_MOVE: MOVES_TITLE}
    if name not in titles:
        sizes = {each: grouping.number for each, grouping in answer.groupings.items()}
        together = (each for each in titles if sizes.get(each, 0) < (answer.value or 0))
        name = next(together, next(iter(titles), ""))
    by_group: defaultdict[str, list[ClassSolution]] = defaultdict(list)
    for solution in solutions[:MAX_COMPARED]:
        for key in _keys(puzzle.kind_slug, puzzle.position, solution.line, name):
            by_group[key].append(solution)
    counted = answer.by_move
    number = len(counted)
    if name in answer.groupings:
        counted, number = answer.groupings[name].groups, answer.groupings[name].number
    groups = []
    for group in counted[:MAX_SHOWN]:
        described: Message | None
        if name == BY_MOVE:
            described = kind.describe(kind.read_move(group.key))
        else:
            described = groupings[name].describe(puzzle.after(group.line))
        groups.append(ClassGroup(puzzle, group, described, by_group.get(group.key, [])))
    return Grouped(answer, name, titles, number, groups, len(by_group))


@lru_cache(maxsize=8192)
def _keys(kind_slug: str, start: str, line: str, name: str) -> frozenset[str]:
    """Return the keys of the groups to which a found solution belongs."""
    kind = kind_or_missing(kind_slug)
    end = position_after(kind, start, line)
    if name == BY_MOVE:
        return kind.counted_moves(end)
    return frozenset({kind.groupings[name].key(end)}) if name in kind.groupings else frozenset()
