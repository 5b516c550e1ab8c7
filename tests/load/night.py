"""A night with the schools of a board while a lesson goes on: `python -m tests.load.night`.

A class signs in and plays. Meanwhile the rosters of all schools are imported again by the worker,
as after a nightly fetch, those who left long ago are deleted by the rules of their schools, and a
backup is made. The program prints how long steps took. Its exit status is not 0 if a step was lost,
or if something of the night was not done.
"""

import argparse
import asyncio
import base64
import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tests.integration.postgres import postgres
from tests.integration.processes import ROOT, Site, wait_for
from tests.load.lesson import Outcome, hold_lesson
from tests.load.school import lesson, make_school
from tests.oneroster import BULK, packed

NIGHT_SECONDS = 600
"""Seconds within which all imports must have ended."""

SCHOOLS = """
import base64, json
from puzzleclass.accounts.models import User
from puzzleclass.classes.school_models import School
from puzzleclass.rosters.uploads import upload
teacher = User.objects.filter(role="teacher").order_by("pk").first()
for name, content in json.load(open({path!r})):
    school, made = School.objects.get_or_create(name=name)
    if made:
        school.administrators.add(teacher)
        school.leavers_kept_months = 1
        school.save()
    upload(school, teacher, "roster.zip", base64.b64decode(content), stores=True)
"""
STATES = """
import json
from django.db.models import Count
from puzzleclass.rosters.models import RosterUpload
rows = RosterUpload.objects.order_by().values_list("state").annotate(Count("pk"))
print(json.dumps(dict(rows)))
"""
LEFT_LONG_AGO = """
from datetime import timedelta
from django.utils import timezone
from puzzleclass.rosters.models import EnrolmentId, UserId
long_ago = timezone.now() - timedelta(days=100)
for model in (UserId, EnrolmentId):
    model.objects.exclude(left_at=None).update(left_at=long_ago)
"""
STUDENTS = """
from puzzleclass.accounts.models import User
print(User.objects.filter(role="student").count())
"""


def roster(school: int, people: int, gone: int = 0) -> bytes:
    """Return the ZIP of a school with so many students, without the first `gone` of them."""
    head = {name: [rows[0]] for name, rows in BULK.items()}
    org, course = f"o{school}", f"k{school}"
    tables = head | {name: [*BULK[name]] for name in ("manifest", "academicSessions")}
    tables["orgs"] = [*head["orgs"], [org, "", "", _name(school), "school", ""]]
    tables["courses"] = [*head["courses"], [course, "ホームルーム", org]]
    rooms = [f"c{school}-{room}" for room in range(people // 40 + 1)]
    lists = [[room, room, "P4", course, "homeroom", org, "t1", ""] for room in rooms]
    tables["classes"] = [*head["classes"], *lists]
    for number in range(gone, people):
        person, room = f"u{school}-{number}", rooms[number // 40]
        names = [f"名{number}", f"姓{number}"]
        user = [person, "true", person, *names, "", "", "", "", org, "メイ", "セイ", room]
        tables["users"].append(user)
        tables["roles"].append([f"r{person}", person, "primary", "student", org])
        place = [f"e{person}", room, org, person, "student", "false", "2026-04-01", ""]
        tables["enrollments"].append([*place, str(number % 40 + 1), "true"])
    return packed(tables)


def _name(school: int) -> str:
    return f"第{school + 1}小学校"


def send_rosters(site: Site, schools: int, people: int, gone: int) -> None:
    """Import the rosters of all schools by the worker, as after a nightly fetch."""
    each = people // schools
    made = [(_name(n), base64.b64encode(roster(n, each, gone)).decode()) for n in range(schools)]
    path = site.folder / "rosters.json"
    path.write_text(json.dumps(made))
    site.manage(SCHOOLS.format(path=str(path)), timeout=NIGHT_SECONDS)


def imported(site: Site) -> None:
    """Wait until all imports have ended. Raises AssertionError if one failed."""

    def states() -> dict[str, int] | None:
        found: dict[str, int] = json.loads(site.manage(STATES))
        return None if {"waiting", "running"} & found.keys() else found

    found = wait_for(states, NIGHT_SECONDS, "the end of the imports")
    assert found.keys() == {"done"}, found


def night(site: Site, schools: int, people: int) -> None:
    """Do what is done in a night: imports, deletions by rule, a backup."""
    began, before = time.monotonic(), int(site.manage(STUDENTS))
    send_rosters(site, schools, people, gone=2)
    for command in (["retention"], ["backup", "--nightly"]):
        at = time.monotonic()
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=site.environment,
            check=True,
            capture_output=True,
        )
        print(f"{command[0]} ended after {time.monotonic() - at:.0f} s", flush=True)
    imported(site)
    deleted = before - int(site.manage(STUDENTS))
    assert deleted == schools, f"{deleted} students were deleted, not one of each school"
    print(f"the whole night took {time.monotonic() - began:.0f} s", flush=True)


def main(arguments: list[str]) -> int:
    """Hold the lesson and the night that the command line describes."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.night", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--schools", type=int, default=12)
    parser.add_argument("--people", type=int, default=20_000, help="in all schools together")
    parser.add_argument("--students", type=int, default=40, help="in the lesson")
    parser.add_argument("--pace", type=float, default=4, help="seconds from step to step")
    parser.add_argument("--seconds", type=float, default=60, help="of steps")
    options = parser.parse_args(arguments)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {}
        if options.database == "postgresql":
            urls["DATABASE_URL"] = stack.enter_context(postgres()).url
        site = Site(folder / "var", folder / "log", **urls)
        stack.enter_context(site).start("--no-demo")
        boards = lesson()
        classes = make_school(site, options.students, boards)
        for gone in (0, 1):
            send_rosters(site, options.schools, options.people, gone)
            imported(site)
        site.manage(LEFT_LONG_AGO)

        async def hold() -> Outcome:
            # The lesson asks the site's console, too.
            beside = stack.enter_context(Site(site.folder, site.log, site.port, **urls))
            held, _ = await asyncio.gather(
                hold_lesson(
                    site,
                    classes,
                    boards,
                    pace=options.pace,
                    seconds=options.seconds,
                    arrival=options.students / 10,
                ),
                asyncio.to_thread(night, beside, options.schools, options.people),
            )
            return held

        outcome = asyncio.run(hold())
        print(outcome.table())
        return int(not outcome.is_whole)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
