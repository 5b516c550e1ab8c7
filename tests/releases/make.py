"""Make the small backups of earlier versions that the tests restore into today's tables.

    python -m tests.releases.make before-1.0

clones the version's commit into a temporary folder, fills a database there with that version's own
code, and writes `tests/releases/<version>.jsonl.gz`. It needs the packages that the version needs.
The solvers are compiled anew, so it takes some minutes. The stored files are never changed, because
they are what schools have.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FILL_BEFORE_1_0 = """
from collections import Counter
from django.conf import settings
from django.utils import timezone
from puzzleclass.demo import school as demo
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import assign_puzzles
from puzzleclass.classes.models import Classroom
from puzzleclass.jobs import runner, services, transitions
from puzzleclass.jobs.models import Job
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt
from puzzleclass.play.restarts import restart
from puzzleclass.play.reviews import request_review
from puzzleclass.puzzles.models import Puzzle, SavedSearch
from puzzleclass.workshop import services as workshop
from solvers.kind import split_moves
from solvers.message import Message
from solvers.registry import kinds, ready_kinds, demo_boards, get_kind

settings.JOB_DEADLINE_SECONDS = 20
demo.CLASS_SIZE = 4
demo.make_demo()
teacher = User.objects.get(username="demo")
for attempt in Attempt.objects.filter(next_step__gt=3)[:20]:
    request_review(attempt)

# A kind that the teacher has made, and one of the ready tables: assigned, played and given up.
invention = workshop.begin_with(teacher, next(iter(workshop.examples())))
version = workshop.save_kind(invention)
made = workshop.save_board(invention, version)
print("made", version.stored_id, made.kind_slug)
from solvers.question import finish
from solvers.registry import examples
ready = next(iter(ready_kinds().values()))
board = examples(ready)[0]
moves = list(finish(ready.questions["count"].ask(ready, ready.read(board.position))).moves)
print(ready.slug, board, moves)
SavedSearch.objects.create(owner=teacher, name="x", query=f"kind={ready.slug}")
mine = {"owner": teacher, "kind_slug": ready.slug, "position": board.position}
puzzle = Puzzle.objects.create(title="Table", **mine)
classroom = Classroom.objects.get(code="KAYA52")
due_at = timezone.now() + timezone.timedelta(days=5)
assignment = assign_puzzles(classroom, teacher, "Tables", due_at, [puzzle, made])
student = classroom.students.first()
first = assignment.puzzles.order_by("pk").first()
attempt = current_attempt(student, first)
for turn in range(2):
    for move in moves[:2]:
        attempt = take_step(attempt, attempt.next_step, "move", move)
    attempt = restart(attempt)
for move in moves:
    attempt = take_step(attempt, attempt.next_step, "move", move)
print("solved", attempt.state)
other = classroom.students.all()[1]
attempt = current_attempt(other, first)
for turn in range(2):
    attempt = take_step(attempt, attempt.next_step, "move", moves[0])
    attempt = restart(attempt)
attempt = take_step(attempt, attempt.next_step, "move", moves[0])
services.ask(teacher, ready.slug, "count", puzzle.position)

for kind in kinds().values():
    own = Puzzle.objects.filter(kind_slug=kind.slug).last()
    if own is None:
        continue
    for name, question in kind.questions.items():
        options = {key: option.read(option.default) for key, option in question.options.items()}
        position = getattr(question, "position", None) or own.position
        if name == "generate" and "many" in options:
            options["many"] = 1
        try:
            services.ask(teacher, kind.slug, name, position, options)
        except Exception as error:
            print("not asked:", kind.slug, name, error)

answered = Counter()
for job in Job.objects.order_by("-pk"):
    which = job.kind_slug, job.question
    if answered[which] < 2:
        answered[which] += 1
        runner.run(job.pk)
kept = Job.objects.filter(state="waiting").values_list("pk", flat=True)[:12]
Job.objects.filter(state="waiting").exclude(pk__in=list(kept)).delete()
print(Counter(Job.objects.values_list("state", flat=True)))
"""

RELEASES = {"before-1.0": ("cc228763", FILL_BEFORE_1_0)}


def make(release: str) -> Path:
    """Make the version's backup and return its path."""
    commit, fill = RELEASES[release]
    target = Path(__file__).with_name(f"{release}.jsonl.gz")
    with tempfile.TemporaryDirectory() as folder:
        code, var = Path(folder, "code"), Path(folder, "var")
        subprocess.run(("git", "clone", "--quiet", ROOT, code), check=True)
        subprocess.run(("git", "checkout", "--quiet", commit), cwd=code, check=True)
        settings = {"VAR_DIR": str(var), "REDIS_URL": "redis://127.0.0.1:1"}
        environment = os.environ | settings | {"DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
        for command in (
            ("manage.py", "migrate", "--verbosity", "0"),
            ("-c", f"import django; django.setup()\n{fill}"),
            ("manage.py", "backup", str(target)),
        ):
            subprocess.run((sys.executable, *command), cwd=code, env=environment, check=True)
    return target


if __name__ == "__main__":
    for name in sys.argv[1:] or RELEASES:
        print(make(name))
