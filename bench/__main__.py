"""`python -m bench`: measure everything in one run and write docs/benchmarks.md."""

import platform
from pathlib import Path

import numba

from bench import goishi, goishi_making, kikazu, maxstrings, move, tonari

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"


def main() -> None:
    """Measure all kinds, and a move, and write the page."""
    head = (
        "# Benchmarks\n\n"
        "Written by `make bench` in one run, on one core of a small machine that may have had\n"
        f"other work: Python {platform.python_version()}, numba {numba.__version__}. Take the\n"
        "times as orders of magnitude and the ratios as what matters.\n"
    )
    parts = [goishi, goishi_making, tonari, maxstrings, kikazu, move]
    PAGE.write_text("\n".join([head, *(part.section() for part in parts)]), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
