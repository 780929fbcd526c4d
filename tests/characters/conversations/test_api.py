"""Imports through the API."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.conversations.models import Person
from characters.profiles.models import Character
from kgadmin.jobs.models import Job
from tests.characters.conversations.export_files import jsonl, talk
from tests.rest import Answer, call, get


def upload(client: Client, content: bytes) -> Answer:
    answer = client.post("/api/imports", {"file": SimpleUploadedFile("ana.jsonl", content)})
    return Answer(answer.status_code, answer.json())


def test_an_export_is_previewed_started_and_discarded(operator_client: Client, elena: Character) -> None:
    made = upload(operator_client, jsonl(*talk(4), b"{"))
    assert (made.status, made.body["preview"]["user"], made.body["refused"], made.body["job"]) == (201, 2, 1, None)
    path = f"/imports/{made.body['id']}"
    assert get(operator_client, f"{path}/refused")["items"][0]["line"] == 5
    started = call(operator_client, "POST", f"{path}/start", {"character": "elena", "who": "new", "name": "Ana"})
    assert (started.status, started.body["kind"]) == (202, "import")
    started_import = get(operator_client, path)
    assert (started_import["character"], started_import["person"]) == ("elena", Person.objects.get(name="Ana").pk)
    assert call(operator_client, "POST", f"{path}/start", {"character": "elena", "who": "new"}).status == 409
    assert call(operator_client, "DELETE", path).status == 409
    Job.objects.update(state="failed")
    assert call(operator_client, "POST", f"{path}/again").status == 202
    Job.objects.update(state="done")
    assert call(operator_client, "POST", f"{path}/again").status == 409
    assert call(operator_client, "DELETE", path).status == 204
    assert get(operator_client, "/imports")["total"] == 0
