"""Dealing the boards of an assignment, the number of solutions to find, and the staircase."""

import re
from itertools import pairwise

import pytest
from django.test import Client

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for, deal, solutions_needed
from puzzleclass.assignments.models import Assignment, Part, StairStep
from puzzleclass.lessons.tiles import wall_of
from puzzleclass.play.due import due_for
from puzzleclass.play.models import HintUse
from puzzleclass.play.restarts import restart
from puzzleclass.play.staircase import board_after
from puzzleclass.play.status import PuzzleState
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.stats.assignment_ledger import assignment_ledger

ALL, EACH, STAIRCASE = Assignment.Dealing
ALONE, HELPED, LEFT = StairStep.Outcome
LINE = "1,1 1,2 1,3"
SCHEDULE = {"title": "Homework", "due_at": "2099-01-01T12:00", "hints": "3", "listed": []}


@pytest.fixture
def boards(teacher):
    """Return five boards of one difficulty."""
    return [
        Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="ooo", title=f"B{n}")
        for n in range(1, 6)
    ]


@pytest.fixture
def room(teacher, make_class):
    return make_class(teacher, "5-1", *(f"Student {n}" for n in range(1, 13)))


def sent(boards, **fields):
    names = [f"library-{board.pk}" for board in boards]
    return SCHEDULE | {"board": names, "dealing": "all", "aim": "one", "who": "class"} | fields


def titles(student: User, assignment: Assignment) -> list[str]:
    return [board.title for board in boards_for(student, [assignment])[assignment.pk]]


# Groups and students


def test_only_those_chosen_see_it(classroom, boards, teacher_client, client_of, student, classmate):
    reds = classroom.groups.create(name="Reds")
    reds.members.add(student.enrolments.get())
    third = classroom.students.get(enrolments__number=3)
    address = f"/classes/{classroom.pk}/assignments/new/"
    form = sent(boards[:1], who="some", groups=[reds.pk], students=[str(third.pk)])
    assert teacher_client.post(address, form).status_code == 302
    assignment = classroom.assignments.get()
    board = assignment.puzzles.get()
    for who, sees in ((student, True), (classmate, False), (third, True)):
        client = client_of(who)
        assert client.get(f"/play/{board.pk}/").status_code == (200 if sees else 404)
        assert bool(due_for(who).open) is sees
    # The table, the wall and the grade book count only these students.
    assert [row.enrolment.number for row in assignment_ledger(assignment).rows] == [1, 3]
    assert [tile.number for tile in wall_of(assignment).tiles] == [1, 3]
    book = teacher_client.get(f"/assignments/{assignment.pk}/?format=csv").content.decode()
    assert student.name in book
    assert classmate.name not in book
    # A group that changes or is deleted takes no board away.
    reds.delete()
    assert due_for(student).open


def test_excluded_students_neither_see_it_nor_play_on(
    classroom, boards, assign, student, tried, client_of, teacher_client
):
    assignment = assign(classroom, boards[0])
    attempt = tried(student, assignment.puzzles.get(), "1,1")
    third = classroom.students.get(enrolments__number=3)
    form = SCHEDULE | {
        "board": f"given-{assignment.puzzles.get().pk}",
        "dealing": "all",
        "aim": "one",
    }
    form |= {"who": "some", "students": [str(third.pk)], "listed": form["board"]}
    assert teacher_client.post(f"/assignments/{assignment.pk}/edit/", form).status_code == 302
    move = {"step": "1", "action": "move", "move": "1,2"}
    assert client_of(student).post(f"/attempts/{attempt.key}/steps/", move).status_code == 403
    form |= {"who": "class"}
    teacher_client.post(f"/assignments/{assignment.pk}/edit/", form)
    assert client_of(student).post(f"/attempts/{attempt.key}/steps/", move).status_code == 302


def test_nobody_chosen_nobody_elses_student(classroom, boards, teacher_client, other_student):
    address = f"/classes/{classroom.pk}/assignments/new/"
    answer = teacher_client.post(address, sent(boards[:1], who="some"))
    assert answer.status_code == 422
    assert "Choose a group or a student." in answer.content.decode()
    form = sent(boards[:1], who="some", students=[str(other_student.pk)])
    assert teacher_client.post(address, form).status_code == 422
    assert not classroom.assignments.exists()


# One board each


def test_neighbours_get_different_boards_and_keep_them(
    room, boards, teacher_client, assign, client_of
):
    address = f"/classes/{room.pk}/assignments/new/"
    assert teacher_client.post(address, sent(boards[:3], dealing="each")).status_code == 302
    assignment = room.assignments.get()
    students = list(room.students.order_by("enrolments__number"))
    dealt = [titles(student, assignment) for student in students]
    assert all(len(mine) == 1 for mine in dealt)
    assert all(left != right for left, right in pairwise(dealt))
    assert {mine[0] for mine in dealt} == {"B1", "B2", "B3"}
    # Boards are dealt once: a neighbour who leaves or a new board changes nobody's board.
    room.enrolments.filter(number=5).delete()
    assignment.puzzles.create(number=4, kind_slug="goishi", position="oooo", title="B4")
    deal(assignment)
    assert [titles(student, assignment) for student in students if student != students[4]] == [
        mine for number, mine in enumerate(dealt) if number != 4
    ]
    # A student can only open the board that was dealt to them.
    mine = boards_for(students[0], [assignment])[assignment.pk][0]
    other = boards_for(students[1], [assignment])[assignment.pk][0]
    client = client_of(students[0])
    assert client.get(f"/play/{mine.pk}/").status_code == 200
    assert client.get(f"/play/{other.pk}/").status_code == 404


def test_a_late_student_gets_a_board_that_no_neighbour_has(
    room, boards, assign, tried, django_assert_max_num_queries
):
    def comes(number: int) -> User:
        late = User.objects.create_student(f"Late {number}", "1234")
        room.enrolments.create(student=late, number=number)
        return late

    room.enrolments.filter(number__in=(4, 9, 12)).delete()
    assignment = assign(room, *boards[:4], dealing=EACH)
    deal(assignment)
    before = {student: titles(student, assignment) for student in room.students.all()}
    # A board that nobody has is dealt before all others.
    assignment.puzzles.create(number=5, kind_slug="goishi", position="oooo", title="New")
    fourth = comes(4)
    assert titles(fourth, assignment) == ["New"]
    ninth, last = comes(9), comes(12)
    in_order = list(room.students.order_by("enrolments__number"))
    shown = {student: titles(student, assignment) for student in in_order}
    assert all(shown[left] != shown[right] for left, right in pairwise(in_order))
    assert {student: shown[student] for student in before} == before
    # A board that was shown stays when others join, when theirs are dealt, and when it is begun.
    comes(3 + 20)
    tried(last, boards_for(last, [assignment])[assignment.pk][0], "1,1")
    deal(assignment)
    assert {student: titles(student, assignment) for student in in_order} == shown
    assert assignment_ledger(assignment).columns[4].given >= 1
    # Only students who take part count as neighbours.
    some = assign(room, *boards[:2], dealing=EACH)
    deal(some, [student.pk for student in in_order[:6:2]])
    Part.objects.filter(assignment=some).update(puzzle=None)
    dealt = [titles(student, some) for student in in_order[:6:2]]
    assert all(left != right for left, right in pairwise(dealt))
    for _ in range(3):
        assign(room, *boards[:2], dealing=EACH)
    with django_assert_max_num_queries(7):
        boards_for(ninth, room.assignments.filter(for_some=False).prefetch_related("puzzles"))


def test_a_board_that_is_begun_or_taken_out(room, boards, assign, tried):
    assignment = assign(room, *boards[:3], dealing=EACH)
    first = room.students.get(enrolments__number=1)
    last = assignment.puzzles.last()
    assignment.dealing = ALL
    tried(first, last, "1,1")
    assignment.dealing = EACH
    deal(assignment)
    assert titles(first, assignment) == [last.title]
    second = room.students.get(enrolments__number=2)
    assert titles(second, assignment) != [last.title]
    assignment.puzzles.filter(pk=boards_for(second, [assignment])[assignment.pk][0].pk).delete()
    deal(assignment)
    assert len(titles(second, assignment)) == 1
    assert Part.objects.filter(assignment=assignment).count() == 12


def test_the_table_shows_which_board_each_had(room, boards, assign, teacher_client):
    assignment = assign(room, *boards[:3], dealing=EACH)
    deal(assignment)
    table = assignment_ledger(assignment)
    assert all(row.work.given == 1 for row in table.rows)
    assert table.ledger.total.given == 12
    assert [column.given for column in table.columns] == [4, 4, 4]
    assert not table.begun
    assert "Another puzzle" in teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()


# Finding one solution, several, or all together


def test_a_board_dealt_leads_to_no_classmates_board(
    classroom, boards, assign, student, tried, client_of
):
    assignment = assign(classroom, *boards[:3], dealing=EACH, wanted=2)
    deal(assignment)
    (mine,) = boards_for(student, [assignment])[assignment.pk]
    tried(student, mine, LINE)
    page = client_of(student).get(f"/play/{mine.pk}/").content.decode()
    assert "Next puzzle" not in page and " to go" not in page
    assert "Every puzzle of this set is solved!" not in page
    Assignment.objects.update(wanted=1)
    page = client_of(student).get(f"/play/{mine.pk}/").content.decode()
    assert "Every puzzle of this set is solved!" in page


def test_several_solutions(classroom, puzzle, assign, student, tried, lines, counted):
    assignment = assign(classroom, puzzle, wanted=2)
    board = assignment.puzzles.get()
    attempt = tried(student, board, lines.solution)
    (mine,) = due_for(student).open
    assert (mine.solved, mine.next.status.found) == (0, 1)
    assert assignment_ledger(assignment).rows[0].work.row[0].status.state == PuzzleState.IN_PROGRESS
    restart(attempt)
    tried(student, board, lines.other_solution)
    assert due_for(student).open[0].solved == 1
    assert assignment_ledger(assignment).rows[0].work.row[0].status.state == PuzzleState.SOLVED
    # No more solutions can be asked for than there are.
    Assignment.objects.update(wanted=9)
    board = classroom.assignments.get().puzzles.select_related("assignment").get()
    assert solutions_needed([board]) == {board.pk: 9}
    counted(board, 5)
    assert solutions_needed([board]) == {board.pk: 5}


def test_the_words_say_what_is_to_be_found(
    classroom, puzzle, assign, student, classmate, tried, lines, client_of
):
    assignment = assign(classroom, puzzle, wanted=Assignment.TOGETHER)
    board = assignment.puzzles.get()
    tried(classmate, board, lines.solution)
    page = " ".join(client_of(student).get(f"/play/{board.pk}/").content.decode().split())
    assert "Your class has found 1 so far." in page
    Assignment.objects.update(wanted=3)
    page = " ".join(client_of(student).get(f"/play/{board.pk}/").content.decode().split())
    assert "Find 3 different solutions. You have found 0." in page


def test_an_invalid_number(classroom, boards, teacher_client):
    address = f"/classes/{classroom.pk}/assignments/new/"
    for several in ("", "1", "x", "100"):
        answer = teacher_client.post(address, sent(boards[:1], aim="several", several=several))
        assert answer.status_code == 422
        assert "from 2 to 99" in answer.content.decode()
    teacher_client.post(address, sent(boards[:1], aim="several", several="4"))
    assert classroom.assignments.get().wanted == 4
    copied = teacher_client.post(
        f"/assignments/{classroom.assignments.get().pk}/copy/", follow=True
    )
    assert copied.status_code == 200
    assert [assignment.wanted for assignment in classroom.assignments.all()] == [4, 4]


# The staircase


@pytest.mark.parametrize(
    ("path", "outcome", "to"),
    [
        ([0], ALONE, 2),
        ([0], HELPED, 1),
        ([0], LEFT, 1),  # no board is easier, so the nearest is next
        ([0, 2], LEFT, 1),
        ([0, 2, 1], ALONE, 3),
        ([0, 2, 4], LEFT, 3),
        ([0, 2, 4], ALONE, None),
        ([0, 2, 4, 3, 1], LEFT, None),
    ],
)
def test_the_rule(classroom, boards, assign, path, outcome, to):
    assignment = assign(classroom, *boards, dealing=STAIRCASE)
    puzzles = list(assignment.puzzles.all())
    chosen = board_after(puzzles, [puzzles[place] for place in path], outcome)
    assert chosen == (None if to is None else puzzles[to])


def test_up_by_two_by_one_and_down(classroom, boards, assign, student, tried, client_of, classmate):
    assignment = assign(classroom, *boards, dealing=STAIRCASE)
    puzzles = list(assignment.puzzles.all())
    client = client_of(student)
    assert titles(student, assignment) == ["B1"]
    assert client.get(f"/play/{puzzles[2].pk}/").status_code == 404
    tried(student, puzzles[0], LINE)
    page = client.get(f"/play/{puzzles[0].pk}/").content.decode()
    assert "To the next board" in page
    # A GET takes no step, and two presses take only one.
    client.get(f"/play/{puzzles[0].pk}/next/")
    assert not StairStep.objects.exists()
    for _ in range(2):
        answer = client.post(f"/play/{puzzles[0].pk}/next/")
        assert answer["Location"] == f"/play/{puzzles[2].pk}/"
    attempt = tried(student, puzzles[2], LINE)
    HintUse.objects.create(attempt=attempt, step=1, level=1)
    client.post(f"/play/{puzzles[2].pk}/next/")
    assert titles(student, assignment) == ["B1", "B3", "B4"]
    client.post(f"/play/{puzzles[3].pk}/next/")
    assert titles(student, assignment) == ["B1", "B3", "B4", "B2"]
    outcomes = StairStep.objects.order_by("number").values_list("outcome", flat=True)
    assert list(outcomes) == [ALONE, HELPED, LEFT]
    # The student sees only the boards taken so far. Other students have boards of their own.
    (mine,) = due_for(student).open
    assert [state.puzzle.title for state in mine.puzzles] == ["B1", "B3", "B4", "B2"]
    assert mine.next.puzzle == puzzles[1]
    assert titles(classmate, assignment) == ["B1"]
    # The teacher's table shows how far each student is.
    first, second, _third = assignment_ledger(assignment).rows
    assert (first.work.given, second.work.given) == (4, 1)
    assert first.work.row[4].status.state == PuzzleState.NOT_ASSIGNED


def test_the_way_on_from_a_board_just_solved_carries_its_token(
    classroom, boards, assign, student, tried
):
    assignment = assign(classroom, *boards, dealing=STAIRCASE)
    attempt = tried(student, assignment.puzzles.first(), "1,1 1,2")
    client = Client(enforce_csrf_checks=True)
    client.force_login(student)
    token = client.get(attempt.addresses["page"]).context["csrf_token"]
    sent = {"action": "move", "move": "1,3", "step": 2, "csrfmiddlewaretoken": token}
    solved = client.post(attempt.addresses["step"], sent, headers={"HX-Request": "true"})
    forms = re.findall('<form[^>]*method="post".*?</form>', solved.content.decode(), re.S)
    ways = [form for form in forms if attempt.addresses["next_board"] in form]
    assert ways and all("csrfmiddlewaretoken" in form for form in ways)


def test_the_end_of_the_staircase(classroom, boards, assign, student, tried, client_of):
    assignment = assign(classroom, *boards[:2], dealing=STAIRCASE)
    first, last = assignment.puzzles.all()
    client = client_of(student)
    tried(student, first, LINE)
    client.post(f"/play/{first.pk}/next/")
    tried(student, last, LINE)
    answer = client.post(f"/play/{last.pk}/next/", follow=True)
    assert "end of the staircase" in answer.content.decode()
    assert titles(student, assignment) == ["B1", "B2"]
    # An assignment without a staircase has no next board.
    plain = assign(classroom, boards[0]).puzzles.get()
    assert client.post(f"/play/{plain.pk}/next/")["Location"] == f"/play/{plain.pk}/"


# Figures


def test_queries_do_not_grow(room, boards, assign, queries_of, client_of, teacher_client):
    student = room.students.get(enrolments__number=1)
    client = client_of(student)
    for dealing in Assignment.Dealing:
        for wanted in (1, 2, 0):
            assignment = assign(room, *boards, dealing=dealing, wanted=wanted)
            deal(assignment, None if wanted else room.students.values_list("pk", flat=True))
            mine = boards_for(student, [assignment])[assignment.pk][0]
            assert queries_of(client, f"/play/{mine.pk}/") <= 20
            assert queries_of(teacher_client, f"/assignments/{assignment.pk}/") <= 21
            assert queries_of(teacher_client, f"/assignments/{assignment.pk}/lesson/") <= 16
    first = queries_of(client, "/")
    for dealing in Assignment.Dealing:
        again = assign(room, *boards, dealing=dealing, wanted=0)
        deal(again, room.students.values_list("pk", flat=True))
    assert queries_of(client, "/") == first <= 26
