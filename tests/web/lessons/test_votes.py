"""Votes on a position: two rounds, and then the exact truth about every answer."""

import random
import re
from collections import Counter
from contextlib import suppress

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import Pace
from puzzleclass.assignments.pace import change_pace
from puzzleclass.assignments.services import set_puzzles
from puzzleclass.http import NOTHING_NEW
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.models import Ballot, Vote
from puzzleclass.lessons.votes import NumberLine, advance_vote, begin_vote, cast, results_of
from solvers.contract.brute import reference
from solvers.kind import PuzzleError
from solvers.registry import kinds

HTMX = {"HX-Request": "true"}
VERSIONS = r'name="have"[^>]*value="([^"]+)"'


@pytest.fixture
def begin(teacher_client):
    """Return a function that asks the class, as a press on a page does."""

    def begin(puzzle, question: str = "move", **fields: object) -> Vote:
        url = reverse("vote_new", args=[puzzle.pk])
        answer = teacher_client.post(url, {"question": question, **fields})
        assert answer.url == reverse("lesson", args=[puzzle.assignment_id])
        return Vote.objects.exclude(stage="over").get()

    return begin


@pytest.fixture
def answer():
    """Return a function that answers a vote in a browser."""

    def answer(client, vote, text: str):
        return client.post(reverse("vote", args=[vote.pk]), {"answer": text}, headers=HTMX)

    return answer


@pytest.fixture
def stage(teacher_client):
    """Return a function that brings the running vote to a stage."""

    def stage(vote, name: str) -> str:
        url = reverse("lead", args=[vote.assignment_id])
        return teacher_client.post(url, {"do": f"vote:{name}"}, headers=HTMX).content.decode()

    return stage


@pytest.fixture
def all_done(done):
    """Return a function that lets the worker answer everything that was asked."""

    def all_done() -> None:
        for job in Job.objects.filter(state=Job.State.WAITING):
            done(job)

    return all_done


def test_a_class_votes_twice_and_sees_what_each_move_leaves(
    begin, answer, stage, all_done, client_of, student, classmate, student_client, assigned
):
    vote, other = begin(assigned), client_of(classmate)
    answer(student_client, vote, "1,1")
    answer(other, vote, "4,2")
    all_done()
    page = stage(vote, "talk")
    assert "Solutions:" not in page and "no solution" not in page
    stage(vote, "second")
    answer(student_client, vote, "1,1")
    answer(other, vote, "1,1")
    all_done()
    page = stage(vote, "revealed")
    assert "no solution" in page and "Solutions:" in page
    assert "50% before talking, 100% after" in page
    result = results_of([vote])[0]
    assert result.ballots == {1: {"1,1": 1, "4,2": 1}, 2: {"1,1": 2}}


def test_the_truth_is_nowhere_before_it_is_revealed(
    begin, answer, stage, all_done, student_client, teacher_client, assigned
):
    vote = begin(assigned)
    all_done()
    url = reverse("vote", args=[vote.pk])
    before = student_client.get(url).content
    answer(student_client, vote, "4,2")
    lesson = reverse("lesson", args=[assigned.assignment_id])
    assert b"no solution" not in teacher_client.get(lesson).content
    Job.objects.all().delete()

    def without_token(page: bytes) -> str:
        return page.decode().split("csrfmiddlewaretoken")[0]

    Ballot.objects.all().delete()
    assert without_token(student_client.get(url).content) == without_token(before)


@pytest.mark.parametrize("slug", ["goishi", "tonari", "maxstrings", "kikazu"])
def test_the_revealed_numbers_agree_with_a_brute_force(
    slug, teacher, student, classroom, make_puzzle, assign, all_done
):
    kind, rng = kinds()[slug], random.Random(4)
    for _ in range(3):
        start = kind.sample(rng, 2)
        puzzle = assign(classroom, make_puzzle(slug, kind.write(start))).puzzles.get()
        moves = [kind.write_move(move) for move in kind.moves(start)][:12]
        for move in moves:
            vote = begin_vote(teacher, puzzle, "", Vote.Question.MOVE)
            cast(vote, student, move)
            advance_vote(teacher, vote, "second")
            all_done()
            (outcome,) = results_of([vote])[0].outcomes
            after = kind.play(start, kind.read_move(move))
            assert outcome.count and outcome.count.proven
            assert outcome.count.value == reference(kind, "count")(kind, after), (
                kind.write(start),
                move,
            )
            assert outcome.is_right == bool(outcome.count.value)
            assert (outcome.continuation is not None) == outcome.is_right


def test_whether_it_can_be_solved_and_how_many_solutions(
    begin, answer, stage, all_done, student_client, assigned
):
    vote = begin(assigned, "solvable", line="4,2")
    answer(student_client, vote, "yes")
    stage(vote, "second")
    answer(student_client, vote, "no")
    all_done()
    stage(vote, "revealed")
    result = results_of([vote])[0]
    assert result.gain == (0, 100)
    vote = begin(assigned, "count")
    answer(student_client, vote, "5")
    stage(vote, "second")
    answer(student_client, vote, "7")
    all_done()
    page = stage(vote, "revealed")
    assert "Solutions from this board: 5" in page
    assert results_of([vote])[0].gain == (100, 0)


def test_a_bound_is_marked_as_one(begin, answer, stage, answered, student_client, assigned):
    vote = begin(assigned)
    stage(vote, "second")
    answer(student_client, vote, "1,1")
    stage(vote, "revealed")
    for job in Job.objects.filter(state=Job.State.WAITING):
        answered(job, 3, proven=False)
    lesson = reverse("vote_list", args=[assigned.assignment_id])
    client = student_client
    assert client.get(lesson).status_code == 403
    outcome = results_of([vote])[0].outcomes[0]
    assert outcome.count and not outcome.count.proven and outcome.is_right


def test_a_faulty_answer_is_refused(begin, answer, student_client, assigned):
    vote = begin(assigned)
    for text in ("", "9,9", "1,2", "yes", "x" * 500):
        assert answer(student_client, vote, text).headers["Refused"] == "422"
    vote = begin(assigned, "count")
    for text in ("-1", "many", "9" * 19, "1.5"):
        assert answer(student_client, vote, text).headers["Refused"] == "422"
    assert not Ballot.objects.exists()


def test_no_ballot_is_taken_while_the_class_talks(begin, answer, stage, student_client, assigned):
    vote = begin(assigned)
    stage(vote, "talk")
    assert "came too late" in answer(student_client, vote, "1,1").content.decode()
    assert not Ballot.objects.exists()


def test_a_later_answer_replaces_the_first(begin, answer, student_client, assigned):
    vote = begin(assigned)
    answer(student_client, vote, "1,1")
    answer(student_client, vote, "2,1")
    assert Ballot.objects.get().answer == "2,1"


def test_a_page_that_is_loaded_again_knows_the_answer(begin, answer, student_client, assigned):
    vote = begin(assigned)
    url = reverse("vote", args=[vote.pk])
    assert "Your answer:" not in student_client.get(url).content.decode()
    answer(student_client, vote, "1,1")
    assert "Your answer:" in student_client.get(url).content.decode()


def test_the_lesson_page_is_told_of_each_ballot(
    begin, answer, teacher_client, client_of, student_client, classmate, assigned
):
    vote = begin(assigned)
    url = reverse("lesson", args=[assigned.assignment_id])
    for client, number in ((student_client, 1), (client_of(classmate), 2)):
        have = {"have": re.findall(VERSIONS, teacher_client.get(url).content.decode())}
        assert teacher_client.get(url, have, headers=HTMX).status_code == NOTHING_NEW
        answer(client, vote, "1,1")
        page = teacher_client.get(url, have, headers=HTMX)
        assert f"Answers: {number} of" in page.content.decode()


@pytest.mark.parametrize("name", ["talk", "second", "over"])
def test_students_are_told_of_each_stage(name, begin, stage, student_client, assigned):
    vote = begin(assigned)
    url = reverse("lesson_now")
    have = {"have": student_client.get(url, headers=HTMX).context["version"]}
    assert student_client.get(url, have, headers=HTMX).status_code == NOTHING_NEW
    stage(vote, name)
    news = student_client.get(url, have, headers=HTMX).content.decode()
    assert (f'data-stage="{vote.pk}.{name}"' in news) is (name != "over")


def test_the_truth_needs_a_second_round(begin, stage, assigned):
    vote = begin(assigned)
    stage(vote, "revealed")
    vote.refresh_from_db()
    assert vote.stage == Vote.Stage.FIRST


def test_students_are_led_to_the_vote_and_back(begin, stage, student_client, assigned):
    vote = begin(assigned)
    url = reverse("lesson_now")
    page = student_client.get(url, headers=HTMX).content.decode()
    assert f'data-go="/votes/{vote.pk}/"' in page and f'data-stage="{vote.pk}.first"' in page
    stage(vote, "over")
    assert "data-go" not in student_client.get(url, headers=HTMX).content.decode()
    assert student_client.get(reverse("vote", args=[vote.pk])).url == f"/play/{assigned.pk}/"


def test_students_leave_a_vote_whose_board_is_deleted(
    begin, student_client, classroom, assign, make_puzzle
):
    assignment = assign(classroom, *(make_puzzle("goishi", "ooo") for _ in range(2)))
    kept, other = assignment.puzzles.order_by("number")
    vote = begin(other)
    url = reverse("lesson_now")
    page = student_client.get(url, headers=HTMX)
    set_puzzles(assignment, [kept])
    news = student_client.get(url, {"have": page.context["version"]}, headers=HTMX)
    assert news.status_code == 200 and "data-go" not in news.content.decode()
    ballot = student_client.post(reverse("vote", args=[vote.pk]), {"answer": "1,1"}, headers=HTMX)
    assert ballot.status_code == 404


def test_a_new_vote_ends_the_one_before(begin, assigned):
    first = begin(assigned)
    begin(assigned, "solvable")
    first.refresh_from_db()
    assert first.stage == Vote.Stage.OVER


def test_a_replay_asks_about_the_moves_on_the_board(begin, assigned):
    assert begin(assigned, line="1,1 2,1 2,2", moves="2").line == "1,1 2,1"


def test_a_position_without_moves_has_no_next_move(teacher_client, assigned, lines):
    url = reverse("vote_new", args=[assigned.pk])
    fields = {"question": "move", "line": lines.jam}
    page = teacher_client.post(url, fields, follow=True).content.decode()
    assert "No move is left on this board" in page
    assert not Vote.objects.exists()


@pytest.mark.parametrize("line", ["9,9", "nonsense", "1,1 1,1"])
def test_a_line_that_cannot_be_played_is_told(teacher_client, assigned, line):
    url = reverse("vote_new", args=[assigned.pk])
    answer = teacher_client.post(url, {"question": "move", "line": line}, follow=True)
    assert answer.status_code == 200 and not Vote.objects.exists()


def test_a_forged_line_with_a_number_of_moves_is_told(teacher_client, assigned):
    url = reverse("vote_new", args=[assigned.pk])
    fields = {"question": "move", "line": "<b>", "moves": "1"}
    page = teacher_client.post(url, fields, follow=True)
    assert page.status_code == 200 and "is not a move" in page.content.decode()
    assert not Vote.objects.exists()


def test_a_paused_class_and_an_archived_class_do_not_vote(
    begin, answer, student_client, assigned, classroom
):
    vote = begin(assigned)
    change_pace(assigned.assignment, is_paused=True)
    assert "has paused the boards" in answer(student_client, vote, "1,1").content.decode()
    assert not Ballot.objects.exists()
    change_pace(assigned.assignment, is_paused=False)
    classroom.archived_at = timezone.now()
    classroom.save()
    assert answer(student_client, vote, "1,1").status_code == 404
    assert not Ballot.objects.exists()


def test_an_answer_that_comes_too_late_is_told_so(begin, stage, student_client, assigned):
    vote = begin(assigned)
    url = reverse("vote", args=[vote.pk])
    first = re.search(r'name="round" value="(.)"', student_client.get(url).content.decode())[1]
    for name in ("talk", "second", "revealed", "over"):
        stage(vote, name)
        late = student_client.post(url, {"answer": "1,1", "round": first}, headers=HTMX)
        assert "came too late" in late.content.decode(), name
        assert late.headers["Refused"] == "422"
    assert not Ballot.objects.exists()


@pytest.fixture
def asking_pages(student, assigned, tried):
    """Return the addresses of the pages that offer a vote."""
    attempt = tried(student, assigned, "1,1")
    return [
        reverse("class_map", args=[assigned.pk]),
        reverse("replay", args=[attempt.key]),
        reverse("trial", args=[assigned.trial_name]),
    ]


def test_only_those_who_may_ask_see_the_button(
    teacher_client, substitute_client, asking_pages, assigned
):
    button = f'action="{reverse("vote_new", args=[assigned.pk])}"'
    for page in asking_pages:
        assert button in teacher_client.get(page).content.decode(), page
        assert button not in substitute_client.get(page).content.decode(), page


def test_an_archived_class_is_not_asked(teacher_client, asking_pages, classroom):
    classroom.archived_at = timezone.now()
    classroom.save()
    for page in asking_pages:
        assert "votes/new" not in teacher_client.get(page).content.decode(), page


def test_a_vote_is_begun_from_the_teachers_own_trial(teacher_client, begin, assigned):
    step = {"action": "move", "move": "1,1", "step": 0}
    url = reverse("trial_step", args=[assigned.trial_name])
    page = teacher_client.post(url, step, headers=HTMX).content.decode()
    form = page.split(f'action="{reverse("vote_new", args=[assigned.pk])}"')[1].split("</form>")[0]
    assert '<input type="hidden" name="line" value="1,1">' in form
    assert "csrfmiddlewaretoken" in form
    vote = begin(assigned, line="1,1")
    assert (vote.puzzle, vote.line) == (assigned, "1,1")


def test_the_number_of_votes_is_bounded(teacher, assigned, monkeypatch, teacher_client):
    monkeypatch.setattr(Vote, "MAX_COUNT", 1)
    url = reverse("vote_new", args=[assigned.pk])
    assert teacher_client.post(url, {"question": "move"}).status_code == 302
    assert teacher_client.post(url, {"question": "move"}).status_code == 429


LARGE = {
    "goishi": "/".join(["o" * 9] * 9),
    "tonari": "B" + "/".join(["b" * 6] * 6)[1:],
    "maxstrings": "/".join(["." * 9] * 9),
    "kikazu": "9/9/9/9/9/9/9/9/9 2R2B4N32P",
}


@pytest.mark.parametrize("slug", LARGE)
def test_a_vote_page_is_sent_in_less_than_20_kb(
    slug, begin, student_client, classroom, assign, make_puzzle
):
    board = assign(classroom, make_puzzle(slug, LARGE[slug])).puzzles.get()
    url = reverse("vote", args=[begin(board).pk])
    page = student_client.get(url, headers={"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    assert len(page.content) < 20_000


def test_a_lesson_page_with_a_vote_asks_the_same_queries_for_forty_students(
    teacher, teacher_client, classroom, make_class, assign, puzzle, queries_of
):
    numbers = []
    for room in (classroom, make_class(teacher, "Large", *(f"Student {n}" for n in range(40)))):
        board = assign(room, puzzle).puzzles.get()
        vote = begin_vote(teacher, board, "", Vote.Question.MOVE)
        for student in room.students.all():
            with suppress(PuzzleError):
                cast(vote, student, random.choice(["1,1", "2,1", "2,2", "4,1", "4,2"]))
        numbers.append(queries_of(teacher_client, reverse("lesson", args=[board.assignment_id])))
    assert numbers[0] == numbers[1]


def test_a_forgotten_vote_ends_with_its_lesson(begin, student_client, assigned):
    begin(assigned)
    Vote.objects.update(begun_at=timezone.now() - Pace.LASTS)
    url = reverse("lesson_now")
    assert "data-go" not in student_client.get(url, headers=HTMX).content.decode()


def test_estimates_fill_the_number_line_and_a_right_one_is_marked():
    line = NumberLine.of(Counter({"5": 3, "12": 1, "400": 2}), 5)
    assert [each.x for each in line.estimates][::2] == [40, NumberLine.WIDTH - 40]
    assert [each.is_right for each in line.estimates] == [True, False, False]
    assert line.truth is None
    without = NumberLine.of(Counter({"12": 1}), 5)
    assert without.truth == (40, "5")
    both = NumberLine.of(Counter({"5": 2}), None, Counter({"5": 1, "9": 3}))
    counted = [(each.number, each.ballots, each.first) for each in both.estimates]
    assert counted == [("5", 2, 1), ("9", 0, 3)]
    hidden = NumberLine.of(Counter({"12": 1}), None)
    assert hidden.truth is None and not hidden.estimates[0].is_right


def test_a_vote_that_ended_in_its_first_round_shows_that_round_only(
    teacher_client, begin, answer, stage, all_done, student_client, assigned
):
    unanswered = begin(assigned)
    stage(unanswered, "over")
    vote = begin(assigned)
    answer(student_client, vote, "1,1")
    stage(vote, "over")
    all_done()
    page = teacher_client.get(reverse("vote_list", args=[assigned.assignment_id]))
    once, never = page.context["results"]
    assert (once.number, once.has_second, never.number) == (1, False, 0)
    text = page.content.decode()
    assert text.count("1st vote") == 2 and "2nd vote" not in text
    assert text.count("Nobody answered.") == 1
