"""The audit log for programs."""

from datetime import datetime
from typing import Any

from ninja import Field, Query, Router, Schema

from kgadmin.accounts.doors import ApiRequest, door
from kgadmin.operations.audit_log import finding
from kgadmin.operations.audit_log.exporting import document
from kgadmin.operations.audit_log.forms import AuditFilter
from kgadmin.rest.problems import reads
from kgadmin.rest.schemas import Page, Paging, page

router = Router(tags=["audit"])
operators = door("operator")


class EntryOut(Schema):
    """One act. Nobody changes or deletes it; forgetting a person or a fact empties what it says of that."""

    id: int = Field(examples=[12])
    at: datetime
    who: str = Field(examples=["operator"], description="The account's name then; kgadmin for the program itself.")
    verb: str = Field(examples=["approved"])
    subject: str = Field(examples=["proposal:12"], description="What it was done to, as kind and id.")
    character: str = Field(examples=["character:3"], description="Whom it is about; empty for nobody.")
    reason: str = Field(examples=["Too vague to be of use"])
    note: str = Field(examples=["He asked her to say so."])
    before: dict[str, Any] = Field(examples=[{"state": "open"}])
    after: dict[str, Any] = Field(examples=[{"state": "approved"}])
    batch: str = Field(examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"], description="Acts of one press share it.")
    undoes: int | None = Field(None, examples=[7], description="The entry that it takes back, where that is known.")
    emptied_at: datetime | None = Field(None, description="When its words were emptied: what they told was forgotten.")


@router.get("/audit", auth=operators, response=reads(Page[EntryOut]), summary="The audit log")
def audit(request: ApiRequest, paging: Paging, asked: Query[AuditFilter]) -> Any:
    """The newest first."""
    return page(finding.entries(asked).select_related("detail"), paging, document)
