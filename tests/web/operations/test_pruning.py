"""Rows that nobody looks at any more are deleted, and no others."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from puzzleclass.accounts.models import Session
from puzzleclass.database import batches
from puzzleclass.jobs import services, transitions
from puzzleclass.jobs.models import Job
from puzzleclass.operations import pruning
from puzzleclass.puzzles.goals import ask_for_optimum
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.studies import maxstrings_questions as maxstrings
from solvers.registry import get_kind

START, NOBODYS = "o./oo/../oo", "ooo/o.o"
State = Job.State


@pytest.fixture
def ended(teacher):
    """Return a function that creates a job that ended this many days ago."""

    def ended(question: str, position: str, days: float = 100, kind: str = "goishi") -> Job:
        return aged(services.ask(teacher, kind, question, position), days)

    return ended


def aged(job: Job, days: float = 100, state: str = State.DONE) -> Job:
    at = timezone.now() - timedelta(days=days)
    Job.objects.filter(pk=job.pk).update(state=state, ended_at=at)
    return job


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Let a round of pruning take no breaks, and let the next one begin at once."""
    monkeypatch.setattr(pruning, "SLICE_SECONDS", float("inf"))
    monkeypatch.setattr(pruning, "PASS_INTERVAL", timedelta(0))
    monkeypatch.setattr(pruning, "_next_pass_at", float("-inf"))


def left() -> set[int]:
    pruning.prune()
    return set(Job.objects.values_list("pk", flat=True))


def test_jobs_about_boards_that_nobody_has_go_with_their_askers(teacher, puzzle, ended):
    kept, gone = ended("count", START), ended("count", NOBODYS)
    assert left() == {kept.pk}
    assert set(teacher.jobs.values_list("pk", flat=True)) == {kept.pk}
    assert not Job.askers.through.objects.filter(job_id=gone.pk).exists()


def test_jobs_about_positions_in_mid_game_are_deleted(puzzle, ended):
    ended("hint", f"{START} | 1,1")
    ended("review", f"{START} | 4,2")
    assert left() == set()


def test_an_assigned_board_is_kept_after_its_puzzle_has_gone(puzzle, assigned, ended):
    kept = ended("count", START)
    puzzle.delete()
    assert left() == {kept.pk}


def test_the_best_score_of_a_board_with_a_goal_is_kept(teacher, make_puzzle):
    kind = get_kind("maxstrings")
    board = make_puzzle(kind.slug, kind.write(kind.read(kind.score.with_goal("6x6", "9"))))
    kept = aged(ask_for_optimum(teacher, board))
    assert kept.position != board.position
    assert left() == {kept.pk}


def test_a_board_that_its_kind_reads_no_more_is_passed_over(puzzle, make_puzzle, ended):
    kept = ended("count", START)
    board = make_puzzle("maxstrings", ".../...")
    Puzzle.objects.filter(pk=board.pk).update(position="a board of long ago")
    assert left() == {kept.pk}


def test_the_tables_of_the_studies_are_kept(teacher):
    maxstrings.ask_about_square(teacher, maxstrings.SHOWN_SIDE, "count")
    kept = aged(Job.objects.get())
    assert left() == {kept.pk}


def test_young_jobs_are_kept_and_the_age_is_a_setting(ended, settings):
    young = ended("count", NOBODYS, days=settings.JOBS_KEPT_DAYS - 1)
    assert left() == {young.pk}
    settings.JOBS_KEPT_DAYS -= 2
    assert left() == set()


@pytest.mark.parametrize("state", [State.WAITING, State.RUNNING, State.STOPPING])
def test_jobs_on_their_way_are_kept(ended, state):
    job = ended("count", NOBODYS)
    Job.objects.update(state=state, ended_at=None)
    assert left() == {job.pk}


@pytest.mark.parametrize("state", [State.STOPPED, State.FAILED])
def test_jobs_without_an_answer_are_deleted_too(ended, state):
    aged(ended("count", NOBODYS), state=state)
    assert left() == set()


def test_answers_of_an_older_solver_are_deleted(puzzle, ended, monkeypatch):
    ended("count", START)
    monkeypatch.setattr(type(get_kind("goishi")), "version", 999)
    assert left() == set()


def test_jobs_of_a_missing_kind_are_deleted(puzzle, ended):
    ended("count", START)
    for model in (Job, Puzzle):
        model.objects.update(kind_slug="gone")
    assert left() == set()


def test_a_job_asked_again_meanwhile_is_kept(ended, monkeypatch):
    job = ended("count", NOBODYS)

    def asks_again(row, starts):
        transitions.restart(Job.objects.get(pk=job.pk), done=True)
        return False

    monkeypatch.setattr(services, "_may_be_shown", asks_again)
    assert left() == {job.pk}


def test_many_go_in_batches(ended, monkeypatch):
    for n in range(1, 6):
        ended("count", "o" * n)
    monkeypatch.setattr(services, "BATCH_ROWS", 2)
    assert sum(services.delete_old_jobs([])) == 5
    assert left() == set()


def test_expired_sessions_are_deleted(db, monkeypatch):
    now = timezone.now()
    for n in range(5):
        Session.objects.create(session_key=f"old {n}", expire_date=now - timedelta(seconds=1))
    Session.objects.create(session_key="young", expire_date=now + timedelta(days=1))
    monkeypatch.setattr(batches, "BATCH_ROWS", 2)
    pruning.prune()
    assert [session.pk for session in Session.objects.all()] == ["young"]


def test_the_sweeper_does_a_little_at_a_time_until_the_round_is_done(ended, monkeypatch):
    for n in range(1, 6):
        ended("count", "o" * n)
    monkeypatch.setattr(services, "BATCH_ROWS", 2)
    monkeypatch.setattr(pruning, "SLICE_SECONDS", 0)
    monkeypatch.setattr(pruning, "PASS_INTERVAL", timedelta(hours=6))
    seen = []
    while Job.objects.exists() and len(seen) < 2_000:
        pruning.prune()
        seen.append(Job.objects.count())
    assert sorted(set(seen), reverse=True) == [5, 3, 1, 0]
    # The next round begins when its time has come.
    monkeypatch.setattr(pruning, "SLICE_SECONDS", float("inf"))
    pruning.prune()
    late = ended("count", NOBODYS)
    assert left() == {late.pk}
    monkeypatch.setattr(pruning, "_next_pass_at", float("-inf"))
    assert left() == set()


def test_it_is_on_the_schedule_of_the_sweeper():
    """The sweeper's queue is never full, and it is served between rounds."""
    [entry] = [e for e in settings.CELERY_BEAT_SCHEDULE.values() if e["task"] == pruning.prune.name]
    assert entry["options"]["queue"] == "sweep"
    assert entry["schedule"] <= entry["options"]["expires"]
