"""The figures about Tonari Othello: a run of each method, the sets of 3x3, who flips whom."""

from collections.abc import Iterable
from time import process_time

from puzzleclass.studies.figures import Endings, FlipClass, MethodRun, TonariFigures, TonariSet
from puzzleclass.studies.tonari_methods import LADDER, METHODS, Method, position_text
from solvers.answers import Answer
from solvers.question import finish
from solvers.registry import get_kind
from solvers.tonari.count import flips
from solvers.tonari.plain import layers
from solvers.warm import warm

KIND = get_kind("tonari")


def figures() -> TonariFigures:
    """Return all figures of the page, with processor times in seconds.

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
    """Count once by the method, and return the run."""
    answer, seconds = _ask(method, side)
    assert answer.proven
    looked_at = getattr(answer, "looked_at" if method.question == "study" else "states", None)
    return MethodRun(method.slug, side, int(answer.value), looked_at, float(f"{seconds:.3g}"))


def classes(position) -> Iterable[FlipClass]:
    """Yield the classes of solutions, start stones included, those with the most orders first."""
    first = [cell for cell in position.cells if position.starts & position.bit(cell)]
    for one in finish(KIND.questions["classes"].ask(KIND, position)).classes:
        arrows = flips(position, [*first, *map(KIND.read_move, one.moves.split())])
        mirrored = {(earlier[::-1], later[::-1]) for earlier, later in arrows}
        yield FlipClass(tuple(sorted(arrows)), int(one.orders), arrows == mirrored)


def ended(side: int) -> Endings:
    """Return the numbers of boards on which only closed points are left."""
    answer, _ = _ask(LADDER, side)
    return Endings(side, int(answer.endings), int(answer.endings_up_to_symmetry))


def _ask(method: Method, side: int) -> tuple[Answer, float]:
    position = KIND.read(position_text(side))
    began = process_time()
    answer = finish(KIND.questions[method.question].ask(KIND, position, **method.options))
    return answer, process_time() - began
