"""`python -m bench`: measure everything in one run and write docs/benchmarks.md."""

import argparse
import platform
from pathlib import Path

import numba

from bench import goishi, kikazu, largest, maxstrings, memory, move, tonari
from bench.timing import Length, measure_only_once

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
PARTS = {
    part.__name__.rpartition(".")[2]: part
    for part in (goishi, tonari, maxstrings, kikazu, largest, memory, move)
}


def main() -> None:
    """Measure everything and write the page. The short form only prints it."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    lengths = parser.add_mutually_exclusive_group()
    lengths.add_argument("--short", action="store_const", dest="length", const=Length.SHORT,
                         help="see that it works, write nothing")  # fmt: skip
    lengths.add_argument("--long", action="store_const", dest="length", const=Length.LONG,
                         help="the largest boards as well")  # fmt: skip
    parser.add_argument("--only", choices=PARTS, help="measure one part, write nothing")
    options = parser.parse_args()
    length = Length.USUAL if options.length is None else options.length
    if length == Length.SHORT:
        measure_only_once()
    head = (
        "# Benchmarks\n\n"
        "Written by `make bench` in one run, on a small machine that may have had other work:\n"
        f"Python {platform.python_version()}, numba {numba.__version__}. Single-threaded unless "
        "stated otherwise. Take the\ntimes as orders of magnitude and the ratios as what matters.\n"
    )
    parts = [PARTS[options.only]] if options.only else PARTS.values()
    page = "\n".join([head, *(part.section(length) for part in parts)])
    if length != Length.SHORT and not options.only:
        PAGE.write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
