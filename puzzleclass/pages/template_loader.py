"""The template loader of the site."""

import re

from django.template import Origin
from django.template.loaders import filesystem


class Loader(filesystem.Loader):
    """Loads templates without their indentation, which helps readers of templates, not of pages."""

    def get_contents(self, origin: Origin) -> str:
        """Return the template without indentation and blank lines."""
        return re.sub(r"\n\s+", "\n", super().get_contents(origin))
