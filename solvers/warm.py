"""Compiles all kernels, or loads them from numba's cache, so that no user waits for it.

`python -m solvers.warm` at installation, `warm()` when a worker starts.
"""

from solvers.asking import finish, limited
from solvers.registry import examples, kinds


def warm() -> None:
    """Answer every compiled question about every example of every kind, a second each at most."""
    for kind in kinds().values():
        for example in examples(kind):
            position = kind.read(example["position"])
            for question in kind.questions.values():
                if question.is_compiled:
                    finish(limited(question.ask(kind, position), 1.0))


if __name__ == "__main__":
    warm()
