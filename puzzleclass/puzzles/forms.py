"""The forms of the editor's page, questions with options, and the generator."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from puzzleclass.language import say
from puzzleclass.puzzles.draft import Draft, new_draft, read_draft
from puzzleclass.puzzles.models import TITLE_LENGTH, Puzzle
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.question import Option, Question
from solvers.registry import AnyKind

DRAWN = "drawn"
"""The choice of `Question.drawn_by`."""

KNOWN = "known"
"""The option that takes boards which are not wanted again, one a line. No field: the library
has them."""

NUMBER_SIGN = "#"
"""Stands for the number in a pattern of titles."""


class BoardForm(forms.ModelForm):  # type: ignore[type-arg]
    """What is saved with a board: of which model, its `Meta` says."""


class PuzzleForm(BoardForm):
    """What the editor saves besides the board."""

    class Meta:
        model = Puzzle
        fields = ["title", "note"]
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}
        error_messages = {"title": {"required": _("Give the puzzle a title.")}}


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
    """The options of a question, but for the boards that the library has."""

    def __init__(self, question: Question, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._question = question
        for name, option in question.options.items():
            if name == KNOWN:
                continue
            field = self.fields[name] = OptionField(option)
            told = self[name].value() or ""
            if option.choices and told not in option.choices:
                # A range of an earlier search that the menu does not offer.
                field.widget.choices = [(told, told), *field.widget.choices]

    def options(self, library: Iterable[str] = ()) -> dict[str, Any]:
        """Return the values of the options; no board of the library is to be made again."""
        known = self._question.options.get(KNOWN)
        values = {name: self.cleaned_data[name] for name in self._question.options if name != KNOWN}
        return values | ({KNOWN: known.read("\n".join(sorted(library)))} if known else {})


class GeneratorForm(OptionsForm):
    """What is wanted of new boards, and the board that they start from, which is drawn."""

    def __init__(self, question: Question, kind: AnyKind, *args: Any, **kwargs: Any) -> None:
        super().__init__(question, *args, **kwargs)
        self.kind = kind
        self.fields["position"] = BoardField(kind, question.position)

    def read_draft(self, text: str) -> Draft:
        """Return the board of a text, which need not be a puzzle; of none the question's own.

        Raises PuzzleError for a text that is no board.
        """
        # Where the board matters only if it is drawn, the question's own one is a stopgap.
        own = "" if self.board_is_optional else self._question.position
        return read_draft(self.kind, text.strip() or own)

    @property
    def draft(self) -> Draft:
        """The board as it is in the field; a blank one where that is none."""
        try:
            return self.read_draft(self["position"].value() or "")
        except PuzzleError:
            return new_draft(self.kind)

    @property
    def board_is_optional(self) -> bool:
        """The board matters only if it is chosen to be drawn."""
        return bool(self._question.drawn_by)

    def clean(self) -> dict[str, Any]:
        """Miss the board that is chosen to be drawn."""
        values = super().clean() or self.cleaned_data
        is_drawn = values.get(self._question.drawn_by) == DRAWN
        if is_drawn and not self["position"].value().strip():
            self.add_error("position", _("Draw the board first: press it below."))
        return values


class SaveForm(forms.Form):
    """Which of the boards are to be kept, and what they are to be called."""

    title = forms.CharField(
        label=_("Title"),
        max_length=TITLE_LENGTH - 6,
        help_text=_("Where # stands, the puzzles are numbered: 1, 2, 3 …"),
        error_messages={"required": _("Give the puzzles a title.")},
    )

    def __init__(self, positions: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["boards"] = forms.MultipleChoiceField(
            label=_("Boards"),
            choices=[(text, text) for text in positions],
            error_messages={
                "required": _("Choose at least one board."),
                "invalid_choice": _("A board you chose is not among these. Please look again."),
            },
        )
