from typing import Any

from django import forms

from puzzleclass.play.models import HintUse, Step


class StepForm(forms.Form):
    """A step as it is sent: what is done, the move, and the step's number in the try."""

    action = forms.ChoiceField(choices=Step.Action)
    move = forms.CharField(required=False, max_length=200)
    typed = forms.CharField(required=False, max_length=200)
    """A move that was typed, where none was pressed."""
    step = forms.IntegerField(min_value=0, max_value=999_999)

    @property
    def as_step(self) -> dict[str, Any]:
        """The valid step, as `attempts.take_step` takes it."""
        sent = self.cleaned_data
        move = sent["move"] or sent["typed"]
        return {"number": sent["step"], "action": sent["action"], "move": move}


class BackForm(forms.Form):
    """The way back, asked for a board whose next step has this number."""

    step = forms.IntegerField(min_value=0, max_value=999_999)


class HintForm(BackForm):
    """A hint, asked for such a board."""

    level = forms.TypedChoiceField(choices=HintUse.Level, coerce=int)
