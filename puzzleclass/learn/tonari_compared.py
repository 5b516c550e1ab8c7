"""What the study of Tonari Othello prints besides the times of its search."""

from math import floor, log10

from puzzleclass.learn.compared import ComparedFigure
from puzzleclass.learn.figures import TonariFigures
from puzzleclass.learn.study_figures import LeftOut, StudyFigures
from puzzleclass.learn.tonari_methods import COMPILED, ORDERS
from solvers.message import Message, gettext_noop

SHARES = {3: "3.29%", 4: "0.03%"}
"""Side -> the share of all orders that end all black, as printed."""
LEFT_OUT = range(4, 7)
"""Points that the study's solutions on 4x4 leave out, as printed."""
FIRST_CLOSED = 4
"""The fewest stones with a closed point on 4x4, as printed."""


def compared_figures(figures: TonariFigures, others: StudyFigures) -> list[ComparedFigure]:
    """Return the study's figures beside ours."""
    found = {(run.method, run.side): run.count for run in figures.runs}
    small = next(each for each in others.left_out if each.side == 4)
    rows = []
    for side in ORDERS.sides:
        black, all_orders = (found[method.slug, side] for method in (COMPILED, ORDERS))
        percent = 100 * black / all_orders
        ours = f"{_written_out(percent)}%"
        study = SHARES.get(side)
        note = Message("{black} of {all} orders", {"black": f"{black:,}", "all": f"{all_orders:,}"})
        rows.append(
            ComparedFigure(
                Message("Orders on {n} × {n} that end all black", {"n": side}),
                study or "–",
                ours,
                None if study is None else float(study.rstrip("%")) == round(percent, 2),
                note,
            )
        )
    least, most = small.boards[0][0], small.boards[-1][0]
    return [
        *rows,
        ComparedFigure(
            gettext_noop("Closed points that can be left out at the end, on 4 × 4"),
            f"{LEFT_OUT[0]}–{LEFT_OUT[-1]}",
            f"{least}–{most}",
            (least, most) == (LEFT_OUT[0], LEFT_OUT[-1]),
            _others(others.left_out),
        ),
        ComparedFigure(
            gettext_noop("Stones on the board when a point is first closed, on 4 × 4"),
            str(FIRST_CLOSED),
            str(small.first_closed),
            small.first_closed == FIRST_CLOSED,
            gettext_noop("At the earliest, and on a way that can still end all black."),
        ),
    ]


def _others(left_out: tuple[LeftOut, ...]) -> Message:
    """Return what is left out on the other boards."""
    small, large = (next(each.boards for each in left_out if each.side == n) for n in (3, 5))
    return Message(
        "True of all twelve endings, not only of the ten that are printed. On 3 × 3 it is {a} to "
        "{b}, on 5 × 5 {c} to {d}.",
        {"a": small[0][0], "b": small[-1][0], "c": large[0][0], "d": large[-1][0]},
    )


def _written_out(percent: float) -> str:
    """Return a percentage below 10 with three digits that count, without a power of ten."""
    leading = -floor(log10(percent))
    return f"{percent:.{leading + 2}f}"
