"""Linting a draft, at once or (many facts) by a job whose report is shown as far as it is still true; mending it."""

from typing import Any

import pytest
from django.test import Client

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import Edit
from characters.authoring.lint import findability, services
from characters.domain.sheet import Persona
from characters.profiles import services as profiles
from characters.profiles.models import Character, Draft
from kgadmin.accounts.models import User
from kgadmin.jobs import runner
from kgadmin.jobs.models import Job
from kgadmin.rest.actions import Refused
from tests.characters.profiles.sheets import sheet
from tests.fixtures.talk import Lead
from tests.kgadmin.knowledge.ingestion import HashEmbedder
from tests.rest import get

PAGE = "/characters/ann/edit/lint/"
HTMX = {"HX-Request": "true"}
TREES = 6


@pytest.fixture
def ann(db: None, predicates: None, hashed: HashEmbedder, author: User) -> Character:
    """Of two ages among other facts, and with a base that isn't there."""
    trees = [("LIKES", f"tree {number}") for number in range(TREES)]
    day = Persona("day", "By day", "Be brief.", ("gone",))
    shown = sheet(("HAS_AGE", "26"), ("HAS_AGE", "27"), *trees, personas=(day,))
    return profiles.create_character(slug="ann", sheet=shown, by=author)


@pytest.fixture
def large(ann: Character, monkeypatch: pytest.MonkeyPatch) -> Character:
    """The same, and too many facts to be checked at once."""
    monkeypatch.setattr(services, "AT_ONCE", TREES)
    monkeypatch.setattr(findability, "PROGRESS_EVERY", 3)
    return ann


def checked(character: Character) -> Job:
    job = services.start(character, by=None)
    runner.run(job.pk)
    job.refresh_from_db()
    return job


def words(page: str) -> str:
    return " ".join(page.split())


def contradictions(character: Character) -> dict[str, str]:
    findings = services.lint_of(drafts.draft_of(character)).findings
    return {finding.kind: finding.id for finding in findings if finding.is_contradiction}


def test_a_fix_goes_into_the_draft_and_can_be_done_once(ann: Character, author: User) -> None:
    assert set(contradictions(ann)) == {"contradiction", "missing base"}
    finding = contradictions(ann)["contradiction"]
    assert services.fix(ann, finding=finding, number=1, by=author) == "Done: Keep “27”."
    draft = drafts.draft_of(ann)
    assert [fact.object for fact in draft.sheet.facts[:2]] == ["27", "tree 0"]
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


def test_nothing_is_embedded_while_somebody_waits(
    large: Character, author_client: Client, monkeypatch: pytest.MonkeyPatch, hashed: HashEmbedder
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(hashed, "embed", lambda texts: asked.append(len(texts)))
    page = author_client.get(PAGE).content.decode()
    assert (asked, "Check the draft" in page, "No problems found" in page) == ([], True, False)


def test_what_a_job_found_is_told_until_it_is_mended_or_changed(large: Character, author: User) -> None:
    job = checked(large)
    assert (job.state, job.error, job.done, job.total) == (Job.State.DONE, "", 6, TREES + 2)
    before = contradictions(large)
    assert set(before) == {"contradiction", "missing base"}
    assert services.fix(large, finding=before["contradiction"], number=1, by=author) == "Done: Keep “27”."
    assert set(contradictions(large)) == {"missing base"}
    persona = {"slug": "day", "name": "By day", "instructions": "Be long.", "bases": ["gone"]}
    drafts.save(large, [Edit("persona:day", persona | {"keywords": [], "default": False})], by=author)
    assert contradictions(large) == {}
    with pytest.raises(Refused, match="The draft has changed"):
        services.fix(large, finding=before["missing base"], number=0, by=author)


def test_a_fix_never_leaves_the_author_without_both(
    large: Character, author: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked(large)
    change = drafts.change

    def change_after_another(character: Character, make: Any, *, by: User, tab: str) -> Draft:
        change(character, lambda draft: [Edit("fact:f1", None)], by=by)  # the one that is to be kept
        return change(character, make, by=by, tab=tab)

    monkeypatch.setattr(drafts, "change", change_after_another)
    with pytest.raises(Refused, match="The draft has changed"):
        services.fix(large, finding=contradictions(large)["contradiction"], number=0, by=author)
    assert "27" in {fact.object for fact in drafts.draft_of(large).sheet.facts}


def test_the_page_tells_progress_then_the_report_and_mends(large: Character, author_client: Client) -> None:
    answer = author_client.post(f"{PAGE}check/", headers=HTMX).content.decode()
    assert 'hx-trigger="every 1s"' in answer
    assert "The draft is being checked." in answer
    job = Job.objects.get(kind=services.JOB_KIND)
    Job.objects.filter(pk=job.pk).update(done=512, total=1_024, note="Comparing the facts")
    assert "Comparing the facts: 512 of 1,024" in words(author_client.get(PAGE).content.decode())
    runner.run(job.pk)
    page = words(author_client.get(PAGE, headers=HTMX).content.decode())
    assert ('hx-trigger="every 1s"' in page, "Of the draft as of" in page, "Check again" in page) == (False, True, True)
    assert "2 contradictions" in page
    assert "without later changes" not in page
    report = get(author_client, "/characters/ann/lint")
    assert (report["state"], bool(report["checked_at"]), report["total"]) == ("done", True, TREES + 2)
    assert report["findings"][0]["fixes"] == ["Keep “26”", "Keep “27”"]
    mended = author_client.post(f"{PAGE}fix/", {"fix": f"{contradictions(large)['contradiction']}:0"}, follow=True)
    page = words(mended.content.decode())
    assert ("Done: Keep “26”." in page, "1 contradiction," in page, "without later changes" in page) == (
        True, True, True,
    )  # fmt: skip


def test_a_check_that_failed_is_said(large: Character, author_client: Client) -> None:
    job = services.start(large, by=None)
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, error="The disk is full.", finished_at=job.created_at)
    page = author_client.get(PAGE).content.decode()
    assert ("The disk is full." in page, "Check the draft" in page) == (True, True)
