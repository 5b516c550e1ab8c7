"""The stock: boards that the worker makes beforehand, so that nobody waits for one.

A round looks whether a level lacks boards or has old ones. If so, the kind's next order
(`solvers.registry.orders`) becomes a job of the question "generate" that waits behind everybody's
own questions; later rounds have its boards rated and put them into the levels of the collection
that are as difficult. A kind
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
from puzzleclass.puzzles.answers import RATE
from puzzleclass.puzzles.generator import GENERATE
from puzzleclass.puzzles.models import fingerprint
from solvers.answers import GenerateAnswer, GeneratedBoard, RateAnswer
from solvers.registry import AnyKind, Order, collection, orders

STOCK = 12
"""Boards of a level besides the collection's."""

FRESH = timedelta(days=14)
"""The oldest board of a full level makes room for a new one after so long."""

UNRATED = 0
"""The level of boards that were made and are still to be rated; nobody sees them."""

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
    taken, waiting = _grade(kind)
    if waiting:
        return taken
    making, _ = Making.objects.get_or_create(kind_slug=kind.slug)
    order, options = _order(kind, making.turn)
    start = kind.write(kind.read(order.position))
    job = Job.objects.filter(key=job_key(kind.slug, GENERATE, start, options)).first()
    if job is None and _lacks(kind):
        jobs.ask(None, kind.slug, GENERATE, order.position, options, priority=LAST_IN_QUEUE)
    elif job is not None and job.has_ended:
        for board in job.known(GenerateAnswer).boards:
            _take(kind, board)
        Making.objects.filter(pk=making.pk, turn=making.turn).update(turn=making.turn + 1)
        _forget(job)
    return taken


def _grade(kind: AnyKind) -> tuple[int, int]:
    """Put the boards that were made and rated into their levels, and have the others rated.

    Returns how many were put there, and how many are still to be rated.
    """
    made = list(MadeBoard.objects.filter(kind_slug=kind.slug, level=UNRATED))
    keys = {board.pk: job_key(kind.slug, RATE, board.position) for board in made}
    known = jobs.find_all(keys.values())
    taken = waiting = 0
    for board in made:
        job = known.get(keys[board.pk])
        if job is None:
            jobs.ask(None, kind.slug, RATE, board.position, priority=LAST_IN_QUEUE)
        if job is None or not job.has_ended:
            waiting += 1
        else:
            taken += _put(kind, board, job.known(RateAnswer))
            _forget(job)
    return taken, waiting


def _forget(job: Job) -> None:
    """Delete a job that nobody but the stock has asked for."""
    if not job.askers.exists():
        job.delete()


def _order(kind: AnyKind, turn: int) -> tuple[Order, dict[str, object]]:
    """Return the order whose turn it is, and its options with a seed of its own."""
    every = orders(kind)
    order = every[turn % len(every)]
    return order, {**order.options, "seed": FIRST_SEED + turn}


def _lacks(kind: AnyKind) -> bool:
    """Return whether a level of the kind is not full, or has boards that are old."""
    made = MadeBoard.objects.filter(kind_slug=kind.slug, level__gt=UNRATED).order_by()
    full = {
        level
        for level, number, oldest in made.values_list("level").annotate(Count("pk"), Min("made_at"))
        if number >= STOCK and oldest > timezone.now() - FRESH
    }
    return not full.issuperset(worlds(kind))


def _take(kind: AnyKind, board: GeneratedBoard) -> None:
    """Take the board in, to be rated, unless it is there or in the collection."""
    mark = fingerprint(kind.slug, board.position)
    if any(each.position == board.position for each in collection(kind)):
        return
    MadeBoard.objects.get_or_create(
        fingerprint=mark,
        defaults={
            "kind_slug": kind.slug,
            "level": UNRATED,
            "position": board.position,
            "solutions": "" if board.solutions is None else str(board.solutions),
        },
    )


def _put(kind: AnyKind, board: MadeBoard, rating: RateAnswer) -> bool:
    """Put the board into its level; where that is full its oldest board goes, if it is old. One
    that finds no place is deleted."""
    level = level_of(kind, rating.missing if kind.score else rating.careful_level)
    oldest = _oldest_of_full(kind, level) if level is not None else None
    if level is None or (oldest and oldest.made_at > timezone.now() - FRESH):
        board.delete()
        return False
    if oldest:
        oldest.delete()
    MadeBoard.objects.filter(pk=board.pk).update(level=level, band=rating.band or "")
    return True


def _oldest_of_full(kind: AnyKind, level: int) -> MadeBoard | None:
    """Return the level's oldest board if it has as many as it may, else None."""
    stock = MadeBoard.objects.filter(kind_slug=kind.slug, level=level).order_by("made_at", "pk")
    return stock[0] if stock.count() >= STOCK else None


def level_of(kind: AnyKind, difficulty: float | None) -> int | None:
    """Return the level whose boards are as difficult; None for one that is child's play."""
    hardest = [max(each.difficulty for each in collection(kind) if each.level == level)
               for level in worlds(kind)]  # fmt: skip
    easiest = min((each.difficulty for each in collection(kind)), default=0)
    if difficulty is None or difficulty < easiest:
        return None
    return list(worlds(kind))[min(bisect_right(hardest, difficulty), len(hardest) - 1)]
