"""The non-attacking pieces: rules, texts, pictures and the editor."""

import pytest

from solvers.kikazu import KIND
from solvers.kikazu.rules import NAMES, PIECES
from solvers.kind import BadText, IllegalMove, PuzzleError
from solvers.picture import Line, Polygon, Rect, Spot, Text
from solvers.symmetry import symmetries

FULL_SET = "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L18P"


def test_the_victim_of_a_clue_is_the_place():
    with pytest.raises(BadText) as fault:
        KIND.read("R1K/3/3 P")
    assert fault.value.place.cell == (0, 2)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("P 4,1", "There is no square at row 4, column 1."),
        ("P 1,1", "A piece stands at row 1, column 1 already"),
        ("P 2,2", "A piece stands at row 2, column 2 already"),
        ("P 3,3", "The square at row 3, column 3 must stay empty."),
        ("R 3,1", "No rook is left in the hand."),
        ("- 3,1", "No piece stands at row 3, column 1."),
        ("- 3,3", "No piece stands at row 3, column 3."),
        ("- 1,1", "The piece at row 1, column 1 was given. It must stay."),
        ("P2,2> 1,1", "A piece stands at row 1, column 1 already"),
        ("P2,2> 2,2", "A piece stands at row 2, column 2 already"),
        ("P2,2> 3,3", "The square at row 3, column 3 must stay empty."),
        ("P2,2> 4,1", "There is no square at row 4, column 1."),
        ("P4,1> 3,1", "There is no square at row 4, column 1."),
        ("P3,1> 1,2", "No piece stands at row 3, column 1."),
        ("R2,2> 1,2", "No rook stands at row 2, column 2."),
        ("G1,1> 1,2", "The piece at row 1, column 1 was given. It must stay."),
    ],
)
def test_illegal_moves(move, message):
    position = KIND.read("G2/3/2- 2P | P 2,2")
    with pytest.raises(IllegalMove) as fault:
        KIND.play(position, KIND.read_move(move))
    assert message in str(fault.value)


REACH = {
    "R": "..x.. ..x.. xxOxx ..x.. ..x..",
    "B": "x...x .x.x. ..O.. .x.x. x...x",
    "K": "..... .xxx. .xOx. .xxx. .....",
    "G": "..... .xxx. .xOx. ..x.. .....",
    "S": "..... .xxx. ..O.. .x.x. .....",
    "N": ".x.x. ..... ..O.. ..... .....",
    "L": "..x.. ..x.. ..O.. ..... .....",
    "P": "..... ..x.. ..O.. ..... .....",
}


@pytest.mark.parametrize(("piece", "reach"), REACH.items())
def test_what_a_piece_attacks(piece, reach):
    alone = KIND.play_line(
        KIND.read(f"5/5/5/5/5 {'2' if piece == 'P' else piece}P"), f"{piece} 3,3"
    )
    allowed = {move.cell for move in KIND.moves(alone) if move.piece == "P"}
    for row, line in enumerate(reach.split()):
        for column, sign in enumerate(line):
            if sign == "O":
                continue
            beside = KIND.play_line(alone, f"P {row + 1},{column + 1}")
            attacked = sign == "x"
            # The pawn itself attacks the square ahead of it.
            attacking = (row, column) == (3, 2)
            assert bool(KIND.judge(beside).faults) == (attacked or attacking)
            assert ((row, column) in allowed) == (not attacked and not attacking)


def test_judging():
    position = KIND.play_line(KIND.read("4/4/4/4 RKP"), "R 1,1 K 1,3")
    verdict = KIND.judge(position)
    assert not verdict.solved
    assert [cell for cell, _ in verdict.faults] == [(0, 2)]
    assert "rook at row 1, column 1 attacks the king at row 1, column 3" in str(
        verdict.faults[0][1]
    )
    position = KIND.play_line(position, "- 1,3 K 3,3")
    assert not KIND.judge(position).faults
    # Every square is attacked or taken, so the player is stuck with a pawn left.
    assert not list(KIND.moves(position))
    assert KIND.judge(position).over
    assert not KIND.judge(position).solved


def test_solved_boards_are_told_apart_by_what_stands_where():
    start = KIND.read("3/3/3 2PK")
    one = KIND.play_line(start, "P 1,1 P 1,3 K 3,2")
    same = KIND.play_line(start, "K 3,2 P 1,2 - 1,2 P 1,3 P 1,1")
    other = KIND.play_line(start, "P 1,1 P 1,3 K 3,1")
    assert KIND.judge(one).solved
    assert KIND.solution(one) == KIND.solution(same) != KIND.solution(other)


def spots(picture):
    return {(s.row, s.column): s for s in picture.shapes if isinstance(s, Spot)}


def test_the_picture_in_play():
    position = KIND.play_line(KIND.read("G2-/4/4/4 RB2P"), "R 4,4 P 4,2")
    assert list(KIND.tools.names(position)) == ["B", "P"]
    assert str(KIND.tools.names(position)["P"]) == "pawn, in the hand: 1"
    picture = KIND.tools.draw(position, "P")
    pressed = spots(picture)
    assert pressed[1, 1].move == "P 2,2"
    # A press takes up a piece of the board. Delete or a drag off the board puts it into the hand.
    rook = pressed[3, 3]
    assert (rook.move, rook.carries, rook.back) == ("R4,4>", "R4,4>", "- 4,4")
    # A given piece and a square that must stay empty have labels, but can't be pressed.
    assert pressed[0, 0].is_closed
    assert pressed[0, 3].is_closed
    # The hand is in rows that no board has. Its rook is used up.
    in_hand = [spot for cell, spot in pressed.items() if cell[0] >= 9]
    assert [(s.move, s.carries, s.back) for s in in_hand] == [("B", "B", ""), ("P", "P", "")]
    # A tool that is used up is replaced by the first piece of the hand.
    assert spots(KIND.tools.draw(position, "R"))[1, 1].move == "B 2,2"
    assert spots(KIND.draw(position))[1, 1].move == "B 2,2"
    attacks = [shape for shape in picture.shapes if getattr(shape, "style", "") == "kikazu-attack"]
    assert attacks == [Line(127, 140, 73, 140, "kikazu-attack")]
    shaded = [shape for shape in picture.shapes if getattr(shape, "style", "") == "kikazu-attacked"]
    assert all(isinstance(shape, Rect) for shape in shaded)
    assert len(shaded) == len(
        {(0, 1), (1, 0), (3, 0), (3, 1), (3, 2), (0, 3), (1, 3), (2, 3), (2, 1)}
    )
    assert picture.text == "G..-\n....\n....\n.P.R\nBP"


def test_pieces_bear_a_japanese_and_a_latin_letter():
    picture = KIND.draw(KIND.read("3/1K1/3 P"))
    king = [shape for shape in spots(picture)[1, 1].shapes if isinstance(shape, Polygon | Text)]
    assert [shape.style for shape in king] == ["koma given", "kanji", "letter"]
    assert [shape.text for shape in king[1:]] == ["王", "K"]


def test_a_full_board_shows_only_what_can_be_taken_back():
    position = KIND.play_line(KIND.read("3/3/3 P"), "P 1,1")
    shown = [spot.move for spot in spots(KIND.draw(position)).values()]
    # Free squares have names for those who listen, and nothing in the hand to put there.
    assert [move for move in shown if not move.startswith("- ")] == ["P1,1>"]
    assert len(shown) == 9
    assert KIND.tools.names(position) == {}


def test_a_piece_taken_up_goes_to_a_free_square_or_back():
    position = KIND.play_line(KIND.read("G2/3/3 2PR"), "P 3,1 R 2,2")
    assert list(KIND.tools.movable(position)) == ["R2,2>", "P3,1>"]
    picture = KIND.tools.draw(position, "R2,2>")
    pressed = spots(picture)
    assert pressed[2, 2].move == "R2,2> 3,3"
    assert pressed[1, 1].move == "- 2,2"
    assert "taken up" in str(pressed[1, 1].label)
    assert pressed[2, 0].move == "P3,1>"
    # Its attack from its present square does not matter for its next square.
    styles = [shape.style for shape in picture.all_shapes]
    assert styles.count("kikazu-attacked") == 2
    assert styles.count("kikazu-lifted") == 1
    after = KIND.play_line(position, "R2,2> 3,3")
    assert after.board == "G..\n...\nP.R".replace("\n", "")
    assert after.hand == position.hand
    assert str(KIND.describe(after.line[-1])) == "rook from row 2, column 2 to row 3, column 3"
    # The move is one step: when it is undone, the rook is back on its square.
    assert KIND.play_line(KIND.start(after), KIND.write_line(position)) == position
    # A piece that has left its square can't be taken up there.
    assert spots(KIND.tools.draw(after, "R2,2>"))[1, 1].move == "P 2,2"


def test_drawing_up_a_start():
    editor = KIND.editor
    draft = editor.blank(4, 5)
    assert draft == "5/5/5/5 -"
    hand = [cell for cell in spots(editor.draw(draft)) if cell[0] >= 4]
    assert len(hand) == 8
    draft = editor.paint(draft, (0, 0), "king")
    draft = editor.paint(draft, (3, 4), "barred")
    for _ in range(3):
        draft = editor.paint(draft, hand[7], "king")
    draft = editor.paint(draft, hand[0], "rook")
    assert draft == "K4/5/5/4- R3P"
    draft = editor.paint(draft, hand[7], "clear")
    draft = editor.paint(draft, hand[6], "clear")
    assert draft == "K4/5/5/4- R2P"
    draft = editor.paint(draft, (0, 0), "king")
    assert draft == "5/5/5/4- R2P"
    assert editor.resize(draft, 3, 3) == "3/3/3 R2P"
    for wrong in ((9, 8), (4, 0), (-1, 0)):
        with pytest.raises(PuzzleError):
            editor.paint(draft, wrong, "king")


def test_drafts_may_break_the_rules():
    editor = KIND.editor
    draft = editor.paint("R2/3/3 -", (0, 2), "king")
    assert draft == "R1K/3/3 -"
    with pytest.raises(BadText) as fault:
        KIND.read(f"{draft[:-1]}P")
    marked = editor.draw(draft, fault.value.place.cell)
    assert "fault" in [shape.style for shape in spots(marked)[0, 2].shapes]
    lines = [shape for shape in marked.all_shapes if shape.style == "kikazu-attack"]
    assert [(line.y1, line.y2) for line in lines] == [(20, 20)]


def test_sfen_for_other_programs():
    start = KIND.read("4/1K2/4/4 2G2S2NP")
    assert KIND.notations.write(start) == {"SFEN": "sfen 4/1K2/4/4 b 2G2S2NP 1"}
    assert KIND.read(KIND.notations.write(start)["SFEN"]) == start
    assert KIND.notations.write(KIND.read("3/1K1/--1 2P")) == {}


def test_pictures_beside_the_rules():
    shown = KIND.illustrations.pictures()
    assert len(shown) == len(PIECES) + 2
    for (picture, caption), piece in zip(shown, PIECES):
        assert (str(caption), picture.text.count(piece)) == (str(NAMES[piece]), 1)
        dots = [shape for shape in picture.all_shapes if shape.style == "kikazu-attacked"]
        assert len(dots) == picture.text.count("x") > 0
    # The first piece on the way is attacked, whether or not pieces block.
    blocked, through = (picture for picture, _ in shown[-2:])
    lines = [
        [shape for shape in picture.all_shapes if shape.style == "kikazu-attack"]
        for picture in (blocked, through)
    ]
    assert set(lines[0]) < set(lines[1])


def test_the_full_set_is_read():
    start = KIND.read(FULL_SET)
    assert sum(start.hand) == 40
    assert len(list(KIND.moves(start))) == 8 * 81


def images(text: str) -> list[str]:
    start = KIND.read(text)
    turned = (KIND.turned(start, symmetry) for symmetry in symmetries(start.rows, start.columns))
    return [KIND.write_start(image) for image in turned if image]


def test_a_board_is_turned_only_where_its_pieces_attack_alike():
    assert images("P-3/5/5/5 G") == ["P-3/5/5/5 G", "3-P/5/5/5 G"]
    assert KIND.canonical(KIND.read("P2/3/3 G")) != KIND.canonical(KIND.read("3/3/2P G"))
    assert len(set(images("R-3/5/5 BK"))) == 8


@pytest.mark.parametrize("piece", PIECES)
def test_the_attacks_of_a_piece_decide_how_it_may_be_turned(piece):
    """A piece in the hand counts like one on the board."""
    assert len(images(f"-3/4/4/4 {piece}")) == (8 if piece in "RBK" else 2)
