"""Importing: a file becomes a character, a draft, a base and a kept original, in one go or not at all."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from characters.authoring.drafts import services as drafts
from characters.cards import exporting, taking, writing
from characters.cards.errors import CardError
from characters.domain.sheet import Sheet
from characters.profiles import services as profiles
from characters.profiles.documents import SheetError
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character
from characters.profiles.services import RESERVED
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import KnowledgeBase
from tests.characters.cards import spec
from tests.characters.cards.examples import BOOK, DATA, V2, V3, WORLD, as_charx, as_json, as_picture, card_in
from tests.characters.profiles.sheets import sheet, whole_sheet


def taken(content: bytes, by: User, name: str = "ann.json", character: Character | None = None) -> Character:
    return taking.take(taking.upload(name=name, content=content, by=by), by=by, character=character)


def draft_of(character: Character) -> Sheet:
    return drafts.draft_of(character).sheet


def test_a_card_becomes_a_draft_that_nobody_talks_to_yet(author: User) -> None:
    ann = taken(as_json(V2), author)
    assert (ann.slug, ann.name, ann.owner, ann.live_revision) == ("ann-holm", "Ann Holm", author, None)
    found = draft_of(ann)
    assert found.identity == (
        f"{DATA['description']}\n\n## Personality\n\nquiet, exact\n\n## Scenario\n\n{{{{user}}}} comes up the stairs."
    )
    assert found.greetings == (DATA["first_mes"], *DATA["alternate_greetings"])
    assert [entry.id for entry in found.lore] == ["l1", "l2", "l3"]
    profiles.publish(ann, sheet=found, by=author)


def test_what_is_beyond_a_limit_is_told_before_it_is_imported(author: User) -> None:
    book = BOOK | {"name": "B" * 101, "entries": [entry | {"name": "n" * 201} for entry in BOOK["entries"]]}
    data = DATA | {"name": "N" * 300, "alternate_greetings": ["Hi."] * 200, "system_prompt": "s" * 20_001}
    row = taking.upload(name="ann.json", content=as_json(V2 | {"data": data | {"character_book": book}}), by=author)
    plan = taking.plan_of(row)
    mend = "It is imported as it is, and can be published once this is mended:"
    assert [note for note in plan.notes if "@@" not in note] == [
        "The name has 300 characters: it is cut to its first 100.",
        "The lorebook’s name has 101 characters: it is cut to its first 100.",
        "The names of 3 entries of the lorebook are cut to 200 characters.",
        f"{mend} system_prompt: 20001 characters; at most 20000 are taken.",
        f"{mend} greetings: there are 201; at most 100 are taken.",
    ]
    ann = taking.take(row, by=author)
    with pytest.raises(SheetError, match="greetings"):
        profiles.publish(ann, sheet=draft_of(ann), by=author)


def test_a_name_that_exists_gets_another_and_nothing_is_overwritten(author: User) -> None:
    first, second, third = (taken(as_json(V2), author) for _ in range(3))
    assert [each.slug for each in (first, second, third)] == ["ann-holm", "ann-holm-2", "ann-holm-3"]
    assert [each.name for each in (first, second, third)] == ["Ann Holm", "Ann Holm (2)", "Ann Holm (3)"]
    assert draft_of(second).called == "Ann Holm"
    assert json.loads(exporting.file_of(second, "card-v2.json").content) == V2


def test_any_name_gets_an_address(author: User) -> None:
    for name in ("import", "New", "../..", "灯台", "a" * 300):
        ann = taken(as_json(V2 | {"data": DATA | {"name": name}}), author)
        assert profiles.SLUG.fullmatch(ann.slug), name
        assert ann.slug not in RESERVED, name


def test_taking_it_twice_is_taking_it_once(author: User) -> None:
    row = taking.upload(name="ann.json", content=as_json(V2), by=author)
    assert taking.take(row, by=author) == taking.take(row, by=author)
    assert Character.objects.count() == 1


def test_an_import_that_breaks_leaves_nothing(author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    row = taking.upload(name="ann.json", content=as_json(V2), by=author)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the machine was switched off")

    monkeypatch.setattr("characters.authoring.suggestions.services.suggest", broken)
    with pytest.raises(RuntimeError):
        taking.take(row, by=author)
    assert not (Character.objects.exists() or KnowledgeBase.objects.exists() or Job.objects.exists())
    row.refresh_from_db()
    assert row.taken_at is None


def test_what_was_imported_is_exported_as_it_came(author: User) -> None:
    files = {"card-v2.json": as_json(V2), "card.png": as_picture(chara=V2, ccv3=V3), "card.charx": as_charx(V3)}
    for form, content in files.items():
        ann = taken(content, author)
        profiles.publish(ann, sheet=draft_of(ann), by=author)
        before, after = card_in(content), card_in(exporting.file_of(ann, form).content)
        assert (after.raw, after.files) == (before.raw, before.files), form
        original = exporting.original_of(ann)
        assert original
        assert original.content == content, form


def test_a_folder_becomes_the_same_sheet(author: User) -> None:
    ann = taken(writing.written("folder", whole_sheet(), None, {}), author, "ann.zip")
    assert draft_of(ann) == whole_sheet()
    assert not KnowledgeBase.objects.exists()


def test_a_lorebook_goes_to_a_character_that_is_there(author: User) -> None:
    ann = profiles.create_character(slug="ann", sheet=sheet(), by=author)
    row = taking.upload(name="isles.json", content=as_json(WORLD), by=author)
    assert taking.take(row, by=author, character=ann) == ann
    lore = draft_of(ann).lore
    assert [(entry.id, entry.name, entry.keys) for entry in lore] == [
        (f"b{row.pk}-1", "Gulls", ("gull",)),
        (f"b{row.pk}-2", "", ("seal",)),
    ]
    row.refresh_from_db()
    assert json.loads(exporting.lorebook_of(ann, row).content) == WORLD
    all_of_it = json.loads(exporting.new_lorebook(draft_of(ann)).content)
    spec.LorebookV3.model_validate(all_of_it)


def test_a_lorebook_of_version_3_and_a_bare_one_are_known(author: User) -> None:
    ann = profiles.create_character(slug="ann", sheet=sheet(), by=author)
    for raw in ({"spec": "lorebook_v3", "data": BOOK}, BOOK):
        row = taking.upload(name="book.json", content=as_json(raw), by=author)
        taking.take(row, by=author, character=ann)
        row.refresh_from_db()
        assert json.loads(exporting.lorebook_of(ann, row).content) == raw
    assert len(draft_of(ann).lore) == 6


def test_previews_are_thrown_away_after_a_day_and_when_there_are_many(author: User, operator: User) -> None:
    old = taking.upload(name="old.json", content=as_json(V2), by=operator)
    CardRow.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    rows = [taking.upload(name=f"{number}.json", content=as_json(V2), by=author) for number in range(7)]
    assert [row.name for row in CardRow.objects.all()] == ["6.json", "5.json", "4.json", "3.json", "2.json"]
    with pytest.raises(CardError, match="thrown away"):
        taking.take(rows[0], by=author)


def test_a_lorebook_that_is_there_already_is_told(author: User, operator: User) -> None:
    ann, other = (profiles.create_character(slug=slug, sheet=sheet(), by=author) for slug in ("ann", "other"))
    first, again, foreign = (
        taking.upload(name="isles.json", content=as_json(WORLD), by=by) for by in (author, author, operator)
    )
    assert taking.plan_of(first, ann).notes == ()
    taking.take(first, by=author, character=ann)
    said = (f"{ann.name}: this very lorebook is there already, and would be twice.",)
    assert [taking.plan_of(again, each).notes for each in (ann, other, None)] == [said, (), said]
    assert taking.plan_of(foreign).notes == ()
    lore = [entry.id for entry in drafts.draft_of(ann).sheet.lore]
    drafts.save(ann, [drafts.Edit(f"lore:{each}", None) for each in lore], by=author)
    assert taking.plan_of(again, ann).notes == ()
