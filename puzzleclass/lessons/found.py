"""What a class has found at a board, in the views of one page: solutions, groups, the tree of all
cases, the map of the moves, and mistakes."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.cases import MAX_CASES, Cases, all_cases, solutions_among, whole_tree
from puzzleclass.lessons.groups import GROUPS, Grouped, grouped, groups_job
from puzzleclass.lessons.models import Slide
from puzzleclass.lessons.slides import (
    ClassWork,
    Proposal,
    Showable,
    class_work,
    proposals,
    showable_of,
)
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.answers import COUNT, SOLUTIONS, can_ask, job_about
from puzzleclass.puzzles.player import ALL_SOLUTIONS, drawn_after
from puzzleclass.stats.class_results import ClassSolution, class_solutions
from puzzleclass.stats.route_map import MapMove
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture

MAX_TITLES = 2
"""The most features that the title of a solution names."""


def titles_of(puzzle: AssignedPuzzle, lines: Iterable[str]) -> list[list[Message]]:
    """Return for each solution what distinguishes it from the others, by the kind's groupings."""
    ends = [puzzle.after(line) for line in lines]
    groupings = puzzle.kind.groupings.values()
    telling = [each for each in groupings if len({each.key(end) for end in ends}) > 1]
    described = [[each.describe(end) for each in telling[:MAX_TITLES]] for end in ends]
    return [[message for message in each if message] for each in described]


def begun_and_solved(puzzle: AssignedPuzzle) -> dict[str, int]:
    """Return how many students of the class have begun the board, and how many have solved it. One
    query."""
    in_class = puzzle.assignment.classroom.enrolments.order_by().values("student")
    tries = Attempt.objects.filter(puzzle=puzzle, student__in=in_class, next_step__gt=0).order_by()
    return tries.aggregate(
        begun=Count("student", distinct=True),
        solved=Count("student", distinct=True, filter=Q(has_solved=True)),
    )


@dataclass(frozen=True, slots=True)
class Missing:
    """A solution that the class has not found."""

    puzzle: AssignedPuzzle
    line: str

    @property
    def picture(self) -> Picture:
        return drawn_after(self.puzzle, self.line)

    @property
    def showable(self) -> Showable:
        return Showable(Slide.Sort.SOLUTION, self.line)


def missing_solutions(
    puzzle: AssignedPuzzle, cases: Cases, found: Sequence[ClassSolution]
) -> list[Missing]:
    """Return the solutions among the cases that the class has not found, in their order."""
    kind = puzzle.kind
    have = {kind.solution(puzzle.after(each.line)) for each in found}
    return [
        Missing(puzzle, " ".join(case.moves))
        for text, case in solutions_among(cases).items()
        if text not in have
    ]


def showable_solution(solution: ClassSolution) -> Showable:
    """Return a solution of the class as it can be shown."""
    return Showable(Slide.Sort.SOLUTION, solution.line, "", tuple(solution.finders))


def showable_move(taken: MapMove) -> Showable | None:
    """Return the board after a move of the map; None for a placement, whose map has no board."""
    return Showable(Slide.Sort.ATTEMPT, taken.line) if taken.line else None


def have_found_out(user: User, puzzle: AssignedPuzzle, view: str, flags: Collection[str]) -> None:
    """Have everything found out that a view shows with these flags (`scenes.FLAGS`)."""
    wanted: list[tuple[str, dict[str, Any] | None]] = []
    is_drawn = view == "tree" and whole_tree(puzzle.kind_slug, puzzle.position) is not None
    if (view == "tree" and not is_drawn) or (view == "solutions" and "missing" in flags):
        wanted.append((SOLUTIONS, ALL_SOLUTIONS))
    if view == "groups":
        wanted.append((GROUPS, None))
    if view == "solutions" and "total" in flags:
        wanted.append((COUNT, None))
    for question, options in wanted:
        if can_ask(puzzle, question):
            # A class that has too much under way sees that it is not known yet.
            with suppress(PuzzleError, QuotaReached):
                jobs.ask(user, puzzle.kind_slug, question, puzzle.position, options)


class Offers:
    """What can become a slide of a board, read once for each request."""

    def __init__(self, user: User, puzzle: AssignedPuzzle, by: str = "") -> None:
        self.user, self.puzzle, self.by = user, puzzle, by

    @cached_property
    def found(self) -> list[ClassSolution]:
        return class_solutions(self.puzzle)

    @cached_property
    def job(self) -> Job | None:
        """The job that groups the solutions."""
        return groups_job(self.user, self.puzzle)

    @cached_property
    def groups(self) -> Grouped | None:
        return grouped(self.puzzle, self.job, self.by, self.found)

    @cached_property
    def work(self) -> ClassWork:
        return class_work(self.puzzle, self.found)

    @cached_property
    def proposed(self) -> list[Proposal]:
        return proposals(self.work, self.groups)

    @cached_property
    def listing(self) -> Job | None:
        """The job that lists all solutions."""
        return job_about(self.user, self.puzzle, SOLUTIONS, ALL_SOLUTIONS)

    @cached_property
    def cases(self) -> Cases | None:
        """All cases of the board, if they are listed and fit into a tree."""
        return all_cases(self.puzzle, self.listing)

    @cached_property
    def missing(self) -> list[Missing]:
        """The solutions that the class has not found; none as long as they are not listed
        (`cases`)."""
        return missing_solutions(self.puzzle, self.cases or {}, self.found)[:MAX_CASES]

    def with_keys(self, keys: Sequence[str], moves: Iterable[MapMove]) -> list[Showable]:
        """Return what the page offers under these keys, in their order; `moves` are those of its
        map. Unknown keys are left out."""
        offered = [*self.work.mistakes, *self.work.attempts]
        offered += map(showable_solution, self.found)
        offered += [each.showable for each in self.proposed]
        if self.groups:
            offered += [move for each in self.groups.groups if (move := showable_of(each))]
        offered += [each.showable for each in self.missing]
        offered += [move for each in moves if (move := showable_move(each))]
        by_key = {each.key: each for each in offered}
        return [by_key[key] for key in keys if key in by_key]
