from django import forms

from puzzleclass.play.models import HintUse, Step


class StepForm(forms.Form):
    """A step as it is sent: what is done, the move, and the step's number in the try."""

    action = forms.ChoiceField(choices=Step.Action)
    move = forms.CharField(required=False, max_length=200)
    step = forms.IntegerField(min_value=0, max_value=999_999)


class BackForm(forms.Form):
    """The way back, asked for a board whose next step has this number."""

    step = forms.IntegerField(min_value=0, max_value=999_999)


class HintForm(BackForm):
    """A hint, asked for such a board."""

    level = forms.TypedChoiceField(choices=HintUse.Level, coerce=int)
