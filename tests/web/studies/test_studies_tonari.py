"""The page "From 30 days to a blink"."""

import re
from itertools import permutations

import pytest
from django.db.models import F
from django.urls import reverse
from msgspec import structs

from bench.studies import tonari as bench
from puzzleclass.jobs.models import Job
from puzzleclass.studies import tonari_pictures as pictures
from puzzleclass.studies import tonari_views as tonari
from puzzleclass.studies.figures import TonariFigures, duration_in_words, stored
from puzzleclass.studies.tonari_methods import METHODS
from solvers.question import finish
from solvers.registry import get_kind
from solvers.tonari import rules
from solvers.tonari.plain import layers

PAGE = reverse("study_tonari")
HTMX = {"HX-Request": "true"}


def run_url(method: str, side: int) -> str:
    return reverse("study_tonari_run", args=[method, side])


def text(response) -> str:
    return response.content.decode()


def test_everybody_reads_the_page(anonymous, student_client, teacher_client):
    for client in (anonymous, student_client, teacher_client):
        page = text(client.get(PAGE))
        assert "30 days 0 h 20 min" in page
        assert "5,813,496" in page
        assert "mirror image of 7" in page
        assert "mirror image of 6" in page
        assert "Together: 5,813,496" in page
        assert "59 boards" in page
        assert not re.search(r"<script>|\son\w+=|\sstyle=", page)


def test_the_page_in_japanese(client_of, teacher):
    page = text(client_of(teacher, "ja").get(PAGE))
    assert "30日から一瞬へ" in page
    assert "30日0時間20分" in page
    assert "7番を映した形" in page


def test_every_run_is_stored(anonymous):
    page = text(anonymous.get(PAGE))
    runs = stored(TonariFigures).figures.runs
    assert [(run.method, run.side) for run in runs] == [
        (method.slug, side) for method in METHODS for side in method.sides
    ]
    assert all(run.seconds > 0 for run in runs)
    counts = {(run.method, run.side): run.count for run in runs}
    steps = [counts[f"study-{step}", side] for step in range(1, 6) for side in (3, 4)]
    assert steps == [304, 5813496, 82, 1246202, 42, 952572, 4, 1007, 2, 10]
    for run in runs:
        box = page.split(f'id="run-{run.method}-{run.side}"')[1].split("</form>")[0]
        assert f"{run.count:,}" in box


def test_stored_figures_are_what_the_bench_computes():
    """Figures that take long are left out."""
    kept = stored(TonariFigures).figures
    small, large = (bench.KIND.read(f"{side}x{side} 11") for side in (3, 4))
    assert tuple(bench.classes(small)) == kept.small_classes
    assert tuple(bench.classes(large)) == kept.classes
    assert [len(layer) for layer in kept.sets] == [len(layer) for layer in layers(small)]
    assert tuple(bench.ended(side) for side in (3, 4)) == kept.endings[:2]
    by_slug = {method.slug: method for method in METHODS}
    quick = [run for run in kept.runs if run.seconds < 0.3]
    assert len(quick) > 15
    for run in quick:
        found = bench.run(by_slug[run.method], run.side)
        assert structs.replace(found, seconds=run.seconds) == run


def test_the_last_figures_beside_the_true_ones():
    kept = stored(TonariFigures).figures
    rows = [(each.side, each.up_to_mirror, each.boards) for each in kept.endings]
    assert rows == [(3, 2, 2), (4, 9, 12), (5, 131, 227)]
    counts = {run.side: run.count for run in kept.runs if run.method == "ladder"}
    assert counts == tonari.LAST_FIGURES


def test_the_printed_solutions_of_three_lines_and_a_failed_board():
    """The study's two solutions are all there are; each leaves only closed points."""
    kind = get_kind("tonari")
    ladder = finish(kind.questions["ladder"].ask(kind, kind.read("3x3 11")))
    assert [line.replace(",", "") for line in ladder.solutions] == [*tonari.SMALL_PRINTED]
    failed = kind.judge(pictures.position_after(3, tonari.FAILED))
    assert failed.over and not failed.solved


def test_which_moves_of_the_printed_solutions_are_forced():
    """After 12 only one point at each step leaves the goal within reach, mirror images aside; after
    22 only 13, 31 and 33 do, in any order."""
    sets = [one for layer in stored(TonariFigures).figures.sets for one in layer]
    alive = {one.occupied for one in sets if one.futures}

    def choices(line: str) -> set[str]:
        position = pictures.position_after(3, line)
        return {
            f"{r + 1}{c + 1}"
            for r, c in rules.moves(position)
            if rules.empties_beside(position, (r, c))
            and get_kind("tonari").play(position, (r, c)).occupied in alive
        }

    first = tonari.SMALL_PRINTED[0].split()
    assert [choices(" ".join(first[:n])) for n in range(1, 5)] == [
        {"21"},
        {"22"},
        {"23", "32"},
        {"32"},
    ]
    assert choices("22") == {"13", "31", "33"}
    for order in permutations(("13", "31", "33")):
        assert not choices(f"22 {' '.join(order)}")


def test_printed_solutions_are_those_of_the_study_search():
    kind = get_kind("tonari")
    ladder = finish(kind.questions["ladder"].ask(kind, kind.read("4x4 11")))
    assert [line.replace(",", "") for line in ladder.solutions] == [*tonari.PRINTED]
    assert ladder.mirrored == ((6, 7),)


def test_the_drawn_goal_is_solved():
    kind = get_kind("tonari")
    moves = " ".join(f"{name[0]},{name[1]}" for name in tonari.SOLVED.split())
    assert kind.judge(kind.play_line(kind.read("4x4 11"), moves)).solved


# Runs


def test_everybody_sees_what_was_found(anonymous):
    box = text(anonymous.get(run_url("study-5", 4), headers=HTMX))
    assert "Boards looked at: 1,080" in box
    assert "In the study: 10 in 0.1 s" in box
    assert "<html" not in box
    back = anonymous.get(run_url("study-5", 4))
    assert back["Location"] == f"{PAGE}#run-study-5-4"


def test_a_teacher_has_it_run_here_and_everybody_sees_it(teacher_client, student_client, done):
    url = run_url("orders", 4)
    assert "19,157,271,840" in text(student_client.get(url, headers=HTMX))
    box = text(teacher_client.post(url, headers=HTMX))
    assert "every 2s" in box
    done(Job.objects.get())
    Job.objects.update(started_at=F("ended_at"))
    box = text(student_client.get(url, headers=HTMX))
    assert "Run here: 0 ms" in box
    assert "every 2s" not in box


def test_without_htmx_the_page_comes_back(teacher_client):
    response = teacher_client.post(run_url("count", 4))
    assert response["Location"] == f"{PAGE}#run-count-4"


def test_a_run_that_reached_its_limit_may_be_asked_again(teacher_client, answered):
    url = run_url("study-1", 4)
    teacher_client.post(url)
    answered(Job.objects.get(), "17", proven=False)
    box = text(teacher_client.get(url, headers=HTMX))
    assert "Limit reached" in box
    assert "Run it here" in box
    assert "5,813,496" in box
    assert Job.objects.get().has_ended
    teacher_client.post(url)
    assert not Job.objects.get().has_ended


def test_only_teachers_ask(student_client, anonymous):
    for client in (student_client, anonymous):
        assert client.post(run_url("count", 4)).status_code in (302, 403)
        assert "Run it here" not in text(client.get(PAGE))
    assert not Job.objects.exists()


@pytest.mark.parametrize(("method", "side"), [("study-0", 4), ("count", 9), ("none", 3)])
def test_missing_runs_answer_404(teacher_client, method, side):
    assert teacher_client.get(run_url(method, side)).status_code == 404
    assert teacher_client.post(run_url(method, side)).status_code == 404


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0000123, "0.012 ms"), (0.0068, "6.8 ms"), (0.5, "0.5 s"), (41.22, "41.2 s"),
     (730, "12 min 10 s"), (2593202, "30 days 0 h 20 min")],
)  # fmt: skip
def test_times(seconds, said):
    assert str(duration_in_words(seconds)) == said
