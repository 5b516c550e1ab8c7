"""The solutions found, on a student's page, and what a solved board leads to."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Subquery

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.clock import is_best
from puzzleclass.play.due import OwnPuzzle, unsolved_in_set
from puzzleclass.play.earned import earned_by
from puzzleclass.play.models import Attempt, Thanks, Trial
from puzzleclass.play.nicknames import nickname
from puzzleclass.play.records import may_thank
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.play.scores import record_boards
from puzzleclass.play.status import status_of_board
from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.player import drawn_after

COUNT = "count"


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
    is_begun = attempt is not None and attempt.is_begun
    status = status_of_board(is_begun=is_begun, found=len(solutions), needed=needed)
    return {
        "found": [drawn_after(puzzle, solution.line) for solution in solutions],
        "total": known if puzzle.assignment.shows_total else None,
        # A student who has solved the puzzle is not sent after a solution that does not exist.
        "is_only_solution": known == 1,
        "nickname": nickname(student.pk) if solutions else "",
        "records": record_boards(puzzle) if may_see_records else [],
        "hidden": known - len(solutions) if known and puzzle.assignment.shows_total else 0,
        "state": OwnPuzzle(puzzle, status, trial.name if trial else ""),
        "needed": needed,
        "found_by_class": solutions_of_class(puzzle),
        **(_solved_context(student, attempt, solutions) if attempt and board["is_solved"] else {}),
    }


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
    rows: list[Any] = list(solutions.annotate(count=answer))
    if not rows:
        return rows, None
    job = Job(kind_slug=puzzle.kind_slug, question=COUNT, answer=rows[0].count)
    count = job.result or puzzle.known_count
    return rows, count.value if count and count.proven else None
