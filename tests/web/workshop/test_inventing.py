"""Kinds that students invent: consent, limits, and what a teacher reads before the class."""

import pytest
from django.urls import reverse

from puzzleclass.errors import QuotaReached
from puzzleclass.gallery.services import open_gallery
from puzzleclass.jobs.models import Job
from puzzleclass.kinds.choice import kinds_for
from puzzleclass.kinds.models import Invention
from puzzleclass.workshop.drafting import Draft
from puzzleclass.workshop.inventing import hand_in
from puzzleclass.workshop.services import begin, begin_with, draft_of, examples, give_name, keep
from solvers.kind import PuzzleError


@pytest.fixture
def lets(classroom):
    """Let the students of the class invent kinds."""
    classroom.invents = True
    classroom.save()


@pytest.fixture
def invented(lets, student) -> Invention:
    return begin_with(student, "stars")


def press(client, invention, step, status=200, **fields):
    invention.refresh_from_db()
    sent = {"revision": invention.revision, "name": invention.name, "do": step} | fields
    answer = client.post(invention.get_absolute_url(), sent)
    assert answer.status_code == status, answer.content.decode()
    return answer.content.decode()


def decide(client, classroom, invention, do, **fields):
    invention.refresh_from_db()
    address = reverse("decide_kind", args=[classroom.pk, invention.pk])
    return client.post(address, {"do": do, "seen": invention.mark} | fields, follow=True)


def test_without_consent_nobody_invents(student_client, classroom):
    assert student_client.get(reverse("workshop_list")).status_code == 404
    gallery = student_client.get(reverse("gallery")).content.decode()
    assert reverse("workshop_list") not in gallery


def test_the_consent_is_taken_back(student_client, invented, classroom):
    assert student_client.get(invented.get_absolute_url()).status_code == 200
    classroom.invents = False
    classroom.save()
    assert student_client.get(invented.get_absolute_url()).status_code == 404


def test_the_teacher_consents_in_the_settings_of_the_class(teacher_client, classroom):
    fields = {"name": classroom.name, "practice": "on", "records": "on", "invents": "on"}
    address = reverse("classroom_edit", args=[classroom.pk])
    assert teacher_client.post(address, fields).status_code == 302
    classroom.refresh_from_db()
    assert classroom.invents


def test_a_student_has_three_kinds_at_most(student_client, student, lets):
    for _ in range(4):
        student_client.post(reverse("workshop_list"), {"example": "stars"})
    assert student.inventions.count() == Invention.MAX_OF_STUDENT == 3
    page = student_client.get(reverse("workshop_list")).content.decode()
    assert "You have 3 kinds, which is the maximum" in page and 'name="example"' not in page


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_do_not_exceed_the_most(at_once, student, lets):
    """`tests/integration/test_postgres.py` has the same on PostgreSQL."""
    begin_with(student, "stars")
    results = at_once(lambda example: begin_with(student, example), *["stars"] * 5)
    assert sum(isinstance(each, QuotaReached) for each in results) == 3
    assert student.inventions.count() == Invention.MAX_OF_STUDENT


def test_boards_are_small_and_sentences_few(student_client, invented):
    page = student_client.get(invented.get_absolute_url()).content.decode()
    assert "6×6" in page and "7×7" not in page
    assert "Never together" in page and "Printed numbers" not in page and "One more" not in page
    for step in ("size 7 7", "add 2 1", "board 8x8"):
        press(student_client, invented, step, status=422)
    assert draft_of(invented).text.startswith("6x6")
    for kind, text in examples(for_student=True).values():
        assert "clues" not in kind.table.draws and max(kind.editor.size(text)) <= 6
    assert len(examples(for_student=True)) >= 4


def test_a_teacher_reads_a_kind_before_the_class(
    student_client, student, classmate, teacher, teacher_client, classroom, invented
):
    page = press(student_client, invented, "rule 3 where knight", name="Jumping stars")
    assert "Hand in to the teacher" in page
    press(student_client, invented, "hand-in", status=302)
    for user in (student, classmate, teacher):
        assert "Jumping stars" not in {kind.title for kind in kinds_for(user).values()}
    page = teacher_client.get(reverse("class_gallery", args=[classroom.pk])).content.decode()
    assert "Jumping stars" in page and "never a knight&#x27;s jump apart" in page

    # While it waits, it stays as it is.
    assert "Take it back" in press(
        student_client, invented, "rule 1 number 2", status=422, name="X"
    )
    decide(teacher_client, classroom, invented, "approve")
    invented.refresh_from_db()
    assert (invented.state, invented.name) == ("shown", "Jumping stars")
    for user in (student, classmate, teacher):
        assert "Jumping stars" in {kind.title for kind in kinds_for(user).values()}

    # Classmates write puzzles of it.
    slug = invented.versions.get().stored_id
    assert slug in kinds_for(classmate)
    assert slug in {kind.slug for kind in kinds_for(student).values()}

    # A change is not seen before it is read, too.
    press(student_client, invented, "rule 1 number 2", name="Bad name")
    assert "Jumping stars" in {kind.title for kind in kinds_for(classmate).values()}
    decide(teacher_client, classroom, invented, "return", word="A kinder name, please")
    assert slug not in kinds_for(classmate)
    page = student_client.get(invented.get_absolute_url()).content.decode()
    assert "A kinder name, please" in page


def test_what_was_changed_after_reading_is_not_shown(
    student_client, teacher_client, classroom, invented
):
    press(student_client, invented, "hand-in", status=302)
    invented.refresh_from_db()
    seen = invented.mark
    press(student_client, invented, "take-back", status=302)
    press(student_client, invented, "rule 1 number 2")
    press(student_client, invented, "hand-in", status=302)
    page = decide(teacher_client, classroom, invented, "approve", seen=seen).content.decode()
    assert "has changed this kind in the meantime" in page
    assert not invented.versions.exists()


def test_a_student_saves_nothing_alone(student_client, invented):
    for step in ("save", "puzzle"):
        press(student_client, invented, step, status=422)
    assert not invented.versions.exists()


def test_a_teacher_hands_nothing_in(teacher_client, teacher):
    own = begin_with(teacher, "stars")
    press(teacher_client, own, "hand-in", status=422)


def test_a_student_who_has_left_shows_nothing(student, teacher, classroom, invented):
    hand_in(invented)
    student.enrolments.all().delete()
    assert all(kind.title != invented.name for kind in kinds_for(teacher).values())


def test_the_gallery_says_how_far_a_kind_is(
    student_client, teacher_client, teacher, classroom, invented
):
    hand_in(invented)
    open_gallery(classroom, teacher)
    tab = teacher_client.get(reverse("classroom", args=[classroom.pk])).content.decode()
    assert 'title="Waiting for you">1<' in tab
    page = student_client.get(reverse("gallery")).content.decode()
    assert invented.name in page and "Waiting for the teacher" in page


def test_trying_a_draft_is_one_press(teacher_client, teacher, student_client, invented):
    for client, own in ((student_client, invented), (teacher_client, begin_with(teacher, "kings"))):
        page = client.post(
            own.get_absolute_url(), {"revision": 0, "name": own.name, "do": "try"}, follow=True
        )
        assert page.status_code == 200 and page.request["PATH_INFO"].endswith(f"{own.trial_name}/")
        assert own.name in page.content.decode()


def test_the_boards_of_a_student_do_not_pile_up(student_client, invented):
    for step in ("redraw", "complete") * 4:
        press(student_client, invented, step)
    assert Job.objects.filter(state=Job.State.WAITING).count() <= 3


def test_numbers_are_refused_wherever_they_come_from(student_client, student, invented):
    numbers = "6x6 clues=1...../....../....../....../....../......"
    for step, fields in (
        ("paint", {"brush": "clue more", "cell": "1,1"}),
        ("rule 3 number clue", {}),
        ("rule 3 who clue", {}),
        (f"board {numbers}", {}),
        ("board 7x7", {}),
    ):
        press(student_client, invented, step, status=422, **fields)
    kind, _text = examples()["mines"]
    drafts = [Draft(kind.table, "5x5"), Draft(draft_of(invented).table, numbers)]
    for each in drafts:
        with pytest.raises(PuzzleError):
            begin(student, each, "Mines")
        with pytest.raises(PuzzleError):
            keep(invented, invented.revision, each)
    assert student.inventions.count() == 1 and draft_of(invented).text.startswith("6x6")


def test_a_name_does_not_change_while_a_teacher_reads(invented):
    seen_before = Invention.objects.get(pk=invented.pk)
    hand_in(invented)
    give_name(seen_before, "Another name")
    assert Invention.objects.get(pk=invented.pk).name == invented.name == seen_before.name


def test_a_student_restores_a_deleted_kind(student_client, invented):
    deleted = student_client.post(reverse("workshop_delete", args=[invented.pk]), follow=True)
    page = deleted.content.decode()
    undo = page.split('action="/bin/')[1].split('"')[0]
    restored = student_client.post(f"/bin/{undo}", follow=True).content.decode()
    assert invented.get_absolute_url() in restored
    assert Invention.objects.get() == invented
