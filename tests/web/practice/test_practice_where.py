"""The page "See where" shows where a failed attempt was lost, and lets the student play on from
there."""

import pytest
from django.urls import reverse

from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt, RefusedMove, Step
from puzzleclass.play.restarts import restart
from puzzleclass.play.reviews import review_job
from solvers.contract import brute
from solvers.kind import split_moves

BOARDS = {
    "goishi": ("o./oo/../oo", "2,1 1,1"),
    "tonari": ("Bb/ww", "1,2"),
    "maxstrings": (".../... 4", "x 1,1 x 1,2"),
    "kikazu": ("3/3/3 RBG", "R 2,2"),
}
"""Kind -> a board, and moves that lose it."""

every_kind = pytest.mark.parametrize("slug", BOARDS)


@pytest.fixture
def failed(classroom, student, assign, tried, make_puzzle):
    """Return a function that lets the student fail at the kind's board and start again.

    It returns the failed attempt.
    """

    def failed(slug: str) -> Attempt:
        position, moves = BOARDS[slug]
        puzzle = make_puzzle(slug, position, "A board")
        attempt = tried(student, assign(classroom, puzzle).puzzles.get(), moves)
        restart(attempt)
        return Attempt.objects.get(pk=attempt.pk)

    return failed


def test_a_solved_board_does_not_look_back(student_client, failed):
    attempt = failed("goishi")
    again = current_attempt(attempt.student, attempt.puzzle)
    for step, move in enumerate(("1,1", "2,1", "2,2", "4,2", "4,1")):
        take_step(again, step, "move", move)
    again.refresh_from_db()
    assert again.state == Attempt.State.SOLVED
    board = student_client.get(reverse("play", args=[attempt.puzzle_id])).content.decode()
    assert reverse("where", args=[attempt.key]) not in board


@every_kind
def test_the_move_that_keeps_it_solvable(student_client, failed, done, slug):
    attempt = failed(slug)
    url = reverse("where", args=[attempt.key])
    board = reverse("play", args=[attempt.puzzle_id])
    # Nothing has gone wrong yet on a board on which nothing has been done.
    assert url not in student_client.get(board).content.decode()
    take_step(
        current_attempt(attempt.student, attempt.puzzle), 0, "move", split_moves(BOARDS[slug][1])[0]
    )
    assert url in student_client.get(board).content.decode()
    assert "Looking for the place" in student_client.get(url).content.decode()
    done(review_job(attempt))
    kind = attempt.puzzle.kind
    solve = brute.reference(kind, "count")
    page = student_client.get(url)
    fatal = page.context["review"].fatal
    assert fatal == (brute.reference(kind, "review") or brute.review)(kind, attempt.position)
    html = page.content.decode()
    assert "Find a move that keeps it solvable." in html
    assert "After the marked move: " in html and 'class="doomed"' in html
    # The move that the student made here is marked.
    assert html.count('class="refused"') == 1
    steps = Step.objects.count()
    before = kind.play_line(attempt.puzzle.start, " ".join(split_moves(attempt.line)[: fatal - 1]))
    seen = set()
    for move in list(kind.moves(before))[:12]:
        sent = {"move": kind.write_move(move)}
        page = student_client.post(url, sent)
        for job in Job.objects.exclude(state__in=Job.ENDED):
            done(job)
        page = student_client.post(url, {"line": sent["move"], "action": "look"})
        after = kind.play(before, move)
        is_good = kind.judge(after).solved or bool(solve(kind, after))
        assert page.context["is_good"] == is_good, sent
        seen.add(is_good)
    assert seen == {True, False}
    assert Step.objects.count() == steps and not RefusedMove.objects.exists()


def test_a_move_against_the_rules_is_told(student_client, failed, done):
    attempt = failed("goishi")
    done(review_job(attempt))
    page = student_client.post(reverse("where", args=[attempt.key]), {"move": "1,2"})
    assert page.status_code == 422 and "There is no stone" in page.content.decode()


def test_what_the_worker_does_not_know_is_not_said(student_client, failed, done, answered, broker):
    attempt = failed("goishi")
    done(review_job(attempt))
    url, sent = reverse("where", args=[attempt.key]), {"move": "1,1"}
    look = {"line": "1,1", "action": "look"}
    assert "Checking whether this move" in student_client.post(url, sent).content.decode()
    broker.kept.clear()
    said = student_client.post(url, look).content.decode()
    assert "The computer is not running just now." in said
    for job in Job.objects.exclude(state__in=Job.ENDED):
        answered(job, None, proven=False)
    page = student_client.post(url, look)
    assert "We could not determine whether this move is good." in page.content.decode()
    assert not (page.context["is_good"] or page.context["is_bad"])


def test_a_running_attempt_is_not_reported(student, student_client, assigned, tried, lines):
    attempt = tried(student, assigned, lines.lost)
    page = student_client.get(reverse("where", args=[attempt.key]))
    assert page.url == reverse("play", args=[assigned.pk])
    assert not Job.objects.filter(question="review").exists()


def test_a_board_without_a_move_is_asked_about_once(
    student, student_client, assigned, tried, lines
):
    attempt = tried(student, assigned, lines.jam)
    url = reverse("where", args=[attempt.key])
    assert url in student_client.get(reverse("play", args=[assigned.pk])).content.decode()
    for _ in range(2):
        assert student_client.post(url, headers={"HX-Request": "true"}).status_code == 200
    assert list(Job.objects.get(question="review").askers.all()) == [student]


def test_an_attempt_without_a_move_has_no_see_where_page(student, student_client, assigned, begun):
    attempt = begun(student, assigned)
    assert student_client.get(reverse("where", args=[attempt.key])).status_code == 404


def test_the_page_costs_few_queries(student_client, failed, done, queries_of):
    for slug in BOARDS:
        attempt = failed(slug)
        done(review_job(attempt))
        assert queries_of(student_client, reverse("where", args=[attempt.key])) <= 6
