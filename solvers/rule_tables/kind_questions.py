"""The questions about boards of a table's kind. Their solvers are in `kind_answers`."""

from collections.abc import Mapping

from solvers import defaults, options
from solvers.answers import GenerateAnswer
from solvers.grid import read_cell, write_cell
from solvers.message import gettext_noop
from solvers.question import Option, Question
from solvers.rule_tables.questions import ForbiddenAnswer, TrialAnswer

_SOLVERS = "solvers.rule_tables.kind_answers"
MAX_GENERATED_SIDE = 10
"""The most rows of a board that is generated, also of kinds with larger boards. Of 30 random boards
of 14 rows for Light Up, none had one solution, with a number on every wall."""
_CELL = Option(gettext_noop("Square"), "1,1", lambda text: write_cell(read_cell(text)))
_SEED = {"seed": options.seed()}


def questions(position: str, largest: int) -> Mapping[str, Question]:
    """Return the questions of a kind.

    `position` is a start that is used where the position does not matter, and `largest` the most
    rows of a board that is generated.
    """
    usual = defaults.questions(f"{_SOLVERS}:count", position=position)
    return usual | {
        "solve": defaults.usual("solve", f"{_SOLVERS}:solve"),
        "rate": defaults.usual("rate", f"{_SOLVERS}:rate"),
        "hint": defaults.usual("hint", f"{_SOLVERS}:hint"),
        "solutions": defaults.usual("solutions", f"{_SOLVERS}:solutions"),
        "generate": generating(position, min(largest, MAX_GENERATED_SIDE)),
        "trial": Question(
            gettext_noop("What do the rules do on this board?"),
            "solvers.rule_tables.trial:trial",
            TrialAnswer,
            "hint",
        ),
        "forbidden": Question(
            gettext_noop("Which rules forbid a symbol on a square?"),
            "solvers.rule_tables.trial:forbidden",
            ForbiddenAnswer,
            "hint",
            {"cell": _CELL},
        ),
        "redraw": Question(
            gettext_noop("Another board of this size"),
            "solvers.rule_tables.generate:redraw",
            GenerateAnswer,
            "hint",
            _SEED,
        ),
        "complete": Question(
            gettext_noop("Add numbers and symbols until one solution is left"),
            "solvers.rule_tables.generate:complete",
            GenerateAnswer,
            "hint",
            _SEED,
        ),
    }


def generating(position: str, most: int) -> Question:
    """Return the question that makes boards of at most `most` rows."""
    return defaults.usual(
        "generate",
        "solvers.rule_tables.generate:generate",
        position=position,
        options={
            "size": options.whole(gettext_noop("Rows and columns"), min(6, most), 1, most),
            "difficulty": options.difficulty(""),
            "many": options.many(),
            "seed": options.seed(),
        },
    )
