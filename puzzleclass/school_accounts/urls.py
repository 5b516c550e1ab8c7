from django.urls import path

from puzzleclass.school_accounts import provider_views, views

urlpatterns = [
    path("<owner:owner>/sign-in/", provider_views.school_provider, name="school_provider"),
    path(
        "<owner:owner>/sign-in/test/",
        provider_views.school_provider_test,
        name="school_provider_test",
    ),
    path("s/", views.school_choice, name="school_choice"),
    path("s/<key:pk>/", views.school_door, name="school_door"),
    path("school-account/<key:pk>/", views.school_account_start, name="school_account_start"),
    path(
        "school-account/<key:pk>/back/",
        views.school_account_callback,
        name="school_account_callback",
    ),
    path("school-account/<key:pk>/link/", views.school_account_link, name="school_account_link"),
    path(
        "school-account/<key:pk>/unlink/", views.school_account_unlink, name="school_account_unlink"
    ),
    path("school-account/unknown/", views.school_account_unknown, name="school_account_unknown"),
    path("school-account/connect/", views.school_account_connect, name="school_account_connect"),
    path(
        "classes/<key:pk>/students/<key:enrolment>/school-account/",
        views.student_account_unlink,
        name="student_account_unlink",
    ),
]
