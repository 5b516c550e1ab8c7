"""Assigning puzzles to a class, changing an assignment, and withdrawing it."""

import re
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.services import assign_puzzles, propose_title
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle


@pytest.fixture
def library(teacher, puzzle) -> list[Puzzle]:
    """Return three puzzles of the teacher."""
    others = [("Four", "oo/oo"), ("Steps", "oo./.oo")]
    return [
        puzzle,
        *(
            Puzzle.objects.create(owner=teacher, kind_slug="goishi", position=text, title=title)
            for title, text in others
        ),
    ]


@pytest.fixture
def new(classroom) -> str:
    return f"/classes/{classroom.pk}/assignments/new/"


def fields(*boards: str, listed: tuple[str, ...] = (), **others: str) -> dict[str, object]:
    """Return the fields that the form sends."""
    due = timezone.localtime() + timedelta(days=1)
    return {
        "title": "Homework",
        "due_at": due.strftime("%Y-%m-%dT%H:%M"),
        "shows_total": "on",
        "hints": "3",
        "board": boards,
        "listed": listed or boards,
    } | others


def in_library(puzzle: Puzzle) -> str:
    return f"library-{puzzle.pk}"


def contents(assignment: Assignment) -> list[tuple[int, str]]:
    return list(assignment.puzzles.values_list("number", "title"))


# Assigning


def test_the_form_proposes_a_week_and_marks_the_puzzle_one_came_from(teacher_client, new, library):
    page = teacher_client.get(f"{new}?puzzle={library[1].pk}")
    due = timezone.localtime(page.context["form"].initial["due_at"])
    assert (due.date(), due.hour) == (timezone.localdate() + timedelta(days=7), 17)
    assert f'value="{due:%Y-%m-%dT17:00}"' in page.content.decode()
    chosen = [choice.board.title for choice in page.context["choice"].choices if choice.chosen]
    assert chosen == ["Four"]
    assert page.context["choice"].choices[0].chosen


@pytest.mark.parametrize("puzzle_pk", ["", "x", "0", "9" * 30])
def test_an_unknown_puzzle_in_the_address_is_ignored(teacher_client, new, library, puzzle_pk):
    page = teacher_client.get(new, {"puzzle": puzzle_pk})
    assert page.status_code == 200
    assert not any(choice.chosen for choice in page.context["choice"].choices)


def test_known_counts_stand_on_the_cards(teacher_client, new, assigned, counted):
    counted(assigned, 5)
    assert "Solutions: 5" in teacher_client.get(new).content.decode()


def test_a_teacher_without_puzzles_is_led_to_the_library(colleague_client, new):
    assert "Your library is empty." in colleague_client.get(new).content.decode()


def test_the_class_gets_copies_in_order_and_counts_are_started(
    teacher_client, teacher, classroom, new, library
):
    five, four, steps = map(in_library, library)
    answer = teacher_client.post(new, fields(steps, four, five))
    assignment = classroom.assignments.get()
    assert answer.url == f"/assignments/{assignment.pk}/"
    assert (assignment.teacher, assignment.title, assignment.shows_total) == (
        teacher,
        "Homework",
        True,
    )
    assert contents(assignment) == [(1, "Steps"), (2, "Four"), (3, "Five stones")]
    first = assignment.puzzles.first()
    assert (first.kind_slug, first.position, first.puzzle) == ("goishi", "oo./.oo", library[2])
    asked = Job.objects.filter(question="count", askers=teacher).values_list("position", flat=True)
    assert set(asked) == {puzzle.position for puzzle in library}


def test_the_basket_is_put_together_step_by_step(teacher_client, teacher, new, library):
    five, four, steps = map(in_library, library)
    Puzzle.objects.filter(pk=library[0].pk).update(level=3)
    Puzzle.objects.filter(pk=library[1].pk).update(level=1)

    def after(do: str, *basket: str) -> list[str]:
        answer = teacher_client.post(
            new, fields(*basket, title="") | {"do": do}, headers={"hx-request": "true"}
        )
        assert answer.status_code == 200
        assert "<html" not in answer.content.decode()
        return [choice.name for choice in answer.context["choice"].basket]

    assert after(f"add:{five}") == [five]
    assert after(f"add:{four}", five) == [five, four]
    assert after(f"add:{four}", five, four) == [five, four]
    assert after(f"up:{four}", five, four) == [four, five]
    assert after(f"up:{four}", four, five) == [four, five]
    assert after(f"down:{four}", four, five) == [five, four]
    assert after(f"drop:{five}", five, four) == [four]
    assert after("easy", steps, five, four) == [four, five, steps]
    assert after("nonsense:x", five, four) == [five, four]
    assert not Assignment.objects.exists()
    page = teacher_client.post(new, fields(five) | {"do": f"add:{four}"}).content.decode()
    assert f'name="board" value="{four}"' in page and 'value="Homework"' in page


def test_the_library_beside_the_basket_is_searched(teacher_client, new, library):
    answer = teacher_client.get(new, {"q": "four"}, headers={"hx-request": "true"})
    page = answer.content.decode()
    assert f"add:{in_library(library[1])}" in page and f"add:{in_library(library[0])}" not in page


def test_a_puzzle_known_to_have_no_solution_needs_a_confirmation(
    teacher_client, teacher, new, answered, make_puzzle
):
    hopeless = make_puzzle("goishi", ".o./ooo/.o.", "Hopeless")
    answered(jobs.ask(teacher, "goishi", "count", hopeless.position), 0)
    sent = fields(in_library(hopeless))
    answer = teacher_client.post(new, sent)
    assert (
        answer.status_code == 422 and "These puzzles cannot be solved:" in answer.content.decode()
    )
    assert teacher_client.post(new, sent | {"sure_hopeless": "yes"}).status_code == 302


def test_known_results_of_the_library_are_shown_in_the_basket(teacher_client, new, library):
    Puzzle.objects.filter(pk=library[0].pk).update(solutions="0", is_counted=True)
    page = teacher_client.get(f"{new}?puzzle={library[0].pk}")
    assert [choice.is_hopeless for choice in page.context["choice"].basket] == [True]
    assert "Solutions: 0" in page.content.decode()


def test_the_time_is_measured_on_earlier_attempts(
    teacher_client, new, puzzle, assigned, student, tried, lines
):
    url = f"{new}?puzzle={puzzle.pk}"
    assert "judging by earlier attempts" not in teacher_client.get(url).content.decode()
    tried(student, assigned, lines.solution)
    Attempt.objects.update(seconds=290)
    assert "About 5 min, judging by earlier attempts" in teacher_client.get(url).content.decode()


def test_the_copy_stays_when_the_library_changes(teacher, classroom, library):
    assignment = assign_puzzles(
        classroom, teacher, "Set", timezone.now() + timedelta(days=1), library
    )
    library[1].position = "ooo"
    library[1].save()
    library[2].delete()
    assert [p.position for p in assignment.puzzles.all()] == [
        library[0].position,
        "oo/oo",
        "oo./.oo",
    ]


def test_the_total_can_be_kept_secret(teacher_client, classroom, new, puzzle):
    sent = fields(in_library(puzzle))
    del sent["shows_total"]
    teacher_client.post(new, sent)
    assert not classroom.assignments.get().shows_total


PAST = "This time has passed. Choose a time in the future."
PAST_JA = "この日時はもう過ぎています。これから先の日時を選んでください。"
NO_DATE = "This is not a date and time."
NO_DATE_JA = "日付と時刻として読めません。"


@pytest.mark.parametrize(
    ("change", "english", "japanese"),
    [
        ({"title": ""}, "Give the assignment a title.", "課題に題名をつけてください。"),
        ({"title": "x" * 61}, "at most 60 characters", "60"),
        ({"due_at": ""}, "Enter a due date", "しめきりを入れてください。"),
        ({"due_at": "2020-01-01T00:00"}, PAST, PAST_JA),
        ({"due_at": "0001-01-01T00:00"}, PAST, PAST_JA),
        ({"due_at": "tomorrow"}, NO_DATE, NO_DATE_JA),
        ({"hints": ""}, "Enter a number of hints from 0 to 50.", "ヒントの数は0から50まで"),
        ({"hints": "-1"}, "Enter a number of hints from 0 to 50.", "ヒントの数は0から50まで"),
        ({"hints": "51"}, "Enter a number of hints from 0 to 50.", "ヒントの数は0から50まで"),
        ({"hints": "many"}, "Enter a number of hints from 0 to 50.", "ヒントの数は0から50まで"),
        ({"due_at": "2030-02-30T10:00"}, NO_DATE, NO_DATE_JA),
        ({"board": []}, "Choose at least one puzzle.", "問題を1つ以上選んでください。"),
        ({"board": ["library-999"]}, "has been removed", "なくなったものがあります"),
        ({"board": ["nonsense"]}, "has been removed", "なくなったものがあります"),
    ],
)
def test_bad_forms_are_answered_in_words(
    client_of, teacher, new, puzzle, change, english, japanese
):
    sent = fields(in_library(puzzle)) | change
    for language, said in (("en", english), ("ja", japanese)):
        answer = client_of(teacher, language).post(new, sent)
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert not Assignment.objects.exists()


def test_a_refused_form_keeps_the_choice(teacher_client, new, library):
    _five, four, steps = map(in_library, library)
    sent = fields(steps, four, title="")
    basket = teacher_client.post(new, sent).context["choice"].basket
    assert [choice.board.title for choice in basket] == ["Steps", "Four"]


def test_another_teachers_puzzle_cannot_be_assigned(teacher_client, new, other_teacher, puzzle):
    foreign = Puzzle.objects.create(
        owner=other_teacher, kind_slug="goishi", position="oo", title="Not yours"
    )
    answer = teacher_client.post(new, fields(in_library(foreign)))
    assert answer.status_code == 422
    assert "Not yours" not in answer.content.decode()
    assert not Assignment.objects.exists()


def test_more_than_a_table_can_show_is_refused(teacher_client, teacher, new):
    many = [
        Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="oo", title=f"P{n}")
        for n in range(41)
    ]
    answer = teacher_client.post(new, fields(*map(in_library, many)))
    assert "An assignment holds at most 40 puzzles." in answer.content.decode()


def test_the_form_takes_the_same_queries_for_a_large_library(
    teacher_client, teacher, new, puzzle, queries_of
):
    assert queries_of(teacher_client, new) == 9
    for number in range(10):
        Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="oo", title=f"P{number}")
    assert queries_of(teacher_client, new) == 9


# Changing


@pytest.fixture
def three(classroom, library, assign) -> Assignment:
    return assign(classroom, *library)


def given_names(assignment: Assignment) -> list[str]:
    return [f"given-{board.pk}" for board in assignment.puzzles.all()]


def test_title_date_order_and_puzzles_are_changed(colleague_client, colleague, three):
    five, four, steps = given_names(three)
    added = Puzzle.objects.create(owner=colleague, kind_slug="goishi", position="ooo", title="Row")
    sent = fields(
        steps,
        five,
        in_library(added),
        listed=(five, four, steps, in_library(added)),
        title="Homework 2",
        due_at="2099-12-31T23:59",
    )
    kept = three.puzzles.get(title="Steps").pk
    answer = colleague_client.post(f"/assignments/{three.pk}/edit/", sent)
    assert answer.url == f"/assignments/{three.pk}/"
    three.refresh_from_db()
    assert contents(three) == [(1, "Steps"), (2, "Five stones"), (3, "Row")]
    assert three.puzzles.get(title="Steps").pk == kept
    assert timezone.localtime(three.due_at) == timezone.make_aware(datetime(2099, 12, 31, 23, 59))
    assert three.title == "Homework 2"


def test_the_library_of_the_form_omits_assigned_puzzles(teacher_client, three):
    page = teacher_client.get(f"/assignments/{three.pk}/edit/")
    assert all(choice.is_assigned for choice in page.context["choice"].choices)
    assert [choice.name for choice in page.context["choice"].basket] == given_names(three)


def test_attempts_are_deleted_only_after_a_confirmation(client_of, teacher, three, student, tried):
    five, four, steps = given_names(three)
    tried(student, three.puzzles.get(title="Four"), "1,1")
    url = f"/assignments/{three.pk}/edit/"
    sent = fields(five, steps, listed=(five, four, steps), title="Changed")
    for language, asked in (("en", "What should happen"), ("ja", "これまでの挑戦をどうしますか")):
        answer = client_of(teacher, language).post(url, sent)
        assert answer.status_code == 422
        assert asked in answer.content.decode()
    three.refresh_from_db()
    assert (three.title, three.puzzles.count(), Attempt.objects.count()) == ("Homework", 3, 1)
    kept = sent | {f"tries-{four}": "keep"}
    assert client_of(teacher).post(url, kept).status_code == 302
    assert contents(three) == [(1, "Five stones"), (2, "Steps"), (3, "Four")]
    assert Attempt.objects.count() == 1
    assert client_of(teacher).post(url, sent | {f"tries-{four}": "x"}).status_code == 422
    assert client_of(teacher).post(url, sent | {f"tries-{four}": "delete"}).status_code == 302
    assert contents(three) == [(1, "Five stones"), (2, "Steps")]
    assert not Attempt.objects.exists()


def test_puzzles_nobody_has_tried_go_without_asking(teacher_client, three, student, tried):
    five, four, steps = given_names(three)
    tried(student, three.puzzles.get(title="Four"))  # opened, without a move
    sent = fields(five, steps, listed=(five, four, steps))
    assert teacher_client.post(f"/assignments/{three.pk}/edit/", sent).status_code == 302
    assert contents(three) == [(1, "Five stones"), (2, "Steps")]


def test_a_puzzle_added_in_another_window_stays(teacher_client, three):
    five, _four, steps = given_names(three)
    sent = fields(steps, five, listed=(five, steps))
    teacher_client.post(f"/assignments/{three.pk}/edit/", sent)
    assert {title for number, title in contents(three)} == {"Five stones", "Four", "Steps"}


def test_an_assignment_that_is_over_gets_another_title_but_no_past_date(
    teacher_client, overdue, assigned
):
    url = f"/assignments/{overdue.pk}/edit/"
    name = f"given-{assigned.pk}"
    shown = timezone.localtime(overdue.due_at).strftime("%Y-%m-%dT%H:%M")
    assert shown in teacher_client.get(url).content.decode()
    assert teacher_client.post(url, fields(name, title="Past", due_at=shown)).status_code == 302
    before = overdue.due_at
    overdue.refresh_from_db()
    assert (overdue.title, overdue.due_at) == ("Past", before)
    answer = teacher_client.post(url, fields(name, due_at="2020-01-01T00:00"))
    assert PAST in answer.content.decode()


def test_an_assignment_keeps_a_puzzle(teacher_client, assignment, assigned):
    sent = fields(listed=(f"given-{assigned.pk}",))
    answer = teacher_client.post(f"/assignments/{assignment.pk}/edit/", sent)
    assert "Choose at least one puzzle." in answer.content.decode()
    assert assignment.puzzles.count() == 1


# Deleting


def test_a_deleted_assignment_comes_back_with_the_students_work(
    teacher_client, client_of, assignment, assigned, student, classroom, tried
):
    tried(student, assigned, "1,1")
    answer = teacher_client.post(f"/assignments/{assignment.pk}/delete/", follow=True)
    assert answer.redirect_chain == [(f"/classes/{classroom.pk}/", 302)]
    page = answer.content.decode()
    assert "“Homework” has been deleted." in page
    assert not Assignment.objects.exists() and not classroom.assignments.exists()
    assert "Homework" not in client_of(student).get("/").content.decode()
    restored = teacher_client.post(re.search(r"/bin/[0-9]+/", page)[0])
    assert restored.url == f"/assignments/{assignment.pk}/"
    assert Assignment.objects.get() == assignment
    assert student.attempts.get().line == "1,1"
    assert "Homework" in client_of(student).get("/").content.decode()


# Features of some kinds


def test_shading_is_offered_where_a_kind_has_it(client_of, teacher, new, library, make_puzzle):
    """The style sheet decides whether a puzzle in the basket has it."""
    text = "Shade the squares that pieces attack"
    page = client_of(teacher).get(f"{new}?puzzle={library[0].pk}").content.decode()
    assert "data-shades" not in page
    pieces = make_puzzle("kikazu", "3/3/3 RG", "Pieces")
    page = client_of(teacher).get(f"{new}?puzzle={pieces.pk}").content.decode()
    assert text in page and page.count("data-shades") == 1
    assert "駒の利き" in client_of(teacher, "ja").get(new).content.decode()
    sent = fields(in_library(pieces), shades="on")
    client_of(teacher).post(new, sent)
    assert Assignment.objects.get().shades


# Goals of kinds with a score

WIDE = "/".join(["." * 11 + "-"] + ["." * 12] * 11)
"""A board whose optimum, 109, is not known at once because the board is too wide."""


@pytest.fixture
def drawn(make_puzzle):
    """Return a function that puts a board of a kind with a score into the teacher's library."""

    def drawn(position: str) -> Puzzle:
        return make_puzzle("maxstrings", position, "Go")

    return drawn


@pytest.fixture
def assign_board(teacher_client, classroom):
    """Return a function that assigns a board of the library to the class, with a goal."""

    def assign_board(board: Puzzle, goal: str):
        name = in_library(board)
        sent = fields(name, **{f"goal-{name}": goal})
        return teacher_client.post(f"/classes/{classroom.pk}/assignments/new/", sent)

    return assign_board


def test_the_goal_is_set_when_a_board_is_assigned(drawn, assign_board):
    board = drawn(".../.../...")
    assert assign_board(board, "4").status_code == 302
    assert AssignedPuzzle.objects.get().position == ".../.../... 4"
    board.refresh_from_db()
    assert board.position == ".../.../..."


def test_a_board_keeps_its_own_goal_unless_it_is_changed(
    teacher_client, classroom, drawn, assign_board
):
    board = drawn(".../.../... 5")
    new = f"/classes/{classroom.pk}/assignments/new/?puzzle={board.pk}"
    page = teacher_client.get(new).content.decode()
    assert re.search(rf'name="goal-library-{board.pk}"\s+value="5"\s+placeholder="6"', page)
    assign_board(board, "")
    assert AssignedPuzzle.objects.get().position == ".../.../..."


@pytest.mark.parametrize(("goal", "fault"), [("7", "holds 6 at most"), ("x", "whole number")])
def test_an_impossible_goal_is_not_assigned(drawn, assign_board, goal, fault):
    answer = assign_board(drawn(".../.../..."), goal)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert fault in page and f'value="{goal}"' in page
    assert not AssignedPuzzle.objects.exists()


def test_no_board_without_a_known_goal_is_assigned(drawn, assign_board, teacher, answered):
    board = drawn(WIDE)
    answer = assign_board(board, "")
    assert answer.status_code == 422
    assert "The best score of this board is not known yet." in answer.content.decode()
    answered(jobs.ask(teacher, "maxstrings", "best", WIDE), 109)
    assert assign_board(board, "").status_code == 302
    assert AssignedPuzzle.objects.get().position == f"{WIDE} 109"


def test_the_optimum_of_an_assigned_board_is_asked_for(drawn, assign_board):
    assert assign_board(drawn(f"{WIDE} 100"), "100").status_code == 302
    assert Job.objects.get(question="best").position == WIDE


def test_an_assigned_goal_stays(teacher_client, classroom, drawn, assign):
    assignment = assign(classroom, drawn(".../.../... 5"))
    page = teacher_client.get(f"/assignments/{assignment.pk}/edit/").content.decode()
    assert "Goal: 5" in page and 'name="goal-given' not in page
    name = f"given-{assignment.puzzles.get().pk}"
    sent = fields(name, **{f"goal-{name}": "3"})
    assert teacher_client.post(f"/assignments/{assignment.pk}/edit/", sent).status_code == 302
    assert assignment.puzzles.get().position == ".../.../... 5"


def test_an_assignment_is_closed_now(teacher_client, student_client, assignment, assigned):
    page = teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()
    assert "Close now" in page
    teacher_client.post(f"/assignments/{assignment.pk}/close/")
    assignment.refresh_from_db()
    assert assignment.is_over
    assert (
        "The due date has passed." in student_client.get(f"/play/{assigned.pk}/").content.decode()
    )
    assert "Close now" not in teacher_client.get(f"/assignments/{assignment.pk}/").content.decode()
    # An assignment that is over stays as it was, and so does one that students do not see yet.
    closed_at = assignment.due_at
    teacher_client.post(f"/assignments/{assignment.pk}/close/")
    assignment.refresh_from_db()
    assert assignment.due_at == closed_at


def test_a_closed_assignment_can_still_get_another_title(teacher_client, assignment):
    Assignment.objects.update(starts_at=timezone.now().replace(second=0, microsecond=0))
    teacher_client.post(f"/assignments/{assignment.pk}/close/")
    page = teacher_client.get(f"/assignments/{assignment.pk}/edit/")
    moments = {
        name: page.context["form"][name].value().strftime("%Y-%m-%dT%H:%M")
        for name in ("starts_at", "due_at")
    }
    board = page.context["choice"].basket[0].name
    fields = {"title": "Renamed", "hints": "3", "board": board, **moments}
    answer = teacher_client.post(f"/assignments/{assignment.pk}/edit/", fields)
    assert answer.status_code == 302


def test_a_due_date_in_the_past_leads_to_the_way_to_close(teacher_client, assignment):
    past = timezone.localtime() - timedelta(days=1)
    fields = {"title": "x", "hints": "3", "due_at": past.strftime("%Y-%m-%dT%H:%M")}
    page = teacher_client.post(f"/assignments/{assignment.pk}/edit/", fields).content.decode()
    assert "To close the assignment now, choose “Close now” in the menu of its page." in page


# What the form fills in


def test_the_title_follows_the_boards_until_it_is_changed(teacher_client, new, library):
    five, four, _steps = map(in_library, library)
    htmx = {"headers": {"hx-request": "true"}}

    def proposed(*boards: str, **others: str) -> str:
        sent = fields(*boards, **others) | {"do": "show"}
        return teacher_client.post(new, sent, **htmx).context["proposed"]

    assert teacher_client.get(new).context["form"]["title"].value() == ""
    assert proposed(five) == "Five stones"
    assert proposed(five, four) == "Goishi Hiroi"
    untouched = fields(five, four, title="Five stones", proposed="Five stones")
    page = teacher_client.post(new, untouched | {"do": "show"})
    assert page.context["form"]["title"].value() == "Goishi Hiroi"
    changed = fields(five, four, title="Mine", proposed="Five stones", do="show")
    assert teacher_client.post(new, changed).context["form"]["title"].value() == "Mine"
    answer = teacher_client.post(new, untouched)
    assert answer.status_code == 302
    assert Assignment.objects.get().title == "Goishi Hiroi"
    assert proposed(five, four) == "Goishi Hiroi 2"


def test_the_title_is_what_the_boards_have_in_common(classroom, make_puzzle):
    rows = [make_puzzle("goishi", "ooo", f"Row {number}") for number in (1, 2, 12)]
    pieces = make_puzzle("kikazu", "3/3/3 RG", "Pieces")
    go = make_puzzle("maxstrings", ".../.../... 3", "Go")
    assert propose_title(classroom, []) == ""
    assert propose_title(classroom, rows) == "Row"
    assert propose_title(classroom, rows[1:2]) == "Row 2"
    assert propose_title(classroom, [rows[0], pieces]) == "Goishi Hiroi and Non-attacking pieces"
    assert propose_title(classroom, [rows[0], pieces, go]) == "Mixed puzzles"


def test_a_new_assignment_begins_with_the_last_settings(
    teacher_client, teacher, new, library, make_class
):
    five = in_library(library[0])
    elsewhere = make_class(teacher, "5-1", "Ono Mei")
    teacher_client.post(new, fields(five, hints="7", warns="on", dealing="staircase", aim="one"))
    other = f"/classes/{elsewhere.pk}/assignments/new/"
    page = teacher_client.get(other)
    assert page.context["form"]["hints"].value() == 7 and page.context["form"]["warns"].value()
    teacher_client.post(other, fields(five, hints="1"))
    page = teacher_client.get(new)
    form, dealing = page.context["form"], page.context["dealing"]
    assert form["hints"].value() == 7 and form["warns"].value()
    assert dealing["dealing"].value() == "staircase" and dealing["who"].value() == "class"
    # Unusual settings are never hidden, and what was sent stands above what is remembered.
    assert "<details open>" in page.content.decode()
    assert "<details >" in teacher_client.get(other).content.decode()
    again = teacher_client.post(new, fields(five, due_at="")).context["form"]
    assert not again["warns"].value() and again["hints"].value() == "3"


def test_a_fault_in_a_setting_that_is_folded_away_opens_it(teacher_client, new, library):
    sent = fields(in_library(library[0]), starts_at="soon")
    assert "<details open>" in teacher_client.post(new, sent).content.decode()


def test_a_group_gets_an_assignment_with_one_press(teacher_client, classroom, new, library):
    reds = classroom.groups.create(name="Reds")
    five = in_library(library[0])
    page = teacher_client.get(new).content.decode()
    assert re.search(rf'name="who" value="group-{reds.pk}"', page)
    empty = teacher_client.post(new, fields(five, who=f"group-{reds.pk}"))
    assert empty.status_code == 422
    assert "Choose a group or a student." in empty.content.decode()
    reds.members.add(classroom.enrolments.get(number=2))
    assert teacher_client.post(new, fields(five, who=f"group-{reds.pk}")).status_code == 302
    assignment = Assignment.objects.get()
    assert assignment.for_some
    assert list(assignment.parts.values_list("student__enrolments__number", flat=True)) == [2]
    foreign = teacher_client.post(new, fields(five, who="group-999"))
    assert foreign.status_code == 422


def test_a_copy_for_the_same_class_gets_a_number(teacher_client, classroom, assignment):
    for _ in range(2):
        teacher_client.post(f"/assignments/{assignment.pk}/copy/", {"classroom": classroom.pk})
    titles = classroom.assignments.order_by("pk").values_list("title", flat=True)
    assert list(titles) == ["Homework", "Homework 2", "Homework 3"]


def test_a_press_takes_the_same_queries_for_many_boards(
    teacher_client, new, library, django_assert_max_num_queries
):
    """A search asks for the page of the library, and a press for the list of chosen boards."""
    htmx = {"headers": {"hx-request": "true"}}
    teacher_client.get(new)
    with django_assert_max_num_queries(6):
        teacher_client.get(new, {"q": "four"}, **htmx)
    for boards in (library[:1], library):
        sent = fields(*map(in_library, boards)) | {"do": "show"}
        with django_assert_max_num_queries(10):
            teacher_client.post(new, sent, **htmx)
