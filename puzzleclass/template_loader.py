"""How templates are read."""

import re

from django.template import Origin
from django.template.loaders import filesystem


class Loader(filesystem.Loader):
    """Leaves the indentation out, which is for those who read the templates, not the pages."""

    def get_contents(self, origin: Origin) -> str:
        """Return the template with lines that begin at their first sign."""
        return re.sub(r"\n\s+", "\n", super().get_contents(origin))
