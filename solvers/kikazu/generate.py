"""The question `generate`: puzzles to order, for the board and the pieces of a position."""

import random
from collections.abc import Generator
from typing import Any

from solvers.kikazu.most import most, with_hand
from solvers.kikazu.placements import moves, placements
from solvers.kikazu.rate import rate
from solvers.kikazu.rules import BARRED, EMPTY, PIECES, Move, Position, mirrored
from solvers.kikazu.search import Race, problem
from solvers.kikazu.wish import ANY, Wish
from solvers.kind import Answer, Kind, Progress, Run
from solvers.message import Message

TRIES = 40
"""Attempts for each puzzle wanted."""

KNOWN = 2_000
"""Leaves of a search among which the solution of a new puzzle is drawn."""

SECONDS = 5.0
"""For one search or count. What takes longer is no puzzle for a class."""


Puzzle = tuple[Position, dict[str, object]]
"""A start, and its entry in the answer."""


def generate(
    kind: Kind[Position, Move],
    position: Position,
    *,
    many: int = 1,
    seed: int = 0,
    **wish: Any,
) -> Run:
    """Ask for new puzzles with the position's board and pieces; `wish`: see `Wish`.

    Unless a number of clues or a difficulty is asked for that takes more, no clue can be left
    out: without any of them there would be more solutions than wanted. The value is the number
    found. details: `boards`, each with `position`, `solutions` and `clues`, and with
    `careful_level` and `band` when a band is wanted. None is a mirror image of another. The
    same seed gives the same puzzles. Not proven when fewer than `many` were found in `TRIES`
    attempts for each, with a `note` when that was clear at once. Raises PuzzleError for a wish
    that makes no sense.
    """
    wanted = Wish(**wish)
    wanted.check(position)
    base = Position(position.rows, position.columns, position.board, position.hand)
    if wanted.style == "maximum":
        best = yield from most(kind, base, piece=wanted.piece, seconds=SECONDS)
        if not best.value or not best.proven:
            note = Message("It is not known how many pieces fit on this board.")
            return Answer(0, proven=False, details={"boards": [], "note": note.to_json()})
        base = with_hand(base, wanted.piece, best.value)
    rng = random.Random(seed)
    maker = _Maker(kind, base, wanted, rng)
    known = yield from maker.draw()
    if not known:
        note = Message("These pieces don't fit on this board, or no way was found in time.")
        return Answer(0, proven=False, details={"boards": [], "note": note.to_json()})
    puzzles: list[dict[str, object]] = []
    seen: set[str] = set()
    for _ in range(TRIES * many):
        if len(puzzles) == many:
            break
        found = yield from maker.attempt(rng.choice(known))
        if found:
            looks = {found[0].given, mirrored(found[0])}
            if not looks & seen:
                seen |= looks
                puzzles.append(found[1])
        note = Message("Puzzles found: {found} of {many}.", {"found": len(puzzles), "many": many})
        yield Progress(len(puzzles), many, note, details={"boards": list(puzzles)})
    return Answer(len(puzzles), proven=len(puzzles) == many, details={"boards": puzzles})


class _Maker:
    """Makes one puzzle after the other out of solutions of one start."""

    def __init__(
        self, kind: Kind[Position, Move], base: Position, wanted: Wish, rng: random.Random
    ) -> None:
        self._kind = kind
        self._base = base
        self._wanted = wanted
        self._least, self._most = wanted.solutions
        self._rng = rng

    def draw(self) -> Generator[Progress, None, list[list[Move]]]:
        """Return some solutions of the start, at random as far as the search allows it."""
        asked = problem(self._base)
        if asked is None:
            return []
        race = Race(asked, keep=KNOWN)
        while not race.leader.finished and race.leader.kept < KNOWN and race.seconds < SECONDS:
            yield race.step()
        lines = []
        for leaf in race.leader.leaves():
            several = [placement for placement, _ in zip(placements(asked, leaf), range(200))]
            chosen = self._rng.sample(several, min(len(several), 20))
            lines += [[self._kind.read_move(text) for text in moves(asked, way)] for way in chosen]
        return lines

    def attempt(self, solution: list[Move]) -> Generator[Progress, None, Puzzle | None]:
        """Return a puzzle with this solution, None when none came of it."""
        start = self._base
        if self._wanted.style == "silhouette":
            start = _silhouette(start, solution)
        clues: list[Move] = []
        number = yield from self._count(start, clues)
        shuffled = self._rng.sample(solution, len(solution))
        left = list(shuffled)
        while number is not None and number > self._most:
            # Of a few clues the one that rules out most: that keeps them few.
            tried = []
            for clue in left[:3]:
                tried.append((yield from self._count(start, [*clues, clue])))
            known = [n for n in tried if n is not None and n >= self._least]
            if not known:
                return None
            best = tried.index(min(known))
            clues.append(left.pop(best))
            number = tried[best]
        for clue in clues[:-1]:
            rest = [other for other in clues if other != clue]
            without = yield from self._count(start, rest)
            if without is not None and without <= self._most:
                clues, number = rest, without
        if number is None or number < self._least:
            return None
        more = [move for move in shuffled if move not in clues]
        if self._wanted.clues:
            missing = self._wanted.clues - len(clues)
            if missing < 0:
                return None
            return (yield from self._puzzle(_given(start, clues + more[:missing])))
        for extra in range(min(len(more), 1) if self._wanted.band == ANY else len(more)):
            # Each further clue makes the puzzle easier.
            puzzle = yield from self._puzzle(_given(start, clues + more[:extra]))
            if puzzle:
                return puzzle
        return None

    def _puzzle(self, start: Position) -> Generator[Progress, None, Puzzle | None]:
        """Return the start with what is known of it, None when it is not as wanted."""
        number = yield from self._count(start, [])
        if number is None or number < self._least:
            return None
        given = sum(sign in PIECES for sign in start.board)
        before = sum(sign in PIECES for sign in self._base.board)
        details: dict[str, object] = {
            "position": self._kind.write(start),
            "solutions": str(number),
            "clues": given - before,
        }
        if self._wanted.band != ANY:
            rated = yield from rate(self._kind, start)
            if rated.details.get("band") != self._wanted.band:
                return None
            details |= {name: rated.details[name] for name in ("careful_level", "band")}
        return start, details

    def _count(self, start: Position, clues: list[Move]) -> Generator[Progress, None, int | None]:
        asked = problem(_given(start, clues))
        if asked is None:
            return 0
        race = Race(asked)
        while not race.leader.finished:
            if race.seconds > SECONDS:
                return None
            yield race.step()
        return race.leader.total


def _given(start: Position, clues: list[Move]) -> Position:
    """Return the start with these pieces of the hand given on the board."""
    board, hand = list(start.board), list(start.hand)
    for piece, cell in clues:
        board[start.index(cell)] = piece
        hand[PIECES.index(piece)] -= 1
    return Position(start.rows, start.columns, "".join(board), tuple(hand))


def _silhouette(start: Position, solution: list[Move]) -> Position:
    """Return the start with every square barred where the solution has nothing."""
    used = {start.index(move.cell) for move in solution}
    board = "".join(
        BARRED if sign == EMPTY and index not in used else sign
        for index, sign in enumerate(start.board)
    )
    return Position(start.rows, start.columns, board, start.hand)
