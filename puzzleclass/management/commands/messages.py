"""`manage.py messages`: collect the texts for translation; `--compile` only compiles.

A text that only one kind has lies in the catalogue of the kind's folder, all others in that of
the site. Done with Babel in pure Python, so that no gettext tools need be installed.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django import conf
from django.core.management.base import BaseCommand
from django.utils.translation.template import templatize

from puzzleclass import furigana
from solvers.message import MARKERS
from solvers.registry import AnyKind, folder, kinds, load

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ("puzzleclass", "solvers", "templates")
SITE = ROOT / "puzzleclass"
TEMPLATES = ("solvers._template_sequence", "solvers._template_placement")
WHERE = Path("locale", "ja", "LC_MESSAGES", "django.po")
"""A catalogue, in the folder it belongs to."""
WITH_READINGS = Path("locale", "ja_Hrkt", "LC_MESSAGES", "django.mo")
"""The compiled one in which words carry their readings; see puzzleclass/furigana.py."""

OF_DJANGO = Path(conf.__file__).parent / WHERE
FORM_MESSAGES = (
    "This field is required.",
    "Enter a whole number.",
    "Ensure this value is less than or equal to %(limit_value)s.",
    "Ensure this value is greater than or equal to %(limit_value)s.",
    "Select a valid choice. That choice is not one of the available choices.",
    "Select a valid choice. %(value)s is not one of the available choices.",
    "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
)
"""What Django itself says of a student's input: it needs readings, too."""

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


@dataclass(frozen=True, slots=True)
class Text:
    """A marked text as it stands in a source."""

    path: Path
    line: int
    id: str | tuple[str, ...]
    """The text, or singular and plural."""
    context: str | None


class Command(BaseCommand):
    help = "Bring the Japanese catalogues up to date with the sources, or compile them."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile")

    def handle(self, *args: object, **options: object) -> None:
        if not options["compile"]:
            merge()
            for text in untranslated():
                self.stdout.write(f"not translated: {text}")
            for text in without_reading():
                self.stdout.write(f"no reading in {furigana.READINGS.name}: {text}")
        compile_catalogues()


def kind_folders() -> list[Path]:
    """Return the folders whose texts have a catalogue of their own: one for each kind."""
    every: list[AnyKind] = [*kinds().values(), *map(load, TEMPLATES)]
    return [folder(kind) for kind in every]


def texts() -> Iterator[Text]:
    """Yield every marked text."""
    tops = {ROOT / top for top in SOURCES}
    tops |= {home for home in kind_folders() if not home.is_relative_to(ROOT / "solvers")}
    for top in sorted(tops):
        for path in sorted(top.rglob("*")):
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
                yield Text(path, line, text, context)


def collected() -> dict[Path, Catalog]:
    """Return folder -> the texts that belong into its catalogue, none of them translated."""
    homes = kind_folders()
    found: dict[tuple[str | tuple[str, ...], str | None], dict[Path, None]] = {}
    for text in texts():
        found.setdefault((text.id, text.context), {})[text.path] = None
    catalogs = {
        home: Catalog(locale="ja", project="PuzzleClass", charset="utf-8")
        for home in (SITE, *homes)
    }
    for (id, context), paths in found.items():
        owners = {next((h for h in homes if path.is_relative_to(h)), SITE) for path in paths}
        home = owners.pop() if len(owners) == 1 else SITE
        base = ROOT if home == SITE or home.is_relative_to(ROOT / "solvers") else home
        # No line numbers: they would change with every edit elsewhere in the file.
        where = [(path.relative_to(base).as_posix(), None) for path in paths]
        catalogs[home].add(id, locations=where, context=context)  # type: ignore[arg-type]
    return catalogs


def stored(home: Path) -> Catalog:
    """Return the Japanese catalogue that is kept in the folder, an empty one if there is none."""
    if not (home / WHERE).exists():
        return Catalog(locale="ja", project="PuzzleClass", charset="utf-8")
    with (home / WHERE).open("rb") as file:
        return read_po(file, locale="ja")


def merge() -> None:
    """Bring the sources' texts into the kept catalogues, drop those that are gone.

    A text that has moved to another folder takes its translation with it.
    """
    fresh = collected()
    kept = {home: stored(home) for home in fresh}
    for home, catalog in fresh.items():
        for entry in catalog:
            old = next(
                (was for was in (_entry(kept[h], entry) for h in (home, *kept)) if was), None
            )
            if entry.id and old:
                entry.string, entry.flags = old.string, old.flags | entry.flags
                entry.user_comments = old.user_comments
        catalog.mime_headers = kept[SITE].mime_headers
        catalog.header_comment = kept[SITE].header_comment
        if len(catalog) == 0:
            continue
        (home / WHERE).parent.mkdir(parents=True, exist_ok=True)
        with (home / WHERE).open("wb") as file:
            write_po(file, catalog, width=100, sort_output=True, ignore_obsolete=True)


def _entry(catalog: Catalog, like: Entry) -> Entry | None:
    """Return the translated entry of the same text in a catalogue."""
    found = catalog.get(like.id, like.context) if like.id else None
    return found if found and _is_done(found) else None


def _said(entry: Entry) -> tuple[str, ...]:
    """Return the translation, or those of singular and plural."""
    said = entry.string
    return (said or "",) if isinstance(said, str) or said is None else tuple(said)


def _is_done(entry: Entry) -> bool:
    strings = entry.string if isinstance(entry.string, tuple) else (entry.string,)
    return not entry.fuzzy and all(strings)


def compile_catalogues() -> None:
    """Write the compiled catalogues that Django reads, where they are older than their source."""
    for home in (SITE, *kind_folders()):
        if not (home / WHERE).exists():
            continue
        _compile(home, (home / WHERE).with_suffix(".mo"), home / WHERE)
        _compile(home, home / WITH_READINGS, home / WHERE, furigana.READINGS)


def _compile(home: Path, compiled: Path, *sources: Path) -> None:
    newest = max(source.stat().st_mtime for source in sources)
    if compiled.exists() and compiled.stat().st_mtime >= newest:
        return
    catalog = stored(home)
    if len(sources) > 1:
        if home == SITE:
            for entry in form_messages():
                catalog.add(entry.id, entry.string)
        for entry in catalog:
            if entry.id:
                marked = tuple(map(furigana.annotated, _said(entry)))
                entry.string = marked if isinstance(entry.id, (list, tuple)) else marked[0]
    compiled.parent.mkdir(parents=True, exist_ok=True)
    fresh = compiled.with_suffix(".new")
    with fresh.open("wb") as file:
        write_mo(file, catalog)
    fresh.replace(compiled)


def form_messages() -> list[Entry]:
    """Return the entries of Django's own catalogue that students may read in a form."""
    with OF_DJANGO.open("rb") as file:
        catalog = read_po(file, locale="ja")
    return [entry for said in FORM_MESSAGES if (entry := catalog.get(said)) is not None]


def without_reading() -> list[str]:
    """Return the Japanese texts that students are shown with a word that has no furigana, each
    with such a word."""
    said = {
        text
        for home in (SITE, *kind_folders())
        for entry in stored(home)
        if entry.id and any(furigana.SOURCES.match(path) for path, _line in entry.locations)
        for text in _said(entry)
    } | {text for entry in form_messages() for text in _said(entry)}
    return [f"{word}: {text}" for text in sorted(said) for word in furigana.lacking(text)]


def untranslated() -> list[str]:
    """Return the texts of the sources without a Japanese entry, or with a doubtful one."""
    return [
        str(entry.id)
        for home, catalog in collected().items()
        for kept in [stored(home)]
        for entry in catalog
        if entry.id and _entry(kept, entry) is None
    ]
