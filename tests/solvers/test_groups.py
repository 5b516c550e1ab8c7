"""The question `groups`: known groups of known boards, and boards with too many solutions."""

import pytest

from solvers import groups
from solvers.contract.boards import make_ask
from solvers.registry import get_kind


def answer_of(slug: str, position: str, question: str = "groups"):
    return make_ask(get_kind(slug))(question, position)


def test_stones_in_a_row_are_picked_up_from_either_end():
    found = answer_of("goishi", "ooo").groupings
    assert [(group.size, group.line) for group in found["symmetry"].groups] == [(2, "1,1 1,2 1,3")]
    assert sorted(group.key for group in found["first"].groups) == ["1,1", "1,3"]
    assert [group.key for group in found["turns"].groups] == ["0"]


@pytest.mark.parametrize("position", ["Bbb/bbb/bbb", "Bbbb/bbbb/bbbb", "bbb/bBb/bbw"])
def test_who_flips_whom_has_as_many_groups_as_the_solver_of_classes_finds(position):
    """The two share nothing: one orients the grid, the other groups the listed orders."""
    answer = answer_of("tonari", position)
    classes = answer_of("tonari", position, "classes")
    if answer.groupings:
        found = answer.groupings["flips"]
        assert found.number == classes.value
        sizes = sorted(int(group.size) for group in found.groups)
        assert sizes == sorted(int(each.orders) for each in classes.classes)


def test_two_rooks_stand_on_squares_in_groups():
    answer = answer_of("kikazu", "3/3/3 2R")
    assert answer.value == 18
    by = answer.groupings
    assert by["squares"].number == 18
    assert sum(group.size for group in by["symmetry"].groups) == 18


def test_groups_by_the_strongest_piece_name_all_of_these_pieces():
    found = answer_of("kikazu", "4/4/4/4 2R2B")
    assert found.value == 36
    assert {name: by.number for name, by in found.groupings.items()} == {
        "symmetry": 5,
        "strongest": 20,
        "squares": 26,
    }
    kind = get_kind("kikazu")
    ends = [
        kind.play_line(kind.read("4/4/4/4 2R2B"), group.line)
        for group in found.groupings["strongest"].groups
    ]
    names = {str(kind.groupings["strongest"].describe(end)) for end in ends}
    assert len(names) == 20
    assert all(name.count("rook") == 2 for name in names)


def test_the_corners_of_a_form_group_it():
    answer = answer_of("maxstrings", "../.. 2")
    by = answer.groupings
    assert sum(group.size for group in by["corners"].groups) == answer.value
    assert {group.key for group in by["strings"].groups} == {"2"}


def test_too_many_solutions_are_grouped_by_exact_counts(monkeypatch):
    monkeypatch.setattr(groups, "MAX_SOLUTIONS", 3)
    kind = get_kind("goishi")
    answer = answer_of("goishi", "o./oo/../oo")
    assert not answer.groupings and answer.proven
    counted = answer_of("goishi", "o./oo/../oo", "count").by_move
    assert {group.key: group.size for group in answer.by_move} == {
        move: number for move, number in counted.items() if number
    }
    for group in answer.by_move:
        assert kind.judge(kind.play_line(kind.read("o./oo/../oo"), group.line)).solved
        assert group.line.split()[0] == group.key
