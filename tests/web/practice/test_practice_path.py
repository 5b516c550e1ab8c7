"""One path through the worlds: stars, map, pin, next board and invitation agree."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.models import Attempt
from puzzleclass.play.path import LEAST_SOLVED, RECENT, Result, path_of, stars_of
from puzzleclass.play.result_models import FoundSolution
from puzzleclass.practice import services
from puzzleclass.practice.models import PathPlace, StoredSkill
from puzzleclass.practice.places import paths_for
from puzzleclass.practice.world_map import world_map
from puzzleclass.puzzles.worlds import worlds
from solvers.question import finish
from solvers.registry import get_kind

GOISHI = get_kind("goishi")
WORLDS = worlds(GOISHI)
EVERYTHING = [board for boards in WORLDS.values() for board in boards]
START = datetime(2026, 4, 6, tzinfo=UTC)


def after(*solved, **result) -> dict:
    """Return the results of somebody who has solved the boards, one an hour."""
    return {
        board.key: Result(**{"found": 1, "at": START + timedelta(hours=hour), **result})
        for hour, board in enumerate(solved)
    }


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
    assert path_of(GOISHI, {}).next == first
    assert path_of(GOISHI, after(first), first).next == second
    assert path_of(GOISHI, after(third), third).next == rest[0]
    assert path_of(GOISHI, after(third, *rest), rest[-1]).next == first
    assert path_of(GOISHI, after(*WORLDS[1]), second).next == WORLDS[2][0]
    assert path_of(GOISHI, after(*EVERYTHING[1:]), WORLDS[8][0]).next == first


def test_when_all_are_solved_a_board_with_an_open_star_comes():
    everything = after(*EVERYTHING, found=2, without_hint=True)
    starry = WORLDS[3][4]
    results = everything | after(starry, found=2)
    assert path_of(GOISHI, results, WORLDS[5][0]).next == starry
    path = path_of(GOISHI, everything, WORLDS[5][0])
    assert path.next is None and path.pin == 5 and path.start_of(2) is None


def test_somebody_who_goes_to_a_world_stays_there():
    here = WORLDS[4][2]
    assert path_of(GOISHI, after(here), here).next == WORLDS[4][3]


@pytest.mark.parametrize("seed", range(200))
def test_stars_map_pin_and_next_agree_for_any_results(seed):
    rng = random.Random(seed)
    share = rng.choice([0, 0.1, 0.5, 0.9, 1])
    results = {
        board.key: Result(
            rng.choice([0, 1, 1, 2]) if share < 1 else 1,
            rng.random() < 0.5,
            START + timedelta(minutes=rng.randrange(99)),
        )
        for board in EVERYTHING
        if rng.random() < share
    }
    here = rng.choice([None, *EVERYTHING])
    fitting, asked = (rng.sample(list(WORLDS), rng.randrange(9)) for _ in "ab")
    path = path_of(GOISHI, results, here, fitting, asked)
    shown = world_map(path)
    solved = {board for board in EVERYTHING if stars_of(board, results).won}
    start = here.level if here else 1
    # The walked path ends at the pin: it begins with M and has a curve for each further world.
    assert [world.level for world in shown.worlds if world.is_here] == [path.pin]
    assert shown.walked.count("C") == path.pin - 1
    assert [world.solved for world in shown.worlds] == [
        len(solved.intersection(boards)) for boards in WORLDS.values()
    ]
    if solved < set(EVERYTHING):
        assert path.next not in solved and path.next.level == path.pin
        assert (path.pin == start) == (not solved.issuperset(WORLDS[start]))
        later = [level for level in WORLDS if level > start and not path.worlds[level].is_complete]
        if path.pin != start:
            assert path.pin == min(later or [path.pin])
        elif here:
            between = WORLDS[start][here.number : path.next.number - 1]
            assert solved.issuperset(between) or path.next.number <= here.number
    elif path.next:
        assert stars_of(path.next, results).won < stars_of(path.next, results).most
    assert path.current == (here if here and here not in solved else path.next)
    for level, world in path.worlds.items():
        assert world.is_complete or path.start_of(level) in world.boards
    if path.invitation:
        assert abs(path.invitation - path.pin) == 1 and path.invitation not in asked
        assert not path.worlds[path.invitation].is_complete
        assert path.invitation < path.pin or path.invitation in fitting


def test_another_world_is_an_invitation_after_some_boards():
    """It is offered once, and only to the next world and to those who need no hints."""
    few, enough = WORLDS[1][: LEAST_SOLVED - 1], WORLDS[1][:LEAST_SOLVED]
    alone = {"without_hint": True}
    assert path_of(GOISHI, after(*few, **alone), few[-1], WORLDS).invitation is None
    path = path_of(GOISHI, after(*enough, **alone), enough[-1], WORLDS)
    assert path.invitation == 2 and path.next == WORLDS[1][LEAST_SOLVED]
    assert path_of(GOISHI, after(*enough, **alone), enough[-1], [1, 3]).invitation is None
    assert path_of(GOISHI, after(*enough, **alone), enough[-1], WORLDS, [2]).invitation is None
    assert path_of(GOISHI, after(*enough), enough[-1], WORLDS).invitation is None


@pytest.mark.parametrize("result", [{"without_hint": False}, {"found": 0}])
def test_the_world_before_is_offered_after_three_boards_left_or_solved_with_a_hint(result):
    played = WORLDS[3][:RECENT]
    here = WORLDS[3][RECENT]
    assert path_of(GOISHI, after(*played, **result), here).invitation == 2
    assert path_of(GOISHI, after(*played[1:], **result), here).invitation is None
    # The board that is being played has not been left.
    assert path_of(GOISHI, after(*played, found=0), played[-1]).invitation is None
    assert path_of(GOISHI, after(*WORLDS[1][:RECENT], **result), here).invitation is None


def test_strong_students_are_led_along_the_path_and_asked_once(student, student_client, solved):
    StoredSkill.objects.create(student=student, kind_slug="goishi", value=2, results=9)
    for hours, board in enumerate(WORLDS[1][:LEAST_SOLVED]):
        solved(board, days_ago=9 - hours)
    here = WORLDS[1][LEAST_SOLVED - 1]
    PathPlace.objects.create(student=student, kind_slug="goishi", position=here.position)
    following = WORLDS[1][LEAST_SOLVED]
    url = reverse("go_on", args=["goishi"])
    for page in ("/practice/", "/practice/goishi/1/"):
        page = student_client.get(page).content.decode()
        assert f'action="{following.url}"' in page and "Try world 2?" in page
    assert student_client.post(url, {"asked": "2", "later": ""}).url == "/practice/"
    assert "Try world 2?" not in student_client.get("/practice/").content.decode()
    student_client.post(url)
    assert AssignedPuzzle.objects.latest("pk").position == following.position
    student_client.post(url, {"asked": "2", "world": "2"})
    assert AssignedPuzzle.objects.latest("pk").position == WORLDS[2][0].position
    place = PathPlace.objects.get()
    assert (place.position, place.asked) == (WORLDS[2][0].position, [2])
    for wrong in ({"world": "99"}, {"asked": "x"}):
        assert student_client.post(url, wrong).status_code == 404


def test_the_solved_board_offers_the_next_world_beside_the_next_puzzle(
    student, student_client, solved, tried
):
    StoredSkill.objects.create(student=student, kind_slug="goishi", value=2, results=9)
    for board in WORLDS[1][: LEAST_SOLVED - 1]:
        solved(board)
    last = WORLDS[1][LEAST_SOLVED - 1]
    student_client.post(last.url)
    row = AssignedPuzzle.objects.latest("pk")
    answer = finish(GOISHI.questions["count"].ask(GOISHI, GOISHI.read(last.position)))
    tried(student, row, " ".join(answer.moves))
    page = student_client.get(reverse("play", args=[row.pk])).content.decode()
    assert page.count("Try world 2?") == 1 and 'name="asked" value="2"' in page


def test_only_boards_opened_from_a_world_move_the_pin(
    student, student_client, classroom, assigned, solved
):
    def pin() -> int:
        return paths_for(student, classroom, [GOISHI])[0].pin

    student_client.get("/how-to-play/goishi/")
    solved(WORLDS[7][0], days_ago=0)
    student_client.get(reverse("play", args=[assigned.pk]))
    classroom.challenges = classroom.records = True
    classroom.save()
    student_client.post(reverse("clock_start", args=["goishi", 6, 1]))
    assert pin() == 1 and not PathPlace.objects.exists()
    student_client.post(WORLDS[4][2].url)
    assert pin() == 4
    url, row = reverse("go_on", args=["goishi"]), AssignedPuzzle.objects.latest("pk")
    student_client.post(url)
    assert PathPlace.objects.get().position == WORLDS[4][2].position
    for _ in range(2):
        # A double press skips no board.
        student_client.post(url, {"from": row.pk})
        assert PathPlace.objects.get().position == WORLDS[4][3].position


def test_the_kind_played_last_comes_first(student, classroom, django_assert_num_queries):
    kinds = [get_kind(slug) for slug in ("goishi", "tonari", "kikazu")]
    for days, kind in enumerate((kinds[1], kinds[0])):
        PathPlace.objects.create(
            student=student,
            kind_slug=kind.slug,
            position=worlds(kind)[2][0].position,
            at=timezone.now() - timedelta(days=days),
        )
    with django_assert_num_queries(5):
        paths = paths_for(student, classroom, kinds)
    assert [path.kind.slug for path in paths] == ["tonari", "goishi", "kikazu"]
    assert [path.pin for path in paths] == [2, 2, 1]
