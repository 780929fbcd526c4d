"""The editor's pages, below a character's address."""

from django.urls import path

from characters.authoring.editing import actions, facts, pages, revisions, shelf_views

urlpatterns = [
    path("edit/", pages.identity, name="edit"),
    path("edit/facts/", pages.facts, name="edit_facts"),
    path("edit/facts/add/", facts.add, name="add_fact"),
    path("edit/facts/paste/", facts.paste, name="paste_facts"),
    path("edit/facts/change/", facts.change, name="change_facts"),
    path("edit/yaml/", pages.yaml, name="edit_yaml"),
    path("edit/yaml/save/", actions.save_yaml, name="save_yaml"),
    path("edit/yaml/drop/", actions.drop_yaml, name="drop_yaml"),
    path("edit/personas/", pages.personas, name="edit_personas"),
    path("edit/themes/", pages.themes, name="edit_themes"),
    path("edit/prompt/", pages.prompt, name="edit_prompt"),
    path("edit/settings/", pages.settings, name="edit_settings"),
    path("edit/take-over/", actions.take_over, name="take_over"),
    path("edit/save/", actions.save, name="save_draft"),
    path("edit/entries/", actions.entries, name="change_entries"),
    path("edit/preview/", pages.preview, name="preview_identity"),
    path("edit/draft/", pages.panel, name="draft"),
    path("edit/try/", pages.try_it, name="try_it"),
    path("publish/", revisions.publish, name="publish"),
    path("publish/progress/", pages.published, name="publishing"),
    path("publish/preview/", revisions.preview, name="publish_preview"),
    path("discard/", revisions.discard, name="discard"),
    path("revisions/", revisions.index, name="revisions"),
    path("compare/", revisions.compare, name="compare"),
    path("revisions/unsaved/<int:pk>/", revisions.decide_unsaved, name="decide_unsaved"),
    path("revisions/<int:number>/revert/", revisions.revert, name="revert"),
    path("clone/", shelf_views.clone, name="clone"),
    path("archive/", shelf_views.archive, name="archive"),
    path("restore/", shelf_views.restore, name="restore"),
]
