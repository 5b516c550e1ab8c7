"""The files of the ready tables are as `bench.ready_tables` writes them: a board on each line."""

import json

import pytest

from bench.ready_tables import written
from solvers.rule_tables.ready import TABLES


@pytest.mark.parametrize("path", sorted(TABLES.glob("*.json")), ids=lambda path: path.stem)
def test_a_file_has_the_form_that_the_program_writes(path):
    text = path.read_text("utf-8")
    assert text == written(json.loads(text))
