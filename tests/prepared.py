"""What many tests begin with: what the first start of a site creates, and a release's old database.

Django needs a quarter of a minute for all migrations. Therefore both are kept beside the
environment, and made again only when a file that goes into them has changed. The tests of the first
start itself do not use them.
"""

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).resolve().parents[1]
KEPT, UPGRADED = Path(sys.prefix) / "prepared", Path(sys.prefix) / "upgraded"
SOURCES = (
    "requirements.txt",
    "puzzleclass/*/migrations/*.py",
    "puzzleclass/storage/*.py",
    "static/**/*",
    "solvers/*/static/**/*",
)
CODE = ("requirements.txt", "puzzleclass/**/*.py", "solvers/**/*.py")
"""What can change how the data of an old database are migrated."""
PREPARE = """
import django
django.setup()
from puzzleclass.operations.management.commands.run import Command
Command().prepare()
"""


def copy_to(folder: Path) -> None:
    """Create the folder as the first start of a site creates it."""
    with FileLock(f"{KEPT}.lock"):
        shutil.copytree(_kept(), folder)


def copy_database_to(path: Path) -> None:
    """Create an SQLite database as `migrate` leaves it."""
    with FileLock(f"{KEPT}.lock"):
        shutil.copyfile(_kept() / "puzzleclass.sqlite3", path)


def copy_upgraded_to(path: Path, release: Path) -> None:
    """Create a copy of a release's database, which `tests/releases` stores packed, with today's
    tables."""
    with FileLock(f"{UPGRADED}.lock"):
        shutil.copyfile(_upgraded(release) / "puzzleclass.sqlite3", path)


def _kept() -> Path:
    return _made(KEPT, _digest(SOURCES), lambda folder: _run(folder, "-c", PREPARE))


def _upgraded(release: Path) -> Path:
    packed = release.read_bytes()

    def upgrade(folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "puzzleclass.sqlite3").write_bytes(gzip.decompress(packed))
        _run(folder, "manage.py", "migrate", "--no-input", "--verbosity", "0")

    made_from = _digest(CODE) + hashlib.sha256(packed).hexdigest()
    return _made(UPGRADED / release.name, made_from, upgrade)


def _made(home: Path, wanted: str, make: Callable[[Path], None]) -> Path:
    """Return the folder `var` in the home, made anew if it was not made from what is wanted."""
    made_from, folder = home / "made-from", home / "var"
    if not made_from.exists() or made_from.read_text() != wanted:
        shutil.rmtree(home, ignore_errors=True)
        make(folder)
        made_from.write_text(wanted)
    return folder


def _run(folder: Path, *arguments: str) -> None:
    """Run Python with the settings of a site in the folder."""
    settings = {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
    unset = {"DATABASE_URL", "REDIS_URL"}
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    command = (sys.executable, *arguments)
    subprocess.run(
        command, cwd=ROOT, env=inherited | settings, stdout=subprocess.DEVNULL, check=True
    )


def _digest(patterns: tuple[str, ...]) -> str:
    total = hashlib.sha256(sys.version.encode())
    for pattern in patterns:
        for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
            total.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return total.hexdigest()


if __name__ == "__main__":
    with FileLock(f"{KEPT}.lock"):
        _kept()
