"""`python -m bench.single PROGRAM KIND TEXT OPTIONS`: answer one question in a process of its own.

So its number of threads can be set (`SOLVER_THREADS`), its memory measured, and a program that
takes too long ended. OPTIONS is a JSON object. The output is one line of JSON.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import study_kikazu
from bench.random_games import random_games
from solvers.contract import brute
from solvers.maxstrings import reference
from solvers.question import finish, within
from solvers.registry import examples, get_kind

Outcome = dict[str, Any]
"""`text` says what was found; `seconds` and `megabytes` what it took."""


def ask(program: str, kind: str, text: str, threads: int, limit: float, **options: Any) -> Outcome:
    """Return the outcome of a program, which is empty if it took more than `limit` seconds.

    The program is the name of a question or one of `OTHERS`.
    """
    command = (sys.executable, "-m", "bench.single", program, kind, text, json.dumps(options))
    environment = {**os.environ, "SOLVER_THREADS": str(threads)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        process.stdout.readline()  # It is ready.
        try:
            output, _ = process.communicate("\n", limit)
        except subprocess.TimeoutExpired:
            process.kill()
            return {}
    if process.returncode:
        raise RuntimeError(f"{program} has failed: {kind} {text}")
    outcome: Outcome = json.loads(output)
    return outcome


def _question(name: str, kind: str, text: str, options: dict[str, Any]) -> str:
    asked = get_kind(kind)
    answer = finish(asked.questions[name].ask(asked, asked.read(text), **options))
    if (estimate := getattr(answer, "estimate", None)) is not None:
        return f"{estimate:.3g} ± {100 * answer.error / estimate:.1f}%"
    if (careful := getattr(answer, "careful", None)) is not None:
        return f"{careful:.3g} ± {100 * (answer.error or 0) / careful:.1f}%"
    if name == "reason":
        return f"{answer.value} of the cells"
    return f"{answer.value:,}" if answer.proven and answer.value is not None else "–"


def _draw_from_all(kind: str, text: str) -> str:
    asked = get_kind(kind)
    return f"{len(list(brute.solutions(asked, asked.read(text)))):,}"


def _study_search(kind: str, text: str) -> str:
    return f"{study_kikazu.search(get_kind(kind).read(text)).ways:,}"


def _random_games(kind: str, text: str) -> str:
    mean, error = random_games(text)
    return f"{mean:.3g} ± {100 * error / mean:.1f}%" if mean else "none of the games"


def _all_boards(kind: str, text: str) -> str:
    return f"{reference.best(get_kind(kind), get_kind(kind).read(text))}"


OTHERS: dict[str, Callable[[str, str], str]] = {
    "all solutions by the rules": _draw_from_all,
    "the study's search": _study_search,
    "all boards by the rules": _all_boards,
    "random games": _random_games,
}


def main() -> None:
    """Load what is needed, say so, wait for a line, answer, and print what that took."""
    program, kind, text, options = sys.argv[1:]
    if program not in OTHERS:
        asked = get_kind(kind)
        example = asked.read(examples(asked)[0].position)
        finish(within(asked.questions[program].ask(asked, example, **json.loads(options)), 1))
    elif program == "random games":
        random_games("ooo/ooo/ooo")
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.perf_counter()
    if program in OTHERS:
        found = OTHERS[program](kind, text)
    else:
        found = _question(program, kind, text, json.loads(options))
    took = time.perf_counter() - began
    # With `getrusage`, a process would inherit the peak of the one that started it.
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) >> 10
    print(json.dumps({"text": found, "seconds": took, "megabytes": peak}))


if __name__ == "__main__":
    main()
