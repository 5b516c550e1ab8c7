"""A student has one status at a puzzle: all pages and files show the same for the same class."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzleclass.assignments.dealing import assigned_classes, deal, enrolments_of
from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.pace import change_pace
from puzzleclass.classes.models import Classroom
from puzzleclass.lessons.tiles import WallState, wall_of
from puzzleclass.play.due import due_for, puzzle_states
from puzzleclass.play.models import Attempt
from puzzleclass.play.progress import class_progress, progress_of_classes
from puzzleclass.play.restarts import restart
from puzzleclass.play.status import PuzzleState
from puzzleclass.stats.access import assignments_of_student
from puzzleclass.stats.assignment_ledger import assignment_ledger
from puzzleclass.stats.ledger import read_ledger
from puzzleclass.stats.ledger_file import sheet_of
from puzzleclass.stats.ledger_table import read_shown, table_of_assignment
from puzzleclass.stats.models import Look

State = PuzzleState


def progress_of(assignment: Assignment):
    """Return (student name, puzzle number) -> status, as computed for a class."""
    puzzles = list(assignment.puzzles.select_related("assignment"))
    students = {student.pk: student.name for student in assignment.classroom.students.all()}
    numbers = {puzzle.pk: puzzle.number for puzzle in puzzles}
    progress = class_progress(assignment, puzzles, students)
    return {(students[who], numbers[at]): status for (who, at), status in progress.items()}


@pytest.fixture
def room(teacher, make_class) -> Classroom:
    """Return a class with a student for each status at a puzzle."""
    names = ("new", "working", "jammed", "lost", "reviewed", "once", "once-stuck", "all")
    return make_class(teacher, "Every status", *names)


@pytest.fixture
def assignment(room, puzzle, assign, tried, lines, play, reviewed) -> Assignment:
    """Return an assignment of one puzzle of which three solutions are asked for."""
    assignment = assign(room, puzzle, wanted=3)
    board = assignment.puzzles.get()
    who = {student.name: student for student in room.students.all()}

    def again(attempt: Attempt) -> Attempt:
        return restart(attempt)

    def see_lost(attempt: Attempt) -> None:
        Look.objects.create(attempt=attempt, line=attempt.line, is_lost=True, since=1)

    tried(who["working"], board, "1,1")
    tried(who["jammed"], board, lines.jam)
    see_lost(tried(who["lost"], board, lines.lost))
    reviewed(tried(who["reviewed"], board, "4,2 4,1"), 1)
    tried(who["once"], board, lines.solution)
    see_lost(play(again(tried(who["once-stuck"], board, lines.solution)), lines.lost))
    attempt = tried(who["all"], board, lines.solution)
    for solution in (lines.other_solution, "2,1 2,2 4,2 4,1 1,1"):
        attempt = play(again(attempt), *solution.split())
    return assignment


EXPECTED = {
    "new": (State.NOT_STARTED, 0),
    "working": (State.IN_PROGRESS, 0),
    "jammed": (State.STUCK, 0),
    "lost": (State.STUCK, 0),
    "reviewed": (State.STUCK, 0),
    "once": (State.IN_PROGRESS, 1),
    "once-stuck": (State.STUCK, 1),
    "all": (State.SOLVED, 3),
}


def test_a_class_has_every_status(assignment):
    said = {name: (s.state, s.found) for (name, _number), s in progress_of(assignment).items()}
    assert said == EXPECTED
    assert {status.needed for status in progress_of(assignment).values()} == {3}


def test_each_status_says_since_when(assignment):
    progress = {name: status for (name, _number), status in progress_of(assignment).items()}
    attempts = {
        name: list(Attempt.objects.filter(student__name=name, next_step__gt=0).order_by("pk"))
        for name in EXPECTED
    }
    assert progress["new"].since is None
    assert progress["working"].since == attempts["working"][0].started_at
    assert progress["once-stuck"].since == attempts["once-stuck"][1].last_at
    assert progress["all"].since == attempts["all"][2].last_at
    assert (progress["lost"].lost_at, progress["jammed"].lost_at) == (1, None)


def test_all_pages_and_files_agree(assignment, teacher, client_of):
    labels = {name: str(state.label) for name, (state, _found) in EXPECTED.items()}
    table = assignment_ledger(assignment)
    assert {row.enrolment.student.name: row.work.row[0].status.state for row in table.rows} == {
        name: state for name, (state, _found) in EXPECTED.items()
    }
    assert (table.stuck_now, table.ledger.total.solved, table.begun) == (4, 1, 7)
    sheet = sheet_of(table_of_assignment(table), read_shown("all"))
    at = next(place for place, head in enumerate(sheet.head) if head == "Status")
    assert {row[1]: row[at] for row in sheet.rows if row[0]} == labels
    file = (
        client_of(teacher)
        .get(f"/assignments/{assignment.pk}/?format=csv&show=all")
        .content.decode()
    )
    assert file.count("Stuck") == 4 and file.count(",Solved,") >= 1
    shown = {
        State.NOT_STARTED: WallState.NOT_STARTED,
        State.IN_PROGRESS: WallState.WORKING,
        State.STUCK: WallState.STUCK,
        State.SOLVED: WallState.SOLVED,
    }
    assert {tile.name: tile.state for tile in wall_of(assignment).tiles} == {
        name: shown[state] for name, (state, _found) in EXPECTED.items()
    }
    for student in assignment.classroom.students.all():
        state, found = EXPECTED[student.name]
        (own,) = read_ledger(assignments_of_student(teacher, student), [student.pk]).works
        (work,) = own.cells
        (mine,) = due_for(student).open[0].puzzles
        (tile,) = wall_of(assignment, student=student.pk).tiles
        assert (work.status.state, work.status.found) == (state, found)
        # Students are not told that a board is stuck.
        told = State.IN_PROGRESS if state == State.STUCK else state
        assert (mine.status.state, mine.status.found) == (told, found)
        assert tile.state == shown[state]
        page = client_of(teacher).get(f"/students/{student.pk}/")
        assert state.value in page.content.decode()
    (running,) = client_of(teacher).get("/").context["running"].rows
    assert running.works == table.ledger.works_at(assignment)
    assert running.begun == table.begun
    assert running.stuck_now == table.stuck_now


def test_idle_minutes_change_no_status(assignment):
    before = progress_of(assignment)
    Attempt.objects.update(last_at=timezone.now() - timedelta(hours=2))
    after = progress_of(assignment)
    assert {at: s.state for at, s in after.items()} == {at: s.state for at, s in before.items()}
    assert (
        assignment_ledger(assignment).stuck_now
        == dict(wall_of(assignment).counts)[WallState.STUCK]
        == 0
    )
    change_pace(assignment)
    assert (
        assignment_ledger(assignment).stuck_now
        == dict(wall_of(assignment).counts)[WallState.STUCK]
        == 4
    )


def test_a_board_dealt_to_others_is_not_assigned(room, puzzle, assign, tried):
    assignment = assign(room, puzzle, puzzle, dealing=Assignment.Dealing.EACH)
    deal(assignment)
    progress = progress_of(assignment)
    for name in EXPECTED:
        states = {progress[name, number].state for number in (1, 2)}
        assert states == {State.NOT_ASSIGNED, State.NOT_STARTED}
    student = room.students.first()
    other = [at for at in (1, 2) if progress[student.name, at].state == State.NOT_ASSIGNED]
    board = assignment.puzzles.get(number=other[0])
    tile = next(t for t in wall_of(assignment, board.pk).tiles if t.student == student.pk)
    assert (tile.description, tile.need) == ("Another puzzle", None)
    table = assignment_ledger(assignment)
    assert {cell.status.state for row in table.rows for cell in row.work.row} == states


def test_several_assignments_have_the_statuses_of_each(
    room, classroom, puzzle, make_puzzle, assignment, assign, tried
):
    """The assignments give all boards, deal them, have a staircase, or are for some students."""
    other = make_puzzle("goishi", "oo/oo")
    dealt = assign(room, puzzle, other, dealing=Assignment.Dealing.EACH)
    assign(room, puzzle, other, dealing=Assignment.Dealing.STAIRCASE)
    deal(assign(room, puzzle), [room.students.first().pk])
    assign(classroom, other, puzzle)
    tried(room.students.last(), dealt.puzzles.last(), "1,1")
    classes = assigned_classes(Assignment.objects.prefetch_related("puzzles"))
    assert len(classes) == 5
    together = progress_of_classes(classes)
    for each, progress in zip(classes, together, strict=True):
        enrolments = enrolments_of(each.assignment).values_list("student", flat=True)
        assert list(each.students) == list(enrolments)
        assert progress == class_progress(each.assignment, each.puzzles, each.students)


@pytest.mark.parametrize("is_gallery", [False, True])
def test_one_solution_solves_a_hunt_and_a_gallery(room, puzzle, assign, tried, lines, is_gallery):
    assignment = assign(room, puzzle, wanted=1 if is_gallery else Assignment.TOGETHER)
    Assignment.objects.filter(pk=assignment.pk).update(is_gallery=is_gallery)
    assignment.refresh_from_db()
    student = room.students.first()
    tried(student, assignment.puzzles.get(), lines.solution)
    assert progress_of(assignment)[student.name, 1].is_solved
    assert assignment_ledger(assignment).ledger.total.solved == 1
    (mine,) = puzzle_states(student, assignment.puzzles.all())
    assert mine.status.is_solved


def test_a_puzzle_with_one_of_three_solutions_counts_as_left(
    client_of, room, puzzle, assign, tried, play, lines
):
    assignment = assign(room, puzzle, puzzle, wanted=3)
    student = room.students.first()
    first, second = assignment.puzzles.all()
    tried(student, second, lines.solution)
    attempt = tried(student, first, lines.solution)
    for solution in (lines.other_solution, "2,1 2,2 4,2 4,1 1,1"):
        attempt = play(restart(attempt), *solution.split())
    page = " ".join(client_of(student).get(f"/play/{first.pk}/").content.decode().split())
    assert "Every puzzle of this set is solved!" not in page
    assert "1 to go" in page


def test_the_queries_are_few_and_do_not_grow(
    teacher, make_class, make_puzzle, assign, tried, lines
):
    numbers = []
    for size, boards in ((2, 1), (9, 6)):
        room = make_class(teacher, f"Of {size}", *(f"s{n}" for n in range(size)))
        puzzles = [make_puzzle("goishi", "o./oo/../oo", f"{n}") for n in range(boards)]
        assignment = assign(room, *puzzles, wanted=3)
        for student in room.students.all():
            for board in assignment.puzzles.all():
                tried(student, board, "1,1")
        student = room.students.first()
        own = list(assignment.puzzles.select_related("assignment"))
        students = list(room.students.values_list("pk", flat=True))
        with CaptureQueriesContext(connection) as of_class:
            class_progress(assignment, own, students)
        with CaptureQueriesContext(connection) as of_student:
            puzzle_states(student, own)
        numbers.append((len(of_class), len(of_student)))
    assert numbers[0] == numbers[1] == (5, 2)
