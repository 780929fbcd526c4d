"""The editor for programs."""

from typing import Any

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.profiles.models import Character

pytestmark = pytest.mark.django_db
API = "/api/characters"
JSON = "application/json"


def send(client: Client, method: str, path: str, body: Any = None) -> Any:
    return getattr(client, method)(f"{API}{path}", body, content_type=JSON)


def digests(client: Client) -> dict[str, str]:
    found: dict[str, str] = client.get(f"{API}/ann/draft").json()["digests"]
    return found


def test_a_character_is_begun_written_published_and_copied(author_client: Client) -> None:
    made = send(author_client, "post", "", {"name": "Bo", "template": "friend"})
    assert (made.status_code, made.json()["slug"], made.json()["revision"]) == (201, "bo", None)
    sheet = author_client.get(f"{API}/bo/draft").json()["sheet"]
    edits: list[dict[str, Any]] = [{"part": f"fact:{fact['id']}", "value": None} for fact in sheet["facts"]]
    edits.append({"part": "fact:f20", "value": {"id": "f20", "predicate": "LIKES", "object": "Fog", "questions": []}})
    changed = send(author_client, "patch", "/bo/draft", {"edits": edits})
    assert changed.status_code == 200
    version = changed.json()["version"]
    assert send(author_client, "post", "/bo/publish", {"version": version, "note": "First"}).json()["number"] == 1
    assert author_client.get(f"{API}/bo").json()["facts"][0]["object"] == "Fog"
    assert send(author_client, "post", "/bo/clone").json()["name"] == "Bo (copy)"


def test_what_somebody_else_changed_is_not_overwritten(
    ann: Character, author_client: Client, other_client: Client
) -> None:
    was = digests(author_client)["name"]
    send(other_client, "patch", "/ann/draft", {"edits": [{"part": "name", "value": "Anna", "was": was}]})
    edit = {"part": "name", "value": "Anne", "was": was}
    refused = send(author_client, "patch", "/ann/draft", {"edits": [{"part": "identity", "value": "x"}, edit]})
    assert refused.status_code == 409
    assert "This was changed meanwhile; outsider saved last" in refused.json()["detail"]
    sheet = drafts.draft_of(ann).sheet
    assert sheet.name == "Anna"
    assert sheet.identity != "x"


def test_what_is_no_part_or_no_value_is_refused(ann: Character, author_client: Client) -> None:
    cases: list[tuple[str, Any, str]] = [
        ("weather", "x", "is no part of a sheet"),
        ("fact:f1", "x", "its id must be 'f1'"),
        ("fact:f1", {"id": "f2", "predicate": "LIKES", "object": "x"}, "its id must be 'f1'"),
        ("fact:f1", {"id": "f1"}, "it is missing"),
        ("fact order", "f1", "a list of their ids"),
        ("fact order", [1], "a list of their ids"),
        ("name", 7, "it must be text"),
        ("identity", None, "it must be text"),
        ("settings", {"depth": 1}, "no key of a sheet"),
        ("identity", "a\0b", "can't be stored"),
    ]
    for part, value, said in cases:
        answer = send(author_client, "patch", "/ann/draft", {"edits": [{"part": part, "value": value}]})
        assert answer.status_code == 422, (part, value)
        assert said in answer.json()["detail"], (part, value)
    assert drafts.draft_of(ann).version == 1


def test_yaml_is_written_and_its_errors_have_a_place(ann: Character, author_client: Client) -> None:
    written = send(author_client, "put", "/ann/draft/yaml", {"version": 1, "yaml": "# sea\nfacts: [fog]\n"})
    assert (written.status_code, written.json()["version"]) == (200, 2)
    broken = send(author_client, "put", "/ann/draft/yaml", {"version": 2, "yaml": "facts: ["})
    assert broken.status_code == 422
    assert "line 1, column 9" in broken.json()["detail"]
    assert author_client.get(f"{API}/ann/draft/yaml").json()["yaml"] == "facts: ["
    late = send(author_client, "put", "/ann/draft/yaml", {"version": 1, "yaml": "facts: []\n"})
    assert late.status_code == 409


def test_a_text_with_an_error_is_not_erased_by_a_program_that_has_not_seen_it(
    ann: Character, author_client: Client, other_client: Client
) -> None:
    send(author_client, "put", "/ann/draft/yaml", {"version": 1, "yaml": "facts: ["})
    mended = {"version": 1, "yaml": "facts: [fog]\n"}
    unseen = send(other_client, "put", "/ann/draft/yaml", mended)
    assert unseen.status_code == 409
    assert "author typed another text meanwhile" in unseen.json()["detail"]
    found = other_client.get(f"{API}/ann/draft/yaml").json()
    assert (found["version"], found["yaml"]) == (1, "facts: [")
    seen = send(other_client, "put", "/ann/draft/yaml", mended | {"seen": found["seen"]})
    assert (seen.status_code, seen.json()["seen"]) == (200, "")


def test_sheets_are_compared_and_made_live_again(ann: Character, author_client: Client) -> None:
    edit = {"part": "identity", "value": "You are {{char}}, who waits."}
    send(author_client, "patch", "/ann/draft", {"edits": [edit, {"part": "fact:f1", "value": None}]})
    found = author_client.get(f"{API}/ann/changes?from=live&to=draft").json()
    assert [(fact["id"], fact["after"]) for fact in found["facts"]] == [("f1", None)]
    assert found["parts"][0]["part"] == "identity"
    told = [each["text"] for each in found["parts"][0]["pieces"] if each["kind"] != "removed"]
    assert "".join(told) == edit["value"]
    send(author_client, "post", "/ann/publish", {"version": 2})
    assert send(author_client, "post", "/ann/revisions/1/revert").json()["number"] == 3
    assert author_client.get(f"{API}/ann/changes?from=1&to=live").json() == {"facts": [], "parts": []}


def test_a_draft_that_was_seen_is_discarded_and_one_that_was_never_published_is_not(
    ann: Character, author_client: Client
) -> None:
    drafts.save(ann, [Edit("name", "Anna")], by=None)
    assert send(author_client, "delete", "/ann/draft?version=1").status_code == 409
    assert drafts.draft_of(ann).document["name"] == "Anna"
    assert send(author_client, "delete", "/ann/draft?version=2").json()["published"]
    send(author_client, "post", "", {"name": "Bo"})
    assert send(author_client, "delete", "/bo/draft").status_code == 422
    assert author_client.get(f"{API}/bo/changes").status_code == 404


def test_a_draft_that_is_not_fit_is_not_published(ann: Character, author_client: Client) -> None:
    send(author_client, "patch", "/ann/draft", {"edits": [{"part": "identity", "value": " "}]})
    answer = send(author_client, "post", "/ann/publish", {"version": 2})
    assert answer.status_code == 422
    assert "identity: it is empty" in answer.json()["detail"]
    assert send(author_client, "post", "/ann/publish", {"version": 1}).status_code == 409


def test_who_may_only_read_compares_what_was_published(ann: Character, operator_client: Client) -> None:
    assert operator_client.get(f"{API}/ann/changes?from=draft").status_code == 404
    assert operator_client.get(f"{API}/ann/changes?from=1").status_code == 200


def test_an_archived_character_is_restored(ann: Character, author_client: Client) -> None:
    assert send(author_client, "post", "/ann/archive").status_code == 200
    assert not Character.objects.filter(archived_at=None).exists()
    for path, body in (("publish", {"version": 1}), ("revisions/1/revert", None)):
        refused = send(author_client, "post", f"/ann/{path}", body)
        assert (refused.status_code, refused.json()["detail"]) == (422, "Ann Holm is archived: restore it first.")
    send(author_client, "post", "/ann/restore")
    assert Character.objects.filter(archived_at=None).exists()
