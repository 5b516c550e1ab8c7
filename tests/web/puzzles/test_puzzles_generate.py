"""Generating boards: the form with its options, and the board that a search starts from."""

import re
from dataclasses import replace
from html import escape

import pytest
from django.urls import reverse

from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.generator import generator_fields, next_search_fields
from puzzleclass.puzzles.models import Puzzle
from solvers import options
from solvers.question import Question
from solvers.registry import get_kind
from tests.web.puzzles.quick_generator import FORM, HTMX, MAKES, WISH, job, made, makes, results

__all__ = ["job", "made", "makes"]

REAL = get_kind("goishi").questions["generate"]

MAKES_FROM = Question("New boards like this one", MAKES.solver, MAKES.answer, options=MAKES.options)
"""A question that generates boards only from a board that is passed."""


@pytest.fixture
def makes_from(monkeypatch):
    monkeypatch.setitem(get_kind("goishi").questions, "generate", MAKES_FROM)


@pytest.mark.parametrize(("language", "words"), [("en", "Generate"), ("ja", "自動で作る")])
def test_the_choice_of_a_kind_leads_to_the_form(client_of, teacher, language, words):
    page = client_of(teacher, language).get(reverse("puzzle_kind"), follow=True).content.decode()
    assert words in page and FORM in page


def test_the_form_has_every_option(teacher_client):
    page = teacher_client.get(FORM).content.decode()
    for name, title in {"stones": "Number of stones", "look": "Look", "seed": "Seed"}.items():
        assert title in page and f'name="{name}"' in page
    assert 'name="known"' not in page
    assert 'value="8"' in page and 'value="12"' in page
    assert '<option value="round">Round &lt;b&gt;</option>' in page


def test_the_number_of_the_boards_is_folded_unless_it_has_a_fault(teacher_client):
    folded = "<summary>More settings</summary>"
    page = teacher_client.get(FORM).content.decode()
    assert page.index('name="stones"') < page.index(folded) < page.index('name="seed"')
    assert folded not in teacher_client.post(FORM, WISH | {"seed": "-1"}).content.decode()


def test_a_search_becomes_a_job(teacher_client, teacher):
    answer = teacher_client.post(FORM, WISH)
    job = Job.objects.get()
    assert answer.url == results(job)
    assert job.options == {"stones": [5, 9], "look": "round", "seed": 7, "known": []}
    assert (job.position, list(job.askers.all())) == ("o", [teacher])
    teacher_client.post(FORM, WISH)
    assert Job.objects.count() == 1


def test_boards_of_the_library_are_not_generated_again(teacher_client, other_teacher, puzzle):
    Puzzle.objects.create(owner=other_teacher, kind_slug="goishi", position="ooo", title="Mine")
    teacher_client.post(FORM, WISH)
    assert Job.objects.get().options["known"] == [puzzle.position]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("field", "text", "english", "japanese"),
    [
        ("stones", "9..5", "From 9 to 5 is in the wrong order.", "小さい数"),
        ("stones", "many", "“many” is not a whole number from 2 to 60.", "「many」"),
        ("stones", "", "“” is not a whole number", "「」"),
        ("look", "square", "“square” is not possible here.", "「square」"),
        ("seed", "-1", "“-1” is not a whole number from 0 to 999.", "「-1」"),
        ("seed", "<b>", "“&lt;b&gt;” is not", "「&lt;b&gt;」"),
        ("seed", "9" * 500, "at most 400 characters", "400 文字"),
    ],
)
def test_an_option_without_sense(client_of, teacher, language, field, text, english, japanese):
    answer = client_of(teacher, language).post(FORM, WISH | {field: text})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert (english if language == "en" else japanese) in page
    assert "errorlist" in page.split(f'name="{field}"')[1].split("</div>")[0]
    # The form keeps what was typed.
    assert escape(text.partition("..")[0]) in page
    assert ('value="5"' in page and 'value="9"' in page) or field == "stones"
    assert not Job.objects.exists()


def test_nothing_at_all(teacher_client):
    answer = teacher_client.post(FORM, {})
    assert answer.status_code == 422
    assert answer.content.decode().count('class="errorlist"') == 3


def test_impossible_options_are_refused_at_once_with_the_reason(teacher_client):
    answer = teacher_client.post(FORM, WISH | {"stones": "50"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "So many stones have no room: 50." in page
    assert 'value="50"' in page and 'value="7"' in page
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "is always a multiple of 2"), ("ja", "解き方の数はいつも2の倍数です")],
)
def test_a_symmetric_board_with_one_solution_can_not_be(
    client_of, teacher, monkeypatch, language, words
):
    monkeypatch.undo()
    sent = {name: option.default for name, option in REAL.options.items()}
    sent |= {"look": "left-right", "solutions": "1"}
    answer = client_of(teacher, language).post(FORM, sent)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Job.objects.exists()


def test_a_search_can_be_changed(teacher_client, job):
    page = teacher_client.get(FORM, {"like": job.pk}).content.decode()
    assert 'value="5"' in page and 'value="9"' in page and 'value="7"' in page
    assert '<option value="round" selected>' in page


@pytest.mark.parametrize("like", ["", "x", "-1", "²"])
def test_an_invalid_search_is_ignored(teacher_client, like):
    assert 'value="12"' in teacher_client.get(FORM, {"like": like}).content.decode()


def test_somebody_elses_search_answers_404(other_client, job):
    assert other_client.get(FORM, {"like": job.pk}).status_code == 404
    assert other_client.get(FORM, {"like": "9" * 40}).status_code == 404


def test_the_last_searches_are_listed(teacher_client, other_client, made):
    page = teacher_client.get(FORM).content.decode()
    assert results(made) in page and "Found: 3" in page
    assert results(made) not in other_client.get(FORM).content.decode()


# From a board


def test_some_kinds_start_from_a_board(makes_from, teacher_client, puzzle):
    page = teacher_client.get(FORM, {"puzzle": puzzle.pk}).content.decode()
    assert puzzle.position in page
    teacher_client.post(FORM, WISH | {"position": "5\n1 1\n1 3\n1 4\n2 1\n2 3"})
    assert Job.objects.get().position == puzzle.position


def test_a_board_may_be_left_out_where_one_is_not_needed(teacher_client, puzzle):
    teacher_client.post(FORM, WISH | {"position": " "})
    teacher_client.post(FORM, WISH | {"position": puzzle.position})
    assert {job.position for job in Job.objects.all()} == {"o", puzzle.position}


@pytest.mark.parametrize(
    ("text", "words"), [("", "Enter a board to start from."), ("o#", "Line 1, column 2: “#”")]
)
def test_an_invalid_board(makes_from, teacher_client, text, words):
    answer = teacher_client.post(FORM, WISH | {"position": text})
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_somebody_elses_puzzle_answers_404(makes_from, other_client, puzzle):
    assert other_client.get(FORM, {"puzzle": puzzle.pk}).status_code == 404


# Drawing it


DRAWS = replace(
    MAKES,
    options={**MAKES.options, "look": options.choice("Look", {"any": "Any", "drawn": "Drawn"})},
    position_option="look",
)


@pytest.fixture
def draws(monkeypatch):
    monkeypatch.setitem(get_kind("goishi").questions, "generate", DRAWS)


def fields_of(page: str) -> dict[str, str]:
    """Return the fields that the form of the page would send, without its buttons."""
    form = page.split('id="generator"')[1].split("</form>")[0]
    found = dict(re.findall(r'<input [^>]*name="(\w+)"[^>]*?value="([^"]*)"', form))
    found.setdefault("position", "")  # an empty hidden field has no value
    found["look"] = re.search(r'<option value="(\w+)" selected>', form)[1]
    return found | {"brush": re.search(r'value="(\w+)"\s+checked', form)[1]}


def draw(client, fields: dict[str, str], step: str, **more: str):
    return client.post(FORM, fields | {"do": step} | more, headers=HTMX)


def test_points_are_drawn_by_pressing_them(draws, teacher_client):
    fields = fields_of(teacher_client.get(FORM).content.decode()) | {"stones": "3", "seed": "9"}
    assert fields["position"] == "" and fields["look"] == "any"
    for move in ("1,1", "2,3", "2,3", "6,6"):
        answer = draw(teacher_client, fields, "paint", move=move)
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "<html" not in page
        fields = fields_of(page)
    assert fields["position"] == "o...../....../....../....../....../.....o"
    # A drawn position changes the look, and the form keeps what was typed.
    assert (fields["look"], fields["stones"], fields["seed"]) == ("drawn", "3", "9")
    answer = draw(teacher_client, fields, "search")
    job = Job.objects.get()
    assert answer["HX-Redirect"] == results(job)
    assert job.position == fields["position"]
    assert job.options["look"] == "drawn"
    # The form for changing the search draws the position again.
    page = teacher_client.get(FORM, {"like": job.pk}).content.decode()
    assert page.count('class="stone"') == 2


@pytest.mark.parametrize(
    ("step", "more", "position"),
    [
        ("resize", {"rows": "1", "columns": "3"}, "o.o"),
        ("clear", {}, ".../..."),
        ("take", {"text": "5\n1 1\n1 3\n1 4\n2 1\n2 3"}, "o./oo/../oo"),
        ("undo", {"past": "ooo"}, "ooo"),
        ("redo", {"future": "ooo"}, "ooo"),
        ("paint", {"move": "1,1", "brush": "clear"}, "..o/..."),
    ],
)
def test_steps_on_the_board(draws, teacher_client, step, more, position):
    answer = draw(teacher_client, WISH | {"position": "o.o/...", "brush": "stone"}, step, **more)
    assert (answer.status_code, fields_of(answer.content.decode())["position"]) == (200, position)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("step", "fields", "english"),
    [
        ("paint", {"move": "9,9"}, "This brush or point does not exist."),
        ("paint", {"move": "1,1", "brush": "ink"}, "This brush or point does not exist."),
        ("paint", {"position": "o#"}, "Line 1, column 2: “#”"),
        ("resize", {"rows": "99", "columns": "2"}, "A board can have 1 to 15 rows"),
        ("resize", {"rows": "x", "columns": ""}, "Rows and columns are whole numbers."),
        ("take", {"text": "?"}, "“?” is neither a stone"),
        ("jump", {}, "The editor can&#x27;t do this."),
    ],
)
def test_impossible_steps(draws, client_of, teacher, language, step, fields, english):
    typed = WISH | {"look": "drawn", "position": "o.o/...", "brush": "stone"} | fields
    answer = draw(client_of(teacher, language), typed, step)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert (english in page) == (language == "en") and "notice bad" in page
    assert fields_of(page)["position"] == typed["position"]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Draw the board first"), ("ja", "先に、下の盤を押して")]
)
def test_a_drawn_look_needs_a_drawing(draws, client_of, teacher, language, words):
    answer = client_of(teacher, language).post(FORM, WISH | {"look": "drawn"})
    assert answer.status_code == 422 and words in answer.content.decode()
    assert not Job.objects.exists()


def test_pasting_and_starting_at_once_uses_the_pasted_board(draws, teacher_client):
    teacher_client.post(FORM, WISH | {"look": "drawn", "text": "oo\noo", "position": ""})
    assert Job.objects.get().position == "oo/oo"


@pytest.mark.parametrize("slug", ["goishi", "tonari", "maxstrings", "kikazu"])
def test_every_kind_shows_the_board_it_starts_from(teacher_client, monkeypatch, slug):
    monkeypatch.undo()
    page = teacher_client.get(reverse("puzzle_generate", args=[slug])).content.decode()
    assert 'data-move="1,1"' in page


def test_a_kind_without_a_generator(teacher_client, monkeypatch):
    assert teacher_client.get(reverse("puzzle_generate", args=["nothing"])).status_code == 404
    monkeypatch.delitem(get_kind("goishi").questions, "generate")
    assert teacher_client.get(FORM).status_code == 404
    assert FORM not in teacher_client.get(reverse("puzzle_list")).content.decode()


def test_a_search_of_a_kind_that_is_gone_has_no_fields(teacher):
    job = Job(kind_slug="chess", question="generate", position="x", options={"seed": 1})
    assert generator_fields(job) == next_search_fields(job) == {}
