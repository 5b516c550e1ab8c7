"""`python -m solvers`: its output, its exit statuses, and one line for each fault."""

import io
import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from solvers import __main__ as command_line
from solvers.__main__ import main
from solvers.maxstrings.maximum import most_strings
from solvers.registry import kinds

STUDY = "o./oo/../oo"


def run(capsys, *arguments: str) -> tuple[int, list[dict], list[str]]:
    try:
        status = main(list(arguments))
    except SystemExit as exit:
        status = exit.code
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err.splitlines()


def piped(text: bytes, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "solvers", *arguments]
    return subprocess.run(command, input=text, capture_output=True, timeout=60)


def test_an_answer_is_one_json_object(capsys):
    status, (answer,), err = run(capsys, "goishi", "count", STUDY)
    assert (status, err) == (0, [])
    assert list(answer) == [
        "kind", "question", "value", "proven", "moves", "details", "seconds",
    ]  # fmt: skip
    assert (answer["kind"], answer["question"]) == ("goishi", "count")
    assert (answer["value"], answer["proven"], len(answer["moves"])) == ("5", True, 5)
    assert answer["details"]["by_move"]["1,1"] == "2"
    assert answer["seconds"] >= 0


def test_moves_lead_to_the_position_asked_about(capsys):
    _, (answer,), _ = run(capsys, "goishi", "count", STUDY, "--moves", "1,1 2,1")
    assert answer["value"] == "2"
    _, (answer,), _ = run(capsys, "goishi", "count", f"{STUDY} | 1,1", "--moves", "2,1")
    assert answer["value"] == "2"


def test_kinds_are_listed(capsys):
    status, listed, _ = run(capsys, "kinds")
    assert status == 0
    assert [entry["kind"] for entry in listed] == list(kinds())
    assert all(entry["questions"] and entry["rule"] for entry in listed)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chess", "count", "o"], "There is no kind “chess”."),
        (["goishi", "guess", "o"], "There is no question “guess”."),
        (["goishi", "count"], "The position is missing"),
        ([], "required: kind"),
        (["goishi", "count", "o.o/oo"], "The length of row 2 is 2"),
        (["goishi", "count", "2\n1 1\n1 1"], "Stones 1 and 2 both stand at 1 1"),
        (["goishi", "count", "o.o", "--moves", "1,2"], "There is no stone at row 1, column 2"),
        (["goishi", "count", "o.o", "--moves", "up"], "“up” is not a move"),
        (["goishi", "count", "o", "--limit-seconds", "soon"], "invalid number of seconds"),
        (["goishi", "count", "o", "--limit-seconds", "-1"], "invalid number of seconds"),
        (["goishi", "count", "o", "--limit-seconds", "nan"], "invalid number of seconds"),
        (["goishi", "count", "o", "--fast"], "--fast"),
        (["goishi", "draw", "?"], "“?” is neither a stone"),
        (["goishi", "generate", "--stones", "many"], "--stones: “many” is not a whole number"),
        (["goishi", "generate", "--size", "5"], "--size: “5” is not a size"),
        (["goishi", "generate", "--stones", "10", "--size", "3x3"], "has points (9)"),
        (["goishi", "generate", "--look", "odd"], "--look: “odd” is not possible here"),
        (["goishi", "count", STUDY, "--seed", "1"], "--seed"),
        (["goishi", "solutions", STUDY, "--first", "0"], "--first: “0” is not a whole number"),
        (["goishi", "count", STUDY, "--threads", "0"], "number of threads, 1 to 64"),
        (["goishi", "count", STUDY, "--threads", "two"], "number of threads, 1 to 64"),
    ],
)
def test_faults_are_one_line_and_status_2(capsys, arguments, says):
    status, out, err = run(capsys, *arguments)
    assert (status, out, len(err)) == (2, [], 1)
    assert says in err[0]


QUEENS = """{"name": {"en": "Queens"}, "symbols": [{"letter": "o"}], "rules": [
    {"where": "line", "relation": "exactly", "what": "o", "number": 1},
    {"where": "diagonal", "relation": "most", "what": "o", "number": 1}]}"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "queens.json"
    path.write_text(QUEENS, encoding="utf-8")
    return str(path)


def test_a_table_is_read_from_its_file(capsys, table):
    status, (answer,), err = run(capsys, table, "count", "8x8")
    assert (status, answer["value"], err) == (0, "92", [])
    status, (answer,), err = run(capsys, table, "solutions", "6x6", "--limit", "1")
    assert len(answer["details"]["solutions"]) == 1
    status, (answer,), err = run(capsys, table, "explain", "3x3")
    assert answer["details"]["rules"] == [1, 2]
    status, (answer,), err = run(capsys, table, "solve", "6x6")
    assert (answer["value"], len(answer["moves"])) == ("1", 6)


def test_a_table_makes_boards_with_one_solution(capsys, tmp_path):
    path = tmp_path / "jumping stars.json"
    rules = [{"where": where, "relation": "exactly", "what": "o", "number": 1}
             for where in ("line", "room")]  # fmt: skip
    rules.append({"where": "knight", "relation": "most", "what": "o", "who": "o"})
    table = {"name": {}, "symbols": [{"letter": "o"}], "draws": ["rooms"], "rules": rules}
    path.write_text(json.dumps(table), encoding="utf-8")
    status, (answer,), err = run(capsys, str(path), "generate", "--size", "4", "--many", "2")
    assert (status, answer["value"], err) == (0, "2", [])
    for board in answer["details"]["boards"]:
        status, (answer,), err = run(capsys, str(path), "count", board["position"])
        assert (answer["value"], answer["proven"]) == ("1", True)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["guess", "8x8"], "The questions about a table are: solve, count"),
        (["count"], "The board is missing"),
        (["count", "8x"], "“8” is no symbol"),
        (["solutions", "8x8", "--limit", "0"], "--limit: “0”"),
    ],
)
def test_faults_of_a_table_are_one_line_and_status_2(capsys, table, arguments, says):
    status, out, err = run(capsys, table, *arguments)
    assert (status, out, len(err)) == (2, [], 1)
    assert says in err[0]


def test_the_limit_stops_with_the_lower_bound(capsys):
    full = "/".join(["o" * 8] * 6)
    status, (answer,), err = run(capsys, "goishi", "count", full, "--limit-seconds", "1.2")
    assert (status, err) == (0, [])
    assert answer["proven"] is False
    assert int(answer["value"]) >= 1
    assert answer["seconds"] < 5


def test_options_are_named_like_the_question_has_them(capsys):
    arguments = ["goishi", "generate", "--stones", "9", "--size", "5x5", "--many", "2", "--seed=7"]
    status, (answer,), err = run(capsys, *arguments, "--solutions", "1..3")
    assert (status, err, answer["value"]) == (0, [], "2")
    for board in answer["details"]["boards"]:
        assert board["position"].count("o") == 9
        assert 1 <= int(board["solutions"]) <= 3
    _, (answer,), _ = run(capsys, "goishi", "solutions", STUDY, "--first", "2", "--limit", "2")
    assert len(answer["details"]["solutions"]) == 2


def test_several_threads_count_the_same():
    done = piped(b"", "goishi", "count", "oooo/oooo/oooo", "--threads", "2")
    assert json.loads(done.stdout)["value"] == "400"


def test_the_number_of_threads_reaches_the_solvers():
    program = (
        "from solvers.__main__ import main\n"
        "main(['goishi', 'count', 'oo', '--threads', '7'])\n"
        "from solvers.threads import THREADS; print(THREADS)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert done.stdout.split()[-1] == b"7"


def test_standard_input_is_answered_line_by_line():
    done = piped(f"{STUDY}\r\n\nq\noo\n\xff".encode("latin-1"), "goishi", "count", "-")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("value") for line in lines] == ["5", None, "2", None]
    assert "“q”" in lines[1]["fault"]
    assert done.returncode == 2
    faults = done.stderr.decode().splitlines()
    assert [fault.split(":")[0] for fault in faults] == ["line 3", "line 5"]


def test_drawing_prints_an_svg():
    done = piped(b"", "goishi", "draw", STUDY)
    assert done.returncode == 0
    assert done.stdout.startswith(b"<svg")


def test_a_reader_that_stops_early_is_no_fault():
    command = f"yes {STUDY} | head -200 | {sys.executable} -m solvers goishi solve - | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60)
    assert json.loads(done.stdout)["value"] == "1"
    assert done.stderr == b""


def test_a_kind_alone_lists_its_questions(capsys):
    status, listed, err = run(capsys, "goishi")
    assert (status, err) == (0, [])
    assert [entry["question"] for entry in listed] == list(kinds()["goishi"].questions)
    assert "stones" in next(e for e in listed if e["question"] == "generate")["options"]


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (["kikazu", "formats", "-1-/3/3 R"], "-1-/3/3 R"),
        (["kikazu", "formats", "---/3/3 R", "--moves", "R 2,2"], "---/3/3 R | R 2,2"),
        (["maxstrings", "formats", "-"], None),
        (["maxstrings", "formats", "-.-"], "-.-"),
        (["maxstrings", "formats", "--x"], "--x"),
        (["maxstrings", "formats", "--/.."], "--/.."),
        (["maxstrings", "formats", "...", "--moves", "x 1,1 - 1,1"], "... | x 1,1 - 1,1"),
        (["maxstrings", "formats", "--moves", "- 1,1", "-.-"], None),
        (["goishi", "formats", "-o/oo"], ".o/oo"),
    ],
)
def test_positions_may_begin_with_a_dash(capsys, monkeypatch, arguments, value):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    status, out, err = run(capsys, *arguments)
    assert [answer["value"] for answer in out] == ([value] if value else [])
    assert status == (0 if value or "-" in arguments else 2), err


def test_a_board_too_large_to_be_read_is_answered_where_that_is_known(capsys):
    status, (answer,), err = run(capsys, "maxstrings", "best", "4x30")
    assert (status, err, answer["value"]) == (0, [], str(most_strings(4, 30)))
    status, out, (fault,) = run(capsys, "maxstrings", "best", "4x300")
    assert (status, out) == (2, [])
    assert f"{most_strings(4, 300)} strings" in fault


def test_an_unforeseen_error_is_shown_whole_to_developers():
    code = "from solvers import __main__ as m; m.main = lambda arguments: 1 / 0; m.run([])"
    command = [sys.executable, "-X", "dev", "-c", code]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 1
    assert b"Traceback" in done.stderr and b"ZeroDivisionError" in done.stderr


def test_too_little_memory_is_one_line(monkeypatch, capsys):
    def fail(*arguments: object) -> None:
        raise MemoryError

    monkeypatch.setattr(command_line, "main", fail)
    assert command_line.run([]) == 1
    assert capsys.readouterr().err == "There is not enough memory for this.\n"


def test_progress_is_shown_on_a_terminal_and_wiped(monkeypatch, capsys):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    options = ("--stones", "8", "--size", "4x4", "--many", "1", "--seed", "1")
    _status, [answer], _err = run(capsys, "goishi", "generate", *options)
    first, *_others, last = terminal.getvalue().split("\r\x1b[K")[1:]
    assert first.startswith("0/1") and last == ""
    assert answer["details"]["boards"]


def shell(command: str, **environment: str) -> subprocess.CompletedProcess:
    """Run a line of the shell in which `solvers` is the program."""
    line = f'solvers() {{ {sys.executable} -m solvers "$@"; }}; {command}'
    return subprocess.run(["bash", "-c", line], capture_output=True, timeout=60,
                          env=os.environ | environment)  # fmt: skip


@pytest.mark.parametrize(
    ("command", "status", "says"),
    [
        ("solvers kinds > /dev/full", 1, "No space left on device"),
        ("solvers goishi draw o.o > /dev/full", 1, "No space left on device"),
        ("solvers kinds >&-", 1, "Standard output is closed."),
        ("solvers goishi draw q 2> /dev/full", 2, ""),
        ("solvers goishi draw q 2>&-", 2, ""),
        ("solvers goishi draw - <&-", 1, "Standard input is closed."),
        ("PUZZLE_KINDS=json solvers kinds", 0, "json is no puzzle kind"),
        ("SOLVER_MEMORY_MB=much solvers tonari count B.b", 2, ""),
    ],
)
def test_errors_of_the_environment_are_one_line(command, status, says):
    done = shell(command)
    assert done.returncode == status
    assert says in done.stderr.decode()
    assert len(done.stderr.splitlines()) == bool(says) or "much" in command


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8", "shift_jis"])
def test_every_encoding_will_do(encoding):
    draw = shell("solvers kikazu draw '4/1K2/4/3- 2G2S2NP'", PYTHONIOENCODING=encoding)
    assert (draw.returncode, draw.stderr) == (0, b"")
    assert "王" in "".join(ET.fromstring(draw.stdout).itertext())
    fault = shell("echo 飛 | solvers goishi count -", PYTHONIOENCODING=encoding)
    assert fault.returncode == 2
    assert len(fault.stderr.splitlines()) == 1
    assert "neither a stone" in json.loads(fault.stdout)["fault"]
    for command in ("solvers kinds", "solvers --help", "solvers goishi guess 飛"):
        assert b"Traceback" not in shell(command, PYTHONIOENCODING=encoding).stderr


def test_ctrl_c_ends_it_quietly():
    """It also ends quietly while modules are loading: the signal comes when one of them is looked
    up."""
    for module in ("argparse", "solvers.registry", "solvers.goishi", "numba"):
        code = (
            "import os, runpy, signal, sys\n"
            "class Interrupting:\n"
            "    def find_spec(self, name, *others):\n"
            f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
            "sys.meta_path.insert(0, Interrupting())\n"
            "sys.modules.pop('argparse', None)\n"
            "sys.argv = ['solvers', 'goishi', 'count', 'oo']\n"
            "runpy.run_module('solvers', run_name='__main__')"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (-signal.SIGINT, b""), module


def test_an_unforeseen_error_is_one_line(monkeypatch, capsys):
    def fail(*arguments: object) -> None:
        raise RuntimeError("a part was killed")

    monkeypatch.setattr(command_line, "main", fail)
    assert command_line.run([]) == 1
    assert "a part was killed" in capsys.readouterr().err
