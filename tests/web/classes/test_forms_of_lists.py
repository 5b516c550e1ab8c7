"""Lists in which readings stand in rows of their own, and classes became dates."""

import pytest

from puzzleclass.classes.roster_reading import read_roster

PEOPLE = [
    (1, "佐藤 蓮", "さとう れん"),
    (2, "青木 陽菜", "アオキ ヒナ"),
    (3, "石川 葵", "いしかわ あおい"),
]
WANTED = [(name, reading) for _number, name, reading in PEOPLE]


def table(rows):
    return "\n".join("\t".join(map(str, row)) for row in rows)


def below(head=()):
    return table([*head, *(row for n, name, kana in PEOPLE for row in ((n, name), ("", kana)))])


def above(head=()):
    return table([*head, *(row for n, name, kana in PEOPLE for row in (("", kana), (n, name)))])


LISTS = {
    "below, without headings": below(),
    "below, with headings": below([("番号", "氏名")]),
    "below, with two rows of headings": below([("番号", "氏名"), ("", "ふりがな")]),
    "below a title": below([("5年2組",), ("番号", "氏名")]),
    "above, with headings": above([("番号", "氏名")]),
    "above, without headings": above(),
    "one column": "\n".join(text for _n, *both in PEOPLE for text in both),
    "one column with numbers": "\n".join(
        text for n, name, kana in PEOPLE for text in (f"{n} {name}", kana)
    ),
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS.keys())
def test_name_and_reading_in_two_rows_are_one_student(text):
    roster = read_roster(text)
    assert [(entry.name, entry.reading) for entry in roster.entries] == WANTED
    assert not roster.fault and not roster.questions


@pytest.mark.parametrize(
    "text",
    [
        "佐藤 蓮\nさくら\n青木 陽菜\nいしかわ あおい\n上野 空\nえんどう みお\n大野 海",
        "1\t佐藤 蓮\n2\tさくら\n3\t青木 陽菜\n4\tみき",
        "佐藤 蓮\nさとう れん\n青木 陽菜\nあおき ひな",
        "たかはし\nすずき\nさとう\nたなか",
    ],
)
def test_children_whose_names_are_in_kana_stay_students(text):
    roster = read_roster(text)
    assert len(roster.entries) == len(text.split("\n"))
    assert not any(entry.reading for entry in roster.entries)


@pytest.mark.parametrize(("answer", "name"), [("", "4-2"), ("month", "4-2"), ("day", "2-4")])
def test_the_preview_shows_the_class_that_excel_made_a_date_of(answer, name):
    text = table([("クラス", "番号", "氏名"), *(("4月2日", n, who) for n, who, _kana in PEOPLE)])
    question = read_roster(text).questions[0]
    roster = read_roster(text, {question.field: answer} if answer else {})
    assert {entry.class_name for entry in roster.entries} == {name}
