"""What is looked up of a lorebook follows what is live: at publishing, at going back, from a folder."""

from dataclasses import replace
from typing import Any

import pytest

from characters.authoring.drafts import services as drafts
from characters.cards import books, imports
from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import lorebooks
from characters.profiles import services as profiles
from characters.profiles.bases import bases_in_scope
from characters.profiles.lorebooks import Book
from characters.profiles.models import Card, Character, CharacterBase
from characters.turn.request import Budgets
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job
from kgadmin.knowledge.models import Document, KnowledgeBase
from tests.characters.cards.examples import BOOK, DATA, V2, WORLD, as_json
from tests.characters.profiles.sheets import sheet


def imported(author: User, *rows: dict[str, Any]) -> Character:
    entries = [{"keys": ["k"], "content": "x", "enabled": True, "insertion_order": 1} | row for row in rows]
    card = V2 | {"data": DATA | {"character_book": BOOK | {"entries": entries}}}
    return imports.take(imports.upload(name="ann.json", content=as_json(card), by=author), by=author)


def published(character: Character, **changes: Any) -> Sheet:
    draft = drafts.draft_of(character)
    made = replace(draft.sheet, **changes)
    profiles.publish(character, sheet=made, by=None)
    return made


def known() -> str:
    """All that can be looked up."""
    return "\n".join(bytes(each.content).decode() for each in Document.objects.all())


@pytest.fixture
def ann(author: User) -> Character:
    return imported(author, {"content": "Fog comes at four."}, {"content": "Gulls steal.", "name": "Gulls"})


def test_publishing_makes_a_base_of_her_own(ann: Character, author: User) -> None:
    draft = drafts.draft_of(ann)
    assert not (KnowledgeBase.objects.exists() or CharacterBase.objects.exists() or Job.objects.exists())
    drafts.publish_draft(ann, version=draft.version, by=author)
    base = KnowledgeBase.objects.get()
    assert (base.name, base.for_everyone, base.created_by) == ("Sønderklint", False, author)
    assert CharacterBase.objects.get().character == ann
    assert Card.objects.get().base == base
    assert known() == "# Sønderklint\n\n## k\n\nFog comes at four.\n\n## Gulls\n\nGulls steal.\n"
    assert Job.objects.get().subject == base.slug
    other = profiles.create_character(slug="other", sheet=sheet(), by=author)
    assert [(each.slug, each.is_lore) for each in bases_in_scope(ann)] == [(base.slug, True)]
    assert bases_in_scope(other) == []


def test_what_is_edited_deleted_or_switched_off_is_not_looked_up_any_more(ann: Character) -> None:
    fog, gulls = published(ann).lore
    published(ann, lore=(replace(fog, content="Fog comes at six."), gulls))
    assert ("at six" in known(), "at four" in known(), Document.objects.get().version) == (True, False, 2)
    published(ann, lore=(fog, replace(gulls, enabled=False)))
    assert ("at four" in known(), "Gulls" in known()) == (True, False)
    published(ann, lore=(gulls,))
    assert known() == "# Sønderklint\n\n## Gulls\n\nGulls steal.\n"
    assert KnowledgeBase.objects.count() == 1


def test_a_base_of_which_nothing_is_left_is_empty_and_out_of_scope_until_something_is_there(
    ann: Character, author: User
) -> None:
    published(ann)
    first = ann.live_revision
    published(ann, lore=())
    assert not (Document.objects.exists() or CharacterBase.objects.exists())
    assert first
    drafts.revert(ann, first, by=author)
    assert "Fog comes at four" in known()
    assert (KnowledgeBase.objects.count(), CharacterBase.objects.count()) == (1, 1)


NOT_LOOKED_UP: list[dict[str, Any]] = [
    {"enabled": False},
    {"selective": True, "secondary_keys": ["boat"]},
    {"extensions": {"probability": 40, "useProbability": True}},
    {"constant": True},
    {"content": "@@activate\n"},
    {"content": "@@activate_only_after 5\n"},
    {"content": "@@exclude_keys fog\n"},
]
LOOKED_UP: list[dict[str, Any]] = [
    {"content": "@@scan_depth 3\n@@somebody_elses\n"},
    {"selective": True, "secondary_keys": []},
    {"extensions": {"probability": 40, "useProbability": False}},
    {"extensions": "none"},
]


def test_what_has_keys_and_sets_no_other_condition_is_looked_up(author: User) -> None:
    rows = NOT_LOOKED_UP + LOOKED_UP
    numbered = [row | {"content": f"{row.get('content', '')}Number {place}."} for place, row in enumerate(rows)]
    published(imported(author, *numbered))
    looked_up = [row for place, row in enumerate(rows) if f"Number {place}." in known()]
    assert looked_up == LOOKED_UP
    assert "@@" not in known()


def test_a_lorebook_of_its_own_follows_apart_from_the_cards(ann: Character, author: User) -> None:
    row = imports.take(imports.upload(name="isles.json", content=as_json(WORLD), by=author), by=author, character=ann)
    assert not KnowledgeBase.objects.exists()
    live = published(row)
    assert {base.name for base in KnowledgeBase.objects.all()} == {"Sønderklint", "Isles"}
    isles = KnowledgeBase.objects.get(name="Isles")
    text = bytes(isles.documents.get().content).decode()
    assert text == "# Isles\n\n## Gulls\n\nGulls steal.\n\n## seal\n\nSeals don't.\n"
    published(ann, lore=tuple(entry for entry in live.lore if entry.id.startswith("l")))
    assert not isles.documents.exists()
    assert [each.base.name for each in CharacterBase.objects.all()] == ["Sønderklint"]


LONG = "The harbour takes six boats. " * 80


def entries(*rows: dict[str, Any]) -> tuple[LoreEntry, ...]:
    return books.lore_of({"entries": [{"keys": [], "content": "x"} | row for row in rows]})


def planned(*rows: dict[str, Any]) -> tuple[Book | None, list[str]]:
    listed = entries(*rows)
    taken = lorebooks.taken(listed)
    book = lorebooks.book_of("Isle", taken, "Ann", lorebooks.always_in_prompt(taken))
    return book, list(lorebooks.notes(listed, taken, taken))


def test_what_is_always_told_and_too_long_for_the_prompt_can_be_looked_up_and_is_named() -> None:
    book, notes = planned(
        {"content": "Short.", "constant": True, "priority": 9},
        {"content": LONG, "constant": True, "name": "Harbour"},
        {"content": f"@@activate\n{LONG}", "name": "Pier"},
    )
    assert book is not None
    assert (book.entries, "## Harbour" in book.text, "## Pier" in book.text) == (3, True, True)
    assert notes == [
        f"Always included, but together too long for every prompt ({Budgets().lore} tokens for lore): "
        "Short. …, Harbour, Pier. What doesn’t fit can still be found in the knowledge base."
    ]


def test_a_base_knows_the_character_and_no_person() -> None:
    book, _ = planned({"keys": ["lamp"], "content": "{{CHAR}} and {{char}} wait for {{user}}.", "name": "{{Char}}"})
    assert book is not None
    assert book.text == "# Isle\n\n## Ann\n\nAnn and Ann wait for {{user}}.\n"
