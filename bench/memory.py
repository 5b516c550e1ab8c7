"""The memory of a worker: what each part takes, and how much of it forks share."""

import gc
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

from bench.timing import Length, seconds, table
from solvers.question import finish, within
from solvers.registry import examples, kinds
from solvers.warm import warm

TEXT = """## Memory, and the first hint

What a process takes after each step: resident in all, and of that what is its own (the rest are
pages of files, which processes share). Then eight forks of a process that has loaded everything, as
the workers of a site are (`launcher/workers.py`), beside eight processes that load their own; each
has answered a hint, a count and a review of each kind. Last, the first hint of each kind, of a
process that has loaded nothing, the kernels for hints (a small machine), or all of them.
"""

STEPS = (
    ("Python", ""),
    ("the rules", "from solvers.registry import kinds; kinds()"),
    ("NumPy", "import numpy"),
    ("LLVM", "import llvmlite.binding"),
    ("numba", "import numba"),
    ("kernels for hints", "from solvers.warm import warm; warm('hint')"),
    ("all kernels", "warm()"),
)
FORKS = 8
QUESTIONS = ("hint", "count", "review")

HINTS = """
import time
from solvers.question import finish
from solvers.registry import examples, kinds
{before}
for kind in kinds().values():
    position = kind.read(examples(kind)[1].position)
    began = time.perf_counter()
    finish(kind.questions["hint"].ask(kind, position))
    print(time.perf_counter() - began)
"""


def megabytes() -> tuple[float, float, float]:
    """Return the resident, own and proportional memory of this process (Linux)."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    sizes = {line.split()[0]: int(line.split()[1]) / 1024 for line in lines}
    return sizes["Rss:"], sizes["Private_Dirty:"] + sizes["Private_Clean:"], sizes["Pss:"]


def section(length: Length) -> str:
    """Measure, and return the section. Elsewhere than on Linux, there is none."""
    if sys.platform != "linux":
        return ""
    rows = []
    for number, (name, _) in enumerate(STEPS):
        code = "; ".join([step for _, step in STEPS[: number + 1] if step])
        # The figures are read in the end, because the reading loads modules as well.
        rows.append([name, *_run(f"{code}\n{READ}")])
    forks = FORKS if length else 2
    shared, alone = (
        float(_run(f"from bench.memory import together; print(together({forks}, {is_shared}))")[0])
        for is_shared in (True, False)
    )
    both = [
        [f"{forks} processes", "all together", "for each"],
        ["forks of one process", f"{shared:.0f} MB", f"{shared / forks:.0f} MB"],
        ["each for itself", f"{alone:.0f} MB", f"{alone / forks:.0f} MB"],
    ]
    hints = [
        [name, *_hints(before)]
        for name, before in (
            ("a new process", ""),
            ("kernels for hints loaded", "from solvers.warm import warm; warm('hint')"),
            ("all kernels loaded", "from solvers.warm import warm; warm()"),
        )
    ]
    parts = (
        table(["after", "resident", "its own"], rows),
        table(both[0], both[1:]),
        table(["the first hint", *kinds()], hints),
    )
    return f"{TEXT}\n" + "\n\n".join(parts) + "\n"


READ = """
sizes = {}
with open("/proc/self/smaps_rollup") as lines:
    next(lines)
    for line in lines:
        sizes[line.split()[0]] = int(line.split()[1])
print(sizes["Rss:"] >> 10, "MB")
print(sizes["Private_Dirty:"] + sizes["Private_Clean:"] >> 10, "MB")
"""


def _run(code: str) -> list[str]:
    done = subprocess.run((sys.executable, "-c", code), check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def _hints(before: str) -> list[str]:
    return [seconds(float(line)) for line in _run(HINTS.format(before=before))]


def together(number: int, is_shared: bool) -> float:
    """Return what forks of this process take together while all of them live, this one included,
    when each has answered. Kernels are shared if this process has loaded them before."""
    if is_shared:
        warm()
        gc.collect()
        gc.freeze()
    context = get_context("fork")
    meeting, sizes = context.Barrier(number + 1), context.SimpleQueue()

    def work() -> None:
        for kind in kinds().values():
            position = kind.read(examples(kind)[1].position)
            for name in QUESTIONS:
                finish(within(kind.questions[name].ask(kind, position), 2))
        meeting.wait()
        sizes.put(megabytes()[2])
        meeting.wait()

    forks = [context.Process(target=work) for _ in range(number)]
    for fork in forks:
        fork.start()
    meeting.wait()
    own = megabytes()[2]
    total = own + sum(sizes.get() for _ in forks)
    meeting.wait()
    for fork in forks:
        fork.join()
    return total
