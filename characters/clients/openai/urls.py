"""The addresses that OpenAI's clients know."""

from django.urls import path

from characters.clients.openai import views

app_name = "openai"

urlpatterns = [
    path("models", views.models, name="models"),
    path("models/<path:slug>", views.model, name="model"),
    path("chat/completions", views.chat_completions, name="chat_completions"),
    path("responses", views.create_response, name="responses"),
    path("", views.nothing),
    path("<path:anything>", views.nothing),
]
