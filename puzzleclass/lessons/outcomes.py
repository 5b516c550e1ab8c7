"""What the class has answered to a question, why, and the exact truth about it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from puzzleclass.charts import round_half_up
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.lessons.models import Answer, Question
from puzzleclass.lessons.number_line import NumberLine
from puzzleclass.lessons.questions import (
    REASON,
    YES,
    A,
    B,
    Form,
    Sort,
    Stage,
    board_of,
    most_answered,
    position_of,
    text_of,
    truths,
)
from puzzleclass.lessons.whys import Why, drawn_why
from puzzleclass.play.reviews import QUESTION as REVIEW
from puzzleclass.play.reviews import Review, read_review
from puzzleclass.puzzles.answers import COUNT, answer_in
from puzzleclass.puzzles.player import numbered
from solvers.answers import CountAnswer, ReasonAnswer
from solvers.grid import centre, read_cell
from solvers.kind import split_moves
from solvers.message import Message
from solvers.picture import Picture, Text
from solvers.registry import get_kind


@dataclass(frozen=True)
class Outcome:
    """An answer of the class, with how often it was given and, once it is known, what it leaves."""

    answer: str
    described: Message | str
    first: int
    """How many gave it in the first round."""
    second: int
    is_right: bool | None = None
    """Whether the answer is right; None as long as it is not known, and if nothing is right."""
    count: CountAnswer | None = None
    """The solutions that a move or a board leaves; None for other answers, and until they are
    counted."""
    continuation: Picture | None = None
    """The board with a solution that follows the move."""
    why: Why | None = None
    listed: list[Answer] = field(default_factory=list)
    """Those who gave it with a reason, or all where the answer is a sentence. The teacher chooses
    among them."""

    @property
    def chosen(self) -> list[str]:
        """The sentences that the teacher has chosen."""
        return [each.words for each in self.listed if each.is_chosen and each.words]


class Gain(NamedTuple):
    """The right answers of the students who have answered twice."""

    students: int
    before: int
    """The right answers in the first round, in per cent."""
    after: int


@dataclass(frozen=True)
class Result:
    """A question with its answers, and with the truth where it is known."""

    question: Question
    answers: list[Answer]
    """All answers of students, of both rounds."""
    found: Mapping[str, Job]

    @cached_property
    def counted(self) -> list[Answer]:
        """The answers that count, which came before the answer was shown."""
        return [each for each in self.answers if not each.is_late]

    @property
    def late(self) -> list[tuple[Answer, Message | str]]:
        """The answers that came after the answer was shown, in words."""
        late = [each for each in self.answers if each.is_late]
        return [(each, described(self.question, each.answer)) for each in late]

    @cached_property
    def rounds(self) -> dict[int, Counter[str]]:
        """Round -> how often each answer was given."""
        given: dict[int, Counter[str]] = {1: Counter(), 2: Counter()}
        for each in self.counted:
            given[each.round][each.answer] += 1
        return given

    @property
    def has_second(self) -> bool:
        """Whether there was a second round, or is one now."""
        return self.question.round == 2

    @property
    def now(self) -> Counter[str]:
        """The answers of the round that is counted now, or was counted last."""
        return self.rounds[self.question.round]

    @property
    def number(self) -> int:
        return self.now.total()

    @property
    def answered(self) -> set[int]:
        """The students (pk) who have answered in this round."""
        return {each.student_id for each in self.counted if each.round == self.question.round}

    @property
    def version(self) -> tuple[object, ...]:
        """A value that changes with what the teacher's page shows."""
        parts = [
            (each.pk, each.version, each.is_chosen, each.has_changed, each.is_late)
            for each in self.answers
        ]
        ended = sorted(key for key, job in self.found.items() if job.result)
        stage = (self.question.pk, self.question.shown_stage, self.question.round)
        return *stage, bool(self.question.closes_in), parts, ended, self.is_counting

    # The truth

    @cached_property
    def truth(self) -> CountAnswer | None:
        """The solutions of the position; None until they are counted."""
        return self._count() if self.question.puzzle else None

    @cached_property
    def other_truth(self) -> CountAnswer | None:
        """The solutions of the second of two boards."""
        return self._count(B) if self.question.other_puzzle else None

    @cached_property
    def review(self) -> Review | None:
        """After which move of the line no solution was left."""
        return read_review(self.found.get(self._key(REVIEW)))

    @property
    def is_counting(self) -> bool:
        """Whether the worker has not yet found everything that the page shows."""
        return any(not job.has_ended for job in self.found.values())

    @cached_property
    def why(self) -> Why | None:
        """Why the board can't be solved; None if it can, or if no reason was found."""
        puzzle = self.question.puzzle
        if self.question.sort == Sort.MISTAKE and puzzle:
            if not (self.review and self.review.fatal and self.review.why):
                return None
            moves = split_moves(self.question.line)[: self.review.fatal]
            return drawn_why(puzzle, " ".join(moves), self.review.why)
        return self._why(self.truth) if puzzle else None

    def _why(self, count: CountAnswer | None, which: str = A, move: str = "") -> Why | None:
        puzzle, line = board_of(self.question, which)
        if puzzle is None or count is None or count.value or not count.proven:
            return None
        answer = answer_in(self.found.get(self._key(REASON, which, move)), ReasonAnswer)
        if answer is None or answer.reason is None:
            return None
        return drawn_why(puzzle, f"{line} {move}".strip(), answer.reason)

    def _count(self, which: str = A, move: str = "") -> CountAnswer | None:
        return answer_in(self.found.get(self._key(COUNT, which, move)), CountAnswer)

    def _key(self, name: str, which: str = A, move: str = "") -> str:
        puzzle, _line = board_of(self.question, which)
        assert puzzle is not None
        return _key(name, puzzle.kind_slug, text_of(self.question, which, move))

    # The answers

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """The answers, those that were given most first; numbers in their order."""
        first, second = self.rounds[1], self.rounds[2]
        outcomes = [self._outcome(answer) for answer in first | second]
        if self.question.asks_for in ("number", "step"):
            return sorted(outcomes, key=lambda each: int(each.answer))
        return sorted(outcomes, key=lambda each: (-each.second, -each.first, each.answer))

    @property
    def shown(self) -> list[Outcome]:
        """The answers as the class sees them. Sentences are the children's own words, so only those
        that the teacher has chosen are shown."""
        if self.question.asks_for != Form.SENTENCE:
            return self.outcomes
        return [each for each in self.outcomes if any(one.is_chosen for one in each.listed)]

    @property
    def reasons(self) -> list[Outcome]:
        """The answers of which the teacher can choose reasons."""
        return [each for each in self.outcomes if each.listed]

    @property
    def right_described(self) -> Message | str:
        """What the teacher calls right, in words."""
        return described(self.question, self.question.right)

    @property
    def chosen(self) -> list[Outcome]:
        """The answers with chosen sentences, in an order that says nothing of their numbers."""
        chosen = [each for each in self.outcomes if each.chosen]
        return sorted(chosen, key=lambda each: crc32(f"{self.question.pk} {each.answer}".encode()))

    def _outcome(self, answer: str) -> Outcome:
        question = self.question
        is_right: bool | None = None
        count: CountAnswer | None = None
        continuation, why = None, None
        if question.asks_for == "move" and question.sort == Sort.MOVE:
            count = self._count(A, answer)
            if count and (count.value or count.proven):
                is_right = bool(count.value)
            continuation, why = self._drawn(count, answer), self._why(count, A, answer)
        elif question.sort == Sort.SOLVABLE:
            if self.truth and (self.truth.value or self.truth.proven):
                is_right = bool(self.truth.value) == (answer == YES)
        elif question.sort == Sort.COUNT:
            if self.truth and self.truth.proven:
                is_right = int(answer) == self.truth.value
        elif question.sort == Sort.WHICH:
            count = self.truth if answer == A else self.other_truth
            why = self._why(count, answer)
            is_right = self._has_more(answer)
        elif question.sort == Sort.MISTAKE:
            if self.review and not self.review.never:
                is_right = int(answer) == self.review.fatal
        elif question.right:
            is_right = answer.casefold() == question.right.casefold()
        return Outcome(
            answer,
            described(question, answer),
            self.rounds[1][answer],
            self.rounds[2][answer],
            is_right,
            count,
            continuation,
            why,
            [each for each in self.counted if each.answer == answer and self._is_listed(each)],
        )

    def _is_listed(self, answer: Answer) -> bool:
        return bool(answer.words or answer.cell) or self.question.asks_for == Form.SENTENCE

    def _has_more(self, answer: str) -> bool | None:
        """Return whether the board has more solutions than the other one; None if that is not
        proven, or if they have the same number."""
        one, other = self.truth, self.other_truth
        if one is None or other is None or not (one.proven and other.proven):
            return None
        more = (one.value or 0) - (other.value or 0)
        return (more > 0) == (answer == A) if more else None

    @property
    def line(self) -> NumberLine:
        """The estimates on a number line: of the round that is counted now, and of the first."""
        known: int | None = self.truth.value if self.truth and self.truth.proven else None
        if self.question.right:
            known = int(self.question.right)
        is_shown = self.question.stage in (Stage.REVEALED, Stage.OVER)
        return NumberLine.of(
            self.now, known if is_shown else None, self.rounds[1] if self.has_second else None
        )

    @property
    def asked(self) -> list[Picture]:
        """The board or the two boards of the question, with rings on the chosen cells."""
        return [
            picture.annotated(rings={"hinted-move": self._chosen_cells(which)})
            for picture, which in zip(pictures_of(self.question), (A, B), strict=False)
        ]

    @property
    def pictures(self) -> list[Picture]:
        """The same boards; where moves were asked for, with how many ended one on each cell."""
        asked, puzzle = self.asked, self.question.puzzle
        if self.question.asks_for != "move" or puzzle is None:
            return asked
        numbers: Counter[tuple[int, int]] = Counter()
        for answer, number in self.now.items():
            numbers[puzzle.kind.cell_of(puzzle.kind.read_move(answer))] += number
        labels = [Text(*centre(cell), f"×{n}", "label long") for cell, n in numbers.items()]
        return [asked[0].with_shapes(labels)]

    def _chosen_cells(self, which: str) -> set[tuple[int, int]]:
        is_of_two = self.question.sort == Sort.WHICH
        return {
            read_cell(each.cell)
            for each in self.counted
            if each.is_chosen and each.cell and (not is_of_two or each.answer == which)
        }

    @property
    def solution(self) -> Picture | None:
        """The board with one solution from the position; None without one."""
        return self._drawn(self.truth, "") if self.question.puzzle else None

    @property
    def gain(self) -> Gain | None:
        """What the talk has changed among the students who answered twice; None if nobody has, or
        as long as it is not known which answers are right."""
        given: dict[int, dict[int, str]] = {1: {}, 2: {}}
        for each in self.counted:
            given[each.round][each.student_id] = each.answer
        twice = given[1].keys() & given[2].keys()
        if not twice or any(each.is_right is None for each in self.outcomes):
            return None
        right = {each.answer for each in self.outcomes if each.is_right}
        before, after = (
            round_half_up(100 * sum(of[student] in right for student in twice), len(twice))
            for of in (given[1], given[2])
        )
        return Gain(len(twice), before, after)

    def _drawn(self, count: CountAnswer | None, move: str) -> Picture | None:
        puzzle = self.question.puzzle
        if puzzle is None or count is None or not count.value:
            return None
        kind, line = puzzle.kind, " ".join((move, *count.moves)).strip()
        end = kind.play_line(position_of(self.question), line)
        if not kind.judge(end).solved:
            return None
        picture = kind.draw(end)
        return numbered(kind, picture, split_moves(line)) if kind.family == "sequence" else picture


def described(question: Question, answer: str) -> Message | str:
    """Return an answer in words."""
    asks_for = question.asks_for
    if asks_for == "move" and question.puzzle:
        kind = question.puzzle.kind
        return kind.describe(kind.read_move(answer))
    if asks_for == "yes":
        return Message("Yes") if answer == YES else Message("No")
    if asks_for == "board":
        return Message("Board {letter}", {"letter": answer.upper()})
    if asks_for == "step":
        return Message("Move {n}", {"n": int(answer)}) if int(answer) else Message("No mistake")
    return f"{int(answer):,}" if asks_for == "number" else answer


def pictures_of(question: Question) -> list[Picture]:
    """Return the board or the two boards of a question; none if it is about no board."""
    if question.puzzle is None:
        return []
    kind = question.puzzle.kind
    picture = kind.draw(position_of(question))
    if question.sort == Sort.MISTAKE and kind.family == "sequence":
        picture = numbered(kind, picture, split_moves(question.line))
    if question.other_puzzle is None:
        return [picture]
    return [picture, question.other_puzzle.kind.draw(position_of(question, B))]


def results_of(questions: Iterable[Question]) -> list[Result]:
    """Return the questions with their answers and what is known of the truth. Two queries."""
    questions = list(questions)
    given: defaultdict[int, list[Answer]] = defaultdict(list)
    rows = Answer.objects.filter(question__in=questions).select_related("student")
    for answer in rows.order_by("pk"):
        given[answer.question_id].append(answer)
    keys = {
        each.pk: [
            _key(*asked)
            for asked in truths(each, most_answered(a for a in given[each.pk] if not a.is_late))
        ]
        for each in questions
    }
    results = jobs.find_all(key for own in keys.values() for key in own)
    return [
        Result(each, given[each.pk], {key: results[key] for key in keys[each.pk] if key in results})
        for each in questions
    ]


def _key(name: str, kind_slug: str, position: str) -> str:
    kind = get_kind(kind_slug)
    return job_key(kind_slug, name, kind.write(kind.read(position)))
