"""The questions that can be asked about a board of a table, and the types of their answers."""

from collections.abc import Mapping

from solvers.answers import Answer, CountAnswer, Exact, SolutionsAnswer
from solvers.message import gettext_noop
from solvers.question import Question
from solvers.solutions import LISTING


class ExplainAnswer(Answer, frozen=True, kw_only=True):
    """Why a board has no solution. The value is the number of its solutions."""

    rules: tuple[int, ...] = ()
    """The numbers, from 1, of rules that contradict each other on this board. None of them can be
    left out: the others have solutions together."""
    without: dict[str, Exact] = {}
    """The number of one of these rules -> the number of solutions of the whole table without it."""


QUESTIONS: Mapping[str, Question] = {
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
        "solvers.rule_tables.count:explain",
        ExplainAnswer,
    ),
}
"""The name of a question -> the question. Its solver is called with a table and a board."""
