"""A student's own records, thanks for puzzles in the gallery, and the teacher's switch."""

import pytest
from django.urls import reverse

from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.gallery.services import approve, open_gallery
from puzzleclass.play.attempts import current_attempt
from puzzleclass.play.models import Attempt, HintUse, Thanks
from puzzleclass.play.records import records_of
from puzzleclass.play.restarts import restart


@pytest.fixture
def gallery_puzzle(classroom, teacher, classmate) -> AssignedPuzzle:
    """Return a puzzle in the gallery that the classmate has written."""
    gallery = open_gallery(classroom, teacher)
    written = WrittenPuzzle.objects.create(
        author=classmate,
        kind_slug="goishi",
        position="oo",
        title="Two",
        state="waiting",
        classroom=classroom,
    )
    return approve(written, gallery, written.mark)


def test_records_are_the_best_of_all_solved_attempts(student, assigned, tried, lines):
    first = tried(student, assigned, lines.solution.split()[0], "undo", lines.solution)
    HintUse.objects.create(attempt=first, step=0, level=1)
    Attempt.objects.filter(pk=first.pk).update(seconds=90)
    (record,) = records_of(student).boards
    assert (record.seconds, record.undos, record.without_hint) == (90, 1, False)
    restart(current_attempt(student, assigned) or first)
    second = tried(student, assigned, lines.solution)
    Attempt.objects.filter(pk=second.pk).update(seconds=120)
    records = records_of(student)
    (record,) = records.boards
    assert (record.seconds, record.undos, record.without_hint) == (90, 0, True)
    assert (records.solved, records.without_hint, records.solutions) == (1, 1, 1)
    assert (record.found, record.lines[0]) == (1, second.line)


def test_nobody_sees_the_records_of_others(student_client, classmate, assigned, tried, lines):
    tried(classmate, assigned, lines.solution)
    page = student_client.get(reverse("own_records"))
    assert page.context["records"].solved == 0
    assert student_client.get(reverse("record_card", args=[assigned.pk])).status_code == 404


def test_the_picture_of_a_record_names_nobody(student, student_client, assigned, tried, lines):
    attempt = tried(student, assigned, lines.solution)
    Attempt.objects.filter(pk=attempt.pk).update(seconds=83)
    answer = student_client.get(reverse("record_card", args=[assigned.pk]))
    svg = answer.content.decode()
    assert answer["Content-Type"] == "image/svg+xml"
    assert "1:23" in svg and "Without hints" in svg
    assert student.name not in svg and assigned.title not in svg


def test_the_teacher_switches_it_all_off(
    student, student_client, teacher_client, classroom, assigned, gallery_puzzle, tried, lines
):
    tried(student, assigned, lines.solution)
    tried(student, gallery_puzzle, "1,1 1,2")
    assert reverse("own_records") in student_client.get("/").content.decode()
    form = {"name": classroom.name, "idle_minutes": "0", "practice": "on"}
    assert teacher_client.post(f"/classes/{classroom.pk}/edit/", form).status_code == 302
    finds = student_client.get(reverse("own_records")).content.decode()
    assert assigned.title in finds and "Best time" not in finds and "data-png" not in finds
    assert student_client.get(reverse("record_card", args=[assigned.pk])).status_code == 403
    thanks = reverse("thanks", args=[gallery_puzzle.pk])
    page = student_client.get(reverse("play", args=[gallery_puzzle.pk])).content.decode()
    assert thanks not in page
    assert student_client.post(thanks, {"stamp": "fun"}).status_code == 403


def test_a_classmate_who_has_solved_a_puzzle_thanks_its_author(
    student, student_client, classmate, client_of, gallery_puzzle, tried
):
    thanks = reverse("thanks", args=[gallery_puzzle.pk])
    assert student_client.post(thanks, {"stamp": "fun"}).status_code == 403
    tried(student, gallery_puzzle, "1,1 1,2")
    own = reverse("play", args=[gallery_puzzle.pk])
    assert thanks in student_client.get(own).content.decode()
    assert student_client.post(thanks, {"stamp": "rude"}).status_code == 400
    for stamp in ("fun", "clever"):
        assert student_client.post(thanks, {"stamp": stamp}).url == own
    assert Thanks.objects.get().stamp == "clever"
    page = client_of(classmate).get(reverse("own_records")).content.decode()
    assert "A clever idea × 1" in page and student.name not in page
    assert client_of(classmate).post(thanks, {"stamp": "fun"}).status_code == 403


def test_the_page_costs_the_same_however_much_is_solved(
    student, student_client, assignment, assigned, tried, lines, queries_of
):
    tried(student, assigned, lines.solution)
    few = queries_of(student_client, reverse("own_records"))
    for number in range(2, 5):
        more = assignment.puzzles.create(number=number, **assigned.copied)
        tried(student, more, lines.solution)
    assert queries_of(student_client, reverse("own_records")) == few
