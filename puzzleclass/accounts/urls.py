from django.urls import path

from puzzleclass.accounts import account_views, views
from puzzleclass.accounts.recovery import ForgottenPassword, RecoveredPassword

urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/code/", views.sign_in_code, name="sign_in_code"),
    path("sign-up/", views.sign_up, name="sign_up"),
    path("confirm/", views.confirm, name="confirm"),
    path("stay/", views.stay_signed_in, name="stay_signed_in"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("password/", ForgottenPassword.as_view(), name="password_reset"),
    path("password/<uidb64>/<token>/", RecoveredPassword.as_view(), name="password_reset_confirm"),
    path("account/", account_views.account, name="account"),
    path("account/email/", account_views.account_email, name="account_email"),
    path("account/password/", account_views.account_password, name="account_password"),
    path("account/codes/", account_views.account_codes, name="account_codes"),
]
