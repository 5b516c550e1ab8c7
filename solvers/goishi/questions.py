"""What can be asked about a Goishi Hiroi board, and what each question may be told."""

from solvers import options
from solvers.goishi.formats import read_board
from solvers.goishi.limits import LARGEST
from solvers.goishi.shapes import LOOKS, SHAPES, canonical
from solvers.hint import LEVEL
from solvers.kind import Option, Question
from solvers.message import gettext_noop


def read_known(text: str) -> list[str]:
    """Return the canonical texts of boards in rows, with spaces between. Raises BadText."""
    return sorted({canonical(read_board(board)) for board in text.split()})


QUESTIONS = {
    "count": Question(
        gettext_noop("How many solutions?"),
        "solvers.goishi.count:count",
        split="solvers.goishi.split",
    ),
    "solve": Question(gettext_noop("Is there a solution?"), "solvers.goishi.solve:solve"),
    "solutions": Question(
        gettext_noop("Which solutions are there?"),
        "solvers.goishi.solutions:solutions",
        options={
            "first": options.whole(gettext_noop("From number"), 1, 1, 10_000),
            "limit": options.whole(gettext_noop("How many at once"), 100, 1, 10_000),
        },
    ),
    "estimate": Question(
        gettext_noop("About how many solutions?"), "solvers.goishi.estimate:estimate"
    ),
    "rate": Question(gettext_noop("How difficult is it?"), "solvers.goishi.rate:rate"),
    "generate": Question(
        gettext_noop("Make new boards"),
        "solvers.goishi.generate:generate",
        check="solvers.goishi.order:order_for",
        options={
            "stones": options.span(gettext_noop("Number of stones"), "8..12", 1, 60),
            "size": options.size(gettext_noop("Size of the board"), "6x6", LARGEST),
            "shape": options.choice(gettext_noop("Shape"), SHAPES),
            "solutions": options.span(gettext_noop("Number of solutions"), "1..20", 1, 10**9),
            "band": options.span(gettext_noop("Difficulty, from 1 to 4"), "1..4", 1, 4),
            "look": options.choice(gettext_noop("Symmetry"), LOOKS),
            "many": options.whole(gettext_noop("How many boards"), 1, 1, 100),
            "seed": options.whole(gettext_noop("Seed: the same makes the same"), 1, 0, 10**9),
            "known": Option(
                gettext_noop("Boards that are there already"), "", read_known, write="\n".join
            ),
        },
        position="o",
        drawn_by="shape",
    ),
    "repair": Question(
        gettext_noop("How can it be made solvable?"), "solvers.goishi.repair:repair"
    ),
    "survey": Question(
        gettext_noop("What are random boards like?"),
        "solvers.goishi.survey:survey",
        check="solvers.goishi.order:refuse_survey",
        options={
            "size": options.size(gettext_noop("Size of the board"), "5x5", LARGEST),
            "stones": options.span(gettext_noop("Number of stones"), "4..14", 1, 60),
            "boards": options.whole(
                gettext_noop("Random boards for each number of stones"), 200, 10, 2000
            ),
            "seed": options.whole(gettext_noop("Seed: the same makes the same"), 1, 0, 10**9),
        },
        position="o",
    ),
    "hint": Question(
        gettext_noop("Give a hint"), "solvers.goishi.hint:hint", "hint", options=LEVEL
    ),
    "review": Question(
        gettext_noop("Where was the last solution lost?"), "solvers.review:review", "hint"
    ),
}
