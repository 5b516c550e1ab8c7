"""The jobs of the release 0.1 are migrated to today's tables, and those of today back again."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt
from puzzleclass.play.result_models import ClassFind
from puzzleclass.practice.models import MadeBoard, PathPlace
from puzzleclass.puzzles.models import Puzzle, fingerprint
from solvers.registry import collection, kinds

RELEASE = [("jobs", "0001_initial")]
BEFORE_LONG_SLUGS = "0003_longer_slugs_of_kinds"
"""The next migration of kinds depends on those of all apps that store slugs."""

ANSWER = {"value": "7", "proven": True, "moves": [], "details": {"boards": [{"position": "o"}]}}


def migrate(targets):
    """Migrate the tables to these migrations; return the models as they are then."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


def migrate_to_today():
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


@pytest.fixture
def tables(transactional_db):
    """Let a test migrate the tables, and bring them to today's state after it."""
    yield
    migrate_to_today()


def add(release, number: int, **fields):
    fields = {
        "key": f"{number}",
        "kind_slug": "fake",
        "question": "count",
        "position": "3",
    } | fields
    return release.get_model("jobs", "Job").objects.create(**fields)


def test_jobs_are_kept_on_the_way_back_and_on_the_way_to_today(tables, sent):
    fields = {"kind_slug": "fake", "question": "count", "position": "3"}
    Job.objects.create(key="1", **fields, answer=ANSWER)
    Job.objects.create(key="2", **fields, stored_found=ANSWER)
    release = migrate(RELEASE)
    done, stopped = jobs = release.get_model("jobs", "Job").objects.order_by("key")
    assert (done.answer, done.found, done.whole) == (ANSWER, {}, None)
    assert stopped.found == ANSWER["details"]
    jobs.delete()

    done = add(release, 1, state="done", answer=ANSWER, ended_at=timezone.now())
    stopped = add(release, 2, state="stopped", found={"boards": [{"position": "oo"}]})
    whole = add(release, 3, state="split", tries=2, last_try=2, sent_at=timezone.now())
    for number, state in enumerate(["waiting", "running", "done"], 4):
        add(release, number, whole=whole, state=state, options={"part": number})
    other = add(release, 9, state="running", tries=1)
    migrate_to_today()
    assert set(Job.objects.values_list("pk", "state")) == {
        (done.pk, "done"),
        (stopped.pk, "stopped"),
        (whole.pk, "waiting"),
        (other.pk, "running"),
    }
    job = Job.objects.get(pk=done.pk)
    assert (job.value, job.result.boards[0].position) == (7, "o")
    assert Job.objects.get(pk=stopped.pk).found.boards[0].position == "oo"
    # A job that was divided waits again, and is done whole.
    job = Job.objects.get(pk=whole.pk)
    assert (job.sent_at, job.last_try - job.tries) == (None, 1)
    runner.run(job.pk)
    assert Job.objects.get(pk=job.pk).value == 1


def test_attempts_that_were_stuck_before_the_mark_existed_get_it(tables, sent):
    before = {
        "kinds": BEFORE_LONG_SLUGS,
        "stats": "0002_pseudonym_keys",
        "play": "0011_is_measured",
        "practice": "0003_forget_wrong_counts",
    }
    today = MigrationExecutor(connection).loader.graph.leaf_nodes()
    old = migrate([(app, before.get(app, name)) for app, name in today])

    def make(model: str, **fields: object):
        return old.get_model(model).objects.create(**fields)

    who = make("accounts.User", username="abe", name="Abe", role="teacher")
    room = make("classes.Classroom", name="4-2")
    task = make(
        "assignments.Assignment", classroom=room, teacher=who, title="T", due_at=timezone.now()
    )
    board = make(
        "assignments.AssignedPuzzle", assignment=task, number=1, kind_slug="goishi", position="oo"
    )

    def attempt(number: int, line: str = "1,1", **fields: object):
        state = "given up"
        return make(
            "play.Attempt",
            **{"student": who, "puzzle": board, "number": number, "line": line, "state": state},
            **fields,
        )

    jam = attempt(1, is_jammed=True)
    lost, alive, reviewed, unknown = (attempt(n, line) for n, line in enumerate("abcd", 2))
    make("stats.Look", attempt=lost, line="a", is_lost=True, since=1)
    make("stats.Look", attempt=alive, line="b", is_lost=False)
    make(
        "jobs.Job",
        key="1",
        kind_slug="goishi",
        question="review",
        position="oo | c",
        state="done",
        answer={"value": "1", "proven": True, "moves": [], "details": {}},
    )
    migrate_to_today()
    marks = dict(Attempt.objects.values_list("pk", "was_stuck"))
    assert marks == {
        jam.pk: True,
        lost.pk: True,
        alive.pk: False,
        reviewed.pk: True,
        unknown.pk: None,
    }


def test_wrong_counts_and_difficulties_of_earlier_solvers_are_forgotten(tables):
    before = {
        "kinds": BEFORE_LONG_SLUGS,
        "puzzles": "0008_levels_of_the_collection",
        "practice": "0002_skills_and_returning_positions",
    }
    today = MigrationExecutor(connection).loader.graph.leaf_nodes()
    old = migrate([(app, before.get(app, name)) for app, name in today])
    who = old.get_model("accounts.User").objects.create(username="abe", role="teacher")
    collected = collection(kinds()["maxstrings"])[0]

    def add_puzzle(kind: str, position: str, solutions: str, level: int) -> int:
        fields = {"kind_slug": kind, "position": position, "solutions": solutions, "level": level}
        puzzles = old.get_model("puzzles.Puzzle").objects
        return puzzles.create(owner=who, is_counted=bool(solutions), **fields).pk

    misfit = add_puzzle("maxstrings", "o./../#./-x 4", "0", 4)
    plain = add_puzzle("maxstrings", ".../.../...", "10", 2)
    stated = add_puzzle("maxstrings", collected.position, "1", 1)
    hopeless = add_puzzle("tonari", "Bb/bb/bb", "0", 4)
    uncounted = add_puzzle("tonari", "Bb/bb/bw", "", 4)
    hard = add_puzzle("tonari", "bbb/bBb/bbb", "12", 4)
    made = old.get_model("practice.MadeBoard").objects.create(
        kind_slug="maxstrings", position="ss./... 4", fingerprint="1", solutions="1", level=1
    )
    migrate_to_today()
    assert {row[0]: row[1:] for row in Puzzle.objects.values_list("pk", "solutions", "level")} == {
        misfit: ("", 0),
        plain: ("10", 2),
        stated: ("1", 1),
        hopeless: ("0", 0),
        uncounted: ("", 0),
        hard: ("12", 4),
    }
    assert MadeBoard.objects.get(pk=made.pk).solutions == ""


def test_assigned_boards_of_earlier_releases_get_their_fingerprints(tables):
    today = MigrationExecutor(connection).loader.graph.leaf_nodes()
    before = {
        "kinds": BEFORE_LONG_SLUGS,
        "assignments": "0013_reading_of_titles",
        "lessons": "0005_name_the_last_stage",
        "play": "0013_reaction",
    }
    old = migrate([(app, before.get(app, name)) for app, name in today])
    who = old.get_model("accounts.User").objects.create(username="abe", role="teacher")
    classroom = old.get_model("classes.Classroom").objects.create(name="4-2", code="ABCDEF")
    fields = {"classroom": classroom, "teacher": who, "title": "A", "due_at": timezone.now()}
    assignment = old.get_model("assignments.Assignment").objects.create(**fields)
    boards = old.get_model("assignments.AssignedPuzzle").objects
    for number in (1, 2, 3):
        boards.create(
            assignment=assignment, number=number, kind_slug="goishi", position="o" * number
        )
    migrate_to_today()
    assert list(AssignedPuzzle.objects.values_list("fingerprint", flat=True)) == [
        fingerprint("goishi", "o" * number) for number in (1, 2, 3)
    ]


def test_what_was_found_and_played_gives_classes_their_finds_and_students_their_places(tables):
    today = MigrationExecutor(connection).loader.graph.leaf_nodes()
    before = {
        "kinds": BEFORE_LONG_SLUGS,
        "play": "0013_reaction",
        "practice": "0003_forget_wrong_counts",
    }
    old = migrate([(app, before.get(app, name)) for app, name in today])

    def make(model: str, **fields: object):
        return old.get_model(model).objects.create(**fields)

    who, other = (make("accounts.User", username=name, role="student") for name in ("a", "b"))
    room = make("classes.Classroom", name="4-2", code="ABCDEF")
    now = timezone.now()
    fields = {"classroom": room, "teacher": who, "title": "A", "due_at": now, "is_practice": True}
    task = make("assignments.Assignment", **fields)
    first, last = (each.position for each in collection(kinds()["goishi"])[1:3])
    for number, position in enumerate((first, last), 1):
        board = make(
            "assignments.AssignedPuzzle",
            assignment=task,
            number=number,
            kind_slug="goishi",
            position=position,
            fingerprint=fingerprint("goishi", position),
        )
        at = now - timedelta(days=9 - number)
        make("play.Attempt", student=who, puzzle=board, number=1, next_step=1, last_at=at)
    for student, text in ((who, "1"), (other, "1"), (other, "2")):
        make("play.FoundSolution", student=student, puzzle=board, text=text, line="", found_at=now)
    migrate_to_today()
    finds = ClassFind.objects.filter(classroom=room.pk, board=fingerprint("goishi", last))
    assert {find.solution for find in finds} == {ClassFind.hash_of("1"), ClassFind.hash_of("2")}
    assert [(place.student_id, place.position) for place in PathPlace.objects.all()] == [
        (who.pk, last)
    ]
