"""The demo: its boards are legal, its solutions solve them, and its lessons are consistent."""

import io
import re
from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, WrittenPuzzle
from puzzleclass.classes.models import Classroom, Enrolment
from puzzleclass.demo import english
from puzzleclass.demo.school import is_local
from puzzleclass.gallery.services import waiting_puzzles
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, HintUse
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.studies.maxstrings_questions import SHOWN_SIDE, board_questions
from solvers.kind import split_moves
from solvers.registry import demo_boards, get_kind, kinds

KANA_OR_KANJI = re.compile("[ぁ-んァ-ヶ一-龥々]")

EVERY = [(slug, board) for slug, kind in kinds().items() for board in demo_boards(kind)]


def test_every_kind_has_several_boards():
    assert min(Counter(slug for slug, _ in EVERY).values()) >= 6
    assert {slug for slug, _ in EVERY} == kinds().keys()
    titles = [board.title for _, board in EVERY]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("slug", "board"), EVERY, ids=[board.title for _, board in EVERY])
def test_a_board_is_legal_and_its_solution_solves_it(slug, board):
    kind = get_kind(slug)
    start = kind.read(board.position)
    assert kind.read(kind.write(start)) == start
    assert kind.obstacles is None or kind.obstacles.obstacle(start) is None
    if board.solution:
        assert kind.judge(kind.play_line(start, board.solution)).solved
        # The moves of a placement may come in any order, as simulated students make them.
        backwards = " ".join(reversed(split_moves(board.solution)))
        assert kind.judge(kind.play_line(start, backwards)).solved


@pytest.mark.django_db
def test_the_school_is_true_and_its_teacher_has_asked_about_everything(settings):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    out = io.StringIO()
    call_command("demo", stdout=out)
    teacher, *students = out.getvalue().splitlines()
    assert teacher == "teacher   demo / puzzle-demo"
    codes = Classroom.objects.values_list("code", flat=True)
    assert len(students) == len(codes) and all(
        any(f"class code {code} " in line and "PIN" in line for line in students) for code in codes
    )
    with pytest.raises(CommandError, match="has users already"):
        call_command("demo")
    lessons_are_true()
    everything_is_asked(User.objects.get(username="demo"))
    the_gallery_is_open()


def lessons_are_true():
    assert Classroom.objects.count() == 2
    assert Enrolment.objects.count() == 80
    states = dict(Attempt.objects.order_by().values_list("state").annotate(Count("pk")))
    assert states.keys() == set(Attempt.State)
    for attempt in Attempt.objects.select_related("puzzle").prefetch_related("steps"):
        steps = attempt.steps.all()
        assert [step.number for step in steps] == list(range(attempt.next_step))
        assert [step.at for step in steps] == sorted(step.at for step in steps)
        solved = attempt.puzzle.kind.judge(attempt.position).solved
        # Where the goal is reached but not the record, the same attempt goes on.
        assert solved or attempt.state != Attempt.State.SOLVED
        assert attempt.has_solved or not solved
        assert not steps or steps[len(steps) - 1].at == attempt.last_at
    # Hints were taken, and nobody took more than are allowed.
    taken = HintUse.objects.values_list("attempt__student", "attempt__puzzle")
    numbers = Counter(taken).values()
    assert len(numbers) > 10
    assert max(numbers) <= 3
    hints = Job.objects.filter(question="hint").values_list("position", flat=True)
    for use in HintUse.objects.select_related("attempt__puzzle"):
        assert f"{use.attempt.puzzle.position} | {use.line}" in hints


def the_gallery_is_open():
    gallery = Assignment.objects.get(is_gallery=True)
    assert not gallery.is_over
    (waiting,) = waiting_puzzles(gallery.classroom)
    shown = gallery.puzzles.get()
    assert shown.written.state == WrittenPuzzle.State.SHOWN
    assert shown.written.author != waiting.author
    assert shown.found_solutions.exclude(student=shown.written.author).exists()


def everything_is_asked(teacher):
    jobs = Job.objects.filter(askers=teacher)
    for puzzle in Puzzle.objects.all():
        for question in ("count", "rate"):
            assert jobs.filter(
                kind_slug=puzzle.kind_slug, question=question, position=puzzle.position
            ).exists()
    assert jobs.filter(question="survey").count() >= 2
    for asked in board_questions(teacher, SHOWN_SIDE):
        assert asked.job is not None


@pytest.mark.parametrize(
    "elsewhere", [{"ALLOWED_HOSTS": ["localhost", "puzzles.school.example"]}, {"HTTPS": True}]
)
def test_no_demo_where_others_reach_the_site(db, settings, elsewhere):
    """The demo's password is public."""
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert is_local() and is_local("127.0.0.1")
    assert not is_local("0.0.0.0")
    for name, value in elsewhere.items():
        setattr(settings, name, value)
    with pytest.raises(CommandError, match="no demo here"):
        call_command("demo")
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.thorough
def test_the_english_school_has_english_names(settings):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    out = io.StringIO()
    call_command("demo", language="en", stdout=out)
    names = [*User.objects.values_list("name", flat=True), out.getvalue()]
    for model in (Puzzle, Assignment, AssignedPuzzle, WrittenPuzzle):
        names += model.objects.values_list("title", flat=True)
    assert [name for name in names if KANA_OR_KANJI.search(name)] == []
    assert User.objects.filter(name="Hannah Mountfield").count() == 1
    assert set(english.TITLES) >= {board.title for _, board in EVERY}
