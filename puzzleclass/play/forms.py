from django import forms

from puzzleclass.play.models import Step


class StepForm(forms.Form):
    """A step as it is sent: what is done, the move, and the step's number in the try."""

    action = forms.ChoiceField(choices=Step.Action)
    move = forms.CharField(required=False, max_length=200)
    step = forms.IntegerField(min_value=0, max_value=999_999)
