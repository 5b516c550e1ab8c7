from django.urls import path

from puzzleclass.stats import ledger_views, statement_views, student_views, views

urlpatterns = [
    path("students/<key:pk>/", student_views.student, name="student"),
    path("students/<key:pk>/notes/", student_views.student_note, name="student_note"),
    path("classes/<key:pk>/sheets/", student_views.student_sheets, name="student_sheets"),
    path("classes/<key:pk>/week/", student_views.student_weeks, name="student_weeks"),
    path("classes/<key:pk>/grades/", ledger_views.classroom_ledger, name="class_ledger"),
    path("classes/<key:pk>/statistics/", ledger_views.class_statistics, name="class_statistics"),
    path("classes/<key:pk>/statements/", statement_views.statements, name="statements"),
    path("assignments/<key:pk>/", ledger_views.assignment, name="assignment"),
    path("assignments/<key:pk>/grades/", ledger_views.grade_book, name="grade_book"),
    path("assigned/<key:pk>/students/<key:student>/", views.attempts, name="attempts"),
    path("assigned/<key:pk>/solutions/<key:number>/", views.found_solution, name="found_solution"),
    path("assignments/<key:pk>/feedback/", ledger_views.feedback_many, name="feedback_many"),
    path("assignments/<key:pk>/later/", ledger_views.assignment_extend, name="assignment_extend"),
    path("assigned/<key:pk>/feedback/", ledger_views.stamps, name="stamps"),
    path("attempts/<uuid:key>/replay/", views.replay, name="replay"),
    path("attempts/<uuid:key>/feedback/", views.give_feedback, name="give_feedback"),
    path("attempts/<uuid:key>/review/", views.review_attempt, name="review_attempt"),
]
