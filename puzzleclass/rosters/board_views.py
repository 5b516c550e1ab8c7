"""View of a board of education for its administrators: its schools, and what they share."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Count, Q
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from puzzleclass.accounts.sign_in import SignedInRequest, for_teachers, record
from puzzleclass.classes.access import get_board_for_administrator
from puzzleclass.classes.school_models import Board, School
from puzzleclass.forms.once import once
from puzzleclass.http import form_page
from puzzleclass.rosters.owner_page import imports_of

SCHOOLS_PER_PAGE = 50


class NewSchoolForm(forms.ModelForm):  # type: ignore[type-arg]
    """The name of a new school of a board."""

    class Meta:
        model = School
        fields = ["name"]

    def __init__(self, board: Board, data: QueryDict | None) -> None:
        super().__init__(data, instance=School(board=board))

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        schools = School.objects.filter(board=self.instance.board)
        if schools.filter(name=name).exists():
            raise ValidationError(_("The board has a school of this name already."))
        if schools.count() >= Board.MAX_SCHOOLS:
            most = _("A board has at most {most} schools.")
            raise ValidationError(most.format(most=Board.MAX_SCHOOLS))
        return name


@for_teachers("GET", "POST")
@once()
def board(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a board: its schools, and what belongs to all of them. POST makes a new school."""
    own_board = get_board_for_administrator(request.user, pk)
    form = NewSchoolForm(own_board, request.POST or None)
    if request.method == "POST":
        with transaction.atomic():
            Board.objects.select_for_update().get(pk=pk)
            if form.is_valid():
                school = form.save()
                record(request, "school made", board=pk, school=school.pk)
                return redirect(own_board)
    class_count = Count("classrooms", filter=Q(classrooms__archived_at=None))
    schools = own_board.schools.annotate(class_count=class_count).order_by("name", "pk")
    context = {
        **imports_of(own_board),
        "board": own_board,
        "form": form,
        "page": Paginator(schools, SCHOOLS_PER_PAGE).get_page(request.GET.get("page")),
    }
    return form_page(request, "rosters/board.html", context)
