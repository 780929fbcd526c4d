"""Pages of people and of what is remembered about them."""

from django.urls import path

from characters.people import actions, entity_views, views

app_name = "people"

urlpatterns = [
    path("", views.index, name="index"),
    path("new/", actions.new, name="new"),
    path("forgotten/<int:was>/", views.forgotten, name="forgotten"),
    path("<int:pk>/", views.person, name="person"),
    path("<int:pk>/export.json", views.export, name="export"),
    path("<int:pk>/forget/", actions.forget, name="forget"),
    path("<int:pk>/trust/", actions.set_trust, name="trust"),
    path("<int:pk>/read/", actions.read_again, name="read"),
    path("<int:pk>/facts/", views.facts, name="facts"),
    path("<int:pk>/facts/add/", actions.add_fact, name="add_fact"),
    path("<int:pk>/facts/<int:fact_pk>/", views.fact, name="fact"),
    path("<int:pk>/facts/<int:fact_pk>/correct/", actions.correct_fact, name="correct_fact"),
    path("<int:pk>/facts/<int:fact_pk>/undo/", actions.undo_correction, name="undo_correction"),
    path("<int:pk>/facts/<int:fact_pk>/forget/", actions.forget_fact, name="forget_fact"),
    path("<int:pk>/entities/", entity_views.entities, name="entities"),
    path("<int:pk>/entities/<int:entity_pk>/", entity_views.entity, name="entity"),
    path("<int:pk>/entities/<int:entity_pk>/rename/", entity_views.rename, name="rename"),
    path("<int:pk>/entities/<int:entity_pk>/merge/", entity_views.merge, name="merge"),
    path("<int:pk>/entities/<int:entity_pk>/aliases/", entity_views.add_alias, name="add_alias"),
    path(
        "<int:pk>/entities/<int:entity_pk>/aliases/<int:alias_pk>/remove/",
        entity_views.remove_alias,
        name="remove_alias",
    ),
    path("<int:pk>/conversations/", views.conversations, name="conversations"),
    path("<int:pk>/conversations/<int:conversation_pk>/", views.conversation, name="conversation"),
    path(
        "<int:pk>/conversations/<int:conversation_pk>/forget/", actions.forget_conversation, name="forget_conversation"
    ),
    path("<int:pk>/explore/", entity_views.explore, name="explore"),
]
