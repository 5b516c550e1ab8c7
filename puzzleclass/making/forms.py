from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from puzzleclass.language import say
from puzzleclass.making.drawing import DRAWN, drawing
from puzzleclass.puzzles.services import TITLE_LENGTH
from puzzleclass.puzzles.sketch import Sketch, new_sketch
from solvers.kind import Option, PuzzleError, Question
from solvers.message import Message
from solvers.registry import AnyKind

KNOWN = "known"
"""The option that takes boards which are not wanted again, one a line. No field: the library
has them."""

NUMBER_SIGN = "#"
"""Stands for the number in a pattern of titles."""


class OptionField(forms.CharField):
    """A question's option: its text as the solver reads it."""

    def __init__(self, option: Option) -> None:
        self._option = option
        choices = [(name, say(Message(title))) for name, title in option.choices.items()]
        super().__init__(
            label=say(Message(option.title)),
            help_text=say(Message(option.hint)) if option.hint else "",
            initial=option.default,
            required=False,
            max_length=400,
            widget=forms.Select(choices=choices) if choices else forms.TextInput,
        )

    def clean(self, value: str | None) -> Any:
        """Return the value that the solver is given."""
        text = super().clean(value)
        try:
            return self._option.read(text)
        except PuzzleError as error:
            raise ValidationError(say(error.message)) from error


class BoardField(forms.CharField):
    """A board in any format of the kind; one that need not be given stands for `default`."""

    def __init__(self, kind: AnyKind, default: str) -> None:
        self._kind = kind
        self._default = default
        super().__init__(
            required=not default,
            widget=forms.HiddenInput,
            error_messages={"required": _("Give a board to start from.")},
        )

    def clean(self, value: str | None) -> str:
        """Return the canonical text of the start."""
        text = super().clean(value) or self._default
        try:
            return self._kind.write_start(self._kind.read(text))
        except PuzzleError as error:
            raise ValidationError(say(error.message)) from error


class OptionsForm(forms.Form):
    """What a question is told, but for boards that the library has."""

    def __init__(self, question: Question, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._question = question
        for name, option in question.options.items():
            if name != KNOWN:
                self.fields[name] = OptionField(option)

    def options(self, library: Iterable[str] = ()) -> dict[str, Any]:
        """Return the values of the options; no board of the library is to be made again."""
        told = {name: self.cleaned_data[name] for name in self._question.options if name != KNOWN}
        if KNOWN in self._question.options:
            told[KNOWN] = self._question.options[KNOWN].read("\n".join(sorted(library)))
        return told


class WishForm(OptionsForm):
    """What is wanted of new boards, and the board that they start from, which is drawn."""

    def __init__(self, question: Question, kind: AnyKind, *args: Any, **kwargs: Any) -> None:
        super().__init__(question, *args, **kwargs)
        self.kind = kind
        self.fields["position"] = BoardField(kind, question.position)

    @property
    def drawing(self) -> Sketch:
        """The board as it is in the field; a blank one where that is none."""
        try:
            return drawing(self.kind, self._question, self["position"].value() or "")
        except PuzzleError:
            return new_sketch(self.kind)

    @property
    def can_do_without_a_board(self) -> bool:
        """The board matters only if it is chosen to be drawn."""
        return bool(self._question.drawn_by)

    def clean(self) -> dict[str, Any]:
        """Miss the board that is chosen to be drawn."""
        told = super().clean()
        is_drawn = told.get(self._question.drawn_by) == DRAWN
        if is_drawn and not self["position"].value().strip():
            self.add_error("position", _("Draw the points first: press them on the board."))
        return told


class SaveForm(forms.Form):
    """Which of the boards are to be kept, and what they are to be called."""

    title = forms.CharField(
        label=_("Title"),
        max_length=TITLE_LENGTH - 6,
        help_text=_("Where # stands, the puzzles are numbered: 1, 2, 3 …"),
        error_messages={"required": _("Give the puzzles a title.")},
    )
    boards = forms.MultipleChoiceField(
        label=_("Boards"),
        error_messages={
            "required": _("Choose at least one board."),
            "invalid_choice": _("A board you chose is not among these. Please look again."),
        },
    )

    def __init__(self, positions: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["boards"].choices = [(text, text) for text in positions]
