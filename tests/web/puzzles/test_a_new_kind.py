"""A further kind is one folder in solvers/ and needs nothing else. The template proves it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.home import teacher_home
from puzzleclass.jobs import services as jobs
from puzzleclass.play.models import Attempt
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.seen_kinds import seeing
from solvers import registry
from solvers._template_sequence import KIND

ROW = "bwbw"


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """Put the template into the registry beside the real kinds."""
    everything = registry.kinds() | {KIND.slug: KIND}
    monkeypatch.setattr(registry, "kinds", lambda: everything)


def test_from_the_editor_to_the_class_page(
    teacher_client, client_of, teacher, classroom, student, done
):
    # The teacher draws a puzzle.
    address = reverse("puzzle_new", args=[KIND.slug])
    assert "Template" in teacher_client.get(address).content.decode()
    saved = teacher_client.post(address, {"do": "save", "draft": ROW, "title": "A row"})
    puzzle = Puzzle.objects.get()
    assert saved.url == reverse("puzzle", args=[puzzle.pk])
    assert puzzle.position == ROW

    # The worker counts its solutions.
    teacher_client.post(reverse("puzzle_count", args=[puzzle.pk]))
    done(jobs.find(KIND.slug, "count", ROW))
    page = teacher_client.get(saved.url)
    assert page.context["count"].value == 4

    # A student solves the puzzle.
    assignment = assign_puzzles(
        classroom, teacher, "Rows", timezone.now() + timedelta(days=1), [puzzle]
    )
    assigned = assignment.puzzles.get()
    browser = client_of(student)
    board = browser.get(reverse("play", args=[assigned.pk])).content.decode()
    assert board.count("data-move=") == 4
    step = reverse("step", args=[Attempt.first(student, assigned).key])
    for number, move in enumerate(("1,1", "1,2", "1,3", "1,4")):
        browser.post(step, {"action": "move", "step": number, "move": move})
    solved = browser.get(reverse("play", args=[assigned.pk])).content.decode()
    assert "Solution 1 of 4" in solved

    # The class page and the replay show the solution.
    table = teacher_client.get(reverse("assignment", args=[assignment.pk])).content.decode()
    assert "Solutions found: 1 of 4" in table
    replay = teacher_client.get(reverse("replay", args=[Attempt.objects.get().key]))
    assert replay.status_code == 200


def test_a_kind_without_a_collection_is_not_among_the_ready_puzzles(teacher_client):
    assert teacher_client.get("/").status_code == 200
    with seeing(registry.kinds):
        ready = {each.kind.slug for each in teacher_home._ready_puzzles()}
    assert {KIND.slug} == registry.kinds().keys() - ready
