"""The editor: drawing, pasting, saving, and everything that can be wrong with a request."""

import pytest
from django.urls import reverse

from puzzleclass.puzzles.drawing import MAX_UNDO_STEPS
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import kinds

STUDY_EXAMPLE = "5\n1 1\n1 3\n1 4\n2 1\n2 3"
"""The five stones of the school poster as its students write them."""

NEW = reverse("puzzle_new", args=["goishi"])
HTMX = {"hx-request": "true"}
BLANK = "/".join(["......"] * 6)

BAD_TEXTS = {
    "empty board": ("...\n...", "The board is empty.", "盤に石がありません。"),
    "2,000 stones in a row": ("o" * 2000, "1 × 2000", "1×2000"),
    "2,000 pairs": (
        "2000\n" + "\n".join(f"{i} {i}" for i in range(2000)),
        "Number of stones: 2000. At most 361",
        "石の数が2000になっています。",
    ),
    "40x40": ("\n".join(["o" * 40] * 40), "40 × 40", "40×40"),
    "too far apart": ("2\n1 1\n900 1", "1 × 900", "1×900"),
    "ragged rows": ("oo.\noo", "The length of row 2 is 2", "2行目の長さは2ですが"),
    "duplicate pair": (
        "3\n1 1\n1 2\n1 1",
        "Stones 1 and 3 both stand at 1 1.",
        "1番目と3番目の石が同じ場所（1 1）",
    ),
    "odd number": ("2\n1 1\n1", "Line 3: this coordinate has no partner.", "3行目：座標が1つ"),
    "wrong count": ("3\n1 1\n1 2", "The first number is 3", "最初の数は3ですが"),
    "negative": ("2\n1 -1\n1 2", "Line 2: “-1”", "2行目：「-1」"),
    "huge": ("2\n1 1\n1 " + "9" * 20, "Line 3: " + "9" * 20, "3行目：" + "9" * 20),
    "unknown sign": ("o.#\nooo", "Line 1, column 3: “#”", "1行目3文字目：「#」"),
    "two signs": ("oo.\no.x", "Line 2, column 3: two signs", "2行目3文字目：石を表す文字"),
    "blank": ("o o\nooo", "Line 1, column 2: a space", "1行目2文字目：空白"),
    "markup": ("o<b>", "Line 1, column 2: “&lt;”", "1行目2文字目：「&lt;」"),
    "null": ("o\0o", "Line 1, column 2", "1行目2文字目"),
    "25,000 signs": ("o" * 25_000, "25000 characters", "25000文字"),
    "a move that isn't there": ("oo | 9,9", "no stone at row 9", "9行9列に石はありません。"),
}

GOOD_TEXTS = {
    "study's pairs": STUDY_EXAMPLE,
    "full-width digits": "５\n１ １\n１ ３\n１ ４\n２ １\n２ ３",
    "CR LF": "o.\r\noo\r\n..\r\noo\r\n",
    "BOM": "\ufeffo./oo/../oo",
    "quoted rows": '"o "\n"oo"\n"  "\n"oo"',
    "slashes": "o./oo/../oo",
    "a line of moves behind it": "o./oo/../oo | 1,1 2,1",
}


def fields(step: str, **changes: object) -> dict[str, object]:
    """Return the editor's form as a browser sends it."""
    return {
        "do": step,
        "move": "",
        "draft": BLANK,
        "brush": "stone",
        "rows": "6",
        "columns": "6",
        "point": "",
        "title": "",
        "note": "",
        "text": "",
    } | changes


@pytest.fixture
def send(teacher_client):
    """Return a function that sends a step of the editor and returns the answer."""

    def send(step: str, **changes: object):
        return teacher_client.post(NEW, fields(step, **changes), headers=HTMX)

    return send


def drawn_in(answer):
    return answer.context["drawing"]


# Opening


@pytest.mark.parametrize(("language", "words"), [("en", "Create a puzzle"), ("ja", "問題を作る")])
def test_a_new_board_is_blank_and_can_be_pressed(client_of, teacher, language, words):
    page = client_of(teacher, language).get(NEW).content.decode()
    assert words in page
    assert page.count('role="button"') == 36
    form = page[page.index('<form id="editor"') :]
    assert "notice" not in form


@pytest.mark.parametrize("slug", ["chess", "_template", "x" * 300])
def test_an_unknown_kind_is_not_there(teacher_client, slug):
    address = NEW.replace("goishi", slug)
    assert teacher_client.get(address).status_code == 404
    assert teacher_client.post(address, fields("paint")).status_code == 404


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds().keys())
def test_the_editor_serves_every_kind(teacher_client, kind):
    address = reverse("puzzle_new", args=[kind.slug])
    opened = drawn_in(teacher_client.get(address))
    answer = teacher_client.post(
        address, fields("paint", draft=opened.text, brush=opened.brush, move="1,1"), headers=HTMX
    )
    assert answer.status_code == 200
    assert drawn_in(answer).past == (opened.text,)


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds().keys())
def test_every_example_of_a_format_can_be_read(kind):
    assert kind.editor.formats
    for example in kind.editor.formats.values():
        kind.read(example)


# Drawing


def test_a_press_sets_a_stone_and_another_takes_it_away(send):
    answer = send("paint", move="2,3")
    drawn = drawn_in(answer).text
    assert drawn.split("/")[1] == "..o..."
    assert "Stones: 1" in answer.content.decode()
    assert drawn_in(send("paint", draft=drawn, move="2,3")).text == BLANK


def test_the_brush_stays_in_the_hand(send):
    answer = send("paint", brush="clear", move="1,1")
    assert drawn_in(answer).brush == "clear"
    assert drawn_in(answer).text == BLANK


def test_the_form_keeps_what_was_typed(send):
    page = send("paint", move="1,1", title="<Five>", note="A note", text="o.#").content.decode()
    for typed in ("&lt;Five&gt;", "A note", "o.#"):
        assert typed in page
    assert "Give the puzzle a title." not in page


@pytest.mark.parametrize("step", ["point", "save"])
def test_a_point_can_be_named_with_or_without_its_button(send, step):
    answer = send(step, point="2,3", title="Five")
    assert drawn_in(answer).text.split("/")[1] == "..o..."
    assert not Puzzle.objects.exists()


def test_a_press_that_names_no_cell_changes_nothing(send):
    answer = send("paint")
    assert (answer.status_code, drawn_in(answer).text) == (200, BLANK)


def test_resizing_keeps_the_stones(send):
    answer = send("resize", draft="oo./.oo", rows="3", columns="2")
    assert drawn_in(answer).text == "oo/.o/.."


def test_clearing_keeps_the_size(send):
    assert drawn_in(send("clear", draft="oo./.oo")).text == ".../..."


def test_a_pasted_board_larger_than_the_editor_can_be_drawn_on_and_cleared(send):
    board = "/".join(["o" * 19] * 19)
    assert drawn_in(send("paint", draft=board, move="19,19")).text.endswith("o.")
    assert drawn_in(send("clear", draft=board)).rows == 15


def test_undo_and_redo(send):
    one = drawn_in(send("paint", move="1,1"))
    two = drawn_in(send("paint", move="1,2", draft=one.text, past=one.past))
    assert two.past == (BLANK, one.text)
    back = drawn_in(send("undo", draft=two.text, past=two.past))
    assert (back.text, back.past, back.future) == (one.text, (BLANK,), (two.text,))
    on = drawn_in(send("redo", draft=back.text, past=back.past, future=back.future))
    assert (on.text, on.past, on.future) == (two.text, two.past, ())
    other = drawn_in(send("paint", move="6,6", draft=back.text, past=back.past, future=back.future))
    assert other.future == ()


def test_undo_and_redo_with_nothing_to_do(send):
    assert drawn_in(send("undo")).text == BLANK
    assert drawn_in(send("redo")).text == BLANK


def test_the_steps_kept_are_limited(send):
    answer = send("paint", move="1,1", past=[BLANK] * (2 * MAX_UNDO_STEPS))
    assert len(drawn_in(answer).past) == MAX_UNDO_STEPS


def test_without_htmx_the_whole_page_comes_back(teacher_client):
    answer = teacher_client.post(NEW, fields("point", point="1,1"))
    page = answer.content.decode()
    assert "<html" in page and "Stones: 1" in page


# Forged fields


@pytest.mark.parametrize(
    ("step", "changes"),
    [
        ("paint", {"move": "7,1"}),
        ("paint", {"move": "0,0"}),
        ("paint", {"move": "-1,2"}),
        ("paint", {"move": "one"}),
        ("paint", {"move": "1,1", "brush": "laser"}),
        ("paint", {"move": "1,1", "brush": ""}),
        ("paint", {"move": "1,1", "draft": ""}),
        ("paint", {"move": "1,1", "draft": "oo\noo"}),
        ("paint", {"move": "1,1", "draft": "xyz"}),
        ("paint", {"move": "1,1", "draft": "." * 25_000}),
        ("paint", {"move": "1,1", "draft": "/".join(["." * 40] * 40)}),
        ("paint", {"move": "1,1", "draft": "\0"}),
        ("point", {"point": "2;3"}),
        ("resize", {"rows": "0"}),
        ("resize", {"rows": "16"}),
        ("resize", {"columns": "-3"}),
        ("resize", {"columns": "9" * 5000}),
        ("resize", {"rows": "six"}),
        ("resize", {"rows": "²"}),
        ("undo", {"past": ["/".join(["." * 40] * 40)]}),
        ("redo", {"future": ["?"]}),
        ("take", {"text": ""}),
        ("explode", {}),
        ("", {}),
    ],
)
def test_a_step_that_makes_no_sense_is_refused_with_words(send, step, changes):
    answer = send(step, title="Kept", **changes)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'role="alert"' in page
    assert 'value="Kept"' in page


def test_a_size_beyond_the_largest_names_it_in_both_languages(client_of, teacher):
    for language, words in {"en": "1 to 15 rows", "ja": "1〜15行"}.items():
        answer = client_of(teacher, language).post(NEW, fields("resize", rows="99"), headers=HTMX)
        assert words in answer.content.decode()


def test_a_post_of_a_megabyte_is_refused(teacher_client):
    answer = teacher_client.post(NEW, fields("check", text="o" * 1_100_000), headers=HTMX)
    assert answer.status_code == 413


def test_a_form_without_fields_is_refused(teacher_client):
    assert teacher_client.post(NEW, {}, headers=HTMX).status_code == 422
    assert teacher_client.post(NEW, {"do": "check"}, headers=HTMX).status_code == 200


# Pasting


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(("text", "english", "japanese"), BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_a_bad_text_is_reported_while_typing_and_when_taken_and_kept(
    client_of, teacher, text, english, japanese, language
):
    words = {"en": english, "ja": japanese}[language]
    client = client_of(teacher, language)
    typing = client.post(NEW, fields("check", text=text), headers=HTMX)
    assert typing.status_code == 200
    assert words in typing.content.decode()
    for step in ("take", "save"):
        answer = client.post(NEW, fields(step, text=text, title="Kept", draft=BLANK), headers=HTMX)
        assert answer.status_code == 422
        assert words in answer.content.decode()
        assert answer.context["text"] == text
        assert 'value="Kept"' in answer.content.decode()
        assert drawn_in(answer).text == BLANK
    assert not Puzzle.objects.exists()


@pytest.mark.parametrize("text", GOOD_TEXTS.values(), ids=GOOD_TEXTS.keys())
def test_a_good_text_in_any_format(send, text):
    typing = send("check", text=text).content.decode()
    assert "Readable" in typing
    assert "Rows: 4, columns: 2" in typing and "Stones: 5" in typing
    taken = send("take", text=text)
    assert drawn_in(taken).text == "o./oo/../oo"
    assert "This is what the board shows." in taken.content.decode()
    assert (
        drawn_in(send("undo", draft=drawn_in(taken).text, past=drawn_in(taken).past)).text == BLANK
    )


def test_one_stone_is_a_puzzle(send):
    assert "Stones: 1" in send("check", text="o").content.decode()


@pytest.mark.parametrize("text", ["", "  \n "])
def test_nothing_pasted_nothing_said(send, text):
    assert send("check", text=text).content.decode().strip() == ""


def test_the_faulty_sign_is_marked(send):
    page = send("check", text="ooo\no#o\nooo").content.decode()
    assert "o<mark>#</mark>o" in page
    assert page.count("faulty-line") == 1


def test_a_long_faulty_line_is_cut(send):
    page = send("check", text="9 " + "1 1 " * 2000).content.decode()
    assert "Stones 1 and 2 both stand at 1 1." in page
    assert "faulty-line" in page and "1 1 …" in page
    assert len(page) < 1000


def test_a_fault_beyond_the_text_marks_no_sign(send):
    page = send("check", text="oo\n\nooo").content.decode()
    assert "The length of row 2 is 0" in page
    assert "faulty-line" in page and "<mark>" not in page


# Saving


@pytest.mark.parametrize("how", ["drawn", "pasted"])
def test_saving_stores_the_canonical_text(teacher_client, teacher, how):
    board = {"draft": "o./oo/../oo"} if how == "drawn" else {"text": STUDY_EXAMPLE}
    answer = teacher_client.post(NEW, fields("save", title=" Five ", note="Easy", **board))
    puzzle = Puzzle.objects.get()
    assert answer.url == reverse("puzzle", args=[puzzle.pk])
    assert (puzzle.owner, puzzle.kind_slug, puzzle.position) == (teacher, "goishi", "o./oo/../oo")
    assert (puzzle.title, puzzle.note) == ("Five", "Easy")


def test_saving_answers_htmx_with_the_puzzles_page(send):
    answer = send("save", title="Five", draft="oo/oo")
    assert answer["hx-redirect"] == reverse("puzzle", args=[Puzzle.objects.get().pk])


def test_a_drawn_board_goes_before_a_pasted_one(send):
    send("save", title="Drawn", draft="oo/oo", text="ooo")
    assert Puzzle.objects.get().position == "oo/oo"


@pytest.mark.parametrize(
    ("changes", "english", "japanese"),
    [
        ({"title": ""}, "Give the puzzle a title.", "問題の題名を入れてください。"),
        ({"title": "  "}, "Give the puzzle a title.", "問題の題名を入れてください。"),
        ({"draft": BLANK}, "The board is empty.", "盤に石がありません。"),
        ({"title": "x" * 61}, "at most 60 characters", "60 文字以下"),
        ({"note": "x" * 2001}, "at most 2000 characters", "2000 文字以下"),
        ({"title": "a\0b"}, "Null characters are not allowed.", "何か文字を入力してください。"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_boards_that_cannot_be_saved(client_of, teacher, changes, english, japanese, language):
    sent = fields("save", **{"title": "Five", "draft": "oo/oo"} | changes)
    answer = client_of(teacher, language).post(NEW, sent, headers=HTMX)
    assert answer.status_code == 422
    assert {"en": english, "ja": japanese}[language] in answer.content.decode()
    assert not Puzzle.objects.exists()


# Editing


def test_editing_opens_with_what_is_stored(teacher_client, puzzle):
    answer = teacher_client.get(reverse("puzzle_edit", args=[puzzle.pk]))
    assert drawn_in(answer).text == puzzle.position
    assert "Five stones" in answer.content.decode()


def test_editing_changes_the_puzzle_but_not_what_a_class_has(teacher_client, puzzle, assigned):
    teacher_client.post(
        reverse("puzzle_edit", args=[puzzle.pk]), fields("save", title="Four", draft="oo/oo")
    )
    puzzle.refresh_from_db()
    assigned.refresh_from_db()
    assert (puzzle.title, puzzle.position) == ("Four", "oo/oo")
    assert (assigned.title, assigned.position) == ("Five stones", "o./oo/../oo")


def test_a_failed_edit_changes_nothing(teacher_client, puzzle):
    address = reverse("puzzle_edit", args=[puzzle.pk])
    assert teacher_client.post(address, fields("save", title="Empty")).status_code == 422
    puzzle.refresh_from_db()
    assert (puzzle.title, puzzle.position) == ("Five stones", "o./oo/../oo")


# Boards that can be read but never solved


IMPOSSIBLE = "9/9/9/9/9/9/9/9/9 2R2B2K4G4S4N4L19P"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "40 pieces are the most"), ("ja", "最大で40枚")]
)
def test_a_set_that_never_fits_is_said_at_once(client_of, teacher, language, said):
    client = client_of(teacher, language)
    address = reverse("puzzle_new", args=["kikazu"])
    pasted = client.post(address, {"do": "check", "text": IMPOSSIBLE, "draft": ""})
    assert said in pasted.content.decode()
    taken = client.post(
        address, {"do": "take", "text": IMPOSSIBLE, "draft": "3/3/3 -", "brush": "rook"}
    )
    assert said in taken.content.decode()


def test_given_pieces_that_attack_each_other_are_both_named(teacher_client):
    address = reverse("puzzle_new", args=["kikazu"])
    answer = teacher_client.post(
        address, {"do": "paint", "move": "1,3", "draft": "R2/3/3 P", "brush": "king"}
    )
    text = answer.content.decode()
    assert "The rook at row 1, column 1 attacks the king at row 1, column 3." in text
    assert text.count('class="kikazu-attack"') == 1


def test_a_pasted_board_that_was_played_says_what_becomes_of_it(teacher_client):
    new = reverse("puzzle_new", args=["kikazu"])
    typing = teacher_client.post(new, {"do": "check", "text": "3/R2/2K"}, headers=HTMX)
    assert "This board has been played: 2 moves." in typing.content.decode()
    drawn = {"do": "take", "text": "3/R2/2K", "draft": "3/3/3 -", "brush": "king"}
    assert 'value="3/3/3 RK"' in teacher_client.post(new, drawn, headers=HTMX).content.decode()


@pytest.mark.parametrize("text", ["Wbb/bbb/bbw", "3x3 11 white 11 33"])
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The stone at row 1, column 1 will end black"), ("ja", "1行1列の石は、目標は白なのに")],
)
def test_a_pasted_board_that_cannot_be_solved_says_why(client_of, teacher, text, language, words):
    new = reverse("puzzle_new", args=["tonari"])
    client = client_of(teacher, language)
    typing = client.post(new, {"do": "check", "text": text}, headers=HTMX).content.decode()
    assert words in typing
    drawn = {"do": "take", "text": text, "draft": "/".join(["bbb"] * 3), "brush": "start"}
    assert words in client.post(new, drawn, headers=HTMX).content.decode()


def test_a_new_puzzle_gets_the_next_free_title(teacher_client, make_puzzle):
    make_puzzle("goishi", "ooo", "Goishi Hiroi 1")
    page = teacher_client.get("/puzzles/new/goishi/").content.decode()
    assert 'value="Goishi Hiroi 2"' in page


@pytest.mark.parametrize(
    ("kind", "word"),
    [("goishi", "点"), ("maxstrings", "点"), ("kikazu", "マス"), ("tonari", "マス")],
)
def test_sides_are_counted_in_points_on_go_boards_and_in_squares_on_others(
    client_of, teacher, kind, word
):
    page = client_of(teacher, "ja").get(NEW.replace("goishi", kind)).content.decode()
    assert f"たての{word}の数" in page and f"よこの{word}の数" in page
