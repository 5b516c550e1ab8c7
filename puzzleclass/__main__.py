"""The command line of the site: `puzzleclass` where it is installed, `manage.py` in a checkout."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from puzzleclass import __version__


def main() -> None:
    """Run a command of the site.

    Without one, the installed program runs the whole site, and `manage.py` lists the commands.
    """
    if sys.argv[1:] in (["--version"], ["version"]):
        print(f"PuzzleClass {__version__}")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "puzzleclass.settings")
    is_installed = not sys.argv[0].endswith("manage.py")
    try:
        execute_from_command_line(
            [*sys.argv, "run"] if is_installed and not sys.argv[1:] else sys.argv
        )
    except ImproperlyConfigured as error:
        sys.exit(f"PuzzleClass: {error}")


if __name__ == "__main__":
    main()
