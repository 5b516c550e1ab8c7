"""Class lists as schools have them are read exactly, asked about, or refused by name. Nothing is
silently wrong."""

from collections import Counter
from collections.abc import Iterator

import pytest
from django.utils import translation

from puzzleclass.classes.roster import Roster, check_roster
from puzzleclass.classes.roster_reading import read_roster
from puzzleclass.spreadsheets.encodings import SheetError
from puzzleclass.spreadsheets.reading import text_of_file
from tests.web.classes import class_list_files, class_list_tables
from tests.web.classes.class_lists import Asked, ClassList, Lists, Read, Refused, Student


def all_lists() -> list[ClassList]:
    """Return all lists. Their names are drawn with one seed."""
    lists = Lists(2026)
    tables, files = class_list_tables, class_list_files
    for add in (
        tables.plain,
        tables.columns,
        tables.headings,
        tables.arrangements,
        tables.titles,
        files.class_dates,
        files.class_names,
        files.birthdays,
        files.sheets,
        files.files,
        files.encodings,
        files.damaged,
    ):
        add(lists)
    return lists.made


LISTS = all_lists()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def read(content: str | bytes, answers: dict[str, str]) -> Roster:
    """Return the list as the pages for a new class read it."""
    text = content if isinstance(content, str) else text_of_file(content)
    roster = read_roster(text, answers)
    check_roster(roster, {}, by_class=bool(roster.class_names))
    return roster


def answered(content: str | bytes, answers: dict[str, str]) -> tuple[Roster, set[str]]:
    """Return the list after all its questions were answered by their kinds, and these kinds."""
    fields: dict[str, str] = {}
    kinds: set[str] = set()
    for _ in range(6):
        roster = read(content, fields)
        for question in roster.questions:
            kind = question.key.rpartition("-")[0]
            kinds.add(kind)
            if kind in answers and not question.answer:
                values = [choice.value for choice in question.choices]
                wanted = [value for value in answers[kind].split() if value in values]
                fields[question.field] = wanted[0]
        if not roster.open_questions:
            break
    return roster, kinds


def students(roster: Roster) -> list[Student]:
    return [Student(e.class_name, e.number or 0, e.name, e.reading) for e in roster.good]


def verdict(each: ClassList) -> tuple[str, object]:
    """Return what became of a list, and why; "silently wrong" if nobody would notice."""
    try:
        first = read(each.content, {})
    except SheetError as error:
        return "refused", str(error)
    if first.fault:
        return "refused", first.fault
    said = (students(first), [e.faults for e in first.entries if e.faults])
    if first.open_questions:
        return "asked", [question.text for question in first.questions]
    if isinstance(each.verdict, Read) and students(first) == list(each.verdict.students):
        return "read", said
    return "silently wrong", said


def test_there_are_enough_lists_and_none_is_silently_wrong():
    """The table of the verdicts is in the message if a list has the wrong one."""
    found = {each.name: verdict(each) for each in LISTS}
    assert len(found) == len(LISTS) >= 120
    wanted = {Read: "read", Asked: "asked", Refused: "refused"}
    wrong = [
        f"{each.name}: {found[each.name]}"
        for each in LISTS
        if found[each.name][0] != wanted[type(each.verdict)]
    ]
    assert not wrong, "\n".join(wrong)
    counts = Counter(what for what, _why in found.values())
    assert counts["silently wrong"] == 0 and min(counts["read"], counts["asked"]) > 30


@pytest.mark.parametrize("each", LISTS, ids=lambda each: each.name)
def test_each_list_gets_its_verdict(each):
    match each.verdict:
        case Refused(words):
            with pytest.raises(SheetError, match=words):
                roster = read(each.content, {})
                raise SheetError(roster.fault)
        case Read(wanted):
            roster = read(each.content, {})
            assert not roster.fault and not roster.questions, roster.questions
            assert students(roster) == list(wanted)
            assert roster.faulty == each.faulty
        case Asked(answers, wanted):
            roster, kinds = answered(each.content, answers)
            assert kinds == set(answers)
            assert not roster.open_questions and not roster.fault
            assert students(roster) == list(wanted)
            assert roster.faulty == each.faulty
