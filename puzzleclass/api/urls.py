from django.urls import path

from puzzleclass.api import token_views, views
from puzzleclass.api.openapi import ENDPOINTS, ROOT

urlpatterns = [
    path("account/tokens/", token_views.token_list, name="token_list"),
    path("schools/<key:pk>/tokens/", token_views.school_tokens, name="school_tokens"),
    path("api/", views.api_page, name="api"),
    path(f"{ROOT[1:]}openapi.json", views.openapi, name="openapi"),
    *(path(each.route, getattr(views, each.name), name=each.name) for each in ENDPOINTS),
]
