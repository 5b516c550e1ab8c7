"""What the first start of a site creates: the database, the secret and the static files.

Django needs a quarter of a minute for all migrations. Therefore the folder is kept beside the
environment, and made again only when a file that goes into it has changed. The tests of the first
start itself, and of releases' databases, do not use it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).resolve().parents[1]
KEPT = Path(sys.prefix) / "prepared"
SOURCES = (
    "requirements.txt",
    "puzzleclass/*/migrations/*.py",
    "puzzleclass/storage/*.py",
    "static/**/*",
    "solvers/*/static/**/*",
)
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


def _kept() -> Path:
    made_from, folder = KEPT / "made-from", KEPT / "var"
    wanted = _digest()
    if not made_from.exists() or made_from.read_text() != wanted:
        shutil.rmtree(KEPT, ignore_errors=True)
        settings = {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "puzzleclass.settings"}
        unset = {"DATABASE_URL", "REDIS_URL"}
        inherited = {name: value for name, value in os.environ.items() if name not in unset}
        command = (sys.executable, "-c", PREPARE)
        subprocess.run(
            command, cwd=ROOT, env=inherited | settings, stdout=subprocess.DEVNULL, check=True
        )
        made_from.write_text(wanted)
    return folder


def _digest() -> str:
    total = hashlib.sha256(sys.version.encode())
    for pattern in SOURCES:
        for path in sorted(path for path in ROOT.glob(pattern) if path.is_file()):
            total.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return total.hexdigest()


if __name__ == "__main__":
    with FileLock(f"{KEPT}.lock"):
        _kept()
