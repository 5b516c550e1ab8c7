"""Compiles all kernels, or loads them from numba's cache, so that no user waits for it.

`python -m solvers.warm` at installation, when every kernel is compiled; `warm()` when a worker
starts, which only loads them.
"""

from solvers.asking import finish, limited
from solvers.registry import AnyKind, examples, kinds

COMPILING_SECONDS = 1.0
LOADING_SECONDS = 0.1


def warm() -> None:
    """Answer every compiled question about the first example of every kind, as far as 0.1 s go."""
    for kind in kinds().values():
        _ask(kind, examples(kind)[0]["position"], LOADING_SECONDS)


def compile_all() -> None:
    """Answer every compiled question about every example of every kind, a second each at most.

    The large examples reach the kernels that small ones do without.
    """
    for kind in kinds().values():
        for example in examples(kind):
            _ask(kind, example["position"], COMPILING_SECONDS)


def _ask(kind: AnyKind, text: str, seconds: float) -> None:
    for question in kind.questions.values():
        if question.is_compiled:
            position = kind.read(question.position or text)
            finish(limited(question.ask(kind, position), seconds))


if __name__ == "__main__":
    compile_all()
