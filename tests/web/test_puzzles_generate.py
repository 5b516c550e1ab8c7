"""Generating boards: the options, the boards found, and saving them."""

import re
from dataclasses import replace
from html import escape

import pytest
from django.urls import reverse

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.generator import generator_fields, next_search_fields
from puzzleclass.puzzles.models import Puzzle
from solvers import options
from solvers.answers import Exact, GenerateAnswer, GeneratedBoard, RateAnswer
from solvers.kind import Kind, PuzzleError
from solvers.question import Option, Progress, Question, Run
from solvers.registry import get_kind

FORM = reverse("puzzle_generate", args=["goishi"])
REAL = get_kind("goishi").questions["generate"]
HTMX = {"hx-request": "true"}
WISH = {"stones": "5..9", "look": "round", "seed": "7"}

# A question that generates boards

BOARDS = (
    GeneratedBoard(position="oo/oo", solutions=Exact(8), band="easy"),
    GeneratedBoard(position="o.o/ooo", solutions=Exact(12), band=4),
    GeneratedBoard(position="ooo/ooo"),
)


def refuse(position: object, *, stones: list[int], **others: object) -> None:
    """Refuse fifty stones at once, because they have no room."""
    if stones[1] >= 50:
        raise PuzzleError("So many stones have no room: {stones}.", stones=stones[1])


def make(
    kind: Kind, position: object, *, stones: list[int], look: str, seed: int, known: list[str]
) -> Run[GenerateAnswer]:
    """Find some boards, one after the other; fail for options that ask too much."""
    if stones[1] > 40:
        raise PuzzleError("These stones don't fit after all.")
    for number in range(len(BOARDS)):
        yield Progress(number, len(BOARDS), found=GenerateAnswer(boards=BOARDS[:number]))
    return GenerateAnswer(Exact(len(BOARDS)), boards=BOARDS)


MAKES = Question(
    "New boards",
    f"{__name__}:make",
    GenerateAnswer,
    check=f"{__name__}:refuse",
    options={
        "stones": options.span("Number of stones", "8..12", 2, 60),
        "look": options.choice("Look", {"any": "Any", "round": "Round <b>"}),
        "seed": replace(options.whole("Seed", 1, 0, 999), is_folded=True),
        "known": Option("Known", "", str.split),
    },
    position="o",
)
MAKES_FROM = Question(
    "New boards like this one", f"{__name__}:make", GenerateAnswer, options=MAKES.options
)
"""A question that generates boards only from a board that is passed."""


@pytest.fixture(autouse=True)
def makes(monkeypatch):
    monkeypatch.setitem(get_kind("goishi").questions, "generate", MAKES)


@pytest.fixture
def makes_from(monkeypatch):
    monkeypatch.setitem(get_kind("goishi").questions, "generate", MAKES_FROM)


@pytest.fixture
def job(teacher_client) -> Job:
    """Return a waiting search."""
    teacher_client.post(FORM, WISH)
    return Job.objects.get(question="generate")


@pytest.fixture
def made(job, done) -> Job:
    """Return a search that has ended."""
    return done(job)


def results(job: Job) -> str:
    return reverse("puzzle_generated", args=[job.pk])


# The form


@pytest.mark.parametrize(("language", "words"), [("en", "Generate"), ("ja", "自動で作る")])
def test_the_choice_of_a_kind_leads_to_the_form(client_of, teacher, language, words):
    page = client_of(teacher, language).get(reverse("puzzle_kind")).content.decode()
    assert words in page and FORM in page


def test_the_form_has_every_option(teacher_client):
    page = teacher_client.get(FORM).content.decode()
    for name, title in {"stones": "Number of stones", "look": "Look", "seed": "Seed"}.items():
        assert title in page and f'name="{name}"' in page
    assert 'name="known"' not in page
    assert 'value="8..12"' in page
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
        ("stones", "9..5", "The range 9..5 is in the wrong order.", "範囲"),
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
    assert escape(text) in page
    assert 'value="5..9"' in page or field == "stones"
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


def test_later_refusals_of_the_solver_are_reported_too(teacher_client, done):
    teacher_client.post(FORM, WISH | {"stones": "45"})
    job = done(Job.objects.get())
    page = teacher_client.get(results(job)).content.decode()
    assert "These stones don&#x27;t fit after all." in page
    assert f"{FORM}?like={job.pk}" in page


def test_a_search_can_be_changed(teacher_client, job):
    page = teacher_client.get(FORM, {"like": job.pk}).content.decode()
    assert 'value="5..9"' in page and 'value="7"' in page
    assert '<option value="round" selected>' in page


@pytest.mark.parametrize("like", ["", "x", "-1", "²"])
def test_an_invalid_search_is_ignored(teacher_client, like):
    assert 'value="8..12"' in teacher_client.get(FORM, {"like": like}).content.decode()


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


# Results


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
    assert "Saved in your library: Round 1, Round 2" in answer.content.decode()
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
    monkeypatch.setattr("puzzleclass.puzzles.generator_views.MOST_NAMED", 1)
    answer = save(teacher_client, made, "oo/oo", "ooo/ooo", follow=True)
    assert "Added to your library: 2" in answer.content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Not saved because your library already has these boards: 1"),
        ("ja", "もう保存してあるので、保存しなかった盤の数：1"),
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
        ({"title": "Round"}, "Choose at least one board.", "盤を1つ以上選んでください。"),
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


# Access


def test_another_job_has_no_boards(teacher_client, teacher, puzzle, job):
    Job.objects.filter(pk=job.pk).update(question="count")
    assert teacher_client.get(results(job)).status_code == 404


def test_a_kind_without_a_generator(teacher_client, monkeypatch):
    assert teacher_client.get(reverse("puzzle_generate", args=["nothing"])).status_code == 404
    monkeypatch.delitem(get_kind("goishi").questions, "generate")
    assert teacher_client.get(FORM).status_code == 404
    assert FORM not in teacher_client.get(reverse("puzzle_list")).content.decode()


def test_a_stored_answer_that_no_longer_fits_its_type_shows_no_boards(teacher_client, job):
    job.answer = {"value": "1", "proven": True, "moves": [], "details": {"boards": ["oo/oo"]}}
    job.state = Job.State.DONE
    job.save()
    page = teacher_client.get(results(job))
    assert page.status_code == 200 and reverse("ask_again", args=[job.pk]) in page.content.decode()
    assert "Found: 0" in teacher_client.get(FORM).content.decode()


def test_a_search_of_a_kind_that_is_gone_has_no_fields(teacher):
    job = Job(kind_slug="chess", question="generate", position="x", options={"seed": 1})
    assert generator_fields(job) == next_search_fields(job) == {}
