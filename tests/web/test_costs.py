"""What a request costs a web process does not depend on who sends it: the dearest ones that a role
can send stay within bounds."""

import json
import tracemalloc
from random import Random
from time import thread_time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from puzzleclass.kinds.models import StoredTable
from puzzleclass.workshop.services import begin_with
from solvers.rule_tables.kept import Kept
from solvers.rule_tables.kind import DEDUCTIONS, MAX_KEPT_BYTES, TableKind
from solvers.rule_tables.table import Table, read_table, write_table

SECONDS, MEGABYTES = 0.3, 30
BASELINE = 0.02
"""Seconds that `baseline` takes on a quiet machine. A slower one has as many times longer."""


def baseline() -> float:
    began = thread_time()
    sum(n * n for n in range(300_000))
    return thread_time() - began


def cost_of(send) -> tuple[float, float]:
    """Return the seconds of processor of a request on a quiet machine, the best of three, and the
    megabytes that it takes at most."""
    seconds = []
    for _ in range(3):
        slowness = max(1.0, baseline() / BASELINE)
        began = thread_time()
        send()
        seconds.append((thread_time() - began) / slowness)
    tracemalloc.start()
    send()
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return min(seconds), peak


def dear_table(number: int) -> Table:
    """Return a table with as many symbols and large areas as there can be."""
    near = [(down, right) for down in range(-2, 3) for right in range(-2, 3) if down or right]
    rules = [
        {"where": "around", "relation": "exactly", "what": str(n % 9 + 1), "number": 3,
         "reach": near[n:] + near[:n]}
        for n in range(11)
    ]  # fmt: skip
    symbols = [{"letter": str(n), "value": 7 * n} for n in range(1, 10)]
    table = {"name": {"en": "Dear"}, "symbols": symbols, "rules": rules, "draws": ["givens"]}
    return read_table(json.dumps(table | {"maker": f"{number:016x}"}))


def dear_set(*, is_whole: bool) -> bytes:
    """Return the file of a set with 200 boards of 40 such tables."""
    rng, tables = Random(1), [dear_table(number) for number in range(40)]
    puzzles = []
    for number in range(200):
        rows = ("".join(rng.choices("....1234567", k=10)) for _ in range(10))
        slug = tables[number % 40].slug
        puzzles.append({"kind": slug, "title": "Dear", "position": "/".join(rows)})
    if not is_whole:
        puzzles[-1]["position"] = "no board"
    file = {"format": "puzzleclass-pack", "version": 3, "title": "Dear", "puzzles": puzzles}
    own = {table.slug: json.loads(write_table(table)) for table in tables}
    return json.dumps(file | {"tables": own}).encode()


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_set_with_many_kinds(teacher_client, is_whole):
    content = dear_set(is_whole=is_whole)

    def send() -> None:
        file = SimpleUploadedFile("set.json", content, "application/json")
        teacher_client.post(reverse("pack_import"), {"file": file})

    seconds, megabytes = cost_of(send)
    assert seconds < SECONDS and megabytes < MEGABYTES
    # What is refused leaves nothing behind.
    assert StoredTable.objects.count() == (40 if is_whole else 0)


@pytest.mark.parametrize(
    ("step", "fields"),
    [
        ("symbol numbers 02000000", {}),
        (f"symbol numbers {'0' * 5000}", {}),
        ("symbol numbers 9", {}),
        ("size 10 10", {}),
        ("board " + "/".join(["." * 5000] * 100), {}),
        ("board 10x10 clues=" + "/".join(["(" + "9" * 5000] * 10), {}),
        ("ask", {"name": "x" * 100_000}),
        ("paint", {"brush": "clue more", "cell": "1" * 100_000}),
    ],
)
def test_a_step_in_the_workshop(teacher_client, teacher, step, fields):
    made = begin_with(teacher, "stars")

    def send() -> None:
        made.refresh_from_db()
        sent = {"revision": made.revision, "name": made.name, "do": step} | fields
        assert teacher_client.post(made.get_absolute_url(), sent).status_code < 500

    seconds, megabytes = cost_of(send)
    assert seconds < SECONDS and megabytes < MEGABYTES


def test_what_is_kept_is_bounded_by_its_size():
    kept = Kept[bytes](1000, len)
    for number in range(50):
        kept.get(number, lambda: bytes(90))
    assert kept.taken == 990 and kept.get(49, bytes) == bytes(90) and kept.get(0, bytes) == b""
    assert len(kept.get("large", lambda: bytes(2000))) == 2000 and kept.taken <= 1000


def test_the_boards_that_a_process_remembers_take_little_memory():
    kinds = [TableKind(dear_table(number)) for number in range(3)]
    starts = [kind.read_start("10x10") for kind in kinds]
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for kind, start in zip(kinds, starts):
        kind.deduction(start.board)
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    estimated = sum(kind.deduction(start.board).model.size for kind, start in zip(kinds, starts))
    assert taken < 1.5 * estimated and DEDUCTIONS.taken <= MAX_KEPT_BYTES
