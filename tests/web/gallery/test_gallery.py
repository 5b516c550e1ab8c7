"""Students write puzzles, the teacher approves them, classmates solve them, and authors see how."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.classes.personal_data import delete_all, student_roots, write_export
from puzzleclass.gallery import services
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt, Thanks
from puzzleclass.stats.models import Look
from solvers.registry import kinds

HTMX = {"HX-Request": "true"}
BOARD = "o./oo/../oo"
"""The study's example, which has five solutions."""
POSITIONS = {"goishi": BOARD, "kikazu": "4/4/4/4 RBKG", "tonari": "Bb/bb", "maxstrings": ".../..."}


@pytest.fixture
def shown(classroom, teacher):
    """Return the open gallery of the class."""
    services.open_gallery(classroom, teacher)
    return services.find_gallery(classroom)


@pytest.fixture
def write(shown, student):
    """Return a function that stores a puzzle written by a student, in the student's class by
    default."""

    def write(title="Mine", state="draft", author=student, **fields):
        fields = {"kind_slug": "goishi", "position": BOARD, "classroom": shown.classroom} | fields
        return WrittenPuzzle.objects.create(author=author, title=title, state=state, **fields)

    return write


@pytest.fixture
def approved(write, shown):
    """Return a function that stores a written puzzle and approves it for the gallery."""

    def approved(**fields) -> AssignedPuzzle:
        written = write(state="waiting", **fields)
        return services.approve(written, shown, written.mark)

    return approved


def draw(client, kind: str, text: str, title: str = "Mine", **fields: str):
    return client.post(
        f"/gallery/new/{kind}/", {"do": "save", "draft": text, "title": title} | fields
    )


@pytest.mark.parametrize("kind", kinds())
def test_a_puzzle_of_each_kind_is_drawn_counted_and_handed_in(
    kind, shown, student_client, teacher_client, client_of, classmate, student, done
):
    assert student_client.get(f"/gallery/new/{kind}/").status_code == 200
    answer = draw(student_client, kind, POSITIONS[kind], goal="1")
    assert answer.status_code == 302, answer.content.decode()
    written = student.written_puzzles.get()
    page = f"/gallery/mine/{written.pk}/"
    assert answer["Location"] == page
    # The count begins by itself.
    done(student.jobs.get(question="count"))
    assert "Solutions" in student_client.get(page, headers=HTMX).content.decode()
    student_client.post(f"{page}hand-in/", {"classroom": shown.classroom_id})
    # Only the teacher sees the puzzle now.
    assert written.title not in client_of(classmate).get("/gallery/").content.decode()
    waiting = f"/classes/{shown.classroom_id}/gallery/"
    assert written.title in teacher_client.get(waiting).content.decode()
    written.refresh_from_db()
    teacher_client.post(f"{waiting}{written.pk}/", {"do": "approve", "seen": written.mark})
    board = shown.puzzles.get()
    assert (board.kind_slug, board.title, board.written) == (kind, "Mine", written)
    theirs = client_of(classmate)
    assert "Mine" in theirs.get("/gallery/").content.decode()
    assert theirs.get(f"/play/{board.pk}/").status_code == 200
    assert written.author.name not in theirs.get("/gallery/").content.decode()


def test_the_teacher_turns_it_on_and_off(
    classroom, teacher_client, student_client, student, approved, shown
):
    address = f"/classes/{classroom.pk}/gallery/"
    board = approved()
    teacher_client.post(address, {"do": "close"})
    shown.refresh_from_db()
    assert shown.is_over
    assert "The gallery is closed" in student_client.get(f"/play/{board.pk}/").content.decode()
    assert draw(student_client, "goishi", BOARD).headers["Location"] == "/gallery/"
    assert student.written_puzzles.count() == 1
    teacher_client.post(address, {"do": "open"})
    teacher_client.post(address, {"do": "open"})
    assert classroom.assignments.filter(is_gallery=True).count() == 1
    assert draw(student_client, "goishi", BOARD).status_code == 302
    assert student.written_puzzles.count() == 2
    assert teacher_client.post(address, {"do": "burn"}).status_code == 400


def test_off_until_the_teacher_turns_it_on(student_client, teacher_client, classroom, student):
    assert "/gallery/" not in student_client.get("/").content.decode()
    draw(student_client, "goishi", BOARD)
    assert not student.written_puzzles.exists()
    assert (
        "Nobody sees a puzzle"
        in teacher_client.get(f"/classes/{classroom.pk}/gallery/").content.decode()
    )


def test_it_is_not_listed_as_an_assignment_to_do(
    approved, student_client, teacher_client, shown, student
):
    approved()
    assert "/gallery/" in student_client.get("/").content.decode()
    assert student_client.get("/").context["due"].open == []
    assert "2999" not in teacher_client.get("/").content.decode()
    assert "2999" not in teacher_client.get(f"/classes/{shown.classroom_id}/").content.decode()
    assert "2999" not in teacher_client.get(f"/assignments/{shown.pk}/").content.decode()
    assert "2999" not in teacher_client.get(f"/students/{student.pk}/").content.decode()
    assert teacher_client.get(f"/assignments/{shown.pk}/edit/").status_code == 404
    for change in ("delete", "copy"):
        assert teacher_client.post(f"/assignments/{shown.pk}/{change}/").status_code == 404


def test_sent_back_with_a_word_changed_and_handed_in_again(
    write, shown, teacher_client, student_client
):
    written = write(state="waiting")
    address = f"/classes/{shown.classroom_id}/gallery/{written.pk}/"
    teacher_client.post(address, {"do": "return", "word": "Two more stones?"})
    page = student_client.get(f"/gallery/mine/{written.pk}/").content.decode()
    assert "Two more stones?" in page
    edit = f"/gallery/mine/{written.pk}/edit/"
    assert (
        student_client.post(edit, {"do": "save", "draft": "ooo", "title": "New"}).status_code == 302
    )
    student_client.post(f"/gallery/mine/{written.pk}/hand-in/", {})
    written.refresh_from_db()
    assert (written.state, written.title, written.position) == ("waiting", "New", "ooo")
    # Nobody can change a waiting puzzle, but the author can take it back.
    assert student_client.get(edit).status_code == 404
    student_client.post(f"/gallery/mine/{written.pk}/hand-in/", {"do": "back"})
    assert student_client.get(edit).status_code == 200
    too_long = {"do": "return", "word": "x" * 301}
    assert teacher_client.post(address, too_long).status_code == 404  # only authors see drafts


def test_only_what_was_seen_is_approved(write, shown, teacher_client):
    written = write(state="waiting")
    WrittenPuzzle.objects.filter(pk=written.pk).update(title="Other words")
    address = f"/classes/{shown.classroom_id}/gallery/{written.pk}/"
    teacher_client.post(address, {"do": "approve", "seen": written.mark})
    assert not shown.puzzles.exists()
    with pytest.raises(services.GalleryRefusal):
        services.approve(written, shown, written.mark)


def test_a_puzzle_taken_down_returns_to_its_author_and_loses_its_attempts(
    approved, shown, teacher_client, classmate, tried, lines
):
    board = approved()
    tried(classmate, board, lines.solution)
    address = f"/classes/{shown.classroom_id}/gallery/{board.written_id}/"
    teacher_client.post(address, {"do": "return", "word": "Not this title."})
    assert not Attempt.objects.exists()
    written = WrittenPuzzle.objects.get()
    assert (written.state, written.word, written.is_editable) == (
        "returned",
        "Not this title.",
        True,
    )


def test_a_hopeless_puzzle_is_not_handed_in(write, student_client, student, answered):
    written = write(position=".o./ooo/.o.")
    page = f"/gallery/mine/{written.pk}/"
    student_client.post(f"{page}count/", {})
    answered(student.jobs.get(question="count"), 0)
    student_client.post(f"{page}hand-in/", {})
    written.refresh_from_db()
    assert written.state == "draft"
    assert "cannot be solved" in student_client.get(page).content.decode()


def test_bounds(write, student, student_client, settings, done, monkeypatch):
    """There are limits on running counts, counts a day, puzzles of a student, and sizes of
    boards."""
    first, second = write(), write("Second", position="ooo")
    student_client.post(f"/gallery/mine/{first.pk}/count/", {})
    answer = student_client.post(f"/gallery/mine/{second.pk}/count/", {}, follow=True)
    assert "Your last count is still running" in answer.content.decode()
    assert Job.objects.filter(question="count").count() == 1
    student_client.post(f"/gallery/mine/{first.pk}/count/", {"do": "stop"})
    assert Job.objects.get(question="count").has_ended
    monkeypatch.setattr(services, "COUNTS_PER_DAY", 1)
    answer = student_client.post(f"/gallery/mine/{second.pk}/count/", {}, follow=True)
    assert "Please continue tomorrow" in answer.content.decode()
    wide = "o" * 11
    answer = draw(student_client, "goishi", wide)
    assert answer.status_code == 422
    assert "1 to 10 columns" in answer.content.decode()
    monkeypatch.setattr(WrittenPuzzle, "MAX_COUNT", 2)
    assert draw(student_client, "goishi", BOARD).headers["Location"] == "/gallery/"
    assert student.written_puzzles.count() == 2


def test_a_students_count_ends_before_a_teachers(write, student, teacher, settings, monkeypatch):
    from puzzleclass.jobs import runner
    from puzzleclass.jobs import services as jobs

    settings.STUDENT_JOB_SECONDS = 5
    limits = []

    class Execution(runner.Execution):
        def __init__(self, run, seconds):
            limits.append(seconds)
            super().__init__(run, seconds)

    monkeypatch.setattr(runner, "Execution", Execution)
    runner.run(services.count(write()).pk)
    runner.run(jobs.ask(teacher, "goishi", "count", "ooo").pk)
    assert limits == [5, settings.JOB_DEADLINE_SECONDS]


def test_the_author_sees_how_classmates_fared(
    approved, student, classmate, classroom, tried, lines, reviewed, student_client
):
    board = approved()
    third = classroom.students.get(enrolments__number=3)
    tried(student, board, lines.solution)  # the author's own attempt does not count
    tried(classmate, board, lines.solution)
    reviewed(tried(third, board, lines.jam), fatal=1)
    fared = services.outcomes([board])[board.pk]
    assert (fared.tried, fared.solved, fared.lost) == (2, 1, 1)
    assert (fared.number, fared.students) == (1, 1)
    said = " ".join(student_client.get("/gallery/").content.decode().split())
    assert "Tried by 2, solved by 1." in said
    assert "The last solution was lost by 1," in said
    # A look at a running attempt reports the dead end too, and reports it once.
    look = Attempt.objects.get(student=classmate)
    Attempt.objects.filter(pk=look.pk).update(line=lines.lost, has_solved=False)
    Look.objects.create(attempt=look, line=lines.lost, is_lost=True, since=1)
    fared = services.outcomes([board])[board.pk]
    assert (fared.solved, fared.lost) == (0, 2)


def test_it_is_the_students_in_export_and_deletion_and_goes_along(
    approved, write, student, classmate, tried, lines, make_class, teacher, client_of
):
    board = approved()
    write("A draft")
    tried(student, board, lines.solution)
    tried(classmate, board, lines.solution)
    file = io.BytesIO()
    rows = write_export(file, student_roots(student))
    assert rows["assignments.WrittenPuzzle"] == 2
    assert rows["play.Attempt"] == 1  # the classmate's attempts belong to the classmate
    assert "assignments.writtenpuzzle.csv" in zipfile.ZipFile(file).namelist()
    # Drafts move to another class together with their author.
    other = make_class(teacher, "5-2", "New")
    student.enrolments.update(classroom=other, number=9)
    assert "A draft" in client_of(student).get("/gallery/").content.decode()
    gone = delete_all(None, type(student).objects.filter(pk=student.pk))
    assert gone["assignments.WrittenPuzzle"] == 2
    assert not AssignedPuzzle.objects.filter(pk=board.pk).exists()


def test_deleting_a_class_leaves_written_puzzles_with_their_authors(approved, student, classroom):
    board = approved()
    classroom.assignments.all().delete()
    written = WrittenPuzzle.objects.get(pk=board.written_id)
    assert written.is_editable
    assert student.written_puzzles.editable().get() == written


def test_pages_take_the_same_queries_however_much_is_written(
    approved, write, shown, student_client, teacher_client, queries_of, tried, classmate
):
    address = f"/classes/{shown.classroom_id}/gallery/"
    for kind, position in POSITIONS.items():
        board = approved(title=kind, kind_slug=kind, position=position)
        write(state="waiting", kind_slug=kind, position=position)
        if kind == "goishi":
            tried(classmate, board, "1,1")
    assert queries_of(student_client, "/gallery/") <= 14
    assert queries_of(teacher_client, address) <= 12
    for kind, position in POSITIONS.items():
        approved(title=kind, kind_slug=kind, position=position)
        write(state="returned", kind_slug=kind, position=position)
    assert queries_of(student_client, "/gallery/") <= 14
    assert queries_of(teacher_client, address) <= 12


def test_an_open_gallery_does_not_keep_a_class_from_being_overdue(shown, classroom, teacher):
    from puzzleclass.classes.personal_data import overdue_classes

    type(classroom).objects.update(created_at=timezone.now() - timedelta(days=2000))
    assert overdue_classes(teacher) == [classroom]


def test_a_puzzle_for_a_closed_gallery_stays_a_draft_and_its_author_is_told(
    write, shown, classroom, student_client
):
    written = write()
    services.close_gallery(classroom)
    page = student_client.post(f"/gallery/mine/{written.pk}/hand-in/", follow=True)
    assert "The gallery of this class is closed." in page.content.decode()
    written.refresh_from_db()
    assert written.state == WrittenPuzzle.State.DRAFT


def test_a_puzzle_is_sent_back_with_a_word_and_nothing_unknown_is_done(
    write, classroom, teacher_client
):
    written = write(state="waiting")
    url = f"/classes/{classroom.pk}/gallery/{written.pk}/"
    page = teacher_client.post(url, {"do": "return", "word": "x" * 10_000}, follow=True)
    assert "at most" in page.content.decode()
    assert teacher_client.post(url, {"do": "praise"}).status_code == 400
    written.refresh_from_db()
    assert written.state == WrittenPuzzle.State.WAITING


def test_a_young_author_chooses_a_size_by_its_picture_and_types_nothing(
    shown, student_client, classroom
):
    page = student_client.get("/gallery/new/goishi/").content.decode()
    assert "Paste a board as text" in page and 'value="square 4"' in page
    classroom.grade = 3
    classroom.save()
    page = student_client.get("/gallery/new/goishi/").content.decode()
    assert "Paste a board as text" not in page and 'name="point"' not in page
    sent = {"do": "square 4", "draft": BOARD, "title": "Mine"}
    answer = student_client.post("/gallery/new/goishi/", sent)
    drawing = answer.context["drawing"]
    assert (drawing.rows, drawing.columns) == (4, 4)
    for fault in ("square", "square x", "square 0", "square 99"):
        assert student_client.post("/gallery/new/goishi/", sent | {"do": fault}).status_code == 422
    refused = draw(student_client, "goishi", ".")
    assert refused.status_code == 422 and 'role="alert"' in refused.content.decode()


def test_an_author_tries_a_puzzle_that_nobody_else_sees(
    write, student_client, client_of, classmate, teacher_client
):
    written = write()
    url = f"/trial/{written.trial_name}/"
    assert url in student_client.get(f"/gallery/mine/{written.pk}/").content.decode()
    page = student_client.get(url).content.decode()
    assert "You try your own puzzle." in page and f"/gallery/mine/{written.pk}/" in page
    sent = {"action": "move", "move": "1,1", "step": "0"}
    answer = student_client.post(f"{url}step/", sent, headers=HTMX)
    assert answer.status_code == 200
    assert not Attempt.objects.exists()
    for other in (client_of(classmate), teacher_client):
        assert other.get(url).status_code == 404
    for name in ("library-1", "given-1", "written-0", f"written-{2**63}"):
        assert student_client.get(f"/trial/{name}/").status_code == 404


def test_thanks_are_news_of_the_author(approved, classmate, student_client):
    board = approved()
    Thanks.objects.create(giver=classmate, puzzle=board, stamp="fun")
    assert "That was fun × 1" in student_client.get("/").content.decode()
