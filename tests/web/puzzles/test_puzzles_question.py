"""The further questions: their pages, and every form of an answer."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from puzzleclass.jobs import transitions
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Puzzle
from solvers import options, registry
from solvers._template_sequence import Row, Template
from solvers.answers import AnswerFile, AnswerTable, Exact, ShownAnswer, ShownBoard
from solvers.kind import Kind, PuzzleError
from solvers.message import Message
from solvers.question import Progress, Question, Run

HTMX = {"hx-request": "true"}

# Further questions that answer in every form, about boards of the template's kind


def everything(kind: Kind, position: Row, *, size: int, step: str) -> Run[ShownAnswer]:
    """Answer with something in every form; with size 9 the search comes to no end."""
    shown = {
        "note": Message("Looked at: {look}", {"look": step}),
        "tables": (
            AnswerTable(
                (Message("Number"), Message("Words"), Message("Share")),
                tuple(
                    (n, Message("Row {n} <b>", {"n": n}), 12345678901234567890) for n in range(1, 4)
                ),
            ),
            AnswerTable((), ((0.25, None, Message("x 1,1")),), Message("Another table")),
        ),
        "boards": (
            ShownBoard("bwbw | 1,1", Message("Half way")),
            *(ShownBoard("b" * n) for n in range(1, 21)),
            *(ShownBoard("w" * n) for n in range(1, 6)),
        ),
        "files": (AnswerFile(f'model "{size}".lp', Message("The model"), "Größe 盤\n"),),
        "at_most": Exact(98765),
    }
    yield Progress(1, 2, found=ShownAnswer(**shown))
    if size == 9:
        return ShownAnswer(Exact(4321), proven=False, **shown)
    return ShownAnswer(Exact(1234567), ("1,1", "1,2"), **shown)


def plain(kind: Kind, position: Row) -> Run[ShownAnswer]:
    """Answer without a number and without a note."""
    yield Progress(0, 1)
    return ShownAnswer()


def refuse(position: Row, **told: object) -> None:
    """Refuse a long row at once."""
    if position.columns > 3:
        raise PuzzleError("This row is too long: {length}.", length=position.columns)


class Asked(Template):
    questions = Template.questions | {
        "everything": Question(
            "What is there to see?",
            f"{__name__}:everything",
            about="Something in every shape.",
            options={
                "size": options.whole("Size", 3, 1, 9),
                "step": options.choice("Look", {"any": "Any look", "round": "Round"}),
            },
        ),
        "plain": Question("Is it over?", f"{__name__}:plain"),
        "refused": Question(
            "What if?", f"{__name__}:plain", about="Never seen.", check=f"{__name__}:refuse"
        ),
    }


KIND = Asked()


@pytest.fixture(autouse=True)
def installed(monkeypatch):
    """Put the kind with these questions into the registry beside the real kinds."""
    everything = registry.kinds() | {KIND.slug: KIND}
    monkeypatch.setattr(registry, "kinds", lambda: everything)


@pytest.fixture
def row(teacher) -> Puzzle:
    return Puzzle.objects.create(owner=teacher, kind_slug=KIND.slug, position="bwbw", title="A row")


@pytest.fixture
def address(row) -> str:
    return reverse("puzzle_question", args=[row.pk, "everything"])


@pytest.fixture
def asked(teacher_client, address) -> str:
    """Return the address of the question after it was asked with the defaults; its job waits."""
    return teacher_client.post(address).url


@pytest.fixture
def job(asked) -> Job:
    return Job.objects.get(question="everything")


@pytest.fixture
def shown(teacher_client, asked, job, done) -> str:
    """Return the page with the answer."""
    done(job)
    return teacher_client.get(asked).content.decode()


# The list of questions


def test_the_puzzle_page_lists_what_has_no_place_elsewhere(teacher_client, row, address):
    page = teacher_client.get(reverse("puzzle", args=[row.pk])).content.decode()
    listed = re.findall(r'class="question-link"\s+href="([^"]*)"', page)
    assert [link.split("/")[-2] for link in listed] == ["everything", "plain", "refused"]
    assert address in listed
    assert "Something in every shape." in page


@pytest.mark.parametrize(("language", "words"), [("en", "Tools"), ("ja", "ほかに調べること")])
def test_the_list_of_questions_has_a_heading(client_of, teacher, row, language, words):
    page = client_of(teacher, language).get(reverse("puzzle", args=[row.pk])).content.decode()
    assert f"<h2>{words}</h2>" in page


def test_the_list_shows_the_answers_that_are_there(teacher_client, row, done, answered):
    listing = reverse("puzzle", args=[row.pk])
    plain = reverse("puzzle_question", args=[row.pk, "plain"])
    teacher_client.post(plain)
    assert "Waiting" in teacher_client.get(listing).content.decode()
    job = Job.objects.get(question="plain")
    answered(job, "12345", proven=True)
    assert "12,345" in teacher_client.get(listing).content.decode()
    answered(job, "12345", proven=False)
    assert "At least 12,345" in teacher_client.get(listing).content.decode()
    answered(job, None, proven=False)
    assert "Limit reached" in teacher_client.get(listing).content.decode()


@pytest.mark.parametrize("question", ["nothing", "count", "rate", "hint"])
def test_only_these_have_such_a_page(teacher_client, row, question):
    address = reverse("puzzle_question", args=[row.pk, question])
    assert teacher_client.get(address).status_code == 404
    assert teacher_client.post(address).status_code == 404
    assert teacher_client.get(f"{address}1/").status_code == 404


# Asking


def test_not_asked_yet(teacher_client, address):
    page = teacher_client.get(address).content.decode()
    assert "What is there to see?" in page and "Something in every shape." in page
    assert re.search(r'name="with-size" value="3"', page)
    content = page.partition("<main")[2].partition("</main>")[0]
    assert "job-card" not in content and "hx-trigger" not in content
    assert not Job.objects.exists()


def test_asking_leads_to_an_address_with_the_options(teacher_client, address):
    answer = teacher_client.post(address, {"with-size": " 5 ", "with-step": "round"})
    assert parse_qs(urlsplit(answer.url).query) == {"with-size": ["5"], "with-step": ["round"]}
    assert Job.objects.get().options == {"size": 5, "step": "round"}
    page = teacher_client.get(answer.url).content.decode()
    assert 'name="with-size" value="5"' in page
    assert '<option value="round" selected>' in page
    assert "job-card" in page


def test_a_question_without_options_has_a_plain_address(teacher_client, row):
    address = reverse("puzzle_question", args=[row.pk, "plain"])
    assert teacher_client.post(address).url == address


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_invalid_option_is_reported_at_its_field(teacher_client, address, method):
    answer = getattr(teacher_client, method)(address, {"with-size": "<10>", "with-step": "square"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "“&lt;10&gt;” is not a whole number from 1 to 9." in page
    assert "“square” is not possible here." in page
    assert 'value="&lt;10&gt;"' in page
    assert not Job.objects.exists()
    assert teacher_client.get(f"{address}1/", {"with-size": "<10>"}).status_code == 404


def test_immediate_refusals_say_why(teacher_client, row):
    address = reverse("puzzle_question", args=[row.pk, "refused"])
    for page in (address, reverse("puzzle", args=[row.pk])):
        assert "This row is too long: 4." in teacher_client.get(page).content.decode()
    assert ">Start<" not in teacher_client.get(address).content.decode()
    answer = teacher_client.post(address)
    assert answer.status_code == 422 and "This row is too long: 4." in answer.content.decode()
    assert not Job.objects.exists()
    row.position = "bwb"
    row.save()
    assert teacher_client.post(address).status_code == 302


# While it runs


def test_while_it_waits_the_page_asks_again(teacher_client, asked, job):
    page = teacher_client.get(asked).content.decode()
    assert "Next in the queue." in page
    assert 'hx-trigger="every 2s, job-ended from:document, job-asked from:document"' in page
    assert f'hx-get="{asked.replace("&", "&amp;")}"' in page


def test_partial_results_are_shown(teacher_client, asked, job, row):
    found = next(everything(KIND, row.start, size=3, step="any")).found
    held = transitions.claim(job.pk)
    transitions.report(held, Progress(1, 4, Message("Looking."), 17, found))
    fragment = teacher_client.get(asked, headers=HTMX).content.decode()
    assert "<html" not in fragment
    for words in (
        "Looking.",
        "At least 17",
        "At most 98,765",
        "Looked at: any",
        "Row 2",
        "Half way",
    ):
        assert words in fragment
    assert "The model" in fragment and "data-player" not in fragment
    assert teacher_client.get(file_of(asked)).status_code == 200


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (lambda job: transitions.stop(job), "The calculation was stopped before it finished."),
        (
            lambda job: transitions.fail(transitions.claim(job.pk), Message("It broke.")),
            "It broke.",
        ),
    ],
    ids=["stopped", "failed"],
)
def test_stopped_and_failed_can_be_asked_again(teacher_client, asked, job, end, words):
    end(job)
    page = teacher_client.get(asked).content.decode()
    assert words in page
    assert reverse("ask_again", args=[job.pk]) in page
    assert "every 2s" not in page


def test_an_answer_at_its_limit_has_both_bounds(teacher_client, address, done):
    asked = teacher_client.post(address, {"with-size": "9", "with-step": "any"}).url
    job = done(Job.objects.get())
    page = teacher_client.get(asked).content.decode()
    assert "At least 4,321" in page and "At most 98,765" in page
    assert reverse("ask_again", args=[job.pk]) in page


# The answer


def test_the_value_and_the_note(shown):
    assert 'class="number">1,234,567<' in shown
    assert "Looked at: any" in shown
    assert "Calculation time in seconds:" in shown
    assert "job-ended" in shown and "every 2s" not in shown


def test_tables(shown):
    assert re.findall(r'<th scope="col"( class="figure")? ?>(\w+)', re.sub(r"\s+", " ", shown)) == [
        (' class="figure"', "Number"),
        ("", "Words"),
        (' class="figure"', "Share"),
    ]
    assert "Row 2 &lt;b&gt;" in shown
    assert '<td class="figure">12,345,678,901,234,567,890</td>' in shown
    assert "Another table" in shown
    assert '<th scope="row" class="figure">0.25</th>' in shown
    assert '<td class="figure"></td>' in shown
    assert "x 1,1" in shown


def test_boards_can_be_taken_into_the_editor(teacher_client, shown, row):
    assert "Half way" in shown
    assert "Page 1 of 2" in shown
    # The first board is the puzzle itself in the middle of a game.
    taken = re.findall(r'name="text" value="(\w+)"', shown)
    assert taken[:2] == ["b", "bb"] and row.position not in taken
    fields = {"do": "take", "draft": row.position, "text": "bb", "title": row.title, "note": ""}
    editor = teacher_client.post(reverse("puzzle_edit", args=[row.pk]), fields)
    assert editor.context["drawing"].text == "bb" and editor.context["drawing"].brush == "black"
    row.refresh_from_db()
    assert row.position == "bwbw"


@pytest.mark.parametrize(
    ("page", "first"), [("2", "wwww"), ("two", "b"), ("99", "wwww"), ("\0", "b")]
)
def test_any_page_of_the_boards(teacher_client, shown, asked, page, first):
    answer = teacher_client.get(asked, {"page": page, "with-size": "3"}).content.decode()
    assert re.findall(r'name="text" value="(\w+)"', answer)[0] == first


def test_the_line_in_the_player_keeps_the_options(teacher_client, address, done):
    asked = teacher_client.post(address, {"with-size": "4", "with-step": "round"}).url
    done(Job.objects.get())
    page = teacher_client.get(asked).content.decode()
    step = re.search(r'data-turn="on"\s+href="([^"]*)"', page)[1].replace("&amp;", "&")
    assert parse_qs(urlsplit(step).query) == {
        "with-size": ["4"],
        "with-step": ["round"],
        "step": ["1"],
    }
    fragment = teacher_client.get(step, headers=HTMX).content.decode()
    assert "Move 1 of 2" in fragment and "findings" not in fragment
    page = teacher_client.get(step).content.decode()
    assert "Move 1 of 2" in page
    # A page that refreshes itself asks without the step, with which it would get only the player.
    assert "step=1" not in re.search(r'id="findings"[^>]*hx-get="([^"]*)"', page)[1]


def file_of(asked: str, number: int = 1) -> str:
    path, _, query = asked.partition("?")
    return f"{path}{number}/?{query}"


def test_files_are_downloads(teacher_client, shown, asked):
    link = re.search(r'href="([^"]*)"\s+download>model', shown)[1].replace("&amp;", "&")
    assert link == file_of(asked)
    answer = teacher_client.get(link)
    assert answer["content-type"] == "text/plain; charset=utf-8"
    assert answer["content-disposition"] == r'attachment; filename="model \"3\".lp"'
    assert answer.content.decode() == "Größe 盤\n"
    assert "Größe" not in shown


@pytest.mark.parametrize("number", [0, 2, 10**30])
def test_files_that_are_none(teacher_client, shown, asked, number):
    assert teacher_client.get(file_of(asked, number)).status_code == 404


def test_files_of_a_question_nobody_asked(teacher_client, asked):
    assert teacher_client.get(file_of(asked).replace("size=3", "size=4")).status_code == 404


def test_an_answer_with_nothing_but_an_end(teacher_client, row, done):
    asked = teacher_client.post(reverse("puzzle_question", args=[row.pk, "plain"])).url
    done(Job.objects.get())
    page = teacher_client.get(asked).content.decode()
    assert "The calculation is finished." in page
    for absent in ("data-player", "<table", "download", 'class="number"'):
        assert absent not in page


def test_questions_with_other_options(teacher_client, address, done):
    for size in ("2", "5"):
        teacher_client.post(address, {"with-size": size, "with-step": "round"})
        done(Job.objects.latest("pk"))
    page = teacher_client.get(address).content.decode()
    former = re.findall(r'href="\?([^"]*)"', page)
    assert [link.replace("&amp;", "&") for link in former] == [
        "with-size=5&with-step=round",
        "with-size=2&with-step=round",
    ]
    assert "Size: 5" in page and "Look: Round" in page


def test_an_answer_to_somebody_elses_question_is_there(
    teacher_client, other_teacher, client_of, row, asked, job, done
):
    done(job)
    theirs = Puzzle.objects.create(
        owner=other_teacher, kind_slug=KIND.slug, position="bwbw", title="Theirs"
    )
    client = client_of(other_teacher)
    page = client.get(reverse("puzzle_question", args=[theirs.pk, "everything"]))
    assert "1,234,567" in page.content.decode()


def test_the_real_kinds_have_pages_for_theirs(teacher_client, make_puzzle):
    for kind in registry.kinds().values():
        if kind is KIND:
            continue
        example = registry.examples(kind)[0].position
        puzzle = make_puzzle(kind.slug, kind.write_start(kind.read(example)), "Example")
        page = teacher_client.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
        for link in re.findall(r'class="question-link"\s+href="([^"]*)"', page):
            assert teacher_client.get(link).status_code == 200
