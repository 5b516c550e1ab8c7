"""What every puzzle kind keeps, run over all of them and over the template."""

import json
import pickle
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.answers import Answer, GenerateAnswer, ShownAnswer, from_json
from solvers.grid import read_cell, write_cell
from solvers.kind import IllegalMove, PuzzleError
from solvers.picture import Picture, Spot, to_svg
from solvers.question import Driving
from solvers.registry import AnyKind, demo_boards, examples, kinds, load
from tests import brute
from tests.questions import asker

TEMPLATES = [load("solvers._template_sequence"), load("solvers._template_placement")]
KINDS = [*kinds().values(), *TEMPLATES]
QUESTIONS = [(kind, name) for kind in KINDS for name in kind.questions]
EXAMPLES = [(kind, example) for kind in KINDS for example in examples(kind)]

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
every_question = pytest.mark.parametrize(
    ("kind", "name"), QUESTIONS, ids=lambda value: getattr(value, "slug", value)
)


LONGEST_LINE = 25
"""Moves after which a random line is left, for kinds whose moves never run out."""


def random_lines(kind: AnyKind, seed: int, number: int, largest: int):
    """Yield positions along random lines of random starts; where pieces can be taken back or set
    elsewhere, now and then one is."""
    rng = random.Random(seed)
    for _ in range(number):
        position = kind.sample(rng, rng.randint(1, largest))
        yield position
        for _ in range(LONGEST_LINE):
            moves = list(kind.moves(position))
            others = sorted(pressed(kind, position) - set(map(kind.write_move, moves)))
            if others and (not moves or rng.random() < 0.15):
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
    return [shape for shape in picture.shapes if isinstance(shape, Spot)]


def pressed(kind: AnyKind, position: object) -> set[str]:
    """Return the moves that can be made by pressing, dragging off and taking back."""
    pictures = [kind.draw(position)]
    names: set[str] = set()
    if kind.tools:
        names = {*kind.tools.names(position), *kind.tools.movable(position)}
        pictures += [kind.tools.draw(position, name) for name in names]
    spots = [spot for picture in pictures for spot in spots_of(picture)]
    return ({spot.move for spot in spots} | {spot.back for spot in spots if spot.back}) - names


@every_kind
def test_positions_survive_text(kind):
    for position in random_lines(kind, seed=1, number=30, largest=8):
        text = kind.write(position)
        again = kind.read(text)
        assert again == position
        assert hash(again) == hash(position)
        assert kind.write(again) == text
        assert kind.read(text.replace("/", "\r\n")) == position
        assert kind.play_line(kind.start(position), kind.write_line(position)) == position
        for move in kind.moves(position):
            assert kind.read_move(kind.write_move(move)) == move
            assert kind.write_move(move).endswith(write_cell(kind.cell_of(move)))
            assert str(kind.describe(move))


@every_kind
def test_playing_leaves_the_position_as_it_was(kind):
    for position in random_lines(kind, seed=2, number=10, largest=5):
        before = kind.write(position)
        for move in kind.moves(position):
            after = kind.play(position, move)
            assert kind.line(after) == (*kind.line(position), move)
            assert kind.start(after) == kind.start(position)
        assert kind.write(position) == before


@every_kind
def test_a_move_that_is_not_listed_is_refused_or_a_fault(kind):
    for position in random_lines(kind, seed=3, number=10, largest=3):
        legal = list(kind.moves(position))
        assert len(legal) < 5000, "the moves of a position must come to an end"
        assert len(set(legal)) == len(legal)
        everywhere = set(kind.moves(kind.start(position))) | set(legal)
        texts = {re.sub("[0-9]+,[0-9]+", "99,99", kind.write_move(move)) for move in everywhere}
        for move in everywhere | set(map(kind.read_move, texts)):
            if move in legal:
                kind.play(position, move)
                continue
            try:
                after = kind.play(position, move)
            except IllegalMove as fault:
                assert str(fault)
            else:
                # It leads no further: something is wrong, or was only changed or taken back.
                left = list(kind.moves(after))
                assert kind.judge(after).faults or len(left) >= len(legal)


@every_kind
def test_the_verdict_fits_the_moves(kind):
    for position in random_lines(kind, seed=4, number=30, largest=3):
        verdict = kind.judge(position)
        assert verdict.over == (not list(kind.moves(position)))


@every_kind
def test_pictures_show_every_move(kind):
    for position in random_lines(kind, seed=5, number=5, largest=8):
        picture = kind.draw(position)
        spots = spots_of(picture)
        texts = pressed(kind, position)
        assert {kind.write_move(move) for move in kind.moves(position)} <= texts
        for move in map(kind.read_move, texts):
            assert kind.tools is None or kind.tools.tool_of(move)
        assert all(str(spot.label) for spot in spots)
        for live in (False, True):
            root = ET.fromstring(to_svg(picture, live=live))
            assert root.find("{*}title").text
            assert root.find("{*}desc").text
        labels = {"label": {spot.move: "7" for spot in spots}}
        cells = [(spot.row, spot.column) for spot in spots]
        marked = picture.annotated(labels=labels, rings={"fault": cells}, squares={"hint": cells})
        assert len(marked.shapes) == len(picture.shapes) + 3 * len(spots)


@every_kind
def test_the_editor_draws_up_what_the_kind_reads(kind):
    editor = kind.editor
    rng = random.Random(6)
    draft = editor.blank(*editor.largest)
    assert editor.size(draft) == editor.largest
    rows, columns = min(4, editor.largest[0]), min(5, editor.largest[1])
    draft = editor.resize(draft, rows, columns)
    assert editor.size(draft) == (rows, columns)
    read = 0
    spots = dict.fromkeys(product(range(rows), range(columns)))
    for _ in range(60):
        cell = rng.choice(list(spots))
        draft = editor.paint(draft, cell, rng.choice(list(editor.brushes)))
        picture = editor.draw(draft, fault=cell)
        spots = {(spot.row, spot.column): spot.move for spot in spots_of(picture)}
        assert set(product(range(rows), range(columns))) <= set(spots)
        assert all(read_cell(move) == cell for cell, move in spots.items())
        ET.fromstring(to_svg(picture, live=True))
        try:
            position = kind.read(draft)
        except PuzzleError:
            continue
        assert editor.size(kind.write_start(position)) == (rows, columns)
        read += 1
    for brush in editor.brushes:
        for row in range(rows):
            for column in range(columns):
                draft = editor.paint(draft, (row, column), brush)
    grown = editor.resize(draft, *editor.largest)
    assert editor.resize(grown, rows, columns) == draft
    assert read, "no painted draft was a puzzle: the editor can't draw up this kind"


@every_kind
def test_the_formats_shown_are_read(kind):
    for example in kind.editor.formats.values():
        position = kind.read(example)
        assert kind.read(kind.write(position)) == position


@every_kind
def test_the_editor_refuses_what_is_no_board(kind):
    editor = kind.editor
    rows, columns = editor.largest
    draft = editor.blank(1, 1)
    for size in ((0, 1), (1, 0), (rows + 1, 1), (1, columns + 1), (-1, -1), (40, 40)):
        with pytest.raises(PuzzleError):
            editor.blank(*size)
        with pytest.raises(PuzzleError):
            editor.resize(draft, *size)
    for cell, brush in (((1, 0), next(iter(editor.brushes))), ((0, 0), "no such brush")):
        with pytest.raises(PuzzleError):
            editor.paint(draft, cell, brush)
    for text in ("", "§", "//", "\n"):
        with pytest.raises(PuzzleError):
            editor.size(text)


SIGNS = st.sampled_from([*"o.xXsbwBW-#/ |,\n\r\t\"'○●０１9 0RKP+", "99999", "\ufeff", "\0"])


@every_kind
@settings(max_examples=300, deadline=None, database=None)
@given(data=st.data())
def test_whatever_is_read_never_fails_later(kind, data):
    text = data.draw(st.text() | st.lists(SIGNS, max_size=40).map("".join), label="text")
    if data.draw(st.booleans(), label="spoilt"):
        valid = kind.write(kind.sample(random.Random(len(text)), 3))
        cut = data.draw(st.integers(0, len(valid)), label="cut")
        text = valid[:cut] + text[:3] + valid[cut:]
    try:
        position = kind.read(text)
    except PuzzleError as fault:
        assert str(fault)
        assert str(pickle.loads(pickle.dumps(fault))) == str(fault)
        return
    assert kind.read(kind.write(position)) == position
    kind.judge(position)
    list(kind.moves(position))
    to_svg(kind.draw(position))


@every_kind
@settings(max_examples=200, deadline=None, database=None)
@given(text=st.text() | st.lists(SIGNS, max_size=8).map("".join))
def test_a_text_is_a_move_or_a_fault(kind, text):
    try:
        move = kind.read_move(text)
    except PuzzleError:
        return
    assert kind.read_move(kind.write_move(move)) == move


@every_kind
def test_no_text_is_too_large(kind):
    for text in ("o" * 30_000, "/".join(["o" * 40] * 40), "9" * 19_999, "1 " * 9_000, "/" * 19_999):
        with pytest.raises(PuzzleError) as fault:
            kind.read(text)
        assert len(str(fault.value)) < 200


def check_line(kind: AnyKind, name: str, position: object, answer: Answer) -> None:
    """A line given with an answer leads to a solution."""
    end = kind.play_line(position, " ".join(answer.moves))
    if name in ("count", "solve"):
        assert kind.judge(end).solved == bool(answer.value)
        assert answer.moves or not answer.value or kind.judge(position).solved


# A question whose answer needs more than the rules to check is tested with its kind.
@pytest.mark.parametrize(
    ("kind", "name"),
    [question for question in QUESTIONS if brute.twin(*question)],
    ids=lambda value: getattr(value, "slug", value),
)
def test_questions_against_their_slow_twins(kind, name):
    tried = 0
    for seed in range(4):
        for position in random_lines(kind, seed=seed, number=12, largest=3):
            answer = asker(kind)(name, position)
            truth = brute.twin(kind, name)(kind, position)
            if answer.proven:
                assert answer.value == truth, kind.write(position)
                tried += 1
            else:
                assert answer.value is None or answer.value <= truth, kind.write(position)
            check_line(kind, name, position, answer)
    assert tried > 100


@every_question
def test_questions_can_be_cancelled_and_speak_in_text(kind, name):
    question = kind.questions[name]
    position = kind.sample(random.Random(7), 3)
    for _ in Driving(question.ask(kind, position)):
        break
    driving = Driving(question.ask(kind, position))
    found = []
    for sign in driving:
        assert 0 <= sign.done <= sign.total
        found.append(sign.found)
    for answer in (driving.result, *found):
        if answer is not None:
            assert isinstance(answer, question.answer)
            stored = answer.to_json()
            assert from_json(question.answer, json.loads(json.dumps(stored))) == answer
            check_shown(kind, answer)


def check_shown(kind: AnyKind, answer: Answer) -> None:
    """What the site shows by itself can be shown."""
    assert answer.note is None or str(answer.note)
    if isinstance(answer, ShownAnswer | GenerateAnswer):
        assert all(kind.draw(kind.read(board.position)) for board in answer.boards)
    if isinstance(answer, ShownAnswer):
        assert all(len(row) == len(t.head) for t in answer.tables for row in t.rows)
        assert all(file.name and file.text for file in answer.files)


@every_question
def test_options_have_titles_and_defaults_that_are_read(kind, name):
    question = kind.questions[name]
    for option in question.options.values():
        assert option.title
        for text in (option.default, *option.choices):
            value = option.read(text)
            assert option.read(option.write(json.loads(json.dumps(value)))) == value
    if question.position:
        kind.read(question.position)


@pytest.mark.parametrize(
    ("kind", "example"), EXAMPLES, ids=[f"{kind.slug}-{e.title}" for kind, e in EXAMPLES]
)
def test_examples(kind, example):
    position = kind.read(example.position)
    assert kind.write(position) == example.position
    assert example.source and example.answers
    kind.play_line(position, example.shown)
    for name, value in example.answers.items():
        answer = asker(kind)(name, position)
        assert str(answer.value) == value and answer.proven
        check_line(kind, name, position, answer)
        if name == "count" and kind.family == "sequence" and answer.by_move:
            assert sum(answer.by_move.values()) == answer.value


@every_kind
def test_the_demo_boards_are_puzzles(kind):
    for board in demo_boards(kind):
        assert kind.write(kind.read(board.position)) == board.position
        if board.way:
            assert kind.judge(kind.play_line(kind.read(board.position), board.way)).solved


def test_kinds_load_without_numba():
    script = """
import random, sys
from solvers.registry import examples, kinds, load
templates = load("solvers._template_sequence"), load("solvers._template_placement")
for kind in [*kinds().values(), *templates]:
    position = kind.sample(random.Random(1), 3)
    kind.draw(position), kind.judge(position), list(kind.moves(position)), examples(kind)
    kind.editor.draw(kind.editor.blank(1, 1))
assert not {"numba", "numpy"} & set(sys.modules), "the rules alone must stay light"
"""
    subprocess.run([sys.executable, "-c", script], check=True)
