"""The configuration with which Sphinx builds the documentation (`make docs`).

Nothing is fetched from elsewhere. The reference comes from the docstrings of the solvers. The help
of the site is written once, in `puzzleclass/help/` and the `help/` of each translation, and this
module copies it to `_help/`. It also writes the page of the data model to `_generated/`.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
SITE = DOCS.parent / "puzzleclass"
sys.path.insert(0, str(DOCS.parent))

from solvers import __version__  # noqa: E402

project = "PuzzleClass"
release = __version__
author = "PuzzleClass"
html_title = f"PuzzleClass {release}"
html_theme = "furo"
html_copy_source = False
html_show_copyright = False

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
exclude_patterns = ["_site"]
nitpicky = True
# The reference names types of Python and NumPy, which have no page here.
nitpick_ignore_regex = [("py:.*", ".*")]
autodoc_default_options = {"members": True, "member-order": "bysource"}
# Backticks in a docstring mark code, as they do in Markdown.
default_role = "code"


def setup(app: object) -> None:
    """Copy the help and write the data model before Sphinx collects its files."""
    from docs.data_model import write

    write(DOCS / "_generated")
    (DOCS / "_help").mkdir(exist_ok=True)
    for path in (*SITE.glob("help/*.md"), *SITE.glob("locale/*/help/*.md")):
        text = path.read_text(encoding="utf-8").replace("../../../../static/", "../../static/")
        language = "en" if path.parent.parent == SITE else path.parents[1].name
        (DOCS / "_help" / f"{path.stem}-{language}.md").write_text(text, encoding="utf-8")
