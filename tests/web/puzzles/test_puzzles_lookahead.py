"""The editor says whether the board can be solved; it asks when the drawing rests."""

import pytest

from puzzleclass.accounts.models import User
from puzzleclass.gallery.services import open_gallery
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import get_kind

HTMX = {"HX-Request": "true"}
ASKS = 'hx-trigger="load delay:600ms, every 1s"'
FIVE = "o./oo/../oo"


def look(client, draft: str, kind: str = "goishi", **fields: str):
    sent = {"do": "look", "draft": draft, "title": "T", "past": ["o./../../.."]} | fields
    return client.post(f"/puzzles/new/{kind}/", sent, headers=HTMX)


def drawn(client, draft: str, kind: str = "goishi") -> str:
    """Return the editor after a press that changed nothing."""
    sent = {"do": "paint", "draft": draft, "move": ""}
    return " ".join(
        client.post(f"/puzzles/new/{kind}/", sent, headers=HTMX).content.decode().split()
    )


def said(response) -> str:
    return " ".join(response.content.decode().split())


def test_a_drawing_that_rests_asks_and_is_answered(teacher_client, teacher, done):
    assert ASKS in drawn(teacher_client, FIVE)
    assert not Job.objects.exists()
    assert look(teacher_client, FIVE).status_code == 204
    job = Job.objects.get()
    assert (job.question, job.position, job.options) == ("hint", FIVE, {"level": "alive"})
    assert list(job.askers.all()) == [teacher]
    assert look(teacher_client, FIVE).status_code == 204
    done(job)
    answer = said(look(teacher_client, FIVE))
    assert "This board can be solved." in answer and "Solutions: 5" in answer
    assert 'id="editor"' not in answer


def test_a_teacher_sees_the_difficulty_and_a_solution(teacher_client, done):
    look(teacher_client, FIVE)
    done(Job.objects.get())
    first = said(look(teacher_client, FIVE))
    assert ASKS in first and '"known": "0"' in first and "Difficulty" not in first
    assert look(teacher_client, FIVE, known="0").status_code == 204
    done(Job.objects.get(question="count"))
    second = said(look(teacher_client, FIVE, known="0"))
    assert "A solution" in second and '"known": "1"' in second
    assert look(teacher_client, FIVE, known="1").status_code == 204
    done(Job.objects.get(question="rate"))
    last = said(look(teacher_client, FIVE, known="1"))
    assert "Difficulty" in last and ASKS not in last
    page = drawn(teacher_client, FIVE)
    assert "A solution" in page and "Difficulty" in page and ASKS not in page


def test_a_student_sees_no_solution(student_client, classroom, done):
    open_gallery(classroom, classroom.teachings.first().teacher)
    address = "/gallery/new/goishi/"
    sent = {"do": "look", "draft": FIVE, "title": "T"}
    student_client.post(address, sent, headers=HTMX)
    done(Job.objects.get())
    answer = said(student_client.post(address, sent, headers=HTMX))
    assert "Solutions: 5" in answer and ASKS not in answer
    assert Job.objects.count() == 1


def test_a_stored_answer_stands_there_at_once(teacher_client, done):
    look(teacher_client, FIVE)
    done(Job.objects.get())
    assert "Solutions: 5" in drawn(teacher_client, FIVE)
    # This also holds for a puzzle that is opened again.
    owner = User.objects.get(username="sato")
    puzzle = Puzzle.objects.create(owner=owner, kind_slug="goishi", position=FIVE, title="Five")
    assert "Solutions: 5" in said(teacher_client.get(f"/puzzles/{puzzle.pk}/edit/"))


def test_a_saved_board_has_the_number_that_its_drawing_showed(teacher_client, done):
    look(teacher_client, FIVE)
    done(Job.objects.get())
    sent = {"do": "save", "draft": FIVE, "title": "Five"}
    assert teacher_client.post("/puzzles/new/goishi/", sent).status_code == 302
    assert Puzzle.objects.get().solutions == "5"
    assert not Job.objects.filter(question="count").exists()


@pytest.mark.parametrize(
    ("kind", "draft", "words"),
    [
        ("goishi", ".o./ooo/.o.", ["✗", "has no solution", "Each of these 4 stones is a dead end"]),
        ("tonari", "Bbbb/bbbb/bbbb/bbbb", ["✓", "The target can be reached.", "5,813,496"]),
        ("tonari", "Bwwb/wbbb/wbww/bwbw", ["✗", "No order reaches", "ruled out by a search"]),
        ("maxstrings", "5x5", ["✓", "can be reached.", "Best possible score: 18"]),
        ("maxstrings", "xx./.../... 6", ["✗", "Best possible score: 5"]),
        ("kikazu", "S2/3/3 RGP", ["✓", "All the pieces can be placed.", "Solutions: "]),
        ("kikazu", "3/3/3 5G", ["✗", "be placed.", "When only G are left out, 4 fit."]),
    ],
)
def test_every_kind_in_words(teacher_client, done, kind, draft, words):
    if kind == "maxstrings":
        draft = get_kind(kind).write(get_kind(kind).read(draft))
    look(teacher_client, draft, kind)
    done(Job.objects.get())
    answer = said(look(teacher_client, draft, kind))
    for word in words:
        assert word in answer


@pytest.mark.parametrize(
    ("kind", "draft"),
    [
        ("goishi", "..../...."),
        ("goishi", "what?"),
        ("tonari", "bbb/bbb/bbb"),
        # An obstacle is shown without a job.
        ("tonari", "Bbb/bbb/bbw"),
    ],
)
def test_invalid_and_obviously_unsolvable_drawings_start_no_job(teacher_client, kind, draft):
    assert look(teacher_client, draft, kind).status_code == 204
    assert ASKS not in drawn(teacher_client, draft, kind)
    assert not Job.objects.exists()


def test_drawings_left_behind_are_taken_back(teacher_client):
    for draft in ("oo", "ooo", "oo/o.", FIVE):
        look(teacher_client, draft)
    waiting = Job.objects.filter(state=Job.State.WAITING)
    assert [job.position for job in waiting] == [FIVE]


def test_other_questions_of_the_teacher_are_left_alone(teacher, teacher_client):
    jobs.ask(teacher, "goishi", "hint", "oo")
    jobs.ask(teacher, "goishi", "count", "oo")
    look(teacher_client, "oo")
    look(teacher_client, FIVE)
    kept = Job.objects.filter(state=Job.State.WAITING).exclude(options={"level": "alive"})
    assert {job.question for job in kept} == {"hint", "count"}


def test_two_teachers_share_the_answer(teacher_client, colleague_client, done):
    look(teacher_client, FIVE)
    look(colleague_client, FIVE)
    done(Job.objects.get())
    assert "Solutions: 5" in said(look(colleague_client, FIVE))


def test_without_scripts_it_is_a_button(teacher_client, done):
    sent = {"do": "look", "draft": FIVE, "title": "Kept", "text": "kept too"}
    page = said(teacher_client.post("/puzzles/new/goishi/", sent))
    assert "Can this be solved?" in page and 'value="Kept"' in page and "kept too" in page
    done(Job.objects.get())
    page = said(teacher_client.post("/puzzles/new/goishi/", sent))
    assert "Solutions: 5" in page and f'name="draft" value="{FIVE}"' in page


def test_an_undecided_answer_says_what_to_do(teacher_client):
    look(teacher_client, FIVE)
    Job.objects.update(state=Job.State.FAILED, fault={"text": "Broken", "values": {}})
    answer = said(look(teacher_client, FIVE))
    assert "The calculation could not determine" in answer
    assert "count the solutions" in answer
