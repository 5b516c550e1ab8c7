"""The command line: it writes one JSON object per line to standard output.

    python -m solvers kinds
    python -m solvers goishi
    python -m solvers goishi count 'o.oo/oo..' --moves '1,1 1,3' --limit-seconds 60
    python -m solvers goishi count - < positions.txt
    python -m solvers goishi generate --stones 10 --size 5x5 --solutions 1..3 --many 20
    python -m solvers goishi draw 'o.oo/oo..' > board.svg
    python -m solvers goishi formats 'o.oo/oo..'
    python -m solvers queens.json count 8x8
    python -m solvers queens.json generate --size 6 --many 3

A file whose name ends in `.json` is a table of rules (docs/rule-tables.md).

The exit status is 2, with one line on standard error, if a position or an option is at fault. It
is 1 if the answer can't be found or written.
"""

import signal

if __name__ == "__main__":
    # Ctrl-C ends the program at once and quietly, even while its modules are still loading.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

import argparse
import contextlib
import errno
import json
import math
import os
import re
import sys
import time
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from solvers import memory
from solvers.answers import Answer
from solvers.kind import BadText, PuzzleError
from solvers.picture import to_svg
from solvers.question import Option, Progress, Question, Run, finish, limited
from solvers.registry import AnyKind, UnknownKind, get_kind, is_known, kinds
from solvers.rule_tables.boards import read_board
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.kind_questions import MAX_GENERATED_SIDE, generating
from solvers.rule_tables.questions import QUESTIONS
from solvers.rule_tables.table import read_table

FAILED = 1
BAD_INPUT = 2
MAX_THREADS = 64
WITHOUT_SOLVER = ("draw", "formats")
TABLE = ".json"
"""The end of the name of a file with a table of rules."""
GENERATE = "generate"
TABLE_QUESTIONS = {**QUESTIONS, GENERATE: generating("", MAX_GENERATED_SIDE)}
_OPTION = re.compile(r"-h|--[a-z][a-z-]*(=.*)?", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """An argument parser that describes an error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")


def main(arguments: list[str]) -> int:
    """Carry out the command line and return the exit status."""
    memory.read_setting()
    asked = _question(arguments)
    parser = _parser(asked.options if asked else {})
    options = parser.parse_intermixed_args(_without_false_options(arguments))
    if options.threads:
        # The setting is read when the first solver is loaded, which has not happened yet.
        os.environ["SOLVER_THREADS"] = str(options.threads)
    if options.kind == "kinds":
        for kind in kinds().values():
            print(json.dumps({"kind": kind.slug, "title": kind.title, "rule": str(kind.rule),
                              "questions": list(kind.questions)}))  # fmt: skip
        return 0
    if options.kind.endswith(TABLE):
        return _answer_table(options, asked)
    try:
        kind = get_kind(options.kind)
    except UnknownKind:
        return _complain(f"There is no kind “{options.kind}”. Kinds: {', '.join(kinds())}.")
    if options.question is None:
        for name, question in kind.questions.items():
            print(json.dumps({"kind": kind.slug, "question": name, "title": question.title,
                              "options": list(question.options)}))  # fmt: skip
        return 0
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
    if not sys.stdin:
        raise OSError(errno.EBADF, "Standard input is closed.")
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for number, line in enumerate(sys.stdin, 1):
        if line.strip():
            status = max(status, _answer(kind, options, line, f"line {number}: "))
    return status


def _question(arguments: list[str]) -> Question | None:
    """Return the question that the first two arguments name, or None. Its options are needed."""
    slug, name = [*arguments, "", ""][:2]
    if slug.endswith(TABLE):
        return TABLE_QUESTIONS.get(name)
    return get_kind(slug).questions.get(name) if is_known(slug) else None


def _without_false_options(arguments: list[str]) -> list[str]:
    """Return the arguments, with a space before those that begin with `-` but are not options.

    Many boards begin with `-`, and their readers ignore the space. A text that the kind can read
    is a position even if it could also be the name of an option.
    """
    kind = get_kind(arguments[0]) if arguments and is_known(arguments[0]) else None

    def is_board(number: int, text: str) -> bool:
        with contextlib.suppress(PuzzleError):
            return number == 2 and kind is not None and bool(kind.read(text))
        return False

    return [
        f" {text}"
        if text[:1] == "-"
        and text not in ("-", "--")
        and (not _OPTION.fullmatch(text) or is_board(number, text))
        else text
        for number, text in enumerate(arguments)
    ]


def _parser(options: Mapping[str, Option]) -> Parser:
    parser = Parser(prog="python -m solvers", description=__doc__, add_help=True,
                    formatter_class=argparse.RawDescriptionHelpFormatter,
                    allow_abbrev=False)  # fmt: skip
    parser.add_argument("kind", help="a kind, or “kinds” for a list of them")
    parser.add_argument(
        "question",
        nargs="?",
        help="a question of the kind, “draw” for an SVG picture, or “formats”",
    )
    parser.add_argument("position", nargs="?", help="a position, or “-” to read one per line")
    parser.add_argument("--moves", default="", help="moves played from the position")
    parser.add_argument("--limit-seconds", type=_seconds, default=math.inf, metavar="S",
                        help="stop after S seconds, with the lower bound found so far")  # fmt: skip
    parser.add_argument("--threads", type=_threads, metavar="N",
                        help="threads per count (SOLVER_THREADS or all cores)")  # fmt: skip
    for name, option in options.items():
        parser.add_argument(f"--{name}", default=option.default, metavar=name.upper(),
                            help=_help(option))  # fmt: skip
    return parser


def _threads(text: str) -> int:
    if not 1 <= int(text) <= MAX_THREADS:
        raise ValueError
    return int(text)


_threads.__name__ = f"number of threads, 1 to {MAX_THREADS}"


def _help(option: Option) -> str:
    """Return the help text of an option: its title, its choices and its default."""
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
    """Print the answer about one position, or its fault. Return the exit status."""
    question = kind.questions.get(options.question)
    try:
        position, question, values = _resolve(kind, question, options, text)
    except PuzzleError as error:
        if where:
            # Every line of input gets one line of output, whatever it contains.
            print(json.dumps({"kind": kind.slug, "question": options.question,
                              "fault": str(error)}))  # fmt: skip
        return _complain(where + str(error))
    if options.question == "formats":
        exports = {
            "value": kind.write(position),
            "formats": dict(kind.notations.write(position) if kind.notations else {}),
        }
        print(json.dumps({"kind": kind.slug, "question": "formats", **exports}))
        return 0
    if question is None:
        # Numeric character references are valid in every encoding that the output may have.
        print(to_svg(kind.draw(position)).encode("ascii", "xmlcharrefreplace").decode())
        return 0
    try:
        _print_answer(kind.slug, question.ask(kind, position, **values), question, options)
    except PuzzleError as error:
        return _complain(where + str(error))
    return 0


def _answer_table(options: argparse.Namespace, question: Question | None) -> int:
    """Print the answer about a board of a table, or its fault. Return the exit status."""
    if question is None:
        return _complain(f"The questions about a table are: {', '.join(TABLE_QUESTIONS)}.")
    if options.position is None and options.question != GENERATE:
        return _complain("The board is missing.")
    try:
        table = read_table(Path(options.kind).read_bytes())
        values = _option_values(question, options)
        if options.question == GENERATE:
            kind = TableKind(table)
            run = question.ask(kind, kind.read(kind.editor.blank(1, 1)), **values)
        else:
            run = question.ask(table, read_board(table, options.position), **values)
        _print_answer(table.slug, run, question, options)
    except PuzzleError as error:
        return _complain(str(error))
    return 0


def _print_answer(
    slug: str, run: Run[Answer], question: Question, options: argparse.Namespace
) -> None:
    began = time.monotonic()
    try:
        answer = finish(limited(run, options.limit_seconds, question.answer), _show_progress)
    finally:
        _show_progress(None)
    result: dict[str, Any] = {"kind": slug, "question": options.question, **answer.to_json()}
    print(json.dumps(result | {"seconds": round(time.monotonic() - began, 3)}), flush=True)


def _resolve(
    kind: AnyKind, question: Question | None, options: argparse.Namespace, text: str
) -> tuple[Hashable, Question | None, dict[str, Any]]:
    """Return the position, the question that answers about it, and its options as values.

    Raise PuzzleError if the text can't be read.
    """
    try:
        position = kind.play_line(kind.read(text), options.moves)
    except BadText:
        larger = kind.questions.get(question.for_larger_boards) if question else None
        if larger is None or options.moves:
            raise
        try:
            size = larger.options["size"].read(text)
        except BadText:
            pass
        else:
            return kind.read(larger.position), larger, {"size": size}
        raise
    return position, question, _option_values(question, options) if question else {}


def _option_values(question: Question, options: argparse.Namespace) -> dict[str, Any]:
    """Return the question's options as values. Raise BadText, naming the option."""
    values = {}
    for name, option in question.options.items():
        try:
            values[name] = option.read(getattr(options, name))
        except BadText as error:
            raise BadText("--{name}: {fault}", name=name, fault=str(error)) from error
    return values


def _show_progress(progress: Progress | None) -> None:
    """Write a progress report over the previous one, or wipe it. Do so on a terminal only."""
    if not (sys.stderr and sys.stderr.isatty()):
        return
    text = ""
    if progress:
        bound = "" if progress.at_least is None else f"  ≥ {progress.at_least}"
        text = f"{progress.done}/{progress.total}  {progress.note or ''}{bound}"
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def _complain(text: str, status: int = BAD_INPUT) -> int:
    # If standard error can't be written either, the exit status still reports the failure.
    with contextlib.suppress(OSError):
        print(" ".join(text.split()), file=sys.stderr, flush=True)
    return status


def run(arguments: list[str]) -> int:
    """Call `main`, report an error that it can't handle in one line, and return the exit status.

    `python -X dev -m solvers ...` shows the traceback of an unexpected error.
    """
    try:
        if not sys.stdout:
            raise OSError(errno.EBADF, "Standard output is closed.")
        try:
            status = main(arguments)
        except SystemExit as end:  # The parser raises it.
            status = int(end.code or 0)
        sys.stdout.flush()
    except BrokenPipeError:
        status = 0  # The reader has seen enough.
    except OSError as error:
        status = _complain(error.strerror or str(error), FAILED)
    except PuzzleError as error:
        status = _complain(str(error))
    except MemoryError:
        status = _complain("There is not enough memory for this.", FAILED)
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        status = _complain(f"This should not have happened: {error!r}", FAILED)
    # Drop what can't be written any more. The interpreter would complain about it when it exits.
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return status


if __name__ == "__main__":
    if sys.stdout:
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(run(sys.argv[1:]))
