"""The questions that can be asked about a board of a table, and the types of their answers."""

from collections.abc import Mapping

from solvers.answers import Answer, CountAnswer, Exact, SolutionsAnswer
from solvers.message import gettext_noop
from solvers.question import Question
from solvers.solutions import LISTING


class ExplainAnswer(Answer, frozen=True, kw_only=True):
    """Why a board has no solution. The value is the number of its solutions."""

    rules: tuple[int, ...] = ()
    """The numbers, from 1, of rules that contradict each other and `drawn` on this board. None of
    them can be left out: the others have solutions together."""
    drawn: tuple[str, ...] = ()
    """The numbers and symbols of the board that belong to the contradiction, as `Board.place` names
    them: `clues 2,3`, or `cells 1,1` for a given symbol."""
    is_smallest: bool = False
    """Whether no contradiction has fewer rules, numbers and symbols."""
    without: dict[str, Exact] = {}
    """The number of one of these rules, or the place of something drawn -> the number of solutions
    of everything else. Those that were not counted are missing."""


class TrialAnswer(ExplainAnswer, frozen=True, kw_only=True):
    """What there is to say about a board of a table that is being made.

    Without a solution, the fields of `ExplainAnswer` say why. With one, `moves` is a solution.
    """

    other: tuple[str, ...] | None = None
    """The moves of another solution, if there is one."""
    idle: tuple[int, ...] = ()
    """The numbers, from 1, of the rules without which there are no more solutions."""


class ForbiddenAnswer(Answer, frozen=True, kw_only=True):
    """Which symbols can't be on a square."""

    why: dict[str, tuple[int, ...]] = {}
    """A symbol that is there in no solution -> the numbers, from 1, of the rules that forbid it
    together."""


QUESTIONS: Mapping[str, Question] = {
    "solve": Question(
        gettext_noop("Is there a solution?"), "solvers.rule_tables.count:solve", Answer
    ),
    "count": Question(
        gettext_noop("Count all solutions"), "solvers.rule_tables.count:count", CountAnswer
    ),
    "solutions": Question(
        gettext_noop("List the solutions"),
        "solvers.rule_tables.count:solutions",
        SolutionsAnswer,
        options=LISTING,
    ),
    "explain": Question(
        gettext_noop("Find rules that contradict each other"),
        "solvers.rule_tables.contradictions:explain",
        ExplainAnswer,
    ),
}
"""The name of a question -> the question. Its solver is called with a table and a board."""
