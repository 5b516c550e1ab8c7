"""Load the site's templates without the space that nobody sees, which is a twentieth of a page."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENT = re.compile(r"\n[ \t\n]+")

_TAG_ALONE = re.compile(
    r"^((?:{% (?:(?:el)?if|else|endif|for|empty|endfor|with|endwith|load)\b[^%\n]*%})+)\n",
    re.MULTILINE,
)
"""A line of tags that write nothing themselves."""


class Loader(filesystem.Loader):
    """A loader of the templates in the folders of the settings. They have no literal `<pre>` of
    several lines, and no translated text that is not trimmed."""

    def get_contents(self, origin: Origin) -> str:
        """Return the template without indents, empty lines, and the ends of lines that would stay
        empty."""
        return _TAG_ALONE.sub(r"\1", _INDENT.sub("\n", super().get_contents(origin)))
