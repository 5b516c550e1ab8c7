"""The reader's choice of how pieces are drawn and named, which cookies keep."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from puzzleclass.language import furigana
from puzzleclass.language.reader import say, usual_words
from puzzleclass.templating.templatetags.words import large
from solvers.message import Message

pytestmark = pytest.mark.django_db

PAGE, CHOOSE = reverse("study_kikazu"), reverse("set_reader")


def signs(client: Client) -> str:
    page = client.get(PAGE).content.decode()
    return page.partition('data-signs="')[2].partition('"')[0]


@pytest.mark.parametrize(("language", "usual"), [("en", "letters"), ("ja", "kanji")])
def test_the_language_decides_until_the_reader_does(client_of, language, usual):
    client = client_of(None, language)
    assert signs(client) == usual
    for chosen in ("kanji", "letters"):
        answer = client.post(CHOOSE, {"signs": chosen, "next": PAGE})
        assert (answer.status_code, answer.url) == (302, PAGE)
        assert signs(client) == chosen


@pytest.mark.parametrize(
    ("language", "plain", "usual"), [("en", "Silver", "Gin"), ("ja", "銀", "銀将")]
)
def test_pieces_are_called_as_the_reader_likes(client_of, language, plain, usual):
    client = client_of(None, language)
    assert f">{plain}</h3>" in client.get(PAGE).content.decode()
    client.post(CHOOSE, {"words": "usual", "next": PAGE})
    page = client.get(PAGE).content.decode()
    assert f">{usual}</h3>" in page
    # The choice applies to this reader only.
    assert say(Message("silver")) in ("silver", "銀")
    assert f">{plain}</h3>" in client_of(None, language).get(PAGE).content.decode()
    client.post(CHOOSE, {"words": "plain", "next": PAGE})
    assert f">{plain}</h3>" in client.get(PAGE).content.decode()


def test_every_piece_has_its_usual_word():
    kind_names = {"rook", "bishop", "king", "gold", "silver", "knight", "lance", "pawn"}
    assert kind_names | {name.capitalize() for name in kind_names} <= usual_words().keys()


@pytest.mark.parametrize(
    "fields", [{}, {"signs": "runes"}, {"words": "\0"}, {"signs": "kanji2", "words": ""}]
)
def test_nonsense_is_no_choice(anonymous: Client, fields):
    answer = anonymous.post(CHOOSE, fields | {"next": "https://elsewhere.example/"})
    assert (answer.status_code, answer.url) == (302, "/")
    assert not answer.cookies.keys() & {"signs", "words"}
    anonymous.cookies["signs"] = "<b>"
    assert signs(anonymous) in ("kanji", "letters")


def test_a_picture_taken_along_bears_the_readers_signs(teacher_client, make_puzzle):
    puzzle = make_puzzle("kikazu", "1K1/3/3 P", "King")
    address = reverse("puzzle_svg", args=[puzzle.pk])
    assert ".kanji{display: none;}" in teacher_client.get(address).content.decode()
    teacher_client.post(CHOOSE, {"signs": "kanji"})
    assert ".kanji{display: none;}" not in teacher_client.get(address).content.decode()


def test_the_rules_come_with_pictures_where_there_are_some(teacher_client, puzzle, make_puzzle):
    pieces = make_puzzle("kikazu", "1K1/3/3 P", "King")
    page = teacher_client.get(reverse("puzzle", args=[pieces.pk])).content.decode()
    assert "Pieces block: the rook attacks the pawn." in page
    assert page.count('<ul class="plain illustrations">') == 1
    other = teacher_client.get(reverse("puzzle", args=[puzzle.pk])).content.decode()
    assert "illustrations" not in other
    assert CHOOSE not in other


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        ("en", 999_999, "999,999"),
        ("en", 12_345_678, "12,345,678"),
        ("en", 10**30, "a number of 31 digits"),
        ("ja", 120_000_000, "1億2000万"),
        ("ja", 1_234_567_890_123, "1兆2345億…"),
        ("ja", 10**30, "31けたの数"),
    ],
)
def test_large_numbers_are_said_as_the_language_counts(language, number, said):
    with translation.override(language):
        assert furigana.plain(large(number)) == said
