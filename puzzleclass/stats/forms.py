"""Forms of the pages about what a class has done."""

from django import forms
from django.utils.translation import gettext_lazy as _

from puzzleclass.forms.merging import MergingForm
from puzzleclass.play.models import Feedback

_DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class DaysForm(forms.Form):
    """The days between which the assignments are due."""

    first = forms.DateField(label=_("Due from"), required=False, widget=_DAY)
    last = forms.DateField(label=_("Due until"), required=False, widget=_DAY)


class OwnDueForm(forms.Form):
    """The day on which an assignment is due for the ticked students."""

    # The field shares its HTML form with buttons that need no day.
    use_required_attribute = False

    day = forms.DateField(label=_("Due on"), widget=_DAY)


class FeedbackForm(MergingForm, forms.ModelForm):  # type: ignore[type-arg]
    """The form for a stamp, a comment, or both."""

    class Meta:
        model = Feedback
        fields = ["stamp", "comment"]
        widgets = {"stamp": forms.RadioSelect}
