"""A database of the release 0.1 is migrated to today's tables with its data."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from puzzleclass.jobs import runner
from puzzleclass.jobs.models import Job

RELEASE = [("jobs", "0001_initial")]

ANSWER = {"value": "7", "proven": True, "moves": [], "details": {"boards": [{"position": "o"}]}}


def migrate(targets):
    """Migrate the tables to these migrations; return the models as they are then."""
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


@pytest.fixture
def release(transactional_db):
    """Provide the models of the release, in its tables."""
    yield migrate(RELEASE)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def migrate_to_today():
    migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


def add(release, number: int, **fields):
    fields = {
        "key": f"{number}",
        "kind_slug": "fake",
        "question": "count",
        "position": "3",
    } | fields
    return release.get_model("jobs", "Job").objects.create(**fields)


def test_jobs_keep_their_answers_and_findings(release):
    done = add(release, 1, state="done", answer=ANSWER, ended_at=timezone.now())
    stopped = add(release, 2, state="stopped", found={"boards": [{"position": "oo"}]})
    migrate_to_today()
    job = Job.objects.get(pk=done.pk)
    assert (job.state, job.value, job.result.boards[0].position) == ("done", 7, "o")
    assert Job.objects.get(pk=stopped.pk).found.boards[0].position == "oo"


def test_a_divided_job_waits_again_and_is_done_whole(release, sent):
    whole = add(release, 1, state="split", tries=2, last_try=2, sent_at=timezone.now())
    for number, state in enumerate(["waiting", "running", "done"], 2):
        add(release, number, whole=whole, state=state, options={"part": number})
    other = add(release, 9, state="running", tries=1)
    migrate_to_today()
    assert set(Job.objects.values_list("pk", "state")) == {
        (whole.pk, "waiting"),
        (other.pk, "running"),
    }
    job = Job.objects.get(pk=whole.pk)
    assert (job.sent_at, job.last_try - job.tries) == (None, 1)
    runner.run(job.pk)
    assert Job.objects.get(pk=job.pk).value == 1


def test_the_way_back_keeps_the_jobs(release):
    migrate_to_today()
    fields = {"kind_slug": "fake", "question": "count", "position": "3"}
    Job.objects.create(key="1", **fields, answer=ANSWER)
    Job.objects.create(key="2", **fields, stored_found=ANSWER)
    done, stopped = migrate(RELEASE).get_model("jobs", "Job").objects.order_by("key")
    assert (done.answer, done.found, done.whole) == (ANSWER, {}, None)
    assert stopped.found == ANSWER["details"]
