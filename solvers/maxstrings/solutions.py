"""The question `solutions`: a list of the solutions, which mostly are checkerboard forms.

The search for forms walks row by row through the costs to go of `checkerboard`. It enters only rows
from which a form with enough stones can be completed, so every step leads to a solution. Where
there are other solutions, `mixed` lists them all.
"""

from collections.abc import Iterator

import numpy as np

from solvers.answers import SolutionsAnswer
from solvers.kind import Kind
from solvers.maxstrings import checkerboard
from solvers.maxstrings.best import has_no_board, upper_bound
from solvers.maxstrings.checkerboard import IMPOSSIBLE, Codes
from solvers.maxstrings.maximum import NO_GOAL, are_forms, goal_of
from solvers.maxstrings.mixed import mixed_solutions
from solvers.maxstrings.rules import Move, Position, merged, moves_to_board, moves_to_form
from solvers.message import Message
from solvers.question import Progress, Run
from solvers.solutions import check_lines, last_number, page_of

MAX_ROWS = 100_000_000
"""The most rows generated before the question is given up, which take about a minute."""

Stones = tuple[tuple[bool, ...], ...]
"""Whether each point has a stone, row by row."""


def solutions(
    kind: Kind[Position, Move], position: Position, *, first: int, limit: int
) -> Run[SolutionsAnswer]:
    """List the solutions that `count` counts: `limit` of them, from number `first`, from 1.

    They are ordered row by row (column by column on a board wider than high), a stone before an
    empty point. The answer is not proven and has a note if there are too many boards with stones
    that may be joined, if the wanted number of strings is not known, or if generating `MAX_ROWS`
    rows did not suffice.
    """
    wanted, board = goal_of(position), merged(position)
    if wanted is None:
        if (yield from has_no_board(position)):
            return page_of([], first, limit)
        return SolutionsAnswer(None, proven=False, note=NO_GOAL)
    if not are_forms(board):
        return (yield from _mixed(kind, position, wanted, first, limit))
    forms = yield from forms_with(
        checkerboard.codes_of(board), wanted, last_number(first, limit) + 1
    )
    if forms is None:
        undecided = Message(
            "The search reached no answer after {nodes} steps.", {"nodes": MAX_ROWS}
        )
        return SolutionsAnswer(None, proven=False, note=undecided)
    lines = [" ".join(moves_to_form(position, form)) for form in forms]
    yield from check_lines(kind, position, lines)
    return page_of(lines, first, limit)


def _mixed(
    kind: Kind[Position, Move], position: Position, wanted: int, first: int, limit: int
) -> Run[SolutionsAnswer]:
    """List the solutions on a board on which not all of them are forms."""
    board = merged(position)
    if (yield from upper_bound(board)) < wanted:
        return page_of([], first, limit)
    solutions = yield from mixed_solutions(board, wanted)
    if solutions is None:
        note = Message("There are too many boards with these stones to list the solutions.")
        return SolutionsAnswer(None, proven=False, note=note)
    boards = yield from solutions.boards(last_number(first, limit) + 1)
    lines = [" ".join(moves_to_board(position, each)) for each in boards]
    yield from check_lines(kind, position, lines)
    return page_of(lines, first, limit)


def forms_with(board: Codes, stones: int, most: int) -> Run[list[Stones] | None]:
    """Return up to `most` forms with at least `stones` stones, or None if that takes too long."""
    rows = checkerboard.snake(board)
    tables = yield from checkerboard.row_tables(rows)
    width = len(rows[0])
    Step = tuple[list[bool], bytes, int]
    """The stones of a row, the word that it leaves, and how many more points may be empty."""
    known: dict[tuple[int, bytes, int], list[Step]] = {}

    def steps(number: int, word: bytes, spare: int) -> list[Step]:
        row, above = rows[number], np.frombuffer(word, np.uint8)
        laid = checkerboard.next_rows(above, row)
        if laid is None:
            return []
        costs, ranks, bits = laid
        to_go = tables[number][ranks]
        fits = (to_go < IMPOSSIBLE) & (costs + to_go.astype(np.int16) <= spare)
        chosen = sorted(np.flatnonzero(fits).tolist(), key=lambda place: -int(bits[place]))
        matching = []
        for place in chosen:
            stands = checkerboard.stones_of(int(bits[place]), width)
            left = checkerboard.next_word(above, row, stands).tobytes()
            matching.append((stands, left, spare - int(costs[place])))
        return matching

    forms: list[Stones] = []
    start: Step = [], np.ones(width, np.uint8).tobytes(), checkerboard.stone_capacity(rows) - stones
    path: list[list[bool]] = []
    branches: list[Iterator[Step]] = [iter([start])]
    while branches and len(forms) < most:
        step = next(branches[-1], None)
        if step is None:
            branches.pop()
            continue
        stands, word, spare = step
        # The path below this row belongs to another branch.
        path[len(branches) - 1 :] = [stands]
        if len(branches) > len(rows):
            forms.append(checkerboard.as_board(path[1:], board))
            continue
        state = (len(branches) - 1, word, spare)
        if state not in known:
            if len(known) << width > MAX_ROWS:
                return None
            known[state] = steps(*state)
            yield Progress(len(forms), most, at_least=len(forms))
        branches.append(iter(known[state]))
    return forms
