"""The task of the help that belongs to each page: the “?” of a page opens it."""

from django.urls import reverse

from puzzleclass.help.tasks import STUDENTS, TEACHERS

_TEACHERS_PAGES = {
    "new-class": ("classroom_list", "classroom_new", "students_new"),
    "cards": ("pin_list", "student_card", "student_edit", "student_pin"),
    "sign-in": ("classroom", "student_unlock"),
    "class-settings": ("classroom_edit",),
    "groups": ("class_students", "group_edit", "group_new"),
    "colleagues": ("teacher_list",),
    "message": ("students_message",),
    "next-year": ("class_change", "students_move", "student_remove"),
    "choose": ("collection", "kind_list", "lesson_start", "plan"),
    "find": ("bin", "puzzle_list", "puzzles_bulk", "puzzle_delete", "search"),
    "draw": ("puzzle_new", "puzzle_edit", "puzzle_import", "puzzle_kind"),
    "solutions": (
        "puzzle",
        "puzzle_explore",
        "puzzle_question",
        "puzzle_solution",
        "puzzle_solutions",
    ),
    "generate": ("puzzle_generate", "puzzle_generated"),
    "studies": (
        "studies",
        "study_goishi",
        "study_kikazu",
        "study_kikazu_boards",
        "study_maxstrings",
        "study_results",
        "study_tonari",
    ),
    "make-kind": ("shared_kind", "workshop", "workshop_list"),
    "print": ("assignment_worksheet", "puzzle_worksheet"),
    "share": ("pack", "pack_delete", "pack_edit", "pack_import", "pack_list", "pack_new", "phase"),
    "assign": ("assignment_delete", "assignment_edit", "assignment_new"),
    "try": ("trial", "trial_history"),
    "watch": ("assignment", "replay"),
    "lead": ("lesson", "reflections", "seats"),
    "ask": ("question_list",),
    "discuss": ("found", "found_solution"),
    "grade": ("class_ledger",),
    "feedback": ("attempts", "student", "student_sheets"),
    "week": ("student_weeks",),
    "practise": ("introduction", "practice", "practice_board"),
    "gallery": ("class_gallery", "gallery"),
    "jobs": ("job_list",),
    "data": ("classroom_data", "classroom_delete", "data_log", "data_record", "student_data"),
    "account": (
        "account",
        "account_codes",
        "account_data",
        "account_delete",
        "account_email",
        "account_passkeys",
        "account_password",
        "confirm",
    ),
    "calendar": ("calendar",),
    "scripts": ("api", "connections", "statements", "token_list"),
    "school-board": ("school_board",),
    "rosters": (
        "administrator_list",
        "match_list",
        "roster",
        "roster_service",
        "school",
        "school_list",
    ),
    "school-accounts": ("school_account_connect", "school_edit", "school_provider"),
    "platforms": ("platform_edit", "platform_list", "platform_new"),
}
_STUDENTS_PAGES = {
    "join": ("join", "join_by_card", "join_class", "join_student"),
    "solve": ("introduction", "play", "practice", "practice_board"),
    "go-back": ("history", "own_attempt", "own_attempts"),
}
"""The name of a task -> the URL names of the pages about it."""

_TASK_OF_PAGE = {
    audience: {page: task for task, pages in tasks.items() for page in pages}
    for audience, tasks in ((TEACHERS, _TEACHERS_PAGES), (STUDENTS, _STUDENTS_PAGES))
}


def help_address(audience: str, page: str) -> str:
    """Return the address of the help about the page with this URL name: a task, or all tasks."""
    task = _TASK_OF_PAGE[audience].get(page)
    return reverse("help_task", args=(audience, task)) if task else reverse("help")
