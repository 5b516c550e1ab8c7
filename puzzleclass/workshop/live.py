"""The live answer beside a draft: what the workers know of the board that is drawn.

Each change asks again, and the questions about the board before are withdrawn, so that an author
has one board at a time with the workers. Live answers have a queue of their own, in which each has
a deadline.
"""

from dataclasses import dataclass, field
from functools import cached_property

from puzzleclass.accounts.models import User
from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.jobs.workers import LIVE_QUEUE
from puzzleclass.kinds.stored import store
from puzzleclass.language.reader import say
from puzzleclass.puzzles.answers import answer_in
from puzzleclass.workshop.drafting import Draft
from puzzleclass.workshop.sentences import Choice
from solvers.answers import CountAnswer, GenerateAnswer
from solvers.grid import read_cell, write_cell
from solvers.message import Message, gettext_noop
from solvers.picture import Picture
from solvers.rule_tables.position import TablePosition
from solvers.rule_tables.questions import ForbiddenAnswer, TrialAnswer
from solvers.rule_tables.sentences import noun_of_symbol, sentence

COUNT, TRIAL, FORBIDDEN = "count", "trial", "forbidden"
BOARDS = ("redraw", "complete")
"""The questions whose answer is a board that takes the place of the one that is drawn."""
PRIORITY = 0
MAX_FEW = 20
"""The most solutions that are called few."""

NO_BOARD = gettext_noop("No such board was found. Change the rules, or the size of the board.")
WORDS = {
    "none": gettext_noop("none"),
    "one": gettext_noop("one: a puzzle"),
    "few": gettext_noop("few: add a number, a symbol or a rule"),
    "many": gettext_noop("many: add numbers, symbols or rules"),
}


def ask(user: User, draft: Draft, question: str = "", **options: object) -> Job | None:
    """Ask about the draft, and withdraw what was asked about earlier ones.

    Without a question, the count and the trial are asked; a question replaces the one before it and
    leaves these two alone. Return the job of the question.
    """
    store(draft.table, is_kept=False)
    slug, asked = draft.table.slug, {}
    wanted = {question: options} if question else {COUNT: {}, TRIAL: {}}
    for name, chosen in wanted.items():
        asked[name] = jobs.ask(
            user, slug, name, draft.text, dict(chosen), queue=LIVE_QUEUE, priority=PRIORITY,
            again=True,
        )  # fmt: skip
    known = jobs.find_all(job_key(slug, name, draft.text) for name in (COUNT, TRIAL))
    jobs.withdraw_others(user, LIVE_QUEUE, [job.pk for job in (*asked.values(), *known.values())])
    return asked.get(question)


@dataclass(frozen=True, slots=True)
class Statement:
    """A rule or something drawn that takes part in a contradiction."""

    text: str
    step: str
    """The step that leaves it out."""
    solutions: int | None
    """The number of solutions without it; None if it was not counted."""


@dataclass
class Live:
    """What is known of a draft."""

    draft: Draft
    jobs: dict[str, Job]
    cell: str = ""
    """The pressed square."""
    board_job: Job | None = None
    """The job that brings another board."""
    pressed: Job | None = field(default=None)
    """The job that tells why symbols can't be on the pressed square."""

    @property
    def is_pending(self) -> bool:
        asked = [*self.jobs.values(), self.board_job, self.pressed]
        return any(job and not job.has_ended for job in asked)

    @property
    def has_no_worker(self) -> bool:
        return any(job.has_no_worker for job in self.jobs.values())

    @property
    def has_failed(self) -> bool:
        """Whether nothing more will come although the count is not known."""
        job = self.jobs.get(COUNT)
        return bool(job and job.has_ended and not self.count)

    @cached_property
    def count(self) -> CountAnswer | None:
        return answer_in(self.jobs.get(COUNT), CountAnswer)

    @cached_property
    def trial(self) -> TrialAnswer | None:
        return answer_in(self.jobs.get(TRIAL), TrialAnswer)

    @property
    def value(self) -> int:
        return (self.count and self.count.value) or 0

    @property
    def word(self) -> str:
        """The word beside the number."""
        if self.value > MAX_FEW or (self.count and not self.count.proven):
            return WORDS["many"]
        return WORDS["none" if not self.value else "one" if self.value == 1 else "few"]

    @cached_property
    def start(self) -> TablePosition:
        return self.draft.kind.read_start(self.draft.text)

    @property
    def free_number(self) -> int:
        """The number of squares that are free at the start."""
        return len({move.cell for move in self.draft.kind.moves(self.start)})

    @property
    def sure_number(self) -> int | None:
        """The number of free squares that are the same in every solution; None if not known."""
        if not (self.count and self.count.proven and self.value):
            return None
        by_cell: dict[str, list[int]] = {}
        for move, number in self.count.by_move.items():
            by_cell.setdefault(move.rpartition(" ")[2], []).append(number)
        return sum(max(each) in (0, self.value) for each in by_cell.values())

    @property
    def one(self) -> Picture | None:
        """A solution."""
        if not (self.count and self.value):
            return None
        known = self.trial if self.trial and self.trial.proven else self.count
        return self._solution(known.moves)

    @property
    def other(self) -> Picture | None:
        """Another solution, with rings where it differs."""
        if not self.trial or self.trial.other is None:
            return None
        first, second = (
            self.draft.kind.play_line(self.start, " ".join(moves)).now
            for moves in (self.trial.moves, self.trial.other)
        )
        columns = self.draft.board.columns
        cells = [divmod(at, columns) for at, sign in enumerate(first) if sign != second[at]]
        return self._solution(self.trial.other).annotated(rings={"changed": cells})

    def _solution(self, moves: tuple[str, ...]) -> Picture:
        kind = self.draft.kind
        return kind.draw(kind.play_line(self.start, " ".join(moves)))

    @property
    def solves_empty(self) -> bool:
        """Whether the board is solved while it is still empty."""
        return self.draft.kind.judge(self.start).solved

    @property
    def idle(self) -> list[Statement]:
        """The rules that do nothing on this board."""
        return [self._rule(number) for number in (self.trial.idle if self.trial else ())]

    @property
    def is_unexplained(self) -> bool:
        """Whether it was not found in time why there is no solution."""
        return bool(self.trial and self.trial.value == 0 and not self.contradiction)

    @property
    def contradiction(self) -> list[Statement]:
        """The rules and drawn things that contradict each other."""
        if not self.trial:
            return []
        found = [self._rule(number) for number in self.trial.rules]
        for place in self.trial.drawn:
            section, _space, cell = place.partition(" ")
            row, column = read_cell(cell) if "," in cell else (0, 0)
            text = Message(
                "What is drawn at row {row}, column {column}",
                {"row": row + 1, "column": column + 1},
            )
            left = self.trial.without.get(place)
            found.append(Statement(say(text), f"undraw {section} {cell}", left))
        return found

    def _rule(self, number: int) -> Statement:
        table = self.draft.table
        left = self.trial.without.get(str(number)) if self.trial else None
        text = say(sentence(table, table.rules[number - 1])) if number <= len(table.rules) else ""
        return Statement(text, f"rule {number} drop", left)

    @property
    def left(self) -> list[tuple[str, int, list[str]]]:
        """For each symbol: its name, in how many solutions it is on the pressed square, and the
        sentences of the rules that forbid it."""
        if not (self.cell and self.count):
            return []
        why = answer_in(self.pressed, ForbiddenAnswer)
        left: list[tuple[str, int, list[str]]] = []
        for symbol in self.draft.table.symbols:
            move = f"{self.draft.kind.word(symbol.letter)} {self.cell}"
            if move not in self.count.by_move:
                continue
            rules = why.why.get(symbol.letter, ()) if why else ()
            name = say(Message(noun_of_symbol(symbol).title))
            left.append((name, self.count.by_move[move], [self._rule(n).text for n in rules]))
        return left

    @property
    def new_board(self) -> Choice | None:
        """The step that takes another board, once there is one."""
        answer = answer_in(self.board_job, GenerateAnswer)
        if not answer or not answer.boards:
            return None
        return Choice(f"board {answer.boards[0].position}", "")

    @property
    def no_board(self) -> str:
        """Why there is no other board; empty while one is looked for, or once there is one."""
        if not self.board_job or not self.board_job.has_ended or self.new_board:
            return ""
        answer = answer_in(self.board_job, GenerateAnswer)
        return say(answer.note if answer and answer.note else Message(NO_BOARD))


def live_answer(draft: Draft, cell: str = "", board_job: Job | None = None) -> Live:
    """Return what is known of a draft. One query."""
    if cell:
        cell = write_cell(read_cell(cell))
    slug = draft.table.slug
    keys = {name: job_key(slug, name, draft.text) for name in (COUNT, TRIAL)}
    if cell:
        keys[FORBIDDEN] = job_key(slug, FORBIDDEN, draft.text, {"cell": cell})
    found = jobs.find_all(keys.values())
    known = {name: found[key] for name, key in keys.items() if key in found}
    pressed = known.pop(FORBIDDEN, None)
    if board_job and board_job.kind_slug != slug:
        board_job = None
    return Live(draft, known, cell, board_job, pressed)
