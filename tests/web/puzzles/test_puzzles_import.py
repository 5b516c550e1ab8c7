"""Many boards at once: the preview of a text or a file, and saving the chosen boards."""

import threading

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from puzzleclass.puzzles.generator import save_boards
from puzzleclass.puzzles.library import assign_address
from puzzleclass.puzzles.models import Puzzle
from solvers.answers import GeneratedBoard
from solvers.boards import MAX_BOARDS

GOISHI = reverse("puzzle_import", args=["goishi"])
HTMX = {"hx-request": "true"}
LIST = (
    "問1 https://puzz.link/p?goishi/4/2/8k\n"
    "https://puzz.link/p?type=editor&goishi/6/7/vsten1tvo\n"
    "https://puzz.link/p?goishi/4/2/8z\n"
    "https://puzz.link/p?goishi/4/2/8k\n"
)
FIRST, SECOND = "o.oo/o.o.", "....../..oo../.o.o../.o.o../.oooo./...o../......"
BOD = """後手の持駒：なし
  ３ ２ １
+---------+
| ・ ・ ・|一
| ・ 金 ・|二
| ・ ・ ・|三
+---------+
先手の持駒：飛
"""


def read(client, text: str, address: str = GOISHI):
    return client.post(address, {"do": "read", "text": text})


def save(client, text: str, boards: list[str], title: str = "List #", address: str = GOISHI):
    return client.post(address, {"do": "save", "text": text, "boards": boards, "title": title})


def library(teacher) -> list[tuple[str, str]]:
    return list(Puzzle.objects.filter(owner=teacher).values_list("title", "position"))


@pytest.mark.parametrize(("language", "words"), [("en", "Import boards"), ("ja", "盤の読みこみ")])
def test_the_page_asks_for_boards(client_of, teacher, language, words):
    page = client_of(teacher, language).get(GOISHI).content.decode()
    assert words in page
    assert "Choose board" not in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ["4 boards in this text", "The same as board 1", "Line 3", "“z” can&#x27;t be used"],
        ),
        ("ja", ["このテキストの盤は4個です", "盤1と同じです", "3行目", "「z」"]),
    ],
)
def test_each_board_is_shown_before_anything_is_saved(client_of, teacher, language, words):
    answer = read(client_of(teacher, language), LIST)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert all(word in page for word in words)
    first, second, faulty, again = answer.context["boards"]
    assert (first.title, first.line, first.puzzle.position) == ("問1", 1, FIRST)
    assert second.can_be_saved
    assert (faulty.puzzle, faulty.line) == (None, 3)
    assert [line.number for line in faulty.lines] == [3]
    assert (again.same_as, again.can_be_saved) == (1, False)
    assert page.count('class="thumb"') == 3
    assert page.count('name="boards"') == 2
    assert answer.context["chosen"] == [FIRST, SECOND]
    assert library(teacher) == []


def test_a_fault_is_shown_with_its_line_and_sign_in_the_whole_text(teacher_client):
    answer = read(teacher_client, "ooo\no.o\n\n第2問\noo\no?\noo\n\no.\n.o\n")
    faulty = answer.context["boards"][1]
    assert faulty.title == "第2問"
    assert faulty.fault.values["line"] == 6
    assert [(line.number, line.is_faulty, line.sign) for line in faulty.lines] == [
        (5, False, ""),
        (6, True, "?"),
        (7, False, ""),
    ]


def test_one_press_saves_the_chosen_boards_and_keeps_the_rest_of_the_text(teacher_client, teacher):
    answer = save(teacher_client, LIST, [FIRST, SECOND])
    assert sorted(library(teacher)) == [("List 1", SECOND), ("問1", FIRST)]
    # The board that can't be read is not lost.
    assert answer.status_code == 200
    assert "goishi/4/2/8z" in answer.content.decode()
    assert [board.is_known for board in answer.context["boards"]] == [True, True, False, True]
    assert not answer.context["can_choose"]


def test_pressed_twice_each_board_is_made_once(teacher_client, teacher):
    for _ in range(2):
        answer = save(teacher_client, f"{FIRST}\n{SECOND}", [FIRST, SECOND])
        assert answer["Location"] == reverse("puzzle_list")
    assert len(library(teacher)) == 2
    page = teacher_client.get(reverse("puzzle_list")).content.decode()
    assert "Not saved because you already have these puzzles: 2" in page


def test_only_ticked_boards_are_saved(teacher_client, teacher):
    save(teacher_client, f"{FIRST}\n{SECOND}", [SECOND], "One")
    assert library(teacher) == [("One", SECOND)]


def test_nothing_ticked_is_said(teacher_client, teacher):
    answer = save(teacher_client, f"{FIRST}\n{SECOND}", [])
    assert answer.status_code == 422
    assert "Choose at least one puzzle." in answer.content.decode()
    assert library(teacher) == []


def test_a_text_that_was_changed_after_the_preview_saves_nothing_unseen(teacher_client, teacher):
    answer = save(teacher_client, SECOND, [FIRST])
    assert answer.status_code == 422
    assert "no longer here" in answer.content.decode()
    assert library(teacher) == []


def test_titles_of_the_text_are_free_ones(teacher_client, teacher):
    Puzzle.objects.create(owner=teacher, kind_slug="goishi", position="oo", title="問1")
    save(teacher_client, LIST, [FIRST, SECOND])
    assert sorted(title for title, _ in library(teacher)) == ["List 1", "問1", "問2"]


def test_boards_of_the_library_are_named_as_such(teacher_client, teacher):
    Puzzle.objects.create(owner=teacher, kind_slug="goishi", position=FIRST, title="Old")
    answer = read(teacher_client, LIST)
    first, second, _, again = answer.context["boards"]
    assert (first.is_known, second.is_known, again.is_known) == (True, False, True)
    assert "You already have this puzzle." in answer.content.decode()


@pytest.mark.parametrize(
    ("encoding", "newline"), [("utf-8-sig", "\n"), ("cp932", "\r\n"), ("utf-16", "\n")]
)
def test_a_file_of_another_program(teacher_client, teacher, encoding, newline):
    address = reverse("puzzle_import", args=["kikazu"])
    text = f"表題：金と飛\n{BOD}{BOD.replace('飛', '角')}".replace("\n", newline)
    file = SimpleUploadedFile("boards.kif", text.encode(encoding))
    answer = teacher_client.post(address, {"do": "read", "text": "old", "file": file})
    assert [board.title for board in answer.context["boards"]] == ["金と飛", ""]
    positions = [board.puzzle.position for board in answer.context["boards"]]
    assert positions == ["3/1G1/3 R", "3/1G1/3 B"]
    # The file's text is in the form now, so that the next press needs no file.
    shown = answer.context["text"]
    assert "金と飛" in shown
    save(teacher_client, shown, positions, address=address)
    assert sorted(library(teacher)) == [("List 1", "3/1G1/3 B"), ("金と飛", "3/1G1/3 R")]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "file"),
        (
            b'{"format": "puzzleclass-pack", "version": 2}',
            "Import it under “Plans and collections”",
        ),
    ],
)
def test_a_file_that_is_no_text_of_boards(teacher_client, content, says):
    file = SimpleUploadedFile("boards", content)
    answer = teacher_client.post(GOISHI, {"do": "read", "text": "oo", "file": file})
    assert answer.status_code == 422
    assert says in answer.content.decode()


def test_an_empty_form_is_said(teacher_client):
    answer = read(teacher_client, " \n ")
    assert answer.status_code == 422
    assert "Paste the boards, or choose a file." in answer.content.decode()


def test_too_many_boards_are_refused_and_the_text_stays(teacher_client):
    text = "oo/o.\n" * (MAX_BOARDS + 1)
    answer = read(teacher_client, text)
    assert answer.status_code == 422
    assert "This text has 101 boards." in answer.content.decode()
    assert answer.context["text"].strip() == text.strip()


def test_a_full_library_keeps_the_text(teacher_client, teacher, settings):
    settings.MAX_PUZZLES = 1
    answer = save(teacher_client, f"{FIRST}\n{SECOND}", [FIRST, SECOND])
    assert answer.status_code == 429
    assert "You can keep at most 1 puzzles." in answer.content.decode()
    assert answer.context["text"] == f"{FIRST}\n{SECOND}"
    assert answer.context["chosen"] == [FIRST, SECOND]
    assert library(teacher) == []


def test_a_played_board_is_imported_from_its_start(teacher_client, teacher):
    text = f"{FIRST} | 1,1 2,1\n{SECOND}"
    answer = read(teacher_client, text)
    assert answer.context["boards"][0].moves == 2
    save(teacher_client, text, [FIRST])
    assert library(teacher) == [("List 1", FIRST)]


def test_the_number_of_queries_does_not_grow(teacher_client):
    few, many = f"{FIRST}\n{SECOND}", "".join(f"{'o' * n}/{'o' * n}\n" for n in range(2, 14))
    read(teacher_client, few)
    numbers = []
    for text in (few, many):
        with CaptureQueriesContext(connection) as seen:
            read(teacher_client, text)
        numbers.append(len(seen))
    assert numbers[0] == numbers[1]


# From the editor


def test_several_boards_in_the_editors_box_lead_to_the_import(teacher_client):
    new = reverse("puzzle_new", args=["goishi"])
    fields = {"do": "check", "draft": "..", "text": LIST}
    page = teacher_client.post(new, fields, headers=HTMX).content.decode()
    assert "This text has 4 boards." in page
    assert 'form="import"' in page
    assert "問1 https://puzz.link/p?goishi/4/2/8k" in page
    opened = teacher_client.get(new).content.decode()
    assert f'<form id="import" method="post" action="{GOISHI}">' in opened


@pytest.mark.parametrize("step", ["take", "save"])
def test_the_editor_drops_no_second_board(teacher_client, teacher, step):
    new = reverse("puzzle_new", args=["maxstrings"])
    text = "(;SZ[2]AB[aa])(;SZ[2]AB[bb])"
    blank = "/".join(["......"] * 6)
    fields = {"do": step, "draft": blank, "text": text, "title": "Two", "goal": ""}
    answer = teacher_client.post(new, fields, headers=HTMX)
    assert answer.status_code == 422
    assert "This text has 2 boards, but only one can be drawn here." in answer.content.decode()
    assert answer.context["text"] == text
    assert library(teacher) == []


# At the same moment


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_the_same_moment_make_each_board_once(teacher):
    boards = [GeneratedBoard(position=position) for position in (FIRST, SECOND)]
    start, faults = threading.Barrier(2), []

    def press() -> None:
        try:
            start.wait()
            save_boards(teacher, "goishi", boards, "List #")
        except Exception as fault:
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=press) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted(title for title, _ in library(teacher)) == ["List 1", "List 2"]


def test_a_class_gets_all_boards_of_a_text_by_one_press(teacher_client, teacher, make_class):
    classroom = make_class(teacher, "5-1")
    answer = teacher_client.post(GOISHI, {"text": f"{FIRST}\n{SECOND}", "give": classroom.pk})
    waiting = Puzzle.every.order_by("pk")
    assert [puzzle.title for puzzle in waiting] == ["Goishi Hiroi 1", "Goishi Hiroi 2"]
    assert answer.url == assign_address(str(classroom.pk), [puzzle.pk for puzzle in waiting])


def test_a_board_that_cannot_be_read_is_shown_before_the_others_are_assigned(
    teacher_client, teacher, make_class
):
    fields = {"text": LIST, "give": make_class(teacher, "5-1").pk}
    answer = teacher_client.post(GOISHI, fields)
    assert "can&#x27;t be used" in answer.content.decode()
    assert library(teacher) == []
    answer = teacher_client.post(GOISHI, fields | {"title": "List #"})
    assert answer.status_code == 302
    assert Puzzle.every.count() == 2


def test_the_boards_of_another_kind_are_recognised(teacher_client, teacher):
    answer = read(teacher_client, "Bb/bb\nbB/bb")
    assert [board.puzzle.kind_slug for board in answer.context["boards"]] == ["tonari"] * 2
    save(teacher_client, "Bb/bb\nbB/bb", ["Bb/bb"])
    assert teacher.puzzles.get().kind_slug == "tonari"
