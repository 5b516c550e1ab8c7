"""The kinds of puzzles that the reader of a page sees in menus.

A school or a class chooses them (`puzzleclass.kinds`). Where nobody reads, they are those of the
site.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from solvers.registry import AnyKind, kinds

Kinds = Mapping[str, AnyKind]
"""Slug -> kind, in the order of the menu."""

_seen: ContextVar[Callable[[], Kinds]] = ContextVar("seen_kinds", default=kinds)


def seen_kinds() -> Kinds:
    """Return the kinds that the reader of the page being made sees."""
    return _seen.get()()


@contextmanager
def seeing(choice: Callable[[], Kinds]) -> Iterator[None]:
    """Make pages for a reader who sees these kinds. They are asked for when a page needs them."""
    token = _seen.set(choice)
    try:
        yield
    finally:
        _seen.reset(token)
