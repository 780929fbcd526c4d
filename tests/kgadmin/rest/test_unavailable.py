import asyncio
import json

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from django.urls import path
from pytest_django.fixtures import Settings

from kgadmin.stores.errors import StoreError

DOWN = "The graph does not answer at bolt://127.0.0.1:1."


def broken(request: HttpRequest) -> HttpResponse:
    raise StoreError(DOWN)


async def broken_later(request: HttpRequest) -> HttpResponse:
    raise StoreError(DOWN, retryable=False)


urlpatterns = [path("page/", broken), path("async/", broken_later), path("api/broken", broken)]


@pytest.fixture(autouse=True)
def only_these_pages(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.kgadmin.rest.test_unavailable"
    settings.MIDDLEWARE = ["django_htmx.middleware.HtmxMiddleware", "kgadmin.rest.actions.RefusedMiddleware"]
    settings.TEMPLATES[0]["OPTIONS"]["context_processors"] = []


def test_a_page_says_what_does_not_answer() -> None:
    answer = Client().get("/page/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert DOWN in answer.content.decode()
    assert "<h1>" in answer.content.decode()


def test_the_api_says_it_as_a_problem() -> None:
    answer = Client().get("/api/broken")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert json.loads(answer.content)["detail"] == DOWN


def test_an_async_view_is_caught_too() -> None:
    answer = asyncio.run(AsyncClient().get("/async/"))
    assert answer.status_code == 503
    assert "Retry-After" not in answer
    assert DOWN in answer.content.decode()
