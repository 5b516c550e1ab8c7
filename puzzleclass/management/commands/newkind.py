"""`manage.py newkind NAME`: begin a puzzle kind as a copy of a template that runs as it is."""

import re
import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from solvers.registry import ENTRY_POINTS, kinds

SOLVERS = Path(__file__).resolve().parents[3] / "solvers"

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
{name} = ["*.toml", "static/*", "locale/*/*/*"]
"""


class Command(BaseCommand):
    help = "Begin a new puzzle kind: a copy of a template, in a folder of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="small letters and digits, such as lightsout")
        parser.add_argument(
            "--placement",
            action="store_true",
            help="a solution is what stands on the board, not the order of the moves",
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
        template = "_template_placement" if options["placement"] else "_template_sequence"
        home = Path(options["folder"] or SOLVERS) / name
        if home.exists():
            raise CommandError(f"{home} is there already.")
        module = name if options["folder"] else f"solvers.{name}"
        try:
            shutil.copytree(
                SOLVERS / template, home, ignore=shutil.ignore_patterns("__pycache__", "*.mo")
            )
            for path in home.rglob("*.*"):
                path.write_text(_renamed(path.read_text(), template, module, name))
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
        self.stdout.write(f"What is still missing: pytest tests/solvers/test_contract.py -k {name}")
        self.stdout.write("Its texts in Japanese: manage.py messages")


def _renamed(text: str, template: str, module: str, name: str) -> str:
    """Return a file of the template as a file of the new kind."""
    text = text.replace(f"solvers.{template}", module).replace(f"solvers/{template}", name)
    text = re.sub(r'slug = "\w+"', f'slug = "{name}"', text)
    return re.sub(r"\b(Template|Queens)(?=\b|Editor)", name.title(), text)
