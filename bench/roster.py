"""What the import of a OneRoster roster costs.

    python -m bench.roster [--people 20000]

It makes a roster of schools with classes of 35 students and imports it by `manage.py roster` into
an empty database, each step in a process of its own. It prints processor time, because other
programs may be running, and the most memory that the process had at a time.
"""

import argparse
import csv
import io
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bench.timing import table

ROOT = Path(__file__).resolve().parents[1]
SIZE, CLASSES = 35, 27
"""The students of a class, and the classes of a school."""
STEPS = {
    "a dry run": ["{file}", "--dry-run"],
    "the import": ["{file}"],
    "the same file again, which changes nothing": ["{file}"],
    "undoing the import": ["--undo"],
}
HEADS = {
    "orgs": "sourcedId,name,type",
    "classes": "sourcedId,title,grades,classType,schoolSourcedId",
    "users": "sourcedId,enabledUser,username,givenName,familyName,primaryOrgSourcedId",
    "roles": "sourcedId,userSourcedId,roleType,role,orgSourcedId",
    "enrollments": (
        "sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role,metadata.jp.shussekiNo"
    ),
}


def people_of(count: int) -> Iterator[tuple[int, int, int]]:
    """Yield the school, the class and the number of each student."""
    for index in range(count):
        place, number = divmod(index, SIZE)
        yield place // CLASSES, place, number + 1


def write_roster(path: Path, count: int) -> None:
    """Write a roster of so many students."""
    rows: dict[str, list[list[object]]] = {name: [head.split(",")] for name, head in HEADS.items()}
    for school, place, number in people_of(count):
        org, key, person = f"org-{school:04}", f"class-{place:06}", f"person-{place:06}-{number:02}"
        if number == 1:
            if place % CLASSES == 0:
                rows["orgs"].append([org, f"第{school + 1}小学校", "school"])
            grade, room = place % 6 + 1, place % CLASSES // 6 + 1
            rows["classes"].append([key, f"{grade}年{room}組", f"P{grade}", "homeroom", org])
        rows["users"].append([person, "true", person, f"名{number}", f"姓{place % 97}", org])
        rows["roles"].append([f"role-{person}", person, "primary", "student", org])
        rows["enrollments"].append([f"in-{person}", key, org, person, "student", number])
    modes = [[f"file.{name}", "bulk"] for name in rows]
    rows["manifest"] = [
        ["propertyName", "value"], ["manifest.version", "1.0"], ["oneroster.version", "1.2_JP"],
        ["source.systemCode", "bench"], *modes,
    ]  # fmt: skip
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in rows.items():
            text = io.StringIO()
            csv.writer(text).writerows(lines)
            archive.writestr(f"{name}.csv", text.getvalue())


def cost_of(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run `manage.py` and return its processor time in seconds and its peak memory in MB."""
    with subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    ) as started:
        _pid, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"manage.py {' '.join(command)} has failed.")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.roster", description=__doc__)
    parser.add_argument("--people", type=int, default=20_000)
    people = parser.parse_args().people
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"VAR_DIR": folder}
        file = Path(folder) / "roster.zip"
        write_roster(file, people)
        cost_of(["migrate"], environment)
        rows = []
        for name, command in STEPS.items():
            seconds, peak = cost_of(
                ["roster", *(each.format(file=file) for each in command)], environment
            )
            rows.append([name, f"{seconds:.1f} s", f"{peak:.0f} MB"])
    print(table([f"{people:,} students", "processor time", "peak memory"], rows))


if __name__ == "__main__":
    main()
