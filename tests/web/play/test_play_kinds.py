"""The features of the other kinds on a student's board: a hand, faults, a score, warnings."""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from django.core.management import call_command
from django.template.autoreload import reset_loaders
from django.test import override_settings

from puzzleclass.assignments.models import AssignedPuzzle
from puzzleclass.play.attempts import current_attempt, take_step
from puzzleclass.play.models import Attempt
from puzzleclass.play.warnings import MAX_WARNINGS
from puzzleclass.puzzles.models import Puzzle
from solvers.registry import collection, examples, kinds, ready_kinds


@pytest.fixture
def assign_board(teacher, classroom, assign):
    """Return a function that assigns a board to the class."""

    def assign_board(kind: str, position: str, **fields: object) -> AssignedPuzzle:
        puzzle = Puzzle.objects.create(owner=teacher, kind_slug=kind, position=position, title=kind)
        return assign(classroom, puzzle, **fields).puzzles.get()

    return assign_board


def play(student, assigned: AssignedPuzzle, *moves: str) -> Attempt:
    attempt = current_attempt(student, assigned)
    for move in moves:
        attempt = take_step(attempt, attempt.next_step, "move", move)
    return attempt


def board(client, assigned: AssignedPuzzle, **query: str) -> str:
    return " ".join(client.get(f"/play/{assigned.pk}/", query).content.decode().split())


# The hand


def test_a_tool_taken_up_is_no_step(student, student_client, assign_board):
    attempt = play(student, assign_board("kikazu", "3/3/3 RG"))
    address = f"/attempts/{attempt.key}/steps/"
    page = student_client.post(address, {"take": "G"}, headers={"HX-Request": "true"})
    assert 'name="tool" value="G"' in page.content.decode()
    assert 'data-move="G 1,1"' in page.content.decode()
    assert not Attempt.objects.exists()
    plain = student_client.post(address, {"take": "G"})
    assert plain.url == f"/play/{attempt.puzzle_id}/?tool=G"


def test_the_hand_is_kept_between_moves_and_goes_on_when_empty(
    student, student_client, assign_board
):
    attempt = play(student, assign_board("kikazu", "4/4/4/4 R2G"))
    address = f"/attempts/{attempt.key}/steps/"

    def set_down(number: int, move: str, tool: str) -> str:
        fields = {"action": "move", "step": number, "move": move, "tool": tool}
        return student_client.post(address, fields, headers={"HX-Request": "true"}).content.decode()

    assert 'name="tool" value="G"' in set_down(0, "G 1,1", "G")
    assert 'name="tool" value="R"' in set_down(1, "G 1,3", "G")


@pytest.mark.parametrize("tool", ["", "G", "x", "<b>", "\0"])
def test_any_text_may_be_asked_for_as_tool(student_client, assign_board, tool):
    page = board(student_client, assign_board("kikazu", "3/3/3 RG"), tool=tool)
    assert f'name="tool" value="{"G" if tool == "G" else "R"}"' in page


def test_the_toolbar_stands_aside_where_the_board_shows_the_tools(student_client, assign_board):
    def buttons(page: str) -> list[str]:
        return re.findall('<button class="button small" form="board" name="take"', page)

    def scripted(page: str) -> str:
        return re.sub("<noscript>.*?</noscript>", "", page)

    drawn = board(student_client, assign_board("kikazu", "3/3/3 RG"))
    assert (len(buttons(drawn)), len(buttons(scripted(drawn)))) == (2, 0)
    assert len(re.findall('data-take data-tool data-carries="[RG]"', drawn)) == 2
    beside = board(student_client, assign_board("maxstrings", "..../...."))
    assert (len(buttons(beside)), len(buttons(scripted(beside)))) == (5, 5)
    assert 'name="take"' not in board(student_client, assign_board("goishi", "oo"))


def test_pieces_on_the_board_are_taken_up_too(student, student_client, assign_board):
    assigned = assign_board("kikazu", "3/3/3 RG")
    play(student, assigned, "R 1,1")
    page = board(student_client, assigned)
    spot = re.search('<g [^>]*data-move="R1,1&gt;"[^>]*>', page)[0]
    assert "data-take" in spot and "data-tool" not in spot
    without_scripts = re.findall("<noscript>(.*?)</noscript>", page, re.DOTALL)
    assert any('value="R1,1&gt;"' in part for part in without_scripts)
    # Fragments are for pages with scripts.
    answer = student_client.post(
        f"/attempts/{Attempt.objects.get().key}/steps/",
        {"take": "R1,1>"},
        headers={"HX-Request": "true"},
    )
    assert "<noscript>" not in answer.content.decode()


# Faults and score


def test_faults_are_said_a_few_at_a_time_and_marked(student, student_client, assign_board):
    assigned = assign_board("kikazu", "5/5/5/5/5 7K")
    play(student, assigned, *(f"K 1,{column}" for column in range(1, 6)))
    page = board(student_client, assigned)
    assert "The king at row 1, column 1 attacks the king at row 1, column 2." in page
    assert page.count(" attacks the king") == MAX_WARNINGS
    assert "4 more of this kind" in page
    assert page.count('class="fault"') == 5


def test_faults_are_marked_on_pictures_that_do_not_mark_them(student, student_client, assign_board):
    assigned = assign_board("tonari", "Bb/bw")
    play(student, assigned, "1,2", "2,1", "2,2")
    page = board(student_client, assigned)
    faults = assigned.kind.judge(Attempt.objects.get().position).faults
    assert faults
    assert page.count('class="fault"') == len(faults)
    assert "No move is left." in page


def test_the_score_is_shown_and_a_full_board_is_no_dead_end(student, student_client, assign_board):
    assigned = assign_board("maxstrings", "../..")
    attempt = play(student, assigned, "x 1,1", "x 1,2")
    page = board(student_client, assigned)
    assert 'Score so far</span> <span class="number">1</span>' in page
    assert "Move 2: Black to row 1, column 2" in page
    attempt = play(student, assigned, "x 2,1", "x 2,2")
    assert not attempt.is_jammed
    assert attempt.state == Attempt.State.OPEN


# Warnings


@pytest.mark.parametrize("warns", [True, False])
def test_only_where_the_teacher_wants_it_the_board_warns(
    student, student_client, assign_board, warns
):
    assigned = assign_board("tonari", "Bbb/bbb/bbb", warns=warns)
    play(student, assigned, "1,2")
    before = board(student_client, assigned)
    play(student, assigned, "2,3")
    page = board(student_client, assigned)
    doomed = assigned.kind.obstacles.doomed(Attempt.objects.get().position)
    assert doomed
    assert (page.count('class="doomed"') == len(doomed)) is warns
    assert all((str(said) in page) is warns for _, said in doomed)
    assert all(
        f"row {row + 1}, column {column + 1} " in str(said) for (row, column), said in doomed
    )
    assert "doomed" not in before


@pytest.mark.parametrize("shades", [True, False])
def test_only_where_the_teacher_wants_it_attacked_squares_are_shaded(
    student_client, assign_board, shades
):
    assert (
        '"play-board helps"'
        in board(student_client, assign_board("kikazu", "3/3/3 RG", shades=shades))
    ) is shades


def test_an_obstacle_is_told_to_the_teacher(teacher_client, make_puzzle):
    impossible = make_puzzle("tonari", "bBb/bbb/bbb", "Edge")
    for page in ("", "edit/"):
        text = teacher_client.get(f"/puzzles/{impossible.pk}/{page}").content.decode()
        assert "will end white, but the target wants black" in text


# On the wire

MAX_BYTES = 62 * 1024
"""The most that a play page may take, by its promise."""
MAX_BYTES_OF_LARGEST = 66 * 1024
"""The most that the largest board of a kind made of a table may take. Sudoku 9×9 takes 66.2 kB, and
all others take less than 65 kB."""
FOUND = re.compile(
    r'<(?:script|link rel="(?:stylesheet|icon|modulepreload)")[^>]*(?:src|href)="(/static/[^"]+)"'
)
ASKED = re.compile(r'hx-get="([^"]+)"\s+hx-trigger="load')
IMPORTED = re.compile(r'(?:from|import) ?"\./([^"]+)"')
SERVED = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "puzzleclass.static_files.StaticFiles"},
}
SERVED_KINDS = kinds() | {"mosaic": ready_kinds()["mosaic"]}
NEEDED = ("app.", "play.", "vendor/htmx.min.", "send-steps.", "icon.")


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> Path:
    """Return a folder with all static files as an installation serves them."""
    folder = tmp_path_factory.mktemp("collected")
    with override_settings(STATIC_ROOT=str(folder), STORAGES=SERVED):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


@pytest.fixture
def served(collected, settings):
    """Serve the static files by the names that an installation gives them."""
    settings.STATIC_ROOT, settings.STORAGES = str(collected), SERVED
    reset_loaders()  # Compiled templates keep the addresses of static files.
    yield
    reset_loaders()


def taken(client, address: str, **headers: str) -> tuple[str, int]:
    """Return the text of an answer, and the bytes that it takes on the wire with its head.

    Browsers accept Brotli where a site has HTTPS. The server adds the status and the date to the
    head.
    """
    answer = client.get(address, headers={"Accept-Encoding": "gzip, br", **headers})
    head = {**answer.headers, "date": "Sun, 01 Nov 2026 00:00:00 GMT"}
    lines = ("HTTP/1.1 200 OK", *(f"{name}: {value}" for name, value in head.items()))
    content = answer.getvalue()
    unpack = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
    text = unpack[answer.headers.get("Content-Encoding")](content).decode()
    return text, sum(len(line) + 2 for line in lines) + 2 + len(content)


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("kind", SERVED_KINDS.values(), ids=SERVED_KINDS)
def test_a_play_page_takes_at_most_60_kb_on_the_wire(client_of, student, assign_board, kind):
    longest = max((one.position for one in examples(kind)), key=len)
    assigned = assign_board(kind.slug, longest, hints=3, warns=True, shades=True, shows_total=True)
    assert whole_page(client_of(student, "ja"), assigned) <= MAX_BYTES


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("kind", ready_kinds().values(), ids=ready_kinds())
def test_the_largest_board_of_a_table_takes_little_more_on_the_wire(
    client_of, student, assign_board, kind
):
    def size(position: str) -> tuple[int, int]:
        rows, columns = kind.editor.size(position)
        return rows * columns, len(position)

    boards = (one.position for one in (*examples(kind), *collection(kind)))
    assigned = assign_board(kind.slug, max(boards, key=size), hints=3, warns=True, shades=True)
    assert whole_page(client_of(student, "ja"), assigned) <= MAX_BYTES_OF_LARGEST


def whole_page(client, assigned: AssignedPuzzle) -> int:
    """Return the bytes of a play page on the wire, with all linked files with an empty cache, what
    the page asks for at once, and furigana."""
    client.post("/reader/", {"furigana": "on"})
    page, size = taken(client, f"/play/{assigned.pk}/")
    files = {address: taken(client, address) for address in FOUND.findall(page)}
    names = [address.removeprefix("/static/") for address in files]
    assert all(any(name.startswith(start) for name in names) for start in NEEDED)
    # A script may import others, which the page does not name.
    waiting = [name for text, _ in files.values() for name in IMPORTED.findall(text)]
    while waiting:
        address = f"/static/{waiting.pop()}"
        if address not in files:
            files[address] = taken(client, address)
            waiting += IMPORTED.findall(files[address][0])
    asked = [taken(client, address, **{"HX-Request": "true"})[1] for address in ASKED.findall(page)]
    assert len(asked) == 1
    return size + sum(size for _, size in files.values()) + sum(asked)


@pytest.mark.usefixtures("served")
def test_no_browser_asks_whether_a_file_has_changed_that_is_named_after_its_content(
    client_of, student
):
    address = FOUND.findall(client_of(student).get("/").content.decode())[0]
    head = client_of(None).get(address).headers
    assert "immutable" in head["Cache-Control"]
    assert not {"ETag", "Last-Modified"} & set(head)
