"""The number of solutions of the template. Each board is examined once, however it is reached."""

from solvers._template_moves import Board
from solvers.answers import CountAnswer, Exact
from solvers.grid import PieceMove
from solvers.kind import Kind
from solvers.question import Progress, Run

Ways = dict[tuple[str, ...], int]
"""The letters of a board -> the number of solutions from there."""


def count(kind: Kind[Board, PieceMove], position: Board) -> Run[CountAnswer]:
    """Count the solutions from the position. The answer has one of them as `moves`, and in
    `by_move` the number of solutions that begin with each legal move."""
    ways: Ways = {}
    total = yield from _count(kind, position, ways)
    by_move, line, here = {}, [], position
    for move in kind.moves(position):
        by_move[kind.write_move(move)] = ways[kind.play(position, move).now]
    while not kind.judge(here).solved and ways[here.now]:
        move = next(each for each in kind.moves(here) if ways[kind.play(here, each).now])
        line.append(kind.write_move(move))
        here = kind.play(here, move)
    return CountAnswer(Exact(total), tuple(line), by_move={m: Exact(n) for m, n in by_move.items()})


def _count(kind: Kind[Board, PieceMove], position: Board, ways: Ways) -> Run[int]:
    if position.now not in ways:
        yield Progress(0, 1)
        number = int(kind.judge(position).solved)
        for move in kind.moves(position):
            number += yield from _count(kind, kind.play(position, move), ways)
        ways[position.now] = number
    return ways[position.now]
