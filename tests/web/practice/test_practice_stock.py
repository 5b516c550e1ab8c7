"""The stock of boards: the worker makes them beforehand, their number is limited, and nobody
waits."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzleclass.jobs.models import Job
from puzzleclass.practice import stock
from puzzleclass.practice.models import MadeBoard, Making
from puzzleclass.puzzles.worlds import worlds
from solvers.answers import GeneratedBoard, RateAnswer
from solvers.registry import collection, get_kind, kinds, orders

pytestmark = pytest.mark.django_db

every_kind = pytest.mark.parametrize("slug", list(kinds()))


@pytest.fixture
def one_kind(monkeypatch):
    """Let the worker make boards of Goishi Hiroi only."""
    monkeypatch.setattr(stock, "kinds_with_worlds", lambda: [get_kind("goishi")])


def put(number: int) -> bool:
    """Put a board of the highest difficulty into the stock of Goishi Hiroi."""
    board = MadeBoard.objects.create(kind_slug="goishi", level=0, position="o", fingerprint=number)
    return stock._put_into_level(
        get_kind("goishi"), board, RateAnswer(band="very hard", careful_level=1e9)
    )


@every_kind
def test_the_orders_of_a_kind_can_be_asked(slug):
    kind = get_kind(slug)
    for order in orders(kind):
        question = kind.questions["generate"]
        question.refuse_impossible(kind.read(order.position), **order.options, seed=1)
        assert order.options.keys() <= question.options.keys()


def test_boards_are_made_in_the_levels_that_they_are_as_difficult_as(one_kind, done):
    assert stock.fill_stock() == 0
    job = Job.objects.get()
    assert (job.question, job.priority, job.askers.count()) == ("generate", 9, 0)
    assert stock.fill_stock() == 0 and Job.objects.count() == 1
    found = len(done(job).result.boards)
    assert stock.fill_stock() == 0 and Making.objects.get().turn == 1
    assert not Job.objects.exists()
    assert 0 < MadeBoard.objects.filter(level=stock.UNRATED).count() <= found
    assert stock.fill_stock() == 0
    for job in Job.objects.all():
        assert job.question == "rate"
        done(job)
    assert stock.fill_stock() > 0
    assert Job.objects.get().question == "generate"
    kind = get_kind("goishi")
    ready = {board.position for board in collection(kind)}
    for board in MadeBoard.objects.all():
        assert board.level in worlds(kind) and board.position not in ready
        assert board.solutions == "1" and kind.write(kind.read(board.position)) == board.position


@every_kind
def test_the_collections_own_boards_are_of_their_level(slug):
    kind = get_kind(slug)
    for board in collection(kind):
        level = stock.level_of(kind, board.difficulty)
        assert abs(level - board.level) <= sum(
            each.difficulty == board.difficulty for each in collection(kind)
        )
    assert stock.level_of(kind, 1e9) == max(worlds(kind))
    assert stock.level_of(kind, 0.0) is None and stock.level_of(kind, None) is None


def test_a_level_holds_no_more_than_its_stock_and_old_boards_make_room():
    assert (
        sum(put(number) for number in range(stock.BOARDS_PER_LEVEL + 2)) == stock.BOARDS_PER_LEVEL
    )
    oldest = MadeBoard.objects.earliest("pk")
    MadeBoard.objects.filter(pk=oldest.pk).update(made_at=timezone.now() - timedelta(days=15))
    assert put(99)
    assert MadeBoard.objects.count() == stock.BOARDS_PER_LEVEL
    assert not MadeBoard.objects.filter(pk=oldest.pk).exists()


def test_a_full_stock_asks_for_nothing(one_kind):
    kind = get_kind("goishi")
    for level in worlds(kind):
        MadeBoard.objects.bulk_create(
            MadeBoard(kind_slug="goishi", level=level, position="o", fingerprint=f"{level} {n}")
            for n in range(stock.BOARDS_PER_LEVEL)
        )
    assert stock.fill_stock() == 0 and not Job.objects.exists()


def test_boards_of_the_collection_are_not_made_again_and_answers_for_others_stay(
    one_kind, teacher, answered
):
    stock.fill_stock()
    job = Job.objects.get()
    job.askers.add(teacher)
    ready = collection(get_kind("goishi"))[0].position
    boards = [GeneratedBoard(position=position) for position in (ready, "ooo")]
    answered(job, None, boards=boards)
    stock.fill_stock()
    assert MadeBoard.objects.get().position == "ooo"
    assert Job.objects.filter(pk=job.pk).exists()


def test_a_search_that_failed_is_passed_over(one_kind):
    for _ in range(3):
        stock.fill_stock()
        Job.objects.update(state=Job.State.FAILED)
    assert Making.objects.get().turn == 1 and Job.objects.count() == 1
