"""The shipped content is well formed and holds what the documents of the product promise."""

import json
from functools import cache

from characters.domain.sheet import Sheet
from characters.profiles import documents
from characters.profiles.folder import read_folder
from kgadmin.config import ROOT
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.operations.demo import loader, past

CHARACTERS = [folder.name for folder in loader.character_folders()]
BASES = loader.base_folders()


@cache
def sheet_of(slug: str) -> Sheet:
    return read_folder(loader.HERE / "characters" / slug).sheet


@cache
def registered() -> dict[str, dict[str, object]]:
    rows = json.loads((ROOT / "characters" / "profiles" / "predicates.json").read_text())
    return {row["name"]: row for row in rows}


def test_a_shipped_sheet_can_be_published() -> None:
    for slug in CHARACTERS:
        sheet = sheet_of(slug)
        documents.check(sheet)
        assert sheet.default_persona is not None, slug
        assert len(sheet.facts) >= 20, slug
        assert len(sheet.personas) >= 2, slug
        assert len(sheet.settings.questions) == 4, slug


def test_a_shipped_sheet_uses_registered_predicates_and_shipped_bases() -> None:
    slugs = {base.name for base in BASES}
    for slug in CHARACTERS:
        sheet = sheet_of(slug)
        names = [fact.predicate for fact in sheet.facts]
        assert set(names) <= registered().keys(), slug
        assert {base for persona in sheet.personas for base in persona.bases} <= slugs, slug
        assert all(set(concept.predicates) <= set(names) for concept in sheet.concepts), slug
        twice = {name for name in names if names.count(name) > 1}
        assert [name for name in twice if not registered()[name]["many"]] == [], slug


def test_elena_has_the_facts_of_the_seed_and_many_more() -> None:
    facts = {(fact.predicate, fact.object) for fact in sheet_of("elena").facts}

    assert facts >= {
        ("HAS_FATHER", "Commercial fisherman turned restaurant owner"),
        ("HAS_MOTHER", "Manages family business and community outreach"),
        ("HAS_GRANDMOTHER", "Taught traditional fishing wisdom (now passed)"),
        ("GREW_UP_IN", "La Jolla, California"),
        ("HAS_HERITAGE", "Third-generation Mexican-American"),
        ("HAS_DREAM", "Developing breakthrough coral restoration techniques"),
    }
    assert {"PUBLISHED_PAPER", "HAS_PODCAST", "IS_A", "CARES_ABOUT"} <= {predicate for predicate, _ in facts}
    assert len(facts) >= 35


def test_the_characters_share_neither_anchors_nor_personas() -> None:
    sheets = [sheet_of(slug) for slug in CHARACTERS]

    for parts in (
        [set(sheet.anchors) for sheet in sheets],
        [{persona.slug for persona in sheet.personas} for sheet in sheets],
    ):
        assert len(set.union(*parts)) == sum(map(len, parts))


def test_only_tastes_and_opinions_may_be_learned_and_every_predicate_has_a_question_and_a_sentence() -> None:
    rows = registered().values()

    assert {row["family"] for row in rows if row["learnable"]} == {"taste", "opinion"}
    assert len(rows) >= 60
    assert all(row["question"] and row["sentence"] for row in rows)


def test_a_shipped_base_says_what_it_is_and_has_documents_of_a_readable_size() -> None:
    for folder in BASES:
        head = loader.read_head(folder)
        assert head.provenance in KnowledgeBase.Provenance.values, folder
        assert head.name, folder
        assert 40 < len(head.description) <= 300, folder
        sizes = {path.name: len(path.read_text().split()) for path in loader.document_files(folder)}
        assert len(sizes) >= 12, folder
        assert [name for name, words in sizes.items() if not 150 <= words <= 700] == [], folder


def test_a_shipped_conversation_is_between_two_and_can_be_imported() -> None:
    for path in past.people_files():
        person = past.read_past(path)
        assert len({talk.id for talk in person.talks}) == len(person.talks), path
        for talk in person.talks:
            first = sheet_of(talk.character).name.split()[0]
            turns = [person.name.split()[0], first] * len(talk.said)
            assert [name for name, _ in talk.said] == turns[: len(talk.said)], talk.id
            assert all(0 < len(text) <= 1_000 for _, text in talk.said), talk.id
            assert talk.days_ago >= 1, talk.id


def test_two_test_people_have_a_cat_of_one_name_and_live_elsewhere() -> None:
    mark, noor = (_said_by(name) for name in ("mark", "noor"))

    assert "a cat called Luna" in mark
    assert "My cat is called Luna" in noor
    assert "Seattle" in mark
    assert "Seattle" not in noor
    assert "Toronto" in noor
    assert "Toronto" not in mark


def test_marks_past_has_what_the_stories_ask_for() -> None:
    mark = _said_by("mark")

    assert mark.count("Luna") >= 6
    for part in (
        "Luna gets stiff in the cold",
        "He has a boat",
        "I value family",
        "I want to start yoga",
        "I changed my mind, no yoga",
        "interested in ocean conservation",
        "I work as a sound engineer",
        "My sister Hannah",
        "I live in Tacoma",
        "I've moved to Seattle",
    ):
        assert part in mark


def _said_by(slug: str) -> str:
    person = past.read_past(past.HERE / f"{slug}.yaml")
    return "\n".join(text for talk in person.talks for name, text in talk.said if name == person.name)
