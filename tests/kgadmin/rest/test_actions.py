"""What is refused on a page, and what of a form becomes a model."""

from typing import Annotated, Literal

import pytest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.test import Client, override_settings
from django.urls import path
from pydantic import AfterValidator, BaseModel, Field

from kgadmin.rest.actions import Refused, on_page, read
from kgadmin.rest.schemas import storable
from kgadmin.stores.errors import StoreError
from kgadmin.urls import urlpatterns as theirs


def even(number: int) -> int:
    if number % 2:
        raise ValueError("Take an even number.")
    return number


class Order(BaseModel):
    name: str = Field(max_length=5)
    number: Annotated[int, AfterValidator(even)] = 2
    kind: Literal["tea", "cake"] = "tea"
    extras: list[str] = []
    price: float = Field(1, ge=0)
    on: bool = False


def page(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponse(f"{request.method} {pk} {request.POST['name']}")


@on_page(page)
def order(request: HttpRequest, pk: int, other: str) -> HttpResponse:
    raise Refused("We are closed.", status=409)


def cancel(request: HttpRequest) -> HttpResponse:
    raise Refused("It is eaten.")


DOWN = "The graph does not answer at bolt://127.0.0.1:1."


def ask_store(request: HttpRequest) -> HttpResponse:
    raise StoreError(DOWN)


async def ask_store_later(request: HttpRequest) -> HttpResponse:
    raise StoreError(DOWN, retryable=False)


urlpatterns = [
    path("order/<int:pk>/<str:other>/", order),
    path("cancel/", cancel),
    path("stored/", ask_store),
    path("stored/later/", ask_store_later),
    path("api/stored", ask_store),
    *theirs,
]


def test_a_form_becomes_a_model_and_what_is_empty_was_not_sent() -> None:
    form = QueryDict("name=+Ada+&number=&extras=a&extras=b&csrf=1")
    assert read(Order, form) == Order(name="Ada", extras=["a", "b"])


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ("name=+", "Fill in: The name."),
        ("name=Adaline", "The name is too long: it has at most 5 characters."),
        ("name=Ada&number=3", "Take an even number."),
        (
            "name=Ada&kind=pie&price=-1",
            "Kind is one of 'tea' or 'cake'. Price is 0 or more.",
        ),
        ("name=Ada&on={x}", "On: Input should be a valid boolean, unable to interpret input."),
        ("name=Ada&number={x}", "Number is a whole number."),
    ],
)
def test_what_does_not_fit_is_a_sentence(sent: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        read(Order, QueryDict(sent), name="The name")
    assert str(refused.value) == sentence


def test_what_no_store_can_hold_is_refused() -> None:
    for text in ("a\0b", "\ud800", "a\udfffb"):
        with pytest.raises(ValueError, match="can't be stored"):
            storable(text)
    for text in ("", "漢字 🐙", "\ud7ff\ue000"):
        assert storable(text) == text


@override_settings(ROOT_URLCONF=__name__)
def test_what_is_refused_is_said_where_it_was_asked_for(tester_client: Client) -> None:
    answer = tester_client.post("/order/7/x/", {"name": "Ada"})
    assert (answer.status_code, answer.content) == (409, b"GET 7 Ada")
    answer = tester_client.post("/order/7/x/", {"name": "Ada"}, HTTP_HX_REQUEST="true")
    assert (answer.status_code, answer["HX-Reswap"], "We are closed." in answer.content.decode()) == (409, "none", True)
    answer = tester_client.post("/cancel/")
    assert (answer.status_code, "It is eaten." in answer.content.decode()) == (422, True)


@override_settings(ROOT_URLCONF=__name__)
def test_a_store_that_does_not_answer_is_named_by_page_and_api(tester_client: Client) -> None:
    for place, retry_after in (("/stored/", "5"), ("/stored/later/", None), ("/api/stored", "5")):
        answer = tester_client.get(place)
        assert (answer.status_code, answer.headers.get("Retry-After")) == (503, retry_after), place
        assert DOWN in answer.content.decode(), place
        is_problem = answer.headers["Content-Type"] == "application/problem+json"
        assert ("<h1>" in answer.content.decode(), is_problem) == ("api" not in place, "api" in place)
