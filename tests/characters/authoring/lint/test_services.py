"""Linting a draft, and mending it."""

import pytest

from characters.authoring.drafts import services as drafts
from characters.authoring.lint import services
from characters.domain.sheet import Persona
from characters.profiles import services as profiles
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused
from tests.characters.profiles.sheets import sheet
from tests.fixtures.talk import Lead
from tests.kgadmin.knowledge.ingestion import HashEmbedder


@pytest.fixture
def ann(db: None, predicates: None, hashed: HashEmbedder, author: User) -> Character:
    """Of two ages, and with a base that isn't there."""
    day = Persona("day", "By day", "Be brief.", ("gone",))
    shown = sheet(("HAS_AGE", "26"), ("LIKES", "fog"), ("HAS_AGE", "27"), personas=(day,))
    return profiles.create_character(slug="ann", sheet=shown, by=author)


def contradictions(character: Character) -> dict[str, str]:
    findings = services.lint_of(drafts.draft_of(character)).findings
    return {finding.kind: finding.id for finding in findings if finding.is_contradiction}


def test_a_fix_goes_into_the_draft_and_can_be_done_once(ann: Character, author: User) -> None:
    assert set(contradictions(ann)) == {"contradiction", "missing base"}
    finding = contradictions(ann)["contradiction"]
    assert services.fix(ann, finding=finding, number=1, by=author) == "Done: Keep “27”."
    draft = drafts.draft_of(ann)
    assert [fact.object for fact in draft.sheet.facts] == ["fog", "27"]
    assert draft.updated_by == author
    with pytest.raises(Refused, match="The draft has changed"):
        services.fix(ann, finding=finding, number=1, by=author)
    services.fix(ann, finding=contradictions(ann)["missing base"], number=0, by=author)
    assert drafts.draft_of(ann).sheet.personas[0].bases == ()
    assert contradictions(ann) == {}


def test_without_an_embedder_the_other_checks_run_and_it_is_said(
    db: None, predicates: None, wire: Lead, author: User
) -> None:
    ann = profiles.create_character(slug="ann", sheet=sheet(("HAS_AGE", "1"), ("HAS_AGE", "2")), by=author)
    wire(embedder_model="/nowhere/at/all")
    report = services.lint(drafts.draft_of(ann))
    assert report.contradictions == 1
    assert report.problem.startswith("Meanings weren’t compared: ")
