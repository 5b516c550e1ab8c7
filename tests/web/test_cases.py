"""Counting cases: the tree of a small board, what is missing in it, and what was counted twice."""

import random
from itertools import chain

import pytest
from django.urls import reverse

from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job
from puzzleclass.lessons.cases import MOST_CASES, all_sequences
from puzzleclass.play.attempts import restart
from solvers.registry import get_kind

SOLUTIONS, DEAD_ENDS = 5, 10
"""The solutions of the study's example, and its sequences of moves that end in a dead end."""

LARGE = "...o.o/o...o./.....o/o.o.oo/o....o"
"""A board with 5 solutions and 85 sequences of moves that end in a dead end."""


@pytest.fixture
def here(assigned) -> str:
    return reverse("cases", args=[assigned.pk])


@pytest.fixture
def own(assigned) -> str:
    return reverse("own_cases", args=[assigned.pk])


@pytest.fixture
def large(classroom, assign, make_puzzle):
    """Return an assigned puzzle whose solutions fit into a tree, but not all its sequences."""
    return assign(classroom, make_puzzle("goishi", LARGE)).puzzles.get()


def have_listed(teacher_client, puzzle) -> str:
    """Have all solutions of the puzzle listed, as the worker does; return the page's address."""
    here = reverse("cases", args=[puzzle.pk])
    teacher_client.post(here)
    runner.run(Job.objects.get(question="solutions").pk)
    return here


def leaves(page, *, dead_ends: bool = False) -> list[str]:
    """Return the states of the leaves that are no dead ends, or of those that are."""
    nodes = page.context["tree"].nodes
    return sorted(node.state for node in nodes if node.state and node.is_dead_end == dead_ends)


def sequences(kind, position) -> list[tuple[str, bool]]:
    """Return all sequences of moves by brute force, each with whether it ends in a solution."""
    is_solved = kind.judge(position).solved
    after = [] if is_solved else [kind.play(position, move) for move in kind.moves(position)]
    if not after:
        return [(kind.write_line(position), is_solved)]
    return list(chain.from_iterable(sequences(kind, each) for each in after))


@pytest.mark.parametrize(("slug", "largest"), [("goishi", 4), ("tonari", 3)])
def test_a_tree_has_every_sequence_that_brute_force_finds(slug, largest):
    kind, rng = get_kind(slug), random.Random(22)
    drawn = large = 0
    for _board in range(30):
        start = kind.sample(rng, rng.randint(2, largest))
        wanted = sequences(kind, start)
        found = all_sequences(slug, kind.write_start(start))
        if found is None:
            assert len(wanted) > MOST_CASES
            large += 1
            continue
        assert {text: not case.is_dead_end for text, case in found.items()} == dict(wanted)
        assert len(found) == len(wanted)
        assert all(" ".join(case.moves) == text for text, case in found.items())
        drawn += 1
    assert drawn > 5 and large


def test_a_tree_marks_the_dead_ends(teacher_client, here):
    page = teacher_client.get(here)
    assert leaves(page) == ["missing"] * SOLUTIONS
    assert leaves(page, dead_ends=True) == ["missing"] * DEAD_ENDS
    assert "also those that end in a dead end" in page.content.decode()
    assert f"0 of {SOLUTIONS}" in page.content.decode()
    assert f"0 of {DEAD_ENDS}" in page.content.decode()
    # Every branch is drawn once: the leaves under a node stand between its first and its last.
    nodes = page.context["tree"].nodes
    places = [(node.x, node.y) for node in nodes]
    assert len(places) == len(set(places))
    # Branches stand in the order of their letters.
    first = [node.label for node in sorted(nodes, key=lambda node: node.y) if node.from_x < 20]
    assert [label for label in first if label] == ["A", "B", "C", "D", "E"]


def test_a_teacher_can_leave_the_dead_ends_out(teacher_client, here):
    page = teacher_client.get(here, {"only": "solutions"})
    assert leaves(page) == ["missing"] * SOLUTIONS
    assert leaves(page, dead_ends=True) == []
    assert "all sequences of moves that solve the board" in page.content.decode()


def test_a_dead_end_counts_even_if_its_last_move_is_taken_back(
    teacher_client, here, assigned, student, classmate, tried, lines
):
    tried(student, assigned, lines.jam, "undo", lines.jam.split()[-1], "undo", "undo", lines.lost)
    restart(tried(classmate, assigned, lines.jam))
    tried(classmate, assigned, lines.jam)
    page = teacher_client.get(here, {"student": student.pk})
    assert leaves(page, dead_ends=True).count("found") == 1
    page = teacher_client.get(here, {"student": classmate.pk})
    assert leaves(page, dead_ends=True).count("twice") == 1
    both = teacher_client.get(here)
    assert leaves(both, dead_ends=True) == ["missing"] * (DEAD_ENDS - 1) + ["twice"]
    assert f"Dead ends found: 1 of {DEAD_ENDS}" in both.content.decode()
    assert [len(each.dead_ends) for each in both.context["students"][:2]] == [1, 1]


def test_a_board_with_many_sequences_has_a_tree_of_its_solutions(teacher_client, large):
    assert all_sequences("goishi", LARGE) is None
    page = teacher_client.get(have_listed(teacher_client, large))
    kind = get_kind("goishi")
    solved = [text for text, is_solved in sequences(kind, kind.read(LARGE)) if is_solved]
    assert leaves(page) == ["missing"] * len(solved)
    assert "With the dead ends it would be too large" in page.content.decode()


def test_equal_cases_are_counted_twice_and_the_others_are_missing(
    teacher_client, here, assigned, student, classmate, tried, lines
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
    here = have_listed(teacher_client, puzzle)
    page = teacher_client.get(here, {"student": student.pk})
    assert leaves(page).count("twice") == 1
    assert "The order of the moves does not count" in page.content.decode()
    (cases,) = [each for each in page.context["students"] if each.student.pk == student.pk]
    assert (cases.found, cases.twice) == (1, 1)


def test_the_empty_tree_for_paper_gives_nothing_away(
    teacher_client, here, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    tree = teacher_client.get(here, {"shows": "none"}).context["tree"]
    assert {(node.label, node.state, node.times, node.is_dead_end) for node in tree.nodes} == {
        ("", "", 0, False)
    }


def test_a_student_fills_the_tree_by_playing(student_client, own, assigned, student, tried, lines):
    assert "Solve the board" in student_client.get(own).content.decode()
    tried(student, assigned, lines.jam, "undo", "undo", lines.solution)
    page = student_client.get(own)
    assert leaves(page) == ["found"]
    assert leaves(page, dead_ends=True) == ["found"]


def test_a_student_sees_where_cases_are_missing_only_on_request(
    student_client, own, assigned, student, tried, lines
):
    tried(student, assigned, lines.solution)
    assert leaves(student_client.get(own)) == ["found"]
    page = student_client.get(own, {"missing": ""})
    # A missing case does not say whether it is a dead end.
    assert leaves(page) == ["found", *["missing"] * (SOLUTIONS + DEAD_ENDS - 1)]
    # The moves of missing cases can't be read.
    labels = [node.label for node in page.context["tree"].nodes if node.label]
    assert len(labels) == len(lines.solution.split())


def test_a_student_asks_for_missing_solutions_once_they_are_listed(
    teacher_client, student_client, large, student, tried
):
    kind = get_kind("goishi")
    line = next(text for text, solved in sequences(kind, kind.read(LARGE)) if solved)
    tried(student, large, line)
    own = reverse("own_cases", args=[large.pk])
    assert "Show where cases are missing" not in student_client.get(own).content.decode()
    have_listed(teacher_client, large)
    assert "Show where cases are missing" in student_client.get(own).content.decode()


def test_a_board_with_too_many_solutions_has_no_tree(
    teacher_client, classroom, assign, make_puzzle
):
    puzzle = assign(classroom, make_puzzle("kikazu", "5/5/5/5/5 2P")).puzzles.get()
    page = teacher_client.get(have_listed(teacher_client, puzzle))
    assert "at most 60 cases" in page.content.decode()
