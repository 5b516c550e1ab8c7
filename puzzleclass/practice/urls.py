from django.urls import path

from puzzleclass.practice import introduction

urlpatterns = [
    path("how-to-play/<slug:kind_slug>/", introduction.introduction, name="introduction"),
    path(
        "how-to-play/<slug:kind_slug>/<key:number>/",
        introduction.introduction,
        name="introduction",
    ),
]
