"""The pages of characters."""

from django.urls import include, path

from characters.profiles import sharing, views
from characters.profiles.editing import shelf_views

app_name = "profiles"
urlpatterns = [
    path("", shelf_views.index, name="index"),
    path("new/", shelf_views.new, name="new"),
    path("<slug:slug>/", views.sheet, name="sheet"),
    path("<slug:slug>/revisions/<int:number>/", views.sheet, name="revision"),
    path("<slug:slug>/share/", sharing.share, name="share"),
    path("<slug:slug>/owner/", sharing.hand_over, name="hand_over"),
    path("<slug:slug>/", include("characters.profiles.editing.urls")),
]
