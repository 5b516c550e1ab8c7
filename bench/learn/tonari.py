"""Tonari Othello: every way to count on the page, run; the sets of 3x3; who flips whom."""

from collections.abc import Iterable
from time import process_time

from puzzleclass.learn.figures import Endings, FlipClass, MethodRun, TonariFigures, TonariSet
from puzzleclass.learn.tonari_methods import LADDER, METHODS, Method, position_text
from solvers.answers import Answer
from solvers.question import finish
from solvers.registry import get_kind
from solvers.tonari.lesson import endings, layers, mirrored, orientations
from solvers.warm import warm

KIND = get_kind("tonari")


def figures() -> TonariFigures:
    """Return all figures of the page, times in seconds of a processor.

    The study's own search in Python takes some minutes.
    """
    warm()
    small, large = (KIND.read(position_text(side)) for side in (3, 4))
    return TonariFigures(
        runs=tuple(run(method, side) for method in METHODS for side in method.sides),
        sets=tuple(
            tuple(TonariSet(one.occupied, one.ways, one.futures, one.after) for one in layer)
            for layer in layers(small)
        ),
        small_classes=tuple(classes(small)),
        classes=tuple(classes(large)),
        endings=tuple(map(ended, LADDER.sides)),
    )


def run(method: Method, side: int) -> MethodRun:
    """Count once by the method."""
    answer, seconds = _ask(method, side)
    assert answer.proven
    looked_at = getattr(answer, "looked_at" if method.question == "study" else "states", None)
    return MethodRun(method.slug, side, int(answer.value), looked_at, float(f"{seconds:.3g}"))


def classes(position) -> Iterable[FlipClass]:
    """Yield who flips whom, the class with the most orders first."""
    for one in orientations(position):
        is_own_mirror = one.arrows == mirrored(one.arrows)
        yield FlipClass(tuple(sorted(one.arrows)), one.orders, is_own_mirror)


def ended(side: int) -> Endings:
    """Return the boards with closed points only; small ones are looked for in a second way, too."""
    answer, _ = _ask(LADDER, side)
    numbers = [int(answer.endings), int(answer.endings_up_to_symmetry)]
    if side <= 4:
        found = endings(KIND.read(position_text(side)))
        assert numbers == [
            len(found),
            len({min(board, transposed(board, side)) for board in found}),
        ]
    return Endings(side, *numbers)


def transposed(board: int, side: int) -> int:
    """Return a set of cells mirrored in the diagonal from the top left."""
    cells = [divmod(at, side) for at in range(side * side) if board >> at & 1]
    return sum(1 << column * side + row for row, column in cells)


def _ask(method: Method, side: int) -> tuple[Answer, float]:
    position = KIND.read(position_text(side))
    began = process_time()
    answer = finish(KIND.questions[method.question].ask(KIND, position, **method.options))
    return answer, process_time() - began
