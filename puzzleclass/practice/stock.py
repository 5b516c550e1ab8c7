"""The stock: boards that the worker makes beforehand, so that nobody waits for one.

A round checks whether a level lacks boards or has old ones. If so, the kind's next order
(`solvers.registry.orders`) becomes a job of the question "generate", which waits behind everybody's
own questions. Later rounds have its boards rated and put them into the levels of the collection
with boards as difficult. If a kind has no orders, or no worker is running, students still have the
collection.
"""

from bisect import bisect_right
from datetime import timedelta

from celery import shared_task
from django.db.models import Count, Min
from django.utils import timezone

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.practice.models import MadeBoard, Making
from puzzleclass.practice.skill import measured_difficulty
from puzzleclass.puzzles.answers import RATE
from puzzleclass.puzzles.generator import GENERATE
from puzzleclass.puzzles.models import fingerprint
from puzzleclass.puzzles.worlds import kinds_with_worlds, worlds
from solvers.answers import GenerateAnswer, GeneratedBoard, RateAnswer
from solvers.registry import AnyKind, Order, collection, orders

BOARDS_PER_LEVEL = 12
"""The number of boards that the worker makes for a level in addition to the collection."""

FRESH_FOR = timedelta(days=14)
"""The age after which the oldest board of a full level makes room for a new one."""

UNRATED = 0
"""The level of boards that were made but are not rated yet. Nobody sees them."""

LAST_IN_QUEUE = 9
"""The priority of jobs that nobody waits for."""

FIRST_SEED = 100_000
"""The first seed of the stock. The collection was made with smaller seeds."""


@shared_task
def fill_stock() -> int:
    """Put boards that were made into their levels, and have more made where boards are lacking.

    Return the number of boards that were put into levels.
    """
    return sum(_fill_kind(kind) for kind in kinds_with_worlds() if orders(kind))


def _fill_kind(kind: AnyKind) -> int:
    number, waiting = _sort_rated(kind)
    if waiting:
        return number
    progress, _ = Making.objects.get_or_create(kind_slug=kind.slug)
    order, options = _order_of_turn(kind, progress.turn)
    start = kind.write(kind.read(order.position))
    job = Job.objects.filter(key=job_key(kind.slug, GENERATE, start, options)).first()
    if job is None and _lacks_boards(kind):
        jobs.ask(None, kind.slug, GENERATE, order.position, options, priority=LAST_IN_QUEUE)
    elif job is not None and job.has_ended:
        for board in job.known(GenerateAnswer).boards:
            _store_unrated(kind, board)
        Making.objects.filter(pk=progress.pk, turn=progress.turn).update(turn=progress.turn + 1)
        _delete_unless_asked(job)
    return number


def _sort_rated(kind: AnyKind) -> tuple[int, int]:
    """Put boards that were made and rated into their levels, and have the others rated.

    Return how many boards were put into levels, and how many are still to be rated.
    """
    made = list(MadeBoard.objects.filter(kind_slug=kind.slug, level=UNRATED))
    keys = {board.pk: job_key(kind.slug, RATE, board.position) for board in made}
    jobs_by_key = jobs.find_all(keys.values())
    placed = waiting = 0
    for board in made:
        job = jobs_by_key.get(keys[board.pk])
        if job is None:
            jobs.ask(None, kind.slug, RATE, board.position, priority=LAST_IN_QUEUE)
        if job is None or not job.has_ended:
            waiting += 1
        else:
            placed += _put_into_level(kind, board, job.known(RateAnswer))
            _delete_unless_asked(job)
    return placed, waiting


def _delete_unless_asked(job: Job) -> None:
    """Delete a job that nobody but the stock has asked for."""
    if not job.askers.exists():
        job.delete()


def _order_of_turn(kind: AnyKind, turn: int) -> tuple[Order, dict[str, object]]:
    """Return the order of this turn, and its options with a seed of their own."""
    all_orders = orders(kind)
    order = all_orders[turn % len(all_orders)]
    return order, {**order.options, "seed": FIRST_SEED + turn}


def _lacks_boards(kind: AnyKind) -> bool:
    """Return whether a level of the kind is not full or has an old board."""
    made = MadeBoard.objects.filter(kind_slug=kind.slug, level__gt=UNRATED).order_by()
    full = {
        level
        for level, number, oldest in made.values_list("level").annotate(Count("pk"), Min("made_at"))
        if number >= BOARDS_PER_LEVEL and oldest > timezone.now() - FRESH_FOR
    }
    return not full.issuperset(worlds(kind))


def _store_unrated(kind: AnyKind, board: GeneratedBoard) -> None:
    """Store the board, to be rated later, unless it is stored already or in the collection."""
    board_fingerprint = fingerprint(kind.slug, board.position)
    if any(each.position == board.position for each in collection(kind)):
        return
    MadeBoard.objects.get_or_create(
        fingerprint=board_fingerprint,
        defaults={
            "kind_slug": kind.slug,
            "level": UNRATED,
            "position": board.position,
            "solutions": "" if board.solutions is None else str(board.solutions),
        },
    )


def _put_into_level(kind: AnyKind, board: MadeBoard, rating: RateAnswer) -> bool:
    """Put the board into its level, and return whether it found room there.

    In a full level it replaces the oldest board, if that is old enough. A board without a level or
    without room is deleted.
    """
    level = level_of(kind, measured_difficulty(kind, rating))
    oldest = _oldest_of_full(kind, level) if level is not None else None
    if level is None or (oldest and oldest.made_at > timezone.now() - FRESH_FOR):
        board.delete()
        return False
    if oldest:
        oldest.delete()
    MadeBoard.objects.filter(pk=board.pk).update(level=level, band=rating.band or "")
    return True


def _oldest_of_full(kind: AnyKind, level: int) -> MadeBoard | None:
    """Return the oldest board of the level if the level is full, else None."""
    stock = MadeBoard.objects.filter(kind_slug=kind.slug, level=level).order_by("made_at", "pk")
    return stock[0] if stock.count() >= BOARDS_PER_LEVEL else None


def level_of(kind: AnyKind, difficulty: float | None) -> int | None:
    """Return the level with boards of this difficulty.

    Return None if the difficulty is unknown or below that of every board in the collection.
    """
    hardest = [max(each.difficulty for each in collection(kind) if each.level == level)
               for level in worlds(kind)]  # fmt: skip
    easiest = min((each.difficulty for each in collection(kind)), default=0)
    if difficulty is None or difficulty < easiest:
        return None
    return list(worlds(kind))[min(bisect_right(hardest, difficulty), len(hardest) - 1)]
