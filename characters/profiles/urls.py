"""The pages of characters."""

from django.urls import path

from characters.profiles import views

app_name = "profiles"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.sheet, name="sheet"),
    path("<slug:slug>/revisions/<int:number>/", views.sheet, name="revision"),
]
