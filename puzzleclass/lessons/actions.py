"""What the buttons of the teacher's page do in a lesson.

Each function gets the press: the assignment, the teacher, the value after the colon and the form's
fields. A press names what is to become, never "the other one", so that a press that is repeated
because its answer was lost changes nothing more.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import enrolments_of
from puzzleclass.assignments.lesson_models import Attendance, Pace
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import (
    begin_activity,
    can_be_led,
    change_pace,
    end_lesson,
    is_running,
    pause,
    resume,
    running_pace,
    send_to,
    unlock_board,
)
from puzzleclass.assignments.services import close
from puzzleclass.http import read_key
from puzzleclass.lessons import questions, screens
from puzzleclass.lessons.found import have_found_out
from puzzleclass.lessons.models import Question
from puzzleclass.lessons.phases import presses_of
from puzzleclass.lessons.scenes import VIEWS_OF_A_BOARD, is_of, scene_of
from puzzleclass.play.hint_card import HintCard
from puzzleclass.play.hints import ask_hint, help_for
from puzzleclass.play.models import Attempt, Feedback, HintUse
from puzzleclass.sharing.phases import Phase, phases_of


@dataclass(frozen=True)
class Press:
    """A press of a button."""

    teacher: User
    assignment: Assignment
    value: str
    """What stands after the colon in the name of the button."""
    fields: QueryDict

    @property
    def typed(self) -> str:
        """The typed message on one line."""
        return " ".join(self.fields.get("message", "").split())[: Pace.LONGEST_MESSAGE]

    @property
    def student(self) -> int:
        """The student (pk) whose tile was opened. Raises Http404 for one of another class."""
        enrolments = enrolments_of(self.assignment)
        student = read_key(self.fields.get("student", ""))
        return get_object_or_404(enrolments, student=student).student_id

    def board(self, key: str) -> AssignedPuzzle:
        """Return the board of the assignment with this key. Raises Http404."""
        board = get_object_or_404(self.assignment.puzzles, pk=read_key(key))
        board.assignment = self.assignment
        return board


@transaction.atomic
def do(press: Press, name: str) -> None:
    """Do what the button with this name says. Raises BadRequest if there is none."""
    if name not in ACTIONS:
        raise BadRequest
    ACTIONS[name](press)
    pace = running_pace(press.assignment)
    if pace and pace.led_by_id != press.teacher.pk:
        change_pace(press.assignment, led_by=press.teacher)


def _begin(press: Press) -> None:
    change_pace(press.assignment)


def _pause(press: Press) -> None:
    typed = press.typed
    pause(press.assignment, **({"message": typed} if typed else {}))


def _resume(press: Press) -> None:
    pace = running_pace(press.assignment)
    if pace and pace.is_paused and pace.paused_at:
        questions.hold(press.assignment, pace.paused_at)
    resume(press.assignment)


def _send(press: Press) -> None:
    board = press.board(press.value)
    if can_be_led(press.assignment):
        questions.leave(press.assignment)
        send_to(board)


def _free(press: Press) -> None:
    questions.leave(press.assignment)
    begin_activity(press.assignment, board=None, starts_at=None, shown="wall")


def _unlock(press: Press) -> None:
    """Open the boards up to this number, which frees the class; 0 opens all."""
    if can_be_led(press.assignment):
        unlock_board(press.assignment, read_key(press.value))


def _clock(press: Press) -> None:
    """Start the clock with this many minutes; stop it with 0."""
    minutes = min(read_key(press.value), Pace.LONGEST_CLOCK)
    pace = running_pace(press.assignment)
    now = (pace and pace.paused_at) or timezone.now()
    ends_at = now + timedelta(minutes=minutes) if minutes else None
    change_pace(press.assignment, clock_ends_at=ends_at)


def _say(press: Press) -> None:
    """Say what was typed to everybody; an empty text takes the last message back."""
    at = timezone.now() if press.typed else None
    change_pace(press.assignment, message=press.typed, message_at=at)


def _write(press: Press) -> None:
    """Send what was typed to one student; an empty text takes the last message back."""
    at = timezone.now() if press.typed else None
    _tell(press, message=press.typed, stamp="", message_at=at)


def _stamp(press: Press) -> None:
    """Give the student's latest board a stamp, and show it to the student now."""
    if press.value not in Feedback.Stamp.values:
        raise BadRequest
    if attempt := _latest(press):
        Feedback.objects.update_or_create(
            attempt=attempt, defaults={"teacher": press.teacher, "stamp": press.value}
        )
        _tell(press, stamp=press.value, message="", message_at=timezone.now())


def _hint(press: Press) -> None:
    """Give the student a hint at the board; pressed again, a plainer one.

    It is the hint that the student could have asked for, so it counts. Raise StepRefused with the
    reason if there is none.
    """
    attempt = _latest(press)
    if attempt is None:
        return
    card: HintCard | None = help_for(attempt)[1]
    level = max(card.level, card.awaited) if card else 0
    ask_hint(attempt, attempt.next_step, HintUse.Level(min(level + 1, max(HintUse.Level))))
    _tell(press, message="", stamp="", message_at=timezone.now())


def _tell(press: Press, **fields: object) -> None:
    """Change what concerns the student. Whatever the teacher does answers a call for help."""
    change_pace(press.assignment)
    fields = {"asked_at": None} | fields
    Attendance.objects.update_or_create(
        assignment=press.assignment, student_id=press.student, defaults=fields
    )


def _latest(press: Press) -> Attempt | None:
    """Return the student's latest attempt, at the board where the class is led."""
    attempts = Attempt.objects.filter(student=press.student, puzzle__assignment=press.assignment)
    pace = running_pace(press.assignment)
    if pace and pace.board_id:
        attempts = attempts.filter(puzzle=pace.board_id)
    attempt = attempts.select_related("puzzle").order_by("-last_at", "-pk").first()
    if attempt:
        attempt.puzzle.assignment = press.assignment
    return attempt


def _absent(press: Press) -> None:
    # The lesson begins first if it has not begun: absence is known for one lesson.
    change_pace(press.assignment)
    _tell(press, absent_at=timezone.now(), absent_on=timezone.localdate())


def _here(press: Press) -> None:
    _tell(press, absent_at=None, absent_on=None)


def _show(press: Press) -> None:
    """Show the scene on the projector. Students' pages are not touched."""
    scene = scene_of(press.value)
    if scene is None or not is_of(press.assignment, scene):
        raise BadRequest
    change_pace(press.assignment, shown=str(scene))
    if scene.sort in VIEWS_OF_A_BOARD:
        have_found_out(press.teacher, press.board(str(scene.keys[0])), scene.sort, scene.flags)


def _ask(press: Press) -> None:
    """Ask the class a question of this sort about a board (`board`) after the moves of `line`.

    A second board is one of the assignment (`other`), or that of another student (`beside`).
    """
    fields, assignment = press.fields, press.assignment
    sort = press.value
    if sort not in Question.Sort.values or assignment.is_over:
        raise BadRequest
    if sort == Question.Sort.SOLVE and not can_be_led(assignment):
        return
    question = Question(assignment=assignment, sort=sort, line=fields.get("line", ""))
    if key := fields.get("board"):
        question.puzzle = press.board(key)
    if sort == Question.Sort.SOLVE:
        question.line = ""
    if sort == Question.Sort.WHICH:
        _set_other(press, question)
    # What a plan asks about a board. The words that were typed belong to a free question.
    question.words = " ".join(fields.get("said", "").split())[: Question.LONGEST_WORDS]
    if sort == Question.Sort.FREE:
        question.form = fields.get("answer_form", "")
        if question.form not in Question.Form.values:
            raise BadRequest
        question.words, question.right = (
            " ".join(fields.get(name, "").split())[: Question.LONGEST_WORDS]
            for name in ("words", "right")
        )
    switches = questions.last_switches(assignment)
    if "switches" in fields:
        switches = {name: name in fields for name in switches}
    question.twice = switches["twice"] and sort != Question.Sort.SOLVE
    questions.ask(press.teacher, question, same_second=switches["same_second"])


def _set_other(press: Press, question: Question) -> None:
    """Take the second of two boards from the press."""
    if key := press.fields.get("other"):
        question.other_puzzle = press.board(key)
    elif student := read_key(press.fields.get("beside", "")):
        attempts = Attempt.objects.filter(student=student, puzzle__assignment=press.assignment)
        attempt = attempts.order_by("-last_at", "-pk").first()
        if attempt:
            question.other_puzzle = press.board(str(attempt.puzzle_id))
            question.other_line = attempt.line


def _question(press: Press) -> None:
    """Do a step with the running question: close it, open it again, show the answer, end it."""
    if question := questions.running_question(press.assignment):
        questions.advance(press.teacher, question, press.value)


def _choose(press: Press, *, is_chosen: bool = True) -> None:
    """Choose the words of an answer for the class. The value is its key and its version."""
    key, _colon, version = press.value.partition(":")
    if question := questions.running_question(press.assignment):
        questions.choose(question, read_key(key), version, is_chosen=is_chosen)


def _places(press: Press, *, shows_places: bool = True) -> None:
    if question := questions.running_question(press.assignment):
        questions.show_places(question, shows_places)


def _phase(press: Press) -> None:
    """Go on to the phase with this number, from the one before it only, and do its action.

    Of two teachers who press at once, one makes the step.
    """
    number = read_key(press.value)
    pace = change_pace(press.assignment)
    if pace.phase != number - 1 or number > len(pace.phases):
        return
    change_pace(press.assignment, phase=number, phase_at=timezone.now(), clock_ends_at=None)
    _act(press, phases_of(pace.phases), number)


def _at_phase(press: Press) -> None:
    """Be at the phase with this number, wherever the lesson is, and leave the class as it is.

    A lesson that has not begun begins there.
    """
    number, pace = read_key(press.value), getattr(press.assignment, "pace", None)
    if pace is None or not 1 <= number <= len(pace.phases):
        return
    if not (is_running(pace) and pace.phase == number):
        change_pace(press.assignment, phase=number, phase_at=timezone.now())
        boards = list(press.assignment.puzzles.all())
        _prepare(press, phases_of(pace.phases)[number - 1 : number + 1], boards)


def _do_phase(press: Press) -> None:
    """Do the action of the phase with this number, if the lesson is there."""
    number, pace = read_key(press.value), running_pace(press.assignment)
    if pace and number and pace.phase == number:
        _act(press, phases_of(pace.phases), number)


def _act(press: Press, phases: Sequence[Phase], number: int) -> None:
    """Press the buttons of a phase's action."""
    phase = phases[number - 1]
    if phase.action.verb not in ("", "show"):
        _resume(press)
    boards = list(press.assignment.puzzles.all())
    _prepare(press, phases[number : number + 1], boards)
    for button, fields in presses_of(phase, boards):
        name, _colon, value = button.partition(":")
        form = QueryDict(mutable=True)
        form.update(fields)
        ACTIONS[name](replace(press, value=value, fields=form))


def _prepare(press: Press, phases: Iterable[Phase], boards: Sequence[AssignedPuzzle]) -> None:
    """Have found out what the phases show, while the class does something else."""
    for action in (phase.action for phase in phases):
        for board in boards:
            if action.verb == "show" and board.number == action.board:
                board.assignment = press.assignment
                have_found_out(press.teacher, board, action.what, ())


def _look_back(press: Press) -> None:
    """Let the class look back at the lesson, and with `exit` play a board (`board`) after that."""
    questions.leave(press.assignment)
    key = press.fields.get("board", "") if press.value == "exit" else ""
    prompt = press.typed or _("What have you found out in this lesson?")
    begin_activity(
        press.assignment,
        board=None,
        starts_at=None,
        clock_ends_at=None,
        looks_back=True,
        exit_board=press.board(key) if key else None,
        message=prompt,
        shown="message",
    )


def _seen(press: Press) -> None:
    _tell(press)


def _code(press: Press) -> None:
    change_pace(press.assignment)
    screens.make_code(press.assignment)


def _unplug(press: Press) -> None:
    press.assignment.screens.all().delete()
    change_pace(press.assignment)


def _close(press: Press) -> None:
    close(press.assignment)
    _end(press)


def _end(press: Press) -> None:
    questions.leave(press.assignment)
    press.assignment.screens.all().delete()
    end_lesson(press.assignment)


ACTIONS: dict[str, Callable[[Press], None]] = {
    "begin": _begin,
    "pause": _pause,
    "resume": _resume,
    "send": _send,
    "free": _free,
    "unlock": _unlock,
    "clock": _clock,
    "say": _say,
    "write": _write,
    "stamp": _stamp,
    "hint": _hint,
    "absent": _absent,
    "here": _here,
    "show": _show,
    "ask": _ask,
    "question": _question,
    "choose": _choose,
    "unchoose": partial(_choose, is_chosen=False),
    "places": _places,
    "no-places": partial(_places, shows_places=False),
    "phase": _phase,
    "at-phase": _at_phase,
    "do-phase": _do_phase,
    "look-back": _look_back,
    "seen": _seen,
    "code": _code,
    "unplug": _unplug,
    "close": _close,
    "end": _end,
}
"""What the buttons do, by the name that they send."""
