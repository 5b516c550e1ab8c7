"""One path through the worlds: the map, the pages of the worlds and the next board agree."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt
from puzzleclass.play.practised import PracticeProgress
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.practice import services
from puzzleclass.practice.models import StoredSkill
from puzzleclass.practice.path import LEAST_SOLVED, LONGEST_JUMP, latest_boards, path_of
from puzzleclass.practice.world_map import world_map
from puzzleclass.puzzles.worlds import board_of_the_day, kinds_with_worlds, worlds
from solvers.registry import get_kind

GOISHI = get_kind("goishi")
WORLDS = worlds(GOISHI)
NOBODY = PracticeProgress({}, set())


def after(*solved) -> PracticeProgress:
    return PracticeProgress({board.key: 1 for board in solved}, set())


@pytest.fixture
def solved(classroom, student):
    """Return a function that stores that the student has solved a board of practice."""

    def solved(board, *, days_ago: int = 3) -> AssignedPuzzle:
        row = services.begin(classroom, *board.key, board.title)
        at = timezone.now() - timedelta(days=days_ago)
        Attempt.objects.create(
            student=student,
            puzzle=row,
            number=1,
            next_step=1,
            has_solved=True,
            state=Attempt.State.SOLVED,
            started_at=at,
            last_at=at,
        )
        FoundSolution.objects.create(student=student, puzzle=row, text="x", line="", found_at=at)
        return row

    return solved


def test_the_next_board_stays_in_its_world_until_the_world_is_complete():
    first, second, third, *rest = WORLDS[1]
    assert path_of(GOISHI, NOBODY, None).next == first
    assert path_of(GOISHI, after(first), first).next == second
    assert path_of(GOISHI, after(third), third).next == rest[0]
    assert path_of(GOISHI, after(third, *rest), rest[-1]).next == first
    assert path_of(GOISHI, after(*WORLDS[1]), second).next == WORLDS[2][0]
    everything = [board for boards in WORLDS.values() for board in boards]
    assert path_of(GOISHI, after(*everything[1:]), WORLDS[8][0]).next == first
    assert path_of(GOISHI, after(*everything), first).next is None


def test_somebody_who_goes_to_a_world_stays_there():
    here = WORLDS[4][2]
    assert path_of(GOISHI, after(here), here).next == WORLDS[4][3]


def test_the_walked_path_ends_at_the_first_world_that_is_not_complete():
    for progress, here, complete in (
        (NOBODY, None, 0),
        (after(WORLDS[3][0]), WORLDS[3][0], 0),
        (after(*WORLDS[1]), WORLDS[1][0], 1),
        (after(*WORLDS[1], *WORLDS[2], WORLDS[5][0]), WORLDS[5][0], 2),
    ):
        shown = world_map(GOISHI, progress, path_of(GOISHI, progress, here))
        assert [world.is_complete for world in shown.worlds[:complete]] == [True] * complete
        # A path begins with M and has a curve for each further world.
        assert shown.walked.count("C") == complete
        (pin,) = [world.level for world in shown.worlds if world.is_next]
        assert shown.next in WORLDS[pin]


def test_another_world_is_an_invitation_after_some_boards():
    fitting = WORLDS[4][8]
    few, enough = WORLDS[1][: LEAST_SOLVED - 1], WORLDS[1][:LEAST_SOLVED]
    assert path_of(GOISHI, after(*few), few[-1], fitting).invitation is None
    path = path_of(GOISHI, after(*enough), enough[-1], fitting)
    assert path.invitation == 4 and path.next == WORLDS[1][LEAST_SOLVED]
    assert path_of(GOISHI, after(*enough), WORLDS[6][0], fitting).invitation is None


def test_strong_students_are_led_along_the_path_and_invited(student, student_client, solved):
    StoredSkill.objects.create(student=student, kind_slug="goishi", value=2, results=9)
    rows = [solved(board) for board in WORLDS[1][:LEAST_SOLVED]]
    following = WORLDS[1][LEAST_SOLVED]
    for url in ("/practice/", "/practice/goishi/1/"):
        page = student_client.get(url).content.decode()
        assert f'action="{following.url}"' in page
        assert f"Try world {1 + LONGEST_JUMP}?" in page
    student_client.post(reverse("practice_next", args=[rows[-1].pk]))
    assert AssignedPuzzle.objects.get(position=following.position)
    assert AssignedPuzzle.objects.count() == LEAST_SOLVED + 1


def test_a_board_of_the_day_does_not_lead_to_its_world(student, classroom, solved):
    today = services.today()
    for kind in kinds_with_worlds():
        daily = board_of_the_day(kind, today)
        solved(daily, days_ago=0)
        assert kind.slug not in latest_boards(student)
        elsewhere = next(board for board in worlds(kind)[1] if board != daily)
        solved(elsewhere, days_ago=3)
        assert latest_boards(student)[kind.slug] == elsewhere


def test_the_board_played_last_is_where_the_student_is(student, solved, django_assert_num_queries):
    solved(WORLDS[1][0], days_ago=4)
    solved(WORLDS[2][0], days_ago=9)
    with django_assert_num_queries(1):
        assert latest_boards(student) == {"goishi": WORLDS[1][0]}
    Attempt.objects.filter(puzzle__position=WORLDS[2][0].position).update(
        last_at=F("last_at") + timedelta(days=8)
    )
    assert latest_boards(student) == {"goishi": WORLDS[2][0]}
