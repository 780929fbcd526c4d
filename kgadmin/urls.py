"""Addresses of all features' pages and APIs."""

from django.urls import include, path

from characters.profiles.base_views import settings as base_settings
from characters.review.history import origins
from kgadmin.accounts.views import home
from kgadmin.api import api_urls

handler500 = "kgadmin.operations.views.server_error"

urlpatterns = [
    path("", home, name="home"),
    path("", include("kgadmin.accounts.urls")),
    path("", include("kgadmin.operations.urls")),
    path("characters/", include("characters.urls")),
    path("review/origins/<slug:slug>/", origins, name="learned_origins"),
    path("knowledge/<slug:slug>/settings/", base_settings, name="base_settings"),
    path("knowledge/", include("kgadmin.knowledge.urls")),
    path("import/", include("characters.conversations.urls")),
    path("jobs/", include("kgadmin.jobs.urls")),
    path("enrichment/", include("characters.memory.enrichment.urls")),
    path("people/", include("characters.people.urls")),
    path("review/", include("characters.review.urls")),
    path("playground/", include("playground.urls")),
    path("routing/", include("playground.routing.urls")),
    path("clients/", include("characters.clients.urls")),
    path("api/", api_urls),
    path("v1/", include("characters.clients.openai.urls")),
]
