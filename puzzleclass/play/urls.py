from django.urls import path

from puzzleclass.play import hint_views, outlook_views, views

urlpatterns = [
    path("play/<int:pk>/", views.play, name="play"),
    path("attempts/<uuid:key>/steps/", views.step, name="step"),
    path("attempts/<uuid:key>/restart/", views.restart, name="restart"),
    path("attempts/<uuid:key>/hint/", hint_views.hint, name="hint"),
    path("attempts/<uuid:key>/outlook/", outlook_views.outlook, name="outlook"),
    path("attempts/<uuid:key>/back/", hint_views.hint_back, name="hint_back"),
]
