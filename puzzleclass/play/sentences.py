"""What the page says of the last step, in writing and to a screen reader."""

from types import SimpleNamespace

from puzzleclass.play.models import Attempt, Step
from solvers.kind import Verdict
from solvers.message import Message, gettext_noop

TEXTS = SimpleNamespace(
    solved=gettext_noop("Solved!"),
    kept=gettext_noop("Solved! It will be sent when you are online."),
    goal=gettext_noop("The goal is reached!"),
    jammed=gettext_noop("No move is left. Go back some moves or start again."),
    made=gettext_noop("Move {number}: {what}"),
    undone=gettext_noop("Move undone: {what}. Moves so far: {number}"),
    score=gettext_noop("Score: {score}"),
    more=gettext_noop("{number} more of this kind"),
)
"""The texts that the browser says, too, by the names under which it says them (static/rules.js)."""


def status(attempt: Attempt) -> Message:
    """Return a sentence that says what last happened on the board. Two queries at most."""
    if attempt.state == Attempt.State.SOLVED:
        return Message(TEXTS.solved)
    if attempt.is_jammed:
        return Message(TEXTS.jammed)
    if not attempt.last_action:
        if attempt.number == 1:
            return Message("The board is ready. Make the first move.")
        return Message("New attempt. The board is back at the start.")
    kind = attempt.puzzle.kind
    moves = kind.line(attempt.position)
    if attempt.last_action == Step.Action.UNDO and attempt.taken_back > 1:
        return Message(
            "{taken} moves undone. Moves so far: {number}",
            {"taken": attempt.taken_back, "number": len(moves)},
        )
    if attempt.last_action == Step.Action.UNDO and attempt.before is None:
        return Message("One move undone. Moves so far: {number}", {"number": len(moves)})
    if attempt.last_action == Step.Action.UNDO:
        what = kind.describe(kind.line(attempt.before)[-1])
        return Message(TEXTS.undone, {"what": what, "number": len(moves)})
    return Message(TEXTS.made, {"number": len(moves), "what": kind.describe(moves[-1])})


def spoken_sentences(attempt: Attempt, verdict: Verdict) -> list[Message]:
    """Return what a screen reader says of the last step, in addition to the status.

    A student who sees the board sees these facts on it. Of a solved board only the score is left to
    say.
    """
    kind = attempt.puzzle.kind
    sentences: list[Message] = []
    if attempt.state != Attempt.State.SOLVED:
        if attempt.last_action == Step.Action.MOVE:
            sentences += kind.announcements(attempt.position)
        elif attempt.last_action and attempt.before is not None and attempt.taken_back == 1:
            sentences += kind.announcements_after_undo(attempt.position, attempt.before)
    if attempt.last_action and verdict.score is not None:
        sentences.append(Message(TEXTS.score, {"score": verdict.score}))
    return sentences
