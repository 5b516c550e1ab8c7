"""Back and on again over the moves of a try: redo, and many moves at once."""

import pytest

from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(student, assigned):
    return current_attempt(student, assigned)


def test_what_was_taken_back_can_be_made_again(attempt, lines, play):
    first, second = lines.solution.split()[:2]
    after = play(attempt, f"{first} {second}")
    assert (after.undone, after.redo) == ("", "")
    after = take_step(after, 2, "undo")
    after = take_step(after, 3, "undo")
    assert (after.line, after.undone) == ("", f"{first} {second}")
    again = take_step(after, 4, "move", after.redo)
    assert (again.line, again.undone) == (first, second)
    again = take_step(again, 5, "move", again.redo)
    assert (again.line, again.undone) == (f"{first} {second}", "")


def test_another_move_leads_elsewhere(attempt, lines, play):
    first, *_ = lines.solution.split()
    after = take_step(play(attempt, first), 1, "undo")
    other = next(
        attempt.puzzle.kind.write_move(move)
        for move in attempt.puzzle.kind.moves(after.position)
        if attempt.puzzle.kind.write_move(move) != first
    )
    assert take_step(after, 2, "move", other).undone == ""


def go_to(client, attempt, step, moves):
    return client.post(
        f"/attempts/{attempt.key}/moves/",
        {"step": step, "moves": moves},
        headers={"HX-Request": "true"},
    )


def test_many_moves_at_once_are_steps_like_others(student_client, attempt, lines, play):
    line = lines.solution.split()[:3]
    play(attempt, " ".join(line))
    assert go_to(student_client, attempt, 3, 1).status_code == 200
    now = Attempt.objects.get()
    assert (now.line, now.undone) == (line[0], " ".join(line[1:]))
    assert now.next_step == now.steps.count() == 5
    assert go_to(student_client, attempt, 5, 3).status_code == 200
    now = Attempt.objects.get()
    assert (now.line, now.undone, now.next_step) == (" ".join(line), "", 7)


def test_moves_that_are_not_there_and_boards_that_went_on_are_refused(
    student_client, attempt, lines, play
):
    play(attempt, lines.solution.split()[0])
    for step, moves, status in ((1, 2, 422), (0, 0, 409), (1, "x", 400), (1, -1, 400)):
        assert go_to(student_client, attempt, step, moves).status_code == status
    assert Attempt.objects.get().next_step == 1


def test_the_page_offers_the_move_that_comes_again(student_client, attempt, lines, play):
    first = lines.solution.split()[0]
    after = take_step(play(attempt, first), 1, "undo")
    page = student_client.get(f"/play/{attempt.puzzle_id}/").content.decode()
    assert f'value="{first}"' in page.split('name="redo"')[1].split(">")[0]
    answer = student_client.post(
        f"/attempts/{attempt.key}/steps/",
        {"step": after.next_step, "redo": first},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 200
    assert Attempt.objects.get().line == first
