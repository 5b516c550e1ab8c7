"""Every document can be reached from the first page."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


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
