"""Tests of texts: positions and moves that are written as text are read back unchanged."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.contract.boards import random_lines, spots_of
from solvers.grid import write_cell
from solvers.kind import LONGEST_TEXT, PuzzleError
from solvers.picture import to_svg
from solvers.registry import AnyKind

SIGNS = st.sampled_from([*"o.xXsbwBW-#/ |,\n\r\t\"'○●０１9 0RKP+", "99999", "\ufeff", "\0"])

LONGEST_FAULT = 200
"""The most characters of the message about a text that can't be read."""


def test_positions_survive_text(kind: AnyKind) -> None:
    for position in random_lines(kind, seed=1, number=30, largest=8):
        text = kind.write(position)
        again = kind.read(text)
        assert again == position, f"read(“{text}”) must return the position that was written"
        assert hash(again) == hash(position), "equal positions must have equal hashes"
        assert kind.write(again) == text, "write must be canonical: one text for each position"
        lines = text.replace("/", "\r\n")
        assert kind.read(lines) == position, "read must accept line breaks instead of /"
        line = kind.write_line(position)
        assert kind.play_line(kind.start(position), line) == position, (
            "start(position) and the moves of line(position) must lead to the position"
        )
        spots = {spot.move: (spot.row, spot.column) for spot in spots_of(kind.draw(position))}
        for move in kind.moves(position):
            written = kind.write_move(move)
            assert kind.read_move(written) == move, f"read_move(“{written}”) must return the move"
            ends = {kind.cell_of(move), spots.get(written, kind.cell_of(move))}
            assert any(written.endswith(write_cell(end)) for end in ends), (
                "the text of a move must end in its last cell, or the row and column of its Spot, "
                f"as row,column: “{written}”"
            )
            assert str(kind.describe(move)), "describe must return a text for every move"
            assert kind.write_line(kind.play(position, move)) == f"{line} {written}".lstrip(), (
                f"the line after the move “{written}” must be the line before it and the move"
            )


@settings(max_examples=300, deadline=None, database=None)
@given(data=st.data())
def test_whatever_is_read_never_fails_later(kind: AnyKind, data: st.DataObject) -> None:
    text = data.draw(st.text() | st.lists(SIGNS, max_size=40).map("".join), label="text")
    if data.draw(st.booleans(), label="spoilt"):
        valid = kind.write(kind.sample(random.Random(len(text)), 3))
        cut = data.draw(st.integers(0, len(valid)), label="cut")
        text = valid[:cut] + text[:3] + valid[cut:]
    try:
        position = kind.read(text)
    except PuzzleError as fault:
        assert str(fault), "a BadText must have a message"
        assert str(pickle.loads(pickle.dumps(fault))) == str(fault)
        return
    assert kind.read(kind.write(position)) == position
    kind.judge(position)
    list(kind.moves(position))
    to_svg(kind.draw(position))


@settings(max_examples=200, deadline=None, database=None)
@given(text=st.text() | st.lists(SIGNS, max_size=8).map("".join))
def test_a_text_is_a_move_or_a_fault(kind: AnyKind, text: str) -> None:
    try:
        move = kind.read_move(text)
    except PuzzleError:
        return
    assert kind.read_move(kind.write_move(move)) == move


def test_no_text_is_too_large(kind: AnyKind) -> None:
    nines, pairs, bars = "9" * (LONGEST_TEXT - 1), "1 " * 9_000, "/" * (LONGEST_TEXT - 1)
    for text in ("o" * (LONGEST_TEXT + 1), "/".join(["o" * 40] * 40), nines, pairs, bars):
        with pytest.raises(PuzzleError) as fault:
            kind.read(text)
        assert len(str(fault.value)) < LONGEST_FAULT, "a message must not quote a long text in full"


def test_the_formats_shown_are_read(kind: AnyKind) -> None:
    for title, example in kind.editor.formats.items():
        position = kind.read(example)
        assert kind.read(kind.write(position)) == position, f"the example of “{title}” is not read"


def test_what_is_written_for_other_programs_is_read(kind: AnyKind) -> None:
    if kind.notations is None:
        return
    for start in (kind.sample(random.Random(seed), 5) for seed in range(30)):
        for title, text in kind.notations.write(start).items():
            # Some notations leave out empty lines at the edges of a board.
            assert kind.canonical(kind.read(text)) == kind.canonical(start), (
                f"the notation “{title}” of {kind.write_start(start)} reads back as another board: "
                f"{text!r}"
            )
