"""Ask all questions about random small positions of all kinds, and compare the answers with each
other and with brute force: `make fuzz`, or `python -m tests.fuzz_answers`.

`solvers.contract.agreement` does the work. The contract tests check a few positions of each kind;
this checks as many as wanted. The same seed gives the same positions.
"""

import argparse
import random
import sys
from itertools import islice

from solvers.contract.agreement import boards, check, check_turned
from solvers.registry import AnyKind
from tests.fuzz import every_kind

LARGEST = 3


def faults(kind: AnyKind, seed: int, number: int) -> list[str]:
    """Return a description of each random position on which the answers disagree."""
    found = []
    for position in islice(boards(kind, random.Random(seed), LARGEST), number):
        try:
            check(kind, position)
            if position == kind.start(position):
                check_turned(kind, position)
        except AssertionError as fault:
            found.append(f"{kind.slug} {kind.write(position)}: {fault}")
    return found


def main() -> None:
    """Check the number of positions of each kind that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=300, help="the positions of each kind")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    found = [fault for kind in every_kind() for fault in faults(kind, given.seed, given.answers)]
    print(*found, sep="\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
