"""Votes on a position: begin, answer, count, and compare with the exact truth.

The class votes, talks in pairs and votes again. Until the truth is revealed, no page shows it, and
nothing that is sent to a student depends on it.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.functional import cached_property

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, Assignment, Pace
from puzzleclass.assignments.pace import begin_activity, change_pace
from puzzleclass.charts import round_half_up
from puzzleclass.errors import QuotaReached
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.lessons.models import Ballot, Round, Vote
from puzzleclass.puzzles.answers import COUNT, answer_in, short
from puzzleclass.puzzles.player import numbered
from solvers.answers import CountAnswer
from solvers.grid import centre
from solvers.kind import PuzzleError, split_moves
from solvers.message import Message
from solvers.picture import Picture, Text

Question, Stage = Vote.Question, Vote.Stage

MAX_ANSWERS = 12
"""The most different moves whose solutions are counted: those with the most ballots."""

MAX_DIGITS = 18
"""The longest estimate of a number of solutions, in digits."""

YES, NO = "yes", "no"

NEXT = {
    Stage.TALK: (Stage.FIRST,),
    Stage.SECOND: (Stage.FIRST, Stage.TALK),
    Stage.REVEALED: (Stage.SECOND,),
    Stage.OVER: (Stage.FIRST, Stage.TALK, Stage.SECOND, Stage.REVEALED),
}
"""The stages from which a vote can go to each stage."""

NO_MOVE_LEFT = Message("No move is left on this board, so there is nothing to ask.")
VOTE_IS_CLOSED = Message(
    "Your answer came too late and does not count. Please look at your teacher."
)
NO_ANSWER = Message("This answer is not possible. Please answer again.")


def running_vote(assignment: Assignment) -> Vote | None:
    """Return the vote to which the class is led now. One query.

    A vote that was never ended ends with its lesson.
    """
    since = timezone.now() - Pace.LASTS
    running = Vote.objects.filter(assignment=assignment, begun_at__gt=since)
    vote = running.exclude(stage=Stage.OVER).select_related("puzzle").order_by("-pk").first()
    if vote:
        vote.assignment = vote.puzzle.assignment = assignment
    return vote


@transaction.atomic
def begin_vote(teacher: User, puzzle: AssignedPuzzle, line: str, question: str) -> Vote:
    """Ask the class about the position after `line`, and end a vote that is running.

    Raise PuzzleError if the line can't be played or no move is left, and QuotaReached if there are
    too many votes.
    """
    kind, assignment = puzzle.kind, puzzle.assignment
    position = kind.play_line(puzzle.start, line)
    if question == Question.MOVE and next(iter(kind.moves(position)), None) is None:
        raise PuzzleError(NO_MOVE_LEFT)
    if assignment.votes.count() >= Vote.MAX_COUNT:
        raise QuotaReached(
            Message(
                "This assignment already has {most} votes, which is the maximum.",
                {"most": Vote.MAX_COUNT},
            )
        )
    # The pace comes first. Its lock makes two presses at once wait for each other.
    begin_activity(
        assignment,
        is_paused=False,
        paused_at=None,
        starts_at=None,
        clock_ends_at=None,
        shown="question",
    )
    assignment.votes.exclude(stage=Stage.OVER).update(stage=Stage.OVER)
    vote = assignment.votes.create(puzzle=puzzle, line=kind.write_line(position), question=question)
    _ask(teacher, vote, [position_text(vote)])
    Round.objects.filter(assignment=assignment, is_over=False).update(is_over=True)
    return vote


@transaction.atomic
def advance_vote(teacher: User, vote: Vote, stage: str) -> None:
    """Bring the vote to the next stage. A stage that does not follow changes nothing."""
    allowed = NEXT.get(Stage(stage), ()) if stage in Stage.values else ()
    if not Vote.objects.filter(pk=vote.pk, stage__in=allowed).update(stage=stage):
        return
    vote.stage = stage
    if vote.question == Question.MOVE and stage in (Stage.TALK, Stage.SECOND, Stage.REVEALED):
        # While the class talks, the worker counts what the moves leave.
        _ask(teacher, vote, [position_text(vote, move) for move in _voted_moves(vote)])
    change_pace(vote.assignment)


def _ask(teacher: User, vote: Vote, positions: Iterable[str]) -> None:
    """Have the solutions of the positions counted, before other work that nobody waits for."""
    for position in positions:
        with suppress(PuzzleError):
            jobs.ask(teacher, vote.puzzle.kind_slug, COUNT, position, queue="review", priority=0)


def position_text(vote: Vote, move: str = "") -> str:
    """Return the vote's position, after the move if there is one, as a job is asked about it."""
    line = f"{vote.line} {move}".strip()
    return f"{vote.puzzle.position} | {line}" if line else vote.puzzle.position


def position_of(vote: Vote) -> Any:
    """Return the position about which the class is asked."""
    return vote.puzzle.kind.play_line(vote.puzzle.start, vote.line)


# Ballots


def cast(vote: Vote, student: User, text: str, round: str | None = None) -> Ballot:
    """Store the student's answer in this round; a later one replaces it.

    `round` is the round that the student's page showed. An answer that waited for the network may
    arrive in the next one. Raise PermissionDenied if the round is over, and PuzzleError if the text
    is no possible answer.
    """
    if not vote.takes_ballots or round not in (None, str(vote.round)):
        raise PermissionDenied(VOTE_IS_CLOSED)
    answer = _canonical(vote, text.strip())
    ballot, _is_new = Ballot.objects.update_or_create(
        vote=vote, student=student, round=vote.round, defaults={"answer": answer}
    )
    return ballot


def _canonical(vote: Vote, text: str) -> str:
    """Return the answer as it is stored. Raise PuzzleError if it is none."""
    if vote.question == Question.MOVE:
        move = vote.puzzle.kind.read_move(text)
        vote.puzzle.kind.play(position_of(vote), move)
        return vote.puzzle.kind.write_move(move)
    if vote.question == Question.SOLVABLE and text in (YES, NO):
        return text
    if vote.question == Question.COUNT and text.isdecimal() and len(text) <= MAX_DIGITS:
        return str(int(text))
    raise PuzzleError(NO_ANSWER)


# What the class has answered, and the truth


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer of the class, with its ballots and, once it is known, what it leaves."""

    answer: str
    described: Message | str
    first: int
    """The number of ballots in the first round."""
    second: int
    is_right: bool | None = None
    """Whether the answer is right; None as long as it is not known."""
    count: CountAnswer | None = None
    """The solutions that a move leaves; None for other answers, and until they are counted."""
    continuation: Picture | None = None
    """The board with a solution that follows the move."""


class PlacedEstimate(NamedTuple):
    """An answer on a number line."""

    x: int
    label_y: int
    """The height of its label. Labels of neighbours have different heights."""
    number: str
    ballots: int
    first: int
    """The ballots in the first round, while the second is shown."""
    is_right: bool


@dataclass(frozen=True, slots=True)
class NumberLine:
    """Estimates on a number line with a logarithmic scale, from the smallest to the largest."""

    estimates: list[PlacedEstimate]
    truth: tuple[int, str] | None
    """The place of the true number, and the number; None until it is shown, and where an estimate
    is right."""

    WIDTH: ClassVar[int] = 560

    @classmethod
    def of(
        cls, ballots: Counter[str], truth: int | None, first: Counter[str] | None = None
    ) -> "NumberLine":
        """Return the estimates of a round, and those of the `first` round below them."""
        before = Counter() if first is None else first
        numbers = sorted(int(answer) for answer in ballots | before)
        shown = [*numbers, *([] if truth is None else [truth])] or [0]
        least, most = math.log1p(min(shown)), math.log1p(max(shown))

        def place(number: int) -> int:
            share = (math.log1p(number) - least) / (most - least) if most > least else 0.5
            return 40 + round((cls.WIDTH - 80) * share)

        estimates = [
            PlacedEstimate(
                place(number),
                30 + 18 * (at % 3),
                short(number),
                ballots[str(number)],
                before[str(number)],
                number == truth,
            )
            for at, number in enumerate(numbers)
        ]
        is_named = truth is None or truth in numbers
        return cls(estimates, None if truth is None or is_named else (place(truth), short(truth)))


@dataclass(frozen=True)
class Result:
    """A vote with its ballots, and with the truth where it is known."""

    vote: Vote
    ballots: dict[int, Counter[str]]
    """Round -> the number of ballots of each answer."""
    found: dict[str, Job]

    @property
    def now(self) -> Counter[str]:
        """The ballots of the round that is counted now, or was counted last."""
        return self.ballots[2 if self.has_second else 1]

    @property
    def number(self) -> int:
        return self.now.total()

    @property
    def has_second(self) -> bool:
        """Whether there was a second round, or is one now."""
        if self.vote.stage == Stage.OVER:
            return bool(self.ballots[2])
        return self.vote.round == 2

    @property
    def version(self) -> tuple[object, ...]:
        """A value that changes with what the stage shows."""
        answered = sorted(key for key, job in self.found.items() if job.result)
        return sorted(self.now.items()), answered, self.is_counting

    @cached_property
    def truth(self) -> CountAnswer | None:
        """The solutions of the position; None until they are counted."""
        return self._count(position_text(self.vote))

    @property
    def is_counting(self) -> bool:
        """Whether the worker has not yet counted everything that the page shows."""
        wanted = [position_text(self.vote)]
        if self.vote.question == Question.MOVE:
            wanted += [position_text(self.vote, move) for move in _most_voted(self.ballots)]
        jobs_wanted = [self.found.get(_key(self.vote, text)) for text in wanted]
        return any(job is not None and not job.has_ended for job in jobs_wanted)

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The answers, those with the most ballots first; numbers in their order."""
        answers = self.ballots[1] | self.ballots[2]
        outcomes = [self._outcome(answer) for answer in answers]
        if self.vote.question == Question.COUNT:
            return sorted(outcomes, key=lambda each: int(each.answer))
        return sorted(outcomes, key=lambda each: (-each.second, -each.first, each.answer))

    @property
    def line(self) -> "NumberLine":
        """The estimates on a number line: of the round that is counted now, and of the first."""
        known = self.truth if self.vote.stage in (Stage.REVEALED, Stage.OVER) else None
        truth = known.value if known and known.proven else None
        return NumberLine.of(self.now, truth, self.ballots[1] if self.has_second else None)

    @property
    def asked(self) -> Picture:
        """The board about which the class is asked. It depends on no ballot."""
        return self.vote.puzzle.kind.draw(position_of(self.vote))

    @property
    def picture(self) -> Picture:
        """The board, with the number of ballots on each cell at which a move ends."""
        kind, picture = self.vote.puzzle.kind, self.asked
        if self.vote.question != Question.MOVE:
            return picture
        numbers: Counter[tuple[int, int]] = Counter()
        for answer, number in self.now.items():
            numbers[kind.cell_of(kind.read_move(answer))] += number
        return picture.with_shapes(
            Text(*centre(cell), f"×{number}", "label long") for cell, number in numbers.items()
        )

    @property
    def solution(self) -> Picture | None:
        """The board with one solution from the position; None without one."""
        return self._drawn(self.truth, "")

    def right(self, round: int) -> int | None:
        """Return the number of right answers in a round; None as long as that is not known."""
        if self.truth is None or any(each.is_right is None for each in self.outcomes):
            return None
        right = {each.answer for each in self.outcomes if each.is_right}
        return sum(n for answer, n in self.ballots[round].items() if answer in right)

    @property
    def gain(self) -> tuple[int, int] | None:
        """The right answers in per cent before and after the talk; None if not both are known."""
        shares = []
        for round in (1, 2):
            right, number = self.right(round), self.ballots[round].total()
            if right is None or not number:
                return None
            shares.append(round_half_up(100 * right, number))
        return shares[0], shares[1]

    def _outcome(self, answer: str) -> Outcome:
        kind = self.vote.puzzle.kind
        first, second = self.ballots[1][answer], self.ballots[2][answer]
        if self.vote.question == Question.MOVE:
            count = self._count(position_text(self.vote, answer))
            is_right = None
            if count and (count.value or count.proven):
                is_right = bool(count.value)
            described = kind.describe(kind.read_move(answer))
            drawn = self._drawn(count, answer)
            return Outcome(answer, described, first, second, is_right, count, drawn)
        is_right = None
        if self.vote.question == Question.SOLVABLE:
            described = Message("Yes") if answer == YES else Message("No")
            if self.truth and (self.truth.value or self.truth.proven):
                is_right = bool(self.truth.value) == (answer == YES)
            return Outcome(answer, described, first, second, is_right)
        if self.truth and self.truth.proven:
            is_right = int(answer) == self.truth.value
        return Outcome(answer, f"{int(answer):,}", first, second, is_right)

    def _count(self, position: str) -> CountAnswer | None:
        return answer_in(self.found.get(_key(self.vote, position)), CountAnswer)

    def _drawn(self, count: CountAnswer | None, move: str) -> Picture | None:
        if count is None or not count.value:
            return None
        kind, line = self.vote.puzzle.kind, " ".join((move, *count.moves)).strip()
        end = kind.play_line(position_of(self.vote), line)
        if not kind.judge(end).solved:
            return None
        picture = kind.draw(end)
        if kind.family != "sequence":
            return picture
        return numbered(kind, picture, split_moves(line))


def results_of(votes: Iterable[Vote]) -> list[Result]:
    """Return the votes with their ballots and what is known of the truth. Two queries."""
    votes = list(votes)
    ballots: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    rows = Ballot.objects.filter(vote__in=votes).values_list("vote", "round", "answer")
    for vote, round, answer in rows:
        ballots[vote, round][answer] += 1
    counted = {vote.pk: {n: ballots[vote.pk, n] for n in (1, 2)} for vote in votes}
    keys = []
    for each in votes:
        moves = _most_voted(counted[each.pk]) if each.question == Question.MOVE else []
        keys += [_key(each, position_text(each, move)) for move in ("", *moves)]
    found = jobs.find_all(keys)
    return [Result(vote, counted[vote.pk], found) for vote in votes]


def _voted_moves(vote: Vote) -> list[str]:
    return _most_voted(results_of([vote])[0].ballots)


def _most_voted(ballots: dict[int, Counter[str]]) -> list[str]:
    """Return the moves whose solutions are counted."""
    total = ballots[1] + ballots[2]
    return sorted(total, key=lambda move: (-total[move], move))[:MAX_ANSWERS]


def _key(vote: Vote, position: str) -> str:
    kind = vote.puzzle.kind
    return job_key(vote.puzzle.kind_slug, COUNT, kind.write(kind.read(position)))
