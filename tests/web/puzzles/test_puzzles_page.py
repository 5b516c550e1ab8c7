"""A puzzle's page: the count, its solution, the first moves of solutions, and downloads."""

import re
from html import unescape
from xml.etree import ElementTree

import pytest
from django.urls import reverse
from django.utils import translation

from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.answers import COUNT, SOLUTIONS, ask_about, label_moves, short
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import ALL_SOLUTIONS
from solvers.answers import CountAnswer, Exact

HTMX = {"hx-request": "true"}


@pytest.fixture
def address(puzzle) -> str:
    return reverse("puzzle", args=[puzzle.pk])


def count(client, puzzle, **options):
    return client.post(reverse("puzzle_count", args=[puzzle.pk]), **options)


def test_an_uncounted_puzzle_offers_the_count(teacher_client, puzzle, address):
    page = teacher_client.get(address).content.decode()
    assert "Count the solutions" in page
    assert "data-player" not in page
    assert not Job.objects.exists()


def test_asking_shows_the_job(teacher_client, puzzle, address):
    answer = count(teacher_client, puzzle, headers=HTMX)
    page = answer.content.decode()
    assert "job-card" in page and "<html" not in page
    assert Job.objects.get(question="count").state == Job.State.WAITING
    assert count(teacher_client, puzzle).url == address
    assert Job.objects.filter(question="count").count() == 1


def test_the_page_hears_when_the_job_ends(teacher_client, puzzle):
    page = count(teacher_client, puzzle, headers=HTMX).content.decode()
    assert 'hx-trigger="job-ended from:document"' in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "This is the exact number of different solutions."),
        ("ja", "解き方は、ちょうどこれだけあります。"),
    ],
)
def test_the_answer(client_of, teacher, puzzle, address, done, language, words):
    done(ask_about(teacher, puzzle, COUNT))
    page = client_of(teacher, language).get(address, headers=HTMX).content.decode()
    assert '<div class="number">5</div>' in page
    assert words in page
    assert "data-player" in page
    assert "job-card" not in page


def test_numbers_on_the_stones_add_up(teacher_client, teacher, puzzle, address, done):
    done(ask_about(teacher, puzzle, COUNT))
    page = teacher_client.get(address).content.decode()
    labels = re.findall(r'<text class="label[ \w]*"[^>]*>([^<]*)', page)
    assert len(labels) == 5 and sum(map(int, labels)) == 5
    rows = re.findall(r'<th scope="row" class="code">(\S+)</th>\s*<td class="figure">(\d+)', page)
    assert dict(rows) == {"1,1": "2", "2,1": "1", "2,2": "1", "4,1": "1", "4,2": "0"}
    assert page.count('class="label none"') == 1


def test_a_count_somebody_else_asked_for_is_there_at_once(
    teacher_client, other_teacher, puzzle, address, done
):
    done(ask_about(other_teacher, puzzle, COUNT))
    assert '<div class="number">5</div>' in teacher_client.get(address).content.decode()


def test_a_job_somebody_else_waits_for_can_be_joined(
    teacher_client, other_teacher, puzzle, address
):
    job = ask_about(other_teacher, puzzle, COUNT)
    page = teacher_client.get(address).content.decode()
    assert "Count the solutions" in page and "job-card" not in page
    count(teacher_client, puzzle)
    assert job.askers.count() == 2
    assert "job-card" in teacher_client.get(address).content.decode()


@pytest.mark.parametrize(
    ("position", "language", "words"),
    [
        (".o./ooo/.o.", "en", "This puzzle cannot be solved."),
        (".o./ooo/.o.", "ja", "この問題は解けません。"),
        ("o", "en", "There is exactly one solution."),
        ("o", "ja", "解き方はただ1通りです。"),
    ],
)
def test_none_and_one(client_of, teacher, puzzle, address, done, position, language, words):
    puzzle.position = position
    puzzle.save()
    done(ask_about(teacher, puzzle, COUNT))
    page = client_of(teacher, language).get(address).content.decode()
    assert words in page
    assert ("data-player" in page) == (position == "o")


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({"limit": "time"}, "The time ran out before the count finished."),
        ({}, "The count stopped before it finished."),
        (
            {"note": {"text": "Memory: {megabytes} MB.", "values": {"megabytes": 7}}},
            "Memory: 7 MB.",
        ),
    ],
)
def test_an_unproven_answer_is_a_bound_and_can_be_asked_again(
    teacher_client, teacher, puzzle, address, answered, details, words
):
    job = ask_about(teacher, puzzle, COUNT)
    answered(job, "1234567", proven=False, **details)
    page = teacher_client.get(address).content.decode()
    assert "At least 1,234,567" in page
    assert words in page
    assert "Count again" in page
    count(teacher_client, puzzle)
    job.refresh_from_db()
    assert job.state == Job.State.WAITING


def test_a_proven_answer_is_not_computed_twice(teacher_client, teacher, puzzle, done):
    job = done(ask_about(teacher, puzzle, COUNT))
    count(teacher_client, puzzle)
    job.refresh_from_db()
    assert job.state == Job.State.DONE


# The solution


def test_the_solution_is_played_step_by_step(teacher_client, teacher, puzzle, done):
    job = done(ask_about(teacher, puzzle, COUNT))
    address = reverse("puzzle_solution", args=[puzzle.pk])
    fragment = teacher_client.get(address, {"step": 2}, headers=HTMX).content.decode()
    assert "Move 2 of 5" in fragment and "<html" not in fragment
    row, column = job.answer["moves"][1].split(",")
    assert f"row {row}, column {column}" in fragment
    assert f"{address}?step=3" in fragment
    page = teacher_client.get(address, {"step": "99"}).content.decode()
    assert "Move 5 of 5" in page and "<html" in page


@pytest.mark.parametrize("step", ["-1", "two", "9" * 5000])
def test_any_step_is_answered(teacher_client, teacher, puzzle, done, step):
    done(ask_about(teacher, puzzle, COUNT))
    address = reverse("puzzle_solution", args=[puzzle.pk])
    assert teacher_client.get(address, {"step": step}, headers=HTMX).status_code == 200


@pytest.mark.parametrize(
    ("position", "asked"),
    # In the first board, one of five stones begins no solution. The second board has one solution,
    # with a wrong way at its third move.
    [("o./oo/../oo", [0]), ("...o/..oo/oo.o/o..o", [2])],
)
def test_the_class_is_asked_before_the_decisive_move(
    teacher_client, teacher, make_puzzle, done, position, asked
):
    shown = make_puzzle("goishi", position)
    done(ask_about(teacher, shown, COUNT))
    done(ask_about(teacher, shown, SOLUTIONS, ALL_SOLUTIONS))
    for address in ("puzzle_solution", "puzzle_solutions"):
        url = reverse(address, args=[shown.pk])
        steps = [teacher_client.get(url, {"step": step}, headers=HTMX) for step in range(6)]
        players = [answer.context["player"] for answer in steps]
        assert [player.step for player in players if player.question] == asked


def test_a_kept_solution_is_played(teacher_client, make_puzzle):
    board = make_puzzle("kikazu", "3/3/3 2R")
    board.set_answer(CountAnswer(Exact(18), moves=("R 1,1", "R 2,2")))
    board.save()
    page = teacher_client.get(reverse("puzzle", args=[board.pk])).content.decode()
    assert "Move 2 of 2" in page


# Assigning it to a class


def test_each_class_is_offered(teacher_client, teacher, classroom, puzzle, address, make_class):
    second = make_class(teacher, "5-1")
    page = teacher_client.get(address).content.decode()
    for each in (classroom, second):
        assert f"{reverse('assignment_new', args=[each.pk])}?puzzle={puzzle.pk}" in page


def test_without_a_class_the_page_offers_to_create_one(teacher_client, address):
    assert reverse("classroom_new") in teacher_client.get(address).content.decode()


# Downloads


@pytest.mark.parametrize(
    ("slug", "position", "style"),
    [
        ("kikazu", "1K1/3/3 P", ".kikazu-bar{stroke: #6b4d22;"),
        ("tonari", "Wbb/bbb/bbw", ".tonari-want-black{fill: #7d5a2c;"),
    ],
)
def test_a_picture_has_the_styles_of_its_kind_alone(teacher_client, teacher, slug, position, style):
    board = Puzzle.objects.create(owner=teacher, kind_slug=slug, position=position, title="Board")
    svg = teacher_client.get(reverse("puzzle_svg", args=[board.pk])).content.decode()
    assert style in svg and "var(" not in svg
    assert (".kikazu-" in svg) == (slug == "kikazu")


def test_the_text_reads_back_as_the_same_board(teacher_client, puzzle, address):
    page = teacher_client.get(address).content.decode()
    text = re.search(r'id="position"[^>]*value="([^"]*)"', page)[1]
    assert puzzle.kind.read(text) == puzzle.start


def test_the_picture_stands_alone(teacher_client, puzzle):
    puzzle.title = '五つの石/\\"'
    puzzle.save()
    answer = teacher_client.get(reverse("puzzle_svg", args=[puzzle.pk]))
    assert answer["content-type"] == "image/svg+xml"
    assert answer["content-disposition"].startswith("attachment; filename*=utf-8''")
    svg = answer.content.decode()
    root = ElementTree.fromstring(svg)
    space = {"s": "http://www.w3.org/2000/svg"}
    style = root.find("s:style", space).text
    used = {name for each in root.iter() for name in each.get("class", "").split()}
    # Every shape has a colour, and nothing refers to something outside of the file.
    assert {"board", "grid", "stone"} <= used
    for name in ("board", "grid", "stone", "press"):
        assert f".{name}" in style
    for foreign in ("var(", "color-mix", ":hover", "transparent", ":lang", "{display: block"):
        assert foreign not in svg
    for target in re.findall(r"url\(#([\w-]+)\)", style):
        assert f'id="{target}"' in svg


# Numbers on the board


@pytest.mark.parametrize(
    ("number", "english", "japanese"),
    [
        (0, "0", "0"),
        (9999, "9999", "9999"),
        (10_000, "10K", "1万"),
        (12_999, "12K", "1.2万"),
        (999_999, "999K", "99万"),
        (1_234_567, "1.2M", "123万"),
        (10_229_439_288, "10B", "102億"),
        (10**16, "1e16", "1京"),
        (271866672998612, "271T", "271兆"),
        (3 * 10**40, "3e40", "3e40"),
        (10**400, "1e400", "1e400"),
    ],
)
def test_long_numbers_are_shortened_not_rounded_up(number, english, japanese):
    with translation.override("en"):
        assert short(number) == english
    with translation.override("ja"):
        assert short(number) == japanese


@pytest.mark.parametrize(("number", "style"), [(123, "label"), (123_456, "label long")])
def test_labels_are_small_when_one_is_long_and_zeros_stand_apart(puzzle, number, style):
    picture = label_moves(puzzle.picture, {"1,1": number, "2,1": 12, "2,2": 0})
    assert [shape.style for shape in picture.shapes[-3:]] == [style, style, "label none"]


# In the notations of other programs


@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_notation_is_offered_and_reads_back(client_of, teacher, puzzle, address, language):
    page = client_of(teacher, language).get(address).content.decode()
    texts = re.findall(r'<textarea id="export-\d+"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert [unescape(text) for text in texts] == list(
        puzzle.kind.notations.write(puzzle.start).values()
    )
    for text in texts:
        assert puzzle.kind.read(unescape(text)) == puzzle.start
    assert 'href="https://puzz.link/p?goishi/2/4/9g"' in page
    assert 'rel="noopener noreferrer"' in page


def test_a_notation_as_a_file(teacher_client, puzzle):
    titles = list(puzzle.kind.notations.write(puzzle.start))
    number = titles.index("pzprv3 file") + 1
    answer = teacher_client.get(reverse("puzzle_export", args=[puzzle.pk, number]))
    assert answer["content-type"] == "text/plain; charset=utf-8"
    assert 'attachment; filename="Five stones.txt"' in answer["content-disposition"]
    assert answer.content.decode().startswith("pzprv3\ngoishi\n4\n2\n")


@pytest.mark.parametrize("number", [0, 99])
def test_an_unknown_notation(teacher_client, puzzle, number):
    address = reverse("puzzle_export", args=[puzzle.pk, number])
    assert teacher_client.get(address).status_code == 404
