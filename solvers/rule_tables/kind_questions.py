"""The questions about boards of a table's kind. Their solvers are in `kind_answers`."""

from collections.abc import Mapping

from solvers import defaults, options
from solvers.message import gettext_noop
from solvers.question import Question

_SOLVERS = "solvers.rule_tables.kind_answers"
MAX_GENERATED_SIDE = 10


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
