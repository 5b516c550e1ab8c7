"""The boards that a search has found: what is shown of them, and saving them."""

import re

import pytest
from django.urls import reverse

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Puzzle
from solvers.answers import GenerateAnswer, RateAnswer
from solvers.question import Progress
from tests.web.puzzles.quick_generator import BOARDS, FORM, HTMX, WISH, job, made, makes, results

__all__ = ["job", "made", "makes"]


def test_later_refusals_of_the_solver_are_reported_too(teacher_client, done):
    teacher_client.post(FORM, WISH | {"stones": "45"})
    job = done(Job.objects.get())
    page = teacher_client.get(results(job)).content.decode()
    assert "These stones don&#x27;t fit after all." in page
    assert f"{FORM}?like={job.pk}" in page


def test_boards_appear_while_the_job_goes_on(teacher_client, job):
    page = teacher_client.get(results(job)).content.decode()
    assert "Boards appear here as they are found." in page
    running = transitions.claim(job.pk)
    transitions.report(running, Progress(2, 9, found=GenerateAnswer(boards=BOARDS[:2])))
    fragment = teacher_client.get(results(job), headers=HTMX).content.decode()
    assert "<html" not in fragment
    assert fragment.count('name="boards"') == 2
    assert "every 1s" in fragment and "hx-morph-skip" in fragment


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("Solutions: 8", "easy", "very hard", "Choose board 3")),
        ("ja", ("解き方：8通り", "やさしい", "とてもむずかしい", "盤3を選ぶ")),
    ],
)
def test_the_boards_found_are_shown(client_of, teacher, made, language, words):
    page = client_of(teacher, language).get(results(made)).content.decode()
    for word in words:
        assert word in page
    assert re.findall(r'name="boards"\s+value="([^"]*)"', page) == [
        board.position for board in BOARDS
    ]
    assert "every 1s" not in page.split('id="boards"')[1]


def test_a_stopped_search_keeps_what_it_found(teacher_client, job):
    running = transitions.claim(job.pk)
    transitions.report(running, Progress(2, 9, found=GenerateAnswer(boards=BOARDS[:1])))
    transitions.stop(running)
    transitions.close(running)
    assert 'value="oo/oo"' in teacher_client.get(results(job)).content.decode()


def test_fewer_results_than_wanted_are_reported(teacher_client, job, answered):
    note = {"text": "After a long search.", "values": {}}
    answered(job, "1", proven=False, boards=BOARDS[:1], note=note)
    assert "After a long search." in teacher_client.get(results(job)).content.decode()


def test_nothing_found(teacher_client, job, answered):
    answered(job, "0", proven=False, boards=[])
    assert "No matching board was found." in teacher_client.get(results(job)).content.decode()


def test_more_of_the_same_has_another_seed(teacher_client, made):
    page = teacher_client.get(results(made)).content.decode()
    form = page.split(f'action="{FORM}"')[1].split("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    del fields["csrfmiddlewaretoken"]
    assert fields == WISH | {"seed": "8", "position": ""}
    teacher_client.post(FORM, fields)
    assert Job.objects.get(options__seed=8).options["stones"] == [5, 9]


# Saving


def save(client, job, *positions, title="Round #", **options):
    return client.post(results(job), {"boards": positions, "title": title}, **options)


def test_the_chosen_ones_are_saved(teacher_client, teacher, made):
    answer = save(teacher_client, made, "oo/oo", "ooo/ooo", follow=True)
    assert "Saved in “My puzzles”: Round 1, Round 2" in answer.content.decode()
    saved = Puzzle.objects.filter(owner=teacher).order_by("pk")
    assert [(each.position, each.title) for each in saved] == [
        ("oo/oo", "Round 1"),
        ("ooo/ooo", "Round 2"),
    ]


def test_a_saved_board_keeps_what_was_known_of_it(teacher_client, teacher, made, answered):
    """An answer of a question about the board counts more than what the search noted by the way."""
    answered(jobs.ask(teacher, "goishi", "count", "oo/oo"), 12)
    answered(jobs.ask(teacher, "goishi", "rate", "oo/oo"), None, band="very hard")
    save(teacher_client, made, "oo/oo")
    saved = Puzzle.objects.get(owner=teacher)
    assert (saved.solutions, saved.level) == ("12", RateAnswer(band="very hard").level)


def test_the_number_of_many_saved_boards_is_shown(teacher_client, made, monkeypatch):
    monkeypatch.setattr("puzzleclass.puzzles.generator.MAX_NAMED", 1)
    answer = save(teacher_client, made, "oo/oo", "ooo/ooo", follow=True)
    assert "Saved in “My puzzles”: 2" in answer.content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Not saved because you already have these puzzles: 1"),
        ("ja", "もう保存してあるので、保存しなかった問題：1"),
    ],
)
def test_a_board_is_not_saved_twice(client_of, teacher, made, language, words):
    client = client_of(teacher, language)
    save(client, made, "oo/oo")
    page = client.get(results(made)).content.decode()
    assert 'value="oo/oo"' not in page and page.count('name="boards"') == 2
    # A second window can still choose the saved board.
    page = save(client, made, "oo/oo", "ooo/ooo", follow=True).content.decode()
    assert words in page
    assert Puzzle.objects.count() == 2


def test_others_may_have_the_same_board(teacher_client, other_teacher, made):
    Puzzle.objects.create(owner=other_teacher, kind_slug="goishi", position="oo/oo", title="Mine")
    save(teacher_client, made, "oo/oo")
    assert Puzzle.objects.count() == 2


@pytest.mark.parametrize(
    ("title", "number", "titles"),
    [
        ("Plain", 1, ["Plain"]),
        ("Plain", 2, ["Plain 1", "Plain 2"]),
        ("# of #", 2, ["1 of 1", "2 of 2"]),
        ("Five #", 2, ["Five 1", "Five 3"]),
    ],
)
def test_titles(teacher_client, teacher, puzzle, made, title, number, titles):
    puzzle.title = "Five 2"
    puzzle.save()
    save(teacher_client, made, *[board.position for board in BOARDS[:number]], title=title)
    new = Puzzle.objects.exclude(pk=puzzle.pk).order_by("pk")
    assert [each.title for each in new] == titles


@pytest.mark.parametrize(
    ("fields", "english", "japanese"),
    [
        ({"title": "Round"}, "Choose at least one puzzle.", "問題を1つ以上選んでください。"),
        ({"boards": "oo/oo"}, "Give the puzzles a title.", "問題に題名をつけてください。"),
        (
            {"boards": "o/o/o", "title": "R"},
            "One of the boards you selected is no longer here.",
            "ここにないものがあります。",
        ),
        ({"boards": "oo/oo", "title": "x" * 61}, "at most 54 characters", "54 文字"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_boards_that_can_not_be_saved(
    client_of, teacher, made, language, fields, english, japanese
):
    answer = client_of(teacher, language).post(results(made), fields)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert (english if language == "en" else japanese) in page
    if fields.get("boards") == "oo/oo":
        assert 'value="oo/oo" checked' in " ".join(page.split())
    assert not Puzzle.objects.exists()


def test_another_job_has_no_boards(teacher_client, teacher, puzzle, job):
    Job.objects.filter(pk=job.pk).update(question="count")
    assert teacher_client.get(results(job)).status_code == 404


def test_a_stored_answer_that_no_longer_fits_its_type_shows_no_boards(teacher_client, job):
    job.answer = {"value": "1", "proven": True, "moves": [], "details": {"boards": ["oo/oo"]}}
    job.state = Job.State.DONE
    job.save()
    page = teacher_client.get(results(job))
    assert page.status_code == 200 and reverse("ask_again", args=[job.pk]) in page.content.decode()
    assert "Found: 0" in teacher_client.get(FORM).content.decode()
