"""The pages of characters."""

from django.urls import path

from characters.profiles import sharing, views
from characters.profiles.lint import views as lint
from characters.profiles.suggestions import views as suggestions

app_name = "profiles"
urlpatterns = [
    path("", views.index, name="index"),
    path("<slug:slug>/", views.sheet, name="sheet"),
    path("<slug:slug>/revisions/<int:number>/", views.sheet, name="revision"),
    path("<slug:slug>/share/", sharing.share, name="share"),
    path("<slug:slug>/owner/", sharing.hand_over, name="hand_over"),
    path("<slug:slug>/edit/suggestions/", suggestions.suggestions, name="suggestions"),
    path("<slug:slug>/edit/suggestions/read/", suggestions.read, name="read_suggestions"),
    path("<slug:slug>/edit/suggestions/<int:pk>/", suggestions.decide, name="decide_suggestion"),
    path("<slug:slug>/edit/lint/", lint.lint, name="lint"),
    path("<slug:slug>/edit/lint/fix/", lint.fix, name="fix"),
]
