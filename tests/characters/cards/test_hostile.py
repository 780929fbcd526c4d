"""Hostile files through the upload door: refused with a sentence or taken safely, and never by half."""

import base64
import io
import json
import zipfile
import zlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.cards import archive, png, reading, uploads
from characters.cards.errors import CardError
from characters.cards.reading import Card as CardFile
from characters.domain.sheet import Settings, Sheet
from characters.profiles import documents
from characters.profiles import services as profiles
from characters.profiles.documents import MAX_LORE
from characters.profiles.models import Card, Character
from kgadmin.knowledge.models import Document, KnowledgeBase
from tests.characters.cards.examples import DATA, V2, V3, as_charx, as_json, as_picture
from tests.characters.cards.test_png import chunk, picture


def with_data(**changed: Any) -> bytes:
    return as_json(V2 | {"data": DATA | changed})


def bomb(levels: int = 1) -> bytes:
    content = b"0" * 40_000_000
    for _ in range(levels):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr("card.json", content)
        content = stream.getvalue()
    return content


def encrypted() -> bytes:
    content = bytearray(archive.write({"card.json": as_json(V3)}))
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def wrong_crc() -> bytes:
    content = bytearray(as_picture(chara=V2))
    content[content.index(b"chara") + 20] ^= 1
    return bytes(content)


def bomb_in_another_packing() -> bytes:
    """Its header says 100 bytes; nothing of how it is packed says when to stop."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("card.json", b"0" * 30_000_000)
    return stream.getvalue()


def with_a_lying_header() -> bytes:
    """The directory says that the entry unpacks to 100 bytes."""
    content = bytearray(archive.write({"card.json": b" " * 5_000 + as_json(V3)}))
    place = content.rindex(b"PK\x01\x02") + 24
    content[place : place + 4] = (100).to_bytes(4, "little")
    return bytes(content)


def damaged() -> bytes:
    content = bytearray(archive.write({"card.json": as_json(V3)}))
    content[60:90] = bytes(30)
    return bytes(content)


REFUSED = {
    "a zip bomb in another packing": (bomb_in_another_packing(), "packed in an unusual way"),
    "a zip that lies of its size": (with_a_lying_header(), "archive is damaged"),
    "a zip with damaged bytes": (damaged(), "archive is damaged"),
    "a picture of many packed texts": (
        picture(*(chunk(b"zTXt", b"key%d\0\0" % n + zlib.compress(b"0" * 15_000_000)) for n in range(8))),
        "unpack to more than 100 MB",
    ),
    "a number of thousands of digits": (b'{"spec": "chara_card_v2", "x": ' + b"1" * 5_000 + b"}", "too long to be one"),
    "a zip bomb": (bomb(), "unpacks to far more than it is"),
    "a zip bomb in a zip": (bomb(2), "isn’t JSON|isn&#x27;t JSON|isn&#x27;t UTF-8"),
    "a zip of many files": (archive.write({f"{n}": b"" for n in range(1_001)}), "1001 files"),
    "a path that leads out": (archive.write({"card.json": as_json(V3), "../../x.py": b"x"}), "points out of it"),
    "a path that leads to a drive": (archive.write({"card.json": as_json(V3), "C:\\x": b"x"}), "points out of it"),
    "an encrypted zip": (encrypted(), "archive is damaged"),
    "50 MB of base64 in JSON": (with_data(description="A" * 50_000_000), "at most 8 are taken"),
    "50 MB of base64 in a picture": (picture(chunk(b"tEXt", b"chara\0" + b"QUFB" * 12_500_000)), "larger than 8 MB"),
    "more than 60 MB": (b"\x89PNG\r\n\x1a\n" + b"0" * 61_000_000, "61 MB; at most 60"),
    "a text that unpacks to much": (
        picture(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"A" * 60_000_000))),
        "larger than 16 MB",
    ),
    "a picture that is cut off": (as_picture(chara=V2)[:300], "cut off"),
    "a picture with a wrong checksum": (wrong_crc(), "checksum"),
    "a length that is a lie": (picture()[:8] + b"\xff\xff\xff\xff" + picture()[12:], "cut off"),
    "a wrong version": (as_json(V2 | {"spec": "chara_card_v9"}), "Cards are of chara_card_v2 or chara_card_v3"),
    "more than 10,000 entries": (
        with_data(character_book={"entries": [{"keys": ["a"], "content": "b"}] * 10_001}),
        "10001 entries; at most 10000",
    ),
    "a null byte": (with_data(description="a\0b"), "null byte"),
    "half a character": (b'{"name": "\\ud800", "description": ""}', "half of a character"),
    "a number that is none": (b'{"name": "a", "description": "", "x": 1e999}', "no number"),
    "lists in lists": (b'{"name": "a", "description": "", "x": ' + b"[" * 99_999, "nests too deeply"),
    "objects in objects": (
        b'{"name": "a", "description": "", "x": ' + b'{"a":' * 200 + b"1" + b"}" * 201,
        "nests too deeply",
    ),
    "a picture of a million parts": (picture(chunk(b"prVt", b"") * 1_000_000), "more than 100,000 parts"),
    "a very long text": (with_data(scenario="x" * 100_001), "at most 100,000 are taken"),
    "YAML that stands for itself many times": (
        archive.write({"character.md": b"x", "background.yaml": b"a: &a [x]\nname: [*a, *a]"}),
        "anchors and aliases",
    ),
    "a folder with a null byte": (archive.write({"character.md": b"a\0", "background.yaml": b"name: A"}), "null byte"),
    "nothing": (b"", "isn&#x27;t JSON|empty"),
}


def send(client: Client, content: bytes, name: str = "card.png") -> Any:
    return client.post("/characters/import/", {"file": SimpleUploadedFile(name, content)})


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_with_a_sentence_and_nothing_stays(author_client: Client, what: str) -> None:
    content, why = REFUSED[what]
    answer = send(author_client, content)
    assert answer.status_code == 400
    said = answer.content.decode()
    assert any(each in said for each in why.split("|")), said[said.find('role="alert"') :][:300]
    assert not (Card.objects.exists() or Character.objects.exists() or KnowledgeBase.objects.exists())


def imported(client: Client, content: bytes) -> tuple[Character, Sheet]:
    address = send(client, content).headers["Location"]
    assert client.get(address).status_code == 200
    assert client.post(f"{address}take/").status_code == 302
    character = Character.objects.get()
    return character, drafts.draft_of(character).sheet


def test_ten_thousand_entries_are_taken_safely(author_client: Client) -> None:
    entries = [
        {"keys": [f"key{n}"], "content": f"Entry {n}.", "enabled": True, "insertion_order": n, "constant": n == 9_999}
        for n in range(10_000)
    ]
    character, sheet = imported(author_client, with_data(character_book={"entries": entries}))
    assert (len(sheet.lore), sheet.lore[-1].content) == (MAX_LORE, "Entry 9999.")
    profiles.publish(character, sheet=sheet, by=None)
    assert bytes(Document.objects.get().content).count(b"\n## ") == MAX_LORE - 1  # the last one is always told
    exported = json.loads(author_client.get(f"/characters/{character.slug}/exports/card-v2.json").content)
    assert [entry["content"] for entry in exported["data"]["character_book"]["entries"]] == [
        entry["content"] for entry in entries
    ]


def test_a_script_in_a_greeting_is_text_everywhere(author_client: Client) -> None:
    script = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    address = send(author_client, with_data(first_mes=script, name=script, alternate_greetings=[])).headers["Location"]
    page = author_client.get(address).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    author_client.post(f"{address}take/")
    character = Character.objects.get()
    assert profiles.SLUG.fullmatch(character.slug)
    assert "<script>alert" not in author_client.get(f"/characters/{character.slug}/exports/").content.decode()


def test_names_in_an_archive_are_only_names(author_client: Client, author: Any) -> None:
    files = {"card.json": as_json(V3), "assets/<b>.png": b"x", "con": b"x", "a/./b": b"y"}
    character, _ = imported(author_client, archive.write(files))
    made = author_client.get(f"/characters/{character.slug}/exports/card.charx").content
    assert archive.read(made).keys() == files.keys()


def test_a_key_that_a_card_says_is_ours_can_do_nothing(author_client: Client) -> None:
    ours = {"facts": [{"id": 1}], "settings": {"stages_off": ["prompt"]}, "personas": "x", "owner": "admin"}
    character, sheet = imported(author_client, with_data(extensions={"kgadmin": ours}))
    assert (sheet.facts, sheet.personas, character.owner and character.owner.username) == ((), (), "author")
    assert sheet.settings == Settings()


BAD_PARTS: dict[str, Any] = {
    "facts": [{"id": "f1", "predicate": "IS_A", "object": "x" * 2_001}],
    "settings": {"ambient": {"depth": 99}},
    "personas": [{"slug": "a", "name": "A", "instructions": "", "default": True}] * 2,
    "anchors": ["sea", 3],
}


@pytest.mark.parametrize("part", BAD_PARTS)
def test_a_broken_part_of_ours_is_left_out_and_said_and_the_card_comes_in(author_client: Client, part: str) -> None:
    ours = {"anchors": ["lamp"], "facts": [{"id": "f1", "predicate": "IS_A", "object": "diver"}], "told": ["It is so."]}
    card = with_data(
        description="She dives.\n\n## Facts\n\n- It is so.", extensions={"kgadmin": ours | {part: BAD_PARTS[part]}}
    )
    address = send(author_client, card).headers["Location"]
    assert f"The {part} that kgadmin kept in this card are left out: " in author_client.get(address).content.decode()
    author_client.post(f"{address}take/")
    sheet = drafts.draft_of(Character.objects.get()).sheet
    documents.check(sheet)
    assert (sheet.anchors == ("lamp",), len(sheet.facts) == 1) == (part != "anchors", part != "facts")
    assert ("## Facts" in sheet.identity) == (part == "facts")  # the only place that has them then


WAYS_OUT = (
    "../../x.png",
    "/etc/x.png",
    "C:\\x.png",
    "a/../../x",
    "card.json",
    "./Card.JSON",
    "card.json./x",
    "a\x01",
    "x" * 401,
)


def test_no_file_of_a_picture_leaves_the_archive_or_takes_the_place_of_the_card(author_client: Client) -> None:
    uris = [f"__asset:{path}" for path in WAYS_OUT if len(path) < 60]
    assets = [{"type": "other", "uri": uri, "name": uri, "ext": "png"} for uri in uris]
    texts = [chunk(b"tEXt", f"chara-ext-asset_:{uri[8:]}".encode() + b"\0" + b"QUFB") for uri in uris]
    main = {"type": "icon", "uri": "embeded://CARD.json", "name": "main", "ext": "png"}
    card = chunk(
        b"tEXt", b"ccv3\0" + base64.b64encode(as_json(V3 | {"data": V3["data"] | {"assets": [main, *assets]}}))
    )
    character, _ = imported(author_client, picture(*texts, card))
    made = archive.read(author_client.get(f"/characters/{character.slug}/exports/card.charx").content)
    shown = json.loads(made.pop("card.json"))
    assert shown["data"]["name"] == V3["data"]["name"]
    assert all(archive.is_safe(name) for name in made)
    first, *others = shown["data"]["assets"]
    assert png.is_whole(made[first["uri"].removeprefix("embeded://")])
    assert [made[each["uri"].removeprefix("embeded://")] for each in others] == [b"AAA"] * len(uris)
    assert [each["name"] for each in others] == uris


@pytest.mark.parametrize("path", WAYS_OUT)
def test_a_name_that_leads_out_becomes_one_that_doesnt(path: str) -> None:
    made = archive.safe(path)
    assert (archive.is_safe(path), archive.is_safe(made), made.startswith("assets/other/")) == (False, True, True)
    assert archive.safe("assets/icon/images/灯.png") == "assets/icon/images/灯.png"


def test_a_file_is_what_it_holds_whatever_it_is_called(author_client: Client) -> None:
    address = send(author_client, as_json(V2), "../../etc/passwd\n.exe").headers["Location"]
    assert author_client.get(address).status_code == 200
    assert "/" not in Card.objects.get().name


def test_the_limits_are_those_that_the_page_says(author_client: Client) -> None:
    page = author_client.get("/characters/import/").content.decode()
    assert f"Up to {reading.MAX_FILE // 1_000_000} MB" in page


@pytest.mark.parametrize("key", ["a\ud800", "a\x00"])
@pytest.mark.parametrize("where", ["card", "world", "lorebook_v3"])
def test_a_key_that_no_engine_can_store_is_refused(author_client: Client, where: str, key: str) -> None:
    book = {"entries": [{"keys": ["a"], "content": "x", key: 1}]}
    files = {
        "card": V2 | {"data": V2["data"] | {"extensions": {"deep": [{key: 1}]}}},
        "world": {"entries": {"0": {"key": ["a"], "content": "x", "deep": {key: 1}}}},
        "lorebook_v3": {"spec": "lorebook_v3", "data": book},
    }
    content = json.dumps(files[where]).encode()
    assert "half of a character" in send(author_client, content).content.decode()
    assert not Card.objects.exists()


def test_what_only_other_programs_read_may_be_of_any_length(author_client: Client) -> None:
    long = "x" * 200_000
    entry = {"keys": ["a"], "content": "x", "extensions": {"theirs": long}}
    book = {"extensions": {"theirs": long}, "entries": [entry]}
    card = with_data(extensions={"theirs": {"deep": [long]}}, creator_notes=long, character_book=book, theirs=long)
    character, _ = imported(author_client, card)
    made = author_client.get(f"/characters/{character.slug}/exports/card-v2.json").content
    assert made.count(long.encode()) == 5


@pytest.mark.parametrize(("good", "bad"), [("chara", "ccv3"), ("ccv3", "chara")])
@pytest.mark.parametrize("text", [b"!", base64.b64encode(b"{}")])
def test_of_two_cards_in_a_picture_the_one_that_can_be_read_is_taken(
    author_client: Client, good: str, bad: str, text: bytes
) -> None:
    whole = base64.b64encode(as_json(V2 if good == "chara" else V3))
    content = picture(*(chunk(b"tEXt", f"{name}\0".encode() + each) for name, each in ((bad, text), (good, whole))))
    page = author_client.get(send(author_client, content).headers["Location"]).content.decode()
    assert f"the one named {bad} can’t be read, so the other one is taken: The card" in page
    character, _ = imported(author_client, content)
    assert character.name == "Ann Holm"
    again = uploads.opened(author_client.get(f"/characters/{character.slug}/exports/card.png").content)
    assert isinstance(again, CardFile)
    assert again.notes == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty."),
        (b" \n", "The file is empty."),
        (b"GIF89a\x01\x00", "The file is a GIF picture"),
        (b"\xff\xd8\xff\xe0\x00", "The file is a JPEG picture"),
        (archive.write({}), "The archive is empty."),
        (with_data(name="\u200b\u3164\u0301 "), "no character that can be seen"),
    ],
)
def test_what_is_no_card_is_refused_by_what_it_is(author_client: Client, content: bytes, said: str) -> None:
    if content:
        assert said in send(author_client, content).content.decode()
    with pytest.raises(CardError, match=said):
        uploads.opened(content)


def test_an_archive_behind_a_picture_is_taken(author_client: Client) -> None:
    character, _ = imported(author_client, b"\xff\xd8\xff\xe0 a picture \xff\xd9" + as_charx(V3))
    made = archive.read(author_client.get(f"/characters/{character.slug}/exports/card.charx").content)
    assert json.loads(made["card.json"]) == V3
