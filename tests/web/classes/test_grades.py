"""The grade of a class, read from its name."""

import pytest

from puzzleclass.classes.grades import grade_of, name_of


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("小5の1", (5,)),
        ("小学6年2組", (6,)),
        ("中2A", (8,)),
        ("中学校1年", (7,)),
        ("高1-3", (10,)),
        ("高校3年", (12,)),
        ("5年3組", (5,)),
        ("五年三組", (5,)),
        ("5-3", (5,)),
        ("５-3", (5,)),
        ("6A", (6,)),
        ("4年花組", (4,)),
        ("8-2", (8,)),
        ("Grade 4 blue", (4,)),
        ("Year 5", (4, 5)),
        ("2-1", (2, 8, 11)),
        ("1年C組", (1, 7, 10)),
        ("5・6年", ()),
        ("ふたば", ()),
        ("Go club 2026", ()),
        ("13-1", ()),
    ],
)
def test_the_name_of_a_class_says_its_grade(name, choices):
    assert grade_of(name).choices == choices


def test_the_other_classes_decide_among_the_levels_of_school():
    assert grade_of("2-1", others=[7, 9]).grade == 8
    assert grade_of("2-1", others=[5, 7]).grade is None
    assert grade_of("5-1", others=[7]).grade == 5


def test_pressed_buttons_make_a_name():
    assert name_of(5, "3") == "5-3"
    assert name_of(7, "A") == "1A"
