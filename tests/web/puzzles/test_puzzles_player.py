"""The player that solutions and replays share."""

import re

import pytest
from django.template.loader import render_to_string

from puzzleclass.puzzles.answers import Count
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.puzzles.player import decisive_move, player_at
from solvers.answers import CountAnswer, Exact, SolutionsAnswer
from solvers.kind import split_moves
from solvers.message import Message
from solvers.registry import get_kind

KIND = get_kind("goishi")
START = "oo/oo"
MOVES = ["1,1", "1,2", "2,2", "2,1"]


@pytest.mark.parametrize(
    ("step", "at"),
    [
        (0, 0),
        ("2", 2),
        ("4", 4),
        ("5", 4),
        ("-1", 0),
        (None, 0),
        ("", 0),
        ("two", 0),
        ("2.5", 0),
        ("２", 2),
        ("9" * 10_000, 4),
        ("-" + "9" * 10_000, 0),
        ("\0", 0),
    ],
)
def test_any_step_leads_to_a_board(step, at):
    player = player_at(KIND, START, MOVES, step)
    assert (player.step, player.total) == (at, 4)
    assert player.move == ["", *MOVES][at]
    assert player.described == [None, *map(KIND.describe, map(KIND.read_move, MOVES))][at]
    played = KIND.play_line(KIND.read(START), " ".join(MOVES[:at]))
    assert player.picture == KIND.draw(played)


def test_back_and_on_stop_at_the_ends():
    first, last = player_at(KIND, START, MOVES, 0), player_at(KIND, START, MOVES, 4)
    assert (first.back, first.on) == (0, 1)
    assert (last.back, last.on) == (3, 4)


def test_a_line_without_moves_has_one_step():
    player = player_at(KIND, START, [], 3)
    assert (player.step, player.back, player.on, player.total) == (0, 0, 0, 0)


def test_notes_and_numbers_belong_to_their_step():
    lost = Message("After this move no solution is left.")
    players = [
        player_at(KIND, START, MOVES, step, notes={1: lost}, left=[8, 0]) for step in (0, 1, 2)
    ]
    assert [player.note for player in players] == [None, lost, None]
    assert [player.left for player in players] == [8, 0, None]


def test_the_fragment_has_the_links_that_the_script_presses():
    player = player_at(KIND, START, MOVES, 1, notes={1: "Look here."}, left=[1, 10_000])
    html = render_to_string("puzzles/_player.html", {"player": player, "player_url": "/line/"})
    for turn, step in {"first": 0, "back": 0, "on": 2, "last": 4}.items():
        assert re.search(rf'data-turn="{turn}"\s+href="/line/\?step={step}"', html)
    assert "Look here." in html
    assert "10,000" in html
    assert "data-play" in html and "data-speed" in html
    assert "aria-disabled" not in html


def test_turns_that_lead_nowhere_are_disabled():
    player = player_at(KIND, START, MOVES, 0)
    html = render_to_string("puzzles/_player.html", {"player": player, "player_url": "/line/"})
    assert html.count('aria-disabled="true"') == 2


# The step at which the class is asked for its move


def board_of(slug, position):
    return Puzzle(kind_slug=slug, position=get_kind(slug).write(get_kind(slug).read(position)))


def counted(board, value, by_move=None, **fields):
    by_move = {move: Exact(number) for move, number in (by_move or {}).items()}
    return Count(board, CountAnswer(Exact(value), by_move=by_move, **fields))


def test_the_decisive_move_of_a_single_solution_has_the_most_wrong_alternatives():
    # The second move is forced. The third and the fourth each have one wrong alternative.
    board = board_of("goishi", "...o/..oo/oo.o/o..o")
    line = split_moves("2,3 2,4 3,4 3,2 3,1 4,1 4,4 1,4")
    assert decisive_move(board, line, counted(board, 1), None) == 3


def test_the_decisive_move_of_listed_solutions_has_losing_alternatives():
    board = board_of("goishi", "oo/oo")
    every = ("1,1 1,2 2,2 2,1", "1,1 2,1 2,2 1,2", "1,2 1,1 2,1 2,2", "1,2 2,2 2,1 1,1")
    first = split_moves(every[0])
    # Two of the four stones begin none of these solutions. That is known for the start only.
    assert decisive_move(board, first, None, SolutionsAnswer(Exact(4), solutions=every)) == 1
    fewer = SolutionsAnswer(Exact(3), solutions=(every[0], *every[2:]))
    assert decisive_move(board, first, None, fewer) == 2
    # A move after which none of them is left is not decisive, although it was made.
    others = SolutionsAnswer(Exact(2), solutions=every[2:])
    assert decisive_move(board, first, None, others) == 0
    cut = SolutionsAnswer(Exact(3), solutions=fewer.solutions, proven=False)
    assert decisive_move(board, first, None, cut) == 0


def test_the_decisive_move_of_a_placement_is_any_move_of_a_solution():
    board = board_of("kikazu", "3/3/3 2R")
    every = tuple(
        f"R {a} R {b}" for a, b in [("1,1", "2,2"), ("1,1", "3,3"), ("1,1", "2,3"), ("1,1", "3,2")]
    )
    listed = SolutionsAnswer(Exact(4), solutions=every)
    # After 1,1 every move leads on; after any other first move only 1,1 does.
    assert decisive_move(board, ["R 1,1", "R 2,2"], None, listed) == 1
    assert decisive_move(board, ["R 2,2", "R 1,1"], None, listed) == 2


@pytest.mark.parametrize(
    ("by_move", "fields", "asked"),
    [
        ({"1,1": 2, "1,2": 0}, {}, 1),
        ({"1,1": 2, "1,2": 1}, {}, 0),
        ({}, {}, 0),
        ({"1,1": 2, "1,2": 0}, {"proven": False}, 0),
    ],
)
def test_the_first_move_is_decisive_where_solutions_are_not_listed(by_move, fields, asked):
    board = board_of("goishi", "oo/oo")
    count = counted(board, 3, by_move, **fields)
    assert decisive_move(board, MOVES, count, None) == asked
    assert decisive_move(board, MOVES, None, None) == 0
