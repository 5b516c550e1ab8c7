"""What the student's page shows: the board with its tools and faults, what happened last, scores,
and around it the set, the goal and what was found.

A step changes the board (`board_context`), and when it begins or ends a try, what was found
(`found_context`); the rest is read for the whole page only (`set_context`).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import Case, Count, Subquery, When
from django.db.models.functions import Coalesce

from puzzleclass.accounts.models import User
from puzzleclass.assignments.dealing import boards_for, solutions_needed
from puzzleclass.assignments.models import AssignedPuzzle, Assignment
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.play.attempts import StepRefused
from puzzleclass.play.due import PuzzleState, puzzle_states
from puzzleclass.play.hints import help_for
from puzzleclass.play.models import Attempt, BestScore, Feedback, FoundSolution, Step, Trial
from puzzleclass.play.nicknames import nickname
from puzzleclass.puzzles.answers import known_counts
from puzzleclass.puzzles.goals import goal_of
from puzzleclass.puzzles.player import drawn_after
from solvers.grid import centre
from solvers.kind import Cell, Place, Verdict
from solvers.message import Message
from solvers.picture import CELL, Circle, Line, Picture, Shape, Spot
from solvers.registry import AnyKind

COUNT = "count"

MOST_SAID = 4
"""Sentences under the board. All places are marked on it."""

MOST_FEEDBACK = 5
"""Of a puzzle's tries, the latest."""

MOST_RECORDS = 3
"""Record boards shown to a student."""


def board_context(
    student: User,
    puzzle: AssignedPuzzle,
    attempt: Attempt | None,
    tool: str,
    refused: StepRefused | None = None,
) -> dict[str, Any]:
    """Return what a step can change, for the template `_board.html`. Four queries at most.

    `attempt` is the latest one, if any. `tool` is the one the student has taken up, or would like
    to: any text.
    """
    is_over = puzzle.assignment.is_over
    is_open = attempt is not None and attempt.state == Attempt.State.OPEN
    is_live = is_open and not is_over
    position = attempt.position if attempt else puzzle.start
    verdict = attempt.verdict if attempt else puzzle.kind.judge(position)
    # A board whose goal is reached stays open as long as its score can be beaten.
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
        "failed": failed_try(attempt) if attempt else None,
        "spoken": spoken(attempt, verdict) if attempt and is_live else [],
    }


def failed_try(attempt: Attempt) -> Attempt | None:
    """Return the try of which it can be seen where it was lost: this one if no move is left, and
    on a board just begun again the one before. One query at most."""
    if not {"review", "hint"} <= attempt.puzzle.kind.questions.keys():
        return None
    if attempt.is_jammed:
        return attempt
    if attempt.next_step or attempt.number == 1:
        return None
    same = Attempt.objects.filter(student=attempt.student_id, puzzle=attempt.puzzle_id)
    before = same.filter(number=attempt.number - 1, state=Attempt.State.GIVEN_UP)
    return before.exclude(line="").first()


def found_context(
    student: User, puzzle: AssignedPuzzle, attempt: Attempt | None, board: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what was found at the puzzle, once the board is drawn up. Three queries at most."""
    trial = attempt.trial if attempt else None
    found, total = _found_in(trial, puzzle) if trial else found_solutions(student, puzzle)
    may_see_records = board["score"] and (found or board["is_over"])
    needed = solutions_needed([puzzle])[puzzle.pk]
    is_begun = attempt is not None and (attempt.number > 1 or attempt.next_step > 0)
    return {
        "found": [drawn_after(puzzle, solution.line) for solution in found],
        "total": total,
        "nickname": nickname(student.pk) if found else "",
        "records": record_boards(puzzle) if may_see_records else [],
        "state": PuzzleState(puzzle, is_begun, len(found), needed, trial.name if trial else ""),
        "needed": needed,
        "together": found_together(puzzle),
        **(_solved(attempt, found) if attempt and board["is_solved"] else {}),
    }


def set_context(student: User, puzzle: AssignedPuzzle, board: Mapping[str, Any]) -> dict[str, Any]:
    """Return what no step changes: the set, the ways to its other puzzles, the goal, what the
    teacher said of the student's tries, whether the kind is new to the student. Six queries at
    most."""
    trial = board["attempt"].trial if board["attempt"] else None
    # What is practised is no set: each board stands alone.
    if puzzle.pk is None or puzzle.assignment.is_practice:
        mine = [puzzle]
    elif trial:
        mine = _set_of_trial(trial, puzzle)
    else:
        mine = boards_for(student, [puzzle.assignment])[puzzle.assignment_id]
    if trial:
        states = [PuzzleState(p, False, 0, 1, p.trial_name if p.pk else trial.name) for p in mine]
    else:
        states = puzzle_states(student, mine)
    place = [state.puzzle for state in states].index(puzzle)
    return {
        "trial": trial,
        "dealt": puzzle.assignment.puzzles.all()
        if trial and puzzle.pk and puzzle.assignment.dealing == Assignment.Dealing.EACH
        else (),
        "states": states,
        "previous": states[place - 1] if place else None,
        "next": states[place + 1] if place + 1 < len(states) else None,
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
    """Return the boards that a student sees who has been dealt this one. One query."""
    boards = list(puzzle.assignment.puzzles.all())
    if puzzle.assignment.dealing == Assignment.Dealing.EACH:
        return [puzzle]
    if puzzle.assignment.dealing == Assignment.Dealing.STAIRCASE:
        return [board for pk in trial.path for board in boards if board.pk == pk]
    return boards


def found_together(puzzle: AssignedPuzzle) -> int | None:
    """Return how many different solutions the class has found, where it looks for them together.
    One query at most."""
    if puzzle.assignment.wanted != Assignment.TOGETHER:
        return None
    found = FoundSolution.objects.filter(
        puzzle=puzzle, student__enrolments__classroom=puzzle.assignment.classroom_id
    )
    return found.order_by().values("text").distinct().count()


def _is_first_of_kind(student: User, puzzle: AssignedPuzzle, attempt: Attempt | None) -> bool:
    """Return whether the student has made no step at any puzzle of the kind, and can be shown how
    it goes. One query at most."""
    if not puzzle.kind.introduction or attempt is None or attempt.pk:
        return False
    tries = Attempt.objects.filter(student=student, puzzle__kind_slug=puzzle.kind_slug)
    return not tries.exists()


def _found_in(trial: Trial, puzzle: AssignedPuzzle) -> tuple[Sequence[FoundSolution], int | None]:
    """Return what `found_solutions` returns, of a teacher's try: the set's other puzzles count as
    solved up to this one. Two queries at most."""
    if trial.found and puzzle.pk and puzzle.assignment.dealing == Assignment.Dealing.ALL:
        after = list(puzzle.assignment.puzzles.filter(number__gt=puzzle.number))
        for solution in trial.found:
            solution.go_on, solution.left = (after[0].pk if after else None), len(after)
    if not trial.found or not puzzle.assignment.shows_total:
        return trial.found, None
    count = known_counts([puzzle]).get(puzzle.pk)
    return trial.found, count.value if count and count.proven else None


def _solved(attempt: Attempt, found: Sequence[FoundSolution]) -> dict[str, Any]:
    """Return which of the student's solutions this try is, whether it is new, and where to go on:
    to the next puzzle that is left, after the last to the first of these."""
    text = attempt.puzzle.kind.solution(attempt.position)
    number, solution = next(
        (number, solution) for number, solution in enumerate(found, 1) if solution.text == text
    )
    # Stored together with the step that found it, so with the same time.
    return {
        "solution_number": number,
        "is_new": solution.found_at == attempt.last_at,
        "go_on": solution.go_on,
        "left": solution.left,
    }


def found_solutions(
    student: User, puzzle: AssignedPuzzle
) -> tuple[Sequence[FoundSolution], int | None]:
    """Return the student's solutions, each with the puzzle to go on to, and how many there are,
    where that was counted to the end and may be known. One query.

    Without a solution of their own nobody is told how many there are.
    """
    key = job_key(puzzle.kind_slug, COUNT, puzzle.position)
    counts = Job.objects.filter(key=key, state=Job.State.DONE).values("answer")
    left = puzzle.assignment.puzzles.exclude(pk=puzzle.pk).exclude(found_solutions__student=student)
    if puzzle.assignment.dealing == Assignment.Dealing.EACH:
        # The other boards are the classmates'.
        left = left.none()
    is_before = Case(When(number__gt=puzzle.number, then=0), default=1)
    numbers = left.order_by().values("assignment").annotate(number_left=Count("pk"))
    solutions = FoundSolution.objects.filter(student=student, puzzle=puzzle)
    mine = solutions.annotate(  # type: ignore[no-redef]
        count=Subquery(counts),
        go_on=Subquery(left.order_by(is_before, "number").values("pk")[:1]),
        left=Coalesce(Subquery(numbers.values("number_left")), 0),
    )
    found = list(mine)
    if not found or not found[0].count or not puzzle.assignment.shows_total:
        return found, None
    count = Job(kind_slug=puzzle.kind_slug, question=COUNT, answer=found[0].count).result
    return found, count.value if count and count.proven else None


def status(attempt: Attempt) -> Message:
    """Return the last thing that happened on the board, in words. Two queries at most."""
    if attempt.state == Attempt.State.SOLVED:
        return Message("Solved!")
    if attempt.is_jammed:
        return Message("No move is left. Go back some moves or start again.")
    if not attempt.last_action:
        if attempt.number == 1:
            return Message("The board is ready. Make the first move.")
        return Message("A new try: the board is as it was at the start.")
    kind = attempt.puzzle.kind
    moves = kind.line(attempt.position)
    if attempt.last_action == Step.Action.UNDO and attempt.taken_back > 1:
        return Message(
            "{taken} moves taken back. Moves so far: {number}",
            {"taken": attempt.taken_back, "number": len(moves)},
        )
    if attempt.last_action == Step.Action.UNDO:
        return Message("One move taken back. Moves so far: {number}", {"number": len(moves)})
    return Message(
        "Move {number}: {what}", {"number": len(moves), "what": kind.describe(moves[-1])}
    )


def spoken(attempt: Attempt, verdict: Verdict) -> list[Message]:
    """Return what the board shows of the last step to who sees it, for who hears it: once, with
    the status."""
    kind = attempt.puzzle.kind
    said: list[Message] = []
    if attempt.last_action == Step.Action.MOVE:
        said += kind.sequel(attempt.position)
    if attempt.last_action and verdict.score is not None:
        said.append(Message("Score: {score}", {"score": verdict.score}))
    return said


# Tools


class ToolButton(NamedTuple):
    """A button that takes up a tool."""

    name: str
    title: Message
    key: int | None
    """The key that presses it, too."""
    is_pressed: bool
    icon: Picture | None


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """For kinds where a press needs a choice first: the tools there are, and the board for one."""

    tools: Mapping[str, Message]
    """Name -> title; empty for kinds where a press says everything."""
    movable: Mapping[str, Message]
    """The same for what stands on the board and can be taken up again."""
    tool: str
    """The one that is taken up."""
    picture: Picture
    icons: Mapping[str, tuple[Shape, ...]] = field(default_factory=dict)
    """Tool -> its sign."""

    @property
    def is_drawn(self) -> bool:
        """The picture itself has a spot for each tool, so that no toolbar is wanted."""
        spots = {shape.move for shape in self.picture.shapes if isinstance(shape, Spot)}
        return self.tools.keys() <= spots

    @property
    def bar(self) -> list[ToolButton]:
        """The buttons beside the board; none where the board has them."""
        return [] if self.is_drawn else self._buttons(self.tools)

    @property
    def without_scripts(self) -> list[ToolButton]:
        """The buttons for a board that can't be pressed."""
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
    """Return the tools with the wanted one taken up, or the first when there is none such."""
    if kind.tools is None:
        return ToolChoice({}, {}, "", kind.draw(position))
    tools, movable = kind.tools.names(position), kind.tools.movable(position)
    tool = wanted if wanted in tools or wanted in movable else next(iter(tools), "")
    drawn = kind.tools.draw(position, tool)
    return ToolChoice(tools, movable, tool, drawn, kind.tools.icons)


def _has_new_tools(
    kind: AnyKind, attempt: Attempt | None, choice: ToolChoice | None, wanted: str
) -> bool:
    """Return whether the toolbar may look other than before the step."""
    if kind.tools is None:
        return False
    if not attempt or attempt.before is None or not choice or choice.tool != wanted:
        return True
    return kind.tools.names(attempt.before) != choice.tools


def _example(choice: ToolChoice) -> str:
    """Return a move as it may be typed: what some press would do. Empty when there is none."""
    spots = (shape for shape in choice.picture.shapes if isinstance(shape, Spot))
    names = {**choice.tools, **choice.movable}
    return next((spot.move for spot in spots if spot.move not in names), "")


# What is wrong

Faults = tuple[tuple[Cell, Message], ...]


@dataclass(frozen=True, slots=True)
class Warnings:
    """What the rules find wrong, and what can't end well where the teacher has it said."""

    faults: Faults = ()
    doomed: Faults = ()
    obstacle: Message | None = None
    """Why there is no solution any more, when no single place is to blame."""

    @property
    def is_lost(self) -> bool:
        """It is seen already that there is no solution any more."""
        return bool(self.doomed or self.obstacle)

    @property
    def said(self) -> list[Message]:
        """The first sentences."""
        return self._sentences[:MOST_SAID]

    @property
    def unsaid(self) -> int:
        """How many sentences more there would be."""
        return len(self._sentences) - len(self.said)

    @property
    def _sentences(self) -> list[Message]:
        # Faults of one sort in different places may say the same.
        return list({str(message): message for _, message in self.faults + self.doomed}.values())

    def drawn_on(self, picture: Picture) -> Picture:
        """Return the picture with a ring on every place that it does not ring itself."""
        rings = {}
        for style, faults in (("fault", self.faults), ("doomed", self.doomed)):
            if faults:
                ringed = _ringed(picture, style)
                rings[style] = sorted({cell for cell, _ in faults} - ringed)
        return picture.annotated(rings=rings) if rings else picture


def refusal_drawn_on(picture: Picture, place: Place) -> Picture:
    """Return the picture with the place marked at which a move failed, and the way to it."""
    lines = [
        Line(*centre(here), *centre(there), "refused-way") for here, there in pairwise(place.way)
    ]
    rings = {"refused": [place.cell] if place.cell and _is_on(picture, place.cell) else []}
    return picture.with_shapes(lines).annotated(rings=rings)


def _is_on(picture: Picture, cell: Cell) -> bool:
    return cell[1] * CELL < picture.width and cell[0] * CELL < picture.height


def _ringed(picture: Picture, style: str) -> set[Cell]:
    """Return the cells that have a circle of this style."""
    return {
        (int(shape.y // CELL), int(shape.x // CELL))
        for shape in picture.all_shapes
        if isinstance(shape, Circle) and shape.style == style
    }


def warnings_of(puzzle: AssignedPuzzle, position: Hashable, verdict: Verdict) -> Warnings:
    """Return what there is to say of the position to the student."""
    obstacles = puzzle.kind.obstacles
    if obstacles is None or verdict.over or not puzzle.assignment.warns:
        return Warnings(verdict.faults)
    doomed = obstacles.doomed(position)
    return Warnings(verdict.faults, doomed, None if doomed else obstacles.obstacle(position))


# Scores


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """What a student sees of scores at a puzzle."""

    now: int
    """On the board."""
    counts: bool
    """Whether the board may stay as it is."""
    mine: int | None
    """The student's best so far."""
    best: int | None
    """The best of the class."""

    @property
    def is_record(self) -> bool:
        """The student holds the class's record, alone or with others."""
        return self.mine is not None and self.mine == self.best


def score_card(
    student: User, puzzle: AssignedPuzzle, attempt: Attempt | None, verdict: Verdict
) -> ScoreCard | None:
    """Return the card for a board; None for a kind without a score.

    One query, none after a step whose score was written down.
    """
    if verdict.score is None:
        return None
    scores = attempt.scores if attempt else BestScore.objects.best(puzzle, student.pk)
    return ScoreCard(verdict.score, verdict.counts, scores.mine, scores.best)


@dataclass(frozen=True, slots=True)
class ShownGoal:
    """What a student may know of the score that a puzzle asks for."""

    score: int | None
    """That solves the puzzle; None where it would give the optimum away."""
    optimum: int | None
    """The best score there can be, where the teacher has it shown."""


def shown_goal(puzzle: AssignedPuzzle) -> ShownGoal | None:
    """Return it for the puzzle; None for a kind without a score. One query at most."""
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

    Only for those who have reached the goal themselves, or when the puzzle is over: nobody is to
    copy them.
    """
    scores = BestScore.objects.of_class(puzzle).order_by("-score", "pk")
    rows = list(scores.values_list("score", "text", "line"))
    lines = {text: line for score, text, line in rows if score == rows[0][0]}
    return [drawn_after(puzzle, line) for line in list(lines.values())[:MOST_RECORDS]]
