"""The page that shows properties of random boards."""

import json
import re

import pytest
from django.urls import reverse

from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles import generator
from solvers.answers import BANDS, Exact, SurveyAnswer, SurveyRow
from solvers.goishi import difficulty
from solvers.question import Progress
from solvers.registry import get_kind

PAGE = reverse("puzzle_explore", args=["goishi"])
HTMX = {"hx-request": "true"}
WISH = {"size": "3x3", "stones": "1..9", "boards": "126", "seed": "1"}


@pytest.fixture
def job(teacher_client) -> Job:
    """Return a waiting survey."""
    teacher_client.post(PAGE, WISH)
    return Job.objects.get()


def charts(page: str) -> dict[str, dict]:
    text = re.search(r'<script id="charts" type="application/json">(.*?)</script>', page)[1]
    return {chart["name"]: chart for chart in json.loads(text)}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("What random boards are like", "There are no results yet.")),
        ("ja", ("ランダムな盤を調べる", "まだ何も調べていません。")),
    ],
)
def test_the_page_begins_with_a_form(client_of, teacher, language, words):
    page = client_of(teacher, language).get(PAGE).content.decode()
    for word in words:
        assert word in page
    for name in WISH:
        assert f'name="{name}"' in page
    assert "data-chart" not in page


def test_the_generator_leads_there(teacher_client):
    form = reverse("puzzle_generate", args=["goishi"])
    assert PAGE in teacher_client.get(form).content.decode()


def test_a_survey_is_a_job(teacher_client, job):
    assert (job.question, job.options["size"]) == ("survey", [3, 3])
    page = teacher_client.get(PAGE).content.decode()
    assert "job-card" in page and "3x3 · 126" in page
    assert teacher_client.post(PAGE, WISH).url == PAGE
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("The numbers: 3x3 · 126", "Boards that can be solved, in %", "(all)")),
        ("ja", ("数の表：3x3 · 126", "解ける盤の割合（％）", "（全部）")),
    ],
)
def test_the_survey_is_shown(client_of, teacher, job, done, language, words):
    done(job)
    page = client_of(teacher, language).get(PAGE).content.decode()
    for word in words:
        assert word in page
    drawn = charts(page)
    assert re.findall(r'data-chart="(\w+)"', page) == list(drawn)
    (line,) = drawn["solvable"]["lines"]
    assert line["label"] == "3x3 · 126"
    assert line["points"][0] == {"x": 1, "y": 100.0}
    assert drawn["median"]["lines"][0]["points"][-1] == {"x": 9, "y": 64}
    # The table has the same numbers.
    assert re.findall(r'<th scope="row">(\d+)</th>', page) == [str(n) for n in range(1, 10)]
    assert "100.0%" in page


def test_difficulty_is_told_in_the_words_of_a_rating(teacher_client, job, done):
    done(job)
    page = teacher_client.get(PAGE).content.decode()
    points = charts(page)["level"]["lines"][0]["points"]
    assert points
    for point in points:
        assert point["note"] == BANDS[difficulty.band(point["y"]) - 1]
        assert f"{point['y']} {point['note']}" in page


def test_unknown_values_are_no_points(teacher_client, job, answered):
    row = {"stones": 5, "boards": 10, "is_all": False, "solvable": 0, "unique": 0}
    row |= {"undecided": 3, "median": None, "is_bound": True, "careful_level": None}
    row |= {"random_level": None}
    many = row | {"stones": 6, "solvable": 1, "median": "1234567"}
    answered(job, "20", proven=True, survey=[row, many])
    page = teacher_client.get(PAGE).content.decode()
    assert charts(page)["median"]["lines"][0]["points"] == [{"x": 6, "y": 1234567}]
    assert charts(page)["level"]["lines"][0]["points"] == []
    assert "≥ 1,234,567" in " ".join(page.split())


def test_it_can_be_watched(teacher_client, job):
    running = transitions.claim(job.pk)
    row = SurveyRow(
        stones=5,
        boards=10,
        is_all=False,
        solvable=5,
        unique=0,
        undecided=0,
        median=Exact(2),
        is_bound=False,
        careful_level=0.1,
        random_level=None,
    )
    transitions.report(running, Progress(1, 9, found=SurveyAnswer(survey=(row,))))
    fragment = teacher_client.get(PAGE, headers=HTMX).content.decode()
    assert "<html" not in fragment and "job-card" in fragment
    assert charts(fragment)["solvable"]["lines"][0]["points"] == [{"x": 5, "y": 50.0}]


def test_surveys_are_compared(teacher_client, job, done):
    done(job)
    teacher_client.post(PAGE, WISH | {"size": "2x3"})
    done(Job.objects.latest("pk"))
    page = teacher_client.get(PAGE).content.decode()
    labels = [line["label"] for line in charts(page)["solvable"]["lines"]]
    assert labels == ["2x3 · 126", "3x3 · 126"]


def test_only_the_last_are_shown(teacher_client, job, done, monkeypatch):
    done(job)
    monkeypatch.setattr(generator, "MAX_SURVEYS", 1)
    teacher_client.post(PAGE, WISH | {"size": "2x2"})
    page = teacher_client.get(PAGE).content.decode()
    assert "2x2 · 126" in page and "3x3 · 126" not in page


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("field", "text", "english", "japanese"),
    [
        ("size", "3", "“3” is not a size.", "「3」は大きさとして読めません。"),
        ("stones", "0", "“0” is not a whole number from 1", "「0」は1から"),
        ("boards", "1e9", "“1e9” is not a whole number", "「1e9」は"),
        ("seed", "", "“” is not a whole number", "「」は"),
    ],
)
def test_an_option_without_sense(client_of, teacher, language, field, text, english, japanese):
    answer = client_of(teacher, language).post(PAGE, WISH | {field: text})
    assert answer.status_code == 422
    assert (english if language == "en" else japanese) in answer.content.decode()
    assert not Job.objects.exists()


def test_impossible_options_are_refused_at_once(teacher_client):
    answer = teacher_client.post(PAGE, WISH | {"stones": "10..12"})
    assert answer.status_code == 422
    assert "More stones are wanted (10) than the board has points (9)." in answer.content.decode()
    assert not Job.objects.exists()


def test_surveys_of_others_are_not_shown(other_client, job, done):
    done(job)
    assert "3x3" not in other_client.get(PAGE).content.decode()


def test_a_kind_without_the_question(teacher_client, monkeypatch):
    assert teacher_client.get(reverse("puzzle_explore", args=["nothing"])).status_code == 404
    monkeypatch.delitem(get_kind("goishi").questions, "survey")
    assert teacher_client.get(PAGE).status_code == 404


def test_a_stored_answer_that_no_longer_fits_its_type_is_no_line(teacher_client, job):
    job.answer = {"value": "1", "proven": True, "moves": [], "details": {"survey": [{"stones": 5}]}}
    job.state = Job.State.DONE
    job.save()
    page = teacher_client.get(PAGE)
    assert page.status_code == 200 and 'id="charts"' not in page.content.decode()
