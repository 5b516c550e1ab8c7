"""Who gets which boards of an assignment, how much is to be found, and the staircase."""

import re
from itertools import pairwise

import pytest
from django.test import Client

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for, deal, solutions_needed
from puzzleclass.assignments.models import Assignment, Part, StairStep
from puzzleclass.play.attempts import restart
from puzzleclass.play.due import due_for
from puzzleclass.play.models import HintUse
from puzzleclass.play.staircase import next_on
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.stats.class_table import CellState, class_table
from puzzleclass.stats.wall import wall_of

ALL, EACH, STAIRCASE = Assignment.Dealing
ALONE, HELPED, LEFT = StairStep.Outcome
LINE = "1,1 1,2 1,3"
SCHEDULE = {"title": "Homework", "due_at": "2099-01-01T12:00", "hints": "3", "listed": []}


@pytest.fixture
def boards(teacher):
    """Five boards of one difficulty."""
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


def titles(student: User, given: Assignment) -> list[str]:
    return [board.title for board in boards_for(student, [given])[given.pk]]


# Groups and students


def test_only_those_chosen_see_it(classroom, boards, teacher_client, client_of, student, classmate):
    reds = classroom.groups.create(name="Reds")
    reds.members.add(student.enrolments.get())
    third = classroom.students.get(enrolments__number=3)
    address = f"/classes/{classroom.pk}/assignments/new/"
    form = sent(boards[:1], who="some", groups=[reds.pk], students=[str(third.pk)])
    assert teacher_client.post(address, form).status_code == 302
    given = classroom.assignments.get()
    board = given.puzzles.get()
    for who, sees in ((student, True), (classmate, False), (third, True)):
        client = client_of(who)
        assert client.get(f"/play/{board.pk}/").status_code == (200 if sees else 404)
        assert bool(due_for(who).open) is sees
    # The table, the wall and the grade book count only them.
    assert [row.number for row in class_table(given).rows] == [1, 3]
    assert [tile.number for tile in wall_of(given).tiles] == [1, 3]
    book = teacher_client.get(f"/assignments/{given.pk}/grades/").content.decode()
    assert student.name in book
    assert classmate.name not in book
    # A group that changes, or goes, takes nothing away.
    reds.delete()
    assert due_for(student).open


def test_who_is_taken_out_sees_it_no_more_nor_plays_on(
    classroom, boards, assign, student, tried, client_of, teacher_client
):
    given = assign(classroom, boards[0])
    attempt = tried(student, given.puzzles.get(), "1,1")
    third = classroom.students.get(enrolments__number=3)
    form = SCHEDULE | {"board": f"given-{given.puzzles.get().pk}", "dealing": "all", "aim": "one"}
    form |= {"who": "some", "students": [str(third.pk)], "listed": form["board"]}
    assert teacher_client.post(f"/assignments/{given.pk}/edit/", form).status_code == 302
    move = {"step": "1", "action": "move", "move": "1,2"}
    assert client_of(student).post(f"/attempts/{attempt.key}/steps/", move).status_code == 404
    form |= {"who": "class"}
    teacher_client.post(f"/assignments/{given.pk}/edit/", form)
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
    given = room.assignments.get()
    students = list(room.students.order_by("enrolments__number"))
    dealt = [titles(student, given) for student in students]
    assert all(len(mine) == 1 for mine in dealt)
    assert all(left != right for left, right in pairwise(dealt))
    assert {mine[0] for mine in dealt} == {"B1", "B2", "B3"}
    # Dealt once: a neighbour who goes, or a board that comes in, changes nobody's.
    room.enrolments.filter(number=5).delete()
    given.puzzles.create(number=4, kind_slug="goishi", position="oooo", title="B4")
    deal(given)
    assert [titles(student, given) for student in students if student != students[4]] == [
        mine for number, mine in enumerate(dealt) if number != 4
    ]
    # Only the own board can be opened.
    mine = boards_for(students[0], [given])[given.pk][0]
    other = boards_for(students[1], [given])[given.pk][0]
    client = client_of(students[0])
    assert client.get(f"/play/{mine.pk}/").status_code == 200
    assert client.get(f"/play/{other.pk}/").status_code == 404


def test_who_comes_later_gets_a_board_that_no_neighbour_has(
    room, boards, assign, tried, django_assert_max_num_queries
):
    def comes(number: int) -> User:
        late = User.objects.create_student(f"Late {number}", "1234")
        room.enrolments.create(student=late, number=number)
        return late

    room.enrolments.filter(number__in=(4, 9, 12)).delete()
    given = assign(room, *boards[:4], dealing=EACH)
    deal(given)
    before = {student: titles(student, given) for student in room.students.all()}
    # One that nobody has goes before all others.
    given.puzzles.create(number=5, kind_slug="goishi", position="oooo", title="New")
    fourth = comes(4)
    assert titles(fourth, given) == ["New"]
    ninth, last = comes(9), comes(12)
    seats = list(room.students.order_by("enrolments__number"))
    shown = {student: titles(student, given) for student in seats}
    assert all(shown[left] != shown[right] for left, right in pairwise(seats))
    assert {student: shown[student] for student in before} == before
    # What was shown stays: when others come or are dealt theirs, when it is begun.
    comes(3 + 20)
    tried(last, boards_for(last, [given])[given.pk][0], "1,1")
    deal(given)
    assert {student: titles(student, given) for student in seats} == shown
    assert class_table(given).columns[4].given >= 1
    # Only those in it are neighbours.
    some = assign(room, *boards[:2], dealing=EACH)
    deal(some, [student.pk for student in seats[:6:2]])
    Part.objects.filter(assignment=some).update(puzzle=None)
    dealt = [titles(student, some) for student in seats[:6:2]]
    assert all(left != right for left, right in pairwise(dealt))
    for _ in range(3):
        assign(room, *boards[:2], dealing=EACH)
    with django_assert_max_num_queries(7):
        boards_for(ninth, room.assignments.filter(for_some=False).prefetch_related("puzzles"))


def test_a_board_that_is_begun_or_taken_out(room, boards, assign, tried):
    given = assign(room, *boards[:3], dealing=EACH)
    first = room.students.get(enrolments__number=1)
    last = given.puzzles.last()
    given.dealing = ALL
    tried(first, last, "1,1")
    given.dealing = EACH
    deal(given)
    assert titles(first, given) == [last.title]
    second = room.students.get(enrolments__number=2)
    assert titles(second, given) != [last.title]
    given.puzzles.filter(pk=boards_for(second, [given])[given.pk][0].pk).delete()
    deal(given)
    assert len(titles(second, given)) == 1
    assert Part.objects.filter(assignment=given).count() == 12


def test_the_table_shows_which_board_each_had(room, boards, assign, teacher_client):
    given = assign(room, *boards[:3], dealing=EACH)
    deal(given)
    table = class_table(given)
    assert all(row.given == 1 for row in table.rows)
    assert table.cells == 12
    assert [column.given for column in table.columns] == [4, 4, 4]
    assert not table.begun
    assert "Another board" in teacher_client.get(f"/assignments/{given.pk}/").content.decode()


# Find one, several, all together


def test_a_board_dealt_leads_to_no_classmates_board(
    classroom, boards, assign, student, tried, client_of
):
    given = assign(classroom, *boards[:3], dealing=EACH, wanted=2)
    deal(given)
    (mine,) = boards_for(student, [given])[given.pk]
    tried(student, mine, LINE)
    page = client_of(student).get(f"/play/{mine.pk}/").content.decode()
    assert "Next puzzle" not in page and "Still to be solved" not in page
    assert "Every puzzle of this set is solved!" not in page
    Assignment.objects.update(wanted=1)
    page = client_of(student).get(f"/play/{mine.pk}/").content.decode()
    assert "Every puzzle of this set is solved!" in page


def test_several_solutions(classroom, puzzle, assign, student, tried, lines, counted):
    given = assign(classroom, puzzle, wanted=2)
    board = given.puzzles.get()
    attempt = tried(student, board, lines.solution)
    (mine,) = due_for(student).open
    assert (mine.solved, mine.next.found) == (0, 1)
    assert class_table(given).rows[0].cells[0].state == CellState.WORKING
    restart(attempt)
    tried(student, board, lines.other_solution)
    assert due_for(student).open[0].solved == 1
    assert class_table(given).rows[0].cells[0].state == CellState.SOLVED
    # No more than there are.
    Assignment.objects.update(wanted=9)
    board = classroom.assignments.get().puzzles.select_related("assignment").get()
    assert solutions_needed([board]) == {board.pk: 9}
    counted(board, 5)
    assert solutions_needed([board]) == {board.pk: 5}


def test_the_words_say_what_is_to_be_found(
    classroom, puzzle, assign, student, classmate, tried, lines, client_of
):
    given = assign(classroom, puzzle, wanted=Assignment.TOGETHER)
    board = given.puzzles.get()
    tried(classmate, board, lines.solution)
    page = " ".join(client_of(student).get(f"/play/{board.pk}/").content.decode().split())
    assert "Your class has found 1 so far." in page
    Assignment.objects.update(wanted=3)
    page = " ".join(client_of(student).get(f"/play/{board.pk}/").content.decode().split())
    assert "Find 3 different solutions. You have found 0." in page


def test_a_number_that_is_none(classroom, boards, teacher_client):
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
    assert [given.wanted for given in classroom.assignments.all()] == [4, 4]


# The staircase


@pytest.mark.parametrize(
    ("path", "outcome", "to"),
    [
        ([0], ALONE, 2),
        ([0], HELPED, 1),
        ([0], LEFT, 1),  # nothing is easier: the nearest
        ([0, 2], LEFT, 1),
        ([0, 2, 1], ALONE, 3),
        ([0, 2, 4], LEFT, 3),
        ([0, 2, 4], ALONE, None),
        ([0, 2, 4, 3, 1], LEFT, None),
    ],
)
def test_the_rule(classroom, boards, assign, path, outcome, to):
    given = assign(classroom, *boards, dealing=STAIRCASE)
    puzzles = list(given.puzzles.all())
    chosen = next_on(puzzles, [puzzles[place] for place in path], outcome)
    assert chosen == (None if to is None else puzzles[to])


def test_up_by_two_by_one_and_down(classroom, boards, assign, student, tried, client_of, classmate):
    given = assign(classroom, *boards, dealing=STAIRCASE)
    puzzles = list(given.puzzles.all())
    client = client_of(student)
    assert titles(student, given) == ["B1"]
    assert client.get(f"/play/{puzzles[2].pk}/").status_code == 404
    tried(student, puzzles[0], LINE)
    page = client.get(f"/play/{puzzles[0].pk}/").content.decode()
    assert "To the next board" in page
    # A GET takes no step; a press twice takes one.
    client.get(f"/play/{puzzles[0].pk}/next/")
    assert not StairStep.objects.exists()
    for _ in range(2):
        answer = client.post(f"/play/{puzzles[0].pk}/next/")
        assert answer["Location"] == f"/play/{puzzles[2].pk}/"
    attempt = tried(student, puzzles[2], LINE)
    HintUse.objects.create(attempt=attempt, step=1, level=1)
    client.post(f"/play/{puzzles[2].pk}/next/")
    assert titles(student, given) == ["B1", "B3", "B4"]
    client.post(f"/play/{puzzles[3].pk}/next/")
    assert titles(student, given) == ["B1", "B3", "B4", "B2"]
    outcomes = StairStep.objects.order_by("number").values_list("outcome", flat=True)
    assert list(outcomes) == [ALONE, HELPED, LEFT]
    # The student sees a plain way; the others have their own.
    (mine,) = due_for(student).open
    assert [state.puzzle.title for state in mine.puzzles] == ["B1", "B3", "B4", "B2"]
    assert mine.next.puzzle == puzzles[1]
    assert titles(classmate, given) == ["B1"]
    # The teacher's table shows where each stands.
    first, second, _third = class_table(given).rows
    assert (first.given, second.given) == (4, 1)
    assert first.cells[4].state == CellState.NOT_GIVEN


def test_the_way_on_from_a_board_just_solved_carries_its_token(
    classroom, boards, assign, student, tried
):
    given = assign(classroom, *boards, dealing=STAIRCASE)
    attempt = tried(student, given.puzzles.first(), "1,1 1,2")
    client = Client(enforce_csrf_checks=True)
    client.force_login(student)
    token = client.get(attempt.to["page"]).context["csrf_token"]
    sent = {"action": "move", "move": "1,3", "step": 2, "csrfmiddlewaretoken": token}
    solved = client.post(attempt.to["step"], sent, headers={"HX-Request": "true"})
    forms = re.findall('<form[^>]*method="post".*?</form>', solved.content.decode(), re.S)
    ways = [form for form in forms if attempt.to["next_board"] in form]
    assert ways and all("csrfmiddlewaretoken" in form for form in ways)


def test_the_end_of_the_staircase(classroom, boards, assign, student, tried, client_of):
    given = assign(classroom, *boards[:2], dealing=STAIRCASE)
    first, last = given.puzzles.all()
    client = client_of(student)
    tried(student, first, LINE)
    client.post(f"/play/{first.pk}/next/")
    tried(student, last, LINE)
    answer = client.post(f"/play/{last.pk}/next/", follow=True)
    assert "end of the staircase" in answer.content.decode()
    assert titles(student, given) == ["B1", "B2"]
    # Of an assignment without a staircase there is no next board.
    plain = assign(classroom, boards[0]).puzzles.get()
    assert client.post(f"/play/{plain.pk}/next/")["Location"] == f"/play/{plain.pk}/"


# Figures


def test_queries_do_not_grow(room, boards, assign, queries_of, client_of, teacher_client):
    student = room.students.get(enrolments__number=1)
    client = client_of(student)
    for dealing in Assignment.Dealing:
        for wanted in (1, 2, 0):
            given = assign(room, *boards, dealing=dealing, wanted=wanted)
            deal(given, None if wanted else room.students.values_list("pk", flat=True))
            mine = boards_for(student, [given])[given.pk][0]
            assert queries_of(client, f"/play/{mine.pk}/") <= 20
            assert queries_of(teacher_client, f"/assignments/{given.pk}/") <= 18
            assert queries_of(teacher_client, f"/assignments/{given.pk}/wall/") <= 10
    assert queries_of(client, "/") <= 12
