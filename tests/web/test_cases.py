"""Counting cases: the tree of all solutions, what is missing in it, and what was counted twice."""

import pytest
from django.urls import reverse

from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import restart

SOLUTIONS = 5
"""The number of solutions of the study's example."""


@pytest.fixture
def here(assigned) -> str:
    return reverse("cases", args=[assigned.pk])


@pytest.fixture
def own(assigned) -> str:
    return reverse("own_cases", args=[assigned.pk])


@pytest.fixture
def listed(teacher_client, here):
    """Have all solutions of the assigned puzzle listed, as the worker does."""
    teacher_client.post(here)
    runner.run(Job.objects.get(question="solutions").pk)


def leaves(page) -> list[str]:
    return sorted(node.state for node in page.context["tree"].nodes if node.state)


def test_a_tree_has_a_leaf_for_each_solution(teacher_client, here, listed):
    page = teacher_client.get(here)
    assert leaves(page) == ["missing"] * SOLUTIONS
    assert f"0 of {SOLUTIONS}" in page.content.decode()
    # Every branch is drawn once: the leaves under a node stand between its first and its last.
    places = [(node.x, node.y) for node in page.context["tree"].nodes]
    assert len(places) == len(set(places))


def test_equal_cases_are_counted_twice_and_the_others_are_missing(
    teacher_client, here, listed, assigned, student, classmate, tried, lines
):
    restart(tried(student, assigned, lines.solution))
    restart(tried(student, assigned, lines.solution))
    tried(student, assigned, lines.other_solution)
    tried(classmate, assigned, lines.jam)
    page = teacher_client.get(here, {"student": student.pk})
    assert leaves(page) == ["found", *["missing"] * 3, "twice"]
    first, second = page.context["students"][:2]
    assert (first.found, first.missing, first.twice) == (2, 3, 1)
    assert (second.found, second.missing, second.twice) == (0, 5, 0)


def test_boards_of_a_placement_are_one_case_in_any_order(
    teacher_client, classroom, assign, make_puzzle, student, tried
):
    puzzle = assign(classroom, make_puzzle("kikazu", "3/1R1/3 2P")).puzzles.get()
    restart(tried(student, puzzle, "P 1,1", "P 1,3"))
    tried(student, puzzle, "P 1,3", "P 1,1")
    here = reverse("cases", args=[puzzle.pk])
    teacher_client.post(here)
    runner.run(Job.objects.get(question="solutions").pk)
    page = teacher_client.get(here, {"student": student.pk})
    assert leaves(page).count("twice") == 1
    (cases,) = [each for each in page.context["students"] if each.student.pk == student.pk]
    assert (cases.found, cases.twice) == (1, 1)


def test_the_empty_tree_for_paper_gives_nothing_away(
    teacher_client, here, listed, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    tree = teacher_client.get(here, {"shows": "none"}).context["tree"]
    assert {(node.label, node.state, node.times) for node in tree.nodes} == {("", "", 0)}


def test_a_student_fills_the_tree_by_playing(student_client, own, assigned, student, tried, lines):
    assert "Solve the board" in student_client.get(own).content.decode()
    tried(student, assigned, lines.solution)
    page = student_client.get(own)
    assert leaves(page) == ["found"]
    assert "Show where cases are missing" not in page.content.decode()


def test_a_student_sees_where_cases_are_missing_only_on_request(
    student_client, own, listed, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    assert leaves(student_client.get(own)) == ["found"]
    page = student_client.get(own, {"missing": ""})
    assert leaves(page) == ["found", *["missing"] * 4]
    # The moves of missing cases can't be read.
    labels = [node.label for node in page.context["tree"].nodes if node.label]
    assert len(labels) == len(lines.solution.split())


def test_a_board_with_too_many_solutions_has_no_tree(
    teacher_client, classroom, assign, make_puzzle
):
    puzzle = assign(classroom, make_puzzle("kikazu", "5/5/5/5/5 2P")).puzzles.get()
    here = reverse("cases", args=[puzzle.pk])
    teacher_client.post(here)
    runner.run(Job.objects.get(question="solutions").pk)
    assert "at most 60 cases" in teacher_client.get(here).content.decode()
