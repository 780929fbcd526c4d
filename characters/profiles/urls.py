"""The pages of characters."""

from django.urls import path

from characters.profiles import sharing, views

app_name = "profiles"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.sheet, name="sheet"),
    path("<slug:slug>/revisions/<int:number>/", views.sheet, name="revision"),
    path("<slug:slug>/share/", sharing.share, name="share"),
    path("<slug:slug>/owner/", sharing.hand_over, name="hand_over"),
]
