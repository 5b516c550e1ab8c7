from django.urls import path

from puzzleclass.lti import choice_views, launch_views, platform_views, score_views

urlpatterns = [
    path("lti/jwks/", launch_views.lti_jwks, name="lti_jwks"),
    path("lti/login/", launch_views.lti_login, name="lti_login"),
    path("lti/launch/", launch_views.lti_launch, name="lti_launch"),
    path("lti/register/", platform_views.lti_register, name="lti_register"),
    path("lti/open/", launch_views.lti_open, name="lti_open"),
    path("lti/account/", launch_views.lti_account, name="lti_account"),
    path("lti/choose/", choice_views.lti_choose, name="lti_choose"),
    path("lti/frame/<str:word>/", choice_views.lti_frame, name="lti_frame"),
    path("assignments/<key:pk>/scores/", score_views.scores_send_again, name="scores_send_again"),
    path("lti/class/", launch_views.lti_class, name="lti_class"),
    path("<owner:owner>/platforms/", platform_views.platform_list, name="platform_list"),
    path("<owner:owner>/platforms/new/", platform_views.platform_new, name="platform_new"),
    path(
        "<owner:owner>/platforms/<key:platform>/",
        platform_views.platform_edit,
        name="platform_edit",
    ),
    path(
        "<owner:owner>/platforms/<key:platform>/delete/",
        platform_views.platform_delete,
        name="platform_delete",
    ),
]
