"""Make the small databases of past releases that `test_releases.py` migrates to today's tables.

    python -m tests.releases.make 0.1

clones the release's commit into a temporary folder, fills a database there with that release's own
code, and writes `tests/releases/<release>.sqlite3.gz`. It needs the packages that the release
needs. The solvers are compiled anew, so it takes some minutes. The stored files are never changed,
because they are what schools have.
"""

import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FILL_0_1 = """
from collections import Counter
from django.conf import settings
from puzzleclass import demo
from puzzleclass.accounts.models import User
from puzzleclass.jobs import runner, services, transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play.models import Attempt
from puzzleclass.play.services import request_review
from puzzleclass.puzzles.models import Puzzle
from solvers.message import Message
from solvers.registry import kinds

settings.JOB_DEADLINE_SECONDS = 20
demo.CLASS_SIZE = 4
demo.make_demo()
teacher = User.objects.get(username="demo")
for attempt in Attempt.objects.filter(next_step__gt=3)[:20]:
    request_review(attempt)

# Every question of every kind, once at least.
for kind in kinds().values():
    board = Puzzle.objects.filter(kind_slug=kind.slug).last().position
    for name, question in kind.questions.items():
        options = {key: option.read(option.default) for key, option in question.options.items()}
        position = getattr(question, "position", None) or board
        if name == "generate" and "many" in options:
            options["many"] = 1
        try:
            services.ask(teacher, kind.slug, name, position, options)
        except Exception as error:
            print("not asked:", kind.slug, name, error)

answered = Counter()
for job in Job.objects.order_by("-pk"):
    which = job.kind_slug, job.question
    if answered[which] < 3:
        answered[which] += 1
        runner.run(job.pk)
print({which: list(Job.objects.filter(kind_slug=which[0], question=which[1]).exclude(
    state="waiting").values_list("state", flat=True)) for which in answered})

# One job in each state, and one that was divided.
left = list(Job.objects.filter(state="waiting", question="count", kind_slug="goishi")[:3])
divided = transitions.claim(left[0].pk)
parts = transitions.split(divided, [{"part": 0, "parts": 2}, {"part": 1, "parts": 2}])
assert len(parts) == 2, parts
transitions.claim(left[1].pk)
transitions.stop(left[2])
failed = transitions.claim(Job.objects.filter(state="waiting", question="rate").first().pk)
transitions.fail(failed, Message("This puzzle needs more memory than the computer has."))
kept = Job.objects.filter(state="waiting", whole=None).values_list("pk", flat=True)[:12]
Job.objects.filter(state="waiting", whole=None).exclude(pk__in=list(kept)).delete()
print(Counter(Job.objects.values_list("state", flat=True)))
"""

RELEASES = {"0.1": ("84cf5ac", FILL_0_1)}


def make(release: str) -> Path:
    """Make the release's database and return its path."""
    commit, fill = RELEASES[release]
    with tempfile.TemporaryDirectory() as folder:
        code, var = Path(folder, "code"), Path(folder, "var")
        subprocess.run(("git", "clone", "--quiet", ROOT, code), check=True)
        subprocess.run(("git", "checkout", "--quiet", commit), cwd=code, check=True)
        settings = {"VAR_DIR": str(var), "REDIS_URL": "redis://127.0.0.1:1"}
        environment = os.environ | settings | {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
        for command in (
            ("manage.py", "migrate", "--verbosity", "0"),
            ("-c", f"import django; django.setup()\n{fill}"),
        ):
            subprocess.run((sys.executable, *command), cwd=code, env=environment, check=True)
        file = var / "puzzleclass.sqlite3"
        database = sqlite3.connect(file)
        database.execute("PRAGMA journal_mode=DELETE")
        database.execute("VACUUM")
        database.close()
        target = Path(__file__).with_name(f"{release}.sqlite3.gz")
        target.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    return target


if __name__ == "__main__":
    for name in sys.argv[1:] or RELEASES:
        print(make(name))
