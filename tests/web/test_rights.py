"""Access rights: every address of the site, each of its methods, each role.

A new address gets a line in `RIGHTS`. An object of somebody else answers like a missing one (404).
"""

from collections.abc import Iterator
from contextlib import nullcontext
from copy import deepcopy
from uuid import UUID

from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.timezone import now

from puzzleclass.assignments.models import Assignment
from solvers.registry import ready_kinds
from tests.crawl import refuse_writes
from tests.web.roles import ROLES, administrator, clients, letters_of, world

__all__ = ["administrator", "clients", "world"]

# One letter for each of the roles. +: is admitted. s: is redirected to the teachers' sign-in.
# c: is redirected to the class code. x: is forbidden (403). -: finds nothing (404). u: needs a
# token (401), which the clients of all users send to the API.
EVERYBODY = "++++ +++++"
NOBODY = "xxxx xxxxx"
TEACHERS = "sxxx +++++"
CLASS_LOOKERS = "sxxx +++--"
TRIAL_LOOKERS = "s--- +++--"
AUTHOR_ALONE = "s+-- -----"
OWNER_ALONE = "s--- +----"
CLASS_TEACHERS = "sxxx ++x--"
CLASS_OWNERS = "sxxx +xx--"
OWNER = "sxxx +----"
SCHOOL = "sxxx +---- -- +--"
"""Administrators of the school and of its board."""
BOARD = "sxxx ----- -- +--"
CLASS_STUDENTS = "c++- xxxxx"
STUDENTS = "c+++ xxxxx"
STUDENT = "c+-- xxxxx"
STUDENTS_OF_CHALLENGES = "c++x xxxxx"
ADMINISTRATORS = "s--- ----+"
UNSEEN = "---- +++++"
UNSEEN_STUDENTS = "c--- xxxxx"
STARS = ready_kinds()["stars"].slug

# Name, methods, who is admitted, and the address's values: keys of `world`, or literal words.
RIGHTS = [
    # Home page and sign-in
    ("home", "GET", EVERYBODY, ""),
    ("manifest", "GET", EVERYBODY, ""),
    ("service_worker", "GET", EVERYBODY, ""),
    ("offline", "GET", EVERYBODY, ""),
    ("help", "GET", EVERYBODY, ""),
    ("bin", "GET", TEACHERS, ""),
    ("search", "GET", TEACHERS, ""),
    ("school_board", "GET", TEACHERS, ""),
    ("bin_restore", "POST", "s--- ++---", "deletion"),
    ("help_task", "GET", EVERYBODY, "students join"),
    ("help_task", "GET", "+--- +++++", "teachers cards"),
    ("set_language", "GET POST", EVERYBODY, ""),
    ("set_reader", "POST", EVERYBODY, ""),
    ("sign_in", "GET POST", EVERYBODY, ""),
    ("sign_up", "GET POST", EVERYBODY, ""),
    ("sign_out", "POST", EVERYBODY, ""),
    ("stay_signed_in", "POST", "x+++ +++++", ""),
    ("sign_in_code", "GET POST", EVERYBODY, ""),
    ("password_reset", "GET POST", EVERYBODY, ""),
    ("password_reset_confirm", "GET POST", EVERYBODY, "x y"),
    ("confirm", "GET POST", TEACHERS, ""),
    ("account", "GET POST", TEACHERS, ""),
    ("connections", "GET", TEACHERS, ""),
    ("account_email", "GET POST", TEACHERS, ""),
    ("account_password", "GET POST", TEACHERS, ""),
    ("account_codes", "GET POST", TEACHERS, ""),
    ("account_passkeys", "GET POST", TEACHERS, ""),
    ("passkey_new_question", "POST", TEACHERS, ""),
    ("passkey_question", "POST", EVERYBODY, ""),
    ("passkey_sign_in", "POST", EVERYBODY, ""),
    ("passkey_confirm", "POST", TEACHERS, ""),
    ("account_data", "POST", TEACHERS, ""),
    ("account_delete", "GET POST", TEACHERS, ""),
    ("join_by_card", "GET POST", EVERYBODY, "card"),
    ("join", "GET POST", EVERYBODY, ""),
    ("administration", "GET", ADMINISTRATORS, ""),
    ("site_log", "GET POST", ADMINISTRATORS, ""),
    ("join_class", "GET POST", EVERYBODY, "code"),
    ("join_student", "GET POST", EVERYBODY, "code 1"),
    # Classes
    ("classroom_list", "GET", TEACHERS, ""),
    ("classroom_new", "GET POST", TEACHERS, ""),
    ("classroom", "GET", CLASS_LOOKERS, "class"),
    ("classroom_edit", "GET", CLASS_LOOKERS, "class"),
    ("classroom_edit", "POST", CLASS_TEACHERS, "class"),
    ("classroom_delete", "GET POST", CLASS_OWNERS, "class"),
    ("classroom_door", "POST", CLASS_TEACHERS, "class"),
    ("pin_list", "GET", CLASS_TEACHERS, "class"),
    ("pins_new", "POST", CLASS_TEACHERS, "class"),
    ("cards_new", "POST", CLASS_TEACHERS, "class"),
    ("class_students", "GET", CLASS_LOOKERS, "class"),
    ("students_new", "GET POST", CLASS_TEACHERS, "class"),
    ("student_edit", "GET POST", CLASS_TEACHERS, "class enrolment"),
    ("student_pin", "POST", CLASS_TEACHERS, "class enrolment"),
    ("student_card", "POST", CLASS_TEACHERS, "class enrolment"),
    ("student_unlock", "POST", CLASS_TEACHERS, "class enrolment"),
    ("students_message", "GET POST", CLASS_TEACHERS, "class"),
    ("students_move", "GET POST", CLASS_TEACHERS, "class"),
    ("student_data", "POST", CLASS_OWNERS, "class enrolment"),
    ("students_export", "POST", CLASS_TEACHERS, "class csv"),
    ("classroom_archive", "POST", CLASS_OWNERS, "class"),
    ("classroom_data", "POST", CLASS_OWNERS, "class"),
    ("teacher_list", "GET", CLASS_LOOKERS, "class"),
    ("teacher_list", "POST", CLASS_OWNERS, "class"),
    ("teaching_invitation", "GET POST", OWNER, "teaching"),
    ("group_new", "GET POST", CLASS_TEACHERS, "class"),
    ("group_edit", "GET POST", CLASS_TEACHERS, "class group"),
    ("class_change", "GET POST", TEACHERS, ""),
    ("class_change_undo", "POST", OWNER, "change"),
    ("data_log", "GET", TEACHERS, ""),
    ("data_record", "GET", OWNER, "receipt"),
    ("student", "GET", CLASS_LOOKERS, "student"),
    ("student_sheets", "GET", CLASS_LOOKERS, "class"),
    ("student_weeks", "GET", CLASS_LOOKERS, "class"),
    ("class_ledger", "GET POST", CLASS_LOOKERS, "class"),
    ("class_statistics", "GET", CLASS_LOOKERS, "class"),
    ("statements", "GET POST", CLASS_TEACHERS, "class"),
    ("student_note", "POST", CLASS_TEACHERS, "student"),
    ("student_remove", "GET POST", CLASS_TEACHERS, "class enrolment"),
    # Schools
    ("match_list", "POST", CLASS_TEACHERS, "class"),
    ("roster_request", "GET POST", OWNER, "asked"),
    ("administrator_invitation", "GET POST", OWNER, "administering"),
    ("school_list", "GET", TEACHERS, ""),
    ("board", "GET POST", BOARD, "board_key"),
    ("board_log", "GET POST", BOARD, "board_key"),
    ("administrator_list", "GET POST", BOARD, "board"),
    ("roster_service", "GET POST", BOARD, "board"),
    ("roster_new", "POST", BOARD, "board"),
    ("roster", "GET POST", BOARD, "board board_upload"),
    ("roster_undo", "POST", BOARD, "board import"),
    ("platform_list", "GET", BOARD, "board"),
    ("platform_new", "GET POST", BOARD, "board"),
    ("platform_edit", "GET POST", BOARD, "board board_platform"),
    ("platform_delete", "GET POST", BOARD, "board board_platform"),
    ("school_provider", "GET POST", BOARD, "board"),
    ("school_provider_test", "POST", BOARD, "board"),
    ("school_choice", "GET", EVERYBODY, ""),
    ("school_door", "GET", EVERYBODY, "school"),
    ("school", "GET", SCHOOL, "school"),
    ("school_edit", "GET POST", SCHOOL, "school"),
    ("school_log", "GET POST", SCHOOL, "school"),
    ("administrator_list", "GET POST", SCHOOL, "school"),
    ("school_class_list", "GET", SCHOOL, "school"),
    ("school_class", "GET POST", SCHOOL, "school class_of_school"),
    ("school_class_data", "POST", SCHOOL, "school class_of_school"),
    ("school_class_delete", "GET POST", SCHOOL, "school class_of_school"),
    ("school_teachers", "GET POST", SCHOOL, "school"),
    ("school_invitations", "GET", SCHOOL, "school"),
    ("school_retention", "GET POST", SCHOOL, "school"),
    ("school_delete", "GET POST", SCHOOL, "school"),
    ("school_join", "GET POST", "+xxx +++++", "invitation"),
    ("roster_service", "GET POST", SCHOOL, "school"),
    ("roster_new", "POST", SCHOOL, "school"),
    ("roster", "GET POST", SCHOOL, "school upload"),
    ("roster_undo", "POST", SCHOOL, "school import"),
    ("roster_export", "POST", SCHOOL, "school"),
    # Learning platforms. Without a platform's message, a launch is refused.
    ("scores_send_again", "POST", CLASS_TEACHERS, "assignment"),
    ("platform_list", "GET", SCHOOL, "school"),
    ("platform_new", "GET POST", SCHOOL, "school"),
    ("platform_edit", "GET POST", SCHOOL, "school platform"),
    ("platform_delete", "GET POST", SCHOOL, "school platform"),
    ("lti_jwks", "GET", EVERYBODY, ""),
    ("lti_login", "GET POST", NOBODY, ""),
    ("lti_launch", "POST", NOBODY, ""),
    ("lti_register", "GET POST", NOBODY, ""),
    ("lti_open", "POST", NOBODY, ""),
    ("lti_account", "GET POST", EVERYBODY, ""),
    ("lti_class", "GET POST", TEACHERS, ""),
    ("lti_choose", "GET POST", TEACHERS, ""),
    ("lti_frame", "GET", EVERYBODY, "word"),
    ("school_provider", "GET POST", SCHOOL, "school"),
    ("school_provider_test", "POST", SCHOOL, "school"),
    ("school_account_start", "POST", EVERYBODY, "provider"),
    # Nobody has begun a sign-in, so nobody can end it.
    ("school_account_callback", "GET", "xxxx xxxxx", "provider"),
    ("school_account_link", "POST", TEACHERS, "provider"),
    # No teacher has connected an account.
    ("school_account_unlink", "POST", "sxxx -----", "provider"),
    ("school_account_unknown", "GET POST", EVERYBODY, ""),
    ("school_account_connect", "GET POST", EVERYBODY, ""),
    ("student_account_unlink", "POST", CLASS_TEACHERS, "class enrolment"),
    # Puzzles
    ("puzzle_list", "GET", TEACHERS, ""),
    ("workshop_list", "GET POST", "s++- +++++", ""),
    ("workshop", "GET POST", OWNER_ALONE, "invention"),
    ("workshop_live", "GET", OWNER_ALONE, "invention"),
    ("workshop_delete", "POST", OWNER_ALONE, "invention"),
    ("trial", "GET", OWNER_ALONE, "draft_trial"),
    # A student's kind. A colleague's link shows no kind of a student.
    ("workshop", "GET POST", AUTHOR_ALONE, "own_invention"),
    ("workshop_live", "GET", AUTHOR_ALONE, "own_invention"),
    ("workshop_delete", "POST", AUTHOR_ALONE, "own_invention"),
    ("trial", "GET", AUTHOR_ALONE, "own_draft_trial"),
    ("shared_kind", "GET POST", "sxxx -----", "own_kind"),
    ("decide_kind", "POST", CLASS_TEACHERS, "class own_invention"),
    ("decide_kind", "POST", "sxxx --x--", "class invention"),
    ("shared_kind", "GET POST", TEACHERS, "shared_kind"),
    ("collection_start", "GET", TEACHERS, ""),
    ("collection", "GET POST", TEACHERS, "goishi 1"),
    ("kind_list", "GET", TEACHERS, ""),
    ("kind_show", "POST", CLASS_TEACHERS, "queens class"),
    ("search_save", "POST", TEACHERS, ""),
    ("search_change", "POST", OWNER, "saved"),
    ("puzzles_bulk", "POST", TEACHERS, ""),
    ("puzzle_kind", "GET", TEACHERS, ""),
    ("puzzle_new", "GET POST", TEACHERS, "goishi"),
    ("puzzle", "GET", OWNER, "puzzle"),
    ("puzzle_edit", "GET POST", OWNER, "puzzle"),
    ("puzzle_copy", "POST", OWNER, "puzzle"),
    ("puzzle_delete", "POST", OWNER, "puzzle"),
    ("puzzle_count", "POST", OWNER, "puzzle"),
    ("puzzle_ask", "POST", OWNER, "puzzle rate"),
    ("puzzle_question", "GET POST", OWNER, "scored model"),
    ("puzzle_file", "GET", OWNER, "scored model 1"),
    ("puzzle_goal", "GET POST", OWNER, "scored"),
    ("puzzle_solution", "GET", OWNER, "puzzle"),
    ("puzzle_solutions", "GET POST", OWNER, "puzzle"),
    ("puzzle_solutions", "GET POST", OWNER, "puzzle 1"),
    ("puzzle_solutions", "GET POST", OWNER, "puzzle 1 2"),
    ("puzzle_worksheet", "GET", TEACHERS, ""),
    # Packs
    ("pack_list", "GET", TEACHERS, ""),
    ("plan", "GET POST", TEACHERS, "goishi-first"),
    ("pack_new", "POST", TEACHERS, ""),
    ("pack_import", "GET POST", TEACHERS, ""),
    ("pack", "GET", TEACHERS, "pack"),
    ("pack_edit", "GET POST", OWNER, "pack"),
    ("phases", "POST", OWNER, "pack"),
    ("phase", "GET POST", OWNER, "pack 1"),
    # No class is named, so there is none of the teacher's.
    ("pack_start", "POST", "sxxx -----", "pack"),
    ("pack_delete", "POST", OWNER, "pack"),
    ("pack_copy", "POST", TEACHERS, "pack"),
    ("pack_file", "GET", TEACHERS, "pack"),
    ("puzzle_svg", "GET", OWNER, "puzzle"),
    ("puzzle_export", "GET", OWNER, "puzzle 1"),
    ("puzzle_import", "GET POST", TEACHERS, "goishi"),
    ("puzzle_generate", "GET POST", TEACHERS, "goishi"),
    ("puzzle_generated", "GET POST", OWNER, "search"),
    ("puzzle_explore", "GET POST", TEACHERS, "goishi"),
    ("job_list", "GET POST", TEACHERS, ""),
    ("job_card", "GET", OWNER, "job"),
    ("stop_job", "POST", OWNER, "job"),
    ("ask_again", "POST", OWNER, "job"),
    # Assignments and their results
    ("lesson_start", "GET POST", CLASS_TEACHERS, "class"),
    ("assignment_new", "GET POST", CLASS_TEACHERS, "class"),
    ("assignment_edit", "GET POST", CLASS_TEACHERS, "assignment"),
    ("assignment_copy", "POST", CLASS_TEACHERS, "assignment"),
    ("assignment_publish", "POST", CLASS_TEACHERS, "assignment"),
    ("assignment_close", "POST", CLASS_TEACHERS, "assignment"),
    ("template_new", "POST", CLASS_TEACHERS, "assignment"),
    ("template_assign", "POST", OWNER, "template"),
    ("template_delete", "POST", OWNER, "template"),
    ("assignment_delete", "POST", CLASS_TEACHERS, "assignment"),
    ("assignment_worksheet", "GET", CLASS_LOOKERS, "assignment"),
    ("assignment", "GET POST", CLASS_LOOKERS, "assignment"),
    ("grade_book", "GET", CLASS_LOOKERS, "assignment"),
    ("give_feedback", "POST", CLASS_TEACHERS, "try"),
    ("wall", "GET", CLASS_LOOKERS, "assignment"),
    ("wall_student", "GET", CLASS_LOOKERS, "assignment student"),
    ("lesson", "GET", CLASS_LOOKERS, "assignment"),
    ("lead", "POST", CLASS_TEACHERS, "assignment"),
    ("question_new", "POST", CLASS_TEACHERS, "assigned"),
    ("question_list", "GET", CLASS_LOOKERS, "assignment"),
    ("question", "GET POST", CLASS_STUDENTS, "question"),
    ("old_votes", "GET", CLASS_LOOKERS, "assignment"),
    ("old_vote", "GET", CLASS_STUDENTS, "question"),
    ("found", "GET", CLASS_LOOKERS, "assigned"),
    ("found", "POST", CLASS_TEACHERS, "assigned"),
    ("own_found", "GET", CLASS_STUDENTS, "assigned"),
    ("own_cases", "GET", CLASS_STUDENTS, "assigned"),
    ("discussion", "GET", CLASS_LOOKERS, "assignment"),
    ("old_solutions", "GET", CLASS_LOOKERS, "assigned"),
    ("old_hunt", "GET", CLASS_LOOKERS, "assigned"),
    ("old_map", "GET", CLASS_LOOKERS, "assigned"),
    ("old_cases", "GET", CLASS_LOOKERS, "assigned"),
    ("old_slides", "GET", CLASS_LOOKERS, "assigned"),
    ("old_prepare", "GET", CLASS_LOOKERS, "assigned"),
    ("lesson_now", "GET", STUDENTS, ""),
    ("lesson_enter", "GET", STUDENTS, ""),
    ("look_back", "GET POST", STUDENTS, ""),
    ("reflections", "GET", CLASS_LOOKERS, "assignment"),
    ("reflections", "POST", CLASS_TEACHERS, "assignment"),
    ("lesson_message", "POST", STUDENTS, ""),
    ("screen", "GET POST", EVERYBODY, ""),
    ("screen_now", "GET", EVERYBODY, ""),
    ("seats", "GET", CLASS_LOOKERS, "class"),
    ("seats", "POST", CLASS_TEACHERS, "class"),
    ("attempts", "GET", CLASS_LOOKERS, "assigned student"),
    ("found_solution", "GET", CLASS_LOOKERS, "assigned 1"),
    ("class_gallery", "GET", CLASS_LOOKERS, "class"),
    ("class_gallery", "POST", CLASS_TEACHERS, "class"),
    ("decide", "POST", CLASS_TEACHERS, "class written"),
    ("feedback_many", "POST", CLASS_TEACHERS, "assignment"),
    ("stamps", "GET", CLASS_TEACHERS, "assigned"),
    ("assignment_extend", "POST", CLASS_TEACHERS, "assignment"),
    ("replay", "GET", CLASS_LOOKERS, "try"),
    ("review_attempt", "POST", CLASS_TEACHERS, "try"),
    # Playing
    ("trial", "GET", TRIAL_LOOKERS, "trial"),
    ("trial", "GET", AUTHOR_ALONE, "own_trial"),
    ("trial_next_board", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_next_board", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_step", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_step", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_moves", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_moves", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_restart", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_restart", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_hint", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_hint", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_hint_answer", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_hint_answer", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_hint_back", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_hint_back", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_look_ahead", "GET POST", TRIAL_LOOKERS, "trial"),
    ("trial_look_ahead", "GET POST", AUTHOR_ALONE, "own_trial"),
    ("trial_history", "GET", TRIAL_LOOKERS, "trial"),
    ("trial_history", "GET", AUTHOR_ALONE, "own_trial"),
    ("play", "GET", CLASS_STUDENTS, "assigned"),
    ("history", "GET", CLASS_STUDENTS, "assigned"),
    ("own_attempts", "GET", CLASS_STUDENTS, "assigned"),
    ("own_attempt", "GET", STUDENT, "assigned 1"),
    ("react", "POST", CLASS_STUDENTS, "assigned"),
    ("next_board", "GET POST", CLASS_STUDENTS, "assigned"),
    ("step", "GET POST", STUDENT, "try"),
    ("moves", "GET POST", STUDENT, "try"),
    ("restart", "GET POST", STUDENT, "try"),
    ("hint", "GET POST", STUDENT, "try"),
    ("hint_answer", "GET POST", STUDENT, "try"),
    ("hint_back", "GET POST", STUDENT, "try"),
    ("look_ahead", "GET POST", STUDENT, "try"),
    # Practice
    ("practice", "GET", EVERYBODY, ""),
    ("own_records", "GET", STUDENTS, ""),
    ("garden", "GET", STUDENTS, ""),
    ("daily_board", "GET POST", EVERYBODY, "today easy"),
    ("record_card", "GET", STUDENT, "assigned"),
    ("challenges", "GET", STUDENTS_OF_CHALLENGES, ""),
    ("clock_start", "POST", STUDENTS_OF_CHALLENGES, "goishi 10 1"),
    ("clock_stop", "POST", STUDENTS, ""),
    ("practice_level", "GET", EVERYBODY, "goishi 1"),
    ("practice_board", "GET POST", EVERYBODY, "goishi 1 2"),
    ("stored_boards", "POST", STUDENTS, "goishi 1"),
    ("stored_boards", "POST", STUDENTS, ""),
    # Students of no class that has chosen Star Battle.
    ("practice_level", "GET", UNSEEN, f"{STARS} 1"),
    ("practice_board", "GET POST", UNSEEN, f"{STARS} 1 2"),
    ("stored_boards", "POST", UNSEEN_STUDENTS, f"{STARS} 1"),
    ("go_on", "POST", UNSEEN_STUDENTS, STARS),
    ("introduction", "GET POST", UNSEEN, STARS),
    ("written_new", "GET POST", UNSEEN_STUDENTS, STARS),
    ("practice_made", "GET POST", EVERYBODY, "made"),
    ("where", "GET POST", STUDENT, "try"),
    ("go_on", "POST", STUDENTS, "goishi"),
    ("practice_again", "GET POST", STUDENT, "position"),
    ("practise_on", "POST", CLASS_STUDENTS, "assigned"),
    ("introduction", "GET POST", EVERYBODY, "goishi"),
    ("introduction", "GET POST", EVERYBODY, "goishi 5"),
    # Writing puzzles
    ("gallery", "GET", STUDENTS, ""),
    ("thanks", "POST", "cxx- xxxxx", "assigned"),
    ("written_new", "GET POST", STUDENTS, "goishi"),
    ("written", "GET", STUDENT, "draft"),
    ("written_edit", "GET POST", STUDENT, "draft"),
    ("written_count", "POST", STUDENT, "draft"),
    ("written_hand_in", "POST", STUDENT, "draft"),
    ("written_delete", "POST", STUDENT, "draft"),
    # What a teacher shares, and calendars
    ("calendar", "GET POST", "s+++ +++++", ""),
    ("calendar_feed", "GET", EVERYBODY, "calendar"),
    ("assignment_open", "GET", "+++x +++--", "code assignment"),
    # The API for scripts
    ("token_list", "GET POST", TEACHERS, ""),
    ("school_tokens", "GET POST", SCHOOL, "school"),
    ("api", "GET", EVERYBODY, ""),
    ("openapi", "GET", EVERYBODY, ""),
    ("api_classes", "GET", "uuuu +++++", ""),
    ("api_students", "GET", "uuuu +++--", "class"),
    ("api_assignments", "GET", "uuuu +++--", "class"),
    ("api_class_results", "GET", "uuuu +++--", "class"),
    ("api_puzzles", "GET", "uuuu +++--", "assignment"),
    ("api_results", "GET", "uuuu +++--", "assignment"),
    # The studies, whose POSTs ask the workers
    ("studies", "GET", EVERYBODY, ""),
    ("study_goishi", "GET", EVERYBODY, ""),
    ("study_kikazu", "GET", EVERYBODY, ""),
    ("study_kikazu_boards", "GET", EVERYBODY, ""),
    ("study_maxstrings", "GET", EVERYBODY, ""),
    ("study_maxstrings", "POST", TEACHERS, ""),
    ("study_maxstrings_lp", "GET", EVERYBODY, "3"),
    ("study_results", "GET", EVERYBODY, ""),
    ("study_tonari", "GET", EVERYBODY, ""),
    ("study_tonari_run", "GET", EVERYBODY, "count 4"),
    ("study_tonari_run", "POST", TEACHERS, "count 4"),
]

SENT = {
    **{"do": "save", "title": "Mine", "name": "Mine", "students": "Mine", "number": "9"},
    **{"action": "move", "move": "1,1", "step": "0", "level": "1", "goal": "4"},
    **{"n": "9", "question": "count", "text": "oo/oo", "position": "oo/oo", "sure": "yes"},
    **{"username": "nobody", "role": "teacher"},
}
"""The fields of every POST. They are plausible, so that only a missing right can prevent it."""
HTMX = {"HX-Request": "true"}
REFUSALS = {401: "u", 403: "x", 404: "-", 405: "405"}
WELCOMES = {200, 201, 204, 302, 400, 409, 422}
"""Statuses of an admitted request. They include those that report a fault in its fields."""


def answer(client: Client, method: str, url: str, is_welcome: bool = False, **headers: str) -> str:
    """Return how a request is answered, as a letter of the table, and undo what it changed.

    Only a POST of an admitted user may change anything. A user who signs out by it is signed in
    again.
    """
    may_write = is_welcome and method == "POST"
    guard = nullcontext() if may_write else connection.execute_wrapper(refuse_writes)
    cookies = deepcopy(client.cookies)
    with transaction.atomic(), guard:
        if method == "POST":
            received = client.post(url, SENT, headers=headers)
        else:
            received = client.get(url, headers=headers)
        transaction.set_rollback(True)
    client.cookies = cookies
    to = received.get("Location", "")
    for letter, sign_in in (("s", reverse("sign_in")), ("c", reverse("join"))):
        if to.startswith(f"{sign_in}?next="):
            return letter
    assert received.status_code in WELCOMES | REFUSALS.keys(), (method, url)
    return REFUSALS.get(received.status_code, "+")


UNRELATED = [ROLES.index(role) for role in ("anonymous", "student", "owner", "administrator")]
"""One of each sort of users: what does not exist belongs to nobody's class or school."""


def test_roles_are_admitted_as_listed_and_foreign_objects_look_missing(clients, world):
    """All lines are in one test, because creating the world takes longer than the requests."""
    by_word = ("pack", "try", "shared_kind", "own_kind")
    nothing = {word: UUID(int=7) if word in by_word else 10**9 for word in world}
    wrong = []
    for name, methods, letters, words in RIGHTS:
        who, what = letters_of(letters), words.split()
        url = reverse(name, args=[world.get(word, word) for word in what])
        missing = reverse(name, args=[nothing.get(word, word) for word in what])
        for method in methods.split():
            met = [
                answer(client, method, url, letter == "+") for client, letter in zip(clients, who)
            ]
            expected = list(who)
            if who[0] in "sc":
                # A fragment can't redirect to a sign-in.
                met.append(answer(clients[0], method, url, **HTMX))
                expected.append("u")
            if "-" in who and what:
                met += [answer(clients[place], method, missing) for place in UNRELATED]
                anonymous, other_student, other_teacher = who[0], who[3], who[7]
                expected += [anonymous, other_student, other_teacher, other_teacher]
            if met != expected:
                wrong.append((method, url, dict(zip(ROLES, zip(met, expected))), met, expected))
    assert wrong == []


def test_nothing_of_an_assignment_in_the_bin_can_be_opened(clients, world):
    """Every address of the assignment, its boards and its attempts is missing for its teachers,
    and students get none of it."""
    Assignment.every.filter(pk=world["assignment"]).update(deleted_at=now())
    of_assignment = {"assignment", "assigned", "try", "trial"}
    for name, methods, letters, words in RIGHTS:
        if not of_assignment & set(words.split()):
            continue
        url = reverse(name, args=[world.get(word, word) for word in words.split()])
        for method in methods.split():
            for role, letter, client in zip(ROLES, letters_of(letters), clients):
                # A visitor is led to the sign-in of the class, whatever the assignment is.
                if letter == "+" and role != "anonymous":
                    met = answer(client, method, url)
                    expected = "x-" if "student" in role or role == "classmate" else "-"
                    assert met in expected, (role, method, url)


def addresses(resolver: URLResolver) -> Iterator[URLPattern]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver) and pattern.namespace == "admin":
            continue  # `test_monitoring.py` tests the admin as a whole
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern)
        else:
            yield pattern


def test_every_address_has_its_line():
    known = {name for name, *_ in RIGHTS}
    missing = {pattern.name for pattern in addresses(get_resolver())} - known
    assert not missing, f"Say in RIGHTS of {__file__} who may do what at: {sorted(missing)}"


def test_other_methods_are_refused(clients, world):
    """An address refuses a method that is not in the table."""
    methods: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for name, allowed, who, what in RIGHTS:
        methods.setdefault((name, what), (who, set()))[1].update(allowed.split())
    for (name, what), (who, allowed) in methods.items():
        url = reverse(name, args=[world.get(word, word) for word in what.split()])
        if "+" not in who:
            continue  # no method admits anybody
        client = clients[who.replace(" ", "").index("+")]
        for method in {"GET", "POST"} - allowed:
            said = f"Say in RIGHTS of {__file__} who may {method} {name}"
            assert answer(client, method, url) == "405", said
