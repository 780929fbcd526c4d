"""Importing: a file becomes a character, a draft, a base and a kept original, in one go or not at all."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from characters.authoring.drafts import services as drafts
from characters.cards import exports, imports
from characters.cards.exports import FORMATS
from characters.domain.sheet import Sheet
from characters.profiles import services as profiles
from characters.profiles.documents import SheetError
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.rest.actions import Refused
from tests.characters.cards import spec
from tests.characters.cards.examples import BOOK, DATA, V2, WORLD, as_json
from tests.characters.profiles.sheets import sheet, whole_sheet


def taken(content: bytes, by: User, name: str = "ann.json", character: Character | None = None) -> Character:
    return imports.take(imports.upload(name=name, content=content, by=by), by=by, character=character)


def draft_of(character: Character) -> Sheet:
    return drafts.draft_of(character).sheet


def test_a_card_becomes_a_draft_that_nobody_talks_to_yet(author: User) -> None:
    row = imports.upload(name="ann.json", content=as_json(V2), by=author)
    ann = imports.take(row, by=author)
    assert imports.take(row, by=author) == ann == Character.objects.get()  # twice is once
    assert (ann.slug, ann.name, ann.owner, ann.live_revision) == ("ann-holm", "Ann Holm", author, None)
    draft = draft_of(ann)
    assert draft.identity == (
        f"{DATA['description']}\n\n## Personality\n\nquiet, exact\n\n## Scenario\n\n{{{{user}}}} comes up the stairs."
    )
    assert draft.greetings == (DATA["first_mes"], *DATA["alternate_greetings"])
    assert [entry.id for entry in draft.lore] == ["l1", "l2", "l3"]
    profiles.publish(ann, sheet=draft, by=author)


def test_what_is_beyond_a_limit_is_named_before_it_is_imported(author: User) -> None:
    data = DATA | {"name": "N" * 300, "alternate_greetings": ["Hi."] * 200, "system_prompt": "s" * 20_001}
    row = imports.upload(name="ann.json", content=as_json(V2 | {"data": data}), by=author)
    assert [note for note in imports.plan_of(row).notes if "@@" not in note] == [
        "Fix this before publishing: system_prompt: 20001 characters; at most 20000 are allowed.",
        "Fix this before publishing: greetings: there are 201; at most 100 are allowed.",
    ]
    ann = imports.take(row, by=author)
    with pytest.raises(SheetError, match="greetings"):
        profiles.publish(ann, sheet=draft_of(ann), by=author)


def test_a_name_that_exists_gets_another_and_nothing_is_overwritten(author: User) -> None:
    first, second, third = (taken(as_json(V2), author) for _ in range(3))
    assert [ann.slug for ann in (first, second, third)] == ["ann-holm", "ann-holm-2", "ann-holm-3"]
    assert [ann.name for ann in (first, second, third)] == ["Ann Holm", "Ann Holm (2)", "Ann Holm (3)"]
    assert draft_of(second).called == "Ann Holm"
    assert json.loads(exports.file_of(second, "card-v2.json").content) == V2


def test_an_import_that_breaks_leaves_nothing(author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    row = imports.upload(name="ann.json", content=as_json(V2), by=author)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the machine was switched off")

    monkeypatch.setattr("characters.authoring.suggestions.services.suggest", broken)
    with pytest.raises(RuntimeError):
        imports.take(row, by=author)
    assert not (Character.objects.exists() or KnowledgeBase.objects.exists() or Job.objects.exists())
    row.refresh_from_db()
    assert row.taken_at is None


def test_a_folder_becomes_the_same_sheet(author: User) -> None:
    ann = taken(FORMATS["folder"].write(whole_sheet(), None, {}), author, "ann.zip")
    assert draft_of(ann) == whole_sheet()
    assert not KnowledgeBase.objects.exists()


def test_a_lorebook_goes_to_a_character_that_is_there_and_comes_out_as_it_came(author: User) -> None:
    ann = profiles.create_character(slug="ann", sheet=sheet(), by=author)
    for raw in (WORLD, {"spec": "lorebook_v3", "data": BOOK}, BOOK):
        row = imports.upload(name="isles.json", content=as_json(raw), by=author)
        assert imports.take(row, by=author, character=ann) == ann
        row.refresh_from_db()
        assert json.loads(exports.lorebook_of(ann, row).content) == raw
    lore = [(entry.id.partition("-")[2], entry.name, entry.keys) for entry in draft_of(ann).lore]
    assert lore[:3] == [("1", "Gulls", ("gull",)), ("2", "", ("seal",)), ("1", "Fog", ("fog", "mist"))]
    assert len(lore) == 2 + 3 + 3
    spec.LorebookV3.model_validate(json.loads(exports.file_of(ann, "lorebook.json").content))


def test_previews_are_discarded_after_a_day_and_when_there_are_many(author: User, operator: User) -> None:
    old = imports.upload(name="old.json", content=as_json(V2), by=operator)
    CardRow.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    rows = [imports.upload(name=f"{number}.json", content=as_json(V2), by=author) for number in range(7)]
    assert [row.name for row in CardRow.objects.all()] == ["6.json", "5.json", "4.json", "3.json", "2.json"]
    with pytest.raises(Refused, match="discarded"):
        imports.take(rows[0], by=author)
