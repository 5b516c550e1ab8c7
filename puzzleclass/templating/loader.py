"""Load the site's templates without the indents of their lines, which are a twentieth of a page."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENT = re.compile(r"\n[ \t\n]+")


class Loader(filesystem.Loader):
    """A loader of the templates in the folders of the settings. They have no literal `<pre>` of
    several lines, and no translated text that is not trimmed."""

    def get_contents(self, origin: Origin) -> str:
        """Return the template without indents and empty lines."""
        return _INDENT.sub("\n", super().get_contents(origin))
