"""Two windows that change the same thing: what only one has changed is kept, the rest is asked."""

import json
from importlib import import_module
from pathlib import Path

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

import puzzleclass
from puzzleclass.accounts.models import User
from puzzleclass.assignments.services import close
from puzzleclass.classes.models import Teaching
from puzzleclass.classes.school_models import School
from puzzleclass.forms.merging import MergingForm, merged_order, merged_values
from puzzleclass.lti.models import Platform
from puzzleclass.school_accounts.models import SignInProvider
from solvers.registry import kinds
from tests.presses import Reader
from tests.web.assignments.assignment_form import contents, library
from tests.web.forms.test_forms_once import POSTS, fields_in, forms_on, is_once, view_of
from tests.web.roles import ROLES, administrator, clients, world

__all__ = ["administrator", "clients", "library", "world"]

ASKED = "Changed in the meantime"


@pytest.fixture
def colleague(colleague) -> User:
    Teaching.objects.filter(teacher=colleague).update(role=Teaching.Role.TEACHER)
    return colleague


@pytest.fixture
def windows(client_of, teacher, colleague):
    """Return a function that opens an address for the teacher and for a colleague."""

    def windows(url: str) -> tuple[Reader, Reader]:
        return Reader(client_of(teacher), url), Reader(client_of(colleague), url)

    return windows


@pytest.fixture
def edit(assignment) -> str:
    return reverse("assignment_edit", args=[assignment.pk])


def said(reader: Reader) -> str:
    return " ".join(reader.response.content.decode().split())


# One side


def test_a_later_save_keeps_the_due_date_that_a_colleague_has_set(windows, edit, assignment):
    mine, theirs = windows(edit)
    theirs.type("due_at", "2098-03-04T10:20").press("Save")
    mine.type("title", "Two steps").press("Save")
    assert mine.url == reverse("assignment", args=[assignment.pk])
    assignment.refresh_from_db()
    assert (assignment.title, assignment.due_at.year) == ("Two steps", 2098)


def test_a_box_that_a_colleague_has_ticked_stays_ticked(windows, edit, assignment):
    mine, theirs = windows(edit)
    theirs.tick("warns").press("Save")
    mine.type("hints", "7").press("Save")
    assignment.refresh_from_db()
    assert (assignment.warns, assignment.hints) == (True, 7)


def test_two_windows_may_enter_the_same(windows, edit, assignment):
    mine, theirs = windows(edit)
    theirs.type("title", "Both").press("Save")
    mine.type("title", "Both").press("Save")
    assert ASKED not in said(mine)


def test_members_that_either_window_has_chosen_are_in_the_group(windows, classroom):
    group = classroom.groups.create(name="Reds")
    first, second, third = classroom.enrolments.order_by("number")
    group.members.set([first])
    mine, theirs = windows(reverse("group_edit", args=[classroom.pk, group.pk]))
    theirs.changed["members"] = [str(first.pk), str(second.pk)]
    theirs.press("Save")
    mine.changed["members"] = [str(third.pk)]
    mine.press("Save")
    assert set(group.members.all()) == {second, third}


# Both sides


def test_what_both_have_changed_is_asked_and_nothing_is_lost(windows, edit, assignment, colleague):
    mine, theirs = windows(edit)
    theirs.type("title", "Theirs").type("hints", "5").press("Save")
    mine.type("title", "Mine").type("instructions", "Count first.").press("Save")
    assert mine.response.status_code == 422
    assert ASKED in said(mine) and f"{colleague.name} saved it, too" in said(mine)
    assert 'What you entered</span> <b class="changed">Mine</b>' in said(mine)
    assert 'What is stored now</span> <b class="changed">Theirs</b>' in said(mine)
    assert "Hints: 5" in said(mine)
    assert 'value="Mine"' in said(mine) and "Count first." in said(mine)
    assignment.refresh_from_db()
    assert (assignment.title, assignment.instructions) == ("Theirs", "")
    mine.press("Save")
    assignment.refresh_from_db()
    assert (assignment.title, assignment.hints) == ("Mine", 5)
    assert assignment.instructions == "Count first."


def test_the_other_value_can_be_taken(windows, edit, assignment):
    mine, theirs = windows(edit)
    theirs.type("title", "Theirs").type("hints", "5").press("Save")
    mine.type("title", "Mine").type("hints", "6").press("Save")
    mine.changed["take-title"] = ["theirs"]
    mine.press("Save")
    assignment.refresh_from_db()
    assert (assignment.title, assignment.hints) == ("Theirs", 6)


def test_a_value_that_changes_again_is_asked_again(windows, edit, assignment):
    mine, theirs = windows(edit)
    theirs.type("title", "Second").press("Save")
    mine.type("title", "Mine").press("Save")
    type(assignment).objects.filter(pk=assignment.pk).update(title="Third")
    mine.press("Save")
    assert mine.response.status_code == 422 and "Third" in said(mine)


def test_it_says_when_the_other_window_is_ones_own(client_of, teacher, edit):
    first, second = (Reader(client_of(teacher), edit) for _ in range(2))
    first.type("title", "First").press("Save")
    second.type("title", "Second").press("Save")
    assert "you saved it in another window" in said(second)


def test_it_names_nobody_when_the_change_was_made_elsewhere(windows, edit, assignment):
    mine, _theirs = windows(edit)
    close(assignment)
    mine.type("due_at", "2098-03-04T10:20").press("Save")
    assert "something was changed elsewhere" in said(mine) and "Due" in said(mine)


def test_it_is_asked_in_japanese(client_of, teacher, edit):
    first, second = (Reader(client_of(teacher, "ja"), edit) for _ in range(2))
    first.type("title", "一").press("保存")
    second.type("title", "二").press("保存")
    assert "別のウィンドウ" in said(second)


# The boards of an assignment


@pytest.fixture
def several(teacher_client, classroom, assign, library):
    return assign(classroom, *library)


def names(assignment) -> list[str]:
    return [f"given-{pk}" for pk in assignment.puzzles.values_list("pk", flat=True)]


def test_boards_that_were_added_removed_and_moved_meanwhile(windows, several, make_puzzle):
    five, four, steps = names(several)
    added, other = make_puzzle("goishi", "ooo", "Three"), make_puzzle("goishi", "oo", "Two")
    mine, theirs = windows(reverse("assignment_edit", args=[several.pk]))
    colleagues = added.owner
    theirs.client.force_login(colleagues)
    theirs.changed["board"] = [steps, five, f"library-{added.pk}"]
    theirs.press("Save")
    mine.changed["board"] = [five, four, steps, f"library-{other.pk}"]
    mine.press("Save")
    assert [title for _n, title in contents(several)] == ["Steps", "Two", "Five stones", "Three"]


def test_a_board_that_both_have_added_is_there_once(client_of, teacher, several, make_puzzle):
    added = f"library-{make_puzzle('goishi', 'ooo', 'Three').pk}"
    url = reverse("assignment_edit", args=[several.pk])
    readers = [Reader(client_of(teacher), url) for _ in range(2)]
    for reader in readers:
        reader.changed["board"] = [*names(several)[:3], added]
        reader.press("Save")
    assert [title for _n, title in contents(several)] == ["Five stones", "Four", "Steps", "Three"]


def test_two_new_orders_are_asked(client_of, teacher, several):
    five, four, steps = names(several)
    url = reverse("assignment_edit", args=[several.pk])
    first, second, third = (Reader(client_of(teacher), url) for _ in range(3))
    first.changed["board"] = [steps, four, five]
    first.press("Save")
    for reader, answer, order in (
        (second, "theirs", ["Steps", "Four", "Five stones"]),
        (third, "mine", ["Four", "Five stones", "Steps"]),
    ):
        reader.changed["board"] = [four, five, steps]
        reader.press("Save")
        assert "Order of the puzzles" in said(reader)
        assert "Steps → Four → Five stones" in said(reader)
        assert [title for _n, title in contents(several)] == ["Steps", "Four", "Five stones"]
        reader.changed["take-boards"] = [answer]
        reader.press("Save")
        assert [title for _n, title in contents(several)] == order


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "merged"),
    [
        ("abc", "abc", "cab", "cab"),
        ("abc", "cab", "abc", "cab"),
        ("abc", "cab", "cab", "cab"),
        ("abc", "cab", "bca", None),
        ("abc", "ab", "cab", "ab"),
        ("abc", "abc", "ab", "ab"),
        ("abc", "abxc", "aybc", "aybxc"),
        ("abc", "xabc", "abcy", "xabcy"),
        ("ab", "ba", "abx", "bxa"),
        ("", "ab", "cd", "cdab"),
        ("abc", "", "abc", ""),
    ],
)
def test_orders_are_merged(base, theirs, mine, merged):
    found = merged_order(list(base), list(theirs), list(mine))
    assert found == (None if merged is None else list(merged))


def test_sets_are_merged():
    assert merged_values(["a", "b"], ["b", "c"], ["a", "b", "d"]) == ["b", "c", "d"]


# The editor


@pytest.fixture
def editors(client_of, teacher, puzzle) -> tuple[Reader, Reader]:
    url = reverse("puzzle_edit", args=[puzzle.pk])
    first, second = (Reader(client_of(teacher), url) for _ in range(2))
    return first, second


def test_a_title_does_not_bring_an_old_board_back(editors, puzzle):
    first, second = editors
    first.changed["draft"] = ["oo/oo"]
    first.press("Save")
    second.type("title", "Other").press("Save")
    puzzle.refresh_from_db()
    assert (puzzle.title, puzzle.position) == ("Other", "oo/oo")


@pytest.mark.parametrize(("answer", "stored"), [("mine", "ooo"), ("theirs", "oo/oo")])
def test_two_boards_are_asked(editors, puzzle, answer, stored):
    first, second = editors
    first.changed["draft"] = ["oo/oo"]
    first.press("Save")
    second.changed["draft"] = ["ooo"]
    second.press("Save")
    assert ASKED in said(second) and said(second).count("<svg") >= 3
    puzzle.refresh_from_db()
    assert puzzle.position == "oo/oo"
    second.changed |= {"take-draft": [answer], "draft": ["ooo"]}
    second.press("Save")
    puzzle.refresh_from_db()
    assert puzzle.position == stored


@pytest.mark.parametrize("kind", kinds().values(), ids=kinds().keys())
def test_a_board_that_was_not_touched_is_the_one_that_was_shown(client_of, teacher, kind):
    """Otherwise each title would be in conflict with the board of the other window."""
    position = kind.write_start(kind.read(next(iter(kind.editor.formats.values()))))
    puzzle = teacher.puzzles.create(kind_slug=kind.slug, position=position, title="One")
    page = Reader(client_of(teacher), reverse("puzzle_edit", args=[puzzle.pk]))
    page.type("title", "Two").press("Save")
    puzzle.refresh_from_db()
    assert (puzzle.title, puzzle.position) == ("Two", position)


# The slides of a discussion


def test_notes_on_slides_are_merged_and_asked(windows, assigned):
    slides = [
        assigned.slides.create(sort="solution", line=line, rank=rank)
        for rank, line in enumerate(("1,1", "1,1 2,1", "2,1"))
    ]
    one, two, three = (slide.pk for slide in slides)
    mine, theirs = windows(reverse("found", args=[assigned.pk]))
    theirs.type(f"note-{one}", "Theirs").type(f"note-{two}", "Look").press("Slide 3: earlier")
    mine.type(f"note-{one}", "Mine").type(f"note-{three}", "New").press("Slide 1: later")
    assert ASKED in said(mine) and 'value="Mine"' in said(mine)
    assert list(assigned.slides.values_list("note", flat=True)) == ["Theirs", "", "Look"]
    mine.press("Slide 1: later")
    assert list(assigned.slides.values_list("pk", flat=True)) == [three, one, two]
    assert list(assigned.slides.values_list("note", flat=True)) == ["New", "Mine", "Look"]


# Every form


MERGES_NOTHING = {
    "It makes something new, or asks a question.": """
        NewClassroomForm ListForm ColleagueForm AdministratorForm TokenForm PackFileForm SignUpForm
        GeneratorForm OptionsForm SaveForm CourseForm BoardsForm InvitationsForm OwnerForm
        NewSchoolForm
    """,
    "It has one field, and who sends it means that value.": """
        EmailForm MessageForm ReturnForm SchoolForm
    """,
    "It chooses what is shown or printed, or what a button sets.": """
        SearchForm DaysForm OwnDueForm SizeForm PaperForm StatementsForm AuditForm
    """,
    "The forms below it merge.": "SecretForm RosterIdentifierForm",
    "It sends the whole, and the one that was saved last counts.": "SeatsForm PhaseForm",
    "It proves who somebody is, or sets a new password, which is not shown.": """
        SignInForm CodeForm ConfirmForm NewPasswordForm AccountPasswordForm RecoveryForm
        PasskeyForm JoinForm WhoForm PinForm WholeForm
    """,
}
"""A reason -> the forms that do not merge."""


def all_forms() -> set[type[forms.BaseForm]]:
    """Return all forms of the site."""
    root = Path(puzzleclass.__file__).parent
    for path in root.glob("*/**/*.py"):
        if "form" in path.read_text(encoding="utf-8") and "migrations" not in path.parts:
            name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
            if not name.endswith("__init__") and "management" not in name:
                import_module(name)
    found, waiting = set(), [forms.BaseForm]
    while waiting:
        waiting += (below := waiting.pop().__subclasses__())
        found |= {each for each in below if each.__module__.startswith("puzzleclass.")}
    return found - {MergingForm}


def test_every_form_merges_or_has_its_reason():
    reviewed = {name for names in MERGES_NOTHING.values() for name in names.split()}
    without = {each.__name__ for each in all_forms() if not issubclass(each, MergingForm)}
    assert without == reviewed, f"Let these forms merge, or say in {__file__} why not"


CHANGED_WITHOUT_A_FORM = {
    "A button says the one thing that it does to what is there now.": """
        classroom_archive classroom_door student_unlock student_card student_pin pins_new cards_new
        class_change_undo calendar bin_restore class_gallery decide decide_kind
        assignment_publish
        assignment_close assignment_delete template_delete puzzle_delete pack_delete
        written_delete written_count written_hand_in stop_job job_list lead clock_stop
        school_account_unlink student_account_unlink platform_delete scores_send_again puzzles_bulk
        roster roster_undo student_remove students_move classroom_delete account_delete
        teacher_list administrator_list account_codes account_passkeys token_list match_list
        class_change roster_request administrator_invitation teaching_invitation lesson_message
        phases reflections school_class_delete
        school_teachers school_tokens school_retention school_delete workshop_delete kind_show
    """,
    "It has one field, and who sends it means that value.": """
        search_change search_save puzzle_goal account_email account_password students_message
        set_language set_reader thanks question feedback_many assignment_extend screen
        react assignment class_ledger school_class
    """,
    "It sends the whole, and the one that was saved last counts.": "seats phase look_back",
    "It only makes something new.": """
        assignment_new lesson_start assignment_copy template_new template_assign classroom_new
        students_new
        group_new puzzle_new puzzle_import puzzle_copy puzzle_generated collection plan
        pack_new pack_import
        pack_copy student_note roster_new platform_new question_new written_new sign_up lti_register
        lti_class lti_choose lti_account clock_start pack_start stored_boards board workshop_list
        shared_kind
    """,
    "It asks a question, whose answer is kept for all who ask it.": """
        puzzle_count puzzle_ask puzzle_question puzzle_solutions puzzle_generate puzzle_explore
        ask_again study_maxstrings study_tonari_run review_attempt
        written_count where
    """,
    "The number of the step tells windows apart.": """
        step moves restart hint hint_answer hint_back look_ahead next_board practice_board
        practice_made daily_board go_on practice_again practise_on introduction
        trial_next_board trial_step trial_moves trial_restart trial_hint trial_hint_answer
        trial_hint_back trial_look_ahead workshop
    """,
    "It downloads a file.": """
        account_data classroom_data student_data students_export statements roster_export
        school_class_data school_log board_log site_log
    """,
    "It signs somebody in or out, or proves who somebody is.": """
        sign_in sign_out sign_in_code stay_signed_in confirm join join_class join_student
        join_by_card passkey_question passkey_new_question passkey_sign_in passkey_confirm
        password_reset password_reset_confirm school_account_start school_account_link
        school_account_unknown school_account_connect school_provider_test lti_login lti_launch
        lti_open school_join
    """,
}
"""A reason -> the names of the addresses that take a POST without a merging form."""


PAGES = {
    *("account", "assignment_edit", "classroom_edit", "give_feedback", "group_edit", "pack_edit"),
    *("platform_edit", "puzzle_edit", "roster_service", "school_edit", "school_provider"),
    *("student_edit", "written_edit", "found"),
}
"""The addresses to which the merging forms are sent."""

MERGING = ("form", "dealing", "feedback_form", "profile")
"""The names that merging forms have in the context of their pages."""


def test_every_address_that_changes_something_merges_or_has_its_reason(world):
    reviewed = {name for names in CHANGED_WITHOUT_A_FORM.values() for name in names.split()}
    missing = POSTS.keys() - PAGES - reviewed
    assert not missing, f"Let these forms merge, or say in {__file__} why not: {missing}"
    assert not PAGES & reviewed and not reviewed - POSTS.keys()


def test_every_form_for_changes_says_what_it_shows(clients, world):
    """The page of a merging form sends what it shows, with the key that puts saves in order."""
    met = set()
    for name in PAGES:
        is_by_press = name == "found"  # each press there saves, and locks the slides
        assert is_by_press or is_once(view_of(name, world)), name
        shows = "replay" if name == "give_feedback" else name
        url = reverse(shows, args=[world.get(word, word) for word in POSTS[name].split()])
        page = clients[ROLES.index("student" if name == "written_edit" else "owner")].get(url)
        given = [page.context.get(part) for part in MERGING]
        merging = {type(each).__name__ for each in given if isinstance(each, MergingForm)}
        [form] = [form for form in forms_on(page.content.decode()) if shown_in(form)]
        assert set(shown_in(form)) == merging, name
        assert is_by_press or any(field.get("name") == "once" for field in fields_in(form)), name
        met |= merging
    below = {each.__name__ for each in all_forms() if issubclass(each, MergingForm)}
    assert below - met == {"BoardForm"}, "Add the page of the new form to `PAGES`"


def shown_in(form) -> list[str]:
    """Return the names of the forms that an element says to show."""
    fields = fields_in(form)
    return [json.loads(each["value"])["form"] for each in fields if each.get("name") == "shown"]


# Rights and bad input


def test_what_was_shown_opens_nothing_of_another_school(client_of, teacher, other_teacher):
    school, other = School.objects.create(name="One"), School.objects.create(name="Other")
    school.administrators.add(teacher)
    other.administrators.add(other_teacher)
    platform = Platform.objects.create(school=school, name="Moodle")
    own, foreign = Client(), Client()
    own.force_login(teacher)
    foreign.force_login(other_teacher)
    for name, keys in (("school_edit", [school.pk]), ("platform_edit", [school.pk, platform.pk])):
        url = reverse(name, args=keys)
        shown = Reader(own, url)
        sent = {"shown": shown._values("shown"), "once": shown._values("once"), "name": "Taken"}
        assert foreign.post(url, sent).status_code == 404
    platform.refresh_from_db()
    assert platform.name == "Moodle"


def test_a_conflict_shows_no_secret(client_of, teacher, world):
    provider = SignInProvider.objects.get(pk=world["provider"])
    provider.sealed_secret = "sealed"
    provider.save()
    page = client_of(teacher)
    session = page.session
    session["proven_at"] = 10**11
    session.save()
    text = page.get(reverse("school_provider", args=[world["school"]])).content.decode()
    assert 'name="shown"' in text and "sealed" not in text


@pytest.mark.parametrize(
    "shown",
    [
        "", "{", "[]", '{"form": "AssignmentForm"}', "[" * 100_000,
        '{"form": "AssignmentForm", "at": 1e400, "values": {}}',
        '{"form": "AssignmentForm", "at": 1e300, "values": {"title": "a", "hints": "x"}}',
        '{"form": "AssignmentForm", "at": 1, "values": {"title": true, "warns": "x"}}',
        '{"form": "AssignmentForm", "at": 1, "values": {"due_at": []}}',
        '{"form": "DealingForm", "at": 1, "values": {"students": ["x"], "who": "nobody"}}',
    ],
)  # fmt: skip
def test_what_a_page_cannot_have_shown_is_no_error(client_of, teacher, edit, shown, assignment):
    page = Reader(client_of(teacher), edit)
    page.changed |= {"shown": [shown], "title": ["New"]}
    page.press("Save")
    assert page.response.status_code in (200, 422)


# At the same moment


@pytest.mark.django_db(transaction=True)
def test_saves_at_the_same_moment_lose_nothing(
    client_of, teacher, assignment, at_once, django_assert_max_num_queries
):
    url = reverse("assignment_edit", args=[assignment.pk])
    readers = [Reader(client_of(teacher), url) for _ in range(3)]
    for reader, (name, value) in zip(
        readers, (("title", "Other"), ("hints", "9"), ("instructions", "Count first."))
    ):
        reader.type(name, value)
    at_once(lambda reader: reader.press("Save"), *readers)
    assignment.refresh_from_db()
    assert (assignment.title, assignment.hints) == ("Other", 9)
    assert assignment.instructions == "Count first."


@pytest.mark.django_db(transaction=True)
def test_of_two_titles_at_the_same_moment_one_is_asked(client_of, teacher, assignment, at_once):
    url = reverse("assignment_edit", args=[assignment.pk])
    readers = [Reader(client_of(teacher), url).type("title", title) for title in ("One", "Two")]
    at_once(lambda reader: reader.press("Save"), *readers)
    assert sorted(reader.response.status_code for reader in readers) == [200, 422]
