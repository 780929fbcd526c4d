"""`publish_character`, as an author runs it."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from characters.profiles.folder import read_folder
from characters.profiles.models import Character, Revision
from tests.characters.profiles import sheets
from tests.characters.profiles.sheets import sheet, write, write_sheet

pytestmark = pytest.mark.django_db


def publish(*arguments: object) -> str:
    out = StringIO()
    call_command("publish_character", *map(str, arguments), stdout=out)
    return out.getvalue()


def refused(*arguments: object) -> str:
    with pytest.raises(CommandError) as caught:
        publish(*arguments)
    return str(caught.value)


def test_a_changed_folder_becomes_the_live_revision_and_says_what_changed(ann: Character, tmp_path: Path) -> None:
    write_sheet(sheet(), tmp_path / "ann")
    assert "no differences from the live sheet" in publish("ann", tmp_path / "ann")
    assert Revision.objects.count() == 1
    background = tmp_path / "ann" / "background.yaml"
    lines = [line for line in background.read_text().splitlines() if "lighthouse" not in line and "IS_A" not in line]
    background.write_text("\n".join([*lines, "anchors: [light]"]).replace("Rain on a tin roof", "Fog"))
    output = publish("ann", tmp_path / "ann", "--note", "Less rain").splitlines()
    assert output == ["~ LIKES: Fog", "- IS_A: lighthouse keeper", "~ anchors", "ann: revision 2 is live."]
    ann.refresh_from_db()
    assert ann.live_revision and ann.live_revision.note == "Less rain"
    assert ann.sheet == read_folder(tmp_path / "ann", known=sheet()).sheet
    assert [fact.id for fact in ann.sheet.facts] == ["f2", "f3", "f4"]


def test_with_create_an_unknown_character_is_made(tmp_path: Path) -> None:
    write_sheet(sheets.whole_sheet(), tmp_path)
    output = publish("bo", tmp_path, "--create")
    assert output.startswith("2 runtime facts are stored in the sheet, not used")
    assert output.endswith("bo: created with 4 facts, live as revision 1.\n")
    assert Character.objects.get(slug="bo").sheet == sheets.whole_sheet()


def test_a_broken_folder_publishes_nothing(ann: Character, tmp_path: Path) -> None:
    for background, output in (
        ("facts:\n  - predicate: LIKES", "  background.yaml, line 2, column 5: a fact needs"),
        ("facts: [a, a]", "  fact “NOTE a” stands there 2 times."),
    ):
        write(tmp_path, background)
        for arguments in (("ann", tmp_path), ("bo", tmp_path, "--create")):
            lines = refused(*arguments).splitlines()
            assert (lines[0], lines[1][: len(output)]) == ("Nothing was published.", output), arguments
    assert "character.md: it can't be read" in refused("ann", tmp_path / "gone")
    assert (Character.objects.get().sheet, Revision.objects.count()) == (sheet(), 1)
