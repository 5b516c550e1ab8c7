"""Tests of questions: their answers are text, can be cancelled, and equal the slow reference's."""

import json
import random
import subprocess
import sys
from functools import cache
from typing import Any

from solvers.answers import Answer, GenerateAnswer, ShownAnswer, from_json
from solvers.contract import brute
from solvers.contract.boards import make_ask, random_lines, remembering
from solvers.question import Execution
from solvers.registry import AnyKind, Example, orders

LEAST_COMPARED = 100
"""The number of positions for which a question must have a proven answer, so that the comparison
with the reference is meaningful."""


def check_line(kind: AnyKind, name: str, position: Any, answer: Answer) -> None:
    """Assert that the moves of an answer lead to a solution."""
    end = kind.play_line(position, " ".join(answer.moves))
    if name in ("count", "solve"):
        assert kind.judge(end).solved == bool(answer.value), (
            f"the moves of “{name}” must lead to a solution if there is one: "
            f"{kind.write(position)}: {answer.moves}"
        )
        assert answer.moves or not answer.value or kind.judge(position).solved


def test_the_mandatory_question_is_there(kind: AnyKind) -> None:
    assert "count" in kind.questions, "every kind must have the question “count”"


def test_questions_against_the_slow_reference(kind: AnyKind, referenced: str) -> None:
    """Compare answers with the reference. A question whose answer the rules alone can't check is
    tested with its kind."""
    reference = brute.reference(kind, referenced)
    assert reference
    ask = make_ask(remembering(kind, {"count", "solve"} - {referenced}))
    compared = 0
    for seed in range(4):
        for position in random_lines(kind, seed=seed, number=12, largest=3):
            answer = ask(referenced, position)
            truth = reference(kind, position)
            if answer.proven:
                assert answer.value == truth, (
                    f"“{referenced}” of {kind.write(position)} must be {truth} by the rules"
                )
                compared += 1
            else:
                assert answer.value is None or answer.value <= truth, (
                    f"the bound of “{referenced}” for {kind.write(position)} is above {truth}"
                )
            check_line(kind, referenced, position, answer)
    assert compared > LEAST_COMPARED, "too few answers are proven: make smaller boards in sample"


def test_questions_can_be_cancelled_and_answers_are_text(kind: AnyKind, question: str) -> None:
    asked = kind.questions[question]
    position = kind.sample(random.Random(7), 3)
    for _ in Execution(asked.ask(kind, position)):
        break
    execution = Execution(asked.ask(kind, position))
    partial_answers = []
    for progress in execution:
        assert 0 <= progress.done <= progress.total, "Progress must have 0 <= done <= total"
        partial_answers.append(progress.found)
    for answer in (execution.result, *partial_answers):
        if answer is not None:
            assert isinstance(answer, asked.answer), (
                f"“{question}” returns {type(answer).__name__} instead of {asked.answer.__name__}"
            )
            stored = answer.to_json()
            assert from_json(asked.answer, json.loads(json.dumps(stored))) == answer
            check_shown(kind, answer)


def check_shown(kind: AnyKind, answer: Answer) -> None:
    """Assert that the site can show the parts of an answer that it shows without further code."""
    assert answer.note is None or str(answer.note)
    if isinstance(answer, ShownAnswer | GenerateAnswer):
        assert all(kind.draw(kind.read(board.position)) for board in answer.boards)
    if isinstance(answer, ShownAnswer):
        assert all(len(row) == len(t.head) for t in answer.tables for row in t.rows), (
            "each row of a table must have as many cells as its head"
        )
        assert all(file.name and file.text for file in answer.files)


def test_options_have_titles_and_defaults_that_are_read(kind: AnyKind, question: str) -> None:
    asked = kind.questions[question]
    for name, option in asked.options.items():
        assert option.title, f"the option “{name}” of “{question}” needs a title"
        for text in (option.default, *option.choices):
            value = option.read(text)
            assert option.read(option.write(json.loads(json.dumps(value)))) == value
    if asked.position:
        kind.read(asked.position)


def test_every_solution_is_in_one_group_of_each_grouping(kind: AnyKind) -> None:
    assert all(grouping.title for grouping in kind.groupings.values())
    if "groups" not in kind.questions:
        return
    grouped = 0
    for position in random_lines(kind, seed=5, number=12, largest=3):
        answer = make_ask(kind)("groups", position)
        for name, tested in answer.groupings.items():
            grouped += 1
            assert sum(group.size for group in tested.groups) == answer.value
            assert tested.number == len({group.key for group in tested.groups})
            for group in tested.groups:
                end = kind.play_line(position, group.line)
                assert kind.judge(end).solved
                assert kind.groupings[name].key(end) == group.key, (
                    f"the grouping “{name}” must find the key of a solution from its board alone"
                )
        for group in answer.by_move:
            end = kind.play_line(position, group.line)
            assert not group.line or kind.judge(end).solved
    assert grouped or "solutions" not in kind.questions


def test_moves_are_counted_under_the_solutions_that_have_them(kind: AnyKind) -> None:
    if "solutions" not in kind.questions:
        return
    ask = make_ask(kind)
    for position in (kind.sample(random.Random(seed), 3) for seed in range(12)):
        counted, listed = ask("count", position), ask("solutions", position)
        if not (counted.proven and listed.proven and counted.by_move):
            continue
        ends = [kind.play_line(position, line) for line in listed.solutions]
        for move, number in counted.by_move.items():
            assert sum(move in kind.counted_moves(end) for end in ends) == number, (
                f"by_move and counted_moves differ for {move} on {kind.write(position)}"
            )


def test_examples(kind: AnyKind, example: Example) -> None:
    position = kind.read(example.position)
    assert kind.write(position) == example.position, "write the position as the kind writes it"
    assert example.source and example.answers, "an example needs its answers and their source"
    kind.play_line(position, example.shown)
    for name, value in example.answers.items():
        answer = make_ask(kind)(name, position)
        assert str(answer.value) == value and answer.proven, (
            f"“{name}” of “{example.title}” must be {value}, but is {answer.value}"
        )
        check_line(kind, name, position, answer)
        if name == "count" and kind.family == "sequence" and answer.by_move:
            assert sum(answer.by_move.values()) == answer.value


def test_orders_make_boards(kind: AnyKind) -> None:
    for number, order in enumerate(orders(kind), 1):
        assert "generate" in kind.questions, "orders.py needs the question “generate”"
        options = kind.questions["generate"].options
        unknown = sorted(order.options.keys() - options.keys())
        assert not unknown, f"order {number} names options that “generate” lacks: {unknown}"
        kind.read(order.position)
        for name, value in order.options.items():
            assert options[name].read(options[name].write(value)) == value, (
                f"order {number}: {value!r} is not a value of the option “{name}”"
            )


def test_the_rules_load_without_numba(kind: AnyKind) -> None:
    module = type(kind).__module__
    made = "ready_kinds().values()" if kind.contents else f"[load({module!r})]"
    loaded = _loaded_to_play(made)
    assert not loaded, (
        f"importing {module} loads {loaded}: import them in the solvers alone, which questions "
        "name as text"
    )


@cache
def _loaded_to_play(made: str) -> str:
    """Return which of numba and numpy a new process loads to draw boards of some kinds. All ready
    tables have one module, so one process tells of them all."""
    script = f"""
import random, sys
sys.path[:0] = {sys.path!r}
from solvers.registry import examples, load, ready_kinds
for kind in {made}:
    position = kind.sample(random.Random(1), 3)
    kind.draw(position), kind.judge(position), list(kind.moves(position)), examples(kind)
    kind.editor.draw(kind.editor.blank(1, 1))
print(*sorted({{"numba", "numpy"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_tree_of_placements_has_each_solution_once(kind: AnyKind) -> None:
    if kind.branching is None or "solutions" not in kind.questions:
        return
    ask = make_ask(kind)
    for start in (kind.sample(random.Random(seed), 2) for seed in range(20)):
        if not kind.branching.suits(start):
            continue
        listed = ask("solutions", start)
        lines, waiting = list[str](), [start]
        while waiting:
            position = waiting.pop()
            if kind.judge(position).solved:
                lines.append(kind.solution(position))
            waiting += (kind.play(position, move) for move in kind.branching.moves(position))
        if listed.proven:
            ends = {kind.solution(kind.play_line(start, line)) for line in listed.solutions}
            assert len(lines) == len(ends) == listed.value
            assert set(lines) == ends
