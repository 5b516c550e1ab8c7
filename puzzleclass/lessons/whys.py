"""Why a board can't be solved, as the class sees it: a sentence, and the board with the cells that
the sentence is about."""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import job_key
from puzzleclass.lessons.models import Slide
from puzzleclass.lessons.questions import REASON
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.puzzles.positions import position_after
from solvers.answers import Reason, ReasonAnswer
from solvers.grid import read_cell
from solvers.kind import IllegalMove, PuzzleError
from solvers.message import Message
from solvers.picture import Picture


class Why(NamedTuple):
    """Why a board can't be solved."""

    said: Message
    picture: Picture
    """The board, with a ring at each cell that the reason is about."""


def drawn_why(puzzle: AssignedPuzzle, line: str, reason: Reason) -> Why:
    """Return the reason with the board after these moves."""
    kind = puzzle.kind
    picture = kind.draw(position_after(kind, puzzle.position, line))
    cells = map(read_cell, reason.cells)
    return Why(reason.message, picture.annotated(rings={"doomed": cells}))


def line_with_mistake(slide: Slide) -> str:
    """Return the moves of a slide with its mistake, if the rules allow it."""
    line = f"{slide.line} {slide.move}".strip()
    try:
        slide.puzzle.after(line)
    except IllegalMove:
        return slide.line
    return line


def have_explained(teacher: User, slides: Iterable[Slide]) -> None:
    """Have a worker find out why the boards can't be solved after the mistakes of these slides."""
    for slide in slides:
        if text := _asked(slide):
            with suppress(PuzzleError):
                jobs.ask(teacher, slide.puzzle.kind_slug, REASON, text, queue="review", priority=0)


def whys_of(slides: Iterable[Slide]) -> dict[int, Why]:
    """Return slide (pk) -> why its mistake was one, for the mistakes of which that is found. One
    query, or none without such a mistake."""
    texts = {slide: text for slide in slides if (text := _asked(slide))}
    keys = {slide: job_key(slide.puzzle.kind_slug, REASON, text) for slide, text in texts.items()}
    found = jobs.find_all(keys.values()) if keys else {}
    whys = {}
    for slide, key in keys.items():
        answer = answer_in(found.get(key), ReasonAnswer)
        if answer and answer.reason:
            whys[slide.pk] = drawn_why(slide.puzzle, line_with_mistake(slide), answer.reason)
    return whys


def _asked(slide: Slide) -> str:
    """Return the position about which a slide's mistake asks; empty if there is none."""
    puzzle, kind = slide.puzzle, slide.puzzle.kind
    if slide.sort != Slide.Sort.MISTAKE or REASON not in kind.questions:
        return ""
    line = line_with_mistake(slide)
    if line == slide.line:
        return ""
    return kind.write(kind.read(f"{puzzle.position} | {line}"))
