"""Answering a question in parts, each in a process of its own."""

import importlib
from collections.abc import Hashable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from solvers.asking import finish, limited
from solvers.kind import Answer, Kind
from solvers.registry import get_kind


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


def answer_in_parts(
    kind: Kind[Any, Any],
    question: str,
    position: Hashable,
    options: dict[str, Any],
    *,
    workers: int,
    seconds: float,
) -> Answer:
    """Return the answer, worked out by so many processes within the time.

    Raises PuzzleError as the question itself does.
    """
    asked = [
        (kind.slug, question, kind.write(position), options | part, seconds)
        for part in parts(kind, question, position, workers)
    ]
    # Compiled code and its threads don't survive a fork: each process starts afresh.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return combine(kind, question, list(pool.map(_answer, *zip(*asked))))


def _answer(
    slug: str, question: str, position: str, options: dict[str, Any], seconds: float
) -> Answer:
    kind = get_kind(slug)
    run = kind.questions[question].ask(kind, kind.read(position), **options)
    return finish(limited(run, seconds))
