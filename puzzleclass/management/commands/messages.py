"""`manage.py messages`: collect the texts for translation; `--compile` only compiles.

Done with Babel in pure Python, so that no gettext tools need be installed.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.core.management.base import BaseCommand
from django.utils.translation.template import templatize

from solvers.message import MARKERS

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ("puzzleclass", "solvers", "templates")
PO = ROOT / "puzzleclass" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
MO = PO.with_suffix(".mo")

KEYWORDS: dict[str, tuple[int, ...] | tuple[tuple[int, str], int] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    **dict.fromkeys(MARKERS),
}


class Command(BaseCommand):
    help = "Bring the Japanese catalogue up to date with the sources, or compile it."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile")

    def handle(self, *args: object, **options: object) -> None:
        if not options["compile"]:
            merge()
            for text in untranslated():
                self.stdout.write(f"not translated: {text}")
        compile_catalogue()


def texts() -> Iterator[tuple[Path, int, str | tuple[str, ...], str | None]]:
    """Yield every marked text: file, line, text (or singular and plural), context."""
    for top in SOURCES:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix == ".py":
                source = path.read_bytes()
            elif path.suffix == ".html":
                # Django turns a template into something that reads like Python, but for
                # the indentation.
                lines = templatize(path.read_text(), origin=str(path)).splitlines()
                source = "\n".join(line.strip() for line in lines).encode()
            else:
                continue
            found = extract("python", BytesIO(source), keywords=KEYWORDS, strip_comment_tags=True)
            for line, text, _comments, context in found:
                yield path, line, text, context


def collected() -> Catalog:
    """Return the texts as they stand in the sources, none of them translated."""
    catalog = Catalog(locale="ja", project="PuzzleClass", charset="utf-8")
    for path, _line, text, context in texts():
        # No line numbers: they would change with every edit elsewhere in the file.
        where = [(path.relative_to(ROOT).as_posix(), None)]
        catalog.add(text, locations=where, context=context)
    return catalog


def stored() -> Catalog:
    """Return the Japanese catalogue as it is kept."""
    with PO.open("rb") as file:
        return read_po(file, locale="ja")


def merge() -> Catalog:
    """Bring the sources' texts into the kept catalogue, drop those that are gone, and write it."""
    catalog = stored()
    catalog.update(collected(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    with PO.open("wb") as file:
        write_po(file, catalog, width=100, sort_output=True, ignore_obsolete=True)
    return catalog


def compile_catalogue() -> None:
    """Write the compiled catalogue that Django reads, when it is older than its source."""
    if MO.exists() and MO.stat().st_mtime >= PO.stat().st_mtime:
        return
    fresh = MO.with_suffix(".new")
    with fresh.open("wb") as file:
        write_mo(file, stored())
    fresh.replace(MO)


def untranslated() -> list[str]:
    """Return the texts of the sources without a Japanese entry, or with a doubtful one."""
    kept = stored()
    missing = []
    for message in collected():
        if not message.id:
            continue
        entry = kept.get(message.id, message.context)
        done = entry is not None and not entry.fuzzy and entry.string
        if not done or (isinstance(entry.string, tuple) and not all(entry.string)):
            missing.append(str(message.id))
    return missing
