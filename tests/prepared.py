"""What many tests begin with: what the first start of a site creates, the data of a PostgreSQL
server, and the database of a small school.

Django needs seconds for all migrations. Therefore each is kept beside the
environment, under a name that tells from which files it was made, and made again only when one of
them has changed. The tests of the first start itself do not use them.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).resolve().parents[1]
KEPT = Path(sys.prefix) / "prepared-for-tests"
MAX_KEPT = 20
"""The most folders that are kept. Branches and work trees that share an environment need some
each."""
TABLES = (
    *("requirements.txt", "puzzleclass/*/migrations/*.py", "puzzleclass/database/*.py"),
    "tests/prepared.py",
)
"""What can change an empty database."""
FIRST_START = (*TABLES, *("puzzleclass/static_files.py", "static/**/*", "solvers/*/static/**/*"))
"""What can change the folder of a first start."""
CODE = ("requirements.txt", "puzzleclass/**/*.py", "solvers/**/*.py")
"""What can change how the data of an earlier version are restored."""
EARLIER = ROOT / "tests" / "releases" / "before-1.0.jsonl.gz"
"""A backup of the last version before 1.0.0, with the data of a small school."""
FEW_TESTS = 20
"""The most test modules that each worker compiles by itself."""
DATABASE = "puzzleclass.sqlite3"
PREPARE = """
import django
django.setup()
from puzzleclass.operations.management.commands.run import Command
Command().prepare()
"""


def copy_to(folder: Path) -> None:
    """Create the folder as the first start of a site creates it."""
    shutil.copytree(_made("start", _digest(FIRST_START), _start), folder)


def copy_database_to(path: Path) -> None:
    """Create an SQLite database as `migrate` leaves it."""
    shutil.copyfile(_made("tables", _digest(TABLES), _migrate) / DATABASE, path)


def copy_school_to(path: Path) -> None:
    """Create a copy of the database of the small school that `EARLIER` has, with today's tables."""

    def restore(folder: Path) -> None:
        copy_database_to(folder / DATABASE)
        _run(folder, "manage.py", "restore", str(EARLIER))
        _forget_key(folder)

    made_from = _digest(CODE, EARLIER.read_bytes())
    shutil.copyfile(_made("school", made_from, restore) / DATABASE, path)


def copy_not_up_to_date_to(path: Path) -> None:
    """Create a copy of the school's database that lacks a migration, as before an update."""
    copy_school_to(path)
    _run(path.parent, "manage.py", "migrate", "--verbosity", "0", "calendars", "zero", at=path)


def postgres_data(program: str, make: Callable[[Path], None]) -> Path:
    """Return the data folder of a stopped PostgreSQL server with our tables in its own database.

    `make` creates it as `data` in the folder that it is given, with the program of this path, which
    names the version. Servers must run on copies.
    """
    return _made("postgres", _digest(TABLES, program.encode()), make) / "data"


def compile_tests() -> None:
    """Let pytest compile the tests if many have changed, as in a fresh clone.

    Otherwise each worker would compile all of them, because all begin at the same moment.
    """
    changed = [path for path in ROOT.glob("tests/**/test_*.py") if not _is_compiled(path)]
    if len(changed) > FEW_TESTS:
        command = (sys.executable, "-m", "pytest", "--collect-only", "-q", *map(str, changed))
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL)


def _is_compiled(test: Path) -> bool:
    """Return whether pytest has compiled the test module since it was last changed."""
    compiled = (test.parent / "__pycache__").glob(f"{test.stem}.*-pytest-*.pyc")
    return any(each.stat().st_mtime >= test.stat().st_mtime for each in compiled)


def _made(what: str, made_from: str, make: Callable[[Path], None]) -> Path:
    """Return the folder that is kept under this name, and make it if it is missing.

    The oldest folders beyond `MAX_KEPT` are deleted.
    """
    home = KEPT / f"{what}-{made_from[:16]}"
    folder = home / "var"
    home.mkdir(parents=True, exist_ok=True)
    with FileLock(home / "lock"):
        if not folder.exists():
            unfinished = home / "unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(mode=0o700)
            make(unfinished)
            unfinished.rename(folder)
            by_age = sorted(KEPT.iterdir(), key=lambda each: each.stat().st_mtime)
            for old in by_age[:-MAX_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
    return folder


def _start(folder: Path) -> None:
    copy_database_to(folder / DATABASE)
    _run(folder, "-c", PREPARE)


def _migrate(folder: Path) -> None:
    _run(folder, "manage.py", "migrate", "--no-input", "--verbosity", "0", "--no-backup")
    _forget_key(folder)


def _forget_key(folder: Path) -> None:
    """Let the tests use the tables with keys of their own."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        database.execute("DELETE FROM operations_keyproof")
        database.commit()


def _run(folder: Path, *arguments: str, at: Path | None = None) -> None:
    """Run Python with the settings of a site in the folder, or with the SQLite database there."""
    settings = {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
    if at:
        settings["DATABASE_URL"] = f"sqlite:///{at}"
    unset = {"DATABASE_URL", "REDIS_URL"}
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    command = (sys.executable, *arguments)
    subprocess.run(
        command, cwd=ROOT, env=inherited | settings, stdout=subprocess.DEVNULL, check=True
    )


def _digest(patterns: tuple[str, ...], more: bytes = b"") -> str:
    total = hashlib.sha256(sys.version.encode() + more)
    for pattern in patterns:
        for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
            total.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return total.hexdigest()


if __name__ == "__main__":
    _made("start", _digest(FIRST_START), _start)
    compile_tests()
