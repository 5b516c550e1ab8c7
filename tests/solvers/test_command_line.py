"""`python -m solvers`: output, exit statuses, one line for each fault."""

import json
import subprocess
import sys

import pytest

from solvers.__main__ import main
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
        (["goishi"], "There is no question"),
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
    ],
)
def test_faults_are_one_line_and_status_2(capsys, arguments, says):
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == []
    assert len(err) == 1
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


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["goishi", "generate", "--stones", "many"], "--stones: “many” is not a whole number"),
        (["goishi", "generate", "--size", "5"], "--size: “5” is not a size"),
        (["goishi", "generate", "--stones", "10", "--size", "3x3"], "room for 9 stones"),
        (["goishi", "generate", "--look", "odd"], "--look: “odd” is not possible here"),
        (["goishi", "count", STUDY, "--seed", "1"], "--seed"),
        (["goishi", "solutions", STUDY, "--first", "0"], "--first: “0” is not a whole number"),
        (["goishi", "count", STUDY, "--threads", "0"], "number of threads, 1 to 64"),
        (["goishi", "count", STUDY, "--threads", "two"], "number of threads, 1 to 64"),
    ],
)
def test_bad_options_are_named(capsys, arguments, says):
    status, out, err = run(capsys, *arguments)
    assert (status, out, len(err)) == (2, [], 1)
    assert says in err[0]


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
