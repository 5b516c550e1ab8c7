"""Compiles all kernels, or loads them from numba's cache, so that no user waits for it.

`python -m solvers.warm` at installation compiles; `warm()`, where a worker for hints starts, only
loads.
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from solvers.question import finish, within
from solvers.registry import AnyKind, examples, get_kind, kinds

COMPILING_SECONDS = 0.2
LOADING_SECONDS = 0.05


def warm() -> None:
    """Answer every compiled question once for every kind, as far as a moment goes."""
    for kind in kinds().values():
        _answer(kind, 1, LOADING_SECONDS)


def compile_all() -> None:
    """Answer every compiled question about all examples: large ones reach further kernels.

    Kinds are compiled side by side, in processes: numba compiles in one thread.
    """
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        list(pool.map(_compile, kinds()))


def _compile(slug: str) -> None:
    _answer(get_kind(slug), None, COMPILING_SECONDS)


def _answer(kind: AnyKind, most: int | None, seconds: float) -> None:
    texts = [example.position for example in examples(kind)][:most]
    for question in kind.questions.values():
        if question.is_compiled:
            for text in [question.position] if question.position else texts:
                finish(within(question.ask(kind, kind.read(text)), seconds))


if __name__ == "__main__":
    compile_all()
