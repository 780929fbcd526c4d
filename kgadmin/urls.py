"""Mounts the features' pages."""

from importlib.util import find_spec

from django.urls import include, path

from kgadmin.accounts.views import home
from kgadmin.api import api_urls

urlpatterns = [
    path("", home, name="home"),
    path("", include("kgadmin.accounts.urls")),
    path("", include("kgadmin.operations.urls")),
    path("api/", api_urls),
]
for prefix, module in {
    "knowledge/": "kgadmin.knowledge.urls",
    "characters/": "characters.profiles.urls",
    "playground/": "playground.urls",
}.items():
    if find_spec(module):
        urlpatterns.append(path(prefix, include(module)))
