"""Answers and their JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import answers
from solvers.answers import Answer, AnswerTable, CountAnswer, Exact, ShownAnswer, from_json
from solvers.message import Message

NOTE = Message("Of {these}, {number}", {"these": Message("boards"), "number": 3})
LARGE = 10**30

ANSWERS = [
    Answer(),
    CountAnswer(Exact(LARGE), ("1,1",), by_move={"1,1": Exact(LARGE)}, note=NOTE, states=2**60),
    answers.ReviewAnswer(Exact(0), left=(None, Exact(5)), reach=(3, None), goal=3),
    answers.RepairAnswer(
        is_all=True, repairs=(answers.Repair("o", (answers.CellChange("1,1", NOTE),), Exact(3)),)
    ),
    ShownAnswer(tables=(AnswerTable((NOTE,), ((LARGE,), (0.5,), (NOTE,), (None,), (7,))),)),
    answers.GenerateAnswer(Exact(1), boards=(answers.GeneratedBoard(position="o.o", band="hard"),)),
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_an_answer_survives_json(answer):
    stored = json.loads(json.dumps(answer.to_json()))
    assert set(stored) == {"value", "proven", "moves", "details"}
    again = from_json(type(answer), stored)
    assert again == answer and again.to_json() == answer.to_json()


@given(st.integers())
def test_counts_are_decimal_strings(number):
    stored = CountAnswer(Exact(number), by_move={"1,1": Exact(number)}).to_json()
    assert stored["value"] == stored["details"]["by_move"]["1,1"] == str(number)


def test_no_number_is_too_large_for_a_reader_of_json():
    stored = ShownAnswer(tables=(AnswerTable((NOTE,), ((2**53 + 1,),)),)).to_json()
    assert stored["details"]["tables"][0]["rows"] == [["9007199254740993"]]


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        {"value": "1"},
        {"details": None},
        {"value": "many", "details": {}},
        {"value": 1.5, "details": {}},
        {"value": "1", "details": {"by_move": ["1,1"]}},
        {"value": "1", "moves": "1,1", "details": {}},
        {"value": "1", "details": {"note": "not a message"}},
    ],
)
def test_values_of_the_wrong_type_are_refused(stored):
    with pytest.raises(ValueError):
        from_json(CountAnswer, stored)


def test_unknown_fields_are_ignored_except_in_shown_parts():
    stored = {"value": "1", "details": {"of another version": 1}}
    assert from_json(CountAnswer, stored) == CountAnswer(Exact(1))
    with pytest.raises(ValueError, match="of another version"):
        from_json(ShownAnswer, stored)
