"""Accounts: inviting, roles, switching off, links, and one's own page."""

import re

from django.test import Client
from pytest_django.fixtures import Settings

from kgadmin.accounts.models import User
from tests.fixtures.people import PASSWORD

NEW = "another long password"


def invite(client: Client, name: str = "mara", **fields: object) -> tuple[User, str]:
    page = client.post("/accounts/invite/", {"username": name, "roles": ["author"], **fields}).content.decode()
    return User.objects.get(username=name), link_in(page)


def link_in(page: str) -> str:
    match = re.search(r'value="http://testserver(/link/[^"]+)"', page)
    assert match, page
    return match[1]


def set_password(path: str, password: str = NEW) -> tuple[Client, int]:
    visitor = Client()
    return visitor, visitor.post(path, {"new_password1": password, "new_password2": password}).status_code


def test_an_invitation_is_a_link_that_sets_the_password_once(admin_client: Client) -> None:
    mara, path = invite(admin_client)
    assert (mara.state, set(mara.roles)) == ("invited", {"author"})
    assert "mara" in admin_client.get("/accounts/").content.decode()
    for password in ("", "!", "mara"):
        assert Client().post("/login/", {"username": "mara", "password": password}).status_code == 422, password
    assert "Set your password" in Client().get(path).content.decode()
    assert set_password(path, "short")[1] == 422
    visitor, status = set_password(path)
    assert status == 302
    assert visitor.get("/", follow=True).redirect_chain[-1][0] == "/characters/"
    assert Client().get(path).status_code == 410
    assert set_password(path, "a third password")[1] == 410
    assert User.objects.get(pk=mara.pk).check_password(NEW)


def test_an_invitation_that_does_not_fit_makes_nobody(admin_client: Client) -> None:
    misfits: list[tuple[dict[str, object], str]] = [
        ({"username": "admin"}, "There is already an account with this name."),
        ({"username": ""}, "Fill in: Name."),
        ({"username": "a\x00b"}, "a null byte"),
        ({"username": "a b"}, "can only contain letters"),
        ({"username": "x", "roles": ["emperor"]}, "Roles is one of"),
    ]
    for fields, sentence in misfits:
        answer = admin_client.post("/accounts/invite/", fields)
        assert (answer.status_code, sentence in answer.content.decode()) == (422, True), fields
    assert User.objects.count() == 1


def test_a_link_ends_when_a_newer_one_is_made_when_it_is_old_and_when_the_account_is_off(
    admin_client: Client, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://kg.example"
    page = admin_client.post("/accounts/invite/", {"username": "bea"}).content.decode()
    assert 'value="https://kg.example/link/' in page
    settings.PUBLIC_URL = ""
    mara, first = invite(admin_client)
    second = link_in(admin_client.post(f"/accounts/{mara.pk}/link/").content.decode())
    assert Client().get(first).status_code == 410
    admin_client.post(f"/accounts/{mara.pk}/switch/")
    assert Client().get(second).status_code == 410
    assert admin_client.post(f"/accounts/{mara.pk}/link/").status_code == 409
    admin_client.post(f"/accounts/{mara.pk}/switch/", {"on": "1"})
    assert Client().get(second).status_code == 200
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert Client().get(second).status_code == 410


def test_a_made_up_link_and_that_of_another_account_set_nothing(admin_client: Client, tester: User) -> None:
    mine = invite(admin_client)[1].removeprefix("/link/").rstrip("/").partition("-")[2]
    made_up = ["x", "1", "1-", "1-a-b", "99999999999999999999-a-b", "²-a-b", "1-" + "a" * 500, f"{tester.pk}-{mine}"]
    for token in made_up:
        assert Client().get(f"/link/{token}/").status_code == 410, token
        assert set_password(f"/link/{token}/")[1] == 410, token


def test_roles_are_given_and_taken_and_made_up_ones_refused(
    admin_client: Client, tester: User, tester_client: Client
) -> None:
    assert admin_client.post(f"/accounts/{tester.pk}/roles/", {"roles": ["emperor"]}).status_code == 422
    assert tester_client.get("/playground/").status_code == 200
    admin_client.post(f"/accounts/{tester.pk}/roles/", {"roles": ["operator"]})
    assert tester_client.get("/playground/").status_code == 403
    assert tester_client.get("/knowledge/").status_code == 200
    page = admin_client.get(f"/accounts/{tester.pk}/").content.decode()
    assert re.findall(r'name="roles" value="(\w+)" checked', page) == ["operator"]
    admin_client.post(f"/accounts/{tester.pk}/roles/", {"is_admin": "on"})
    assert tester_client.get("/accounts/").status_code == 200


def test_who_is_switched_off_is_out_at_once_and_back_when_switched_on(
    admin_client: Client, tester: User, tester_client: Client, client: Client
) -> None:
    admin_client.post(f"/accounts/{tester.pk}/switch/")
    assert tester_client.get("/playground/").headers["Location"].startswith("/login/")
    assert client.post("/login/", {"username": "tester", "password": PASSWORD}).status_code == 422
    admin_client.post(f"/accounts/{tester.pk}/switch/", {"on": "1"})
    assert client.post("/login/", {"username": "tester", "password": PASSWORD}).status_code == 302


def test_the_last_administrator_stays_one(admin: User, admin_client: Client) -> None:
    invited, _ = invite(admin_client, is_admin="on")  # who never signed in doesn't count
    steps: dict[str, dict[str, object]] = {"switch": {}, "roles": {"roles": ["author"]}}
    for what, fields in steps.items():
        answer = admin_client.post(f"/accounts/{admin.pk}/{what}/", fields)
        assert (answer.status_code, "last administrator" in answer.content.decode()) == (409, True), what
    invited.set_password(NEW)
    invited.save()
    assert admin_client.post(f"/accounts/{admin.pk}/roles/", {"roles": ["author"]}).status_code == 302
    admin.refresh_from_db()
    assert (admin.is_active, admin.is_superuser) == (True, False)


def test_ones_own_password_is_changed_with_the_old_one(tester_client: Client, tester: User) -> None:
    other = Client()
    other.force_login(tester)
    form = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    assert tester_client.post("/account/password/", form).status_code == 422
    assert tester_client.post("/account/password/", form | {"old_password": PASSWORD}).status_code == 302
    assert tester_client.get("/account/").status_code == 200
    assert other.get("/account/").status_code == 302


def test_nobody_guesses_a_password_from_a_browser_that_was_left_open(tester: User, tester_client: Client) -> None:
    form = {"old_password": "a guess", "new_password1": NEW, "new_password2": NEW}
    for _ in range(5):
        assert tester_client.post("/account/password/", form).status_code == 422
    page = tester_client.post("/account/password/", form | {"old_password": PASSWORD})
    assert (page.status_code, "Too many attempts" in page.content.decode()) == (429, True)
    tester.refresh_from_db()
    assert tester.check_password(PASSWORD)


def test_a_demo_account_with_its_own_password_is_none_any_more(client: Client, db: None, settings: Settings) -> None:
    settings.DEMO = True
    demo = User.objects.create_user("demo", password="demo", is_demo=True)
    client.force_login(demo)
    client.post("/account/password/", {"old_password": "demo", "new_password1": NEW, "new_password2": NEW})
    assert not User.objects.get().is_demo
    assert Client().post("/login/demo/", {"username": "demo"}).status_code == 403
