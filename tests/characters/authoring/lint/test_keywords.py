"""A keyword is needless where the probe itself, on a real embedder, finds the persona's base by it."""

from dataclasses import replace

import pytest

from characters.authoring.drafts import services as drafts
from characters.authoring.lint import services
from characters.authoring.lint.findings import Finding
from characters.domain.sheet import Persona
from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.stores import wiring
from kgadmin.stores.embedder import LocalEmbedder
from tests import invented
from tests.fixtures.talk import make_invented_bases
from tests.kgadmin.stores.exact_index import ExactIndex

WORKS = Persona("works", "Shift leader", "Steps first.", ("glassworks",), ("crucible", "burner", "Kasia", "tractor"))


@pytest.fixture
def ann(db: None, predicates: None, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> Character:
    """A shift leader, and two bases in scope, glass and fencing."""
    index = ExactIndex()
    monkeypatch.setattr(wiring, "vectors", lambda: index)
    monkeypatch.setattr(runner, "HEARTBEAT_S", 60)  # the heart's thread would wait for the test's transaction
    make_invented_bases()
    return profiles.create_character(slug="ann", sheet=replace(invented.TOMASZ, personas=(WORKS,)), by=None)


def keywords(character: Character) -> list[Finding]:
    findings = services.lint_of(drafts.draft_of(character)).findings
    return [finding for finding in findings if finding.kind == "needless keyword"]


def test_a_keyword_by_which_the_probe_finds_the_base_is_named_and_removed_by_one_click(
    ann: Character, author: User
) -> None:
    (finding,) = keywords(ann)  # not the burner, which no message about it leads to, nor Kasia, who leads elsewhere
    assert finding.sentence == (
        "“crucible” is in Glassworks already: the probe finds that base by itself, so the keyword of Shift leader "
        "isn’t needed."
    )
    assert not finding.is_contradiction
    services.fix(ann, finding=finding.id, number=0, by=author)
    assert drafts.draft_of(ann).sheet.personas[0].keywords == ("burner", "Kasia", "tractor")
    assert keywords(ann) == []


def test_what_is_in_no_base_that_turns_search_is_needed(ann: Character) -> None:
    KnowledgeBase.objects.filter(slug="glassworks").update(enabled=False)
    assert keywords(ann) == []
