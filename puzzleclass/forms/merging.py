"""Two windows that change the same thing.

A page carries the values that its form has shown (`{% changes form %}`). When the form comes back,
each of its fields is known three times: as it was shown, as it was sent, and as it is stored now.
What only one side has changed is taken over without a question. What both have changed is asked,
with the form as it was sent. That page shows what is stored, so that whoever sends it again knows
what is overwritten.

`once` lets the requests to one address work on such a form one after the other.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from solvers.picture import Picture

FIELD = "shown"
"""The field with what a form has shown. A page with two forms sends two of them."""

THEIRS = "theirs"
"""The answer that a field is to get the value that is stored."""

Value = str | bool | list[str]
"""A field's value as a page sends it."""


class Shown(msgspec.Struct):
    """What a form has shown, and when."""

    form: str
    at: float
    values: dict[str, Value]


def read_shown(fields: QueryDict) -> dict[str, Shown]:
    """Return what the forms of a page have shown, by the names of the forms."""
    forms_shown = {}
    for text in fields.getlist(FIELD):
        try:
            shown = msgspec.json.decode(text, type=Shown)
        except (msgspec.MsgspecError, RecursionError):
            continue
        forms_shown[shown.form] = shown
    return forms_shown


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that both sides have changed."""

    name: str
    label: str
    mine: str | Picture = ""
    theirs: str | Picture = ""

    @property
    def is_drawn(self) -> bool:
        """Whether the two values are pictures."""
        return isinstance(self.mine, Picture)

    @property
    def field(self) -> str:
        """The name of the field that takes the decision."""
        return f"take-{self.name}"


class MergingForm(forms.BaseForm):
    """A form that notices what was changed since its page was shown.

    Its initial values must be those that are stored now. A field whose widget shows no value, such
    as a password, is left out.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conflicts: list[Conflict] = []
        self.merged: list[str] = []
        """The fields that were taken over from the other side."""
        self.sent: QueryDict = QueryDict()
        """The fields as the page has sent them, before anything was taken over."""
        self.before: dict[str, Value] = {}
        """What the page has shown."""

    @property
    def shown(self) -> str:
        """What the page is to send back: the values that are stored now."""
        values = {name: self._stored(name) for name in self._watched()}
        state = Shown(type(self).__name__, time.time(), values)
        return msgspec.json.encode(state).decode()

    def is_valid(self) -> bool:
        """Return whether the form has no faults, and no question is open."""
        return super().is_valid() and not self.conflicts

    def full_clean(self) -> None:
        """Take over what the other side has changed, and then read the fields."""
        if self.is_bound and isinstance(self.data, QueryDict):
            self.sent = self.data
            if before := read_shown(self.sent).get(type(self).__name__):
                self.before = before.values
                self._merge()
        super().full_clean()

    def _watched(self) -> Iterator[str]:
        unseen = (forms.PasswordInput, forms.FileInput)
        return (name for name, field in self.fields.items() if not isinstance(field.widget, unseen))

    def _merge(self) -> None:
        sent, data = self.sent, self.sent.copy()
        self.data = data
        self.conflicts, self.merged = [], []
        for name in self._watched():
            field, place = self.fields[name], self.add_prefix(name)
            base, theirs = self.before.get(name), self._stored(name)
            mine = field.widget.value_from_datadict(sent, self.files, place)
            is_missing = field.widget.value_omitted_from_data(sent, self.files, place)
            if is_missing or type(base) is not type(theirs):
                continue
            label = str(self[name].label)
            if isinstance(theirs, list) and isinstance(base, list):
                merged = merged_values(base, theirs, mine or [])
                _put(data, place, merged)
                if set(merged) != set(mine or []):
                    self.merged.append(label)
            elif sent.get(Conflict(place, label).field) == THEIRS:
                _put(data, place, theirs)
            elif not _differs(field, base, theirs):
                continue
            elif not _differs(field, base, mine):
                _put(data, place, theirs)
                their_value = self.said(name, theirs)
                text = _("{field}: {value}").format(field=label, value=their_value)
                self.merged.append(text if isinstance(their_value, str) else label)
            elif _differs(field, theirs, mine):
                said_by_both = self.said(name, mine), self.said(name, theirs)
                self.conflicts.append(Conflict(place, label, *said_by_both))

    def said(self, name: str, value: Any) -> str | Picture:
        """Return a value of the field as the reader knows it from the page."""
        return _said(self.fields[name], value)

    def _stored(self, name: str) -> Value:
        """Return the value of the field that is stored now, as a page sends it."""
        bound = self[name]
        field, widget = bound.field, bound.field.widget
        value = field.prepare_value(bound.initial)
        if isinstance(widget, forms.CheckboxInput):
            return bool(value)
        if getattr(widget, "allow_multiple_selected", False):
            return [str(each) for each in value or ()]
        if isinstance(widget, forms.DateTimeInput | forms.DateInput):
            value = widget.format_value(value)
        return "" if value is None else str(value)


def _put(data: QueryDict, place: str, value: Value) -> None:
    """Let the fields have this value as if the page had sent it."""
    if isinstance(value, list):
        data.setlist(place, value)
    elif value is False:
        data.pop(place, None)
    else:
        data[place] = "on" if value is True else value


def _differs(field: forms.Field, one: Any, other: Any) -> bool:
    """Return whether two values that pages have sent mean different things."""
    if isinstance(one, str) and isinstance(other, str):
        one, other = one.replace("\r\n", "\n"), other.replace("\r\n", "\n")
    try:
        return field.has_changed(field.to_python(one), other)
    except ValidationError:
        return bool(one != other)


def _said(field: forms.Field, value: Any) -> str:
    """Return the value as the reader knows it from the page."""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    for key, label in getattr(field, "choices", ()):
        if str(key) == value:
            return str(label)
    if isinstance(field, forms.DateTimeField):
        try:
            moment = field.to_python(value)
        except ValidationError:
            return str(value)
        if moment:
            return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT")
    return str(value or "") or _("(empty)")


def merged_values(base: list[str], theirs: list[str], mine: list[str]) -> list[str]:
    """Return a set of values with what either side has added and without what either has removed.

    Two sides that change a set are never in conflict.
    """
    common = [each for each in theirs if each in mine or each not in base]
    return common + [each for each in mine if each not in base and each not in common]


def merged_order(base: list[str], theirs: list[str], mine: list[str]) -> list[str] | None:
    """Return a list with what either side has added, moved and removed.

    None if both have moved the entries that they share, in different ways.
    """
    values = merged_values(base, theirs, mine)
    shared = {each for each in base if each in theirs and each in mine}
    was, is_theirs, is_mine = [[x for x in side if x in shared] for side in (base, theirs, mine)]
    if is_mine == was:
        first, second = theirs, mine
    elif is_theirs in (was, is_mine):
        first, second = mine, theirs
    else:
        return None
    result = [each for each in first if each in values]
    for at, each in enumerate(second):
        if each in values and each not in result:
            before = [other for other in second[:at] if other in result]
            result.insert(result.index(before[-1]) + 1 if before else 0, each)
    return result


def latest(shown: dict[str, Shown]) -> float:
    """Return the time at which the page was shown, in seconds; infinity if it does not say."""
    return min((each.at for each in shown.values()), default=float("inf"))
