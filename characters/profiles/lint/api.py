"""Lint for programs."""

from typing import Any

from ninja import Field, Router, Schema

from characters.profiles.access import character_for
from characters.profiles.drafts.services import ConflictError
from characters.profiles.lint import services
from characters.profiles.lint.findings import Kind
from characters.profiles.lint.services import FixError
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.fields import Body, Text
from kgadmin.rest.fields import Character as Slug
from kgadmin.rest.problems import changes, reads, refusing

router = Router(tags=["characters"])
authors = door("author")


class LintFindingOut(Schema):
    """Something to look at in a draft. `fixes` say what a click would do, in their order."""

    id: str = Field(examples=["3f2a9c01d7be"])
    kind: Kind = Field(examples=["contradiction"])
    sentence: str = Field(examples=["HAS_AGE can hold one thing, and it says “26” and “27”."])
    facts: list[str] = Field(examples=[["f1", "f9"]])
    fixes: list[str] = Field(examples=[["Keep “26”", "Keep “27”"]])
    tried: list[str] = Field(examples=[[]], description="The questions that didn't find the fact.")


class LintOut(Schema):
    """What was found in the draft, contradictions first."""

    findings: list[LintFindingOut]
    problem: str = Field(examples=[""], description="Why meanings weren't compared, where they weren't.")


class LintFixIn(Body):
    """Which finding to mend, and by which of its fixes."""

    finding: Text = Field(max_length=12, examples=["3f2a9c01d7be"])
    fix: int = Field(ge=0, le=100, examples=[0])


@router.get("/characters/{slug}/lint", auth=authors, response=reads(LintOut), summary="What could be wrong")
def lint(request: ApiRequest, slug: Slug) -> dict[str, Any]:
    """Contradictions, duplicates, facts that no likely question finds or no turn used, repeats, missing bases."""
    return _report(services.lint(character_for(request.user, slug, to_edit=True)))


@router.post("/characters/{slug}/lint", auth=authors, response=changes(LintOut), summary="Mend a finding")
def fix(request: ApiRequest, slug: Slug, body: LintFixIn) -> dict[str, Any]:
    """Into the draft. 409 where the draft isn't so any more."""
    character = character_for(request.user, slug, to_edit=True)
    with refusing(FixError, ConflictError, status=409):
        services.fix(character, finding=body.finding, number=body.fix, by=request.user)
    return _report(services.lint(character))


def _report(report: services.Report) -> dict[str, Any]:
    findings = [
        {
            "id": each.id,
            "kind": each.kind,
            "sentence": each.sentence,
            "facts": list(each.facts),
            "fixes": [fix.label for fix in each.fixes],
            "tried": list(each.tried),
        }
        for each in report.findings
    ]
    return {"findings": findings, "problem": report.problem}
