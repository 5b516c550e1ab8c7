"""Compiles all kernels, or loads them from numba's cache, so that no user waits for it.

`python -m solvers.warm` at installation, `warm()` when a worker starts.
"""

from solvers.asking import finish, limited
from solvers.registry import examples, kinds


def warm(seconds: float = 1.0) -> None:
    """Answer every compiled question about every example of every kind, `seconds` each at most.

    A question that needs no position is answered once.
    """
    for kind in kinds().values():
        texts = [example["position"] for example in examples(kind)]
        for question in kind.questions.values():
            if not question.is_compiled:
                continue
            for text in [question.position] if question.position else texts:
                finish(limited(question.ask(kind, kind.read(text)), seconds))


if __name__ == "__main__":
    warm()
