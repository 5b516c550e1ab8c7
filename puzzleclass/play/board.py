"""The contexts of the student's page: the board with its status, and around it the set, the goal
and the solutions found.

A step changes the board (`board_context`). When it begins or ends an attempt, it also changes the
solutions found (`found_context`). The rest is read for the whole page only (`set_context`).
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Subquery

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.assignments.pace import is_waiting
from puzzleclass.classes.access import may_teach_now
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.clock import is_best, running_clock
from puzzleclass.play.due import OwnPuzzle, puzzle_states, set_states, unsolved_in_set
from puzzleclass.play.earned import earned_by
from puzzleclass.play.hints import help_for
from puzzleclass.play.models import Attempt, Feedback, Step, Thanks, Trial
from puzzleclass.play.nicknames import nickname
from puzzleclass.play.progress import status_of_board
from puzzleclass.play.records import may_thank
from puzzleclass.play.refusals import StepRefused
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.scores import record_boards, score_card, shown_goal
from puzzleclass.play.tools import example_move, has_new_tools, tools_for
from puzzleclass.play.warnings import refusal_drawn_on, warnings_of
from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.player import drawn_after
from solvers.kind import Verdict
from solvers.message import Message

COUNT = "count"

MAX_FEEDBACK = 5
"""The most pieces of feedback shown at a puzzle, the latest first."""


def board_context(
    student: User,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    tool: str,
    refused: StepRefused | None = None,
) -> dict[str, Any]:
    """Return what a step can change, for the template `_board.html`. Five queries at most.

    `attempt` is the student's latest attempt, if any. `tool` is the tool that the student has taken
    up or wants to take up. It may be any text.
    """
    is_over = puzzle.assignment.is_over
    is_open = attempt is not None and attempt.state == Attempt.State.OPEN
    is_live = is_open and not is_over
    position = attempt.position if attempt else puzzle.start
    verdict = attempt.verdict if attempt else puzzle.kind.judge(position)
    # An attempt that has reached the goal stays open as long as its score can be beaten.
    is_solved = attempt is not None and (not is_open or bool(verdict.solved and attempt.line))
    tools = tools_for(puzzle.kind, position, tool) if is_live else None
    warnings = warnings_of(puzzle, position, verdict)
    lookahead, hint = help_for(attempt) if attempt and is_live else (None, None)
    picture = tools.picture if tools else puzzle.kind.draw(position)
    if puzzle.assignment.shades and puzzle.kind.shading:
        picture = puzzle.kind.shading.named_in(picture)
    picture = warnings.drawn_on(picture)
    if refused:
        picture = refusal_drawn_on(picture, refused.place)
    return {
        "puzzle": puzzle,
        "assignment": puzzle.assignment,
        "attempt": attempt,
        "picture": hint.drawn_on(picture) if hint else picture,
        "hint": hint,
        "lookahead": lookahead,
        "tools": tools,
        "has_new_tools": has_new_tools(puzzle.kind, attempt, tools, tool),
        "score": score_card(student, puzzle, attempt, verdict),
        "warnings": warnings,
        "is_over": is_over,
        "is_solved": is_solved,
        "is_live": is_live,
        "refused": refused,
        "may_ask": attempt is not None
        and attempt.trial is not None
        and puzzle.pk is not None
        and may_teach_now(puzzle, puzzle.assignment.classroom),
        "status": status(attempt) if attempt else None,
        "failed": failed_attempt(attempt) if attempt else None,
        "spoken_sentences": spoken_sentences(attempt, verdict) if attempt and is_live else [],
    }


def failed_attempt(attempt: Attempt) -> Attempt | None:
    """Return the attempt for which the page can show where it was lost.

    That is this attempt if no move is left, and the one before if this one has just begun. One
    query at most.
    """
    if not {"review", "hint"} <= attempt.puzzle.kind.questions.keys():
        return None
    if attempt.is_jammed:
        return attempt
    if attempt.next_step or attempt.number == 1:
        return None
    own = Attempt.objects.filter(student=attempt.student_id, puzzle=attempt.puzzle_id)
    before = own.filter(number=attempt.number - 1, state=Attempt.State.GIVEN_UP)
    return before.exclude(line="").first()


def found_context(
    student: User, puzzle: AssignedPuzzle, attempt: Attempt | None, board: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the context of the solutions found. `board` is the context of the board.

    Three queries at most.
    """
    trial = attempt.trial if attempt else None
    solutions: Sequence[FoundSolution] = ()
    known = None
    if trial:
        solutions, known = _found_in_trial(trial, puzzle)
    elif attempt is None or attempt.number > 1 or attempt.has_solved:
        solutions, known = found_solutions(student, puzzle)
    may_see_records = board["score"] and (solutions or board["is_over"])
    needed = solutions_needed([puzzle])[puzzle.pk]
    is_begun = attempt is not None and (attempt.number > 1 or attempt.next_step > 0)
    status = status_of_board(is_begun=is_begun, found=len(solutions), needed=needed)
    return {
        "found": [drawn_after(puzzle, solution.line) for solution in solutions],
        "total": known if puzzle.assignment.shows_total else None,
        # A student who has solved the puzzle is not sent after a solution that does not exist.
        "is_only_solution": known == 1,
        "nickname": nickname(student.pk) if solutions else "",
        "records": record_boards(puzzle) if may_see_records else [],
        "state": OwnPuzzle(puzzle, status, trial.name if trial else ""),
        "needed": needed,
        "found_by_class": solutions_of_class(puzzle),
        **(_solved_context(student, attempt, solutions) if attempt and board["is_solved"] else {}),
    }


def set_context(student: User, puzzle: AssignedPuzzle, board: Mapping[str, Any]) -> dict[str, Any]:
    """Return what no step changes. Seven queries at most.

    That is the set, the links to its other puzzles, the goal, the teacher's feedback on the
    student's attempts, and whether the kind is new to the student.
    """
    trial = board["attempt"].trial if board["attempt"] else None
    # Practice has no sets: each board stands alone.
    is_alone = puzzle.pk is None or puzzle.assignment.is_practice
    if trial:
        puzzles = [puzzle] if is_alone else _set_of_trial(trial, puzzle)
        status = status_of_board(is_begun=False, found=0, needed=1)
        states = [
            OwnPuzzle(each, status, each.trial_name if each.pk else trial.name) for each in puzzles
        ]
    elif is_alone:
        states = puzzle_states(student, [puzzle])
    else:
        states = set_states(student, puzzle.assignment)
    index = [state.puzzle for state in states].index(puzzle)
    # A teacher can lead the class through what has a due date.
    is_led = not (
        trial
        or puzzle.assignment.is_practice
        or puzzle.assignment.is_gallery
        or puzzle.assignment.is_over
    )
    return {
        "trial": trial,
        "dealt": puzzle.assignment.puzzles.all()
        if trial and puzzle.pk and puzzle.assignment.dealing == Assignment.Dealing.EACH
        else (),
        "states": states,
        "previous": states[index - 1] if index else None,
        "next": states[index + 1] if index + 1 < len(states) else None,
        "goal": shown_goal(puzzle),
        "may_practise": puzzle.assignment.is_over
        and puzzle.assignment.classroom.practice
        and not trial,
        "is_led": is_led,
        "is_waiting": is_led and is_waiting(puzzle),
        "is_first_of_kind": not _has_begun(states, puzzle.kind_slug)
        and _is_first_of_kind(student, puzzle, board["attempt"]),
        "run": None if trial else running_clock(student.pk, puzzle),
        "feedback": Feedback.objects.filter(attempt__student=student, attempt__puzzle=puzzle)
        .select_related("attempt")
        .order_by("-at")[:MAX_FEEDBACK]
        if states[index].has_feedback
        else (),
        "example": example_move(board["tools"]) if board["tools"] else "",
    }


def _set_of_trial(trial: Trial, puzzle: AssignedPuzzle) -> list[AssignedPuzzle]:
    """Return the boards that a student with this board would see in the set. One query."""
    boards = list(puzzle.assignment.puzzles.all())
    if puzzle.assignment.dealing == Assignment.Dealing.EACH:
        return [puzzle]
    if puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        return [board for pk in trial.path for board in boards if board.pk == pk]
    return boards


def solutions_of_class(puzzle: AssignedPuzzle) -> int | None:
    """Return how many different solutions the class has found, if it looks for them together.

    Return None otherwise. One query at most.
    """
    if puzzle.assignment.wanted != Assignment.TOGETHER:
        return None
    solutions = FoundSolution.objects.filter(
        puzzle=puzzle, student__enrolments__classroom=puzzle.assignment.classroom_id
    )
    return solutions.order_by().values("text").distinct().count()


def _has_begun(states: Iterable[OwnPuzzle], kind: str) -> bool:
    """Return whether the student has begun a puzzle of the kind among these."""
    return any(state.status.is_begun and state.puzzle.kind_slug == kind for state in states)


def _is_first_of_kind(student: User, puzzle: AssignedPuzzle, attempt: Attempt | None) -> bool:
    """Return whether the student has made no step at any puzzle of a kind with an introduction.

    One query at most.
    """
    if not puzzle.kind.introduction or attempt is None or attempt.pk:
        return False
    return not Attempt.objects.filter(student=student, puzzle__kind_slug=puzzle.kind_slug).exists()


def _found_in_trial(
    trial: Trial, puzzle: AssignedPuzzle
) -> tuple[Sequence[FoundSolution], int | None]:
    """Return the solutions found in a teacher's attempt, and how many there are.

    The number is None unless it was counted exactly. One query at most.
    """
    if not trial.found:
        return trial.found, None
    count = known_counts([puzzle]).get(puzzle.pk)
    return trial.found, count.value if count and count.proven else None


def _solved_context(
    student: User, attempt: Attempt, solutions: Sequence[FoundSolution]
) -> dict[str, Any]:
    """Return the context of a solved board.

    That is the solution's number, whether it is new, what it has earned, and the way on.
    """
    solution_text = attempt.puzzle.kind.solution(attempt.position)
    number, solution = next(
        (number, solution)
        for number, solution in enumerate(solutions, 1)
        if solution.text == solution_text
    )
    unsolved = _unsolved_puzzles(student, attempt)
    others = [puzzle for puzzle in unsolved if puzzle != attempt.puzzle]
    # A new solution has the time of the last step, because both are stored together.
    is_new = solution.found_at == attempt.last_at
    has_just_solved = attempt.before is not None and not attempt.trial
    after = [puzzle for puzzle in others if puzzle.number > attempt.puzzle.number]
    next_puzzle = next(iter(after or others), None)
    return {
        "solution_number": number,
        "is_new": is_new,
        "earned": earned_by(student, attempt, is_new=is_new) if has_just_solved else None,
        "ended_run": attempt.run,
        "is_best_time": attempt.run is not None and is_best(attempt.run),
        "next_puzzle_key": next_puzzle.pk if next_puzzle else None,
        "has_next_board": next_puzzle is not None or attempt.puzzle.assignment.is_practice,
        "unsolved_left": len(unsolved),
        "thanks": _thanks(student, attempt.puzzle) if not attempt.trial else [],
    }


def _thanks(student: User, puzzle: AssignedPuzzle) -> list[tuple[str, str, bool]]:
    """Return the stamps to thank the author with: each with its words, and whether it was given.

    No query outside the gallery, four at most in it.
    """
    if not may_thank(student, puzzle):
        return []
    given = puzzle.thanks.filter(giver=student).values_list("stamp", flat=True).first()
    return [(value, str(label), value == given) for value, label in Thanks.Stamp.choices]


def _unsolved_puzzles(student: User, attempt: Attempt) -> list[AssignedPuzzle]:
    """Return the puzzles of the set that the student has not solved, in order. Two queries at most.

    The list is empty in practice, which has no sets, and where boards are dealt, because the other
    boards belong to classmates. In a teacher's attempt all puzzles up to this one count as solved.
    """
    puzzle, assignment = attempt.puzzle, attempt.puzzle.assignment
    if puzzle.pk is None or assignment.is_practice or assignment.dealing != Assignment.Dealing.ALL:
        return []
    if attempt.trial:
        return list(assignment.puzzles.filter(number__gt=puzzle.number))
    return unsolved_in_set(student, assignment)


def found_solutions(
    student: User, puzzle: AssignedPuzzle
) -> tuple[Sequence[FoundSolution], int | None]:
    """Return the student's solutions, and the number of all solutions. One query.

    The number is None unless it was counted exactly, and for a student without a solution.
    """
    key = job_key(puzzle.kind_slug, COUNT, puzzle.position)
    answer = Subquery(Job.objects.filter(key=key, state=Job.State.DONE).values("answer"))
    solutions = FoundSolution.objects.filter(student=student, puzzle=puzzle)
    found: list[Any] = list(solutions.annotate(count=answer))
    if not found:
        return found, None
    job = Job(kind_slug=puzzle.kind_slug, question=COUNT, answer=found[0].count)
    count = job.result or puzzle.known_count
    return found, count.value if count and count.proven else None


def status(attempt: Attempt) -> Message:
    """Return a sentence that says what last happened on the board. Two queries at most."""
    if attempt.state == Attempt.State.SOLVED:
        return Message("Solved!")
    if attempt.is_jammed:
        return Message("No move is left. Go back some moves or start again.")
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
        return Message(
            "Move undone: {what}. Moves so far: {number}", {"what": what, "number": len(moves)}
        )
    return Message(
        "Move {number}: {what}", {"number": len(moves), "what": kind.describe(moves[-1])}
    )


def spoken_sentences(attempt: Attempt, verdict: Verdict) -> list[Message]:
    """Return what a screen reader says of the last step, in addition to the status.

    A student who sees the board sees these facts on it.
    """
    kind = attempt.puzzle.kind
    sentences: list[Message] = []
    if attempt.last_action == Step.Action.MOVE:
        sentences += kind.announcements(attempt.position)
    elif attempt.last_action and attempt.before is not None and attempt.taken_back == 1:
        sentences += kind.announcements_after_undo(attempt.position, attempt.before)
    if attempt.last_action and verdict.score is not None:
        sentences.append(Message("Score: {score}", {"score": verdict.score}))
    return sentences
