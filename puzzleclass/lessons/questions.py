"""Questions to the class: ask, answer, give a reason, close, and show the answer.

The class thinks, answers, gives a reason, talks, and may answer again. Until the teacher shows the
answer, no page of a student and no projector gets it, and nothing that is sent to them depends on
it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from puzzleclass.accounts.models import User
from puzzleclass.assignments.lesson_models import Pace
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import NOT_YET, begin_activity, change_pace, running_pace, send_to
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.lessons.models import Answer, Question
from puzzleclass.play.restarts import begin_anew
from puzzleclass.play.reviews import QUESTION as REVIEW
from puzzleclass.puzzles.answers import COUNT
from puzzleclass.puzzles.positions import position_after
from solvers.grid import centre, press_area, read_cell, write_cell
from solvers.kind import PuzzleError, split_moves
from solvers.message import Message
from solvers.picture import CELL, Picture, Rect, Spot

Sort, Stage, Form = Question.Sort, Question.Stage, Question.Form

REASON = "reason"
"""The question to a solver why a board can't be solved."""

MAX_COUNTED = 12
"""The most different moves whose solutions are counted: those with the most answers."""

MAX_DIGITS = 18
"""The longest number that can be an answer, in digits."""

YES, NO = "yes", "no"
A, B = "a", "b"

NO_MOVE_LEFT = Message("No move is left on this board, so there is nothing to ask.")
NO_LINE = Message("No move has been made on this board, so there is no mistake to find.")
NO_WORDS = Message("Type the question first.")
NO_BOARD = Message("Choose a board for this question.")
SAME_BOARDS = Message("Choose two different boards.")
QUESTION_IS_OVER = Message(
    "Your answer came too late and does not count. Please look at your teacher."
)
NO_ANSWER = Message("This answer is not possible. Please answer again.")


def running_question(assignment: Assignment) -> Question | None:
    """Return the question to which the class is led now. One query.

    A question that was never ended ends with its lesson.
    """
    since = timezone.now() - Pace.LASTS
    running = Question.objects.filter(assignment=assignment, begun_at__gt=since)
    related = running.select_related("puzzle", "other_puzzle")
    question = related.exclude(stage=Stage.OVER).order_by("-pk").first()
    if question:
        question.assignment = assignment
        for board in (question.puzzle, question.other_puzzle):
            if board:
                board.assignment = assignment
    return question


def last_switches(assignment: Assignment) -> dict[str, bool]:
    """Return how the class was asked last: at the same second, and twice. One query."""
    asked = Question.objects.filter(assignment__classroom=assignment.classroom_id)
    last = asked.exclude(sort=Sort.SOLVE).order_by("-pk").first()
    return {
        "same_second": bool(last and last.starts_at is not None),
        "twice": bool(last and last.twice),
    }


@transaction.atomic
def ask(teacher: User, question: Question, *, same_second: bool = False) -> None:
    """Ask the class this question, which is not stored yet, and end the one that is running.

    Raise PuzzleError if it can't be asked, and QuotaReached if there are too many.
    """
    assignment, puzzle = question.assignment, question.puzzle
    _check(question)
    if assignment.questions.count() >= Question.MAX_COUNT:
        raise QuotaReached(
            Message(
                "This assignment already has {most} questions, which is the maximum.",
                {"most": Question.MAX_COUNT},
            )
        )
    if same_second or question.is_solved_together:
        question.starts_at = timezone.now() + Question.COUNTDOWN
    # The pace comes first. Its lock makes two presses at once wait for each other.
    if question.is_solved_together and puzzle:
        pace = running_pace(assignment)
        question.led_before_id = pace.board_id if pace else None
        send_to(puzzle)
    else:
        begin_activity(assignment)
    assignment.questions.exclude(stage=Stage.OVER).update(stage=Stage.OVER)
    question.save()
    change_pace(
        assignment,
        is_paused=False,
        paused_at=None,
        starts_at=question.starts_at,
        is_asked=not question.is_solved_together,
        clock_ends_at=None,
        shown=f"question {question.pk}",
    )
    if question.is_solved_together and puzzle and question.starts_at:
        begin_anew(puzzle, question.starts_at)
    have_counted(teacher, question)


def _check(question: Question) -> None:
    """Put the question into the form in which it is stored. Raise PuzzleError if it has none."""
    puzzle, other = question.puzzle, question.other_puzzle
    if (question.sort != Sort.FREE or question.form == Form.MOVE) and puzzle is None:
        raise PuzzleError(NO_BOARD)
    if puzzle:
        position = puzzle.kind.play_line(puzzle.start, question.line)
        question.line = puzzle.kind.write_line(position)
        if question.asks_for == "move" and next(iter(puzzle.kind.moves(position)), None) is None:
            raise PuzzleError(NO_MOVE_LEFT)
    if question.sort == Sort.MISTAKE and not question.line:
        raise PuzzleError(NO_LINE)
    if question.sort == Sort.WHICH:
        if other is None:
            raise PuzzleError(SAME_BOARDS)
        position = other.kind.play_line(other.start, question.other_line)
        question.other_line = other.kind.write_line(position)
        if text_of(question) == text_of(question, B):
            raise PuzzleError(SAME_BOARDS)
    if question.sort == Sort.FREE:
        if not question.words:
            raise PuzzleError(NO_WORDS)
        if question.right:
            question.right = canonical(question, question.right)


# What the class is asked about


def board_of(question: Question, which: str = A) -> tuple[AssignedPuzzle | None, str]:
    """Return the board of the question, or the second of two (B), and the moves on it."""
    if which == B:
        return question.other_puzzle, question.other_line
    return question.puzzle, question.line


def position_of(question: Question, which: str = A) -> Any:
    """Return the position about which the class is asked."""
    puzzle, line = board_of(question, which)
    assert puzzle is not None
    return position_after(puzzle.kind, puzzle.position, line)


def text_of(question: Question, which: str = A, move: str = "") -> str:
    """Return the position, after the move if there is one, as a job is asked about it."""
    puzzle, line = board_of(question, which)
    assert puzzle is not None
    line = f"{line} {move}".strip()
    return f"{puzzle.position} | {line}" if line else puzzle.position


def tappable(picture: Picture) -> Picture:
    """Return the picture with a spot on each cell of the board, named like the cell."""
    shapes = tuple(
        part
        for shape in picture.shapes
        for part in (shape.shapes if isinstance(shape, Spot) else (shape,))
    )
    boards = (shape for shape in shapes if isinstance(shape, Rect) and shape.style == "board")
    board = next(boards, Rect(0, 0, picture.width, picture.height, "board"))
    spots = []
    for row in range(int(board.height // CELL)):
        for column in range(int(board.width // CELL)):
            named = Message("Row {row}, column {column}", {"row": row + 1, "column": column + 1})
            area, cell = press_area((row, column)), write_cell((row, column))
            spots.append(Spot(row, column, cell, named, (area,), *centre((row, column))))
    return Picture(picture.width, picture.height, picture.title, picture.text, (*shapes, *spots))


# The truth


def have_counted(teacher: User, question: Question, moves: Iterable[str] = ()) -> None:
    """Have the truth found, also about these moves, before other work that nobody waits for."""
    for name, kind_slug, position in truths(question, moves):
        with suppress(PuzzleError):
            jobs.ask(teacher, kind_slug, name, position, queue="review", priority=0)


def truths(question: Question, moves: Iterable[str] = ()) -> list[tuple[str, str, str]]:
    """Return what is asked of the solvers: the name of the question, the kind and the position."""
    asked: list[tuple[str, str, str]] = []

    def about(which: str = A, move: str = "") -> None:
        puzzle, _line = board_of(question, which)
        if puzzle is None:
            return
        text = text_of(question, which, move)
        wanted = [name for name in (COUNT, REASON) if name in puzzle.kind.questions]
        asked.extend((name, puzzle.kind_slug, text) for name in wanted)

    if question.sort == Sort.MISTAKE and question.puzzle:
        asked.append((REVIEW, question.puzzle.kind_slug, text_of(question)))
    elif question.sort not in (Sort.FREE, Sort.SOLVE):
        about()
    if question.sort == Sort.WHICH:
        about(B)
    if question.sort == Sort.MOVE:
        for move in moves:
            about(move=move)
    return asked


def most_answered(answers: Iterable[Answer]) -> list[str]:
    """Return the moves whose solutions are counted."""
    total = Counter(each.answer for each in answers)
    return sorted(total, key=lambda move: (-total[move], move))[:MAX_COUNTED]


# Stages


@transaction.atomic
def advance(teacher: User, question: Question, step: str) -> None:
    """Do a step of the teacher: `close`, `again`, `reveal` or `done`.

    A step that does not follow changes nothing, so a press that comes twice does no harm.
    """
    now = timezone.now()
    is_begun = Q(starts_at=None) | Q(starts_at__lte=now)
    is_closed = Q(stage=Stage.CLOSED, closes_at__lte=now)
    steps: dict[str, tuple[Q, dict[str, Any]]] = {
        "close": (
            Q(stage=Stage.OPEN) & is_begun,
            {"stage": Stage.CLOSED, "closes_at": now + Question.CLOSING},
        ),
        "again": (
            is_closed & Q(round=1) & ~Q(sort=Sort.SOLVE),
            {"stage": Stage.OPEN, "round": 2, "closes_at": None},
        ),
        "reveal": (is_closed, {"stage": Stage.REVEALED}),
        "done": (~Q(stage=Stage.OVER), {"stage": Stage.OVER}),
    }
    wanted, fields = steps.get(step, (Q(pk=None), {}))
    if not Question.objects.filter(wanted, pk=question.pk).update(**fields):
        return
    if step in ("close", "reveal") and question.sort == Sort.MOVE:
        # While the class talks, the worker counts what the moves leave.
        moves = most_answered(question.answers.filter(is_late=False))
        have_counted(teacher, question, moves)
    if step == "done":
        back = {"board": question.led_before} if question.is_solved_together else {}
        change_pace(question.assignment, shown="wall", **_over(), **back)
    elif step == "again":
        change_pace(question.assignment, starts_at=None, shown=f"question {question.pk}")
    else:
        change_pace(question.assignment)


def leave(assignment: Assignment) -> None:
    """End the question that is running, because the class goes on with something else."""
    if assignment.questions.exclude(stage=Stage.OVER).update(stage=Stage.OVER):
        change_pace(assignment, **_over())


def _over() -> dict[str, object]:
    """Return the fields of the pace with which a question ends."""
    return {"starts_at": None, "is_asked": False, "plays_since": timezone.now()}


def hold(assignment: Assignment, since: datetime) -> None:
    """Take a pause that began at `since` and ends now out of the time of the running question."""
    question, now = running_question(assignment), timezone.now()
    if question is None or question.starts_at is None or question.closes_at:
        return
    if question.starts_at > since:
        question.starts_at += now - max(since, question.starts_at - Question.COUNTDOWN)
        question.save(update_fields=["starts_at"])
        change_pace(assignment, starts_at=question.starts_at)
    elif len(question.pauses) < Question.MAX_PAUSES:
        at = (since - question.starts_at).total_seconds()
        question.pauses.append([at, (now - since).total_seconds()])
        question.save(update_fields=["pauses"])


def show_places(question: Question, shows_places: bool) -> None:
    """Show or hide the order in which the students have solved the board."""
    Question.objects.filter(pk=question.pk).update(shows_places=shows_places)
    change_pace(question.assignment)


@transaction.atomic
def choose(question: Question, pk: int, version: str, *, is_chosen: bool) -> None:
    """Choose the words of an answer for the class, or no longer.

    `version` is that of the words that the teacher has read. Words that the student has changed
    since are not chosen.
    """
    answer = question.answers.select_for_update().filter(pk=pk).first()
    if answer is None or answer.is_chosen == is_chosen:
        return
    if is_chosen and answer.version != version:
        answer.has_changed = True
    else:
        answer.is_chosen, answer.has_changed = is_chosen, False
    answer.save(update_fields=["is_chosen", "has_changed"])
    change_pace(question.assignment)


# Answers


def give(question: Question, student: User, text: str, round: str = "") -> Answer:
    """Store the student's answer in a round; a later one replaces it.

    `round` is the round that the student's page showed. An answer that waited for the network still
    counts until the answer is shown. After that, it is kept if the student has no other, and
    PermissionDenied is raised. Raise PuzzleError if the text is no possible answer.
    """
    if question.is_solved_together or not question.has_started:
        raise PermissionDenied(NOT_YET)
    number = _round(question, round)
    answer = canonical(question, text.strip())
    own: dict[str, Any] = {"question": question, "student": student, "round": number}
    if question.stage in (Stage.REVEALED, Stage.OVER):
        Answer.objects.get_or_create(**own, defaults={"answer": answer, "is_late": True})
        raise PermissionDenied(QUESTION_IS_OVER)
    with transaction.atomic():
        given, is_new = Answer.objects.select_for_update().get_or_create(
            **own, defaults={"answer": answer}
        )
        if not is_new:
            # A cell was pressed on the one of two boards that was the answer.
            loses_cell = question.sort == Sort.WHICH and given.answer != answer
            fields = {"answer": answer, "at": timezone.now()}
            _change(given, fields | ({"cell": ""} if loses_cell else {}))
    return given


@transaction.atomic
def give_reason(
    question: Question, student: User, *, cell: str | None, words: str | None, round: str = ""
) -> None:
    """Store why the student answered so: a cell, a sentence, or both.

    None leaves what was given before. Raise PermissionDenied if the answer is shown already or
    there is no answer, and PuzzleError if the text names no cell.
    """
    if question.stage in (Stage.REVEALED, Stage.OVER):
        raise PermissionDenied(QUESTION_IS_OVER)
    own = question.answers.select_for_update().filter(
        student=student, round=_round(question, round)
    )
    answer = own.first()
    if answer is None:
        raise PuzzleError(NO_ANSWER)
    fields: dict[str, object] = {}
    if cell is not None:
        fields["cell"] = _cell(question, answer, cell) if cell else ""
    if words is not None:
        fields["words"] = " ".join(words.split())[: Answer.LONGEST_REASON]
    _change(answer, fields)


def _change(answer: Answer, fields: Mapping[str, object]) -> None:
    """Change an answer whose row is locked. If the teacher has chosen it, that ends with the words
    that were chosen, and the pages of the class are told."""
    before, was_chosen = answer.version, answer.is_chosen
    for name, value in fields.items():
        setattr(answer, name, value)
    if was_chosen and answer.version != before:
        answer.is_chosen, answer.has_changed = False, True
    answer.save()
    if was_chosen and not answer.is_chosen and running_pace(answer.question.assignment):
        change_pace(answer.question.assignment)


def _cell(question: Question, answer: Answer, text: str) -> str:
    cell = write_cell(read_cell(text))
    which = answer.answer if question.sort == Sort.WHICH else A
    puzzle, _line = board_of(question, which)
    on_board = puzzle and tappable(puzzle.kind.draw(position_of(question, which)))
    spots = on_board.shapes if on_board else ()
    if cell not in {spot.move for spot in spots if isinstance(spot, Spot)}:
        raise PuzzleError(NO_ANSWER)
    return cell


def _round(question: Question, text: str) -> int:
    return int(text) if text in ("1", "2") and int(text) <= question.round else question.round


def canonical(question: Question, text: str) -> str:
    """Return the answer as it is stored. Raise PuzzleError if it is none."""
    asks_for, puzzle = question.asks_for, question.puzzle
    if asks_for == "move" and puzzle:
        move = puzzle.kind.read_move(text)
        puzzle.kind.play(position_of(question), move)
        return puzzle.kind.write_move(move)
    if asks_for in ("number", "step") and text.isdecimal() and len(text) <= MAX_DIGITS:
        number, last = int(text), len(split_moves(question.line))
        if asks_for == "number" or number <= last:
            return str(number)
    if text in {"yes": (YES, NO), "board": (A, B)}.get(asks_for, ()):
        return text
    if asks_for == "sentence" and text:
        return " ".join(text.split())[: Question.LONGEST_WORDS]
    raise PuzzleError(NO_ANSWER)
