"""Import and export for programs."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.cards.api import FormName
from characters.cards.exports import FORMATS, ORIGINAL
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character
from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import User
from tests.characters.cards.examples import V2, V3, as_charx, as_json
from tests.rest import with_key

IMPORT = "/api/characters/import"


def send(client: Client, content: bytes, *, query: str = "", **form: Any) -> Any:
    return client.post(IMPORT + query, {"file": SimpleUploadedFile("card", content), **form})


def test_a_preview_imports_nothing(author_client: Client) -> None:
    answer = send(author_client, as_json(V2), query="?preview=true")
    preview = answer.json()
    assert (answer.status_code, preview["character"], preview["name"]) == (201, None, "Ann Holm")
    assert {row["part"] for row in preview["rows"]} >= {"Greeting", "Lorebook", "System prompt"}
    assert preview["notes"] == [
        "Instructions at the start of entries that only other programs use: @@somebody_elses. "
        "They are stored for export."
    ]
    assert not (Character.objects.exists() or CardRow.objects.exists())


def test_a_card_is_imported_and_exported_with_a_key(author: User) -> None:
    _, text = create_key(client_named("a bot", by=author), scopes=["read", "write"], by=None)
    program = with_key(text)
    answer = send(program, as_charx(V3))
    assert (answer.status_code, answer.json()["character"]) == (201, "ann-holm")
    made = program.get("/api/characters/ann-holm/export/card-v3.json")
    assert (made.headers["Content-Type"], made.json()["data"]["name"]) == ("application/json", "Ann Holm")
    assert program.get("/api/characters/ann-holm/export/original").content == as_charx(V3)


def test_the_api_names_every_form_that_there_is() -> None:
    named = set(FormName.__args__[0].__args__)  # type: ignore[attr-defined]
    assert named == {*FORMATS, ORIGINAL}
