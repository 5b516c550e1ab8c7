"""Assigning puzzles to a class: the form, what it fills in, and what it refuses."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.assignments.services import assign_puzzles, propose_title
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from tests.web.assignments.assignment_form import PAST, contents, fields, in_library, library

__all__ = ["library"]


@pytest.fixture
def new(classroom) -> str:
    return f"/classes/{classroom.pk}/assignments/new/"


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
    assert "You have no puzzles of your own yet." in colleague_client.get(new).content.decode()


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
    assert queries_of(teacher_client, new) == 10
    for number in range(10):
        Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="oo", title=f"P{number}")
    assert queries_of(teacher_client, new) == 10


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
    assert propose_title(classroom, [rows[0], pieces]) == "Goishi Hiroi and Peaceful Pieces"
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


def test_a_press_takes_the_same_queries_for_many_boards(
    teacher_client, new, library, django_assert_max_num_queries
):
    """A search asks for the page of the library, and a press for the list of chosen boards."""
    htmx = {"headers": {"hx-request": "true"}}
    teacher_client.get(new)
    with django_assert_max_num_queries(8):
        teacher_client.get(new, {"q": "four"}, **htmx)
    for boards in (library[:1], library):
        sent = fields(*map(in_library, boards)) | {"do": "show"}
        with django_assert_max_num_queries(12):
            teacher_client.post(new, sent, **htmx)
