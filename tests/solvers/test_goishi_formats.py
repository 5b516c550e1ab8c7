"""What a Goishi Hiroi board may be written like, and what is said of what can't be read."""

import pytest

from solvers.kind import BadText, PuzzleError
from solvers.registry import get_kind

KIND = get_kind("goishi")
STUDY = "o./oo/../oo"


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("o.oo/oo..", "o.oo/oo.."),
        ("o.oo\noo..\n", "o.oo/oo.."),
        ("o.oo\r\noo..\r\n", "o.oo/oo.."),
        ("o.oo\roo..", "o.oo/oo.."),
        ("\ufeffo.oo/oo..", "o.oo/oo.."),
        ("  o.oo  \n  oo..  ", "o.oo/oo.."),
        ("O.OO/oO..", "o.oo/oo.."),
        ("ｏ．ｏｏ／ｏｏ．．", "o.oo/oo.."),
        ("●・●●\n●●・・", "o.oo/oo.."),
        ("○.○○/○○..", "o.oo/oo.."),
        ("〇‥〇/_-=", None),
        ("x.xx/XX..", "o.oo/oo.."),
        ("*-**/**--", "o.oo/oo.."),
        ('"o oo"\n"oo  "', "o.oo/oo.."),
        ('"O OO",\n"OO  ",', "o.oo/oo.."),
        ("“o oo”\n“oo  ”", "o.oo/oo.."),
        ("「○　○○」\n「○○　　」", "o.oo/oo.."),
        ('"o.oo"/"oo.."', "o.oo/oo.."),
        ("5\n1 1\n1 3\n1 4\n2 1\n2 3", STUDY),
        ("5\r\n1 1\r\n1 3\r\n1 4\r\n2 1\r\n2 3\r\n", STUDY),
        ("\ufeff５\n１　１\n１　３\n１　４\n２　１\n２　３", STUDY),
        ("5 1 1 1 3 1 4 2 1 2 3", STUDY),
        ("5 / 1 1 / 1 3 / 1 4 / 2 1 / 2 3", STUDY),
        ("o . o o\no o . .", "o.oo/oo.."),
        ("- O\nO O", ".o/oo"),
        ("5\n(1,1) (1,3) (1,4)\n(2,1), (2,3)", STUDY),
        ("5\n0 0\n0 2\n0 3\n1 0\n1 2", STUDY),
        ("5\n1001 901\n1001 903\n1001 904\n1002 901\n1002 903", STUDY),
        ("http://www.kanpen.net/goishi.html?problem=2/3/1_._1/._1_./", "o.o/.o."),
        ("https://puzz.link/p?goishi/30/2/vvvvv7vvvvvv", "oo"),
        ("4/2/8k", "o.oo/o.o."),
        ("6/2/vv7/", "....../....oo"),
        ("1/7/7", "o"),
        ("1\n7 7", "o"),
        ("o", "o"),
        ("..../.o..", "..../.o.."),
        ("/".join(["o" * 19] * 19), "/".join(["o" * 19] * 19)),
    ],
)
def test_formats(text, board):
    position = KIND.read(text)
    if board:
        assert KIND.write(position) == board


@pytest.mark.parametrize(
    ("text", "says", "line", "column"),
    [
        ("", "The board is empty", None, None),
        (" \r\n\t ", "The board is empty", None, None),
        ("\ufeff", "The board is empty", None, None),
        (".../...", "The board is empty", None, None),
        ("0", "The board is empty", None, None),
        ("o.o/oo", "The length of row 2 is 2, but that of row 1 is 3", 2, None),
        ("o.o/oo./o.oo", "The length of row 3 is 4, but that of row 1 is 3", 3, None),
        ("o.o\n\no.o", "The length of row 2 is 0, but that of row 1 is 3", 2, None),
        ('"oo"\n" "', "The length of row 2 is 1,", 2, None),
        ("https://puzz.link/p?nurikabe/5/5/g1h", "This is a “nurikabe” puzzle", None, None),
        ("6/7/8k", "The length of the board in this address is 2", None, None),
        ("kanpen.net/nurikabe.html?problem=5/5/", "This is a “nurikabe” puzzle", None, None),
        ("kanpen.net/goishi.html?problem=2/2/1_1/", "After “problem=” an address", None, None),
        ("o.o/o?o", "Line 2, column 2: “?” is neither a stone", 2, 2),
        ("o . o\no ? o", "Line 2, column 3: “?” is neither a stone", 2, 3),
        ("o.o\n o#o", "Line 2, column 3: “#” is neither a stone", 2, 3),
        ('"o o"\n"o?o"', "Line 2, column 3: “?” is neither a stone", 2, 3),
        ("oo1", "“1” is neither a stone", 1, 3),
        ("o o/oo.", "Line 1, column 2: a space is an empty point only between", 1, 2),
        ("●○/..", "Line 1, column 2: two signs stand for stones here, “●” and “○”", 1, 2),
        ("/".join(["o" * 40] * 40), "is 40 × 40", None, None),
        ("o" * 20, "is 1 × 20", None, None),
        ("2000\n1 1", "Number of stones: 2000. At most 361", 1, None),
        ("5\n1 1\n1 3\n1 4\n2 1\n1 3", "Stones 2 and 5 both stand at 1 3", 6, None),
        ("2\n1 1\n01 1", "Stones 1 and 2 both stand at 1 1", 3, None),
        ("2\n1 1\n1 -3", "Line 3: “-3” is not a whole number", 3, None),
        ("2\n1 1\n1 1.5", "Line 3: “1.5” is not a whole number", 3, None),
        ("-2\n1 1\n1 2", "Line 1: “-2” is not a whole number", 1, None),
        ("2\n1 1\n1 99999", "Line 3: 99999 is too large", 3, None),
        ("2\n1 1\n1 " + "9" * 5000, "Line 3: 99999999999999999999… is too large", 3, None),
        ("2\n1 1\n1 25", "is 25 × 1", None, None),
        ("2\n1 1\n1", "Line 3: this coordinate has no partner", 3, None),
        ("3\n1 1\n1 2", "The first number is 3, but", 1, None),
        ("1\n1 1\n1 2", "The first number is 1, but", 1, None),
        ("2000", "Number of stones: 2000", 1, None),
        ("3", "The first number is 3, but", 1, None),
        ("o" * 20_001, "This text is too long: 20001 characters", None, None),
        ("o.o | 1,2", "There is no stone at row 1, column 2", None, None),
        ("o.o | 1,1 nonsense", "“nonsense” is not a move", 1, 5),
        ("o.o | 0,1", "“0,1” is not a point", None, None),
        ("o.o | 1,99999999", "“1,99999999” is not a point", None, None),
        ("o.o|", "“|” is neither a stone", 1, 4),
    ],
)
def test_faults_are_named(text, says, line, column):
    with pytest.raises(PuzzleError) as fault:
        KIND.read(text)
    assert says in str(fault.value)
    assert len(str(fault.value)) < 250
    assert (fault.value.place.line, fault.value.place.column) == (line, column)


def test_two_thousand_pairs_are_refused_by_their_number():
    pairs = "\n".join(f"{x} {y}" for x in range(50) for y in range(40))
    with pytest.raises(BadText, match="Number of stones: 2000"):
        KIND.read(f"2000\n{pairs}")


def test_the_editor_sets_and_takes_away():
    editor = KIND.editor
    draft = editor.blank(2, 3)
    assert draft == ".../..."
    draft = editor.paint(draft, (1, 2), "stone")
    assert draft == ".../..o"
    assert editor.paint(draft, (1, 2), "stone") == ".../..."
    assert editor.paint(draft, (1, 2), "clear") == ".../..."
    assert editor.paint(draft, (0, 0), "clear") == draft
    assert editor.resize(draft, 3, 4) == "..../..o./...."
    assert editor.resize(draft, 1, 2) == ".."
    assert list(editor.brushes) == ["stone", "clear"]
    assert editor.largest == (15, 15)
