"""Questions to a kind: what they are given, how they are asked, and how a run is driven.

A question's solver is a generator: it yields `Progress` at least once a second and returns an
answer, so that whoever drives it can show how far it is, limit it and cancel it.
"""

import importlib
import math
import time
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from msgspec.structs import replace

from solvers.answers import Answer, Exact, ShownAnswer
from solvers.message import Message

if TYPE_CHECKING:
    from solvers.kind import Kind

T = TypeVar("T")
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Progress:
    """A sign of life of a running question: `done` of `total` steps."""

    done: int
    total: int
    note: Message | None = None
    at_least: int | None = None
    """A proven lower bound of the answer's value so far."""
    found: Answer | None = None
    """What has been found so far, as the answer will have it."""


SIGN_EVERY = 0.5
"""Seconds between two signs of life of a run that looks at the clock."""


class Clock:
    """Tells when the next sign of life is due."""

    def __init__(self) -> None:
        self.next_at = time.monotonic() + SIGN_EVERY

    def is_due(self) -> bool:
        """Return whether it is, and take it for given."""
        now = time.monotonic()
        if now < self.next_at:
            return False
        self.next_at = now + SIGN_EVERY
        return True


Run = Generator[Progress, None, T]
"""Work on a question. Yields at least once a second; `close()` cancels it."""


class Driving(Generic[T]):
    """Drives a run: iterate over it for the signs of life, then `result` is what it returned.

    `result` is None as long as it has not ended, and for good when the time was up before. A
    loop that is left early cancels the run.
    """

    def __init__(self, run: Run[T], seconds: float = math.inf) -> None:
        self._run = run
        self._seconds = seconds
        self._at_least: int | None = None
        self._found: Answer | None = None
        self.has_ended = False
        self.result: T | None = None

    def __iter__(self) -> Iterator[Progress]:
        deadline = time.monotonic() + self._seconds
        with closing(self._run):
            while time.monotonic() < deadline:
                try:
                    progress = next(self._run)
                except StopIteration as end:
                    self.has_ended, self.result = True, end.value
                    return
                if progress.at_least is not None:
                    self._at_least = progress.at_least
                self._found = progress.found or self._found
                yield progress

    def cut_short(self, answer: type[A]) -> A:
        """Return what is known of an answer of this type when the time was up before the end."""
        bound = None if self._at_least is None else Exact(self._at_least)
        found = self._found if isinstance(self._found, answer) else answer()
        return replace(found, value=bound, proven=False, limit="time")


def finish(run: Run[T], show: Callable[[Progress], object] | None = None) -> T:
    """Return what the run returns; `show` is called with every sign of life."""
    driving = Driving(run)
    for progress in driving:
        if show:
            show(progress)
    result: T = driving.result  # type: ignore[assignment]  # without a limit it has ended
    return result


def within(
    run: Run[T], seconds: float, shown: Callable[[Progress], Progress] = lambda progress: progress
) -> Run[T | None]:
    """Pass a run on and return what it returns, or None when the time is up before that.

    `shown` turns its signs of life, which may be about a part only, into those of the whole.
    """
    driving = Driving(run, seconds)
    with closing(iter(driving)) as signs:  # type: ignore[type-var]  # it is a generator
        for progress in signs:
            yield shown(progress)
    return driving.result


def relayed(run: Run[T], shown: Callable[[Progress], Progress]) -> Run[T]:
    """Pass a run on; `shown` turns its signs of life into those of the whole."""
    result: T = yield from within(run, math.inf, shown)  # type: ignore[assignment]  # it has ended
    return result


def limited(run: Run[A], seconds: float, answer: type[A]) -> Run[A]:
    """Pass a run on until the time is up; then return what is known of the answer till then."""
    driving = Driving(run, seconds)
    yield from driving
    return driving.result if driving.result is not None else driving.cut_short(answer)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that a question is given besides the position. `solvers.options` makes them."""

    title: str
    default: str
    """As text, like everything that is written on a command line or in a form."""
    read: Callable[[str], Any]
    """Text -> the JSON value that jobs store and solvers are given. Raises BadText."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Where only a few values are possible: each with its title."""
    write: Callable[[Any], str] = str
    """The value as text again: `read(write(value)) == value`."""
    hint: str = ""
    """How it is written, or what it means, where that is not plain."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something a kind can be asked about a position.

    The solver is named, not imported, so that a process which only needs the
    rules never loads numba.
    """

    title: str
    solver: str
    """`package.module:generator`, called with the kind, a position and the options."""
    answer: type[Answer] = ShownAnswer
    """What it is answered with."""
    queue: Literal["hint", "review", "solve"] = "solve"
    options: Mapping[str, Option] = field(default_factory=dict)
    """Name -> what it may be given; the solver is always given all of them."""
    about: str = ""
    """A sentence on what the answer tells, where the title does not say it all."""
    position: str = ""
    """The position it is asked about when none is given; empty where one must be."""
    drawn_by: str = ""
    """The option whose choice `drawn` makes the position matter; empty where it always does."""
    is_compiled: bool = True
    """Whether there are kernels to be compiled before somebody asks."""
    check: str = ""
    """`package.module:function` that knows at once what can't be: called with the position and
    the options, it raises PuzzleError. It loads no numba."""

    beyond: str = ""
    """The question that answers this one for empty boards too large to be read: it is given their
    size as its option `size`."""

    def ask(self, kind: "Kind[Any, Any]", position: Hashable, **options: Any) -> Run[Any]:
        """Start the solver and return it as a run that has done nothing yet.

        Options are given as values, as `Option.read` returns them.
        """
        run: Run[Any] = _named(self.solver)(kind, position, **self._given(options))
        return run

    def refuse_impossible(self, position: Hashable, **options: Any) -> None:
        """Raise PuzzleError, with the reason, where it is known at once that there is no answer."""
        if self.check:
            _named(self.check)(position, **self._given(options))

    def _given(self, options: Mapping[str, Any]) -> dict[str, Any]:
        defaults = {key: option.read(option.default) for key, option in self.options.items()}
        return defaults | dict(options)


def _named(name: str) -> Callable[..., Any]:
    """Return the function of a name `package.module:function`."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
