"""The question `reason`: why a board can't be solved, as a smallest set that already shows it.

Each kind says what the elements of its boards are, and asks its solver whether a set of elements
can be met:

    sequence    what the end asks for: a stone to be picked up, a point to get its colour. A set is
                met by a line of moves that meets its elements, whatever becomes of the others
    placement   what the player has set on the board. A set is met by a solution that has it, with
                everything else taken back

If a set can't be met, no larger one can. So an element is needless if the set without it can't be
met either, and one pass over the elements leaves a set that is minimal: each of its elements is
needed (a minimal unsatisfiable set).

Whatever is met leaves other elements out, and a set that can't be met contains one of them, for
every way. So a set that meets each of these complements in as few elements as possible is a lower
bound. It is either met, which makes another complement, or it is a smallest set that can't be met
(Ignatiev, Previti, Liffiton and Marques-Silva, CP 2015).

Sets of elements are integers, with a bit for each element.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from solvers.answers import Exact, Reason, ReasonAnswer
from solvers.grid import write_cell
from solvers.kind import Cell, Kind
from solvers.message import Message, gettext_noop
from solvers.question import Progress, Question, Run, within

SECONDS = 0.7
"""The most seconds for one reason. After that, the set may have needless elements."""

_HITTING_STEPS = 20_000
"""The most steps in which a smallest set of elements is put together, which take 50 ms."""

IMPOSSIBLE = -1
"""The outcome of a set that can't be met."""

P = TypeVar("P")
M = TypeVar("M")

Meet = Callable[[int], Run[int | None]]
"""A set of elements -> a set that contains it and is met, IMPOSSIBLE, or None if undecided."""

REASON = Question(
    gettext_noop("Why can't it be solved?"),
    "",
    ReasonAnswer,
    "review",
    about=gettext_noop(
        "A smallest set of stones, pieces or points that already makes a solution impossible."
    ),
)
"""The question, without the solver that each kind has."""


@dataclass(frozen=True, slots=True)
class ImpossibleSet:
    """A set of elements that can't be met."""

    elements: int
    is_minimal: bool
    """Whether each of the elements is needed."""
    is_smallest: bool
    """Whether it is proven that no smaller set is impossible."""

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the elements."""
        return (n for n in range(self.elements.bit_length()) if self.elements >> n & 1)

    def reason(self, word: str, message: Message, cells: Iterable[Cell]) -> Reason:
        """Return the reason in words, with the cells that it marks."""
        return Reason(
            word=word,
            message=message,
            cells=tuple(map(write_cell, cells)),
            is_minimal=self.is_minimal,
            is_smallest=self.is_smallest,
        )


def start_with(kind: Kind[P, M], position: P, placed: Sequence[M], kept: int) -> P:
    """Return the start of the position with those of the placed moves that the set `kept` has."""
    here = kind.start(position)
    for number, move in enumerate(placed):
        if kept >> number & 1:
            here = kind.play(here, move)
    return here


def impossible_set(number: int, meet: Meet, seconds: float = SECONDS) -> Run[ImpossibleSet | None]:
    """Return a smallest or at least minimal impossible set of some elements.

    Return None if all of them can be met together or if that was not decided.
    """
    everything = (1 << number) - 1
    if (yield from meet(everything)) != IMPOSSIBLE:
        return None
    deadline = time.monotonic() + seconds
    core, is_minimal = everything, True
    missed: list[int] = []
    """The elements that some way leaves out, for each way that was found."""
    for element in range(number - 1, -1, -1):
        smaller = core & ~(1 << element)
        if any(not smaller & left_out for left_out in missed):
            continue
        met = (yield from meet(smaller)) if time.monotonic() < deadline else None
        if met == IMPOSSIBLE:
            core = smaller
        elif met is None:
            is_minimal = False
        else:
            missed.append(everything & ~met)
    while time.monotonic() < deadline:
        least = _hitting_set(missed, core.bit_count() - 1)
        if least is None:
            break
        if least == IMPOSSIBLE:
            return ImpossibleSet(core, is_minimal=True, is_smallest=True)
        met = yield from meet(least)
        if met is None:
            break
        if met == IMPOSSIBLE:
            return ImpossibleSet(least, is_minimal=True, is_smallest=True)
        missed.append(everything & ~met)
    return ImpossibleSet(core, is_minimal=is_minimal, is_smallest=False)


def _hitting_set(missed: Sequence[int], most: int) -> int | None:
    """Return a smallest set with an element of each of these sets, IMPOSSIBLE if it has more than
    `most` elements, or None if that takes too many steps."""
    steps = _HITTING_STEPS
    for size in range(most + 1):
        waiting = [(0, 0)]
        """Elements chosen, and elements that were decided against."""
        while waiting:
            steps -= 1
            if steps < 0:
                return None
            chosen, excluded = waiting.pop()
            unhit = [left_out & ~excluded for left_out in missed if not left_out & chosen]
            if not unhit:
                return chosen
            if chosen.bit_count() == size:
                continue
            options = min(unhit, key=int.bit_count)
            while options:
                element = options & -options
                waiting.append((chosen | element, excluded))
                excluded |= element
                options ^= element
    return IMPOSSIBLE


def reason_of(kind: Kind[Any, Any], position: Any) -> Run[Reason | None]:
    """Return the reason why a position can't be solved, or None if none is found in time."""
    if "reason" not in kind.questions:
        return None
    run: Run[ReasonAnswer] = kind.questions["reason"].ask(kind, position)
    answer = yield from within(run, 2 * SECONDS, lambda _: Progress(0, 1))
    return answer.reason if answer else None


def answer_with(
    found: ImpossibleSet | None, reason: Callable[[ImpossibleSet], Reason]
) -> ReasonAnswer:
    """Return the answer about a set, or the answer that there is no reason or that it is not
    known."""
    if found is None:
        return ReasonAnswer(None, proven=False)
    return ReasonAnswer(
        Exact(found.elements.bit_count()), proven=found.is_smallest, reason=reason(found)
    )
