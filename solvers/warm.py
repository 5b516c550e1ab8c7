"""Compiles all kernels, or loads them from numba's cache, so that no user waits for it.

`python -m solvers.warm` at installation compiles; `warm()` at a worker's start only loads.
"""

from solvers.question import finish, within
from solvers.registry import examples, kinds

COMPILING_SECONDS = 1.0
LOADING_SECONDS = 0.05


def warm() -> None:
    """Answer every compiled question once for every kind, as far as a moment goes."""
    _answer(1, LOADING_SECONDS)


def compile_all() -> None:
    """Answer every compiled question about all examples: large ones reach further kernels."""
    _answer(None, COMPILING_SECONDS)


def _answer(most: int | None, seconds: float) -> None:
    for kind in kinds().values():
        texts = [example.position for example in examples(kind)][:most]
        for question in kind.questions.values():
            if question.is_compiled:
                for text in [question.position] if question.position else texts:
                    finish(within(question.ask(kind, kind.read(text)), seconds))


if __name__ == "__main__":
    compile_all()
