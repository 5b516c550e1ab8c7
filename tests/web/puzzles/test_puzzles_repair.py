"""The reasons why a puzzle has no solution, and the boards into which it can be changed."""

import re

import pytest
from django.urls import reverse
from django.utils import translation

from puzzleclass.jobs.models import Job
from puzzleclass.language.reader import say
from puzzleclass.puzzles.answers import COUNT, MAX_REPAIRS, ask_about
from puzzleclass.puzzles.models import Puzzle

HTMX = {"hx-request": "true"}
CHANGE = {"cell": "1,1", "message": {"text": "A stone at 1,1", "values": {}}}


@pytest.fixture
def hopeless(teacher, puzzle, done) -> Puzzle:
    """Return a cross of five stones, which has four dead ends."""
    puzzle.position = ".o./ooo/.o."
    puzzle.save()
    done(ask_about(teacher, puzzle, COUNT))
    return puzzle


@pytest.fixture
def address(hopeless) -> str:
    return reverse("puzzle", args=[hopeless.pk])


def repair_job(teacher, puzzle, answered, *, value, proven=True, **details) -> None:
    answered(ask_about(teacher, puzzle, "repair"), value, proven=proven, **details)


@pytest.mark.parametrize(("language", "words"), [("en", "Find a repair"), ("ja", "直し方をさがす")])
def test_a_puzzle_without_solution_offers_it(
    client_of, teacher, address, hopeless, language, words
):
    client = client_of(teacher, language)
    assert words in client.get(address).content.decode()
    ask = reverse("puzzle_ask", args=[hopeless.pk, "repair"])
    fragment = client.post(ask, headers=HTMX).content.decode()
    assert "job-card" in fragment and "<html" not in fragment
    assert Job.objects.filter(question="repair").count() == 1


def test_other_puzzles_offer_no_repair(teacher_client, teacher, puzzle, done, answered):
    address = reverse("puzzle", args=[puzzle.pk])
    assert "how to repair it" not in teacher_client.get(address).content.decode()
    job = done(ask_about(teacher, puzzle, COUNT))
    assert "how to repair it" not in teacher_client.get(address).content.decode()
    answered(job, "0", proven=False)
    assert "how to repair it" not in teacher_client.get(address).content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("dead end", "Points to change so that it can be solved: 1")),
        ("ja", ("行きどまり", "解けるようにするために変える点の数：1")),
    ],
)
def test_the_reason_and_the_changes(client_of, teacher, hopeless, address, done, language, words):
    job = done(ask_about(teacher, hopeless, "repair"))
    page = client_of(teacher, language).get(address).content.decode()
    for word in words:
        assert word in page
    # The four dead ends are marked on the board, and each change is marked on its own board.
    assert page.count('class="fault"') == 4
    found = job.result.repairs
    assert page.count('class="changed"') == len(found) > 0
    with translation.override(language):
        assert all(say(entry.changes[0].message) in page for entry in found)


def test_a_change_opens_the_editor_and_changes_nothing_yet(
    teacher_client, teacher, hopeless, address, done
):
    job = done(ask_about(teacher, hopeless, "repair"))
    page = teacher_client.get(address).content.decode()
    edit = reverse("puzzle_edit", args=[hopeless.pk])
    form = page.split(f'<form method="post" action="{edit}">')[1].split("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', form))
    mended = job.result.repairs[0].position
    assert (fields["do"], fields["text"]) == ("take", mended)
    editor = teacher_client.post(edit, fields).content.decode()
    assert f'name="draft" value="{mended}"' in " ".join(editor.split())
    assert f'name="past" value="{hopeless.position}"' in " ".join(editor.split())
    assert "Five stones" in editor
    hopeless.refresh_from_db()
    assert hopeless.position == ".o./ooo/.o."
    fields |= {"do": "save", "draft": mended}
    teacher_client.post(edit, fields)
    hopeless.refresh_from_db()
    assert hopeless.position == mended


def test_only_the_best_are_shown(teacher_client, teacher, hopeless, address, answered):
    found = [{"position": "oo", "changes": [CHANGE], "solutions": "2"}] * (MAX_REPAIRS + 1)
    repair_job(teacher, hopeless, answered, value="1", diagnosis=[], repairs=found, all=True)
    page = teacher_client.get(address).content.decode()
    assert page.count("Open in the editor") == MAX_REPAIRS
    assert "There are more changes of this size." in page


def test_a_fault_without_a_place_has_no_board(teacher_client, teacher, hopeless, address, answered):
    message = {"text": "All ways were searched: none picks up every stone.", "values": {}}
    diagnosis = [{"message": message, "cells": []}]
    repair_job(teacher, hopeless, answered, value=None, diagnosis=diagnosis, repairs=[], all=True)
    page = teacher_client.get(address).content.decode()
    assert "All ways were searched" in page
    assert 'class="fault"' not in page
    assert "No small change makes it solvable." in page


def test_an_unproven_answer_says_so(teacher_client, teacher, hopeless, address, answered):
    found = [{"position": "oo", "changes": [CHANGE], "solutions": "2"}]
    repair_job(teacher, hopeless, answered, value="1", proven=False, repairs=found, all=False)
    assert "Fewer may be enough" in teacher_client.get(address).content.decode()


def test_a_limit_is_named(teacher_client, teacher, hopeless, address, answered):
    note = {"text": "The search was given up.", "values": {}}
    repair_job(teacher, hopeless, answered, value=None, proven=False, note=note)
    assert "The search was given up." in teacher_client.get(address).content.decode()


def test_an_answer_that_no_longer_fits_its_type_is_asked_anew(
    teacher_client, teacher, hopeless, address
):
    job = ask_about(teacher, hopeless, "repair")
    details = {"repairs": [{"position": "oo/oo", "flips": ["+ 1,1"]}], "all": True}
    job.answer = {"value": "1", "proven": True, "moves": [], "details": details}
    job.state = Job.State.DONE
    job.save()
    assert "Find a repair" in teacher_client.get(address).content.decode()
    teacher_client.post(reverse("puzzle_ask", args=[hopeless.pk, "repair"]))
    job.refresh_from_db()
    assert (job.state, job.result) == (Job.State.WAITING, None)


# A kind whose points have colours


@pytest.fixture
def unreachable(teacher, done, make_puzzle) -> Puzzle:
    """Return a puzzle whose target is all black, but an odd number of its eleven points will end
    white."""
    puzzle = make_puzzle("tonari", "Bbbb/bbbb/bbbb", "Black")
    done(ask_about(teacher, puzzle, COUNT))
    return puzzle


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("White target: 3,2", "An odd number of them will end white", "Solutions: 17,790")),
        ("ja", ("3,2 → 目標を白に", "白で終わる石は奇数個です", "17,790")),
    ],
)
def test_a_change_of_colour_is_told_in_words(
    client_of, teacher, unreachable, done, language, words
):
    done(ask_about(teacher, unreachable, "repair"))
    page = client_of(teacher, language).get(reverse("puzzle", args=[unreachable.pk]))
    page = " ".join(page.content.decode().split())
    for word in words:
        assert word in page
    # The area is marked on the board, and each change is marked on its own board.
    assert page.count('class="fault"') == 11
    assert page.count('class="changed"') == 11


def test_a_changed_target_opens_the_editor(teacher_client, teacher, unreachable, done):
    job = done(ask_about(teacher, unreachable, "repair"))
    page = teacher_client.get(reverse("puzzle", args=[unreachable.pk])).content.decode()
    edit = reverse("puzzle_edit", args=[unreachable.pk])
    form = page.split(f'<form method="post" action="{edit}">')[1].split("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)"\s+value="([^"]*)"', form))
    assert fields["text"] == job.result.repairs[0].position == "Bbbb/bbbb/bwbb"
    editor = teacher_client.post(edit, fields).content.decode()
    assert 'name="draft" value="Bbbb/bbbb/bwbb"' in " ".join(editor.split())


def test_changes_that_were_not_counted_say_nothing_of_it(
    teacher_client, teacher, unreachable, answered
):
    found = [{"position": "Bbbb/bbbb/bwbb", "changes": [CHANGE]}]
    repair_job(teacher, unreachable, answered, value="1", diagnosis=[], repairs=found, all=False)
    page = teacher_client.get(reverse("puzzle", args=[unreachable.pk])).content.decode()
    assert "A stone at 1,1" in page
    assert "badge ok" not in page.split('class="repairs plain"')[1].split("</ul>")[0]
