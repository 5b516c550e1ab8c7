"""The two boards of a day, the same for the whole site: one for everybody and a hard one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, lru_cache

from django.urls import reverse
from django.utils import timezone

from puzzleclass.classes.models import Classroom
from puzzleclass.classes.terms import FIRST_MONTHS, term_of
from puzzleclass.puzzles.worlds import BoardKey, PracticeBoard, hard_boards, kinds_of_site, worlds
from puzzleclass.seen_kinds import seen_kinds
from solvers.message import Message
from solvers.registry import AnyKind
from solvers.symmetry import symmetries

MAX_PETALS = 12
"""The most petals of a flower. Boards for everybody that have several solutions, and at most as
many, come first."""

EASY, HARD = "easy", "hard"

PLANTS = (
    (Message("Daffodil"), Message("Plum blossom"), Message("Pansy")),
    (Message("Snowdrop"), Message("Camellia"), Message("Winter jasmine")),
    (Message("Violet"), Message("Magnolia"), Message("Rapeseed flower")),
    (Message("Tulip"), Message("Cherry blossom"), Message("Dandelion")),
    (Message("Lily of the valley"), Message("Wisteria"), Message("Iris")),
    (Message("Hydrangea"), Message("Clover"), Message("Rose")),
    (Message("Lily"), Message("Morning glory"), Message("Lotus")),
    (Message("Sunflower"), Message("Canna"), Message("Marigold")),
    (Message("Cosmos"), Message("Bellflower"), Message("Bush clover")),
    (Message("Fragrant olive"), Message("Red spider lily"), Message("Salvia")),
    (Message("Chrysanthemum"), Message("Sasanqua"), Message("Aster")),
    (Message("Poinsettia"), Message("Cyclamen"), Message("Holly")),
)
"""The names of the boards for everybody: plants of each month."""

MOUNTAINS = (
    *(Message("Mount Fuji"), Message("Mount Tsurugi"), Message("Mount Yari"), Message("Mount Aso")),
    *(Message("Mount Daisen"), Message("Mount Zao"), Message("Mount Iwate"), Message("Mount Kuju")),
    *(Message("Kilimanjaro"), Message("Matterhorn"), Message("Everest"), Message("Denali")),
)
"""The names of the hard boards."""


@dataclass(frozen=True, slots=True)
class DailyBoard:
    """A board of a day."""

    day: date
    board: PracticeBoard
    name: Message
    is_hard: bool

    @property
    def word(self) -> str:
        """The part of its address that tells it from the other one of the day."""
        return HARD if self.is_hard else EASY

    @property
    def url(self) -> str:
        """The address at which a guest or a teacher plays the board and a student begins it."""
        return reverse("daily_board", args=[self.day, self.word])


def daily_pair(day: date) -> tuple[DailyBoard, ...]:
    """Return the boards of the day, of two kinds if there are two.

    There are fewer if no kind has such boards, or the reader of the page does not see the kind.
    """
    return tuple(each for each in _pair(day) if each.board.kind_slug in seen_kinds())


@lru_cache(1000)
def _pair(day: date) -> tuple[DailyBoard, ...]:
    number = day.toordinal()
    easy = _board_of(number, kinds_of_site(), easy_boards)
    others = [kind for kind in kinds_of_site() if not easy or kind != easy.kind]
    hard = _board_of(number, others or kinds_of_site(), hard_boards)
    pair = []
    if easy:
        pair.append(DailyBoard(day, easy, PLANTS[day.month - 1][day.day % 3], is_hard=False))
    if hard:
        pair.append(DailyBoard(day, hard, MOUNTAINS[number % len(MOUNTAINS)], is_hard=True))
    return tuple(pair)


def year_of(today: date) -> date:
    """Return the first day of the school year."""
    return date(term_of(today).year, FIRST_MONTHS[1], 1)


@lru_cache(400)
def _boards_between(first: date, last: date) -> dict[BoardKey, DailyBoard]:
    boards: dict[BoardKey, DailyBoard] = {}
    for number in range((last - first).days + 1):
        for daily in _pair(first + timedelta(days=number)):
            boards.setdefault(daily.board.key, daily)
    return boards


def daily_boards_of(classroom: Classroom, today: date) -> Mapping[BoardKey, DailyBoard]:
    """Return the boards of the days of this school year since the class was made.

    A board that returns within the year belongs to its first day.
    """
    begun_on = timezone.localdate(classroom.created_at)
    return _boards_between(min(max(year_of(today), begun_on), today), today)


@cache
def easy_boards(kind: AnyKind) -> tuple[PracticeBoard, ...]:
    """Return the boards of the collection that everybody can solve, those with several solutions
    first."""
    boards = [each for level in worlds(kind).values() for each in level]
    several = [each for each in boards if 1 < (each.solutions or 0) <= MAX_PETALS]
    single = (each for each in boards if each.band == EASY and each not in several)
    return (*(each for each in several if each.band in (EASY, "medium")), *single)


def _board_of(
    number: int, kinds: Sequence[AnyKind], boards_of: Callable[[AnyKind], Sequence[PracticeBoard]]
) -> PracticeBoard | None:
    """Return the board of the day with this number: the kinds take turns."""
    able = [kind for kind in kinds if boards_of(kind)]
    if not able:
        return None
    boards = boards_of(able[number % len(able)])
    turn, place = divmod(number // len(able), len(boards))
    return _turned(boards[place], turn)


def _turned(board: PracticeBoard, turn: int) -> PracticeBoard:
    """Return the board turned or mirrored, in another way at each turn, which changes neither the
    number of its solutions nor the difficulty. Boards of the worlds are no boards of a day."""
    images = [image for image in _images(board) if image != board.position] or [board.position]
    return replace(board, position=images[turn % len(images)])


@cache
def _images(board: PracticeBoard) -> list[str]:
    kind = board.kind
    start = kind.read(board.position)
    turned = (
        kind.turned(start, symmetry) for symmetry in symmetries(*kind.editor.size(board.position))
    )
    return sorted({kind.write_start(image) for image in turned if image is not None})
