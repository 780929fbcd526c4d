"""The pages of characters."""

from django.urls import include, path

from characters.authoring.editing import shelf_views
from characters.authoring.learned import views as learned
from characters.authoring.lint import views as lint
from characters.authoring.suggestions import views as suggestions
from characters.cards import views as cards
from characters.profiles import views

app_name = "profiles"
urlpatterns = [
    path("", shelf_views.index, name="index"),
    path("new/", shelf_views.new, name="new"),
    path("import/", cards.upload, name="import"),
    path("import/<int:card>/", cards.preview, name="import_preview"),
    path("import/<int:card>/take/", cards.take, name="import_take"),
    path("import/<int:card>/discard/", cards.discard, name="import_discard"),
    path("<slug:slug>/", views.sheet, name="sheet"),
    path("<slug:slug>/revisions/<int:number>/", views.sheet, name="revision"),
    path("<slug:slug>/exports/", cards.exports, name="exports"),
    path("<slug:slug>/exports/lorebooks/<int:card>/", cards.export_lorebook, name="export_lorebook"),
    path("<slug:slug>/exports/<str:form>", cards.export, name="export"),
    path("<slug:slug>/share/", views.share, name="share"),
    path("<slug:slug>/owner/", views.hand_over, name="hand_over"),
    path("<slug:slug>/", include("characters.authoring.editing.urls")),
    path("<slug:slug>/edit/suggestions/", suggestions.suggestions, name="suggestions"),
    path("<slug:slug>/edit/suggestions/read/", suggestions.read, name="read_suggestions"),
    path("<slug:slug>/edit/suggestions/<int:pk>/", suggestions.decide, name="decide_suggestion"),
    path("<slug:slug>/learned/", learned.learned, name="learned"),
    path("<slug:slug>/learned/<int:pk>/", learned.change, name="change_learned"),
    path("<slug:slug>/edit/lint/", lint.lint, name="lint"),
    path("<slug:slug>/edit/lint/check/", lint.check, name="check"),
    path("<slug:slug>/edit/lint/fix/", lint.fix, name="fix"),
]
