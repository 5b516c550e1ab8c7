"""What a request costs a web process does not depend on who sends it: the dearest ones that a role
can send stay within bounds."""

import json
import tracemalloc
from copy import deepcopy
from math import inf
from random import Random
from time import thread_time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse

from puzzleclass.kinds.models import StoredTable
from puzzleclass.workshop.services import begin_with
from solvers.rule_tables.kept import Kept
from solvers.rule_tables.kind import DEDUCTIONS, MAX_KEPT_BYTES, TableKind
from solvers.rule_tables.table import Table, read_table, write_table
from tests.fuzz_requests import names_of_fields
from tests.web.roles import ROLES, administrator, clients, world
from tests.web.test_rights import RIGHTS

__all__ = ["administrator", "clients", "world"]

SECONDS, MEGABYTES = 0.3, 30
LISTS, LIST_SECONDS = {"students_new", "classroom_new"}, 0.6
"""The addresses that read a class list at once, and their bound. A list has 2,000 rows at most."""
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


@pytest.mark.parametrize("text", ["9", "a,b,c\n"])
def test_a_form_full_of_long_texts_at_every_address(clients, world, text):
    """Every field of the site is in each form, and together they are as long as a form may be."""
    names = names_of_fields()
    fields = dict.fromkeys(names, text * (900_000 // len(names) // len(text))) | {"do": "save"}
    dear = {}
    for name, methods, letters, words in RIGHTS:
        admitted = [role for role, letter in zip(ROLES, letters.replace(" ", "")) if letter == "+"]
        if "POST" not in methods or not admitted:
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        client = clients[ROLES.index(admitted[-1])]
        bound, seconds = LIST_SECONDS if name in LISTS else SECONDS, []
        # The best of three, as in `cost_of`. Most addresses need one.
        while len(seconds) < 3 and min(seconds, default=inf) > bound:
            cookies = deepcopy(client.cookies)
            slowness = max(1.0, baseline() / BASELINE)
            began = thread_time()
            with transaction.atomic():
                assert client.post(url, fields).status_code < 500, name
                transaction.set_rollback(True)
            seconds.append((thread_time() - began) / slowness)
            client.cookies = cookies
        if min(seconds) > bound:
            dear[name] = seconds
    assert dear == {}


@pytest.mark.parametrize("line", ["高橋 颯太\n", "a,b,c\n", "1\tたかはし\n"])
def test_a_list_of_as_many_lines_as_a_form_can_have(teacher_client, classroom, line):
    url = reverse("students_new", args=[classroom.pk])
    fields = {"students": line * (900_000 // len(line.encode()) // 3)}
    seconds, megabytes = cost_of(lambda: teacher_client.post(url, fields))
    assert seconds < LIST_SECONDS and megabytes < MEGABYTES


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
