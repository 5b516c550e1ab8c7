"""Every text that a person can meet stands in both languages, and in one catalogue only."""

import re

import pytest

from puzzleclass.management.commands import messages
from solvers.registry import kinds

COLLECTED = messages.collected()

every_catalogue = pytest.mark.parametrize("home", COLLECTED, ids=lambda home: home.name)


def test_every_text_has_a_japanese_entry():
    assert messages.untranslated() == []


@every_catalogue
def test_fields_are_the_same_in_both_languages(home):
    fields = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
    for entry in messages.stored(home):
        if not entry.id or not entry.string or isinstance(entry.id, tuple):
            continue
        assert sorted(fields.findall(entry.id)) == sorted(fields.findall(entry.string)), entry.id


@every_catalogue
def test_japanese_has_one_spelling_of_a_word(home):
    """Full-width punctuation, no blanks beside a field, and one way to write what has two."""
    japanese = "ぁ-んァ-ヶー一-龥"
    faults = re.compile(
        rf"[{japanese}](?: [{{%]|[():?!])|[}})] [{japanese}]|～|しまもよう"
        r"|(?<!\d)分か[らりるっ]|手め|通りめ|ぜんぶ|とびこ|うらがえ|メモリ(?!ー)|ソルバ(?!ー)"
    )
    for entry in messages.stored(home):
        for said in entry.string if isinstance(entry.string, tuple) else (entry.string,):
            assert not (found := faults.search(said)), (said, found)


@every_catalogue
def test_no_entry_is_left_over(home):
    wanted = {(entry.id, entry.context) for entry in COLLECTED[home]}
    assert {(entry.id, entry.context) for entry in messages.stored(home)} == wanted


def test_each_kind_brings_its_own_words():
    for kind in kinds().values():
        home = messages.folder(kind)
        assert COLLECTED[home].get(kind.rule), kind.slug
