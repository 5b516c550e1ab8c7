"""A teacher's library: searching, sorting, and doing something with many puzzles at once."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from puzzleclass.accounts.models import User
from puzzleclass.errors import QuotaReached
from puzzleclass.http import read_key
from puzzleclass.kinds.models import versions_with
from puzzleclass.language.folding import contains
from puzzleclass.puzzles.models import TAG_LENGTH, Puzzle, SavedSearch, Tag
from puzzleclass.puzzles.titles import free_title, titles_of
from puzzleclass.seen_kinds import seen_kinds
from solvers.answers import BANDS
from solvers.message import Message

MAX_TAGS = 200
"""The most tags of one teacher."""

MAX_AT_ONCE = 1000
"""The most puzzles that one press copies."""

SORTS = {
    "": (_("Latest first"), ("-changed_at", "pk")),
    "oldest": (_("Oldest first"), ("changed_at", "pk")),
    "title": (_("By title"), ("title_key", "pk")),
    "easy": (_("Easy first"), ("is_unrated", "level", "solutions_order", "pk")),
    "hard": (_("Hard first"), ("-level", "pk")),
    "few": (_("Few solutions first"), (F("solutions_order").asc(nulls_last=True), "pk")),
    "small": (_("Small boards first"), ("cells", "stones", "pk")),
}
"""The title and the columns of each order, by its name."""

SIZES = {
    "small": (_("up to 5 × 5"), Q(rows__lte=5, columns__lte=5)),
    "middle": (
        _("6 × 6 to 8 × 8"),
        Q(rows__lte=8, columns__lte=8) & ~Q(rows__lte=5, columns__lte=5),
    ),
    "large": (_("9 × 9 and larger"), Q(rows__gte=9) | Q(columns__gte=9)),
}

COUNTS = {
    "one": (_("exactly one"), Q(is_counted=True, solutions_order=1)),
    "few": (_("2 to 20"), Q(is_counted=True, solutions_order__range=(2, 20))),
    "many": (_("more than 20"), Q(solutions_order__gt=20)),
    "none": (_("no solution"), Q(is_counted=True, solutions_order=0)),
    "unknown": (_("not counted yet"), Q(solutions="")),
}
"""The title and the condition of each choice of a number of solutions, by its name."""

ANY = ("", _("any"))


def _titles(choices: Mapping[str, tuple[object, object]]) -> list[tuple[str, object]]:
    return [(name, title) for name, (title, _condition) in choices.items()]


class SearchForm(forms.Form):
    """The search of a library. Invalid values are ignored, because they come from an address."""

    q = forms.CharField(label=_("Title, note, tag or author"), required=False, max_length=60)
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    level = forms.TypedChoiceField(
        label=_("Difficulty"),
        required=False,
        coerce=int,
        choices=[(number, name) for number, name in enumerate(BANDS, 1)],
    )
    solutions = forms.ChoiceField(
        label=_("Solutions"), required=False, choices=[ANY, *_titles(COUNTS)]
    )
    size = forms.ChoiceField(label=_("Size"), required=False, choices=[ANY, *_titles(SIZES)])
    least = forms.IntegerField(label=_("Stones from"), required=False, min_value=0, max_value=999)
    most = forms.IntegerField(label=_("Stones to"), required=False, min_value=0, max_value=999)
    tag = forms.CharField(label=_("Tag"), required=False, max_length=TAG_LENGTH)
    author = forms.CharField(label=_("Author"), required=False, max_length=60)
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=_titles(SORTS))

    def __init__(self, fields: QueryDict) -> None:
        fields, seen = fields.copy(), seen_kinds()
        asked = fields.get("kind", "")
        self.versions = (versions_with(asked) if asked else []) or [asked]
        """The slugs of the wanted kind: a kind that a teacher makes has one for each version."""
        if shown := [slug for slug in self.versions if slug in seen]:
            fields["kind"] = shown[0]
        super().__init__(fields)
        known = [*seen, *self.versions] if len(self.versions) > 1 else seen
        self.fields["kind"].choices = [(slug, slug) for slug in known]  # type: ignore[attr-defined]
        self.is_valid()

    @property
    def wanted(self) -> dict[str, str]:
        """The filled-in fields that are valid, as texts for an address."""
        return {
            name: str(value) for name, value in self.cleaned_data.items() if value not in ("", None)
        }

    @property
    def query(self) -> str:
        """The search as a query string. Equal searches have equal query strings."""
        return urlencode(self.wanted)

    @property
    def asks(self) -> bool:
        """Whether the form asks for something besides the order."""
        return bool(self.wanted.keys() - {"sort"})

    @property
    def asks_more(self) -> bool:
        """Whether one of the filters that are folded away is in use."""
        return bool(self.wanted.keys() - {"sort", "q", "kind", "level"})


def search(owner: User, form: SearchForm) -> QuerySet[Puzzle]:
    """Return the owner's puzzles that the form asks for, in the order that it asks for."""
    wanted = form.cleaned_data
    puzzles = Puzzle.objects.filter(owner=owner)
    for word in wanted.get("q", "").split():
        named = Tag.objects.filter(contains(word, "name"), owner=owner)
        tagged = Puzzle.tags.through.objects.filter(tag__in=named).values("puzzle")
        puzzles = puzzles.filter(contains(word, "title", "note", "author") | Q(pk__in=tagged))
    if wanted.get("kind"):
        puzzles = puzzles.filter(kind_slug__in=form.versions)
    if wanted.get("level"):
        puzzles = puzzles.filter(level=wanted["level"])
    for name, choices in (("solutions", COUNTS), ("size", SIZES)):
        if wanted.get(name):
            puzzles = puzzles.filter(choices[wanted[name]][1])
    if wanted.get("least") is not None:
        puzzles = puzzles.filter(stones__gte=wanted["least"])
    if wanted.get("most") is not None:
        puzzles = puzzles.filter(stones__lte=wanted["most"])
    if wanted.get("tag"):
        puzzles = puzzles.filter(tags__name=wanted["tag"])
    if wanted.get("author"):
        puzzles = puzzles.filter(contains(wanted["author"], "author"))
    return _ordered(puzzles, form)


def _ordered(puzzles: QuerySet[Puzzle], form: SearchForm) -> QuerySet[Puzzle]:
    """Return the puzzles in the order that the form asks for."""
    order = SORTS[form.cleaned_data.get("sort") or ""][1]
    if "cells" in order:
        puzzles = puzzles.annotate(cells=F("rows") * F("columns"))
    if "is_unrated" in order:
        puzzles = puzzles.annotate(is_unrated=Q(level=0))
    return puzzles.order_by(*order)


def read_page(found: QuerySet[Puzzle], form: SearchForm) -> QuerySet[Puzzle]:
    """Return the puzzles of a page of the form's search, with their tags.

    The database sorts primary keys, and reads whole rows only for the page: with 10,000 puzzles
    this takes a third of the time.
    """
    rows = Puzzle.objects.filter(pk__in=found.values("pk"))
    return _ordered(rows, form).defer("note", "solution").prefetch_related("tags")


def library_address(fields: QueryDict) -> str:
    """Return the address of the library with the search that the form's field `query` contains."""
    return f"{reverse('puzzle_list')}?{SearchForm(QueryDict(fields.get('query', ''))).query}"


def save_search(owner: User, name: str, form: SearchForm) -> SavedSearch:
    """Save the search under the name, in place of a search that has this name.

    Raise QuotaReached if there are too many.
    """
    saved = owner.saved_searches
    if saved.exclude(name=name).count() >= SavedSearch.MAX_COUNT:
        raise QuotaReached(
            Message(
                "There can be at most {most} saved searches. Delete one that you no longer need.",
                {"most": SavedSearch.MAX_COUNT},
            )
        )
    return saved.update_or_create(name=name, defaults={"query": form.query})[0]


# Many puzzles at once


def chosen_puzzles(owner: User, fields: QueryDict) -> QuerySet[Puzzle]:
    """Return the owner's puzzles that a form names by primary key, or all that a search found."""
    if fields.get("all"):
        return search(owner, SearchForm(QueryDict(fields.get("query", ""))))
    return Puzzle.objects.filter(owner=owner, pk__in=map(read_key, fields.getlist("puzzle")))


@transaction.atomic
def add_tag(puzzles: QuerySet[Puzzle], owner: User, name: str) -> bool:
    """Add a tag to the puzzles, a new one if needed. Return False if there are too many tags."""
    name = " ".join(name.split())[:TAG_LENGTH]
    tag = Tag.objects.filter(owner=owner, name=name).first()
    if tag is None:
        if Tag.objects.filter(owner=owner).count() >= MAX_TAGS:
            return False
        tag = Tag.objects.create(owner=owner, name=name)
    through = Puzzle.tags.through
    through.objects.bulk_create(
        [through(puzzle_id=pk, tag_id=tag.pk) for pk in puzzles.values_list("pk", flat=True)],
        ignore_conflicts=True,
        batch_size=400,
    )
    return True


def next_in_library(puzzle: Puzzle) -> int | None:
    """Return the primary key of the next puzzle in the library, latest first; None at the end."""
    below = Q(changed_at=puzzle.changed_at, pk__gt=puzzle.pk) | Q(changed_at__lt=puzzle.changed_at)
    ordered = Puzzle.objects.filter(below, owner=puzzle.owner_id).order_by(*SORTS[""][1])
    return ordered.values_list("pk", flat=True).first()


@transaction.atomic
def remove_tag(puzzles: QuerySet[Puzzle], owner: User, name: str) -> None:
    """Remove a tag from the puzzles. Delete tags that no puzzle has any more."""
    keys = puzzles.order_by().values("pk")
    Puzzle.tags.through.objects.filter(tag__owner=owner, tag__name=name, puzzle__in=keys).delete()
    Tag.objects.filter(owner=owner, puzzles=None).delete()


def check_room(owner: User, number: int = 1) -> None:
    """Raise QuotaReached unless the owner's library has room for `number` more puzzles."""
    if owner.puzzles.count() + number > settings.MAX_PUZZLES:
        raise QuotaReached(
            Message(
                "You can keep at most {most} puzzles. Delete some that you no longer need.",
                {"most": settings.MAX_PUZZLES},
            )
        )


@transaction.atomic
def copy_all(puzzles: QuerySet[Puzzle], owner: User) -> int:
    """Copy at most `MAX_AT_ONCE` of the owner's puzzles, and return how many were copied.

    Raise QuotaReached if the library has no room for them.
    """
    check_room(owner, min(puzzles.count(), MAX_AT_ONCE))
    taken = titles_of(owner)
    copied = puzzles.select_related("owner")[:MAX_AT_ONCE]
    for puzzle in copied:
        taken.add(puzzle.copy(free_title(puzzle.title, taken)).title)
    return len(copied)


MAX_ASSIGNED = 40
"""The most selected puzzles that are carried over to a new assignment."""


def assign_address(classroom: str, keys: Sequence[int]) -> str:
    """Return the address at which the puzzles with these primary keys are assigned to a class."""
    query = urlencode({"puzzle": list(keys[:MAX_ASSIGNED])}, doseq=True)
    return f"{reverse('assignment_new', args=[int(classroom[:18])])}?{query}"
