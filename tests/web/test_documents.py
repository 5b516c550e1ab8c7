"""Every document can be reached from the first one, and the threat model names tests that exist."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


@pytest.mark.parametrize(
    ("section", "least"), [("Threat model", 12), ("Who has asserted a row", 10)]
)
def test_the_tests_of_the_threat_model_exist(section, least):
    """Each row of the tables has a test, and each test that is named is there."""
    text = (DOCS / "security.md").read_text(encoding="utf-8")
    model = text.split(f"## {section}")[1].split("\n## ")[0]
    rows = [line for line in model.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= least
    for row in rows:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", row)
        assert named, row
        for file, name in named:
            [path] = (ROOT / "tests" / "web").rglob(file)
            source = path.read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\(", source, re.MULTILINE), f"{file}::{name}"


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


JAPANESE = sorted(DOCS.glob("*.ja.md"))


def test_administrators_have_japanese_documents():
    """Each of them and its English one, if it has one, lead to each other."""
    names = {path.name.removesuffix(".ja.md") for path in JAPANESE}
    assert names == {"running", "school", "security", "privacy", "devices", "forms"}
    for name in names - {"devices", "forms"}:
        assert f"[日本語]({name}.ja.md)" in (DOCS / f"{name}.md").read_text(encoding="utf-8")
        assert f"[English]({name}.md)" in (DOCS / f"{name}.ja.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", JAPANESE, ids=lambda path: path.name)
def test_what_a_japanese_document_names_exists(path):
    """Files, settings and commands; every document that names a law or a standard has sources."""
    text = path.read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    assert [target for target in targets if not (DOCS / target).exists()] == []
    settings = (ROOT / "puzzleclass" / "settings.py").read_text(encoding="utf-8")
    known = settings + (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)(?:=\w+)?`", text))
    assert [name for name in named if not re.search(rf"\b{name}\b", known)] == []
    commands = set(re.findall(r"manage\.py (\w+)", text))
    assert commands <= set(get_commands())
    assert "出典" in text or path.name == "running.ja.md"


@pytest.mark.parametrize("path", JAPANESE, ids=lambda path: path.name)
def test_an_administrator_is_always_of_a_school_or_of_the_site(path):
    """The owner of a class is 主担当, and 管理者 alone could be anybody."""
    alone = r".*(?<!学校の)(?<!サイトの)管理者.*"
    assert re.findall(alone, path.read_text(encoding="utf-8")) == []


def test_the_labels_that_the_page_about_schools_quotes_are_those_of_the_interface():
    catalogue = (ROOT / "puzzleclass/locale/ja/LC_MESSAGES/django.po").read_text(encoding="utf-8")
    labels = re.findall(r"「([^」]+)", (DOCS / "school.ja.md").read_text(encoding="utf-8"))
    assert len(labels) > 20
    assert [label for label in labels if label not in catalogue] == []


def test_the_files_of_the_map_exist():
    """The map names only what the names of the modules do not tell, so it stays short."""
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (?!change |--).*", text.split("## Where a change belongs")[1], re.MULTILINE
    )
    assert 10 < len(rows) <= 30
    for row in rows:
        for name in re.findall(r"`([\w./-]+\.\w+|[\w./-]+/)`", row):
            if "/" in name or name.isupper():
                assert any((ROOT / folder / name).exists() for folder in ("", "puzzleclass")), row
