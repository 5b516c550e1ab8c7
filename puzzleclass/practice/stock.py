"""The stock: boards that the worker makes beforehand, so that nobody waits for one.

A round looks whether a level lacks boards or has old ones. If so, the kind's next order
(`solvers.registry.orders`) becomes a job of the question "generate" that waits behind everybody's
own questions; a later round takes its boards into the levels whose difficulty they have. A kind
without orders, or a worker that is away, leaves the collection.
"""

from bisect import bisect_right
from datetime import timedelta

from celery import shared_task
from django.db.models import Count, Min
from django.utils import timezone

from puzzleclass.jobs import services as jobs
from puzzleclass.jobs.models import Job, job_key
from puzzleclass.practice.boards import kinds_with_worlds, worlds
from puzzleclass.practice.models import MadeBoard, Making
from puzzleclass.puzzles.generator import GENERATE
from puzzleclass.puzzles.models import fingerprint
from solvers.answers import GenerateAnswer, GeneratedBoard
from solvers.registry import AnyKind, Order, collection, orders

STOCK = 12
"""Boards of a level besides the collection's."""

FRESH = timedelta(days=14)
"""The oldest board of a full level makes room for a new one after so long."""

LAST_IN_QUEUE = 9
"""The priority of what nobody waits for."""

FIRST_SEED = 100_000
"""The collection was made with smaller seeds."""


@shared_task
def fill_stock() -> int:
    """Take in what was made, and have more made where it is lacking. Returns how many were taken
    in."""
    return sum(_fill(kind) for kind in kinds_with_worlds() if orders(kind))


def _fill(kind: AnyKind) -> int:
    making, _ = Making.objects.get_or_create(kind_slug=kind.slug)
    order, options = _order(kind, making.turn)
    start = kind.write(kind.read(order.position))
    job = Job.objects.filter(key=job_key(kind.slug, GENERATE, start, options)).first()
    if job is not None and not job.has_ended:
        return 0
    taken = 0
    if job is not None:
        taken = sum(_take(kind, board) for board in job.known(GenerateAnswer).boards)
        Making.objects.filter(pk=making.pk, turn=making.turn).update(turn=making.turn + 1)
        if not job.askers.exists():
            job.delete()
        order, options = _order(kind, making.turn + 1)
    if _lacks(kind):
        jobs.ask(None, kind.slug, GENERATE, order.position, options, priority=LAST_IN_QUEUE)
    return taken


def _order(kind: AnyKind, turn: int) -> tuple[Order, dict[str, object]]:
    """Return the order whose turn it is, and its options with a seed of its own."""
    every = orders(kind)
    order = every[turn % len(every)]
    return order, {**order.options, "seed": FIRST_SEED + turn}


def _lacks(kind: AnyKind) -> bool:
    """Return whether a level of the kind is not full, or has boards that are old."""
    made = MadeBoard.objects.filter(kind_slug=kind.slug).order_by()
    full = {
        level
        for level, number, oldest in made.values_list("level").annotate(Count("pk"), Min("made_at"))
        if number >= STOCK and oldest > timezone.now() - FRESH
    }
    return not full.issuperset(worlds(kind))


def _take(kind: AnyKind, board: GeneratedBoard) -> bool:
    """Take the board into its level's stock, unless it is there or of no level. Where the level is
    full its oldest board goes, if it is old."""
    difficulty = board.missing if kind.score else board.careful_level
    level = level_of(kind, difficulty)
    mark = fingerprint(kind.slug, board.position)
    is_ready = any(each.position == board.position for each in collection(kind))
    if level is None or is_ready or MadeBoard.objects.filter(fingerprint=mark).exists():
        return False
    stock = MadeBoard.objects.filter(kind_slug=kind.slug, level=level).order_by("made_at", "pk")
    if stock.count() >= STOCK:
        oldest = stock[0]
        if oldest.made_at > timezone.now() - FRESH:
            return False
        oldest.delete()
    MadeBoard.objects.create(
        kind_slug=kind.slug,
        level=level,
        position=board.position,
        fingerprint=mark,
        solutions="" if board.solutions is None else str(board.solutions),
        band=board.band_word,
    )
    return True


def level_of(kind: AnyKind, difficulty: float | None) -> int | None:
    """Return the level whose boards are as difficult; None for one that is child's play."""
    hardest = [max(each.difficulty for each in collection(kind) if each.level == level)
               for level in worlds(kind)]  # fmt: skip
    easiest = min((each.difficulty for each in collection(kind)), default=0)
    if difficulty is None or difficulty < easiest:
        return None
    return list(worlds(kind))[min(bisect_right(hardest, difficulty), len(hardest) - 1)]
