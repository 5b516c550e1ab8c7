"""`python -m bench.collection [KIND ...]`: make the kinds' ready collections anew.

Puzzles are generated from the orders below, always with the same seeds, then counted and rated.
Those that are too easy are dropped. Of the others, enough for `WORLDS` levels of `EACH` puzzles are
kept, evenly spread over their difficulties, those with one solution first. They are written to
`collection.toml` in the kind's folder. This takes some minutes.
"""

import random
import sys
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, TypeVar

from solvers.question import finish
from solvers.registry import AnyKind, CollectedPuzzle, folder, get_kind, orders

WORLDS, EACH = 10, 12

EASIEST = 0.1
"""The least difficulty that is kept. Below it, nearly every attempt succeeds."""

HEAD = """\
# Puzzles of our own making, from easy to hard. Made by `python -m bench.collection {slug}`;
# for what the fields mean see `CollectedPuzzle` in solvers/registry.py.

puzzle = [
"""

Order = tuple[str, dict[str, Any] | None]
"""A position that `generate` is asked about and its options; with None, the puzzle itself."""


def tonari() -> Iterator[Order]:
    """Yield orders for boards with one or two start stones.

    The targets are reached by one order, or by few orders in which the same stones flip the same
    others. Boards that are to become all black, which many orders reach, come last.
    """
    rng = random.Random(1)
    for rows, columns in ((3, 3), (3, 4), (4, 3), (3, 5), (3, 6), (4, 4), (4, 5)):
        cells = range(rows * columns)
        pairs = list(combinations(cells, 2))
        for starts in [*combinations(cells, 1), *rng.sample(pairs, 36)]:
            for few, classes in (([1, 1], "any"), ([2, 100], "one")):
                options = {"orders": few, "classes": classes, "many": 2}
                yield _all_black(rows, columns, starts), options
    for rows, columns in ((3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5), (5, 6)):
        for start in range(rows * columns):
            yield _all_black(rows, columns, [start]), None


def _all_black(rows: int, columns: int, starts: Iterable[int]) -> str:
    board = "".join("B" if cell in starts else "b" for cell in range(rows * columns))
    return "/".join(board[row * columns :][:columns] for row in range(rows))


T = TypeVar("T")

KINDS = ("goishi", "kikazu", "maxstrings", "tonari")


def ordered(kind: AnyKind) -> Iterator[Order]:
    """Yield the kind's own orders, but for Tonari Othello the more varied ones of `tonari`."""
    if kind.slug == "tonari":
        return tonari()
    return ((order.position, dict(order.options)) for order in orders(kind))


def make(kind: AnyKind) -> list[CollectedPuzzle]:
    """Return the kind's collection, sorted, in which no two puzzles have one `Kind.canonical`."""
    seen: set[str] = set()
    puzzles = []
    for start in _made(kind):
        position = kind.read(start)
        if (canonical := kind.canonical(position)) in seen:
            continue
        seen.add(canonical)
        count = finish(kind.questions["count"].ask(kind, position))
        rated = finish(kind.questions["rate"].ask(kind, position))
        difficulty = rated.missing if kind.score else rated.careful_level
        if count.proven and count.value and difficulty and difficulty >= EASIEST:
            puzzles.append((round(difficulty, 2), len(start), start, int(count.value), rated.band))
    puzzles.sort()
    wanted = WORLDS * EACH
    if len(puzzles) < wanted:
        raise AssertionError(f"{kind.slug}: only {len(puzzles)} puzzles")
    unique = [puzzle for puzzle in puzzles if puzzle[3] == 1]
    spread = _spread(unique, wanted)
    spread += _spread([puzzle for puzzle in puzzles if puzzle[3] > 1], wanted - len(spread))
    return [
        CollectedPuzzle(number // EACH + 1, start, solutions, band, difficulty)
        for number, (difficulty, _, start, solutions, band) in enumerate(sorted(spread))
    ]


def _spread(puzzles: list[T], most: int) -> list[T]:
    """Return at most `most` of the puzzles, evenly spread."""
    number = min(most, len(puzzles))
    return [puzzles[i * len(puzzles) // number] for i in range(number)]


def _made(kind: AnyKind) -> Iterator[str]:
    """Yield the starts that the orders produce, as text."""
    question = kind.questions["generate"]
    for seed, (start, options) in enumerate(ordered(kind)):
        if options is None:
            yield start
        else:
            answer = finish(question.ask(kind, kind.read(start), **options, seed=seed))
            yield from (board.position for board in answer.boards)


def main(slugs: list[str]) -> None:
    """Make and write the collections of these kinds, or of all."""
    for slug in slugs or KINDS:
        kind = get_kind(slug)
        lines = [
            f'    {{ level = {puzzle.level}, position = "{puzzle.position}", '
            f'solutions = {puzzle.solutions}, band = "{puzzle.band}", '
            f"difficulty = {puzzle.difficulty} }},\n"
            for puzzle in make(kind)
        ]
        path = folder(kind) / "collection.toml"
        path.write_text(HEAD.format(slug=slug) + "".join(lines) + "]\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
