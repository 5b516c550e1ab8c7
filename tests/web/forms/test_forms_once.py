"""Forms that are sent twice make one thing, one after the other and at the same moment.

A new address that takes a POST either does its work once (`forms.once`), or has its reason in
`MAKES_NOTHING_TWICE`.
"""

import re
from copy import deepcopy
from datetime import timedelta
from secrets import token_hex

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test.html import Element, parse_html
from django.urls import resolve, reverse
from django.utils import timezone

from puzzleclass.assignments.models import Assignment
from puzzleclass.classes.models import Classroom
from puzzleclass.forms.models import SentForm
from puzzleclass.jobs.models import Job
from puzzleclass.puzzles.models import Puzzle
from solvers.answers import Exact, GenerateAnswer, GeneratedBoard
from tests.web.roles import ROLES, administrator, clients, world
from tests.web.test_rights import RIGHTS, SENT

__all__ = ["administrator", "clients", "world"]

MAKES_NOTHING_TWICE = {
    "It sets what is there to one value, or deletes it.": """
        account_email account_password classroom_archive classroom_door student_unlock
        students_message search_change puzzle_goal assignment_publish assignment_close
        roster_request platform_delete set_language set_reader
        react assignment assignment_extend class_ledger
        bin_restore class_gallery calendar student_card clock_stop school_account_unlink
        student_account_unlink workshop_delete kind_show written_delete written_count job_list
        stop_job scores_send_again
        lesson_message seats look_back
    """,
    "A unique constraint allows one row: of the name, the question, the attempt, the student.": """
        search_save puzzle_count puzzle_ask puzzle_question puzzle_solutions puzzle_generate
        puzzle_explore ask_again study_maxstrings study_tonari_run
        review_attempt where  feedback_many thanks question found match_list
        practice_board practice_made daily_board go_on practice_again practise_on
        introduction next_board stored_boards
    """,
    "The state of the row allows it once.": """
        class_change_undo roster roster_undo written_hand_in decide decide_kind
        clock_start school_join administrator_invitation teaching_invitation
    """,
    "The number of the step allows it once.": """
        step moves restart hint hint_answer hint_back look_ahead workshop
    """,
    "It is a file, and the log of it has a line for each.": """
        account_data classroom_data student_data students_export statements roster_export
        school_class_data school_log board_log site_log
    """,
    "The attempt of a teacher is not stored.": """
        trial_next_board trial_step trial_moves trial_restart trial_hint trial_hint_answer
        trial_hint_back trial_look_ahead
    """,
    "It signs somebody in or out, with a word, a question or a password that proves it.": """
        sign_in sign_out sign_in_code stay_signed_in confirm join join_class join_student
        join_by_card passkey_question passkey_new_question passkey_sign_in passkey_confirm
        account_passkeys password_reset password_reset_confirm school_account_start
        school_account_link school_account_unknown school_account_connect school_provider_test
        lti_login lti_launch lti_open lti_register lti_account lti_choose screen
    """,
    "It makes the account of the sender, who has no key before it. Sent again, it signs in.": """
        sign_up
    """,
    "It deletes the account of the sender, who has no key after it.": "account_delete",
}
"""A reason -> the names of the addresses that take a POST without a key."""

REVIEWED = {name for names in MAKES_NOTHING_TWICE.values() for name in names.split()}
POSTS = {name: words for name, methods, _who, words in RIGHTS if "POST" in methods}


def view_of(name: str, world: dict[str, object]) -> object:
    words = [world.get(word, word) for word in POSTS[name].split()]
    return resolve(reverse(name, args=words)).func


def is_once(view: object) -> bool:
    return getattr(view, "is_once", False)


def test_every_address_that_makes_something_does_it_once(world):
    ones = {name for name in POSTS if is_once(view_of(name, world))}
    missing = POSTS.keys() - ones - REVIEWED
    assert not missing, f"Let these views work `once`, or say in {__file__} why not: {missing}"
    assert not ones & REVIEWED and not REVIEWED - POSTS.keys()


# What the pages send


def forms_in(element: Element | str) -> list[Element]:
    if isinstance(element, str):
        return []
    found = [form for child in element.children for form in forms_in(child)]
    return [element, *found] if element.name == "form" else found


def fields_in(element: Element | str) -> list[dict[str, str]]:
    if isinstance(element, str):
        return []
    own = [dict(element.attributes)] if element.name in ("input", "button") else []
    return own + [field for child in element.children for field in fields_in(child)]


def forms_on(page: str) -> list[Element]:
    body = re.sub(r"(?s)<svg\b.*?</svg>|<!--.*?-->|<script.*?</script>", "", page)
    return forms_in(parse_html(body.partition("<body>")[2].partition("</body>")[0]))


FOUND_ELSEWHERE = {
    # Nobody has come from a platform's course, so nobody is asked for its class.
    "lti_class",
    # No lesson has ended, so nobody has looked back.
    "reflections",
    # Only an administrator of the board sees its page, and only a colleague copies a kind.
    *("board", "shared_kind"),
    # No class of the school is in the bin.
    "school_retention",
}


def test_every_form_that_makes_something_has_a_key(clients, world, teacher, make_class):
    """Every form on every page of every role that is sent to a view that works once has a key."""
    make_class(teacher, "4-3")  # students can be moved there
    ones = {name for name in POSTS if is_once(view_of(name, world))}
    with_key, without = set(), set()
    for name, methods, letters, words in RIGHTS:
        if "GET" not in methods:
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        if name == "students_move":
            url += f"?only={world['enrolment']}"
        for role in ("owner", "student"):
            place = ROLES.index(role)
            if letters.replace(" ", "")[place] != "+":
                continue
            page = clients[place].get(url, follow=True)
            if not page.get("Content-Type", "").startswith("text/html"):
                continue
            here = page.redirect_chain[-1][0] if page.redirect_chain else url
            for form in forms_on(page.content.decode()):
                attributes, fields = dict(form.attributes), fields_in(form)
                opens_editor = {"name": "do", "value": "take"}.items()
                if attributes.get("method") != "post" or any(
                    opens_editor <= field.items() for field in fields
                ):
                    continue
                actions = {attributes.get("action") or here}
                actions |= {field["formaction"] for field in fields if "formaction" in field}
                has_key = any(field.get("name") == "once" for field in fields)
                for action in actions:
                    match = resolve(action.partition("?")[0].partition("#")[0])
                    if match.url_name in ones:
                        (with_key if has_key else without).add(match.url_name)
    assert without == set()
    assert ones - with_key == FOUND_ELSEWHERE


# What happens when a form comes twice

KEPT_APART = {
    *("accounts_session", "forms_sentform", "accounts_lock"),
    # A page that is asked for again may count its own visit.
    "classes_datarecord",
}


def sizes() -> dict[str, int]:
    """Return the number of rows in each table. One query counts them all."""
    tables = [
        table for each in apps.get_models() if (table := each._meta.db_table) not in KEPT_APART
    ]
    counts = ", ".join(f'(SELECT COUNT(*) FROM "{table}")' for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {counts}")
        return dict(zip(tables, cursor.fetchone()))


def files() -> dict[str, SimpleUploadedFile]:
    pack = (
        '{"format": "puzzleclass-pack", "version": 2, "title": "Set", '
        '"puzzles": [{"kind": "goishi", "title": "Three", "position": "ooo"}]}'
    )
    return {
        "pack_import": SimpleUploadedFile("pack.json", pack.encode()),
        "roster_new": SimpleUploadedFile("a.zip", b"no ZIP"),
    }


def sent_to(world: dict[str, object], room: Classroom) -> dict[str, dict[str, object]]:
    """Return for each view that works once what its form sends. `room` is another class."""
    due = (timezone.localtime() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    assigned = {"title": "New", "due_at": due, "hints": "3"}
    drawn = {"do": "save", "title": "Drawn", "draft": "ooo"}
    canvas = "https://canvas.example"
    addresses = dict.fromkeys(("issuer", "auth_url", "token_url", "key_set_url"), canvas)
    return {
        "account_codes": {"do": "begin"},
        "account": {"name": "Sato"},
        "administrator_list": {"username": "mori"},
        "assignment_copy": {},
        "assignment_delete": {},
        "assignment_edit": assigned | {"board": f"given-{world['assigned']}"},
        "assignment_new": assigned | {"board": f"library-{world['puzzle']}"},
        "cards_new": {},
        "class_change": {"class": world["class"], f"class-{world['class']}": "5-2", "do": "move"},
        "classroom_delete": {},
        "classroom_edit": {"name": "4-2", "idle_minutes": "0"},
        "classroom_new": {"name": "New"},
        "collection": {},
        "give_feedback": {"comment": "Well done"},
        "group_edit": {"name": "Blues"},
        "group_new": {"name": "Greens"},
        "lead": {"do": "ask:solve", "board": world["assigned"]},
        "lesson_start": {"start": "set:goishi:1"},
        "pack_copy": {},
        "pack_delete": {},
        "pack_edit": {"title": "Other", "wanted": "1"},
        "pack_import": {},
        "pack_new": {"puzzle": world["puzzle"]},
        "pack_start": {"class": world["class"]},
        "phase": {"title": "Try it", "minutes": "5"},
        "phases": {"do": "delete:1"},
        "pins_new": {"sure": "on"},
        "plan": {},
        "platform_edit": {"name": "Canvas", "client_id": "c"} | addresses,
        "platform_new": {"name": "Canvas", "client_id": "c"} | addresses,
        "puzzle_copy": {},
        "puzzle_delete": {},
        "puzzle_edit": drawn,
        "puzzle_generated": {"do": "all", "title": "Made #"},
        "puzzle_import": {"do": "save", "text": "ooo", "boards": ["ooo"], "title": "Read"},
        "puzzle_new": drawn,
        "puzzles_bulk": {"do": "copy", "puzzle": world["puzzle"]},
        "roster_new": {},
        "roster_service": {
            "address": "https://roster.example/ims/oneroster/rostering/v1p2",
            "token_address": "https://roster.example/token",
            "client_id": "c",
            "secret": "s",
            "source": "koumu",
        },
        "school_class": {"school": ""},
        "school_class_delete": {},
        "school_delete": {"name": "School"},
        "school_edit": {"takes_pins": "on"},
        "school_provider": {
            "kind": "openid",
            "issuer": "https://accounts.example",
            "client_id": "c",
            "secret": "s",
            "is_on": "on",
        },
        "school_teachers": {"do": "invite", "people": "Mori Aoi"},
        "school_tokens": {"name": "Script"},
        "student_edit": {"number": "1", "name": "Abe Haruto"},
        "student_note": {"text": "Works well"},
        "student_pin": {},
        "student_remove": {},
        "students_move": {"only": world["enrolment"], "to": room.pk},
        "students_new": {"students": "5 Mori Aoi"},
        "teacher_list": {"username": "mori", "role": "teacher"},
        "template_assign": {"classroom": world["class"]},
        "template_delete": {},
        "template_new": {},
        "token_list": {"name": "Script"},
        "question_new": {"sort": "move", "line": ""},
        "workshop_list": {"example": "stars"},
        "written_edit": drawn,
        "written_new": drawn,
    }


ONLY_CHANGES = {
    *("assignment_edit", "assignment_delete", "template_delete", "puzzle_delete", "pack_delete"),
    *("pins_new", "student_pin", "group_edit", "account", "classroom_edit", "pack_edit"),
    *("puzzle_edit", "school_edit", "school_provider", "student_edit"),
    *("classroom_delete", "phase", "phases", "school_class", "school_delete"),
}
"""The views that change rows. Those of the other ones make or delete some."""
ALREADY_ONCE = {
    # The library has these boards already.
    *("collection", "puzzle_generated", "puzzle_import"),
    # What is there already is refused, or gone: without a key, the second press meets a fault.
    *("administrator_list", "teacher_list", "group_new", "students_new", "students_move"),
    *("cards_new", "class_change", "student_remove", "account_codes", "platform_new"),
    *("school_class_delete", "school_teachers", "written_edit"),
    # The row belongs to one attempt or one school.
    *("give_feedback", "roster_service", "platform_edit"),
}
"""The views that make nothing twice even without a key, which only leads to the right page."""


def files_in(name: str) -> dict[str, SimpleUploadedFile]:
    return {"file": files()[name]} if name in files() else {}


def post(client, url: str, fields: dict[str, object], name: str):
    """Send a form as a browser does, with its file, and with the list as it was read."""
    sent = fields | files_in(name)
    if name == "students_new":
        shown = client.post(url, fields)
        sent["seen"] = shown.context["roster"].fingerprint if shown.context else ""
    return client.post(url, sent)


def test_a_form_that_comes_twice_makes_one_thing_and_leads_to_its_page(
    clients, world, teacher, make_class
):
    room = make_class(teacher, "4-3")
    sent = sent_to(world, room)
    ones = {name for name in POSTS if is_once(view_of(name, world))}
    assert sent.keys() == ones - FOUND_ELSEWHERE
    search = Job.objects.get(pk=world["search"])
    found = GeneratedBoard(position="o.o/...", solutions=Exact(1), band="easy")
    Job.objects.filter(pk=search.pk).update(stored_found=GenerateAnswer(boards=(found,)).to_json())
    for name, fields in sorted(sent.items()):
        url = reverse(name, args=[world.get(word, word) for word in POSTS[name].split()])
        client = clients[ROLES.index("student" if name.startswith("written") else "owner")]
        cookies = deepcopy(client.cookies)
        with transaction.atomic():
            before = sizes()
            first = post(client, url, fields | {"once": KEY}, name)
            assert first.status_code in (201, 302), (name, first.status_code)
            made = sizes()
            assert (made != before) == (name not in ONLY_CHANGES), name
            second = client.post(url, fields | {"once": KEY} | files_in(name))
            assert (second.status_code, second["Location"]) == (302, first["Location"]), name
            assert sizes() == made, name
            transaction.set_rollback(True)
        client.cookies = cookies
        if name in ONLY_CHANGES | ALREADY_ONCE:
            continue
        with transaction.atomic():
            post(client, url, fields, name)
            made = sizes()
            post(client, url, fields, name)
            assert sizes() != made, f"{name} makes nothing twice even without a key"
            transaction.set_rollback(True)
        client.cookies = cookies


@pytest.mark.thorough
def test_what_was_reviewed_makes_nothing_twice(clients, world):
    """A view without a key has the same number of rows after a second press as after the first."""
    wrong = []
    for name, methods, letters, words in RIGHTS:
        if "POST" not in methods or name not in REVIEWED:
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        for place, letter in enumerate(letters.replace(" ", "")):
            client = clients[place]
            if letter != "+":
                continue
            cookies = deepcopy(client.cookies)
            with transaction.atomic():
                client.post(url, SENT)
                once = sizes()
                client.post(url, SENT)
                if sizes() != once:
                    wrong.append((name, ROLES[place]))
                transaction.set_rollback(True)
            client.cookies = cookies
    assert wrong == []


# Keys

KEY = token_hex(16)


DRAWN = {"do": "save", "title": "Drawn", "draft": "ooo", "once": KEY}


def test_a_key_of_somebody_else_makes_a_thing_of_ones_own(client_of, teacher, other_teacher):
    url = reverse("puzzle_new", args=["goishi"])
    pages = [client_of(user).post(url, DRAWN)["Location"] for user in (teacher, other_teacher)]
    assert pages[0] != pages[1]
    assert [puzzle.owner for puzzle in Puzzle.objects.order_by("pk")] == [teacher, other_teacher]


def test_a_key_of_another_form_does_not_count(teacher_client, classroom):
    teacher_client.post(reverse("classroom_new"), {"name": "New", "once": KEY})
    page = teacher_client.post(reverse("puzzle_new", args=["goishi"]), DRAWN)
    assert page.url == reverse("puzzle", args=[Puzzle.objects.get().pk])


def test_a_teacher_who_lost_the_right_is_not_led_anywhere(client_of, classroom, colleague):
    client, url = client_of(colleague), reverse("group_new", args=[classroom.pk])
    assert client.post(url, {"name": "Reds", "once": KEY}).status_code == 302
    classroom.teachings.filter(teacher=colleague).delete()
    assert client.post(url, {"name": "Blues", "once": token_hex(16)}).status_code == 404
    assert classroom.groups.count() == 1


def test_a_form_that_was_refused_can_be_sent_again_with_its_key(teacher_client):
    url = reverse("classroom_new")
    assert teacher_client.post(url, {"name": "", "once": KEY}).status_code == 422
    assert not SentForm.objects.exists()
    assert teacher_client.post(url, {"name": "New", "once": KEY}).status_code == 302
    assert Classroom.objects.count() == 1


@pytest.mark.parametrize("key", ["", "x", "0" * 31, "0" * 33, "\u0660" * 32, "A" * 32])
def test_what_is_no_key_is_none(teacher_client, key):
    teacher_client.post(reverse("classroom_new"), {"name": "New", "once": key})
    assert Classroom.objects.count() == 1 and not SentForm.objects.exists()


def test_the_rows_of_keys_are_bounded_and_pruned(teacher, teacher_client, monkeypatch):
    monkeypatch.setattr(SentForm, "MAX_COUNT", 3)
    for number in range(5):
        teacher_client.post(reverse("classroom_new"), {"name": str(number), "once": token_hex(16)})
    assert SentForm.objects.count() == 3
    newest = SentForm.objects.latest("pk")
    old = timezone.now() - SentForm.KEPT - timedelta(minutes=1)
    SentForm.objects.exclude(pk=newest.pk).update(at=old)
    assert set(SentForm.expired()) == set(SentForm.objects.all()) - {newest}


# Two presses at the same moment


@pytest.mark.django_db(transaction=True)
def test_requests_at_the_same_moment_make_one_thing(teacher, classroom, puzzle, client_of, at_once):
    url = reverse("assignment_new", args=[classroom.pk])
    due = (timezone.localtime() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    fields = {"title": "New", "due_at": due, "hints": "3", "board": f"library-{puzzle.pk}"}
    browsers = [client_of(teacher) for _ in range(4)]
    answers = at_once(lambda browser: browser.post(url, fields | {"once": KEY}), *browsers)
    made = Assignment.objects.get()
    page = reverse("assignment", args=[made.pk])
    assert [answer.url for answer in answers] == [page] * 4


@pytest.mark.django_db(transaction=True)
def test_a_name_that_must_be_unique_is_no_fault_at_the_same_moment(
    teacher, classroom, client_of, at_once
):
    url = reverse("group_new", args=[classroom.pk])
    browsers = [client_of(teacher) for _ in range(4)]
    answers = at_once(lambda browser: browser.post(url, {"name": "Reds", "once": KEY}), *browsers)
    assert [answer.status_code for answer in answers] == [302] * 4
    assert classroom.groups.count() == 1
