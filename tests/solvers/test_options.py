"""What may be chosen when a question is asked."""

import json
import subprocess
import sys

import pytest

from solvers import _template
from solvers.kind import BadText, Option, Question
from solvers.registry import kinds

QUESTION = Question(
    "A question",
    "nowhere:nothing",
    options={
        "many": Option("How many", 1, least=1, most=9),
        "round": Option("Round", False),
        "shape": Option("Shape", "", choices={"ring": "Ring"}),
    },
)


def test_options_are_read_by_the_type_of_their_default():
    texts = {"many": "９", "round": "Yes", "shape": "ring"}
    assert QUESTION.read_options(texts) == {"many": 9, "round": True, "shape": "ring"}
    assert QUESTION.read_options({"round": "no", "shape": ""}) == {"round": False, "shape": ""}
    assert QUESTION.read_options({}) == {}


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("many", "0", "“0” is not a whole number from 1 to 9."),
        ("many", "-3", "“-3” is not a whole number from 1 to 9."),
        ("many", "9" * 5000, f"“{'9' * 20}” is not a whole number from 1 to 9."),
        ("round", "maybe", "“maybe” is neither “yes” nor “no”."),
        ("shape", "star", "There is no choice “star” here."),
        ("size", "3", "This question has no option “size”."),
    ],
)
def test_options_at_fault_are_named(name, text, reason):
    with pytest.raises(BadText) as fault:
        QUESTION.read_options({name: text})
    assert str(fault.value) == reason


@pytest.mark.parametrize("kind", [*kinds().values(), _template.KIND], ids=lambda kind: kind.slug)
def test_defaults_are_among_what_may_be_chosen(kind):
    for question in kind.questions.values():
        for option in question.options.values():
            text = str(option.default)
            if isinstance(option.default, bool):
                text = "yes" if option.default else "no"
            assert option.read(text) == option.default


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "solvers", *arguments], capture_output=True, text=True, check=False
    )


def test_the_command_line_passes_options_on():
    done = run("tonari", "study", "3x3 11", "--option", "step=4")
    assert json.loads(done.stdout)["value"] == "4"
    done = run("tonari", "study", "3x3 11", "--option", "step=6")
    assert done.returncode == 2
    assert done.stderr == "“6” is not a whole number from 0 to 5.\n"
    done = run("tonari", "generate", "3x3 11", "--option", "picture=heart")
    assert done.returncode == 2
    assert done.stderr.startswith("The picture needs 5 rows")
