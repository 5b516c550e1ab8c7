"""The forms of the editor, of questions with options, and of the generator."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzleclass.forms.merging import MergingForm
from puzzleclass.language import furigana
from puzzleclass.language.reader import say
from puzzleclass.puzzles.drawing import Drawing, new_drawing, read_drawing
from puzzleclass.puzzles.models import TITLE_LENGTH, Puzzle
from puzzleclass.spreadsheets.encodings import SheetError
from puzzleclass.spreadsheets.reading import text_of_file
from solvers.kind import PuzzleError
from solvers.message import Message
from solvers.picture import Picture
from solvers.question import Option, Pair, Question
from solvers.registry import AnyKind

DRAWN = "drawn"
"""The value of the option `Question.position_option` with which the drawn board is used."""

KNOWN = "known"
"""The option for the boards that are not to be made again, one on each line. It has no field in the
form, because these boards are those of the library."""


class ReadingField:
    """What the forms of titles have in common that take the reading of the title."""

    HELP = _("For furigana on students' pages: the whole title in kana.")
    FAULT = _("This does not fit the title. Write the whole title in kana, without kanji.")

    cleaned_data: dict[str, Any]

    def clean_reading(self) -> str:
        """Return the reading if the title can be read like this. Raise ValidationError."""
        reading: str = self.cleaned_data["reading"]
        if reading and not furigana.fits(self.cleaned_data.get("title", ""), reading):
            raise ValidationError(self.FAULT)
        return reading


class BoardForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """The fields that are saved with a board. A subclass names the model in its `Meta`.

    The editor fills in the text of the board, so that two windows with one board are noticed.
    """

    draft = forms.CharField(label=_("Board"), required=False, strip=False, widget=forms.HiddenInput)

    def said(self, name: str, value: Any) -> str | Picture:
        """Return the drawn board, or what a field of the form has."""
        if name != "draft":
            return super().said(name, value)
        return new_drawing(self.instance.kind, value).picture


class PuzzleForm(ReadingField, BoardForm):
    """The fields that the editor saves with a puzzle of the library."""

    class Meta:
        model = Puzzle
        fields = ["title", "reading", "note"]
        help_texts = {"reading": ReadingField.HELP}
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}
        error_messages = {"title": {"required": _("Give the puzzle a title.")}}


class PairInput(forms.Widget):
    """Two fields for whole numbers. The value is one text, with the pair's joint between them."""

    _SIGNS = {"..": pgettext_lazy("from one number", "to"), "x": "×"}

    def __init__(self, pair: Pair) -> None:
        super().__init__()
        self._pair = pair

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        first, joint, last = str(value or "").partition(self._pair.joint)
        limits = {"min": self._pair.least, "max": self._pair.most, "inputmode": "numeric"}
        box = forms.NumberInput(limits)
        attrs = attrs or {}
        sign = self._SIGNS[self._pair.joint]
        return format_html(
            '<span class="pair">{} <span aria-hidden="true">{}</span> {}</span>',
            box.render(name, first.strip(), attrs, renderer),
            sign,
            box.render(
                f"{name}_last",
                (last if joint else first).strip(),
                attrs | {"id": f"{attrs.get('id', name)}_last", "aria-label": sign},
                renderer,
            ),
        )

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str | None:
        """Return the numbers as one text. A text that has the joint already is taken as it is."""
        first, last = data.get(name), data.get(f"{name}_last")
        return first if first is None or not last else f"{first}{self._pair.joint}{last}"


class OptionField(forms.CharField):
    """A field for an option of a question."""

    def __init__(self, option: Option) -> None:
        self._option = option
        choices = [(name, say(Message(title))) for name, title in option.choices.items()]
        super().__init__(
            label=say(Message(option.title)),
            help_text=say(Message(option.hint)) if option.hint else "",
            initial=option.default,
            required=False,
            max_length=400,
            widget=self._widget(choices),
        )

    def _widget(self, choices: list[tuple[str, str]]) -> forms.Widget:
        if choices:
            return forms.Select(choices=choices)
        return PairInput(self._option.pair) if self._option.pair else forms.TextInput()

    def clean(self, value: str | None) -> Any:
        """Return the value that the solver receives."""
        text = super().clean(value)
        try:
            return self._option.read(text)
        except PuzzleError as error:
            raise ValidationError(say(error.message)) from error


class BoardField(forms.CharField):
    """A board in any format of the kind. If it is left empty, the board is `default`.

    The field is required if `default` is empty.
    """

    def __init__(self, kind: AnyKind, default: str) -> None:
        self._kind = kind
        self._default = default
        super().__init__(
            required=not default,
            widget=forms.HiddenInput,
            error_messages={"required": _("Enter a board to start from.")},
        )

    def clean(self, value: str | None) -> str:
        """Return the canonical text of the board's start."""
        text = super().clean(value) or self._default
        try:
            return self._kind.write_start(self._kind.read(text))
        except PuzzleError as error:
            raise ValidationError(say(error.message)) from error


class OptionsForm(forms.Form):
    """The options of a question, except the option `KNOWN`."""

    def __init__(self, question: Question, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._question = question
        for name, option in question.options.items():
            if name == KNOWN:
                continue
            field = self.fields[name] = OptionField(option)
            told = self[name].value() or ""
            if option.choices and told not in option.choices:
                # The value comes from an earlier search, and the menu does not offer it.
                field.widget.choices = [(told, told), *field.widget.choices]

    @property
    def plain_fields(self) -> list[forms.BoundField]:
        """The fields that are shown at once."""
        return [field for field in self.visible_fields() if not self._is_folded(field)]

    @property
    def folded_fields(self) -> list[forms.BoundField]:
        """The fields that are folded away."""
        return [field for field in self.visible_fields() if self._is_folded(field)]

    def _is_folded(self, field: forms.BoundField) -> bool:
        """Return whether the field is folded away. A field with a fault never is."""
        return self._question.options[field.name].is_folded and not field.errors

    def options(self, library: Iterable[str] = ()) -> dict[str, Any]:
        """Return the values of the options. `library` has the boards for the option `KNOWN`."""
        known = self._question.options.get(KNOWN)
        values = {name: self.cleaned_data[name] for name in self._question.options if name != KNOWN}
        return values | ({KNOWN: known.read("\n".join(sorted(library)))} if known else {})


class GeneratorForm(OptionsForm):
    """The options for new boards, and the drawn board that they start from."""

    def __init__(self, question: Question, kind: AnyKind, *args: Any, **kwargs: Any) -> None:
        super().__init__(question, *args, **kwargs)
        self.kind = kind
        self.fields["position"] = BoardField(kind, question.position)

    def read_drawing(self, text: str) -> Drawing:
        """Return the drawing of a text, or of the question's own board for an empty text.

        The drawing need not be a puzzle. Raise PuzzleError if the text is not a board.
        """
        # If the board is optional, the question's own one is only a stand-in and is not shown.
        own = "" if self.board_is_optional else self._question.position
        return read_drawing(self.kind, text.strip() or own)

    @property
    def drawing(self) -> Drawing:
        """The drawing in the field; a blank one if the field has no board."""
        try:
            return self.read_drawing(self["position"].value() or "")
        except PuzzleError:
            return new_drawing(self.kind)

    @property
    def board_is_optional(self) -> bool:
        """Whether the board is used only if the teacher chooses to draw one."""
        return bool(self._question.position_option)

    def clean(self) -> dict[str, Any]:
        """Add an error if the teacher has chosen to draw the board and has not drawn it."""
        values = super().clean() or self.cleaned_data
        is_drawn = values.get(self._question.position_option) == DRAWN
        if is_drawn and not self["position"].value().strip():
            self.add_error(
                "position", _("Draw the board first: press the points of the board below.")
            )
        return values


PACK = '"puzzleclass-pack"'
"""The mark of a pack's file (`sharing.packs`)."""


class BoardsForm(forms.Form):
    """A text with several boards, or a file with such a text, which takes the place of the text."""

    text = forms.CharField(
        label=_("Boards as text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "class": "code", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        help_text=_("Its text takes the place of the one above."),
    )

    def clean(self) -> dict[str, Any]:
        """Put the text of the file in the place of the text. Add an error if there is neither."""
        values = super().clean() or self.cleaned_data
        if file := values.get("file"):
            try:
                values["text"] = text_of_file(file.read())
            except SheetError as error:
                self.add_error("file", str(error))
        if PACK in values.get("text", ""):
            self.add_error(
                "text", _("This is the file of a set. Import it under “Plans and collections”.")
            )
        elif "file" in values and not values.get("text", "").strip():
            self.add_error("text", _("Paste the boards, or choose a file."))
        return values


class SaveForm(forms.Form):
    """The boards to save, and the pattern of their titles."""

    title = forms.CharField(
        label=_("Title"),
        max_length=TITLE_LENGTH - 6,
        help_text=_("# is replaced by the number of the puzzle: 1, 2, 3 …"),
        error_messages={"required": _("Give the puzzles a title.")},
    )

    def __init__(self, positions: list[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["boards"] = forms.MultipleChoiceField(
            label=_("Boards"),
            choices=[(text, text) for text in positions],
            error_messages={
                "required": _("Choose at least one puzzle."),
                "invalid_choice": _(
                    "One of the boards you selected is no longer here. Please check your selection."
                ),
            },
        )
