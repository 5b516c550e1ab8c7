"""A machine with little memory: one web process, and one worker that serves every queue."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from puzzleclass.jobs.delivery import GIVES_WAY_A_LITTLE
from tests.integration.processes import ONLY_WORKER, SMALL, WEB, Site
from tests.integration.test_jobs import (
    ASK,
    HINT_SECONDS,
    LEAST_URGENT,
    SHORT,
    end_jobs,
    niceness,
    stop_jobs,
    wait_for_state,
)
from tests.questions import LONGER

pytestmark = pytest.mark.integration

MAX_MB = 450
"""The memory of all processes together, when every queue has been used."""


@pytest.fixture(scope="module")
def running_site(tmp_path_factory) -> Iterator[Site]:
    """Provide a running small installation. The tests share it."""
    folder = tmp_path_factory.mktemp("site")
    with Site(folder / "var", folder / "log", MEMORY_MB=SMALL) as site:
        yield site.start_prepared()


@pytest.fixture
def small_site(running_site) -> Iterator[Site]:
    """Provide the module's installation, and end and delete the jobs of each test after it."""
    yield running_site
    end_jobs(running_site)


def memory_mb(site: Site) -> float:
    """Return the memory of the site's processes, of which each has its share of what they share."""
    kilobytes = 0
    for pid in site.family():
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        kilobytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def test_one_worker_answers_hints_beside_long_counts_in_little_memory(small_site):
    commands = list(small_site.family().values())
    assert sum(WEB in command for command in commands) == 1
    assert sum(ONLY_WORKER in command for command in commands) == 1

    def ask(question: str, position: str) -> int:
        code = ASK.replace('"count"', f'"{question}"').format(position=position)
        return int(small_site.manage(code))

    counts = [ask("count", LONGER), ask("count", LONGER.replace("ooooo.", "oooo.o"))]
    wait_for_state(small_site, counts[0], "running", 60)
    # The first hint also loads the compiled kernels.
    for board, seconds in ((SHORT, 6 * HINT_SECONDS), ("oo/oo", HINT_SECONDS)):
        wait_for_state(small_site, ask("hint", board), "done", seconds)
    wait_for_state(small_site, ask("rate", SHORT), "waiting", 5)
    states = "SELECT state FROM jobs_job WHERE id = ?"
    assert [small_site.rows(states, pk)[0][0] for pk in counts] == ["running", "waiting"]
    assert memory_mb(small_site) < MAX_MB
    gives_way = niceness(small_site, WEB) + GIVES_WAY_A_LITTLE
    assert niceness(small_site, ONLY_WORKER) == min(gives_way, LEAST_URGENT)
    stop_jobs(small_site)
    wait_for_state(small_site, counts[0], "stopped", 60)


def test_what_waits_behind_a_job_is_begun_when_that_has_ended(small_site):
    def ask(position: str) -> int:
        return int(small_site.manage(ASK.format(position=position)))

    jobs = [ask(board) for board in ("oooo/oooo/oooo", "oooo/oooo/ooo.", "oooo/oooo/oo..")]
    for pk in jobs:
        wait_for_state(small_site, pk, "done", 60)
    assert small_site.rows("SELECT count(*) FROM jobs_job WHERE tries != 1") == [(0,)]
