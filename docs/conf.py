"""The configuration with which Sphinx builds the documentation (`make docs`).

Nothing is fetched from elsewhere. The texts of the site's help are written once, in
`puzzleclass/pages/guides.py`, and this module makes the pages in `_help/` from them.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

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
    """Write the pages of the help before Sphinx collects its files."""
    import django
    from django.conf import settings

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")
    django.setup()
    (DOCS / "_help").mkdir(exist_ok=True)
    for language in dict(settings.LANGUAGES):
        text = "\n\n".join(help_page(language))
        (DOCS / "_help" / f"{language}.md").write_text(f"{text}\n", encoding="utf-8")


def help_page(language: str) -> Iterator[str]:
    """Yield the paragraphs of the help in the language."""
    from django.utils import translation
    from django.utils.translation import gettext as _

    from puzzleclass.pages.guides import STUDENT_HELP, TEACHER_HELP

    with translation.override(language):
        yield f"# {_('Help')}"
        for heading, guides in (
            (_("For teachers"), TEACHER_HELP),
            (_("For students"), STUDENT_HELP),
        ):
            yield f"## {heading}"
            for guide in guides:
                yield f"### {guide.title}"
                yield str(guide.text)
                if guide.picture:
                    yield f"![{guide.alternative}](../../static/{guide.path(language)})"
