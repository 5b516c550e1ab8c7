"""Tests of the rules: positions never change, illegal moves are refused, turned moves are equal."""

import re
from collections import Counter

from solvers.contract.boards import pressed, random_lines
from solvers.kind import IllegalMove
from solvers.registry import AnyKind
from solvers.symmetry import Symmetry, symmetries

MAX_MOVES = 5000
"""The most legal moves of one position. The list must be finite."""


def test_playing_leaves_the_position_as_it_was(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=2, number=10, largest=5):
        before = kind.write(position)
        for move in kind.moves(position):
            after = kind.play(position, move)
            assert kind.line(after) == (*kind.line(position), move), (
                "play must append the move to the line"
            )
            assert kind.start(after) == kind.start(position), "play must keep the start"
        assert kind.write(position) == before, "play must return a new position"


def test_a_move_that_is_not_listed_is_refused_or_a_fault(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=3, number=10, largest=3):
        legal = list(kind.moves(position))
        assert len(legal) < MAX_MOVES, "the moves of a position must be a finite list"
        assert len(set(legal)) == len(legal), "each move must be listed once"
        everywhere = set(kind.moves(kind.start(position))) | set(legal)
        texts = {re.sub("[0-9]+,[0-9]+", "99,99", kind.write_move(move)) for move in everywhere}
        for move in everywhere | set(map(kind.read_move, texts)):
            if move in legal:
                kind.play(position, move)
                continue
            try:
                after = kind.play(position, move)
            except IllegalMove as fault:
                assert str(fault), "an IllegalMove must have a reason"
            else:
                # The move leads no further: it causes a fault, or changes or takes back a move.
                left = list(kind.moves(after))
                assert kind.judge(after).faults or len(left) >= len(legal), (
                    f"play takes {kind.write_move(move)} on {kind.write(position)}, which moves "
                    "does not list: list it, raise IllegalMove, or let judge name a fault"
                )


def test_the_verdict_fits_the_moves(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=4, number=30, largest=3):
        assert kind.judge(position).over == (not list(kind.moves(position))), (
            f"judge(…).over must be true exactly if moves is empty: {kind.write(position)}"
        )


def inverse(symmetry: Symmetry) -> Symmetry:
    """Return the symmetry that turns the board back."""
    sides = symmetry.upside_down, symmetry.left_right
    back = sides[::-1] if symmetry.transposed else sides
    return Symmetry(*symmetry.size, *back, symmetry.transposed)


def test_the_cells_of_a_move_lie_on_the_board(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=8, number=20, largest=5):
        rows, columns = kind.editor.size(kind.write_start(position))
        for move in map(kind.read_move, pressed(kind, position)):
            cells = kind.cells_of(move)
            assert kind.cell_of(move) == cells[-1]
            assert len(set(cells)) == len(cells), "cells_of must name each cell once"
            assert all(0 <= row < rows and 0 <= column < columns for row, column in cells), (
                f"cells_of({kind.write_move(move)}) must lie on the board"
            )


def test_a_turned_line_of_moves_does_the_same_on_the_turned_board(kind: AnyKind) -> None:
    turned = 0
    for position in random_lines(kind, seed=9, number=20, largest=4):
        rows, columns = kind.editor.size(kind.write_start(position))
        start, line = kind.start(position), kind.line(position)
        signs = Counter("".join(kind.draw(position).text.split()))
        canonical = kind.canonical(start) if position == start else None
        for symmetry in symmetries(rows, columns):
            end = kind.turned(position, symmetry)
            if end is None:
                continue
            turned += 1
            back = inverse(symmetry)
            assert kind.turned(end, back) == start, (
                "a start that is turned and turned back must be the same"
            )
            for move in line:
                image = kind.turned_move(move, symmetry)
                assert set(kind.cells_of(image)) == set(map(symmetry, kind.cells_of(move))), (
                    f"turned_move must turn every cell of {kind.write_move(move)}"
                )
                assert kind.turned_move(image, back) == move
                end = kind.play(end, image)
            # Turning a board moves its signs and changes none of them.
            assert Counter("".join(kind.draw(end).text.split())) == signs
            if canonical is not None:
                assert kind.canonical(end) == canonical
        assert kind.turned(position, Symmetry(rows, columns)) == start, (
            "turned must return the start for the identity"
        )
    assert turned
