"""Hostile files through the upload door: refused with a sentence or taken safely, and never by half."""

import base64
import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.cards import imports
from characters.domain.sheet import Settings, Sheet
from characters.profiles import services as profiles
from characters.profiles.documents import MAX_LORE
from characters.profiles.models import Card, Character
from kgadmin.knowledge.models import Document, KnowledgeBase
from kgadmin.rest import archives
from kgadmin.rest.actions import Refused
from tests.characters.cards.examples import V3, as_charx, as_json, exported, sent_out, with_data
from tests.characters.cards.test_png import chunk, picture
from tests.characters.cards.test_views import send


def bomb_in_another_packing() -> bytes:
    """Nothing of how it is packed says when to stop."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("card.json", b"0" * 2_000_000)
    return stream.getvalue()


def with_a_lying_header() -> bytes:
    """The directory says that the entry unpacks to 100 bytes."""
    content = bytearray(archives.write({"card.json": b" " * 5_000 + as_json(V3)}))
    place = content.rindex(b"PK\x01\x02") + 24
    content[place : place + 4] = (100).to_bytes(4, "little")
    return bytes(content)


def test_what_is_no_card_or_a_bomb_is_refused_with_a_sentence() -> None:
    in_archive = {"card.json": as_json(V3)}
    for content, why in (
        (b"GIF89a\x01\x00", "kind of picture can't contain a card"),
        (b"{", "isn't JSON in UTF-8: .*line 1 column 2"),
        (b'{"name": NaN}', "an infinite number"),
        (b"[" * 200_000, "nests too deeply"),
        (b'{"name": "a", "description": "", "x": ' + b'{"a":' * 200 + b"1" + b"}" * 201, "nests too deeply"),
        (as_json({"data": {"name": "Ann"}}), "doesn't name its specification"),
        (with_data(name="\u200b\u3164 "), "no visible name"),
        (with_data(first_mes=["Ahoy"]), "`first_mes`: Input should be a valid string"),
        (
            with_data(character_book={"entries": [{"content": 1}]}),
            "`character_book.entries.0.content`: Input should be",
        ),
        (with_data(description="A" * 9_000_000), "the limit is 8 MB"),
        (with_data(description="a\0b"), "null byte"),
        (b"\x89PNG\r\n\x1a\n" + b"0" * 61_000_000, "61 MB; the limit is 60"),
        (picture(), "holds no character card"),
        (archives.write({"notes.txt": b"x"}), "holds no card.json"),
        (archives.write(in_archive | {"../../etc/passwd": b"x"}), "outside its folder"),
        (archives.write(in_archive | {"a": b"0" * 30_000_000, "b": b"0" * 30_000_000}), "unpacks to 60 MB"),
        (archives.write(in_archive)[:-30], "archive is damaged"),
        (bomb_in_another_packing(), "unsupported compression"),
        (with_a_lying_header(), "archive is damaged"),
        (picture(chunk(b"prVt", b"") * 100_001), "incomplete"),
        (
            archives.write({"character.md": b"x", "background.yaml": b"a: &a [x]\nname: [*a, *a]"}),
            "anchors and aliases",
        ),
    ):
        with pytest.raises(Refused, match=why):
            imports.read(content)


def test_of_a_file_that_is_too_large_nothing_is_read() -> None:
    file = SimpleUploadedFile("card.png", b"")
    file.size = 61_000_000
    file.close()
    with pytest.raises(Refused, match="61 MB; the limit is 60"):
        imports.content_of(file)


def test_what_is_refused_is_said_on_the_page_and_nothing_stays(author_client: Client) -> None:
    for content, why in (
        (archives.write({"card.json": b"0" * 51_000_000}), "unpacks to 51 MB"),
        (with_data(scenario="x" * 100_001), "at most 100000 characters"),
        (b"GIF89a", "kind of picture can&#x27;t contain a card"),
    ):
        answer = send(author_client, content)
        assert (answer.status_code, why in answer.content.decode()) == (422, True), why
    assert not (Card.objects.exists() or Character.objects.exists() or KnowledgeBase.objects.exists())


def imported(client: Client, content: bytes) -> tuple[Character, Sheet]:
    address = send(client, content).headers["Location"]
    assert client.get(address).status_code == 200
    assert client.post(f"{address}take/").status_code == 302
    character = Character.objects.get()
    return character, drafts.draft_of(character).sheet


def test_more_entries_than_a_sheet_has_room_for_are_taken_safely(author_client: Client) -> None:
    last = MAX_LORE + 99
    entries = [
        {"keys": [f"key{n}"], "content": f"Entry {n}.", "enabled": True, "insertion_order": n, "constant": n == last}
        for n in range(last + 1)
    ]
    character, sheet = imported(author_client, with_data(character_book={"entries": entries}))
    assert (len(sheet.lore), sheet.lore[-1].content) == (MAX_LORE, f"Entry {last}.")
    profiles.publish(character, sheet=sheet, by=None)
    assert bytes(Document.objects.get().content).count(b"\n## ") == MAX_LORE - 1  # the last one is always told
    exported = json.loads(author_client.get(f"/characters/{character.slug}/exports/card-v2.json").content)
    assert [entry["content"] for entry in exported["data"]["character_book"]["entries"]] == [
        entry["content"] for entry in entries
    ]


def test_a_key_that_a_card_says_is_ours_can_do_nothing(author_client: Client) -> None:
    ours = {"facts": [{"id": 1}], "settings": {"stages_off": ["prompt"]}, "personas": "x", "owner": "admin"}
    character, sheet = imported(author_client, with_data(extensions={"kgadmin": ours}))
    assert (sheet.facts, sheet.personas, character.owner and character.owner.username) == ((), (), "author")
    assert sheet.settings == Settings()


def test_no_file_of_a_picture_leaves_the_archive_or_takes_the_place_of_the_card() -> None:
    uris = [f"__asset:{path}" for path in ("../../x.png", "/etc/x.png", "C:\\x.png", "a/../../x", "a\x01", "card.json")]
    assets = [{"type": "other", "uri": uri, "name": uri, "ext": "png"} for uri in uris]
    texts = [chunk(b"tEXt", f"chara-ext-asset_:{uri[8:]}".encode() + b"\0" + b"QUFB") for uri in uris]
    card = chunk(b"tEXt", b"ccv3\0" + base64.b64encode(as_json(V3 | {"data": V3["data"] | {"assets": assets}})))
    made = archives.read(sent_out("card.charx", picture(*texts, card)))
    assert made.keys() == {"card.json"}
    assert json.loads(made["card.json"])["data"]["name"] == V3["data"]["name"]


def test_an_archive_behind_a_picture_and_long_texts_that_only_others_read_are_taken() -> None:
    assert exported("card.charx", b"\xff\xd8\xff\xe0 a picture \xff\xd9" + as_charx(V3)).raw == V3
    long = "x" * 200_000
    entry = {"keys": ["a"], "content": "x", "extensions": {"theirs": long}}
    book = {"extensions": {"theirs": long}, "entries": [entry]}
    card = with_data(extensions={"theirs": {"deep": [long]}}, creator_notes=long, character_book=book, theirs=long)
    assert sent_out("card-v2.json", card).count(long.encode()) == 5
