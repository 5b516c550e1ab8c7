"""Copying an assignment to another class, and assigning generated puzzles at once."""

import pytest
from django.urls import reverse

from puzzleclass.assignments.models import Assignment
from puzzleclass.jobs import services as jobs
from puzzleclass.puzzles.models import Puzzle
from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from solvers.registry import get_kind


def test_a_copy_has_the_puzzles_and_the_terms(
    teacher_client, teacher, assignment, puzzle, make_class
):
    Assignment.objects.update(hints=7, warns=True, shows_total=False)
    puzzle.delete()
    other = make_class(teacher, "5-1", "Ono Mei")
    answer = teacher_client.post(
        reverse("assignment_copy", args=[assignment.pk]), {"classroom": other.pk}
    )
    copied = other.assignments.get()
    assert answer.url == reverse("assignment_edit", args=[copied.pk]) + "?publish=yes"
    assert (copied.hints, copied.warns, copied.shows_total) == (7, True, False)
    copies = [(board.title, board.position) for board in copied.puzzles.all()]
    assert copies == [(board.title, board.position) for board in assignment.puzzles.all()]
    assert not copied.is_over and assignment.puzzles.count() == 1


def test_students_see_a_copy_when_its_form_is_saved(
    teacher_client, client_of, student, assignment, classroom
):
    url = reverse("assignment_copy", args=[assignment.pk])
    answer = teacher_client.post(url, {"classroom": classroom.pk})
    copied = classroom.assignments.exclude(pk=assignment.pk).get()
    assert copied.is_draft and copied.puzzles.exists()
    assert client_of(student).get("/").context["due"].open[0].assignment == assignment
    page = teacher_client.get(answer.url)
    assert "Assign" in page.content.decode()
    assert not page.context["form"]["is_draft"].value()
    boards = [option.name for option in page.context["choice"].basket]
    due = page.context["form"]["due_at"].value().strftime("%Y-%m-%dT%H:%M")
    fields = {"title": "Again", "due_at": due, "hints": "3", "board": boards, "who": "class"}
    teacher_client.post(answer.url, fields | {"is_draft": "on"})
    copied.refresh_from_db()
    assert copied.is_draft and copied.title == "Again"
    teacher_client.post(answer.url, fields)
    copied.refresh_from_db()
    assert not copied.is_draft


def test_a_copy_for_the_same_class_gets_a_number(teacher_client, classroom, assignment):
    for _ in range(2):
        teacher_client.post(f"/assignments/{assignment.pk}/copy/", {"classroom": classroom.pk})
    titles = classroom.assignments.order_by("pk").values_list("title", flat=True)
    assert list(titles) == ["Homework", "Homework 2", "Homework 3"]


def test_only_classes_that_the_teacher_teaches(teacher_client, assignment, other_student):
    theirs = other_student.enrolments.get().classroom
    url = reverse("assignment_copy", args=[assignment.pk])
    for chosen in (theirs.pk, "x", "9" * 30):
        assert teacher_client.post(url, {"classroom": chosen}).status_code == 404
    assert Assignment.objects.count() == 1


@pytest.fixture
def search(teacher, answered):
    """Return a search that has found eleven boards, each with one solution."""
    question = get_kind("goishi").questions["generate"]
    options = {name: option.read(option.default) for name, option in question.options.items()}
    job = jobs.ask(teacher, "goishi", "generate", "o", options)
    boards = tuple(
        GeneratedBoard(position="o" * n, solutions=Exact(1), band="hard", line="1,1")
        for n in range(1, 12)
    )
    job.answer = GenerateAnswer(Exact(11), boards=boards).to_json()
    job.state = "done"
    job.save()
    return job


def test_all_are_saved_in_order_with_what_is_known(teacher_client, search):
    url = reverse("puzzle_generated", args=[search.pk])
    teacher_client.post(url, {"do": "all", "title": "Ten #"})
    listed = teacher_client.get(reverse("puzzle_list")).context["page"]
    assert [puzzle.title for puzzle in listed] == [f"Ten {n}" for n in range(1, 12)]
    assert {(p.solutions, p.is_counted, p.level) for p in listed} == {("1", True, 3)}
    page = teacher_client.get(reverse("puzzle", args=[listed[0].pk])).content.decode()
    assert "There is exactly one solution." in page and "Count the solutions" not in page


def test_found_boards_are_assigned_at_once(teacher_client, search, classroom):
    url = reverse("puzzle_generated", args=[search.pk])
    answer = teacher_client.post(url, {"give": classroom.pk, "title": "Ten #"}, follow=True)
    form = answer.content.decode()
    assert Puzzle.every.exists()
    for puzzle in Puzzle.every.all():
        assert f'value="library-{puzzle.pk}"' in form
    some = ["o", "ooo"]
    answer = teacher_client.post(url, {"give": classroom.pk, "title": "x", "boards": some})
    keys = Puzzle.every.filter(title__startswith="x").order_by("pk").values_list("pk", flat=True)
    assert answer.url.endswith("?" + "&".join(f"puzzle={key}" for key in keys))


def test_chance_is_new_each_time_and_can_be_repeated(teacher_client, search):
    url = reverse("puzzle_generate", args=["goishi"])
    seeds = {teacher_client.get(url).context["form"]["seed"].value() for _ in range(4)}
    assert len(seeds) > 1
    again = teacher_client.get(url, {"like": search.pk}).context["form"]
    assert again["seed"].value() == "1"
    page = teacher_client.get(reverse("puzzle_generated", args=[search.pk])).content.decode()
    assert "Seed: 1." in page
