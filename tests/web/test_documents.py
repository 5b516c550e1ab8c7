"""The documents agree with the program: labels, pictures, tables, pinned packages."""

import re
from pathlib import Path

from docs import data_model

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


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
