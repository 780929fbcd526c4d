"""Import and export on their pages and for programs: upload, preview, take, download; who may."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.cards import imports
from characters.cards.api import FormName
from characters.cards.exports import FORMATS, ORIGINAL
from characters.profiles import access
from characters.profiles import services as profiles
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character
from kgadmin.accounts.keys import client_named, create_key
from kgadmin.accounts.models import User
from tests.characters.cards.examples import V2, V3, WORLD, as_charx, as_json, as_picture
from tests.characters.profiles.sheets import sheet
from tests.rest import with_key

IMPORT = "/characters/import/"


@pytest.fixture
def ann(author: User) -> Character:
    return profiles.create_character(slug="ann", sheet=sheet(), by=author)


@pytest.fixture
def other_client(outsider: User, outsider_client: Client) -> Client:
    """Another author's."""
    outsider.groups.set([Group.objects.get(name="author")])
    return outsider_client


def send(client: Client, content: bytes, name: str = "ann.json", **form: Any) -> HttpResponse:
    answer: HttpResponse = client.post(IMPORT, {"file": SimpleUploadedFile(name, content), **form})  # type: ignore[assignment]
    return answer


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_file_is_shown_with_its_hidden_characters_before_it_becomes_a_draft(author_client: Client) -> None:
    hiding = V3["data"] | {"nickname": "Ann\u2060ie", "scenario": "Obey.\U000e0041\U000e0042 Mind the fog."}
    answer = send(author_client, as_picture(chara=V2, ccv3=V3 | {"data": hiding}), "ann.png")
    row = CardRow.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{IMPORT}{row.pk}/")
    page = words(author_client.get(f"{IMPORT}{row.pk}/"))
    for text in (
        "Creates the character <b>Ann Holm</b>.",
        "The first message of a new conversation",
        "1 included when a key is mentioned, 1 always included, as space permits, 1 switched off",
        "1 entry also searched by meaning, once published: in the knowledge base “Sønderklint”",
        "Stored for export, not used in prompts",
        "only other programs use: @@somebody_elses.",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        'U+2060 word joiner">U+2060</span>ie',
        "U+E0041, U+E0042</span> Mind the fog.",
    ):
        assert text in page
    assert "<script>alert" not in page
    assert not Character.objects.exists()
    assert "ann.png" in words(author_client.get(IMPORT))
    taken = author_client.post(f"{IMPORT}{row.pk}/take/")
    assert (taken.status_code, taken.headers["Location"]) == (302, "/characters/ann-holm/edit/")
    assert author_client.get(f"{IMPORT}{row.pk}/").headers["Location"] == "/characters/ann-holm/edit/"
    assert Character.objects.get().live_revision is None
    send(author_client, as_json(V2))
    for card in CardRow.objects.all():  # a preview is thrown away, what was imported is not
        assert author_client.post(f"{IMPORT}{card.pk}/discard/").headers["Location"] == IMPORT
    assert CardRow.objects.get() == row


def test_a_lorebook_asks_for_a_character(author_client: Client, other_client: Client, ann: Character) -> None:
    send(author_client, as_json(WORLD), "isles.json")
    row = CardRow.objects.get()
    assert '<option value="ann"> Ann Holm </option>' in words(author_client.get(f"{IMPORT}{row.pk}/"))
    refused = author_client.post(f"{IMPORT}{row.pk}/take/")
    assert (refused.status_code, "Choose one." in words(refused)) == (422, True)
    author_client.post(f"{IMPORT}{row.pk}/take/", {"character": "ann"})
    assert len(drafts.draft_of(ann).sheet.lore) == 2
    send(other_client, as_json(WORLD), "isles.json")
    assert "you have none yet" in words(other_client.get(f"{IMPORT}{CardRow.objects.latest('pk').pk}/"))


def test_a_lorebook_goes_to_nobody_whom_one_may_not_edit(
    author_client: Client, other_client: Client, outsider: User, ann: Character
) -> None:
    send(other_client, as_json(WORLD), "isles.json")
    take = f"{IMPORT}{CardRow.objects.get().pk}/take/"
    assert other_client.post(take, {"character": "ann"}).status_code == 404
    access.share(character=ann, user=outsider, may_edit=False, by=None)
    assert other_client.post(take, {"character": "ann"}).status_code == 403
    assert not drafts.draft_of(ann).sheet.lore


def test_every_form_is_offered_and_comes_as_a_file(author_client: Client, author: User) -> None:
    ann = imports.take(imports.upload(name="ann ü.png", content=as_picture(ccv3=V3), by=author), by=author)
    page = words(author_client.get(f"/characters/{ann.slug}/exports/"))
    assert "The draft (nothing is published yet)" in page
    for form, kind in FORMATS.items():
        assert f"/characters/ann-holm/exports/{form}" in page
        answer = author_client.get(f"/characters/ann-holm/exports/{form}")
        assert answer.headers["Content-Type"] == kind.content_type
        assert answer.headers["Content-Disposition"] == f'attachment; filename="ann-holm.{kind.ending}"'
        imports.read(answer.content)
    original = author_client.get("/characters/ann-holm/exports/original")
    assert original.content == as_picture(ccv3=V3)
    assert "ann%20%C3%BC.png" in original.headers["Content-Disposition"]
    book = json.loads(author_client.get("/characters/ann-holm/exports/lorebook.json").content)
    assert len(book["data"]["entries"]) == 3


def test_whoever_only_reads_gets_the_live_sheet_and_no_original(
    author_client: Client, tester_client: Client, author: User
) -> None:
    ann = imports.take(imports.upload(name="ann.json", content=as_json(V2), by=author), by=author)
    profiles.publish(ann, sheet=drafts.draft_of(ann).sheet, by=author)
    drafts.save(ann, [drafts.Edit("system_prompt", "Not yet.")], by=author)
    path = f"/characters/{ann.slug}/exports/"
    assert author_client.get(f"{path}original").status_code == 200
    assert json.loads(tester_client.get(f"{path}card-v2.json").content) == V2
    assert f"{path}original" not in tester_client.get(path).content.decode()
    for address in (f"{path}original", f"/api/characters/{ann.slug}/export/original"):
        assert tester_client.get(address).status_code == 404, address


def test_an_imported_lorebook_is_exported_as_it_is_live(
    author_client: Client, tester_client: Client, author: User, ann: Character
) -> None:
    row = imports.upload(name="isles.json", content=as_json(WORLD), by=author)
    imports.take(row, by=author, character=ann)
    path = f"/characters/ann/exports/lorebooks/{row.pk}/"
    assert json.loads(author_client.get(path).content) == WORLD
    assert "it is in the draft only" in words(author_client.get("/characters/ann/exports/"))
    assert tester_client.get(path).status_code == 404
    assert "isles.json" not in words(tester_client.get("/characters/ann/exports/"))

    profiles.publish(ann, sheet=drafts.draft_of(ann).sheet, by=author)
    drafts.save(ann, [drafts.Edit(f"lore:b{row.pk}-1", None)], by=author)
    for client in (author_client, tester_client):
        assert json.loads(client.get(path).content) == WORLD
        page = words(client.get("/characters/ann/exports/"))
        assert ("isles.json" in page, "in the draft only" in page) == (True, False)


def send_program(client: Client, content: bytes, *, query: str = "", **form: Any) -> Any:
    return client.post(f"/api{IMPORT.rstrip('/')}{query}", {"file": SimpleUploadedFile("card", content), **form})


def test_a_preview_imports_nothing(author_client: Client) -> None:
    answer = send_program(author_client, as_json(V2), query="?preview=true")
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
    answer = send_program(program, as_charx(V3))
    assert (answer.status_code, answer.json()["character"]) == (201, "ann-holm")
    made = program.get("/api/characters/ann-holm/export/card-v3.json")
    assert (made.headers["Content-Type"], made.json()["data"]["name"]) == ("application/json", "Ann Holm")
    assert program.get("/api/characters/ann-holm/export/original").content == as_charx(V3)


def test_the_api_names_every_form_that_there_is() -> None:
    named = set(FormName.__args__[0].__args__)  # type: ignore[attr-defined]
    assert named == {*FORMATS, ORIGINAL}
