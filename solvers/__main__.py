"""The command line: one JSON object a line on standard output.

    python -m solvers kinds
    python -m solvers goishi count 'o.oo/oo..' --moves '1,1 1,3' --limit-seconds 60
    python -m solvers goishi count - < positions.txt
    python -m solvers goishi generate --stones 10 --size 5x5 --solutions 1..3 --many 20
    python -m solvers goishi draw 'o.oo/oo..' > board.svg
    python -m solvers goishi formats 'o.oo/oo..'

Exit status 2, and one line on standard error, when a position or an option is at fault.
"""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, NoReturn

from solvers.kind import BadText, PuzzleError
from solvers.picture import to_svg
from solvers.question import Option, Progress, Question, finish, limited
from solvers.registry import AnyKind, UnknownKind, get_kind, kinds

BAD_INPUT = 2
INTERRUPTED = 130
MOST_THREADS = 64
WITHOUT_SOLVER = ("draw", "formats")


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")


def main(arguments: list[str]) -> int:
    """Do what the command line asks; return the exit status."""
    asked = _question(arguments)
    options = _parser(asked.options if asked else {}).parse_intermixed_args(arguments)
    if options.threads:
        # The setting is read with the first solver, which nothing has loaded yet.
        os.environ["SOLVER_THREADS"] = str(options.threads)
    if options.kind == "kinds":
        for kind in kinds().values():
            print(json.dumps({"kind": kind.slug, "title": kind.title, "rule": kind.rule,
                              "questions": list(kind.questions)}))  # fmt: skip
        return 0
    try:
        kind = get_kind(options.kind)
    except UnknownKind:
        return _complain(f"There is no kind “{options.kind}”. Kinds: {', '.join(kinds())}.")
    if options.question not in {*kind.questions, *WITHOUT_SOLVER}:
        known = ", ".join([*kind.questions, *WITHOUT_SOLVER])
        return _complain(f"There is no question “{options.question}”. Questions: {known}.")
    if options.position is None and asked and asked.position:
        options.position = asked.position
    if options.position is None:
        return _complain("The position is missing; “-” reads positions from standard input.")
    if options.position != "-":
        return _answer(kind, options, options.position)
    status = 0
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for number, line in enumerate(sys.stdin, 1):
        if line.strip():
            status = max(status, _answer(kind, options, line, f"line {number}: "))
    return status


def _question(arguments: list[str]) -> Question | None:
    """Return the question that the first two arguments name, for its options; if there is one."""
    slug, name = [*arguments, "", ""][:2]
    return kinds()[slug].questions.get(name) if slug in kinds() else None


def _parser(options: Mapping[str, Option]) -> Parser:
    parser = Parser(prog="python -m solvers", description=__doc__, add_help=True,
                    formatter_class=argparse.RawDescriptionHelpFormatter,
                    allow_abbrev=False)  # fmt: skip
    parser.add_argument("kind", help="a kind, or “kinds” for a list of them")
    parser.add_argument(
        "question", nargs="?", help="what is asked; “draw”, an SVG picture; “formats”"
    )
    parser.add_argument("position", nargs="?", help="a position, or “-” to read one a line")
    parser.add_argument("--moves", default="", help="moves played from the position")
    parser.add_argument("--limit-seconds", type=_seconds, default=math.inf, metavar="S",
                        help="stop then, with the lower bound reached")  # fmt: skip
    parser.add_argument("--threads", type=_threads, metavar="N",
                        help="of one count (default: SOLVER_THREADS or all cores)")  # fmt: skip
    for name, option in options.items():
        parser.add_argument(f"--{name}", default=option.default, metavar=name.upper(),
                            help=_help(option))  # fmt: skip
    return parser


def _threads(text: str) -> int:
    if not 1 <= int(text) <= MOST_THREADS:
        raise ValueError
    return int(text)


_threads.__name__ = f"number of threads, 1 to {MOST_THREADS}"


def _help(option: Option) -> str:
    """Return an option's title, the names it takes and its default."""
    names = f": {', '.join(option.choices)}" if option.choices else ""
    default = f" (default: {option.default})" if option.default else ""
    return f"{option.title}{names}{default}".replace("%", "%%")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not seconds > 0:
        raise ValueError
    return seconds


_seconds.__name__ = "number of seconds"


def _answer(kind: AnyKind, options: argparse.Namespace, text: str, where: str = "") -> int:
    """Print the answer about one position, or what is wrong with it; return the exit status."""
    try:
        position = kind.play_line(kind.read(text), options.moves)
        question = kind.questions.get(options.question)
        given = _given(question, options) if question else {}
    except PuzzleError as error:
        if where:
            # One line of output for each line of input, whatever it held.
            print(json.dumps({"kind": kind.slug, "question": options.question,
                              "fault": str(error)}, ensure_ascii=False))  # fmt: skip
        return _complain(where + str(error))
    if options.question == "formats":
        exports = {
            "value": kind.write(position),
            "formats": dict(kind.notations.write(position) if kind.notations else {}),
        }
        print(json.dumps({"kind": kind.slug, "question": "formats", **exports}))
        return 0
    if question is None:
        print(to_svg(kind.draw(position)))
        return 0
    began = time.monotonic()
    try:
        run = question.ask(kind, position, **given)
        answer = finish(limited(run, options.limit_seconds, question.answer), _show)
    except PuzzleError as error:
        return _complain(where + str(error))
    finally:
        _show(None)
    result: dict[str, Any] = {"kind": kind.slug, "question": options.question, **answer.to_json()}
    print(json.dumps(result | {"seconds": round(time.monotonic() - began, 3)}), flush=True)
    return 0


def _given(question: Question, options: argparse.Namespace) -> dict[str, Any]:
    """Return the question's options as values. Raises BadText, naming the option."""
    given = {}
    for name, option in question.options.items():
        try:
            given[name] = option.read(getattr(options, name))
        except BadText as error:
            raise BadText("--{name}: {fault}", name=name, fault=str(error)) from error
    return given


def _show(progress: Progress | None) -> None:
    """Write a sign of life over the last one, or wipe it, when somebody looks."""
    if not sys.stderr.isatty():
        return
    text = ""
    if progress:
        bound = "" if progress.at_least is None else f"  ≥ {progress.at_least}"
        text = f"{progress.done}/{progress.total}  {progress.note or ''}{bound}"
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def _complain(text: str) -> int:
    print(" ".join(text.split()), file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader has seen enough; keep the interpreter from complaining at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
