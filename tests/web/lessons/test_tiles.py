"""The class in a lesson: what each student does, who needs help now, and its cost."""

import gzip
import random
import re
from datetime import timedelta
from time import thread_time
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.lesson_models import Attendance, Pace
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import change_pace
from puzzleclass.lessons.tiles import WallState, wall_of
from puzzleclass.play.attempts import take_step
from puzzleclass.play.models import Attempt, RefusedMove
from puzzleclass.play.needs import Reason
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.restarts import restart
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.stats.dead_ends import look_at_running_attempts
from puzzleclass.stats.models import Look
from solvers.kind import split_moves
from solvers.registry import get_kind

HTMX = {"HX-Request": "true"}


@pytest.fixture
def url(assignment) -> str:
    return f"/assignments/{assignment.pk}/lesson/"


@pytest.fixture
def poll():
    """Return a function that asks for the changes since a page or an answer, as the page does."""

    def poll(client, url, page):
        have = re.findall(r'name="have"[^>]*value="([^"]+)"', page)
        asked = urlencode({"have": have}, doseq=True)
        return client.get(f"{url}{'&' if '?' in url else '?'}{asked}", headers=HTMX)

    return poll


def lost(attempt: Attempt, since: int | None) -> None:
    """Store that the worker found the attempt lost since some move."""
    Look.objects.update_or_create(
        attempt=attempt, defaults={"line": attempt.line, "is_lost": True, "since": since}
    )


def ago(attempt: Attempt, **time: int) -> None:
    Attempt.objects.filter(pk=attempt.pk).update(last_at=timezone.now() - timedelta(**time))


# Access


def test_a_student_of_another_class_is_not_on_it(teacher_client, url, other_student):
    page = teacher_client.get(f"{url}?student={other_student.pk}").content.decode()
    assert other_student.name not in page


# What each student does


def test_a_tile_says_who_has_not_come_to_the_lesson(assignment, assigned, classroom, tried):
    first, second, _third = classroom.students.order_by("enrolments__number")
    tried(first, assigned, "1,1")
    ago(tried(first, assigned), hours=2)
    Pace.objects.create(assignment=assignment, begun_at=timezone.now())
    Attendance.objects.create(assignment=assignment, student=second, came_at=timezone.now())
    said = [tile.description for tile in wall_of(Assignment.objects.get()).tiles]
    assert said == ["Not here yet · No move for over an hour", "Not started", "Not here yet"]
    counts = {state: n for state, n in wall_of(Assignment.objects.get()).counts if n}
    assert counts == {WallState.NOT_HERE: 2, WallState.NOT_STARTED: 1}
    ago(tried(first, assigned), seconds=0)
    wall = wall_of(Assignment.objects.get())
    assert wall.tiles[0].description == "Move 1"
    assert {tile.student for tile in wall.here} == {first.pk, second.pk}


def test_every_state(assignment, assigned, classroom, tried, lines, make_class):
    first, second, third = classroom.students.order_by("enrolments__number")
    tried(first, assigned)  # opened, without a move

    def states() -> list[tuple[WallState, str]]:
        return [(tile.state, tile.description) for tile in wall_of(assignment).tiles]

    assert states() == [(WallState.NOT_STARTED, "Not started")] * 3
    tried(first, assigned, "1,1")
    tried(second, assigned, lines.solution)
    lost(tried(third, assigned, lines.lost), 1)
    assert states() == [
        (WallState.WORKING, "Move 1"),
        (WallState.SOLVED, "Solved"),
        (WallState.STUCK, "Stuck since move 1"),
    ]
    ago(tried(first, assigned), minutes=4)
    ago(tried(third, assigned), hours=2)
    assert [said for _, said in states()] == [
        "No move for 4 min",
        "Solved",
        "Stuck since move 1 · No move for over an hour",
    ]
    ago(tried(third, assigned), minutes=4)
    need = wall_of(assignment).tiles[2].need
    assert need.words == "Stuck since move 1 · No move for 4 min"


def test_who_is_stuck_now_has_pressed_lately_or_is_in_a_lesson(
    assignment, assigned, student, tried, lines
):
    lost(tried(student, assigned, lines.lost), 1)

    def stuck_after(*minutes: int) -> list[tuple[int, int]]:
        found = []
        for each in minutes:
            ago(Attempt.objects.get(student=student), minutes=each)
            shown = wall_of(assignment)
            needs = [tile.need for tile in shown.in_need if tile.need.reason == Reason.STUCK]
            found.append((dict(shown.counts)[WallState.STUCK], len(needs)))
            assert shown.tiles[0].description.startswith("Stuck since move 1")
        return found

    assert stuck_after(1, 5, 20, 120) == [(1, 1), (1, 1), (0, 0), (0, 0)]
    change_pace(assignment)
    assert stuck_after(1, 5, 20, 120) == [(1, 1)] * 4


@pytest.mark.parametrize("press", ["pause", "look-back", "ask:solvable", "ask:free", "ask:solve"])
def test_nobody_needs_help_with_a_board_that_cannot_be_played(
    press, teacher_client, assignment, assigned, classroom, tried, lines
):
    """Those who have asked are listed. Afterwards, the time of the question is no idle time."""
    stuck, idle, asks = classroom.students.order_by("enrolments__number")
    lead = reverse("lead", args=[assignment.pk])
    teacher_client.post(lead, {"do": "begin"})
    lost(tried(stuck, assigned, lines.lost), 1)
    ago(tried(idle, assigned, "1,1"), minutes=8)
    for each in (stuck, idle, asks):
        Attendance.objects.create(assignment=assignment, student=each, came_at=timezone.now())

    def in_need() -> list[Reason]:
        return [tile.need.reason for tile in wall_of(Assignment.objects.get()).in_need]

    Pace.objects.update(plays_since=None)
    assert in_need() == [Reason.STUCK, Reason.IDLE, Reason.NOT_STARTED]
    Attendance.objects.filter(student=asks).update(asked_at=timezone.now())
    fields = {"words": "Why?", "answer_form": "sentence", "board": assigned.pk}
    teacher_client.post(lead, {"do": press} | fields)
    assert in_need() == [Reason.ASKED]
    states = {tile.student: tile.state for tile in wall_of(Assignment.objects.get()).tiles}
    assert states[idle.pk] != WallState.AWAY
    teacher_client.post(lead, {"do": "resume"})
    teacher_client.post(lead, {"do": "free"})
    if press != "ask:solve":
        # A board that is solved together begins anew.
        assert in_need() == [Reason.ASKED, Reason.STUCK]
    Pace.objects.update(plays_since=timezone.now() - timedelta(minutes=4))
    assert Reason.IDLE in in_need() or press == "ask:solve"


def test_the_wall_shows_the_untouched_board_of_a_student_who_began_again(
    assignment, assigned, student, tried, lines
):
    lost(tried(student, assigned, lines.lost), 1)
    restart(Attempt.objects.get(student=student))
    [tile, *_others] = wall_of(assignment).tiles
    assert (tile.line, tile.state, tile.need) == ("", WallState.WORKING, None)
    assert tile.description == "New board"


def test_a_tile_names_the_puzzle_so_that_it_is_no_score(
    teacher_client, classroom, puzzle, assign, student, tried
):
    assignment = assign(classroom, *[puzzle] * 6)
    tried(student, assignment.puzzles.get(number=6), "1,1")
    page = teacher_client.get(f"/assignments/{assignment.pk}/lesson/").content.decode()
    assert "<small>No. 6</small>" in page and "6/6" not in page


def test_a_jam_is_a_dead_end_at_once(assignment, assigned, student, tried, lines):
    tried(student, assigned, lines.jam)
    tile = wall_of(assignment).tiles[0]
    assert (tile.state, tile.description) == (WallState.STUCK, "Stuck")
    assert tile.need.words == "Stuck; no move is left"


def test_going_on_from_a_dead_end_stays_one_and_going_back_does_not(
    assignment, assigned, student, tried, lines
):
    lost(tried(student, assigned, lines.jam.split()[0]), 1)
    tried(student, assigned, lines.jam.split()[1])
    assert wall_of(assignment).tiles[0].description == "Stuck since move 1"
    tried(student, assigned, "undo", "undo", "1,1")
    assert wall_of(assignment).tiles[0].state == WallState.WORKING


def test_it_shows_the_puzzle_each_is_at_or_one_of_them(
    teacher_client, classroom, puzzle, assign, student, classmate, tried, lines
):
    other = Puzzle.objects.create(owner=puzzle.owner, kind_slug="goishi", position="ooo", title="3")
    assignment = assign(classroom, puzzle, other)
    first, second = assignment.puzzles.all()
    ago(tried(student, first, lines.solution), minutes=1)
    tried(student, second, "1,1")
    tried(classmate, first, "1,1")
    tiles = wall_of(assignment).tiles
    assert [tile.puzzle for tile in tiles] == [second, first, None]
    assert [tile.puzzle for tile in wall_of(assignment, first.pk).tiles] == [first, first, None]
    for sent in ("", str(first.pk), "x", "9" * 30):
        query = {"student": sent, "view": sent, "have": sent}
        page = teacher_client.get(f"/assignments/{assignment.pk}/lesson/", query)
        assert page.status_code == 200


# Who needs help now


def test_students_in_need_come_first_with_the_reason(teacher, make_class, puzzle, assign, tried):
    classroom = make_class(teacher, "Many", *"abcdefgh")
    assignment = assign(classroom, puzzle)
    board = assignment.puzzles.get()
    students = list(classroom.students.order_by("enrolments__number"))
    for student in students[:7]:
        attempt = tried(student, board, "1,1")
    slow, fresh_end, old_end, guesser, beginner, gone, *_ = students
    ago(tried(slow, board), minutes=5)
    lost(tried(fresh_end, board, "2,1"), 2)
    lost(tried(old_end, board, "2,1"), 2)
    ago(tried(old_end, board), minutes=2)
    for _attempt in range(3):
        attempt = restart(tried(guesser, board))
        tried(guesser, board, "1,1")
    for _press in range(4):
        attempt = tried(beginner, board)
        with pytest.raises(StepRefused):
            take_step(attempt, attempt.next_step, "move", "4,1")
    ago(tried(gone, board), hours=1)
    needs = [(tile.name, tile.need.words) for tile in wall_of(assignment).in_need]
    assert needs == [
        ("b", "Stuck since move 2"),
        ("c", "Stuck since move 2"),
        (
            "e",
            "Moves that break the rules: 4. Another stone lies on the way, at row 2, column 1. "
            "You may not jump over a stone.",
        ),
        ("a", "No move for 5 min"),
        ("d", "Attempt 4 at this puzzle"),
        ("h", "Has not started, though half the class has"),
    ]
    RefusedMove.objects.update(at=timezone.now() - timedelta(minutes=3))
    assert "e" not in [tile.name for tile in wall_of(assignment).in_need]


# Names


def test_without_names_nothing_tells_who_is_who(
    teacher_client, url, classroom, assigned, tried, poll
):
    for student in classroom.students.all():
        tried(student, assigned, "1,1")
    page = teacher_client.get(url).content.decode()
    names = [student.name for student in classroom.students.all()]
    assert all(name in page for name in names)
    hidden = teacher_client.get(url, {"names": "none"}).content.decode()
    assert not any(name in hidden for name in names)
    assert 'class="tile-name"' not in hidden
    tried(classroom.students.first(), assigned, "2,1")
    answer = poll(teacher_client, f"{url}?names=none", hidden).content.decode()
    assert "<svg" in answer and not any(name in answer for name in names)
    for student in classroom.students.all():
        followed = teacher_client.get(url, {"student": student.pk, "names": "none"})
        assert not any(name in followed.content.decode() for name in names)


# The contents of an answer


def test_only_what_has_changed_is_sent(
    teacher_client, url, student, classmate, assigned, tried, poll, classroom
):
    tried(student, assigned, "1,1")
    tried(classmate, assigned, "1,1")
    page = teacher_client.get(url).content.decode()
    assert poll(teacher_client, url, page).status_code == 204
    tried(student, assigned, "2,1")
    answer = poll(teacher_client, url, page).content.decode()
    assert answer.count("<svg") == 1 and f'hx-target="#t{student.pk}"' in answer
    assert "lesson-counts" not in answer
    lost(tried(classmate, assigned), 1)
    assert "Stuck since move 1" in poll(teacher_client, url, page).content.decode()
    classroom.enrolments.filter(student=classmate).delete()
    assert poll(teacher_client, url, page)["HX-Refresh"] == "true"


def test_a_student_is_followed(teacher_client, url, student, assigned, tried, lines, poll):
    here = f"{url}?student={student.pk}"
    assert "No moves yet." in teacher_client.get(here).content.decode()
    lost(tried(student, assigned, lines.lost), 1)
    page = teacher_client.get(here).content.decode()
    side = page.split('id="side"')[1]
    assert "Stuck since move 1" in side and "<html" in page
    assert poll(teacher_client, here, page).status_code == 204
    attempt = tried(student, assigned)
    with pytest.raises(StepRefused):
        take_step(attempt, attempt.next_step, "move", "4,2")
    changed = poll(teacher_client, here, page).content.decode()
    assert "already been picked up" in changed and "<html" not in changed


def test_in_japanese(client_of, teacher, url, student, assigned, tried, lines):
    lost(tried(student, assigned, lines.lost), 1)
    page = client_of(teacher, "ja").get(url).content.decode()
    assert "1手目から行きづまり" in page


# The cost

BOARD = "oooooo/oooooo/oooooo/oooooo/oooooo/oooooo"


@pytest.fixture
def full_class(teacher, make_class, assign, tried, make_puzzle):
    """Return a function that creates a class of a size, each student in the middle of a large
    board.

    The board has 36 stones, and every student plays another line on it.
    """

    def full_class(size: int):
        kind = get_kind("goishi")
        puzzle = make_puzzle("goishi", BOARD, "Six by six")
        classroom = make_class(teacher, f"Class of {size}", *(f"Student {n}" for n in range(size)))
        assignment = assign(classroom, puzzle)
        board = assignment.puzzles.get()
        rng = random.Random(size)
        for student in classroom.students.all():
            position, moves = board.start, []
            while len(moves) < 18 and (legal := list(kind.moves(position))):
                moves.append(kind.write_move(move := rng.choice(legal)))
                position = kind.play(position, move)
            lost(tried(student, board, " ".join(moves)), len(moves) // 2)
        return assignment

    return full_class


def test_the_queries_do_not_depend_on_the_class(teacher_client, full_class, poll, queries_of):
    numbers = []
    for size in (4, 40):
        assignment = full_class(size)
        url = f"/assignments/{assignment.pk}/lesson/"
        with CaptureQueriesContext(connection) as page_queries:
            page = teacher_client.get(url).content.decode()
        Attempt.objects.filter(puzzle__assignment=assignment).update(seconds=1)
        student = assignment.classroom.students.first()
        with CaptureQueriesContext(connection) as poll_queries:
            assert poll(teacher_client, url, page).status_code == 204
        follow_queries = queries_of(teacher_client, f"{url}?student={student.pk}")
        numbers.append((len(page_queries), len(poll_queries), follow_queries))
    assert numbers[0] == numbers[1] <= (13, 13, 17)


IDLE_SECONDS = 0.0072
"""The processor time of a small page on the idle machine for which the limits below were set."""


def slowness(client) -> float:
    """Return how many times slower pages are now than on an idle machine, at least 1.

    A small page is measured rather than a loop of numbers, because a crowded cache and a full heap
    slow pages down far more.
    """

    def measured() -> float:
        begin = thread_time()
        assert client.get("/jobs/").status_code == 200
        return thread_time() - begin

    return max(1.0, min(measured() for _ in range(5)) / IDLE_SECONDS)


@pytest.mark.flaky(reruns=2)
def test_a_wall_of_40_is_under_20_kb_and_36_ms_of_cpu(client_of, teacher, full_class, poll):
    assignment = full_class(40)
    url = f"/assignments/{assignment.pk}/lesson/"
    client = client_of(teacher)
    slower = slowness(client)
    page = client.get(url).content.decode()
    board = assignment.puzzles.get()
    # In a second and a half, a quarter of a class moves. In the worst case all students do.
    for part, limit_ms in ((10, 26 * slower), (40, 36 * slower)):
        times, sizes = [], []
        for _ in range(5):
            for attempt in Attempt.objects.filter(puzzle=board)[:part]:
                moves = split_moves(attempt.line)
                Attempt.objects.filter(pk=attempt.pk).update(line=" ".join(moves[:-1]))
            begin = thread_time()
            answer = poll(client, url, page)
            body = gzip.compress(answer.content, 6)
            times.append(1000 * (thread_time() - begin))
            sizes.append(len(body))
            assert answer.content.count(b"<svg") >= part
        assert max(sizes) < 20_000
        # The fastest of five polls counts, because the machine that runs tests is busy.
        assert min(times) < limit_ms, (times, slower)
    quiet = []
    page = client.get(url).content.decode()
    assert len(gzip.compress(page.encode(), 6)) < 20_000
    for _ in range(5):
        begin = thread_time()
        assert poll(client, url, page).status_code == 204
        quiet.append(1000 * (thread_time() - begin))
    assert min(quiet) < 23 * slower, quiet


def test_a_dead_end_is_on_the_wall_after_one_look_and_one_poll(
    teacher_client, url, student, assigned, tried, lines, poll, settings
):
    tried(student, assigned, "1,1")
    page = teacher_client.get(url).content.decode()
    tried(student, assigned, "undo", lines.lost)
    look_at_running_attempts()
    assert "Stuck since move 1" in poll(teacher_client, url, page).content.decode()
    every = float(re.search(r'hx-trigger="every (\d+)s', page).group(1))
    # The rest of the five seconds is for the search and the transmission.
    assert every + settings.CELERY_BEAT_SCHEDULE["look"]["schedule"] <= 3


def test_a_student_who_attempts_only_forbidden_moves_needs_help(
    assignment, assigned, student, tried
):
    for _press in range(3):
        attempt = tried(student, assigned)
        with pytest.raises(StepRefused):
            take_step(attempt, 0, "move", "1,2")
    tile = wall_of(assignment).tiles[0]
    assert tile.state == WallState.NOT_STARTED
    said = "Moves that break the rules: 3. There is no stone at row 1, column 2."
    assert tile.need.words == said
