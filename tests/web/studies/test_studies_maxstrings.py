"""The study of Max Strings: figures, proofs in pictures, answers of the worker, and the LP file."""

import re

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from msgspec import structs

from bench.studies.maxstrings import figures
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job
from puzzleclass.studies import maxstrings_pictures as pictures
from puzzleclass.studies import maxstrings_views as maxstrings
from puzzleclass.studies.figures import MaxStringsFigures, stored
from solvers.maxstrings.rules import cells

HTMX = {"hx-request": "true"}
MAXIMA = (0, 2, 6, 12, 18, 26, 37, 48, 61, 76, 92, 109, 129, 149, 172, 196, 221, 248, 277, 308,
          340, 373)  # fmt: skip
FORMS = (1, 6, 10, 2, 22, 288, 2, 52, 32, 4, 32, 21600, 18, 540360, 34528, 100406, 70266144,
         1380216154, 1682689266, 77900162)  # fmt: skip
WORDS = {
    "en": ("Lamps on a Go board", "7 lines: 36 is printed, 37 is right", "misprint"),
    "ja": ("碁盤の上のあかり", "7路盤：印刷は36、正しくは37", "誤植"),
}


@pytest.fixture
def address() -> str:
    return reverse("study_maxstrings")


def page(client, address, **query):
    answer = client.get(address, query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("language", WORDS)
def test_everybody_may_read_it(client_of, teacher, student, address, language):
    for user in (None, teacher, student):
        text = page(client_of(user, language), address)
        title, evidence, misprint = WORDS[language]
        assert title in text and evidence in text
        # The misprints are for 7 and 8 in both tables, for 15 in the first, and two densities.
        assert text.count(f'<span class="badge bad">{misprint}</span>') == 7
        assert "<style" not in text and " style=" not in text


def test_the_table(anonymous, address):
    table = page(anonymous, address).split('id="table"')[1].split("</table>")[0]
    rows = re.findall(r'<tr> <th scope="row">(.*?)</tr>', table)
    assert len(rows) == len(MAXIMA)
    for n, row in enumerate(rows, 1):
        cells = [re.sub(r"<[^>]*>", " ", cell).strip() for cell in re.split(r"<td[^>]*>", row)]
        assert cells[:3] == [str(n), str(MAXIMA[n - 1]), str(n * n - MAXIMA[n - 1])]
        forms = f"{FORMS[n - 1]:,}" if n <= len(FORMS) else ""
        assert cells[6] == forms
    assert [maxstrings.strings_on(n) for n in range(1, 23)] == list(MAXIMA)


def test_stored_figures_are_what_the_bench_computes():
    kept = stored(MaxStringsFigures).figures.best
    assert [each.most for each in kept] == list(MAXIMA[: len(kept)])
    for ours, theirs in zip(figures(8).best, kept):
        assert structs.replace(ours, seconds=theirs.seconds) == theirs


def test_the_evidence(anonymous, address):
    found = [stored(MaxStringsFigures).figures.best[n - 1] for n in (7, 8, 15)]
    assert [each.most for each in found] == [37, 48, 172]
    assert [each.compared for each in found] == [37, 48, None]
    text = page(anonymous, address)
    assert "Count the stones: 37 strings" in text
    assert "48 strings are the most, with 16 lamps" in text
    assert "This board has 172 strings" in text


def test_no_string_is_lost_on_the_way_to_a_checkerboard():
    for board, number in ((pictures.MIXED, 12), (pictures.SIX, 6)):
        frames = pictures.lemma_frames(board)
        assert [frame["title"].values for frame in frames] == [{"n": number}] * 7


def test_six_strings_become_the_studys_matrix():
    assert maxstrings.matrix() == "1 0 0 1\n0 1 0 0\n0 1 0 1\n0 1 0 0"
    *_, before, after = pictures.lemma_boards(pictures.SIX)
    assert [r * 4 + c for r, c in cells(after) if after[r][c] != before[r][c]] == [0]


def test_the_patterns_have_a_stone_without_a_liberty():
    """Without any one stone of a pattern, the stone in its middle has a liberty."""
    for name, points in (("centre", 5), ("corner", 3), ("edge", 4)):
        text = pictures.patterns()[name].text
        assert sum(text.count(sign) for sign in "xo") == points, text


@pytest.mark.parametrize(("side", "with_middle"), [(2, False), (3, False), (3, True), (4, False)])
def test_the_symmetry_cuts_lose_no_board(side, with_middle):
    """Every set of stones has an image, turned or mirrored, that meets the conditions."""
    areas = pictures.quarters(side, with_middle=with_middle)
    a, b, c, d = (sum(1 << r * side + k for r, k in areas[name]) for name in "ABCD")
    assert len(areas["A"]) == len(areas["C"]) and len(areas["B"]) == len(areas["D"])
    assert not (a & b or a & c or a & d or b & c or b & d or c & d)
    turn = [k * side + (side - 1 - r) for r in range(side) for k in range(side)]
    mirror = [r * side + side - 1 - k for r in range(side) for k in range(side)]

    def image(board: int, moved: list[int]) -> int:
        return sum(1 << to for at, to in enumerate(moved) if board >> at & 1)

    def fits(board: int) -> bool:
        counts = [(board & area).bit_count() for area in (a, c, b, d)]
        return counts[0] >= counts[1] and counts[2] >= counts[3]

    for board in range(1 << side * side):
        turns = [board]
        for _ in range(3):
            turns.append(image(turns[-1], turn))
        assert any(fits(each) for each in (*turns, *(image(one, mirror) for one in turns)))
    if side % 2 == 0:
        halves = pictures.halves(side)
        assert len(halves["U"]) == len(halves["D"]) == side * side // 2


def test_the_stepper_has_a_button_a_frame(anonymous, address):
    text = page(anonymous, address)
    assert re.findall(r'id="lemma-(\d)"', text) == re.findall(r'for="lemma-(\d)"', text)
    assert text.count('name="lemma"') == text.count('name="six"') == 7
    assert len(re.findall(r"<figcaption>\s*<strong>", text)) == 14
    assert "<em" not in text and re.search(r"data-run\s+hidden", text)


@pytest.mark.parametrize(
    ("rows", "columns", "most", "words"),
    [
        (30, 40, "936", "By the formula"),
        (100, 100, "7,924", "By the formula"),
        (2, 50, "74", "repeats for ever"),
        (8, 12, "72", "Computed exactly"),
        (20, 20, "308", "A best board, with 308 strings."),
    ],
)
def test_any_size(anonymous, address, rows, columns, most, words):
    text = page(anonymous, address, rows=rows, columns=columns)
    assert f'<div class="number">{most}</div>' in text and words in text


def test_the_gap_of_a_board_that_is_drawn():
    facts = maxstrings.size_facts(25, 37)
    assert 0 <= facts["gap"] <= 3 and facts["drawn"] + facts["gap"] == facts["most"]
    assert "picture" not in maxstrings.size_facts(41, 5)


@pytest.mark.parametrize(
    ("language", "fault"),
    [("en", "Ensure this value is greater than or equal to 1."), ("ja", "1 以上")],
)
def test_impossible_sizes(client_of, db, address, language, fault):
    client = client_of(None, language)
    assert fault in page(client, address, rows=0, columns=5)
    for rows in ("", "x", "10001", "1e3"):
        text = page(client, address, rows=rows, columns=5)
        assert 'class="errorlist"' in text


@pytest.mark.parametrize("n", ["0", "23", "x", "", "-1", "00071", "９９９９９"])
def test_another_board_is_the_first_misprint(anonymous, address, n):
    assert "A best board of 7 lines" in page(anonymous, address, n=n)


def test_large_boards_say_where_they_come_from(anonymous, address):
    text = page(anonymous, address, n=22)
    assert "A best board of 22 lines, with 373 strings." in text
    assert "Workers take boards up to 19 lines." in text


def test_teachers_ask_the_worker(teacher_client, address):
    answer = teacher_client.post(address, {"n": "9", "question": "count"})
    assert answer.url == f"{address}?n=9#board"
    job = Job.objects.get()
    assert (job.question, job.position, job.state) == ("count", "/".join(["." * 9] * 9), "waiting")
    assert "job-card" in page(teacher_client, address, n=9)


def test_nobody_else_is_offered_it(student_client, anonymous, address):
    assert "Start the calculation" not in page(student_client, address)
    assert "Start the calculation" not in page(anonymous, address)


@pytest.mark.parametrize("asked", [{"n": "9", "question": "x"}, {"n": "20", "question": "best"}])
def test_questions_that_are_not_offered(teacher_client, address, asked):
    assert teacher_client.post(address, asked).status_code == 404
    assert not Job.objects.exists()


def test_everybody_sees_the_workers_answer(anonymous, other_client, teacher, address, done):
    for question, number in (("best", "37"), ("count", "2")):
        done(jobs.ask(teacher, "maxstrings", question, "7x7"))
        cache.clear()  # a guest's page is cached for a minute
        for client in (anonymous, other_client):
            text = page(client, address)
            assert f'<span class="number">{number}</span>' in text
            assert "Computed here: " in text


def test_the_programmes_answer(anonymous, teacher, address, done):
    pytest.importorskip("highspy")
    done(jobs.ask(teacher, "maxstrings", "model", "7x7", {"cuts": "yes", "solver": "highs"}))
    assert '<span class="number">37</span>' in page(anonymous, address)


def test_everybody_sees_the_bounds_while_it_runs(anonymous, teacher, address):
    job = jobs.ask(teacher, "maxstrings", "model", "14x14", {"cuts": "no", "solver": "highs"})
    note = {
        "text": "At least {least} strings, at most {most}",
        "values": {"least": 147, "most": 151},
    }
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, note=note)
    assert "At least 147 strings, at most 151" in page(anonymous, address, n=14)


def test_an_answer_without_a_proof(anonymous, teacher, address, answered):
    job = jobs.ask(teacher, "maxstrings", "count", "19x19")
    answered(job, "1", proven=False)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(started_at=now, ended_at=now)
    assert "At least 1" in page(anonymous, address, n=19)


def test_the_open_board_comes_alone_to_htmx(anonymous, address):
    text = anonymous.get(address, {"n": 8}, headers=HTMX).content.decode()
    assert "A best board of 8 lines" in text and "<html" not in text


def test_the_lp_file(anonymous):
    answer = anonymous.get(reverse("study_maxstrings_lp", args=[7]))
    assert answer["Content-Disposition"] == 'attachment; filename="max-strings-7.lp"'
    text = answer.content.decode()
    assert text.startswith("\\ Max Strings") and " c49:" in text and " c50:" not in text
    with_cuts = anonymous.get(reverse("study_maxstrings_lp", args=[7]), {"cuts": 1})
    assert 'filename="max-strings-7-cuts.lp"' in with_cuts["Content-Disposition"]
    assert " c51:" in with_cuts.content.decode()
    for n in (0, 20):
        assert anonymous.get(reverse("study_maxstrings_lp", args=[n])).status_code == 404
