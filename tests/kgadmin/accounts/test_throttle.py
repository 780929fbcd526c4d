"""Guessing a password: how often, from where, and what it says."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from kgadmin.accounts import throttle
from kgadmin.accounts.models import SignInAttempts, User
from kgadmin.rest.actions import Refused
from tests.fixtures.people import PASSWORD
from tests.processes import at_once


def guess(client: Client, password: str = "wrong", name: str = "tester", address: str = "192.0.2.1") -> int:
    return client.post("/login/", {"username": name, "password": password}, REMOTE_ADDR=address).status_code


def test_after_five_wrong_ones_not_even_the_right_one_counts(client: Client, tester: User) -> None:
    assert [guess(client) for _ in range(5)] == [422] * 5
    answer = client.post("/login/", {"username": " ｔESTER ", "password": PASSWORD}, REMOTE_ADDR="192.0.2.1")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 900
    assert "Too many attempts. Try again in 15 minutes." in answer.content.decode()
    assert guess(client, PASSWORD) == 429
    assert guess(client, PASSWORD, address="192.0.2.2") == 302


def test_after_a_quarter_of_an_hour_it_counts_again(client: Client, tester: User) -> None:
    for _ in range(6):
        guess(client)
    SignInAttempts.objects.update(since=timezone.now() - timedelta(minutes=16))
    assert guess(client, PASSWORD) == 302


def test_a_right_one_forgives_the_wrong_ones_before(client: Client, tester: User) -> None:
    for _ in range(4):
        guess(client)
    assert guess(client, PASSWORD) == 302
    client.logout()
    assert [guess(client) for _ in range(5)] == [422] * 5


def fails(attempt: Callable[[int], dict[str, str]]) -> int:
    """After how many attempts it is refused."""
    for number in range(1000):
        try:
            throttle.count(**attempt(number))
        except Refused:
            return number
    raise AssertionError("never refused")


@pytest.mark.django_db
def test_one_address_with_many_names_is_stopped_and_so_is_one_name_from_many() -> None:
    assert fails(lambda n: {"name": f"name {n}", "address": "192.0.2.9"}) == 50
    assert fails(lambda n: {"name": "mara", "address": f"198.51.100.{n}"}) == 100
    assert fails(lambda n: {"name": f"other {n}", "address": f"2001:db8::{n:x}"}) == 50


@pytest.mark.django_db
def test_neither_names_nor_addresses_are_stored() -> None:
    throttle.count(name="my-password-by-mistake", address="192.0.2.1")
    stored = str(list(SignInAttempts.objects.values()))
    assert "mistake" not in stored
    assert "192.0.2" not in stored  # a digest may hold any three digits


@pytest.mark.engine
@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_not_more_than_the_limit() -> None:
    def attempt() -> bool:
        try:
            throttle.count(name="mara", address="192.0.2.1")
        except Refused:
            return False
        return True

    assert sum(at_once(attempt, 8)) == 5
