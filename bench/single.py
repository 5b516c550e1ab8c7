"""`python -m bench.single PROGRAM KIND TEXT OPTIONS`: answer one question in a process of its own.

So its number of threads can be set (`SOLVER_THREADS`), its memory measured, and a program that
takes too long ended. OPTIONS is a JSON object. The output is one line of JSON.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import twins
from bench.random_games import random_games
from solvers.contract import brute
from solvers.maxstrings import reference
from solvers.question import finish, within
from solvers.registry import examples, get_kind

Outcome = dict[str, Any]
"""`text` says what was found; `seconds` and `megabytes` what it took."""


def ask(program: str, kind: str, text: str, threads: int, limit: float, **options: Any) -> Outcome:
    """Return the outcome of a program, which is empty if it took more than `limit` seconds or more
    memory than it may.

    The program is the name of a question, one of `OTHERS`, or `TWIN`.
    """
    command = (sys.executable, "-m", "bench.single", program, kind, text, json.dumps(options))
    environment = {**os.environ, "SOLVER_THREADS": str(threads)}
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout
        process.stdout.readline()  # It is ready.
        try:
            output, _ = process.communicate("\n", limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
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


def _random_games(kind: str, text: str) -> str:
    mean, error = random_games(text)
    return f"{mean:.3g} ± {100 * error / mean:.1f}%" if mean else "none of the games"


def _all_boards(kind: str, text: str) -> str:
    return f"{reference.best(get_kind(kind), get_kind(kind).read(text))}"


TWIN = "C++"
"""The program in C++ of the kind (`bench.twins`)."""
OTHERS: dict[str, Callable[[str, str], str]] = {
    "all solutions by the rules": _draw_from_all,
    "all boards by the rules": _all_boards,
    "random games": _random_games,
}


def main() -> None:
    """Load what is needed, say so, wait for a line, answer, and print what that took."""
    program, kind, text, options = sys.argv[1:]
    with TemporaryDirectory() as folder:
        answer = _prepared(program, kind, json.loads(options), Path(folder))
        print("ready", flush=True)
        sys.stdin.readline()
        began = time.perf_counter()
        found = answer(kind, text)
        took = time.perf_counter() - began
    if found is None:
        print("{}")
        return
    # With `getrusage`, a process would inherit the peak of the one that started it.
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) >> 10
    print(json.dumps({"text": found, "seconds": took, "megabytes": peak}))


def _prepared(
    program: str, kind: str, options: dict[str, Any], folder: Path
) -> Callable[[str, str], str | None]:
    """Return the program, compiled, as a function of the kind and the text of a board."""
    if program == TWIN:
        path = twins.compiled(kind, folder)
        return lambda kind, text: _with_commas(twins.count(path, text))
    if program in OTHERS:
        if program == "random games":
            random_games("ooo/ooo/ooo")
        return OTHERS[program]
    asked = get_kind(kind)
    example = asked.read(examples(asked)[0].position)
    finish(within(asked.questions[program].ask(asked, example, **options), 1))
    return lambda kind, text: _question(program, kind, text, options)


def _with_commas(number: int | None) -> str | None:
    return None if number is None else f"{number:,}"


if __name__ == "__main__":
    main()
