"""`manage.py messages`: collect the texts for translation; `--compile` only compiles.

Each language in `LANGUAGES` has its own catalogues. A text that only one kind of this project has
is in the catalogue in the kind's folder. All other texts are in the catalogue of the site. A kind
outside the project keeps all its texts and readings in its own folder, even those that the project
has, too, and nothing of it gets into the project's files. The command uses Babel, which is pure
Python, so no gettext tools need be installed.
"""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django import conf
from django.core.management.base import BaseCommand
from django.utils.translation import to_language, to_locale
from django.utils.translation.template import templatize

from puzzleclass.language import furigana
from puzzleclass.language.languages import TRAITS, translated
from solvers.message import MARKERS
from solvers.registry import TEMPLATES, AnyKind, folder, kinds, load
from solvers.rule_tables.ready import TABLES, read_kind

ROOT = Path(__file__).resolve().parents[4]
SOURCES = ("puzzleclass", "solvers", "templates")
SITE = ROOT / "puzzleclass"
DJANGO = Path(conf.__file__).parent
MAX_LISTED = 20
"""The most untranslated texts of a language that are printed. A new language lacks all of them."""

FORM_MESSAGES = (
    "This field is required.",
    "Enter a whole number.",
    "Ensure this value is less than or equal to %(limit_value)s.",
    "Ensure this value is greater than or equal to %(limit_value)s.",
    "Select a valid choice. That choice is not one of the available choices.",
    "Select a valid choice. %(value)s is not one of the available choices.",
    "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
)
"""Django's own form messages. Students read them, so they need furigana."""

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


class MarkedText(NamedTuple):
    """A marked text of the sources."""

    id: str | tuple[str, ...]
    """The text, or singular and plural."""
    context: str | None


Collected = dict[Path, dict[MarkedText, list[str]]]
"""Folder -> the texts that belong to its catalogues -> the sources of each text."""


class Command(BaseCommand):
    help = "Bring the catalogues up to date with the sources, or compile them."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--compile", action="store_true", help="only compile")

    def handle(self, *args: object, **options: object) -> None:
        if not options["compile"]:
            sources = collected()
            for language in translated():
                for home, catalog in merged(sources, language).items():
                    with self._reporting(home):
                        write(home, language, catalog)
                missing = untranslated(sources, language)
                for text in missing[:MAX_LISTED]:
                    self.stdout.write(f"{language}: not translated: {text}")
                if len(missing) > MAX_LISTED:
                    self.stdout.write(f"{language}: {len(missing)} texts are not translated")
            for text in without_reading():
                self.stdout.write(f"no reading: {text}")
        for home in (SITE, *kind_folders()):
            with self._reporting(home):
                compile_catalogues(home)

    @contextmanager
    def _reporting(self, home: Path) -> Iterator[None]:
        """Report the folder of a kind outside the project that can't be written, and continue with
        the others."""
        try:
            yield
        except OSError as error:
            if not is_outside(home):
                raise
            self.stderr.write(f"{home}: {error}")


def kind_folders() -> list[Path]:
    """Return the folders with a catalogue of their own, one for each kind."""
    every: list[AnyKind] = [*kinds().values(), *map(load, TEMPLATES)]
    return [folder(kind) for kind in every if kind.contents is None]


def is_outside(home: Path) -> bool:
    """Return whether the folder is that of a kind outside this project."""
    return not any(home.is_relative_to(ROOT / top) for top in SOURCES)


def catalogue(home: Path, language: str) -> Path:
    """Return the path of a folder's catalogue in the language."""
    return home / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"


def texts(tops: Iterable[Path]) -> Iterator[tuple[Path, MarkedText]]:
    """Yield every marked text of the sources in the folders, with its source."""
    for top in tops:
        for path in sorted(top.rglob("*")):
            if path.suffix == ".py":
                source = path.read_bytes()
            elif path.suffix == ".html":
                # Django turns a template into text that reads like Python, except for the
                # indentation.
                lines = templatize(path.read_text("utf-8"), origin=str(path)).splitlines()
                source = "\n".join(line.strip() for line in lines).encode()
            elif path.parent == TABLES:
                yield path, MarkedText(read_kind(path).title, None)
                continue
            else:
                continue
            extracted = extract(
                "python", BytesIO(source), keywords=KEYWORDS, strip_comment_tags=True
            )
            for _line, text, _comments, context in extracted:
                yield path, MarkedText(text, context)


def collected() -> Collected:
    """Return the texts of the site and of all kinds."""
    homes = kind_folders()
    ours = [home for home in homes if not is_outside(home)]
    by_home = _sorted_by_home(ROOT, [ROOT / top for top in SOURCES], SITE, ours)
    for home in homes:
        if is_outside(home):
            by_home |= _sorted_by_home(home, [home], home, [])
    return by_home


def _sorted_by_home(base: Path, tops: list[Path], common: Path, homes: list[Path]) -> Collected:
    """Return the texts of the folders. A text that occurs in only one of the homes belongs to that
    home, any other text to the common folder. Source paths are relative to `base`."""
    places: dict[MarkedText, dict[Path, None]] = {}
    for path, text in texts(tops):
        places.setdefault(text, {})[path] = None
    by_home: Collected = {home: {} for home in (common, *homes)}
    for text, paths in places.items():
        owners = {next((h for h in homes if path.is_relative_to(h)), common) for path in paths}
        home = owners.pop() if len(owners) == 1 else common
        by_home[home][text] = [path.relative_to(base).as_posix() for path in paths]
    return by_home


def _empty(language: str) -> Catalog:
    return Catalog(locale=to_locale(language), project="PuzzleClass", charset="utf-8")


def untouched(texts: dict[MarkedText, list[str]], language: str) -> Catalog:
    """Return a catalogue in which none of the texts is translated."""
    catalog = _empty(language)
    for text, sources in texts.items():
        # Line numbers are left out, because they would change with every edit elsewhere in the
        # file.
        where = [(source, None) for source in sources]
        catalog.add(text.id, locations=where, context=text.context)  # type: ignore[arg-type]
    return catalog


def stored(home: Path, language: str) -> Catalog:
    """Return the catalogue that is stored in the folder; an empty one if there is none."""
    path = catalogue(home, language)
    if not path.exists():
        return _empty(language)
    with path.open("rb") as file:
        return read_po(file, locale=to_locale(language))


def merged(sources: Collected, language: str) -> dict[Path, Catalog]:
    """Return folder -> catalogue of the current texts with their translations.

    A text that has moved to another folder takes its translation with it.
    """
    fresh = {home: untouched(texts, language) for home, texts in sources.items()}
    catalogs = {home: stored(home, language) for home in fresh}
    for home, catalog in fresh.items():
        for entry in catalog:
            old = next(
                (was for was in (_entry(catalogs[h], entry) for h in (home, *catalogs)) if was),
                None,
            )
            if entry.id and old:
                entry.string, entry.flags = old.string, old.flags | entry.flags
                entry.user_comments = old.user_comments
        like = catalogs[home] if is_outside(home) and len(catalogs[home]) else catalogs[SITE]
        catalog.mime_headers = like.mime_headers
        catalog.header_comment = like.header_comment
    return fresh


def write(home: Path, language: str, catalog: Catalog) -> None:
    """Store the catalogue in the folder unless it has no texts. Raises OSError."""
    if len(catalog) == 0:
        return
    path = catalogue(home, language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalog.fuzzy = False
    for entry in catalog:
        # A test compares the fields of all texts, so the catalogue need not mark texts with fields.
        entry.flags &= {"fuzzy"}
    with path.open("wb") as file:
        # One line for a text and no places: a change touches only the lines of its own texts.
        write_po(file, catalog, width=0, no_location=True, sort_output=True, ignore_obsolete=True)


def _entry(catalog: Catalog, like: Entry) -> Entry | None:
    """Return the translated entry of the same text in a catalogue; None when there is none."""
    similar = catalog.get(like.id, like.context) if like.id else None
    return similar if similar and _is_done(similar) else None


def _translations(entry: Entry) -> tuple[str, ...]:
    """Return the translation, or the translations of singular and plural."""
    text = entry.string
    return (text or "",) if isinstance(text, str) or text is None else tuple(text)


def _is_done(entry: Entry) -> bool:
    strings = entry.string if isinstance(entry.string, tuple) else (entry.string,)
    return not entry.fuzzy and all(strings)


def compile_catalogues(home: Path) -> None:
    """Write the compiled catalogues of a folder for Django when they are older than their sources.

    Each language in the folder gets one, and another one if it has readings. Raises OSError.
    """
    for source in home.glob(str(catalogue(Path(), "*"))):
        language = to_language(source.parents[1].name)
        _compile(home, language, source.with_suffix(".mo"), source)
        if readings := _readings(language):
            compiled = catalogue(home, readings).with_suffix(".mo")
            _compile(home, language, compiled, source, *furigana.readings_for(home))


def _readings(language: str) -> str:
    """Return the variant of the language that carries readings, an empty string if it has none."""
    return TRAITS[language].readings if language in TRAITS else ""


def _compile(home: Path, language: str, compiled: Path, *sources: Path) -> None:
    newest = max(source.stat().st_mtime for source in sources)
    if compiled.exists() and compiled.stat().st_mtime >= newest:
        return
    catalog = stored(home, language)
    if len(sources) > 1:
        if home == SITE:
            for entry in form_messages(language):
                catalog.add(entry.id, entry.string)
        for entry in catalog:
            if entry.id:
                marked = tuple(furigana.annotated(text, home) for text in _translations(entry))
                entry.string = marked if isinstance(entry.id, (list, tuple)) else marked[0]
    compiled.parent.mkdir(parents=True, exist_ok=True)
    fresh = compiled.with_suffix(".new")
    with fresh.open("wb") as file:
        write_mo(file, catalog)
    fresh.replace(compiled)


def form_messages(language: str) -> list[Entry]:
    """Return the entries of Django's own catalogue that students may read in a form."""
    catalog = stored(DJANGO, language)
    return [entry for text in FORM_MESSAGES if (entry := catalog.get(text)) is not None]


def without_reading() -> list[str]:
    """Return the texts for students that have a word without a reading, each with that word and
    the list in which its reading is missing. Only languages that have readings are searched."""
    sources = collected()
    for_students = {
        (home, text)
        for language in filter(_readings, translated())
        for home, entry in _for_students(sources, language)
        for text in _translations(entry)
    }
    return [
        f"{word}: {text} ({_readings_list(home)})"
        for home, text in sorted(for_students)
        for word in furigana.kanji_without_reading(text, home)
    ]


def _for_students(sources: Collected, language: str) -> Iterator[tuple[Path, Entry]]:
    """Yield the entries that are shown to students, each with the folder whose readings apply."""
    for home, catalog in merged(sources, language).items():
        for entry in catalog:
            if entry.id and any(_is_for_students(home, path) for path, _line in entry.locations):
                yield home, entry
    for entry in form_messages(language):
        yield SITE, entry


def _readings_list(home: Path) -> Path:
    """Return the list to which a reading for a text of the folder belongs."""
    return home / furigana.KIND_READINGS if is_outside(home) else furigana.READINGS


def _is_for_students(home: Path, path: str) -> bool:
    """Return whether students are shown the texts of a source. `path` is the source's path as the
    catalogue names it."""
    name = f"solvers/{home.name}/{path}" if is_outside(home) else path
    return furigana.SOURCES.match(name) is not None


def untranslated(sources: Collected, language: str) -> list[str]:
    """Return the texts that have no translation into the language or a fuzzy one."""
    return [
        str(text.id)
        for home, texts in sources.items()
        for catalog in [stored(home, language)]
        for text in texts
        if not ((entry := catalog.get(text.id, text.context)) and _is_done(entry))
    ]
