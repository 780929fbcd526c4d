"""Characters through the API."""

from pathlib import Path

from django.test import Client

from characters.profiles import services
from characters.profiles.folder import read_folder
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from tests.characters.profiles import sheets
from tests.rest import get


def test_a_character_comes_with_her_live_sheet(tester_client: Client, ann: Character) -> None:
    body = get(tester_client, "/characters/ann")
    assert (body["character"]["slug"], body["character"]["revision"]) == ("ann", 1)
    assert body["identity"] == "You are {{char}}."
    father = next(each for each in body["facts"] if each["predicate"] == "HAS_FATHER")
    assert (father["family"], father["sentence"]) == ("family", "My father built boats in Odense.")


def test_an_older_sheet_stays_readable(author_client: Client, ann: Character, author: User) -> None:
    services.publish(ann, sheet=sheets.sheet(identity="You are someone else."), by=author, note="Another one")
    listed = get(author_client, "/characters/ann/revisions")["items"]
    assert [(each["number"], each["live"], each["created_by"]) for each in listed] == [
        (2, True, "author"),
        (1, False, None),
    ]
    assert get(author_client, "/characters/ann/revisions/1")["identity"] == "You are {{char}}."
    assert get(author_client, "/characters/ann")["revision"]["note"] == "Another one"


def test_the_folder_form_reads_back_as_the_same_sheet(author_client: Client, db: None, tmp_path: Path) -> None:
    made = services.create_character(slug="ann", sheet=sheets.whole_sheet(), by=None)
    body = get(author_client, "/characters/ann/folder")
    folder = sheets.write(tmp_path / "ann", body["background"], body["identity"])
    assert read_folder(folder, known=made.sheet).sheet == made.sheet


def test_the_list_holds_only_what_one_may_know_of(
    author_client: Client, tester_client: Client, tester: User, ann: Character
) -> None:
    Character.objects.update(owner=tester)
    assert [get(client, "/characters")["total"] for client in (author_client, tester_client)] == [0, 1]
