"""`python -m bench.learn [NAME ...]`: compute the pages' figures anew and store them.

Without names all of them, in a quarter of an hour. It takes 5 GB of memory at most.
"""

import importlib
import sys
import time

from puzzleclass.learn.figures import Run, store

NAMES = ("goishi_census", "goishi", "kikazu", "maxstrings", "tonari")
"""Modules, each with a function `figures`."""


def main(names: list[str]) -> None:
    """Compute and store; ends with a message for a name there is not."""
    for name in names or NAMES:
        if name not in NAMES:
            sys.exit(f"There are figures called {', '.join(NAMES)}, but not {name}.")
        began = time.monotonic()
        found = importlib.import_module(f"bench.learn.{name}").figures()
        store(found, Run.of(f"python -m bench.learn {name}", time.monotonic() - began))


if __name__ == "__main__":
    main(sys.argv[1:])
