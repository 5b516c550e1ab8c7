"""Answering a question in parts, each in a process of its own."""

import importlib
import signal
from collections.abc import Hashable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from solvers.answers import Answer
from solvers.kind import Kind, PuzzleError
from solvers.message import Message
from solvers.question import Progress, Run, finish
from solvers.registry import get_kind

STEPS = 1000
"""Of so many steps each part makes its progress, whatever its own are."""

SHOW_SECONDS = 0.5
"""At least so often the parts together give a sign of life."""


def parts(
    kind: Kind[Any, Any], question: str, position: Hashable, number: int
) -> list[dict[str, Any]]:
    """Return the options that ask for at most `number` parts of the question, one dict a part.

    One part without options when the question does not split.
    """
    module = kind.questions[question].split
    if not module:
        return [{}]
    found: list[dict[str, Any]] = importlib.import_module(module).parts(kind, position, number)
    return found


def combine(kind: Kind[Any, Any], question: str, answers: Sequence[Answer]) -> Answer:
    """Return the answer to the whole question from those to all of its parts."""
    if len(answers) == 1:
        return answers[0]
    whole: Answer = importlib.import_module(kind.questions[question].split).combine(answers)
    return whole


def together(seen: Sequence[Progress | Answer | None]) -> Progress:
    """Return how far the whole is from what was last seen of each part.

    That is its answer once it has come to its end, and None before its first sign of life.
    """
    note = Message(
        "Divided among several workers. Parts at work: {running}. Finished: {done} of {parts}.",
        {
            "running": sum(isinstance(part, Progress) for part in seen),
            "done": sum(isinstance(part, Answer) for part in seen),
            "parts": len(seen),
        },
    )
    done = sum(_steps(part) for part in seen)
    return Progress(done, STEPS * len(seen), note, sum(_bound(part) for part in seen))


def _steps(part: Progress | Answer | None) -> int:
    if isinstance(part, Answer):
        return STEPS
    return STEPS * part.done // part.total if part and part.total else 0


def _bound(part: Progress | Answer | None) -> int:
    bound = part.value if isinstance(part, Answer) else part and part.at_least
    return bound or 0


def ask_in_parts(
    kind: Kind[Any, Any],
    question: str,
    position: Hashable,
    options: dict[str, Any],
    workers: int,
) -> Run[Answer]:
    """Ask the question as `Question.ask` does, worked on by so many processes.

    Raises PuzzleError as the question itself does, and when one of the processes is killed.
    """
    # Compiled code and its threads don't survive a fork: each process starts afresh.
    context = get_context("spawn")
    text = kind.write(position)
    pipes: list[Connection] = []
    processes = []
    try:
        for part in parts(kind, question, position, workers):
            ours, theirs = context.Pipe(duplex=False)
            asked = (theirs, kind.slug, question, text, options | part)
            process = context.Process(target=_answer, args=asked, daemon=True)
            process.start()
            theirs.close()  # so that the pipe ends when the process does
            pipes.append(ours)
            processes.append(process)
        seen: list[Progress | Answer | None] = [None] * len(pipes)
        while not all(isinstance(part, Answer) for part in seen):
            at_work = [pipe for pipe, part in zip(pipes, seen) if not isinstance(part, Answer)]
            for pipe in wait(at_work, SHOW_SECONDS):
                assert isinstance(pipe, Connection)
                seen[pipes.index(pipe)] = _received(pipe)
            yield together(seen)
        return combine(kind, question, [part for part in seen if isinstance(part, Answer)])
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _received(pipe: Connection) -> Progress | Answer:
    """Return what a part has to say. Raises what ended it."""
    try:
        said: Progress | Answer | PuzzleError = pipe.recv()
    except EOFError:
        raise PuzzleError(
            "One of the processes was ended before it was done. "
            "It may need more memory than the computer has."
        ) from None
    if isinstance(said, PuzzleError):
        raise said
    return said


def _answer(
    pipe: Connection, slug: str, question: str, position: str, options: dict[str, Any]
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us ends us
    kind = get_kind(slug)
    try:
        run = kind.questions[question].ask(kind, kind.read(position), **options)
        pipe.send(finish(run, pipe.send))
    except PuzzleError as error:
        pipe.send(error)
