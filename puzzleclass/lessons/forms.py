"""The form of the slides of a discussion."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from puzzleclass.forms.merging import MergingForm, merged_order
from puzzleclass.http import read_key
from puzzleclass.lessons.models import Slide


class SlidesForm(MergingForm, forms.Form):
    """The order of the slides, and the notes on them."""

    slide = forms.MultipleChoiceField(required=False)

    def __init__(self, slides: Sequence[Slide], data: QueryDict | None = None) -> None:
        self.slides = slides
        super().__init__(data, initial={"slide": [slide.pk for slide in slides]})
        self.fields["slide"].choices = [(slide.pk, slide.pk) for slide in slides]  # type: ignore[attr-defined]
        for number, slide in enumerate(slides, 1):
            label = _("Note on slide %(n)s") % {"n": number}
            field = forms.CharField(label=label, required=False, initial=slide.note)
            self.fields[f"note-{slide.pk}"] = field

    @property
    def order(self) -> list[int]:
        """The slides in their new order. If two windows have moved them, the last one counts."""
        sent, stored = self.sent.getlist("slide"), [str(slide.pk) for slide in self.slides]
        before = self.before.get("slide", stored)
        order = merged_order(before, stored, sent) if isinstance(before, list) else None
        return [read_key(text) for text in order or sent[: Slide.MAX_COUNT]]

    @property
    def notes(self) -> dict[int, str]:
        """The notes by the primary keys of their slides."""
        return {
            slide.pk: self.cleaned_data[name]
            for slide in self.slides
            if (name := f"note-{slide.pk}") in self.data
        }
