"""`manage.py newkind NAME`: begin a puzzle kind as a copy of a template that already runs."""

import keyword
import re
import shutil
import sys
from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from solvers.registry import ENTRY_POINTS, kinds

SOLVERS = Path(__file__).resolve().parents[4] / "solvers"

PYPROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "puzzleclass-{name}"
version = "0.1"

[project.entry-points."{group}"]
{name} = "{name}"

[tool.setuptools]
packages = ["{name}"]

[tool.setuptools.package-data]
{name} = ["*.toml", "static/*", "locale/*.txt", "locale/*/*/*"]
"""


class Command(BaseCommand):
    help = "Begin a new puzzle kind: a copy of a template, in a folder of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="small letters and digits, such as lightsout")
        template = parser.add_mutually_exclusive_group()
        template.add_argument(
            "--placement",
            action="store_true",
            help="a solution is what stands on the board, not the order of the moves",
        )
        template.add_argument(
            "--moves", action="store_true", help="pieces move from one cell to another"
        )
        parser.add_argument(
            "--folder", help="where a package of its own is to be made; else in solvers/"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if not re.fullmatch("[a-z][a-z0-9]{1,19}", name):
            raise CommandError(f"“{name}” is no name for a kind: use small letters and digits.")
        if name in kinds():
            raise CommandError(f"There is a kind “{name}” already.")
        chosen = next((name for name in ("placement", "moves") if options[name]), "sequence")
        template = f"_template_{chosen}"
        home = Path(options["folder"] or SOLVERS) / name
        module = name if options["folder"] else f"solvers.{name}"
        if name in sys.stdlib_module_names or keyword.iskeyword(name):
            raise CommandError(f"“{name}” is a name of Python's own. Choose another one.")
        if find_spec(module):
            raise CommandError(f"There is a module “{module}” already. Choose another name.")
        written = [home, *([home.parent / "pyproject.toml"] if options["folder"] else [])]
        for path in written:
            if path.exists():
                raise CommandError(f"{path} is there already. Nothing was written.")
        try:
            shutil.copytree(
                SOLVERS / template, home, ignore=shutil.ignore_patterns("__pycache__", "*.mo")
            )
            for path in home.rglob("*.*"):
                path.write_text(_renamed(path.read_text("utf-8"), template, module, name), "utf-8")
            if options["folder"]:
                text = PYPROJECT.format(name=name, group=ENTRY_POINTS)
                (home.parent / "pyproject.toml").write_text(text)
        except OSError as error:
            raise CommandError(f"{home} can't be written: {error}") from error
        self.stdout.write(f"Made {home}. It runs as it is; now change one thing after another.")
        if options["folder"]:
            self.stdout.write(
                f"Install it (pip install -e {home.parent}), or name it: PUZZLE_KINDS={name}"
            )
        self.stdout.write(f"What is still missing: pytest --kind {module}")
        self.stdout.write("Its translations: manage.py messages")


def _renamed(text: str, template: str, module: str, name: str) -> str:
    """Return the text of a template's file as that of the new kind."""
    text = text.replace(f"solvers.{template}", module).replace(f"solvers/{template}", name)
    text = re.sub(r'slug = "\w+"', f'slug = "{name}"', text)
    return re.sub(r"\b(Template|Queens|Pegs)(?=\b|Editor)", name.title(), text)
