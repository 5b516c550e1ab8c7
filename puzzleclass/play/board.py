"""The contexts of the student's page: the board with its tools, faults, status and scores, and
around it the set, the goal and the solutions found.

A step changes the board (`board_context`). When it begins or ends an attempt, it also changes the
solutions found (`found_context`). The rest is read for the whole page only (`set_context`).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Subquery

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for, solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.attempts import StepRefused
from puzzleclass.play.due import OwnPuzzle, puzzle_states
from puzzleclass.play.earned import earned_by
from puzzleclass.play.hints import help_for
from puzzleclass.play.models import Attempt, BestScore, Feedback, FoundSolution, Step, Trial
from puzzleclass.play.nicknames import nickname
from puzzleclass.play.progress import status_of_board, unsolved_in_set
from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.goals import goal_of
from puzzleclass.puzzles.player import drawn_after, way_through
from solvers.kind import Cell, Place, Verdict
from solvers.message import Message
from solvers.picture import CELL, Circle, Picture, Shape, Spot
from solvers.registry import AnyKind

COUNT = "count"

MOST_WARNINGS = 4
"""The most sentences about faults under the board. The board itself marks every place."""

MOST_FEEDBACK = 5
"""The most pieces of feedback shown at a puzzle, the latest first."""

MOST_RECORDS = 3
"""The most record boards shown to a student."""


def board_context(
    student: User,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    tool: str,
    refused: StepRefused | None = None,
) -> dict[str, Any]:
    """Return what a step can change, for the template `_board.html`. Four queries at most.

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
    picture = warnings.drawn_on(tools.picture if tools else puzzle.kind.draw(position))
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
        "has_new_tools": _has_new_tools(puzzle.kind, attempt, tools, tool),
        "score": score_card(student, puzzle, attempt, verdict),
        "warnings": warnings,
        "is_over": is_over,
        "is_solved": is_solved,
        "is_live": is_live,
        "refused": refused,
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
    solutions, total = _found_in_trial(trial, puzzle) if trial else found_solutions(student, puzzle)
    may_see_records = board["score"] and (solutions or board["is_over"])
    needed = solutions_needed([puzzle])[puzzle.pk]
    is_begun = attempt is not None and (attempt.number > 1 or attempt.next_step > 0)
    status = status_of_board(is_begun=is_begun, found=len(solutions), needed=needed)
    return {
        "found": [drawn_after(puzzle, solution.line) for solution in solutions],
        "total": total,
        "nickname": nickname(student.pk) if solutions else "",
        "records": record_boards(puzzle) if may_see_records else [],
        "state": OwnPuzzle(puzzle, status, trial.name if trial else ""),
        "needed": needed,
        "found_by_class": solutions_of_class(puzzle),
        **(_solved_context(student, attempt, solutions) if attempt and board["is_solved"] else {}),
    }


def set_context(student: User, puzzle: AssignedPuzzle, board: Mapping[str, Any]) -> dict[str, Any]:
    """Return what no step changes. Six queries at most.

    That is the set, the links to its other puzzles, the goal, the teacher's feedback on the
    student's attempts, and whether the kind is new to the student.
    """
    trial = board["attempt"].trial if board["attempt"] else None
    # Practice has no sets: each board stands alone.
    if puzzle.pk is None or puzzle.assignment.is_practice:
        puzzles = [puzzle]
    elif trial:
        puzzles = _set_of_trial(trial, puzzle)
    else:
        puzzles = boards_for(student, [puzzle.assignment])[puzzle.assignment_id]
    if trial:
        status = status_of_board(is_begun=False, found=0, needed=1)
        states = [
            OwnPuzzle(each, status, each.trial_name if each.pk else trial.name) for each in puzzles
        ]
    else:
        states = puzzle_states(student, puzzles)
    index = [state.puzzle for state in states].index(puzzle)
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
        "is_first_of_kind": _is_first_of_kind(student, puzzle, board["attempt"]),
        "feedback": ()
        if trial
        else Feedback.objects.filter(attempt__student=student, attempt__puzzle=puzzle)
        .select_related("attempt")
        .order_by("-at")[:MOST_FEEDBACK],
        "example": _example(board["tools"]) if board["tools"] else "",
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


def _is_first_of_kind(student: User, puzzle: AssignedPuzzle, attempt: Attempt | None) -> bool:
    """Return whether the student has made no step at any puzzle of a kind with an introduction.

    One query at most.
    """
    if not puzzle.kind.introduction or attempt is None or attempt.pk:
        return False
    attempts = Attempt.objects.filter(student=student, puzzle__kind_slug=puzzle.kind_slug)
    return not attempts.exists()


def _found_in_trial(
    trial: Trial, puzzle: AssignedPuzzle
) -> tuple[Sequence[FoundSolution], int | None]:
    """Return the solutions found in a teacher's attempt, and how many there are.

    The number is None unless it was counted exactly and may be shown. One query at most.
    """
    if not trial.found or not puzzle.assignment.shows_total:
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
    unsolved = _unsolved_puzzles(attempt)
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
        "next_puzzle_key": next_puzzle.pk if next_puzzle else None,
        "has_next_board": next_puzzle is not None or attempt.puzzle.assignment.is_practice,
        "unsolved_left": len(unsolved),
    }


def _unsolved_puzzles(attempt: Attempt) -> list[AssignedPuzzle]:
    """Return the puzzles of the set that the student has not solved, in order. Two queries at most.

    The list is empty in practice, which has no sets, and where boards are dealt, because the other
    boards belong to classmates. In a teacher's attempt all puzzles up to this one count as solved.
    """
    puzzle, assignment = attempt.puzzle, attempt.puzzle.assignment
    if puzzle.pk is None or assignment.is_practice or assignment.dealing != Assignment.Dealing.ALL:
        return []
    if attempt.trial:
        return list(assignment.puzzles.filter(number__gt=puzzle.number))
    return unsolved_in_set(attempt.student_id, assignment)


def found_solutions(
    student: User, puzzle: AssignedPuzzle
) -> tuple[Sequence[FoundSolution], int | None]:
    """Return the student's solutions, and the number of all solutions. One query.

    The number is None unless it was counted exactly and may be shown. It is not shown to a student
    without a solution.
    """
    key = job_key(puzzle.kind_slug, COUNT, puzzle.position)
    counts = Job.objects.filter(key=key, state=Job.State.DONE).values("answer")
    own = FoundSolution.objects.filter(student=student, puzzle=puzzle)
    found = list(own.annotate(count=Subquery(counts)))
    if not found or not puzzle.assignment.shows_total:
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
    if attempt.last_action == Step.Action.UNDO:
        return Message("One move undone. Moves so far: {number}", {"number": len(moves)})
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
    if attempt.last_action and verdict.score is not None:
        sentences.append(Message("Score: {score}", {"score": verdict.score}))
    return sentences


# Tools


class ToolButton(NamedTuple):
    """A button that takes up a tool."""

    name: str
    title: Message
    key: int | None
    """The number key that also presses the button; None from the tenth button on."""
    is_pressed: bool
    icon: Picture | None


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """The tools of a board, the one that is taken up, and the picture of the board for it."""

    tools: Mapping[str, Message]
    """The titles of the tools, by name; empty for kinds where a press needs no tool."""
    movable: Mapping[str, Message]
    """The titles of the things on the board that can be taken up again, by name."""
    tool: str
    """The name of the tool that is taken up; empty if there is none."""
    picture: Picture
    icons: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)
    """The shapes of the tools' icons, by the tool's name."""

    @property
    def can_take(self) -> bool:
        """Whether something can be taken up: a tool, or a thing on the board."""
        return bool(self.tools or self.movable)

    @property
    def has_way_back(self) -> bool:
        """Whether something on the board can be taken off it again."""
        return any(isinstance(shape, Spot) and shape.back for shape in self.picture.shapes)

    @property
    def is_drawn(self) -> bool:
        """Whether the picture itself has a spot for each tool, so that no toolbar is needed."""
        spots = {shape.move for shape in self.picture.shapes if isinstance(shape, Spot)}
        return self.tools.keys() <= spots

    @property
    def bar(self) -> list[ToolButton]:
        """The buttons of the toolbar; empty if the picture has a spot for each tool."""
        return [] if self.is_drawn else self._buttons(self.tools)

    @property
    def without_scripts(self) -> list[ToolButton]:
        """The buttons for a browser without scripts, in which the board can't be pressed."""
        bar = self.tools if self.is_drawn else {}
        return self._buttons({**bar, **self.movable})

    def _buttons(self, tools: Mapping[str, Message]) -> list[ToolButton]:
        icons = {
            name: Picture(CELL, CELL, tools[name], "", shapes)
            for name, shapes in self.icons.items()
            if name in tools
        }
        return [
            ToolButton(
                name, title, number if number < 10 else None, name == self.tool, icons.get(name)
            )
            for number, (name, title) in enumerate(tools.items(), 1)
        ]


def tools_for(kind: AnyKind, position: Hashable, wanted: str) -> ToolChoice:
    """Return the tools, with the wanted one taken up, or the first if the wanted one is missing."""
    if kind.tools is None:
        return ToolChoice({}, {}, "", kind.draw(position))
    tools, movable = kind.tools.names(position), kind.tools.movable(position)
    tool = wanted if wanted in tools or wanted in movable else next(iter(tools), "")
    drawn = kind.tools.draw(position, tool)
    return ToolChoice(tools, movable, tool, drawn, kind.tools.icons)


def _has_new_tools(
    kind: AnyKind, attempt: Attempt | None, choice: ToolChoice | None, wanted: str
) -> bool:
    """Return whether the toolbar may look different from before the step."""
    if kind.tools is None:
        return False
    if not attempt or attempt.before is None or not choice or choice.tool != wanted:
        return True
    return kind.tools.names(attempt.before) != choice.tools


def _example(choice: ToolChoice) -> str:
    """Return an example of a typed move: one that a press on the board would make.

    Return an empty text if there is none.
    """
    spots = (shape for shape in choice.picture.shapes if isinstance(shape, Spot))
    names = {**choice.tools, **choice.movable}
    return next((spot.move for spot in spots if spot.move not in names), "")


# Faults

Faults = tuple[tuple[Cell, Message], ...]


@dataclass(frozen=True, slots=True)
class Warnings:
    """The faults of a position and, where the teacher allows it, what makes it unsolvable."""

    faults: Faults = ()
    doomed: Faults = ()
    obstacle: Message | None = None
    """The reason why no solution is left, if no single place is to blame."""

    @property
    def is_lost(self) -> bool:
        """Whether it is known without a search that no solution is left."""
        return bool(self.doomed or self.obstacle)

    @property
    def sentences(self) -> list[Message]:
        """The first sentences, at most `MOST_WARNINGS`."""
        return self._all_sentences[:MOST_WARNINGS]

    @property
    def number_left_out(self) -> int:
        """The number of sentences left out."""
        return len(self._all_sentences) - len(self.sentences)

    @property
    def _all_sentences(self) -> list[Message]:
        # Faults of one sort in different places may have the same text.
        return list({str(message): message for _, message in self.faults + self.doomed}.values())

    def drawn_on(self, picture: Picture) -> Picture:
        """Return the picture with a ring on every cell at fault that has none yet."""
        rings = {}
        for style, faults in (("fault", self.faults), ("doomed", self.doomed)):
            if faults:
                ringed = _ringed_cells(picture, style)
                rings[style] = sorted({cell for cell, _ in faults} - ringed)
        return picture.annotated(rings=rings) if rings else picture


def refusal_drawn_on(picture: Picture, place: Place) -> Picture:
    """Return the picture with marks on the cell at which a move failed and on the way to it."""
    lines = way_through(place.path, "refused-way")
    rings = {"refused": [place.cell] if place.cell and _is_on(picture, place.cell) else []}
    return picture.with_shapes(lines).annotated(rings=rings)


def _is_on(picture: Picture, cell: Cell) -> bool:
    return cell[1] * CELL < picture.width and cell[0] * CELL < picture.height


def _ringed_cells(picture: Picture, style: str) -> set[Cell]:
    """Return the cells of the picture that have a circle of this style."""
    return {
        (int(shape.y // CELL), int(shape.x // CELL))
        for shape in picture.all_shapes
        if isinstance(shape, Circle) and shape.style == style
    }


def warnings_of(puzzle: AssignedPuzzle, position: Hashable, verdict: Verdict) -> Warnings:
    """Return the warnings that the student may see about the position."""
    obstacles = puzzle.kind.obstacles
    if obstacles is None or verdict.over or not puzzle.assignment.warns:
        return Warnings(verdict.faults)
    doomed = obstacles.doomed(position)
    return Warnings(verdict.faults, doomed, None if doomed else obstacles.obstacle(position))


# Scores


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The scores that a student sees at a puzzle."""

    now: int
    """The score of the board as it stands."""
    counts: bool
    """Whether the score counts if the board stays as it is."""
    own: int | None
    """The student's best score so far; None without one."""
    best: int | None
    """The best score of the class; None without one."""

    @property
    def is_record(self) -> bool:
        """Whether the student holds the class's record, alone or with others."""
        return self.own is not None and self.own == self.best


def score_card(
    student: User, puzzle: AssignedPuzzle, attempt: Attempt | None, verdict: Verdict
) -> ScoreCard | None:
    """Return the scores to show for a board; None for a kind without a score.

    One query, and none after a step that has stored its score.
    """
    if verdict.score is None:
        return None
    scores = attempt.scores if attempt else BestScore.objects.best(puzzle, student.pk)
    return ScoreCard(verdict.score, verdict.is_score_valid, scores.own, scores.best)


@dataclass(frozen=True, slots=True)
class ShownGoal:
    """What a student may know of a puzzle's goal."""

    score: int | None
    """The score that solves the puzzle; None if it would give the optimum away."""
    optimum: int | None
    """The best possible score; None unless it is known and the teacher lets students see it."""


def shown_goal(puzzle: AssignedPuzzle) -> ShownGoal | None:
    """Return the puzzle's goal as a student may see it; None for a kind without a score.

    One query at most.
    """
    goal = goal_of(puzzle)
    if goal is None:
        return None
    is_shown = puzzle.assignment.shows_total
    return ShownGoal(
        score=goal.score if is_shown or goal.below else None,
        optimum=goal.optimum if is_shown else None,
    )


def record_boards(puzzle: AssignedPuzzle) -> list[Picture]:
    """Return the boards with the best score of the class, without names. One query.

    Call this only for a student who has reached the goal, or after the due date, so that nobody can
    copy the boards.
    """
    scores = BestScore.objects.of_class(puzzle).order_by("-score", "pk")
    rows = list(scores.values_list("score", "text", "line"))
    lines = {text: line for score, text, line in rows if score == rows[0][0]}
    return [drawn_after(puzzle, line) for line in list(lines.values())[:MOST_RECORDS]]
