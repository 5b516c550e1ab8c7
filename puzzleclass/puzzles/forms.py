from django import forms
from django.utils.translation import gettext_lazy as _

from puzzleclass.puzzles.models import Puzzle


class PuzzleForm(forms.ModelForm):
    """What the editor saves besides the board."""

    class Meta:
        model = Puzzle
        fields = ["title", "note"]
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}
        error_messages = {"title": {"required": _("Give the puzzle a title.")}}


class SearchForm(forms.Form):
    """Looks for puzzles in the library."""

    q = forms.CharField(label=_("Search by title"), required=False, max_length=60)
