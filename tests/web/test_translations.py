"""Every text that a person can meet stands in both languages."""

import re

from puzzleclass.management.commands import messages


def test_every_text_has_a_japanese_entry():
    assert messages.untranslated() == []


def test_fields_are_the_same_in_both_languages():
    fields = re.compile(r"\{\w*\}|%\(\w+\)[sd]")
    for entry in messages.stored():
        if not entry.id or not entry.string or isinstance(entry.id, tuple):
            continue
        assert sorted(fields.findall(entry.id)) == sorted(fields.findall(entry.string)), entry.id


def test_no_entry_is_left_over():
    wanted = {message.id for message in messages.collected() if message.id}
    kept = {message.id for message in messages.stored() if message.id}
    assert kept - wanted == set()
