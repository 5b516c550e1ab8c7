"""The page of a solved board: the solution found, how many there are, and what comes next."""

import re
from itertools import permutations

import pytest

from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play import restarts
from puzzleclass.play.attempts import current_attempt
from puzzleclass.puzzles.models import Puzzle
from tests.web.play.board_page import attempt, restart, send

__all__ = ["attempt"]


def counted(puzzle, value: str = "5", **answer) -> Job:
    return Job.objects.create(
        key=job_key(puzzle.kind_slug, "count", puzzle.position),
        kind_slug=puzzle.kind_slug,
        question="count",
        position=puzzle.position,
        queue="solve",
        state=Job.State.DONE,
        answer={"value": value, "proven": True, "moves": [], "details": {}} | answer,
    )


@pytest.fixture
def solve(play, lines):
    """Return a function that solves the board, with its last move in the browser, and returns the
    answer."""

    def solve(client, attempt, line: str = lines.solution) -> str:
        *moves, last = line.split()
        attempt = play(attempt, *moves)
        return " ".join(send(client, attempt, last).content.decode().split())

    return solve


def test_solving_is_celebrated_and_counted(student_client, attempt, solve):
    counted(attempt.puzzle)
    page = solve(student_client, attempt)
    assert "Solved!" in page
    assert 'class="flower"' in page
    assert "Solution 1 of 5" in page
    assert "Look for another solution" in page
    assert "data-board" not in page
    assert "Your solutions: 1 of 5" in page
    assert 'hx-target="#found"' in page


def test_a_solution_found_before_is_recognised(client_of, student, attempt, lines, solve):
    counted(attempt.puzzle)
    client = client_of(student, "ja")
    solve(client, attempt)
    restart(client, attempt)
    page = solve(client, current_attempt(student, attempt.puzzle), lines.other_solution)
    assert "5通りのうち2通り目" in page and "クラスで 新しい とき方です" in page
    restart(client, current_attempt(student, attempt.puzzle))
    page = solve(client, current_attempt(student, attempt.puzzle))
    assert "前に 見つけた とき方です。" in page and "まだ3通り かくれています。" in page
    assert "新発見" not in page


@pytest.mark.parametrize("why", ["not counted", "not to the end", "kept secret", "failed"])
def test_without_a_total_only_the_number_is_said(student_client, attempt, assignment, why, solve):
    if why == "not to the end":
        counted(attempt.puzzle, "3", proven=False)
    elif why == "kept secret":
        counted(attempt.puzzle)
        assignment.shows_total = False
        assignment.save()
    elif why == "failed":
        Job.objects.filter(pk=counted(attempt.puzzle).pk).update(state=Job.State.FAILED)
    page = solve(student_client, attempt)
    assert "Solution 1 <" in page
    assert not re.search(r"[Ss]olutions?:? \d of", page)


def test_a_student_who_has_found_all_is_told_so(student_client, attempt, solve):
    counted(attempt.puzzle, "1")
    page = solve(student_client, attempt)
    assert "There is one solution, and you have found it!" in page
    assert "Look for another solution" not in page


def test_nobody_looks_for_a_second_solution_where_there_is_one(
    student_client, attempt, assignment, solve
):
    counted(attempt.puzzle, "1")
    assignment.shows_total = False
    assignment.save()
    page = solve(student_client, attempt)
    assert "Play again" in page
    assert "another solution" not in page and " of 1" not in page
    restart(student_client, attempt)
    page = solve(student_client, current_attempt(attempt.student, attempt.puzzle))
    assert "you have found it!" in page and "still hidden" not in page


def test_another_solution_is_looked_for_on_a_fresh_board(student_client, attempt, solve):
    solve(student_client, attempt)
    page = restart(student_client, attempt).content.decode()
    assert "New attempt. The board is back at the start." in page
    assert 'name="step" value="0"' in page


def test_after_solving_the_next_puzzle_comes_first(
    student_client, student, classroom, puzzle, assign, lines, tried
):
    puzzles = list(assign(classroom, puzzle, puzzle, puzzle).puzzles.order_by("number"))

    def after(board) -> str:
        tried(student, board, lines.solution)
        return student_client.get(f"/play/{board.pk}/").content.decode()

    def button(board) -> str:
        return f'<a class="button large primary" href="/play/{board.pk}/" data-after>'

    page = after(puzzles[1])
    assert button(puzzles[2]) in page
    assert "2 to go" in page
    # After the last puzzle, the page offers those that are left.
    assert button(puzzles[0]) in after(puzzles[2])
    assert "Every puzzle of this set is solved!" in after(puzzles[0])


def test_the_flower_is_for_what_is_new_and_comes_once(student_client, student, attempt, solve):
    assert 'class="flower"' in solve(student_client, attempt)
    # The reloaded page says that the solution is new, but draws no flower.
    page = student_client.get(f"/play/{attempt.puzzle.pk}/").content.decode()
    assert "data-new" in page
    assert 'class="flower"' not in page
    restarts.restart(current_attempt(student, attempt.puzzle))
    again = solve(student_client, current_attempt(student, attempt.puzzle))
    assert "Solved!" in again and 'class="flower"' not in again


def test_solutions_that_look_alike_bear_the_order_of_their_moves(
    student_client, student, classroom, teacher, assign, tried
):
    board = Puzzle.objects.create(owner=teacher, kind_slug="tonari", position="Bw/bw", title="Four")
    (assigned_puzzle,) = assign(classroom, board).puzzles.all()
    line = next(
        " ".join(moves)
        for moves in permutations(["1,2", "2,1", "2,2"])
        if assigned_puzzle.kind.judge(
            assigned_puzzle.kind.play_line(assigned_puzzle.start, " ".join(moves))
        ).solved
    )
    tried(student, assigned_puzzle, line)
    page = student_client.get(f"/play/{assigned_puzzle.pk}/").content.decode()
    shown = page[page.index("found-list") :]
    assert sorted(re.findall(r'class="label"[^>]*>(\d)<', shown)) == ["1", "2", "3"]
