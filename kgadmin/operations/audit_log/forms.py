"""The filter of the audit log, out of a page's address or a program's."""

from datetime import date

from ninja import Field, Schema

from kgadmin.rest.schemas import Slug, Text


class AuditFilter(Schema):
    """Everything may be left out."""

    who: Text = Field("", max_length=150, examples=["operator"], description="An account's name, or kgadmin.")
    verb: Text = Field("", max_length=30, examples=["approved"])
    character: Slug | None = Field(None, examples=["elena"])
    subject: Text = Field("", max_length=100, examples=["proposal:12"])
    batch: Text = Field("", max_length=40, examples=["5f0c9f0e4a6b4f5a8a3c0a4f3f1d2b6c"])
    first_day: date | None = Field(None, examples=["2026-11-01"])
    last_day: date | None = Field(None, examples=["2026-11-30"])
    q: Text = Field("", max_length=200, examples=["jazz"], description="In reason, note, before or after.")


LABELS = {"verb": "Did what", "subject": "To what", "first_day": "From", "last_day": "To", "q": "Search"}
"""As the page calls them."""
