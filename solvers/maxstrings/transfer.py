"""The most strings with stones of both colours, by a transfer over the points of the board.

A stone is *required* if it stands already or if the puzzle asks for it; all others are free.

Lemma. Some best board has no free stone beside another stone of its colour. Take a best board and
a string of it. If it has required stones, take its free stones away. If it has none, keep one of
its stones. A string does not vanish, and what is left of it has a liberty, unless nothing was taken
away: each part of a string was beside a stone that has gone. Other strings only gain liberties.

So the strings that may have several stones are known beforehand: the connected required stones of
a colour, here called *groups*. The frontier needs no connectivity. Its letters are, in this order,

    0   a black stone that still needs a liberty     4   a white stone that still needs one
    1   a black stone that does not                  3   a white stone that does not
    2   an empty point, or no point

and a word is the frontier's part of one row. In a row, a free stone never stands beside one of its
colour, nor an empty point beside a stone that needs a liberty. So words can be ranked and tables
cut in slices as in `checkerboard`. Points that are not free allow fewer letters, and each column
has its own ranks. The number of words is about 2.73^width at most, which is 1 + the root of 3.

Three things are not local. They are left out at first (then the table gives a bound), and decided
where the board found needs them, the most promising choice first (branch and bound):

- A group of several stones needs one liberty in all. No stone of it needs one, until the board
  found has none. Then one choice for each stone of the group says that this stone does.
- A stone of either colour beside another required stone may join its group. It loses one string if
  it has the colour of a neighbour before it, until its colour is chosen.
"""

import heapq
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import NamedTuple

import numpy as np

from solvers.kind import Cell
from solvers.maxstrings import rules
from solvers.maxstrings.checkerboard import IMPOSSIBLE, Costs
from solvers.maxstrings.rules import BLACK, EITHER, EMPTY, FREE, HOLE, STONES, WHITE, Board
from solvers.memory import MEMORY
from solvers.question import Progress, Run

NEEDY = {BLACK: 0, WHITE: 4}
CONTENT = {BLACK: 1, WHITE: 3}
NOTHING = 2
COLOURS = (BLACK, BLACK, "", WHITE, WHITE)
"""The colour of each letter."""

_FED = {0: 1, 4: 3}
_FOLLOWING = (range(3, 5), range(2, 5), range(1, 4), range(3), range(2))
"""The letter -> the letters that may follow it, unless both points have required stones."""

_REQUIRED = frozenset((*STONES, EITHER))

WIDEST = 16
"""The largest shorter side of a board. Its tables take some seconds and 1.1 GB."""

MAX_TABLES = 300
"""The most tables computed for one board. A board of a puzzle rarely needs more than three."""


class Point(NamedTuple):
    """What may be on a point."""

    letter: str
    """The letter of the start. The border of the board is a HOLE."""
    is_needy: bool = True
    """Whether a stone on this point needs a liberty."""

    @property
    def letters(self) -> list[int]:
        """The letters that the frontier may have here, in ascending order."""
        if self.letter in (EMPTY, HOLE):
            return [NOTHING]
        colours = STONES if self.letter in (FREE, EITHER) else self.letter
        stones = [CONTENT[colour] for colour in colours]
        stones += [NEEDY[colour] for colour in colours if self.is_needy]
        return sorted([*stones, *([NOTHING] if self.letter == FREE else [])])


@dataclass(frozen=True)
class Words:
    """The words of a part of a row that begins with a point: which there are, and their ranks."""

    point: Point
    rest: "Words | None"

    @cached_property
    def runs(self) -> dict[int, slice]:
        """The letter of the point -> the words of the rest that may follow it."""
        if not self.rest:
            return dict.fromkeys(self.point.letters, slice(0, 1))
        other = self.rest.point
        anything = HOLE in (self.point.letter, other.letter) or (
            self.point.letter in _REQUIRED and other.letter in _REQUIRED
        )
        runs = {}
        for letter in self.point.letters:
            blocks = [
                block
                for after, block in self.rest.blocks.items()
                if anything or after in _FOLLOWING[letter]
            ]
            runs[letter] = slice(blocks[0].start, blocks[-1].stop) if blocks else slice(0, 0)
        return runs

    @cached_property
    def blocks(self) -> dict[int, slice]:
        """The letter of the point -> the words that begin with it."""
        blocks, start = {}, 0
        for letter, run in self.runs.items():
            blocks[letter] = slice(start, start + run.stop - run.start)
            start = blocks[letter].stop
        return blocks

    @cached_property
    def size(self) -> int:
        """The number of words."""
        return int(max(block.stop for block in self.blocks.values()))

    def rank(self, letters: list[int]) -> int:
        """Return the rank of a word."""
        first = letters[0]
        rest = self.rest.rank(letters[1:]) if self.rest else 0
        return int(self.blocks[first].start + rest - self.runs[first].start)


class Step(NamedTuple):
    """A point that is decided, with the frontier before it."""

    column: int
    point: Point
    ahead: Words
    """The words of the row before, from this column on."""
    behind: Words | None
    """The words of this row, from the point decided last."""
    following: Words
    """The words of this row, from this point."""

    def options(self, above: int, beside: int | None) -> list[tuple[int, int | None, int]]:
        """Return (letter of the point, letter of the neighbour afterwards, strings lost) for each
        thing that may be set here.

        `above` and `beside` are the letters of the points decided before. A hole has the letter
        NOTHING, but is no liberty.
        """
        letter = self.point.letter
        is_served = above not in _FED
        if letter == HOLE:
            return [(NOTHING, beside, 0)] if is_served else []
        before = self.behind.point.letter if self.behind else HOLE
        choices: list[tuple[int, int | None, int]] = []
        if letter in (FREE, EMPTY):
            fed = beside if before == HOLE or beside is None else _FED.get(beside, beside)
            choices.append((NOTHING, fed, int(letter == FREE)))
        if letter == EMPTY or not is_served:
            return choices
        near = [(above, self.ahead.point.letter)]
        near += [(beside, before)] if beside is not None else []
        has_liberty = any(at == NOTHING and what != HOLE for at, what in near)
        for colour in STONES if letter in (FREE, EITHER) else (letter,):
            joined = [what for at, what in near if COLOURS[at] == colour]
            if joined and (letter == FREE or FREE in joined):
                continue
            needs = self.point.is_needy and not has_liberty
            lost = int(bool(joined) and letter == EITHER)
            choices.append((NEEDY[colour] if needs else CONTENT[colour], beside, lost))
        return choices

    def before(self, after: Costs) -> Costs:
        """Return the costs before the point from those after it, [word ahead, word behind]."""
        behind, following = self.behind, self.following
        shape = self.ahead.size, behind.size if behind else 1
        # The inner loops go over the longer axis.
        costs = np.full(shape, IMPOSSIBLE, np.uint8, "F" if shape[0] > shape[1] else "C")
        for above, rows in self.ahead.blocks.items():
            for beside, columns in behind.blocks.items() if behind else [(None, slice(0, 1))]:
                target = costs[rows, columns]
                for new, neighbour, lost in self.options(above, beside):
                    start = following.blocks[new].start - following.runs[new].start
                    if behind and beside is not None and neighbour is not None:
                        start += behind.blocks[neighbour].start
                        start += behind.runs[beside].start - behind.runs[neighbour].start
                    stop = start + columns.stop - columns.start
                    source = after[self.ahead.runs[above], start:stop]
                    np.minimum(target, source + np.uint8(lost) if lost else source, out=target)
        return costs


def _steps(board: Board, content: frozenset[Cell], row: int) -> list[Step]:
    """Return the points of a row in the order of decision. Stones on `content` need no liberty."""

    def point(row: int, column: int) -> Point:
        letter = board[row][column] if row >= 0 else HOLE
        return Point(letter, (row, column) not in content)

    columns = range(len(board[0]))[:: -1 if row % 2 else 1]
    ahead: list[Words] = []
    for column in reversed(columns):
        ahead.append(Words(point(row - 1, column), ahead[-1] if ahead else None))
    steps: list[Step] = []
    for column in columns:
        behind = steps[-1].following if steps else None
        here = point(row, column)
        steps.append(Step(column, here, ahead.pop(), behind, Words(here, behind)))
    return steps


def _last_costs(words: Words | None) -> Costs:
    """Return the costs of words when no point is left."""
    if words is None:
        return np.zeros(1, np.uint8)
    costs = _last_costs(words.rest)
    return np.concatenate(
        [
            np.full(run.stop - run.start, IMPOSSIBLE, np.uint8) if letter in _FED else costs[run]
            for letter, run in words.runs.items()
        ]
    )


def _row_costs(steps: list[Step], after: Costs) -> list[Costs]:
    """Return the costs before each point of a row, and after the last one."""
    costs = [after.reshape(1, -1)]
    for step in reversed(steps):
        costs.append(step.before(costs[-1]))
    return costs[::-1]


def least_losses(board: Board, content: frozenset[Cell]) -> Run[tuple[int, Board]]:
    """Return the least loss of a board, and a board that loses no more. A loss of IMPOSSIBLE or
    more means that there is none.

    An empty point loses 1, unless it had to be empty. Stones on `content` need no liberty.
    """
    rows = range(len(board))
    costs = _last_costs(_steps(board, content, rows[-1])[-1].following)
    # The costs after each row, from the last row up. Those within a row are computed again later.
    after = [costs]
    for row in reversed(rows):
        costs = _row_costs(_steps(board, content, row), after[-1])[0].reshape(-1)
        after.append(costs)
        yield Progress(len(rows) - row, 2 * len(rows))
    least = int(after.pop()[0])
    lines: list[str] = []
    above = [NOTHING] * len(board[0])
    for row in rows if least < IMPOSSIBLE else ():
        steps = _steps(board, content, row)
        tables = _row_costs(steps, after.pop())
        behind: list[int] = []
        signs = list(board[row])
        for number, step in enumerate(steps):
            at = step.ahead.rest.rank(above[number + 1 :]) if step.ahead.rest else 0
            ways = []
            for new, neighbour, lost in step.options(above[number], behind[0] if behind else None):
                word = [new, *([] if neighbour is None else [neighbour, *behind[1:]])]
                ways.append((tables[number + 1][at, step.following.rank(word)] + lost, word))
            _, behind = min(ways)
            if step.point.letter != HOLE:
                signs[step.column] = COLOURS[behind[0]] or FREE
        lines.append("".join(signs))
        above = behind
        yield Progress(len(rows) + row, 2 * len(rows))
    return least, tuple(lines)


def is_narrow(board: Board) -> bool:
    """Return whether the tables of a board are computed soon and fit into half the memory."""
    rows = _tall(board)
    if len(rows[0]) > WIDEST:
        return False
    needed = 0
    for row in range(len(rows)):
        steps = _steps(rows, frozenset(), row)
        needed = max(needed, sum(s.ahead.size * (s.behind.size if s.behind else 1) for s in steps))
        needed += steps[-1].following.size
    return needed <= MEMORY // 2


class TransferOutcome(NamedTuple):
    """The result of a search."""

    bound: int
    """The number of strings that no board exceeds, or -1 if there is no board."""
    board: Board | None
    """A board with `bound` strings, or None if there is none or none was found in time."""


def best_board(board: Board) -> Run[TransferOutcome]:
    """Find a board with the most strings that has the stones of a start. Branch and bound."""
    rows = _tall(board)
    points = sum(letter not in (HOLE, EMPTY) for letters in rows for letter in letters)
    number = count()
    # The strings that are lost at least, and the case: its board, and the stones that need one of
    # their group's liberties.
    waiting: list[tuple[int, int, Board, frozenset[Cell]]] = [(0, 0, rows, frozenset())]
    for _ in range(MAX_TABLES):
        if not waiting:
            return TransferOutcome(-1, None)
        known, _, case, chosen = heapq.heappop(waiting)
        groups = rules.strings(case)
        unknown = [cell for cell in _letters(case, EITHER) if rules.around(case, [cell], "xos")]
        content = {cell for group in groups if len(group.cells) > 1 for cell in group.cells}
        content |= {*unknown, *rules.around(case, unknown, "xo")}
        lost, best = yield from least_losses(case, frozenset(content - chosen))
        if lost >= IMPOSSIBLE:
            continue
        lost += sum(len(group.cells) - 1 for group in groups)
        if rules.score(best) == points - lost and not any(rules.faults(best)):
            if waiting and waiting[0][0] < lost:
                heapq.heappush(waiting, (lost, next(number), case, chosen))
                continue
            return TransferOutcome(points - lost, _as(board, best))
        lost = max(lost, known)
        if unknown:
            for colour in STONES:
                further = rules.with_letter(case, unknown[0], colour)
                heapq.heappush(waiting, (lost, next(number), further, chosen))
            continue
        needing = next(g.cells for g in groups if not rules.around(best, [*g.cells], FREE))
        for cell in needing:
            if rules.around(case, [cell], FREE):
                heapq.heappush(waiting, (lost, next(number), case, chosen | {cell}))
    return TransferOutcome(points - waiting[0][0] if waiting else -1, None)


def _letters(board: Board, letter: str) -> list[Cell]:
    return [(row, column) for row, column in rules.cells(board) if board[row][column] == letter]


def _tall(board: Board) -> Board:
    """Return the board, turned if it has more columns than rows."""
    return board if len(board[0]) <= len(board) else tuple(map("".join, zip(*board)))


def _as(board: Board, tall: Board) -> Board:
    """Return a board that `_tall` may have turned in the direction of another."""
    return tall if len(tall) == len(board) else tuple(map("".join, zip(*tall)))
