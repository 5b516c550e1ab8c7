"""The player that solutions and replays share."""

import pytest
from django.template.loader import render_to_string

from puzzleclass.puzzles.player import player_at
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
        assert f'data-turn="{turn}"\nhref="/line/?step={step}"' in html
    assert "Look here." in html
    assert "10,000" in html
    assert "data-play" in html and "data-speed" in html
    assert "aria-disabled" not in html


def test_turns_that_lead_nowhere_are_disabled():
    player = player_at(KIND, START, MOVES, 0)
    html = render_to_string("puzzles/_player.html", {"player": player, "player_url": "/line/"})
    assert html.count('aria-disabled="true"') == 2
