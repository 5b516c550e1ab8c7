"""`python -m bench.studies [NAME ...]`: compute the pages' figures anew and store them.

Without names, all figures are computed. That takes an hour and up to 5 GB of memory.
"""

import importlib
import sys
import time

from puzzleclass.studies.figures import FigureRun, store

NAMES = ("goishi_census", "goishi", "kikazu", "maxstrings", "printed", "results", "tonari")
"""The modules that compute figures, each with a function `figures`."""


def main(names: list[str]) -> None:
    """Compute and store the figures, or exit with a message if a name is unknown."""
    for name in names or NAMES:
        if name not in NAMES:
            sys.exit(f"There are figures called {', '.join(NAMES)}, but not {name}.")
        began = time.monotonic()
        figures = importlib.import_module(f"bench.studies.{name}").figures()
        store(figures, FigureRun.of(f"python -m bench.studies {name}", time.monotonic() - began))


if __name__ == "__main__":
    main(sys.argv[1:])
