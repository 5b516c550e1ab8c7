"""How drafts are stored, step by step, and saved as kinds."""

from dataclasses import replace
from operator import le

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec.structs import replace as changed

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import AssignedPuzzle, WrittenPuzzle
from puzzleclass.errors import QuotaReached
from puzzleclass.kinds.models import NAME_LENGTH, Invention, InventionStep, KindVersion
from puzzleclass.kinds.stored import rename, store
from puzzleclass.language import languages
from puzzleclass.language.reader import say
from puzzleclass.puzzles.library import check_room
from puzzleclass.puzzles.models import Puzzle
from puzzleclass.sharing.models import PackedPuzzle
from puzzleclass.workshop.drafting import LARGEST_OF_STUDENTS, Draft, read_draft
from solvers.message import Message
from solvers.registry import ready_kinds
from solvers.rule_tables.kind import TableKind
from solvers.rule_tables.table import MAX_WORDS, Table, read_table, write_table

EXAMPLES = (
    *("stars", "queens", "kings", "stones", "light_up", "mosaic"),
    *("mines", "sudoku", "latin", "takuzu", "yin_yang", "lights_out"),
)
"""The names of the ready tables to begin from, in this order."""


class ChangedElsewhere(Exception):
    """The error that another window has changed the draft since the page was shown."""


def examples(*, for_student: bool = False) -> dict[str, tuple[TableKind, str]]:
    """Return the kinds to begin from: name -> kind, and the text of a board. Students get those on
    whose small boards no numbers are drawn."""
    begun: dict[str, tuple[TableKind, str]] = {}
    for name in EXAMPLES:
        kind = ready_kinds().get(name)
        if isinstance(kind, TableKind):
            begun[name] = kind, kind.introduction[-1].position.partition(" |")[0]
    if not for_student:
        return begun
    return {
        name: (kind, text)
        for name, (kind, text) in begun.items()
        if "clues" not in kind.table.draws
        and all(map(le, kind.editor.size(text), LARGEST_OF_STUDENTS))
    }


def most_kinds(owner: User) -> int:
    """Return how many kinds the owner may have."""
    return Invention.MAX_OF_STUDENT if owner.is_student else Invention.MAX_COUNT


def fullness(owner: User) -> Message | None:
    """Return the message that the owner has the most kinds, or None."""
    most = most_kinds(owner)
    if owner.inventions.count() < most:
        return None
    return Message("You have {most} kinds, which is the maximum. Delete one first.", {"most": most})


@transaction.atomic
def begin(owner: User, draft: Draft, name: str) -> Invention:
    """Begin a kind. Raise QuotaReached if the owner has too many, and PuzzleError if it is not one
    that the owner may make. Two requests at once are counted one after the other."""
    User.objects.select_for_update().get(pk=owner.pk)
    replace(draft, is_by_student=owner.is_student).check_limits()
    if full := fullness(owner):
        raise QuotaReached(full)
    invention = Invention.objects.create(owner=owner, name=name[:NAME_LENGTH])
    invention.steps.create(number=0, table=write_table(draft.table), board=draft.text)
    return invention


def begin_with(owner: User, example: str) -> Invention | None:
    """Begin a kind with an example, or return None if there is no such example."""
    found = examples(for_student=owner.is_student).get(example)
    if found is None:
        return None
    kind, text = found
    draft = read_draft(changed(kind.table, name={}), text)
    return begin(owner, draft, say(kind.name))


def draft_of(invention: Invention) -> Draft:
    """Return the draft that the page shows."""
    step = invention.shown_step
    return Draft(read_table(step.table), step.board, invention.owner.is_student)


@transaction.atomic
def keep(invention: Invention, revision: int, draft: Draft) -> None:
    """Store the next step of a draft. Raise ChangedElsewhere if the page is out of date, and
    PuzzleError if the owner may not make such a kind."""
    row = _locked(invention, revision)
    replace(draft, is_by_student=row.owner.is_student).check_limits()
    row.steps.filter(number__gt=row.step).delete()
    row.step += 1
    row.steps.create(number=row.step, table=write_table(draft.table), board=draft.text)
    row.steps.filter(number__lte=row.step - InventionStep.MAX_COUNT).delete()
    _save(row, invention)


@transaction.atomic
def move(invention: Invention, revision: int, by: int) -> None:
    """Take back a step, or make it again. Raise ChangedElsewhere if the page is out of date."""
    row = _locked(invention, revision)
    if row.steps.filter(number=row.step + by).exists():
        row.step += by
        _save(row, invention)


def can_move(invention: Invention) -> dict[str, bool]:
    """Return whether there is a step to take back, and one to make again."""
    numbers = set(invention.steps.values_list("number", flat=True))
    return {"undo": invention.step - 1 in numbers, "redo": invention.step + 1 in numbers}


def _locked(invention: Invention, revision: int) -> Invention:
    row = Invention.objects.select_for_update().get(pk=invention.pk)
    row.owner = invention.owner
    if row.revision != revision or row.state == Invention.State.WAITING:
        raise ChangedElsewhere
    return row


def _save(row: Invention, invention: Invention) -> None:
    row.revision += 1
    row.save()
    invention.step, invention.revision = row.step, row.revision


def give_words(invention: Invention, words: str) -> None:
    """Store what a teacher says of the rules in own words."""
    words = " ".join(words.split())[:MAX_WORDS]
    if words != invention.words and not invention.owner.is_student:
        invention.words = words
        invention.save(update_fields=["words", "changed_at"])


def give_name(invention: Invention, name: str) -> None:
    """Give the kind a name, unless it is empty."""
    name = " ".join(name.split())[:NAME_LENGTH]
    if not name or name == invention.name:
        return
    # Whether a teacher is reading the kind is asked in the statement that changes it.
    changeable = Invention.objects.filter(pk=invention.pk).exclude(state=Invention.State.WAITING)
    if changeable.update(name=name, changed_at=timezone.now()):
        invention.name = name


@transaction.atomic
def save_kind(invention: Invention) -> KindVersion | None:
    """Save the draft as the kind. Return None if it has the most versions already.

    A version that has puzzles is never changed: other rules make the next version.
    """
    invention = Invention.objects.select_for_update().get(pk=invention.pk)
    draft = draft_of(invention)
    table = table_of(invention, draft)
    latest = invention.versions.first()
    stored = store(table, is_kept=True)
    if latest and latest.stored_id == stored.slug:
        rename(stored, table)
        return latest
    if latest and not has_puzzles(latest.stored_id):
        latest.stored = stored
        latest.save()
        return latest
    number = latest.number + 1 if latest else 1
    if number > KindVersion.MAX_COUNT:
        return None
    return invention.versions.create(number=number, stored=stored)


def table_of(invention: Invention, draft: Draft) -> Table:
    """Return the table of the draft as the kind has it: with its name, and with its maker, which
    sets it apart from tables of others that have the same rules."""
    language = languages.active()
    words = {language: invention.words} if invention.words else {}
    name = {language: invention.name}
    return changed(draft.table, name=name, words=words, maker=invention.maker)


def has_puzzles(slug: str) -> bool:
    """Return whether there are puzzles of a kind, anywhere on the site."""
    return any(
        rows.filter(kind_slug=slug).exists()
        for rows in (
            Puzzle.every, AssignedPuzzle.objects, WrittenPuzzle.objects, PackedPuzzle.objects,
        )
    )  # fmt: skip


def save_board(invention: Invention, version: KindVersion) -> Puzzle:
    """Put the board of the draft into the owner's library. Raise QuotaReached if it is full."""
    check_room(invention.owner)
    kind_slug, draft = version.stored_id, draft_of(invention)
    number = invention.owner.puzzles.filter(kind_slug=kind_slug).count() + 1
    title = _("{kind} {number}").format(kind=invention.name, number=number)
    puzzle = Puzzle(owner=invention.owner, kind_slug=kind_slug, title=title, position=draft.text)
    puzzle.fill_columns()
    puzzle.save()
    return puzzle
