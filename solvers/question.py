"""The questions that a kind answers, their options, and the execution of a run.

A question's solver is a generator. It yields `Progress` at least once a second and returns an
answer. The caller that advances it can therefore show its progress, limit its time and cancel it.
"""

import importlib
import math
import time
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from solvers.answers import Answer, Exact, ShownAnswer
from solvers.message import Message

T = TypeVar("T")
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Progress:
    """A progress report of a running question: `done` of `total` steps."""

    done: int
    total: int
    note: Message | None = None
    at_least: int | None = None
    """A proven lower bound of the answer's value, if one is known so far."""
    found: Answer | None = None
    """The part of the answer that has been found so far, if any."""


PROGRESS_SECONDS = 0.5
"""Seconds between two progress reports of a run that looks at the clock."""


class Clock:
    """A clock that tells when the next progress report is due."""

    def __init__(self) -> None:
        self.next_at = time.monotonic() + PROGRESS_SECONDS

    def is_due(self) -> bool:
        """Return whether a report is due. If it is, the next one is due after
        `PROGRESS_SECONDS`."""
        now = time.monotonic()
        if now < self.next_at:
            return False
        self.next_at = now + PROGRESS_SECONDS
        return True


Run = Generator[Progress, None, T]
"""Work on a question. It yields at least once a second, and `close()` cancels it."""


class Execution(Generic[T]):
    """The execution of a run: iterate over it for the progress reports, then read `result`.

    `result` is what the run returned. It is None until the run has ended, and stays None if the
    time was up before. Leaving the loop early cancels the run.
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
        """Return what is known of an answer of this type after the time was up."""
        bound = None if self._at_least is None else Exact(self._at_least)
        answer_so_far = self._found if isinstance(self._found, answer) else answer()
        return replace(answer_so_far, value=bound, proven=False, limit="time")


def finish(run: Run[T], show: Callable[[Progress], object] | None = None) -> T:
    """Advance a run to its end and return its result. Call `show` with every progress report."""
    execution = Execution(run)
    for progress in execution:
        if show:
            show(progress)
    result: T = execution.result  # type: ignore[assignment]  # without a limit it has ended
    return result


def within(
    run: Run[T], seconds: float, shown: Callable[[Progress], Progress] = lambda progress: progress
) -> Run[T | None]:
    """Relay a run and return its result, or None if `seconds` pass before it ends.

    `shown` turns the run's progress reports into those of the whole work, of which the run may be
    only a part.
    """
    execution = Execution(run, seconds)
    with closing(iter(execution)) as reports:  # type: ignore[type-var]  # it is a generator
        for progress in reports:
            yield shown(progress)
    return execution.result


def relayed(run: Run[T], shown: Callable[[Progress], Progress]) -> Run[T]:
    """Relay a run and return its result. `shown` turns its progress reports into those of the
    whole work."""
    result: T = yield from within(run, math.inf, shown)  # type: ignore[assignment]  # it has ended
    return result


def limited(run: Run[A], seconds: float, answer: type[A]) -> Run[A]:
    """Relay a run for at most `seconds`. Return its answer, or what is known of it by then."""
    execution = Execution(run, seconds)
    yield from execution
    return execution.result if execution.result is not None else execution.cut_short(answer)


class Pair(NamedTuple):
    """How an option is written that consists of two whole numbers."""

    joint: str
    """The text between the numbers."""
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Option:
    """A parameter of a question besides the position. `solvers.options` makes the usual ones."""

    title: str
    default: str
    """The default as text, in the form used on a command line and in a form."""
    read: Callable[[str], Any]
    """The text -> the JSON value that jobs store and solvers receive. Raises BadText."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """The possible values, each with its title, if there are only a few."""
    write: Callable[[Any], str] = str
    """The JSON value -> its text, so that `read(write(value)) == value`."""
    hint: str = ""
    """An explanation of how the option is written or what it means, if that is not obvious."""
    is_folded: bool = False
    """Whether forms fold the option away, because few change it."""
    pair: Pair | None = None
    """The form of an option of two numbers, for which forms have two fields."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that can be asked about a position of a kind.

    The solver is given by name and not imported, so that a process that only needs
    the rules never loads numba.
    """

    title: str
    solver: str
    """`package.module:generator`, called with the kind, a position and the options."""
    answer: type[Answer] = ShownAnswer
    """The type of the answer."""
    queue: Literal["hint", "review", "solve"] = "solve"
    options: Mapping[str, Option] = field(default_factory=dict)
    """The name of an option -> the option. The solver always receives all of them."""
    about: str = ""
    """A sentence about what the answer tells, if the title is not enough."""
    position: str = ""
    """The position that is used when none is chosen. Empty if one must be chosen."""
    position_option: str = ""
    """The name of the option that makes the position matter when its choice is `drawn`. Empty if
    the position always matters."""
    is_compiled: bool = True
    """Whether the solver uses kernels that have to be compiled before somebody asks."""
    check: str = ""
    """`package.module:function` that recognises at once that there is no answer. It is called with
    the position and the options and raises PuzzleError. It does not load numba."""

    for_larger_boards: str = ""
    """The name of the question that takes over for empty boards too large to be read. It receives
    their size as its option `size`."""

    def ask(self, kind: object, position: Hashable, **options: Any) -> Run[Any]:
        """Return a run of the solver that has not started yet.

        Options are values, as `Option.read` returns them.
        """
        run: Run[Any] = _named(self.solver)(kind, position, **self._with_defaults(options))
        return run

    def refuse_impossible(self, position: Hashable, **options: Any) -> None:
        """Raise PuzzleError, with the reason, if it is known at once that there is no answer."""
        if self.check:
            _named(self.check)(position, **self._with_defaults(options))

    def _with_defaults(self, options: Mapping[str, Any]) -> dict[str, Any]:
        defaults = {key: option.read(option.default) for key, option in self.options.items()}
        return defaults | dict(options)


def _named(name: str) -> Callable[..., Any]:
    """Return the function with the name `package.module:function`."""
    module, _, function = name.partition(":")
    result: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return result
