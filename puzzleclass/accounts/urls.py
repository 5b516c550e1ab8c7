from django.urls import path

from puzzleclass.accounts import views

urlpatterns = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-up/", views.sign_up, name="sign_up"),
    path("confirm/", views.confirm, name="confirm"),
    path("sign-out/", views.sign_out, name="sign_out"),
]
