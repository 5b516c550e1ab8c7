from django.urls import path

from puzzleclass.accounts import account_views, passkey_views, views
from puzzleclass.accounts.recovery_views import ForgottenPassword, RecoveredPassword

urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/code/", views.sign_in_code, name="sign_in_code"),
    path("sign-in/passkey/", passkey_views.passkey_sign_in, name="passkey_sign_in"),
    path("sign-in/passkey/question/", passkey_views.passkey_question, name="passkey_question"),
    path("sign-up/", views.sign_up, name="sign_up"),
    path("confirm/", views.confirm, name="confirm"),
    path("confirm/passkey/", passkey_views.passkey_confirm, name="passkey_confirm"),
    path("stay/", views.stay_signed_in, name="stay_signed_in"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("password/", ForgottenPassword.as_view(), name="password_reset"),
    path("password/<uidb64>/<token>/", RecoveredPassword.as_view(), name="password_reset_confirm"),
    path("account/", account_views.account, name="account"),
    path("connections/", account_views.connections, name="connections"),
    path("account/email/", account_views.account_email, name="account_email"),
    path("account/password/", account_views.account_password, name="account_password"),
    path("account/codes/", account_views.account_codes, name="account_codes"),
    path("account/passkeys/", passkey_views.account_passkeys, name="account_passkeys"),
    path(
        "account/passkeys/question/",
        passkey_views.passkey_new_question,
        name="passkey_new_question",
    ),
]
