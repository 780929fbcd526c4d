"""API of lint."""

from datetime import datetime

from ninja import Field, Router, Schema, Status

from characters.authoring.drafts import services as drafts
from characters.authoring.lint import services
from characters.authoring.lint.findings import Kind
from characters.authoring.lint.services import Lint
from characters.profiles.access import character_for
from characters.profiles.models import Character
from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.rest.schemas import Body, Text, changes, reads
from kgadmin.rest.schemas import Character as Slug

router = Router(tags=["characters"])
authors = door("author")


class LintFindingOut(Schema):
    """Something to look at in a draft. `fixes` say what a click would do, in their order."""

    id: str = Field(examples=["3f2a9c01d7be"])
    kind: Kind = Field(examples=["contradiction"])
    sentence: str = Field(examples=["HAS_AGE can have only one value, but the draft has “26” and “27”."])
    facts: list[str] = Field(examples=[["f1", "f9"]])
    fixes: list[str] = Field(alias="labels", examples=[["Keep “26”", "Keep “27”"]])
    tried: list[str] = Field(examples=[[]], description="The questions that didn't find the fact.")


class LintOut(Schema):
    """What was found in the draft, contradictions first."""

    findings: list[LintFindingOut]
    problem: str = Field(
        alias="notice", examples=[""], description="Why meanings weren't compared, or why a check failed."
    )
    state: str = Field(
        examples=["done"],
        description="`unchecked`: a draft of many facts that waits for `POST .../lint/check`; else its job's state.",
    )
    checked_at: datetime | None = Field(None, description="When a job found this; null for what was found just now.")
    done: int = Field(0, alias="job.done", examples=[0], description="Steps that the running job has done, of `total`.")
    total: int = Field(0, alias="job.total", examples=[0])


class LintFixIn(Body):
    """Which finding to mend, and by which of its fixes."""

    finding: Text = Field(max_length=12, examples=["3f2a9c01d7be"])
    fix: int = Field(ge=0, le=100, examples=[0])


@router.get("/characters/{slug}/lint", auth=authors, response=reads(LintOut), summary="Findings of lint")
def lint(request: ApiRequest, slug: Slug) -> Lint:
    """Contradictions, duplicates, facts that no likely question finds or no turn used, repeats, missing bases, keywords
    that the probe makes needless. For more than 300 facts and questions: what the job of `POST .../lint/check` found,
    without what was changed since.
    """
    return _lint(character_for(request.user, slug, to_edit=True))


@router.post(
    "/characters/{slug}/lint/check", auth=authors, response=changes(LintOut, 202), summary="Check a draft of many facts"
)
def check(request: ApiRequest, slug: Slug) -> Status[Lint]:
    """Start the job. `GET .../lint` tells how far it is."""
    character = character_for(request.user, slug, to_edit=True)
    services.start(character, by=request.user)
    return Status(202, _lint(character))


@router.post("/characters/{slug}/lint", auth=authors, response=changes(LintOut), summary="Fix a finding")
def fix(request: ApiRequest, slug: Slug, body: LintFixIn) -> Lint:
    """Apply the fix to the draft. 409 if the draft has changed."""
    character = character_for(request.user, slug, to_edit=True)
    services.fix(character, finding=body.finding, number=body.fix, by=request.user)
    return _lint(character)


def _lint(character: Character) -> Lint:
    return services.lint_of(drafts.draft_of(character))
