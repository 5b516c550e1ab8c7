"""A second, slow and plain version of the rules, with which tests compare the solvers."""

from collections.abc import Hashable, Iterator
from functools import cache
from itertools import product
from typing import Any

from solvers.registry import AnyKind, Reference


def completions(kind: AnyKind, position: Any) -> Iterator[Any]:
    """Yield the boards that a Max Strings position can become by adding stones."""
    open_points = sorted({move.cell for move in kind.moves(position)})
    for colours in product(("", "x", "o"), repeat=len(open_points)):
        placed = [
            f"{colour} {row + 1},{column + 1}"
            for colour, (row, column) in zip(colours, open_points)
            if colour
        ]
        yield kind.play_line(position, " ".join(placed))


def count(kind: AnyKind, position: Any) -> int:
    """Return the number of different solutions: of sets of points with stones.

    They are counted among the solved boards with more stones, on which each stone that was set on a
    free point is a string of its own.
    """
    free = {
        (row, column)
        for row, letters in enumerate(position.points)
        for column, letter in enumerate(letters)
        if letter == "." and position.now[row][column] == "."
    }
    boards = set()
    for end in completions(kind, position):
        stands = {
            (row, column): letter
            for row, letters in enumerate(end.now)
            for column, letter in enumerate(letters)
            if letter in "xo"
        }
        is_joined = any(
            stands.get(there) == stands[row, column]
            for row, column in free & stands.keys()
            for there in (
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            )
        )
        if not is_joined and kind.judge(end).solved:
            boards.add(frozenset(stands))
    return len(boards)


@cache
def solve(kind: AnyKind, position: Any) -> int:
    """Return 1 if some board with more stones solves the puzzle, else 0."""
    return int(any(kind.judge(end).solved for end in completions(kind, position)))


@cache
def best(kind: AnyKind, position: Hashable) -> int | None:
    """Return the most strings of a legal board with more stones, or None if there is none.

    Strings are the connected components of a graph here, joined step by step.
    """
    most = None
    for end in completions(kind, position):
        stones = {
            (row, column): letter
            for row, letters in enumerate(end.now)
            for column, letter in enumerate(letters)
        }
        points = {cell for cell, letter in stones.items() if letter != "#"}
        island = {cell: {cell} for cell in points if stones[cell] in "xo"}
        breathing: set[tuple[int, int]] = set()
        for row, column in points:
            for there in ((row, column + 1), (row + 1, column)):
                if there not in points:
                    continue
                pair = (row, column), there
                if stones[pair[0]] == stones[there] != ".":
                    joined = island[pair[0]] | island[there]
                    island.update(dict.fromkeys(joined, joined))
                elif "." in (stones[pair[0]], stones[there]):
                    breathing.update(pair)
        islands = {frozenset(cells) for cells in island.values()}
        pairs = zip(end.points, end.now)
        filled = all(n != "." for s, now in pairs for s, n in zip(s, now) if s == "s")
        if filled and all(cells & breathing for cells in islands):
            most = max(most or 0, len(islands))
    return most


REFERENCES: dict[str, Reference] = {"count": count, "best": best, "solve": solve}
