"""Names and readings that stand in one cell, and what else stands there."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from puzzleclass.classes.roster import NAME_LENGTH, Entry
from puzzleclass.classes.roster_contents import has_kanji, is_gender, is_kana, without_birthday
from puzzleclass.classes.roster_questions import ListChoice, Questions
from puzzleclass.spreadsheets.reading import SheetRow

_IN_BRACKETS = re.compile(r"(.+?)\s*[(（\[【]([^()（）\[\]【】]*)[)）\]】]")
_TITLE_BEHIND = re.compile(
    r"\s*(?:(?<=[\s)）一-鿿々])(?:さん|くん|ちゃん)|(?<=[\s)）])(?:君|様|殿))$"
)
"""What is said behind a name. 君 and 様 can also be the end of one."""
_MOSTLY = 0.8


def finish_names(entries: Sequence[Entry], rows: Sequence[SheetRow], questions: Questions) -> None:
    """Take birthdays, genders and readings out of the names.

    Readings are looked for only if they have no column of their own.
    """
    for entry in entries:
        entry.name = _without_addition(entry.name)
        entry.reading = without_birthday(entry.reading)
    if any(entry.reading for entry in entries):
        return
    in_brackets = []
    for entry in entries:
        if len(entry.name) > 2 * NAME_LENGTH:
            continue  # The name is refused for its length.
        match = _IN_BRACKETS.fullmatch(entry.name)
        if match and is_kana(match[2]):
            entry.name, entry.reading = match[1], match[2]
        elif match:
            in_brackets.append(entry)
    _ask_words([entry for entry in entries if not entry.reading], entries, rows, questions)
    _ask_rest(entries, rows, questions)
    _ask_brackets(in_brackets, entries, rows, questions)


def _without_addition(name: str) -> str:
    """Return a name without a birthday, and without さん or a gender behind it."""
    words = _TITLE_BEHIND.sub("", without_birthday(name)).split(" ")
    while len(words) > 1 and is_gender(words[-1].strip("()（）")):
        words.pop()
    return " ".join(words)


def _ask_words(
    open_entries: Sequence[Entry],
    entries: Sequence[Entry],
    rows: Sequence[SheetRow],
    questions: Questions,
) -> None:
    """Ask whether the last words of the names are their readings."""
    split = [(entry, _words(entry.name)) for entry in open_entries if entry.name]
    likely = [(entry, parts) for entry, parts in split if parts]
    four = [entry for entry, _parts in likely if entry.name.count(" ") == 3]
    is_list = len(likely) >= _MOSTLY * len(split)
    asked = [(entry, parts) for entry, parts in likely if is_list or entry.name.count(" ") > 1]
    if not asked:
        return
    answer = "reading"
    if not (is_list and len(four) == len(asked)):
        name, reading = asked[0][1] or ("", "")
        text = _("Some names have words in kana beside them. What are these?")
        choices = [
            ListChoice(
                "reading", _("The reading: {name}, {reading}").format(name=name, reading=reading)
            ),
            ListChoice("name", _("A part of the name: {name}").format(name=asked[0][0].name)),
        ]
        chosen = {id(entry) for entry, _parts in asked}
        examples = [r for e, r in zip(entries, rows, strict=True) if id(e) in chosen]
        answer = questions.ask("words", text, choices, examples)
    if answer == "reading":
        for entry, parts in asked:
            entry.name, entry.reading = parts or (entry.name, "")


def _words(name: str) -> tuple[str, str] | None:
    """Return a name and its reading if the words can be both, else None."""
    words = name.split(" ")
    match words:
        case [reading, also, family, given] if is_kana(reading) and is_kana(also):
            if has_kanji(family) and not is_kana(given):
                return f"{family} {given}", f"{reading} {also}"
        case [reading, *rest] if is_kana(reading) and len(reading) > 2 and rest:
            if all(map(has_kanji, rest)) and len(words) < 4:
                return " ".join(rest), reading
    match words:
        case [family, given, reading, also] if is_kana(reading) and is_kana(also):
            return (f"{family} {given}", f"{reading} {also}") if has_kanji(family) else None
        case [family, given, reading] if is_kana(reading) and has_kanji(family):
            return f"{family} {given}", reading
        case [whole, reading] if is_kana(reading) and has_kanji(whole):
            is_long = len(whole) > 2 and len(reading) > 3
            return (whole, reading) if is_long else None
    return None


def _ask_rest(entries: Sequence[Entry], rows: Sequence[SheetRow], questions: Questions) -> None:
    """Ask whether what follows a name in kanji belongs to it."""
    long = [
        entry
        for entry in entries
        if has_kanji(entry.name) and entry.name.count(" ") > 1 and _words(entry.name) is None
    ]
    if not long:
        return
    short = {id(entry): " ".join(entry.name.split(" ")[:2]) for entry in long}
    text = _("Some names have more than two words. Do all of them belong to the name?")
    choices = [
        ListChoice("without", _("No: {name}").format(name=short[id(long[0])])),
        ListChoice("with", _("Yes: {name}").format(name=long[0].name)),
    ]
    examples = [row for entry, row in zip(entries, rows, strict=True) if id(entry) in short]
    if questions.ask("rest", text, choices, examples) == "without":
        for entry in long:
            entry.name = short[id(entry)]


def _ask_brackets(
    bracketed: Sequence[Entry],
    entries: Sequence[Entry],
    rows: Sequence[SheetRow],
    questions: Questions,
) -> None:
    """Ask whether texts in brackets belong to the names."""
    if not bracketed:
        return
    bare = {id(entry): _IN_BRACKETS.fullmatch(entry.name) for entry in bracketed}
    first = bare[id(bracketed[0])]
    text = _("Some names have an addition in brackets. Does it belong to the name?")
    choices = [
        ListChoice("without", _("No: {name}").format(name=first[1] if first else "")),
        ListChoice("with", _("Yes: {name}").format(name=bracketed[0].name)),
    ]
    examples = [r for e, r in zip(entries, rows, strict=True) if id(e) in bare]
    if questions.ask("brackets", text, choices, examples) == "without":
        for entry in bracketed:
            if match := bare[id(entry)]:
                entry.name = match[1]
