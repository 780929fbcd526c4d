"""Kind F: cards and lorebooks through import and export, and what it says of those that come out otherwise."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from characters.cards import exports
from characters.cards.exports import FORMATS, File
from characters.profiles.models import Card, Character
from tests.characters.cards.examples import V1, V2, V3, WORLD, as_charx, as_json, as_picture
from tests.characters.profiles.sheets import whole_sheet
from tests.quality import evaluate
from tests.quality.cards import Result, compare, differences, summary
from tests.quality.files import EvaluationError

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = {
        "json/one.json": as_json(V1),
        "json/two.json": as_json(V2),
        "charx/three.charx": as_charx(V3),
        "png/both.png": as_picture(chara=V2, ccv3=V3),
        "lore/world.json": as_json(WORLD),
        "folder/ann.zip": FORMATS["folder"].write(whole_sheet(), None, {}),
        "invalid/nobody.json": b"{}",
        "expected_json/both.chara.json": as_json(V2),
        "expected_json/both.ccv3.json": as_json(V3),
        "README.md": b"no card",
    }
    for name, content in made.items():
        path = tmp_path / "cards" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return tmp_path / "cards"


def test_everything_comes_out_as_it_came_in(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    call_command(evaluate.Command(), "F", str(folder), predictions=out)
    assert capsys.readouterr().out.startswith(
        "4 of 4 cards lossless, 1 of 1 folders lossless, 1 of 1 invalid ones refused, 1 of 1 lorebooks lossless, "
        "1 of 1 others are no files for import, 2 equal to what was expected, 26 exports read again"
    )
    assert not Character.objects.exists()
    assert not Card.objects.exists()
    rows = {row["id"]: row for row in map(json.loads, out.read_text().splitlines())}
    assert rows["png/both.png"]["exported"] == {"chara": V2, "ccv3": V3}
    assert rows["invalid/nobody.json"]["said"].startswith("The card doesn't name")


def test_a_difference_is_told_and_ends_with_1(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "invalid/taken.json").write_bytes(as_json(V2))
    (folder / "json/refused.json").write_bytes(b"{}")
    (folder / "expected_json/both.ccv3.json").write_bytes(as_json(V3 | {"more": 1}))
    (folder / "expected_json/nobody.chara.json").write_bytes(as_json(V2))
    with pytest.raises(CommandError) as raised:
        call_command(evaluate.Command(), "F", str(folder), predictions=tmp_path / "out.jsonl")
    assert raised.value.returncode == 1
    printed = capsys.readouterr().out
    assert "invalid/taken.json: it was taken" in printed
    assert "json/refused.json: it was refused: " in printed
    assert "png/both.png: it isn't both.ccv3.json" in printed
    assert "expected_json/nobody.chara.json: there is no picture of its name" in printed
    assert "3 of 5 cards lossless" in printed


def test_a_place_without_files_is_told(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "none"):
        with pytest.raises(EvaluationError, match=r"has no files|There is no folder"):
            list(compare(place))


def test_only_what_says_nothing_may_be_new() -> None:
    before = {"a": [{"keys": ["x"]}], "tags": None}
    assert [*differences(before, {"a": [{"keys": ["x"], "use_regex": False}], "tags": []})] == []
    assert [*differences(before, {"a": [{"keys": ["x"], "use_regex": True}], "tags": None, "more": 1})] == [
        ".a[0].use_regex differs",
        ".more differs",
    ]
    assert [*differences({"a": [1]}, {"a": [1, 2]})] == [".a differs"]
    assert [*differences({"a": 1}, {})] == [".a is gone"]


def test_the_summary_counts_by_kind() -> None:
    rows: list[Result] = [{"kind": "card", "differences": []}, {"kind": "card", "differences": ["x"], "expected": 1}]
    assert summary(rows) == "1 of 2 cards lossless, 1 equal to what was expected, 0 exports read again"


def test_it_is_the_products_own_import_and_export_that_is_compared(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file_of = exports.file_of

    def lossy(character: Character, form: str) -> File:
        made = file_of(character, form)
        return made._replace(content=made.content.replace(b"harbour", b"pier"))

    monkeypatch.setattr(exports, "file_of", lossy)
    rows = {row["id"]: row for row in compare(folder)}
    assert ".data.character_book.entries[2].keys[0] differs" in rows["json/two.json"]["differences"]
