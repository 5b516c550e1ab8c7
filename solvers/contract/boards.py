"""Test positions of a kind, the moves that can be made on them, and a way to ask about them."""

import copy
import random
from collections.abc import Callable, Hashable, Iterator, Set
from typing import Any

from solvers.kind import IllegalMove
from solvers.picture import Picture, Spot
from solvers.question import Progress, Question, Run, finish
from solvers.registry import AnyKind

LONGEST_LINE = 25
"""The most moves of a random line. It ends the lines of kinds whose moves never run out."""


def random_lines(kind: AnyKind, seed: int, number: int, largest: int) -> Iterator[Any]:
    """Yield the positions along random lines of moves from random starts.

    `number` is the number of starts. `largest` is the largest size passed to `Kind.sample`. Pieces
    that can be taken back or set elsewhere sometimes are.
    """
    rng = random.Random(seed)
    for _ in range(number):
        position = kind.sample(rng, rng.randint(1, largest))
        yield position
        for _ in range(LONGEST_LINE):
            moves = list(kind.moves(position))
            others = list[str]()
            if not moves or rng.random() < 0.15:
                others = sorted(pressed(kind, position) - set(map(kind.write_move, moves)))
            if others:
                try:
                    position = kind.play(position, kind.read_move(rng.choice(others)))
                except IllegalMove:
                    continue
            elif moves:
                position = kind.play(position, rng.choice(moves))
            else:
                break
            yield position


def spots_of(picture: Picture) -> list[Spot]:
    """Return the spots of a picture."""
    return [shape for shape in picture.shapes if isinstance(shape, Spot)]


def tools_of(kind: AnyKind, position: Any) -> set[str]:
    """Return the names of all tools and pieces that can be taken up in a position."""
    if kind.tools is None:
        return set()
    return {*kind.tools.names(position), *kind.tools.movable(position)}


def pictures_of(kind: AnyKind, position: Any) -> list[Picture]:
    """Return every picture of a position: without a tool, and with each tool taken up."""
    drawn = [kind.draw(position)]
    if kind.tools:
        drawn += [kind.tools.draw(position, name) for name in sorted(tools_of(kind, position))]
    return drawn


def pressed(kind: AnyKind, position: Any) -> set[str]:
    """Return the texts of the moves that can be made by pressing or by dragging a piece off."""
    spots = [spot for picture in pictures_of(kind, position) for spot in spots_of(picture)]
    moves = {spot.move for spot in spots} | {spot.back for spot in spots if spot.back}
    return moves - tools_of(kind, position)


def make_ask(kind: AnyKind) -> Callable[..., Any]:
    """Return a function `ask(name, position, reports, **options)` that asks the kind a question.

    It returns the answer about a position or its text. The options are values. The progress
    reports are appended to the list `reports`, if it is given.
    """

    def ask(
        name: str, position: Hashable, reports: list[Progress] | None = None, **options: Any
    ) -> Any:
        asked = kind.read(position) if isinstance(position, str) else position
        run = kind.questions[name].ask(kind, asked, **options)
        return finish(run, None if reports is None else reports.append)

    return ask


def remembering(kind: AnyKind, names: Set[str]) -> AnyKind:
    """Return the kind with questions that are answered only once about each position.

    `review` asks about every stage of a line. Reviews of all stages of a line would otherwise ask
    the same as often as the line is long.
    """
    asked = {
        name: _Remembering(each) if name in names else each for name, each in kind.questions.items()
    }
    result = copy.copy(kind)
    result.questions = asked  # type: ignore[misc,assignment]  # of this kind alone
    return result


class _Remembering:
    """A question that remembers its answers."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._answers: dict[tuple[Hashable, str], Any] = {}

    def ask(self, kind: AnyKind, position: Hashable, **options: Any) -> Run[Any]:
        """Return a run that ends at once if the same was asked before."""
        key = position, repr(options)
        if key not in self._answers:
            self._answers[key] = yield from self._question.ask(kind, position, **options)
        return self._answers[key]
