"""Anybody can play the first minute with a kind, and nothing of it is stored."""

import re
from html import unescape

import pytest
from django.urls import reverse

from puzzleclass.accounts.models import Session
from puzzleclass.practice.finger import finger_of, next_move
from puzzleclass.practice.scratch import Scratch
from solvers.contract.brute import solutions
from solvers.kind import split_moves
from solvers.registry import get_kind, kinds

BOARDS = [(kind, number) for kind in kinds().values() for number in range(1, 6)]
every_board = pytest.mark.parametrize(
    ("kind", "number"), BOARDS, ids=lambda value: getattr(value, "slug", value)
)


def solution_of(kind, position) -> list[str]:
    """Return the moves of a short solution."""
    found = min(solutions(kind, position), key=len) if kind.family == "sequence" else None
    if found is None:
        found = _placed(kind, position)
    return [kind.write_move(move) for move in found]


def _placed(kind, position) -> tuple:
    """Return the first solution that fills points in order, without a fault on the way."""
    for move in kind.moves(position):
        after = kind.play(position, move)
        if kind.judge(after).solved:
            return (move,)
    for move in kind.moves(position):
        after = kind.play(position, move)
        is_next = not kind.line(position) or kind.cell_of(move) > kind.cell_of(
            kind.line(position)[-1]
        )
        if is_next and (rest := _placed(kind, after)):
            return (move, *rest)
    return ()


def fields_of(page) -> dict[str, str]:
    """Return the fields of the board's form."""
    board = page.context["scratch"]
    return {"line": board.line, "undone": board.undone, "tool": board.tools.tool}


@every_board
def test_it_is_solved_by_pressing(anonymous, kind, number, django_assert_num_queries):
    url = reverse("introduction", args=[kind.slug, number])
    with django_assert_num_queries(0):
        page = anonymous.get(url)
        tiny = kind.introduction[number - 1]
        for move in solution_of(kind, kind.read(tiny.position)):
            assert not page.context["scratch"].is_solved
            page = anonymous.post(
                url, fields_of(page) | {"move": move}, headers={"HX-Request": "true"}
            )
            assert page.status_code == 200
    text = page.content.decode()
    assert page.context["scratch"].is_solved and tiny.after.split("“")[0][:20] in text
    following = reverse("introduction", args=[kind.slug, number + 1]) if number < 5 else "/"
    assert f'href="{following}"' in text
    assert not Session.objects.exists()


@every_board
def test_a_slip_is_told_at_once_in_plain_words(anonymous, kind, number):
    slip = split_moves(kind.introduction[number - 1].slip)
    url = reverse("introduction", args=[kind.slug, number])
    page = anonymous.get(url)
    for move in slip:
        page = anonymous.post(url, fields_of(page) | {"move": move})
    board, text = page.context["scratch"], page.content.decode()
    assert not board.is_solved
    for said in (board.fault, *board.faults):
        assert not said or str(said).split("“")[0] in unescape(text)
    assert page.status_code == (422 if board.fault else 200)
    assert bool(board.fault) == ("refused" in text)


@every_board
def test_the_finger_knows_the_way_whatever_the_first_move_was(kind, number):
    tiny = kind.introduction[number - 1]
    beginning = kind.read(tiny.position)
    for first in kind.moves(beginning):
        board, presses = Scratch(kind, beginning, kind.write_move(first)), 0
        while not board.is_solved:
            finger = finger_of(tiny, board)
            assert finger.is_undo or finger.shapes or finger.tool
            moves = split_moves(board.line)
            moves = moves[:-1] if finger.is_undo else [*moves, next_move(tiny, board)]
            board, presses = Scratch(kind, beginning, " ".join(moves)), presses + 1
            assert presses <= 10


def test_the_finger_follows_another_way_to_a_solution():
    kind = get_kind("kikazu")
    tiny = kind.introduction[1]
    board = Scratch(kind, kind.read(tiny.position), "P 1,1")
    assert not finger_of(tiny, board).is_undo
    assert next_move(tiny, board) not in split_moves(tiny.solution)


def test_moves_are_taken_back_made_again_and_begun_anew(anonymous):
    url = reverse("introduction", args=["goishi", 1])
    page = anonymous.post(url, {"move": "1,1"})
    page = anonymous.post(url, fields_of(page) | {"action": "undo"})
    assert fields_of(page) == {"line": "", "undone": "1,1", "tool": ""}
    page = anonymous.post(url, fields_of(page) | {"redo": "1,1"})
    assert fields_of(page) == {"line": "1,1", "undone": "", "tool": ""}
    page = anonymous.post(url, fields_of(page) | {"action": "restart"})
    assert fields_of(page) == {"line": "", "undone": "", "tool": ""}


@pytest.mark.parametrize(
    "sent",
    [
        {"line": "nonsense"},
        {"line": "9,9"},
        {"line": "1,1 " * 3000},
        {"undone": "\0"},
        {"undone": "?"},
        {"move": "R R R"},
        {"action": "dance"},
    ],
)
def test_unreadable_steps_are_refused(anonymous, sent):
    assert anonymous.post(reverse("introduction", args=["goishi", 1]), sent).status_code == 422


@pytest.mark.parametrize("where", ["goishi/6/", "goishi/0/", "chess/", "chess/1/"])
def test_an_unknown_board_answers_404(anonymous, where):
    assert anonymous.get(f"/how-to-play/{where}").status_code == 404


def test_it_leads_back_to_where_it_was_asked_for_and_nowhere_else(anonymous):
    url = reverse("introduction", args=["goishi", 5])
    assert 'href="/play/7/"' in anonymous.get(f"{url}?next=/play/7/").content.decode()
    page = anonymous.get(f"{url}?next=https://evil.example/").content.decode()
    assert 'href="https://evil' not in page


def test_it_is_offered_at_the_first_board_of_a_kind_and_on_the_front_page(
    student, student_client, anonymous, assigned, tried
):
    url, offer = reverse("play", args=[assigned.pk]), "Learn to play in a minute"
    page = student_client.get(url).content.decode()
    assert offer in page and "Pick up all the stones." in page
    tried(student, assigned, "1,1")
    page = student_client.get(url).content.decode()
    assert offer not in page
    assert f"{reverse('introduction', args=['goishi'])}?next={url}" in page
    front = anonymous.get("/").content.decode()
    assert all(reverse("introduction", args=[slug]) in front for slug in kinds())


@pytest.mark.parametrize(
    ("slug", "language", "word", "meaning"),
    [
        ("maxstrings", "ja", "グループ", "線でつながった"),
        ("kikazu", "ja", "利き", "次に動けるマス"),
        ("tonari", "en", "target", "The target is the colour"),
    ],
)
def test_a_term_is_explained_on_a_press(client_of, slug, language, word, meaning):
    page = client_of(None, language).get(reverse("introduction", args=[slug, 2])).content.decode()
    assert re.search(rf'<button type="button" class="term" popovertarget="term-0">{word}', page)
    assert re.search(rf'<span popover class="card ask" id="term-0">[^<]*{meaning}', page)
