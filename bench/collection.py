"""`python -m bench.collection [KIND ...]`: make the kinds' ready collections anew.

Puzzles are made to the orders below, always with the same seeds, counted and rated. Of all that
are no child's play so many are kept, those with one solution first, evenly spread over their
difficulties, that there are `WORLDS` levels of `EACH`. They are written to `collection.toml` in the
kind's folder. Some minutes.
"""

import random
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any, TypeVar

from solvers.question import finish
from solvers.registry import AnyKind, CollectedPuzzle, folder, get_kind

WORLDS, EACH = 10, 12

EASIEST = 0.1
"""Below this difficulty nearly every try succeeds."""

HEAD = """\
# Puzzles of our own making, from easy to hard. Made by `python -m bench.collection {slug}`;
# for what the fields mean see `CollectedPuzzle` in solvers/registry.py.

puzzle = [
"""

Order = tuple[str, dict[str, Any] | None]
"""The position that `generate` is asked about, and its options; without any, the puzzle itself."""


def goishi() -> Iterator[Order]:
    """Boards of every size with one solution; the stones go up to a third of the points."""
    sizes = (
        (4, 7, 9), (5, 7, 8), (5, 9, 12), (6, 9, 11), (6, 12, 15), (7, 12, 15), (7, 16, 19),
        (8, 14, 18), (8, 19, 23), (9, 20, 24), (9, 25, 28), (10, 24, 29), (10, 30, 34),
    )  # fmt: skip
    for side, *stones in sizes:
        yield "o", {"size": [side, side], "stones": stones, "solutions": [1, 1], "many": 20}


def tonari() -> Iterator[Order]:
    """Targets that one order reaches, or few in which the same stones flip the same others; and
    boards to become all black, which many orders reach. One or two start stones."""
    rng = random.Random(1)
    for rows, columns in ((3, 3), (3, 4), (4, 3), (3, 5), (3, 6), (4, 4), (4, 5)):
        cells = range(rows * columns)
        pairs = list(combinations(cells, 2))
        for starts in [*combinations(cells, 1), *rng.sample(pairs, 36)]:
            for orders, classes in (([1, 1], "any"), ([2, 100], "one")):
                options = {"orders": orders, "classes": classes, "many": 2}
                yield _all_black(rows, columns, starts), options
    for rows, columns in ((3, 3), (3, 4), (4, 4), (3, 5), (4, 5), (5, 5), (5, 6)):
        for start in range(rows * columns):
            yield _all_black(rows, columns, [start]), None


def _all_black(rows: int, columns: int, starts: Iterable[int]) -> str:
    board = "".join("B" if cell in starts else "b" for cell in range(rows * columns))
    return "/".join(board[row * columns :][:columns] for row in range(rows))


def maxstrings() -> Iterator[Order]:
    """Boards, some with points taken out, where points that stay empty or bear a stone leave one
    form with the most strings; and such forms that lack their last stones."""
    sizes = ((3, 3), (3, 4), (4, 4), (4, 5), (5, 5), (5, 6), (6, 6), (6, 7), (7, 7), (8, 8), (9, 9))
    for rows, columns in sizes:
        points = rows * columns
        for holes, style in product((0, points // 12), ("empty", "stones", "last")):
            last = points // 4
            yield f"{rows}x{columns}", {"style": style, "holes": holes, "last": last, "many": 5}


def kikazu() -> Iterator[Order]:
    """Boards with pieces of which a few, given, or the squares of all leave one way to place
    them."""
    starts = (
        "3/3/3 RGP", "3/3/3/3 2G2S2NP", "4/4/4 RBGP", "4/4/4/4 2R2B", "4/4/4/4 RBKGSN",
        "4/4/4/4 RBKGSNLP", "4/4/4/4 RBG2N4P", "5/5/5/5/5 RBKGSNLP", "5/5/5/5/5 8K",
        "5/5/5/5/5 2R2B2N5P", "5/5/5/5/5 RBKG2SN2L5P", "5/5/5/5/5/5 K2R2BGS3N2L2P",
        "6/6/6/6/6/6 2RBKGS2N2L6P", "6/6/6/6/6/6 R2BK2GS2N3L7P",
        "7/7/7/7/7/7/7 2R2BK3G3S2N3L8P", "8/8/8/8/8/8/8/8 2R2B2K3G4S2N4L11P",
        "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P",
    )  # fmt: skip
    bands = ("any", "easy", "medium", "hard")
    for start, style, band in product(starts, ("clues", "silhouette"), bands):
        yield start, {"style": style, "band": band, "many": 4}


T = TypeVar("T")

ORDERS = {order.__name__: order for order in (goishi, kikazu, maxstrings, tonari)}


def make(kind: AnyKind) -> list[CollectedPuzzle]:
    """Return the kind's collection, sorted, no two puzzles turned or mirrored into each other."""
    seen: set[str] = set()
    found = []
    for start in _made(kind):
        position = kind.read(start)
        looks = images(start)
        if looks & seen:
            continue
        seen |= looks
        count = finish(kind.questions["count"].ask(kind, position))
        rated = finish(kind.questions["rate"].ask(kind, position))
        difficulty = rated.missing if kind.score else rated.careful_level
        if count.proven and count.value and difficulty and difficulty >= EASIEST:
            found.append((round(difficulty, 2), len(start), start, int(count.value), rated.band))
    found.sort()
    wanted = WORLDS * EACH
    if len(found) < wanted:
        raise AssertionError(f"{kind.slug}: only {len(found)} puzzles")
    unique = [puzzle for puzzle in found if puzzle[3] == 1]
    kept = _spread(unique, wanted)
    kept += _spread([puzzle for puzzle in found if puzzle[3] > 1], wanted - len(kept))
    return [
        CollectedPuzzle(number // EACH + 1, start, solutions, band, difficulty)
        for number, (difficulty, _, start, solutions, band) in enumerate(sorted(kept))
    ]


def _spread(puzzles: list[T], most: int) -> list[T]:
    """Return so many of them, or all, evenly spread."""
    number = min(most, len(puzzles))
    return [puzzles[i * len(puzzles) // number] for i in range(number)]


def _made(kind: AnyKind) -> Iterator[str]:
    """Yield the starts that the orders bring, as text."""
    question = kind.questions["generate"]
    for seed, (start, options) in enumerate(ORDERS[kind.slug]()):
        if options is None:
            yield start
        else:
            answer = finish(question.ask(kind, kind.read(start), **options, seed=seed))
            yield from (board.position for board in answer.boards)


def images(start: str) -> set[str]:
    """Return the text of a start turned and mirrored in all eight ways, empty cells as blanks."""
    board, _, below = start.partition(" ")
    rows = re.sub("[0-9]", lambda digit: " " * int(digit[0]), board).split("/")
    found = set()
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        found |= {f"{'/'.join(rows)} {below}", f"{'/'.join(rows[::-1])} {below}"}
    return found


def main(slugs: list[str]) -> None:
    """Make and write the collections of these kinds, or of all."""
    for slug in slugs or ORDERS:
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
