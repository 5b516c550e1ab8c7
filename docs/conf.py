"""The configuration with which Sphinx builds the documentation (`make docs`).

Nothing is fetched from elsewhere. The site's help is written once, in `puzzleclass/help/` and the
`help/` of each translation, and this module copies it to `_help/`.
"""

from pathlib import Path

DOCS = Path(__file__).resolve().parent
SITE = DOCS.parent / "puzzleclass"

project = "PuzzleClass"
author = "PuzzleClass"
html_title = "PuzzleClass"
html_theme = "furo"
html_copy_source = False
html_show_copyright = False

extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["_site"]
nitpicky = True


def setup(app: object) -> None:
    """Copy the help before Sphinx collects its files."""
    (DOCS / "_help").mkdir(exist_ok=True)
    for path in (*SITE.glob("help/*.md"), *SITE.glob("locale/*/help/*.md")):
        text = path.read_text(encoding="utf-8").replace("../../../../static/", "../../static/")
        language = "en" if path.parent.parent == SITE else path.parents[1].name
        (DOCS / "_help" / f"{path.stem}-{language}.md").write_text(text, encoding="utf-8")
