"""The page "From 30 days to a blink"."""

import re

import pytest
from django.urls import reverse
from solvers.asking import finish

from puzzleclass.jobs.models import Job
from puzzleclass.learn import tonari, tonari_runs
from puzzleclass.learn.tonari_runs import told
from solvers.registry import get_kind

PAGE = reverse("learn_tonari")
ALL = reverse("learn_tonari_all")
HTMX = {"HX-Request": "true"}


def run_url(method: str, side: int) -> str:
    return reverse("learn_tonari_run", args=[method, side])


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


def test_the_list_of_studies_leads_here(anonymous):
    assert PAGE in text(anonymous.get(reverse("learn")))


def test_what_needs_no_worker_is_measured(anonymous):
    context = anonymous.get(PAGE).context
    steps = [run.count for step in context["ladder"] for run in step["runs"] if run.is_quick]
    assert steps == [304, 82, 42, 4, 1007, 2, 10]
    assert context["every_order"][0].answer["details"]["orders"] == "9240"
    assert [run.count for run in context["plain"]] == [304, 5813496]
    assert all(run.seconds > 0 for run in context["plain"])


def test_the_last_figures_beside_the_true_ones(anonymous):
    rows = anonymous.get(PAGE).context["last"]
    assert [(row.printed, row.up_to_mirror, row.endings) for row in rows] == [
        (2, 2, 2),
        (10, 9, 12),
        (203, None, None),
    ]


def test_a_worker_fills_in_five_by_five(teacher_client, anonymous, done):
    teacher_client.post(run_url("ladder", 5))
    done(Job.objects.get())
    last = anonymous.get(PAGE).context["last"][-1]
    assert (last.run.count, last.up_to_mirror, last.endings) == (203, 131, 227)
    assert last.run.seconds > 0


def test_printed_solutions_are_those_of_the_study_search():
    kind = get_kind("tonari")
    ladder = finish(kind.questions["ladder"].ask(kind, kind.read("4x4 11"))).details
    ours = sorted(line.replace(",", "") for line in ladder["solutions"])
    assert ours == sorted(tonari.PRINTED)
    assert ladder["mirrored"] == [[6, 7]]


def test_the_drawn_goal_is_solved():
    kind = get_kind("tonari")
    moves = " ".join(f"{name[0]},{name[1]}" for name in tonari.SOLVED.split())
    assert kind.judge(kind.play_line(kind.read("4x4 11"), moves)).solved


# Runs


def test_anybody_runs_a_quick_one_again(anonymous):
    box = text(anonymous.get(run_url("study-5", 4), headers=HTMX))
    assert "Boards looked at: 1,080" in box
    assert "In the study: 10 in 0.1 s" in box
    assert "<html" not in box
    back = anonymous.get(run_url("study-5", 4))
    assert back["Location"] == f"{PAGE}#run-study-5-4"


def test_a_teacher_asks_for_a_run_and_everybody_sees_it(teacher_client, student_client, done):
    url = run_url("orders", 4)
    assert "Not run yet" in text(student_client.get(url, headers=HTMX))
    box = text(teacher_client.post(url, headers=HTMX))
    assert "every 2s" in box
    done(Job.objects.get())
    box = text(student_client.get(url, headers=HTMX))
    assert "19,157,271,840" in box
    assert "every 2s" not in box


def test_without_htmx_the_page_comes_back(teacher_client):
    response = teacher_client.post(run_url("count", 4))
    assert response["Location"] == f"{PAGE}#run-count-4"


def test_a_run_that_reached_its_limit_may_be_asked_again(teacher_client, ended):
    url = run_url("study-1", 4)
    teacher_client.post(url)
    ended(Job.objects.get(), "17", proven=False)
    box = text(teacher_client.get(url, headers=HTMX))
    assert "Limit reached" in box
    assert "Run it" in box
    assert Job.objects.get().has_ended
    teacher_client.post(url)
    assert not Job.objects.get().has_ended


def test_everything_missing_is_asked_for_once(teacher_client):
    assert "Run everything that is missing" in text(teacher_client.get(PAGE))
    wanted = sum(side not in m.quick for m in tonari_runs.METHODS for side in m.sides)
    for _ in range(2):
        assert teacher_client.post(ALL)["Location"] == PAGE
        assert Job.objects.count() == wanted
    assert "Run everything that is missing" not in text(teacher_client.get(PAGE))


def test_only_teachers_ask(student_client, anonymous):
    for client in (student_client, anonymous):
        for url in (ALL, run_url("count", 4)):
            assert client.post(url).status_code in (302, 403, 404)
        assert "Run everything" not in text(client.get(PAGE))
    assert not Job.objects.exists()


@pytest.mark.parametrize(("method", "side"), [("study-0", 4), ("count", 9), ("none", 3)])
def test_runs_that_do_not_exist(teacher_client, method, side):
    assert teacher_client.get(run_url(method, side)).status_code == 404
    assert teacher_client.post(run_url(method, side)).status_code == 404


def test_a_quick_run_is_no_job(teacher_client):
    assert teacher_client.post(run_url("plain", 3)).status_code == 404
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0000123, "0.012 ms"), (0.0068, "6.8 ms"), (0.5, "0.5 s"), (41.22, "41.2 s"),
     (730, "12 min 10 s"), (2593202, "30 days 0 h 20 min")],
)  # fmt: skip
def test_times(seconds, said):
    assert str(told(seconds)) == said
