"""The documents agree with the program: labels, pictures, tables, pinned packages."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from docs import data_model
from puzzleclass.operations.management.commands import messages

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
TUTORIAL = {"en": DOCS / "using.md"} | {
    path.name.split(".")[1]: path for path in DOCS.glob("using.*.md")
}
"""Language -> its tutorial."""
QUOTED = {"ja": r"「([^」]+)」"}
"""Language -> how it quotes a label, if not as English does."""


def texts_of_the_site(language: str) -> list[str]:
    """Return every text of the interface in the language."""
    if language == settings.LANGUAGE_CODE:
        return [str(text.id) for text in messages.collected()[messages.SITE]]
    return [str(entry.string) for entry in messages.stored(messages.SITE, language) if entry.id]


@pytest.mark.parametrize("language", TUTORIAL)
def test_the_tutorial_names_buttons_and_links_as_the_site_does(language):
    quoted = QUOTED.get(language, r"“([^”]+)”")
    labels = set(re.findall(quoted, TUTORIAL[language].read_text(encoding="utf-8")))
    assert len(labels) > 20
    known = texts_of_the_site(language)
    assert not {label for label in labels if not any(label in text for text in known)}


def test_all_tutorials_have_the_same_tasks_with_a_picture_each():
    counts = {
        language: [len(re.findall(mark, path.read_text(encoding="utf-8"), re.MULTILINE))
                   for mark in (r"^## ", r"^### ", r"!\[", r"^ *\d\. ")]
        for language, path in TUTORIAL.items()
    }  # fmt: skip
    assert all(count == counts["en"] for count in counts.values())


def test_the_pictures_of_the_tutorial_are_there_and_small():
    for language, path in TUTORIAL.items():
        shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", path.read_text(encoding="utf-8"))
        files = [(DOCS / name).resolve() for name in shown]
        assert all(file.name.endswith(f"-{language}.webp") for file in files)
        assert max(file.stat().st_size for file in files) < 120_000
        assert sum(file.stat().st_size for file in files) < 900_000


def test_the_page_of_the_data_model_is_up_to_date():
    """After a change of the models, run: python -m docs.data_model"""
    for path, text in data_model.files().items():
        assert path.read_text(encoding="utf-8") == text, f"{path} differs from the models"


def listed_in(page: Path) -> set[Path]:
    """Return the pages in a page's tables of contents."""
    tables = re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    names = [name for name in "".join(tables).split("\n") if name and not name.startswith(":")]
    return {path for name in names for path in page.parent.glob(f"{name}.md")}


def test_every_page_can_be_reached_from_the_first():
    reached, waiting = set(), {DOCS / "index.md"}
    while waiting:
        reached |= waiting
        waiting = {path for page in waiting for path in listed_in(page)} - reached
    written = {path for path in DOCS.rglob("*.md") if path.relative_to(DOCS).parts[0] != "_site"}
    assert written == reached
