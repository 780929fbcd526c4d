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


def test_yaml_is_written_and_its_errors_have_a_place(ann: Character, author_client: Client) -> None:
    written = send(author_client, "put", "/ann/draft/yaml", {"version": 1, "yaml": "# sea\nfacts: [fog]\n"})
    assert (written.status_code, written.json()["version"]) == (200, 2)
    broken = send(author_client, "put", "/ann/draft/yaml", {"version": 2, "yaml": "facts: ["})
    assert broken.status_code == 422
    assert "line 1, column 9" in broken.json()["detail"]
    assert author_client.get(f"{API}/ann/draft/yaml").json()["yaml"] == "facts: ["


def test_sheets_are_compared_and_made_live_again(
    ann: Character, author_client: Client, operator_client: Client
) -> None:
    edit = {"part": "identity", "value": "You are {{char}}, who waits."}
    send(author_client, "patch", "/ann/draft", {"edits": [edit, {"part": "fact:f1", "value": None}]})
    body = author_client.get(f"{API}/ann/changes?from=live&to=draft").json()
    assert [(fact["id"], fact["after"]) for fact in body["facts"]] == [("f1", None)]
    assert body["parts"][0]["part"] == "identity"
    texts = [each["text"] for each in body["parts"][0]["pieces"] if each["kind"] != "removed"]
    assert "".join(texts) == edit["value"]
    send(author_client, "post", "/ann/publish", {"version": 2})
    assert send(author_client, "post", "/ann/revisions/1/revert").json()["number"] == 3
    assert operator_client.get(f"{API}/ann/changes?from=1&to=live").json() == {"facts": [], "parts": []}
    assert operator_client.get(f"{API}/ann/changes?from=draft").status_code == 404


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


def test_an_archived_character_is_restored(ann: Character, author_client: Client) -> None:
    assert send(author_client, "post", "/ann/archive").status_code == 200
    assert not Character.objects.filter(archived_at=None).exists()
    for path, body in (("publish", {"version": 1}), ("revisions/1/revert", None)):
        refused = send(author_client, "post", f"/ann/{path}", body)
        assert (refused.status_code, refused.json()["detail"]) == (422, "Ann Holm is archived. Unarchive it first.")
    send(author_client, "post", "/ann/restore")
    assert Character.objects.filter(archived_at=None).exists()
