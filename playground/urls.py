"""The playground's pages, under one namespace."""

from django.urls import path

from playground.chat import start, views

app_name = "playground"
urlpatterns = [
    path("", start.index, name="index"),
    path("people/", start.new_person, name="new_person"),
    path("with/<slug:slug>/", start.new, name="new"),
    path("with/<slug:slug>/begin/", start.begin, name="begin"),
    path("conversations/<int:pk>/", views.conversation, name="conversation"),
    path("conversations/<int:pk>/say/", views.say, name="say"),
    path("turns/<int:pk>/", views.turn, name="turn"),
    path("turns/<int:pk>/article/", views.article, name="article"),
    path("turns/<int:pk>/learned/", views.learned, name="learned"),
    path("turns/<int:pk>/events/", views.events, name="events"),
    path("turns/<int:pk>/stop/", views.stop, name="stop"),
    path("turns/<int:pk>/again/", views.again, name="again"),
    path("turns/<int:pk>/trace/", views.trace, name="trace"),
    path("turns/<int:pk>/ending/", views.ending, name="ending"),
    path("turns/<int:pk>/stated/", views.stated, name="stated"),
    path("turns/<int:pk>/<slug:stage>/", views.turn, name="stage"),
]
