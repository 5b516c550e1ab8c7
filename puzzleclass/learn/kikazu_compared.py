"""What the study of the non-attacking pieces prints, beside ours."""

from math import factorial, prod

from puzzleclass.learn.compared import ComparedFigure
from puzzleclass.learn.figures import KikazuFigures, duration_in_words
from puzzleclass.learn.study_figures import StudyFigures
from solvers.kikazu.rules import EMPTY
from solvers.message import Message, gettext_noop

SIDE = 9
WHOLE = {"R": 2, "B": 2, "K": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}


def compared_figures(known: KikazuFigures, others: StudyFigures) -> list[ComparedFigure]:
    """Return the study's figures beside ours, in its order."""
    squares, pieces = SIDE**2, sum(WHOLE.values())
    ways = factorial(squares) // (
        prod(map(factorial, WHOLE.values())) * factorial(squares - pieces)
    )
    about = f"{ways:.2e}".replace("e+", " × 10^")
    fixed = len(known.fixed) - known.fixed.count(EMPTY)
    small = fixed - sum(known.fixed.count(piece) for piece in "RB")
    far = {"".join(sign if sign in "RB" else EMPTY for sign in s.board) for s in known.complete}
    more = known.fixed_without_lances.count("P") - known.fixed.count("P")
    ratios = [each.ratio for each in others.piece_orders]
    return [
        ComparedFigure(gettext_noop("Ways to put the 40 pieces anywhere"), "10^49", about, True),
        ComparedFigure(
            gettext_noop("Squares that one rook or bishop takes from the others"),
            "16",
            "16 / 8–16",
            False,
            gettext_noop("True for a rook. A bishop attacks 16 only from the middle square."),
        ),
        *(
            ComparedFigure(what, f"{study}", f"{ours}", study == ours)
            for what, study, ours in (
                (gettext_noop("Squares left after one rook"), 64, squares - 1 - 2 * (SIDE - 1)),
                (gettext_noop("Empty squares when all 40 pieces stand"), 41, squares - pieces),
            )
        ),
        ComparedFigure(
            gettext_noop("Ways to put 2 pawns on 4 squares of a column"),
            "4",
            "6",
            False,
            gettext_noop("The text says 4, its list has 5; there are 6. See the drawing below."),
        ),
        ComparedFigure(
            gettext_noop("Squares left after two rooks and two bishops"), "27–45", "27–45", True
        ),
        *(
            ComparedFigure(what, f"{study:,}", f"{ours:,}", study == ours)
            for what, study, ours in (
                (gettext_noop("Boards with pawns for the lances"), 2520, known.without_lances),
                (gettext_noop("Boards with the whole set"), 1860, len(known.solutions)),
                (gettext_noop("Ways to place the rooks and bishops on them"), 1, len(far)),
                (gettext_noop("Pieces that never move, rooks and bishops aside"), 19, small),
                (gettext_noop("More of them without lances"), 1, more),
                (
                    gettext_noop("Skeletons of rooks, bishops, knights and 32 pawns"),
                    13,
                    len(known.skeletons),
                ),
            )
        ),
        ComparedFigure(
            gettext_noop("How many times faster it is to place knights and lances after the pawns"),
            "2–3",
            f"{min(ratios):.1f}–{max(ratios):.0f}",
            None,
            Message(
                "The study gives this figure for the whole set and does not say how it was "
                "measured. We ran its search on {n} smaller boards and counted the boards "
                "that the search looks at. The answer depends on the set.",
                {"n": len(ratios)},
            ),
        ),
        ComparedFigure(
            gettext_noop("Time for the skeletons"),
            gettext_noop("30 minutes"),
            duration_in_words(others.skeleton_seconds),
            None,
            gettext_noop("The study on a Core i7 860; ours in plain Python."),
        ),
        ComparedFigure(
            gettext_noop("40 as the maximum number of pieces"),
            gettext_noop("tried on some boards"),
            gettext_noop("proven"),
            None,
            gettext_noop("The proof is further up on this page."),
        ),
        ComparedFigure(
            gettext_noop("Hours of computing"),
            "50",
            f"{known.seconds / 3600:.4f}",
            None,
            gettext_noop(
                "The study guessed 2 to 3 hours for the way by skeletons, and did not try it."
            ),
        ),
    ]
