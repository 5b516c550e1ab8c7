"""The form for a phase of a lesson plan."""

import re
from typing import Any, cast
from zlib import crc32

from django import forms
from django.core.validators import MaxValueValidator
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from puzzleclass.sharing.phases import (
    MAX_MINUTES,
    MAX_WORDS,
    MAY_HAVE_BOARD,
    TWICE,
    WITH_ANSWER,
    WITH_CLOCK,
    Action,
    Expected,
    Phase,
    action_choices,
    fault_of,
)

CHANGED_MEANWHILE = gettext_lazy(
    "This phase was changed, moved or deleted in another window. What you wrote is kept here: "
    "check it, and save it again."
)

NEW = "new"

_ARROW = re.compile(r"\s*(?:→|⇒|->)\s*")


def _text(label: Any, rows: int = 2, help_text: Any = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(
        label=label, max_length=MAX_WORDS, required=False, widget=widget, help_text=help_text
    )


class PhaseForm(forms.Form):
    """A form for a phase. Its action is chosen, and never typed."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=40)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"), min_value=1, max_value=MAX_MINUTES, initial=5
    )
    activity = _text(gettext_lazy("Activity"), 3)
    question = _text(gettext_lazy("Main question"))
    expected = _text(
        gettext_lazy("Expected answers, and what to do about them"),
        4,
        gettext_lazy("One on each line: the answer → what you do"),
    )
    watch = _text(gettext_lazy("Points to watch"))
    assess = _text(gettext_lazy("Assessment"))
    action = forms.ChoiceField(
        label=gettext_lazy("What “Next” does at the beginning of the phase"), required=False
    )
    board = forms.TypedChoiceField(label=gettext_lazy("Board"), required=False, coerce=int)
    clock = forms.IntegerField(
        label=gettext_lazy("Minutes on the clock"),
        required=False,
        min_value=1,
        validators=[MaxValueValidator(MAX_MINUTES)],
    )
    is_twice = forms.BooleanField(label=gettext_lazy("Answer twice"), required=False)
    right = forms.CharField(label=gettext_lazy("Right answer"), required=False, max_length=30)
    before = forms.CharField(widget=forms.HiddenInput, required=False, max_length=8)
    """The mark of the phase as the form has shown it (`mark_of`)."""

    def __init__(self, boards: int, phase: Phase | None, data: Any = None) -> None:
        self.boards, self.mark = boards, mark_of(phase)
        initial = _initial(phase) if phase else {}
        super().__init__(data, initial=initial | {"before": self.mark})
        self.fields["action"].choices = action_choices()  # type: ignore[attr-defined]
        numbers = [(str(n), str(n)) for n in range(1, boards + 1)]
        self.fields["board"].choices = [("", "–"), *numbers]  # type: ignore[attr-defined]

    def clean_expected(self) -> tuple[Expected, ...]:
        """Return the lines as answers. A line without an arrow has nothing to do about it."""
        lines = filter(None, map(str.strip, self.cleaned_data["expected"].splitlines()))
        parts = [_ARROW.split(line, maxsplit=1) for line in lines]
        return tuple(Expected(answer, "".join(then)) for answer, *then in parts)

    def clean(self) -> dict[str, Any]:
        """Build the action from what was chosen. What an action does not have is left out."""
        values = super().clean() or self.cleaned_data
        key = tuple([*values.get("action", "").split(), "", ""][:2])
        action = Action(
            key[0],
            key[1],
            (values.get("board") or 0) if key in MAY_HAVE_BOARD else 0,
            (values.get("clock") or 0) if key in WITH_CLOCK else 0,
            key in TWICE and values.get("is_twice", False),
            " ".join(values.get("right", "").split()) if key in WITH_ANSWER else "",
        )
        if action.verb and (fault := fault_of(action, self.boards)):
            self.add_error("board", fault)
        values["do"] = str(action)
        if values.get("before") and values["before"] != self.mark:
            # The next press counts for the phase as it is now.
            data = cast(QueryDict, self.data).copy()
            data["before"] = self.mark
            self.data = data
            self.add_error(None, CHANGED_MEANWHILE)
        return values

    @property
    def phase(self) -> Phase:
        """The phase as the valid form describes it."""
        names = ("minutes", "title", "activity", "question", "expected", "watch", "assess", "do")
        return Phase(**{name: self.cleaned_data[name] for name in names})


def mark_of(phase: Phase | None) -> str:
    """Return a short text that tells the phase from what it was before a change. None is a new
    phase."""
    return f"{crc32(repr(phase).encode()):x}" if phase else NEW


def _initial(phase: Phase) -> dict[str, Any]:
    names = ("minutes", "title", "activity", "question", "watch", "assess")
    action = phase.action
    lines = [f"{each.answer} → {each.then}" for each in phase.expected]
    return {name: getattr(phase, name) for name in names} | {
        "expected": "\n".join(lines),
        "action": " ".join(filter(None, (action.verb, action.what))),
        "board": action.board or "",
        "clock": action.minutes or None,
        "is_twice": action.is_twice,
        "right": action.right,
    }
