from django.urls import path

from puzzleclass.gallery import views

urlpatterns = [
    path("gallery/", views.gallery, name="gallery"),
    path("gallery/new/<kind:kind>/", views.written_new, name="written_new"),
    path("gallery/thanks/<key:pk>/", views.thanks, name="thanks"),
    path("gallery/mine/<key:pk>/", views.written, name="written"),
    path("gallery/mine/<key:pk>/edit/", views.written_edit, name="written_edit"),
    path("gallery/mine/<key:pk>/count/", views.written_count, name="written_count"),
    path("gallery/mine/<key:pk>/hand-in/", views.written_hand_in, name="written_hand_in"),
    path("gallery/mine/<key:pk>/delete/", views.written_delete, name="written_delete"),
    path("classes/<key:pk>/gallery/", views.class_gallery, name="class_gallery"),
    path("classes/<key:pk>/gallery/<key:written>/", views.decide, name="decide"),
    path("classes/<key:pk>/kinds/<key:invention>/", views.decide_kind, name="decide_kind"),
]
