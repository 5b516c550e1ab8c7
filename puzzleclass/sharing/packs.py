"""Packs are made from puzzles, copied into a library, written to files and read from files.

The file is JSON, so that it can be mailed and kept:

    {"format": "puzzleclass-pack", "version": 3, "title": "First lesson", "unit": "...",
     "aim": "...", ..., "phases": [{"minutes": 6, "title": "...", "do": "lead board 1", ...}],
     "wanted": 1, "shows_total": true,
     "puzzles": [{"kind": "goishi", "title": "Seven stones", "position": "o.oo/oo.."}]}

A kind that a teacher has made is in the file as its table of rules, under its slug in `tables`.
Files of versions 1 and 2, which have `criteria` and a `course` in one text, are still read.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from puzzleclass.accounts.models import User
from puzzleclass.assignments.models import Assignment
from puzzleclass.database.texts import STORABLE
from puzzleclass.forms.merging import MergingForm
from puzzleclass.kinds.stored import read_foreign_table, store, tables_of
from puzzleclass.language.reader import say
from puzzleclass.puzzles.library import check_room
from puzzleclass.puzzles.models import TITLE_LENGTH, Board, Puzzle
from puzzleclass.sharing.models import Pack, PackedPuzzle
from puzzleclass.sharing.phases import Phases, PlanPart, PlanWords, phases_in, read_action, stored
from solvers.kind import PuzzleError
from solvers.registry import UnknownKind, get_kind
from solvers.rule_tables.kind import TableKind

MAX_PUZZLES = 200
"""The most puzzles in a pack."""

MAX_PACKS = 300
"""The most packs of a teacher."""

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=TITLE_LENGTH, pattern=STORABLE)]


class FiledPuzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle in a pack's file."""

    kind: str
    title: Title
    position: Annotated[str, msgspec.Meta(max_length=20_000)]


class PackFile(PlanWords, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A set as a file, in the format that is shown at the top of the module."""

    format: Literal["puzzleclass-pack"]
    version: Literal[1, 2, 3]
    title: Title
    puzzles: Annotated[tuple[FiledPuzzle, ...], msgspec.Meta(min_length=1, max_length=MAX_PUZZLES)]
    phases: Phases = ()
    wanted: Annotated[int, msgspec.Meta(ge=0, le=Assignment.MAX_WANTED)] = 1
    shows_total: bool = True
    tables: Annotated[dict[str, Any], msgspec.Meta(max_length=MAX_PUZZLES)] = {}
    criteria: PlanPart = ""
    course: PlanPart = ""


_FAULTS = {
    r"Object missing required field `(.*)`": gettext_noop("the field “{what}” is missing."),
    r"Object contains unknown field `(.*)`": gettext_noop("a set has no field “{what}”."),
    r"Expected `.*` of length <= (\d+)": gettext_noop(
        "this is too long; at most {what} is allowed."
    ),
    r"Expected `.*` of length >= (\d+)": gettext_noop(
        "there is too little here; at least {what} is needed."
    ),
    r"Expected `(.*)`, got `.*`": gettext_noop(
        "this is the wrong kind of value; “{what}” is expected here."
    ),
    r"Expected `str` matching regex (.*)": gettext_noop(
        "it holds a character that cannot be stored (U+0000)."
    ),
    r"Invalid enum value (.*)": gettext_noop("the value {what} is unknown here."),
    r".*\(byte (\d+)\)": gettext_noop("it is not valid JSON from byte {what} on."),
    r"Input data was (truncated)": gettext_noop("the JSON is cut off before its end."),
}
"""Patterns of msgspec's messages about files that are not packs -> our own messages."""


class PackForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """A form for a pack's title and lesson plan, and for its place in the school's collection."""

    class Meta:
        model = Pack
        fields = ["title", *Pack.PLAN, "wanted", "shows_total", "is_school"]
        widgets = {name: forms.Textarea(attrs={"rows": 2}) for name in Pack.PLAN}


class PackFileForm(forms.Form):
    """A form for a pack's file that a colleague has sent."""

    file = forms.FileField(
        label=gettext_lazy("A set as a file"),
        error_messages={"required": gettext_lazy("Choose the file of a set.")},
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def clean_file(self) -> PackFile:
        """Return the contents of the file, with every board read by its kind.

        Its size is limited, as that of every request, by `settings.DATA_UPLOAD_MAX_MEMORY_SIZE`.
        """
        return read_pack(self.cleaned_data["file"].read())


def read_pack(data: bytes) -> PackFile:
    """Return the pack in a file. Raises ValidationError, which names the puzzle and its fault."""
    try:
        pack = msgspec.json.decode(data, type=PackFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        text = _("This is not the file of a set: {fault}").format(fault=_describe_fault(error))
        raise ValidationError(text) from error
    made = {}
    for slug, table in pack.tables.items():
        try:
            made[slug] = TableKind(read_foreign_table(msgspec.json.encode(table).decode(), slug))
        except PuzzleError as error:
            text = _("Table of rules “{name}”: ").format(name=slug[:40])
            raise ValidationError(text + say(error.message)) from error
    puzzles = [_check_puzzle(number, puzzle, made) for number, puzzle in enumerate(pack.puzzles, 1)]
    for number, phase in enumerate(pack.phases, 1):
        try:
            read_action(phase.do, len(puzzles))
        except ValueError as error:
            text = _("Phase {n}: the action “{do}” is not possible in this plan.")
            raise ValidationError(text.format(n=number, do=phase.do)) from error
    return msgspec.structs.replace(
        pack,
        puzzles=tuple(puzzles),
        tables={
            kind.slug: kind.table
            for kind in made.values()
            if any(puzzle.kind == kind.slug for puzzle in puzzles)
        },
        evaluation=pack.evaluation or pack.criteria,
        phases=pack.phases or phases_in(pack.course),
    )


def _describe_fault(error: msgspec.DecodeError | UnicodeDecodeError) -> str:
    """Return the place and the fault that msgspec found, in the reader's language."""
    text, _at, path = str(error).partition(" - at ")
    place = re.fullmatch(r"`\$(?:\.puzzles\[(\d+)\])?\.?(.*)`", path)
    number, field = place.groups() if place else (None, "")
    places = [_("puzzle {number}").format(number=int(number) + 1)] if number else []
    places += [_("field “{name}”").format(name=field)] if field else []
    for pattern, fault in _FAULTS.items():
        if match := re.fullmatch(pattern, text):
            return ": ".join([*places, _(fault).format(what=match[1])])
    return ": ".join([*places, _("it is not valid JSON.")])


def _check_puzzle(number: int, puzzle: FiledPuzzle, made: Mapping[str, TableKind]) -> FiledPuzzle:
    """Return the puzzle with its position as the kind writes it. `made` are the kinds of the file's
    own tables. Raises ValidationError."""
    named = _("Puzzle {number}, “{title}”: ").format(number=number, title=puzzle.title)
    try:
        kind = made.get(puzzle.kind) or get_kind(puzzle.kind)
    except UnknownKind:
        text = _("there is no kind “{kind}” here.").format(kind=puzzle.kind[:20])
        raise ValidationError(named + text) from None
    try:
        return msgspec.structs.replace(
            puzzle, kind=kind.slug, position=kind.write_start(kind.read_start(puzzle.position))
        )
    except PuzzleError as error:
        raise ValidationError(named + say(error.message)) from error


def write_pack(pack: Pack) -> bytes:
    """Return the pack as a file."""
    puzzles = tuple(
        FiledPuzzle(puzzle.kind_slug, puzzle.title, puzzle.position)
        for puzzle in pack.puzzles.all()
    )
    plan = {name: getattr(pack, name) for name in (*Pack.PLAN, "wanted", "shows_total")}
    fields = {
        "format": "puzzleclass-pack",
        "version": 3,
        "title": pack.title,
        **plan,
        "phases": pack.phases,
        "puzzles": puzzles,
    }
    if made := tables_of({puzzle.kind for puzzle in puzzles}):
        fields["tables"] = made
    return msgspec.json.format(msgspec.json.encode(fields), indent=2)


@transaction.atomic
def make_pack(owner: User, boards: Iterable[Board], title: str, **plan: object) -> Pack:
    """Put copies of at most `MAX_PUZZLES` boards into a new pack.

    Raises ValidationError if the teacher already has `MAX_PACKS` packs.
    """
    if owner.packs.count() >= MAX_PACKS:
        raise ValidationError(
            _("You have {most} sets, which is the maximum. Delete one first.").format(
                most=MAX_PACKS
            )
        )
    pack = Pack.objects.create(owner=owner, title=title[:TITLE_LENGTH], **plan)
    PackedPuzzle.objects.bulk_create(
        PackedPuzzle(pack=pack, number=number, **board.copied)
        for number, board in enumerate(list(boards)[:MAX_PUZZLES], 1)
    )
    return pack


@transaction.atomic
def save_pack_file(owner: User, file: PackFile) -> Pack:
    """Create a pack of the teacher's from a file, and store the tables of its kinds.

    Raises ValidationError if the teacher already has `MAX_PACKS` packs.
    """
    boards = [
        PackedPuzzle(kind_slug=puzzle.kind, title=puzzle.title, position=puzzle.position)
        for puzzle in file.puzzles
    ]
    plan = {name: getattr(file, name) for name in (*Pack.PLAN, "wanted", "shows_total")}
    pack = make_pack(owner, boards, file.title, phases=stored(file.phases), **plan)
    for table in file.tables.values():
        store(table, is_kept=True)
    return pack


@transaction.atomic
def copy_to_library(pack: Pack, teacher: User) -> int:
    """Copy the pack's puzzles into the teacher's library, with the name of the pack's owner.

    Raises QuotaReached if the library has no room for them.
    """
    check_room(teacher, pack.puzzles.count())
    author = "" if pack.owner_id == teacher.pk else pack.owner.name
    for puzzle in pack.puzzles.all():
        Puzzle.objects.create(owner=teacher, author=author[:60], **puzzle.copied)
    return pack.puzzles.count()
