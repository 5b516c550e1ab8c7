"""The formats of puzz.link, pzpr, Kanpen, PencilBox, of the poster and the study: in and out."""

import random

import pytest

from solvers.goishi.rules import canonical
from solvers.kind import IllegalMove, PuzzleError
from solvers.registry import get_kind

KIND = get_kind("goishi")


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("goishi/6/7/vsten1tvo", "....../..oo../.o.o../.o.o../.oooo./...o../......"),
        ("https://puzz.link/p?goishi/4/2/8k", "o.oo/o.o."),
        ("http://pzv.jp/p.html?goishi/4/2/8k", "o.oo/o.o."),
        ("https://puzz.link/p?goishi_edit/4/2/8k", "o.oo/o.o."),
        ("https://puzz.link/p.html?goishi_play/4/2/8k/", "o.oo/o.o."),
        ("p?goishi/4/2/8K", "o.oo/o.o."),
        ("goishi/4/2/8l", "o.oo/o.o."),
        ("goishi/4/2/8n", "o.oo/o.o."),
        ("goishi/5/5/00000", "/".join(["ooooo"] * 5)),
        ("goishi/4/4/vvv0", "..../..../..../...o"),
        ("pzprv3\ngoishi\n2\n4\n0 . 0 0 \n0 . 0 . \n", "o.oo/o.o."),
        ("pzprv3\r\ngoishi\r\n2\r\n4\r\n0 . 0 0 \r\n0 . 0 . \r\n", "o.oo/o.o."),
        ("pzprv3/goishi/2/4/0 . 0 0 /0 . 0 . /", "o.oo/o.o."),
        ("pzprv3\ngoishi\n2\n4\n2 . 0 0 \n1 . 0 . \n", "o.oo/o.o. | 2,1 1,1"),
        ("2\n4\n1 . 1 1 \n1 . 1 . \n", "o.oo/o.o."),
        ("2\n4\n1 . 1 1 \n1 . 1 . \n1 1 0\n2 0 0\n", "o.oo/o.o. | 2,1 1,1"),
        ("2\n2\n1 1 \n1 1 \n", "oo/oo"),
        ("5\n1 1\n1 3\n1 4\n2 1\n2 3", "o./oo/../oo"),
    ],
)
def test_what_is_read(text, board):
    assert KIND.write(KIND.read(text)) == board


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("goishi/4/2/8z", "“z” can't stand in this address"),
        ("goishi/4/2/8W", "“w” can't stand in this address"),
        ("goishi/4/2/8", "length of the board in this address is 1, but 2 rows and 4"),
        ("goishi/4/2/8kk", "is 3, but 2 rows and 4 columns need 2"),
        ("goishi/4/2", "goes on with columns/rows/board"),
        ("goishi/four/2/8k", "goes on with columns/rows/board"),
        ("goishi/0/0/", "goes on with columns/rows/board"),
        ("goishi/40/40/" + "0" * 320, "is 40 × 40"),
        ("goishi/4/2/vv", "The board is empty"),
        ("pzprv3\nslither\n2\n2\n. . \n. . \n", "This is a “slither” puzzle"),
        ("pzprv3\ngoishi\ntwo\n4\n", "Line 3: the number of rows or columns"),
        ("pzprv3\ngoishi\n2\n4\n0 . 0 0 \n", "Line 6: 4 points must stand here, but there are 0"),
        ("pzprv3\ngoishi\n1\n4\n0 . 0 \n", "Line 5: 4 points must stand here, but there are 3"),
        ("pzprv3\ngoishi\n1\n2\n0 x \n", "Line 5: “x” is neither"),
        ("pzprv3\ngoishi\n1\n2\n1 1 \n", "Line 5: number 1 stands here for the second time"),
        ("pzprv3\ngoishi\n1\n3\n1 3 0 \n", "number 2 is missing"),
        ("pzprv3\ngoishi\n99\n99\n0 ", "is 99 × 99"),
        ("2\n4\n1 . 1 1 \n1 . 1 . \n1 1\n", "Line 5: after the board each line is a picked stone"),
        ("2\n2\n. . \n. . \n", "The board is empty"),
    ],
)
def test_what_is_refused(text, says):
    with pytest.raises(PuzzleError) as fault:
        KIND.read(text)
    assert says in str(fault.value)


@pytest.mark.parametrize(
    "text",
    [
        "pzprv3\ngoishi\n1\n4\n1 0 2 0 \n",
        "pzprv3\ngoishi\n2\n2\n1 . \n. 2 \n",
        "1\n4\n1 1 1 1 \n1 0 1\n2 0 2\n3 0 0\n",
        "1\n4\n1 1 . . \n1 0 9\n",
    ],
)
def test_an_order_against_the_rules_is_refused(text):
    with pytest.raises(IllegalMove, match="breaks the rules at number"):
        KIND.read(text)


def test_everything_written_is_read_again():
    rng = random.Random(4)
    for _ in range(60):
        position = KIND.sample(rng, rng.randint(1, 8))
        for _ in range(rng.randint(0, 4)):
            if moves := list(KIND.moves(position)):
                position = KIND.play(position, rng.choice(moves))
        exports = KIND.notations.write(position)
        assert len(exports) == 6
        for title, text in exports.items():
            again = KIND.read(text)
            if "x and y" in title:
                assert canonical(again) == canonical(position)
            else:
                assert KIND.start(again) == KIND.start(position), title
            if "pzprv3" in title or "Kanpen" in title:
                assert again == position
