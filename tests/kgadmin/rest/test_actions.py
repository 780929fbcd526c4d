"""What is refused on a page, and what of a form becomes a model."""

from typing import Annotated, Literal

import pytest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.test import Client, override_settings
from django.urls import path
from pydantic import AfterValidator, BaseModel, Field

from kgadmin.rest.actions import Refused, on_page, read
from kgadmin.rest.schemas import storable
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


urlpatterns = [*theirs, path("order/<int:pk>/<str:other>/", order), path("cancel/", cancel)]


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
