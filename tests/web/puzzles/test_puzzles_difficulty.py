"""The difficulty of a puzzle, and the estimated number of solutions where a count is too large."""

import pytest
from django.urls import reverse

from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.answers import COUNT, Estimate, ask_about

HTMX = {"hx-request": "true"}


@pytest.fixture
def address(puzzle) -> str:
    return reverse("puzzle", args=[puzzle.pk])


def ask(client, puzzle, question, **options):
    return client.post(reverse("puzzle_ask", args=[puzzle.pk, question]), **options)


def test_the_count_asks_for_the_difficulty_too(teacher_client, puzzle):
    teacher_client.post(reverse("puzzle_count", args=[puzzle.pk]))
    assert {job.question for job in Job.objects.all()} == {"count", "rate"}


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("Difficulty", "easy")), ("ja", ("むずかしさ", "やさしい"))]
)
def test_the_difficulty_in_words_and_measures(
    client_of, teacher, puzzle, address, done, language, words
):
    done(ask_about(teacher, puzzle, COUNT))
    done(ask_about(teacher, puzzle, "rate"))
    page = client_of(teacher, language).get(address).content.decode()
    for word in words:
        assert word in page
    assert 'data-level="1"' in page
    assert "46.7%" in page and "100%" in page


def test_a_puzzle_counted_before_offers_it(teacher_client, teacher, puzzle, address, done):
    done(ask_about(teacher, puzzle, COUNT))
    assert "Calculate the difficulty" in teacher_client.get(address).content.decode()
    answer = ask(teacher_client, puzzle, "rate", headers=HTMX).content.decode()
    assert "job-card" in answer and "<html" not in answer
    assert ask(teacher_client, puzzle, "rate").url == address


def test_boards_that_can_not_be_rated_say_why(
    teacher_client, teacher, puzzle, address, done, answered
):
    done(ask_about(teacher, puzzle, COUNT))
    note = {"text": "This board is too large.", "values": {}}
    answered(ask_about(teacher, puzzle, "rate"), None, proven=False, note=note)
    page = teacher_client.get(address).content.decode()
    assert "This board is too large." in page
    assert "Exact values" not in page


def test_a_hopeless_puzzle_has_no_difficulty(teacher_client, teacher, puzzle, address, done):
    puzzle.position = ".o./ooo/.o."
    puzzle.save()
    done(ask_about(teacher, puzzle, COUNT))
    assert "Difficulty" not in teacher_client.get(address).content.decode()


@pytest.mark.parametrize("question", ["solve", "hint", "generate", "nothing"])
def test_other_questions_are_not_asked_here(teacher_client, puzzle, question):
    assert ask(teacher_client, puzzle, question).status_code == 404
    assert not Job.objects.exists()


# Estimates


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "about 3,100,000,000; 95 times in 100 between 3,000,000,000 and 3,250,000,000"),
        ("ja", "3,000,000,000"),
    ],
)
def test_an_estimate_is_called_an_estimate(
    client_of, teacher, puzzle, address, answered, language, words
):
    answered(ask_about(teacher, puzzle, COUNT), "7", proven=False)
    details = {"estimate": 3.1234e9, "error": 6.2e7, "between": (3e9, 3.25e9)}
    answered(ask_about(teacher, puzzle, "estimate"), "1", proven=False, **details)
    page = client_of(teacher, language).get(address).content.decode()
    assert words in page


def test_a_count_that_was_cut_off_offers_an_estimate(
    teacher_client, teacher, puzzle, address, answered, done
):
    answered(ask_about(teacher, puzzle, COUNT), "1", proven=False)
    assert "Estimate the number" in teacher_client.get(address).content.decode()
    page = ask(teacher_client, puzzle, "estimate", headers=HTMX).content.decode()
    assert "job-card" in page
    done(Job.objects.get(question="estimate"))
    assert (
        "Estimated: about 5; 95 times in 100 between"
        in teacher_client.get(address).content.decode()
    )


def test_an_estimate_in_the_count_itself_needs_no_question(
    teacher_client, teacher, puzzle, address, answered
):
    details = {"estimate": 1e6, "error": 1e4, "between": (9.8e5, 1.02e6)}
    answered(ask_about(teacher, puzzle, COUNT), "1", proven=False, **details)
    page = teacher_client.get(address).content.decode()
    assert "about 1,000,000; 95 times in 100 between 980,000 and 1,020,000" in page
    assert "Estimate the number" not in page


def test_a_missing_estimate_is_reported(teacher_client, teacher, puzzle, address, answered):
    answered(ask_about(teacher, puzzle, COUNT), "0", proven=False)
    details = {"estimate": 0.0, "error": 0.0}
    answered(ask_about(teacher, puzzle, "estimate"), None, proven=False, **details)
    assert "so there is no estimate" in teacher_client.get(address).content.decode()


@pytest.mark.parametrize(
    ("at_most", "shown"), [(44_000_000, "44,000,000"), (12_345 * 10**400, "1.24 × 10⁴⁰⁴")]
)
def test_proven_bounds_stand_beside_an_estimate_or_in_its_place(
    teacher_client, teacher, puzzle, address, answered, at_most, shown
):
    """An estimate that contradicts what was counted is none, and its range ends at the bounds."""
    job = ask_about(teacher, puzzle, COUNT)
    details = {"estimate": 4.3e7, "between": (2e7, 2e8), "at_most": str(at_most)}
    answered(job, str(40_000_000), proven=False, **details)
    page = teacher_client.get(address).content.decode()
    assert "At least 40,000,000" in page and f"At most {shown}" in page
    assert f"between 40,000,000 and {min(at_most, 200_000_000):,}" in page
    answered(job, str(43_500_000), proven=False, **details)
    page = teacher_client.get(address).content.decode()
    assert "At least 43,500,000" in page and f"At most {shown}" in page
    assert "95 times in 100" not in page


def test_a_proven_count_offers_no_estimate(teacher_client, teacher, puzzle, address, done):
    done(ask_about(teacher, puzzle, COUNT))
    assert "stimate" not in teacher_client.get(address).content.decode()


@pytest.mark.parametrize(
    ("mean", "about"),
    [
        (4.2, "4"),
        (12.7, "13"),
        (987654, "990,000"),
        (3.14e14, "310,000,000,000,000"),
        (3.14e17, "3.1 × 10¹⁷"),
        (9.99e102, "1.0 × 10¹⁰³"),
    ],
)
def test_two_figures(mean, about):
    assert Estimate(mean, (mean / 2, 2 * mean), None).about == about
