"""A step that the browser has drawn and said as the server would is answered without a content."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from puzzleclass.assignments.models import Assignment
from puzzleclass.language.reader import say
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt, HintUse
from solvers.kind import split_moves
from solvers.picture import Spot
from solvers.registry import kinds, ready_kinds

HTMX = {"HX-Request": "true"}
QUEENS = ready_kinds()["queens"]


@pytest.fixture
def attempt(student, classroom, assign, make_puzzle):
    """Return a function that returns an attempt at a board, after its first step."""

    def attempt(kind=QUEENS, position="6x6", first="o 1,1", **options: object) -> Attempt:
        puzzle = assign(classroom, make_puzzle(kind.slug, position), **options).puzzles.get()
        return take_step(current_attempt(student, puzzle), 0, "move", first)

    return attempt


@pytest.fixture
def send(student_client):
    """Return a function that sends a move with what the browser expects after it, and returns the
    status and the number of the next step."""

    def send(attempt: Attempt, move: str, expects: str | None = None, tool: str = "", **more):
        line = f"{attempt.line} {move}".strip()
        right = f"{attempt.number_of_moves + 1} {Attempt(line=line).mark}"
        fields = {"action": "move", "step": attempt.next_step, "move": move, "tool": tool}
        fields |= {"expects": right if expects is None else expects} | more
        answer = student_client.post(attempt.addresses["step"], fields, headers=HTMX)
        assert Attempt.objects.get(pk=attempt.pk).next_step == attempt.next_step + 1
        assert bool(answer.content) == (answer.status_code == 200)
        return answer.status_code, answer.headers.get("Next-Step")

    return send


def test_an_expected_step_is_stored_without_a_content(attempt, send):
    begun = attempt()
    assert send(begun, "o 2,3") == (204, "2")
    begun.refresh_from_db()
    assert begun.line == "o 1,1 o 2,3"


@pytest.mark.parametrize("expects", ["", "2", "3 0", "refusal", "2 ffffff"])
def test_what_the_browser_does_not_expect_is_drawn(attempt, send, expects):
    assert send(attempt(), "o 2,3", expects) == (200, None)


def test_an_undo_is_answered_in_the_same_way(attempt, student_client):
    begun = take_step(attempt(), 1, "move", "o 2,3")
    fields = {"action": "undo", "step": 2, "expects": f"1 {Attempt(line='o 1,1').mark}"}
    answer = student_client.post(begun.addresses["step"], fields, headers=HTMX)
    assert (answer.status_code, answer["Next-Step"]) == (204, "3")


def test_a_step_that_was_sent_twice_is_drawn(attempt, student_client):
    begun = attempt()
    mark = Attempt(line="o 1,1 o 2,3").mark
    fields = {"action": "move", "step": 1, "move": "o 2,3", "expects": f"2 {mark}"}
    answers = [
        student_client.post(begun.addresses["step"], fields, headers=HTMX).status_code
        for _ in range(2)
    ]
    assert answers == [204, 200]


def test_the_first_step_of_an_attempt_is_drawn(student, classroom, assign, make_puzzle, send):
    puzzle = assign(classroom, make_puzzle(QUEENS.slug, "6x6")).puzzles.get()
    first = current_attempt(student, puzzle)
    first.save()
    assert send(first, "o 1,1") == (200, None)


def test_a_solved_board_is_drawn(attempt, send):
    first, second, last = split_moves(QUEENS.introduction[0].solution)
    begun = attempt(position=QUEENS.introduction[0].position, first=first)
    assert send(take_step(begun, 1, "move", second), last) == (200, None)


def test_the_look_ahead_is_told(attempt, send):
    assert send(attempt(warns=True), "o 2,3") == (200, None)


def test_it_is_told_that_the_work_is_late(attempt, send):
    begun, now = attempt(), timezone.now()
    late = {"due_at": now - timedelta(minutes=1), "late_until": now + timedelta(days=1)}
    Assignment.objects.update(**late)
    assert send(begun, "o 2,3") == (200, None)


def test_hints_are_told(attempt, send):
    begun = attempt(hints=3)
    assert send(begun, "o 2,3")[0] == 204
    Attempt.objects.filter(pk=begun.pk).update(awaited_hint=HintUse.Level.ALIVE)
    begun.refresh_from_db()
    assert send(begun, "o 3,5")[0] == 200
    Attempt.objects.filter(pk=begun.pk).update(hints_taken=1)
    begun.refresh_from_db()
    assert send(begun, "o 4,1")[0] == 200


def test_kinds_whose_pictures_need_the_server_are_drawn(attempt, send):
    begun = attempt(kinds()["goishi"], "ooo/ooo/ooo", "1,1")
    assert send(begun, "1,2") == (200, None)


@pytest.mark.parametrize(("tool", "status"), [("=1", 204), ("=9", 200), ("", 200)])
def test_a_tool_that_the_board_does_not_have_is_drawn(attempt, send, tool, status):
    begun = attempt(ready_kinds()["sudoku"], "4x4", "=1 1,1")
    assert send(begun, "=1 2,3", tool=tool)[0] == status


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", ready_kinds())
def test_labels_follow_from_the_names_of_the_states(name, language):
    """The browser puts one name in the place of the other (static/optimistic-ui.js)."""
    kind = ready_kinds()[name]
    assert kind.presses.names.keys() == kind.presses.looks.keys()
    with translation.override(language):
        names = {state: say(message) for state, message in kind.presses.names.items()}
        for tiny in kind.introduction:
            position = kind.read(tiny.position)
            tools = kind.tools.names(position) if kind.tools else {"": None}
            for tool in tools:
                drawn = kind.tools.draw(position, tool) if kind.tools else kind.draw(position)
                for spot in (each for each in drawn.shapes if isinstance(each, Spot)):
                    if not spot.state or spot.is_closed:
                        continue
                    prefix, state = kind.presses.rules[tool][spot.state]
                    at = f"{spot.row + 1},{spot.column + 1}"
                    assert spot.move == f"{prefix} {at}".strip()
                    after = kind.play(position, kind.read_move(spot.move))
                    again = kind.tools.draw(after, tool) if kind.tools else kind.draw(after)
                    there = next(
                        each
                        for each in again.shapes
                        if isinstance(each, Spot)
                        and (each.row, each.column) == (spot.row, spot.column)
                    )
                    assert there.state == state
                    label = say(spot.label).replace(names[spot.state], names[state], 1)
                    assert say(there.label) == label
                    others = [shape for shape in drawn.shapes if shape != spot]
                    assert [shape for shape in again.shapes if shape != there] == others
                    rule = kind.presses.rules[tool].get(state)
                    assert there.is_closed == (rule is None)
                    assert rule is None or there.move == f"{rule[0]} {at}".strip()
