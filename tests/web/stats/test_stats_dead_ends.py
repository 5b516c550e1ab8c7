"""Dead ends of running attempts are found exactly, while the students still play."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt
from puzzleclass.play.restarts import begin_anew
from puzzleclass.play.reviews import note_review, still_lost
from puzzleclass.stats import dead_ends
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.dead_ends import look, look_at_running_attempts
from puzzleclass.stats.models import Look
from solvers.registry import get_kind, ready_kinds


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Allow a long slice, because the first look loads the kernels."""
    monkeypatch.setattr("puzzleclass.stats.dead_ends.SLICE_SECONDS", 60)


def solvable(kind, position) -> bool:
    """Return whether some line of legal moves solves the position, by playing all of them."""
    return kind.judge(position).solved or any(
        solvable(kind, kind.play(position, move)) for move in kind.moves(position)
    )


@pytest.mark.parametrize("slug", ["goishi", "tonari"])
def test_the_fatal_move_is_the_one_that_exhaustive_search_finds(slug):
    kind, rng = get_kind(slug), random.Random(7)
    lost = 0
    for _ in range(60):
        position = kind.sample(rng, 3)
        since = None if solvable(kind, position) else 0
        while moves := list(kind.moves(position)):
            position = kind.play(position, rng.choice(moves))
            played = len(kind.line(position))
            if since is None and not solvable(kind, position):
                since = played
            seen = look(slug, kind.write(position))
            assert seen.is_lost == (since is not None)
            assert seen.since == (since or None)
            lost += bool(since)
    assert lost > 20


def test_a_move_is_looked_at_and_none_twice(student, classmate, assigned, lines, tried):
    tried(student, assigned, lines.lost)
    tried(classmate, assigned, "1,1")
    assert look_at_running_attempts() == 2
    seen = Look.objects.order_by("attempt").values_list("line", "is_lost", "since")
    assert list(seen) == [("4,2", True, 1), ("1,1", False, None)]
    assert look_at_running_attempts() == 0
    tried(student, assigned, "undo", "2,1")
    assert look_at_running_attempts() == 1
    assert Look.objects.get(attempt__student=student).line == "2,1"
    assert not Job.objects.exists()


def test_positions_after_a_dead_end_are_dead_ends_without_a_search(student, assigned, lines, tried):
    tried(student, assigned, lines.jam)
    look_at_running_attempts()
    searched = look.cache_info().misses
    attempt = tried(student, assigned, "undo", "undo", lines.jam)
    assert still_lost("sequence", ("2,1 1,1", True, 2), attempt.line)
    Look.objects.update(line="2,1 1,1 9,9")
    assert look_at_running_attempts() == 1
    assert look.cache_info().misses == searched
    seen = Look.objects.get()
    assert (seen.line, seen.is_lost, seen.since) == (attempt.line, True, 2)


@pytest.mark.parametrize(
    ("look_of", "line", "said"),
    [
        (("1,1 2,2", True, 1), "1,1", True),
        (("1,1 2,2", True, 2), "1,1", None),
        (("1,1 2,2", True, None), "1,1 2,2 3,3", None),
        (("1,1", False, None), "1,1", False),
        (("1,1", None, None), "1,1", None),
    ],
)
def test_a_look_speaks_of_later_boards_only_as_far_as_it_holds(look_of, line, said):
    assert still_lost("sequence", look_of, line) is said
    if line != look_of[0]:
        assert still_lost("placement", look_of, line) is None


def test_the_attempts_at_boards_of_tables_are_looked_at_too(student, assignment, tried):
    queens = ready_kinds()["queens"]
    puzzle = assignment.puzzles.create(kind_slug=queens.slug, position="4x4", number=9)
    tried(student, puzzle, "o 1,1")
    assert look_at_running_attempts() == 1
    assert (Look.objects.get().is_lost, Look.objects.get().since) == (True, 1)


def test_a_board_too_hard_for_a_look_is_neither_lost_nor_alive(monkeypatch):
    monkeypatch.setattr(dead_ends, "BOARD_SECONDS", 0)
    empty = "/".join(["." * 12] * 12) + " 60"
    seen = dead_ends.look("maxstrings", empty)
    assert seen == (None, None)
    assert not dead_ends.look("maxstrings", empty).is_lost


def test_only_running_attempts_are_looked_at(student, classmate, assigned, lines, tried):
    tried(student, assigned, lines.solution)
    rested = tried(classmate, assigned, "1,1")
    Attempt.objects.filter(pk=rested.pk).update(last_at=timezone.now() - timedelta(minutes=3))
    assert look_at_running_attempts() == 0


def test_a_round_takes_three_queries_for_any_number(classroom, assigned, tried):
    for number, student in enumerate(classroom.students.all()):
        tried(student, assigned, ("1,1", "2,1", "4,1")[number])
    with CaptureQueriesContext(connection) as queries:
        assert look_at_running_attempts() == 3
    # One query reads the attempts, one stores the looks in a transaction, and one marks the
    # attempts that were examined for the first time.
    assert len([q for q in queries if "SAVEPOINT" not in q["sql"]]) == 3


def test_who_has_one_of_several_solutions_is_looked_at_in_the_next(
    student, classroom, puzzle, assign, lines, tried
):
    """Both in the same attempt, which goes on for a better score, and in the next one."""
    assignment = assign(classroom, puzzle, wanted=3)
    attempt = tried(student, assignment.puzzles.get(), lines.lost)
    Attempt.objects.filter(pk=attempt.pk).update(has_solved=True)
    assert look_at_running_attempts() == 1
    assert assignment_ledger(assignment).stuck_now == 1
    Assignment.objects.filter(pk=assignment.pk).update(wanted=1)
    Look.objects.all().delete()
    assert look_at_running_attempts() == 0


def test_the_mark_of_having_been_stuck_stays(student, assigned, assignment, lines, tried):
    def mark() -> tuple[bool, bool | None]:
        [row] = [
            row
            for row in assignment_ledger(assignment).rows
            if row.enrolment.student_id == student.pk
        ]
        return row.work.row[0].status.is_stuck, row.work.row[0].status.was_stuck

    assert mark() == (False, None)
    tried(student, assigned, "1,1")
    assert mark() == (False, None)
    look_at_running_attempts()
    assert mark() == (False, False)
    tried(student, assigned, "undo", lines.lost)
    look_at_running_attempts()
    assert mark() == (True, True)
    begin_anew(assigned, timezone.now())
    assert mark() == (False, True)
    tried(student, assigned, lines.solution)
    look_at_running_attempts()
    assert mark() == (False, True)
    assert assignment_ledger(assignment).rows[0].work.row[0].status.is_solved


def test_a_jam_and_a_review_leave_the_mark_too(
    student, classmate, assigned, lines, tried, reviewed
):
    tried(student, assigned, lines.jam)
    tried(student, assigned, "undo")
    reviewed(tried(classmate, assigned, "4,2 4,1"), 1)
    note_review(Job.objects.get())
    marks = dict(Attempt.objects.values_list("student", "was_stuck"))
    assert marks == {student.pk: True, classmate.pk: True}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="another database explains otherwise")
def test_the_attempts_of_a_review_are_found_by_an_index(classmate, assigned, tried, reviewed):
    reviewed(tried(classmate, assigned, "4,2 4,1"), 1)
    with CaptureQueriesContext(connection) as seen:
        note_review(Job.objects.get())
    (found,) = [each["sql"] for each in seen if "FROM" in each["sql"] and "line" in each["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {found}")
        plan = [row[-1] for row in cursor.fetchall()]
    assert any("assigned_alike" in step for step in plan), plan
    assert not any(step.startswith("SCAN") for step in plan), plan


def test_when_the_slice_is_over_the_rest_is_sent_on(
    classroom, assigned, tried, monkeypatch, settings
):
    sent = []
    monkeypatch.setattr(
        look_at_running_attempts, "apply_async", lambda **options: sent.append(options)
    )
    monkeypatch.setattr("puzzleclass.stats.dead_ends.SLICE_SECONDS", 0)
    tried(classroom.students.first(), assigned, "1,1")
    assert look_at_running_attempts() == 0
    assert [options["queue"] for options in sent] == ["look"]
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["queue_order_strategy"] == "priority"


def test_moves_against_the_rules_are_counted(student, assigned, tried, monkeypatch):
    from puzzleclass.play.attempts import take_step
    from puzzleclass.play.models import RefusedMove
    from puzzleclass.play.refusals import StepRefused

    monkeypatch.setattr("puzzleclass.play.refusals.MAX_REFUSED_MOVES", 2)
    attempt = tried(student, assigned, "1,1")

    def refuse(action: str, move: str) -> None:
        with pytest.raises(StepRefused):
            take_step(attempt, attempt.next_step, action, move)

    for move in ("4,1", "4,1", "2,2", "1,2"):
        refuse("move", move)
    refuse("move", "nonsense")
    kept = RefusedMove.objects.values_list("line", "move", "times")
    # The third different move exceeds the limit.
    assert list(kept) == [("1,1", "4,1", 2), ("1,1", "2,2", 1)]
    assert "lies on the way" in str(RefusedMove.objects.first().message)
    tried(student, assigned, "undo")
    attempt = tried(student, assigned)
    refuse("undo", "")
    assert RefusedMove.objects.count() == 2
