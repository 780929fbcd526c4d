"""The door: signing in and out, guessing passwords, demo accounts, the first administrator, and the frame of pages."""

import re
from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from kgadmin.accounts import throttle
from kgadmin.accounts.models import ROLES, SignInAttempts, User
from kgadmin.rest.actions import Refused
from tests.fixtures.people import PASSWORD
from tests.pages import text_of
from tests.processes import at_once


def demo_account(name: str, *roles: str) -> User:
    user = User.objects.create_user(name, password="demo", is_demo=True)
    user.groups.set(Group.objects.filter(name__in=roles))
    return user


def test_a_name_and_its_password_sign_in_and_signing_out_ends_that(client: Client, tester: User) -> None:
    answer = client.post("/login/", {"username": "tester", "password": PASSWORD})
    assert answer.headers["Location"] == "/"
    assert client.get("/").headers["Location"] == "/playground/"
    assert client.get("/login/").headers["Location"] == "/"
    assert client.post("/logout/").headers["Location"] == "/login/"
    assert client.get("/health/").headers["Location"].startswith("/login/")


def test_a_wrong_name_or_password_is_a_sentence(client: Client, tester: User) -> None:
    wrong = "No account has this name and password."
    for name, password, sentence in (
        ("tester", "wrong", wrong),
        ("nobody", PASSWORD, wrong),
        ("tester", "", ""),
        ("", "", ""),
        ("te\x00ster", PASSWORD, ""),
        ("\u202eretset", "x", wrong),
    ):
        answer = client.post("/login/", {"username": name, "password": password})
        page = answer.content.decode()
        assert (answer.status_code, 'class="error"' in page, sentence in page) == (422, True, True), (name, password)
        assert "_auth_user_id" not in client.session


def test_signing_in_leads_back_to_the_page_that_asked_for_it(client: Client, operator: User) -> None:
    asked = client.get("/health/")
    assert asked.headers["Location"] == "/login/?next=/health/"
    assert 'name="next" value="/health/"' in text_of(client, asked.headers["Location"])
    answer = client.post("/login/", {"username": "operator", "password": PASSWORD, "next": "/health/"})
    assert answer.headers["Location"] == "/health/"
    for elsewhere in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"):
        answer = Client().post("/login/", {"username": "operator", "password": PASSWORD, "next": elsewhere})
        assert answer.headers["Location"] == "/", elsewhere


def test_forms_need_their_token(tester: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/login/", {"username": "tester", "password": PASSWORD}).status_code == 403


def test_a_demo_account_and_no_other_one_says_what_it_is_for_and_signs_in_with_one_click(
    client: Client, tester: User, settings: Settings
) -> None:
    settings.DEMO = True
    for form in ({"username": "tester"}, {}):
        assert client.post("/login/demo/", form).status_code == 403
    demo_account("demo", *ROLES)
    demo_account("operator", "operator")
    page = text_of(client, "/login/")
    assert 'value="operator"' in page
    assert ROLES["operator"] in page
    assert "Everything: all three roles" in page
    assert client.post("/login/demo/", {"username": "operator"}).status_code == 302
    assert client.get("/").headers["Location"] == "/dashboard/"


def test_demo_accounts_are_shut_out_where_the_demo_is_off(client: Client, db: None, settings: Settings) -> None:
    settings.DEMO = True
    demo_account("demo", "tester")
    client.post("/login/demo/", {"username": "demo"})
    assert client.get("/playground/").status_code == 200
    settings.DEMO = False
    assert client.get("/playground/").status_code == 302
    assert 'value="demo"' not in text_of(client, "/login/")
    assert client.post("/login/demo/", {"username": "demo"}).status_code == 403
    assert client.post("/login/", {"username": "demo", "password": "demo"}).status_code == 422


def test_home_leads_to_the_first_page_of_the_role(outsider: User, outsider_client: Client) -> None:
    for roles, path in (
        ("author", "/characters/"),
        ("operator", "/dashboard/"),
        ("tester", "/playground/"),
        ("author operator", "/dashboard/"),
        ("author operator tester", "/playground/"),
    ):
        outsider.groups.set(Group.objects.filter(name__in=roles.split()))
        assert outsider_client.get("/").headers["Location"] == path, roles


def first_admin_link(*arguments: str) -> str:
    out = StringIO()
    call_command("first_admin_link", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_first_administrator_comes_in_by_a_link_that_works_once_and_is_given_until_then(db: None) -> None:
    replaced, path = first_admin_link("--name", "mara"), first_admin_link("--if-needed")
    form = {"new_password1": "long enough 7", "new_password2": "long enough 7"}
    client, late = Client(), Client()
    assert late.post(replaced, form).status_code == 410
    assert client.post(path, form).status_code == 302
    assert late.post(path, form).status_code == 410
    mara = User.objects.get()
    assert (mara.username, mara.is_superuser) == ("mara", True)
    assert "Welcome, mara." in client.get("/health/").content.decode()
    assert first_admin_link("--if-needed") == ""
    with pytest.raises(CommandError, match="There is an administrator already"):
        first_admin_link()


@pytest.mark.django_db
def test_who_signs_in_again_comes_back_to_the_page_of_the_form() -> None:
    page = {"Referer": "http://testserver/review/3/?shown=deferred"}
    sent = Client().post("/review/3/approve/", headers=page)
    assert (sent.status_code, sent.headers["Location"]) == (302, "/login/?next=/review/3/%3Fshown%3Ddeferred")
    elsewhere = Client().post("/review/3/approve/", headers={"Referer": "http://elsewhere.example/review/"})
    assert elsewhere.headers["Location"] == "/login/?next=/"


@pytest.mark.django_db
def test_a_part_of_a_page_is_refused_to_who_is_signed_out() -> None:
    asked = {"HX-Request": "true", "HX-Current-URL": "http://testserver/review/3/"}
    for answer in (Client().get("/review/4/", headers=asked), Client().post("/review/3/approve/", headers=asked)):
        assert (answer.status_code, answer.content) == (401, b"You are signed out.")


OPERATORS_PAGES = ("dashboard", "review", "people", "knowledge", "enrichment", "import", "audit", "health")


def links(page: str) -> list[str]:
    menus = page.partition('class="menus"')[2].partition('class="account"')[0]
    return re.findall(r'<a\s+href="([^"]+)"', menus)


def test_the_navigation_has_the_pages_of_ones_roles_only_and_each_works(
    author_client: Client, operator_client: Client, tester_client: Client, outsider_client: Client
) -> None:
    browsers = (author_client, operator_client, tester_client, outsider_client)
    clients = dict(zip(("author", "operator", "tester", "outsider"), browsers, strict=True))
    shown = {name: links(client.get("/language-model/").content.decode()) for name, client in clients.items()}
    assert shown == {
        "author": ["/characters/"],
        "operator": [f"/{name}/" for name in OPERATORS_PAGES],
        "tester": ["/playground/", "/routing/", "/people/", "/clients/"],
        "outsider": [],
    }
    for name, paths in shown.items():
        for path in paths:
            assert clients[name].get(path, follow=True).status_code == 200, path


def test_every_page_says_that_no_language_model_is_connected_until_one_is(
    author_client: Client, settings: Settings
) -> None:
    page = author_client.get("/account/").content.decode()
    assert 'class="unconnected"' in page
    assert "No language model is" in page
    assert 'href="/language-model/"' in page
    settings.CONFIG = settings.CONFIG.model_copy(update={"llm_base_url": "http://127.0.0.1:1/v1", "llm_model": "m"})
    assert 'class="unconnected"' not in author_client.get("/account/").content.decode()


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
