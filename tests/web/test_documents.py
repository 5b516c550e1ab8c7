"""Every document can be reached from the first one, and the threat model names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def test_the_tests_of_the_threat_model_exist():
    """Each role of the model has a test, and each test that is named is there."""
    text = (DOCS / "security.md").read_text(encoding="utf-8")
    model = text.split("## Threat model")[1].split("\n## ")[0]
    rows = [line for line in model.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 12
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
