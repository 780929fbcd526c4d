"""The draft of a sheet: saved part by part while its authors type, live only when it is published."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.profiles.drafts import parts
from characters.profiles.models import Character, Draft, Revision
from characters.profiles.services import publish
from characters.profiles.tasks import embed_draft
from kgadmin.accounts.models import User

WHOLE_SHEET = "sheet"


@dataclass(frozen=True, slots=True)
class Edit:
    """Another value of a part. `was` is the digest of the value that its author saw, empty to save over anything."""

    part: str
    value: Any
    was: str = ""


class ConflictError(Exception):
    """Somebody else changed this part since: `theirs` stands in the draft, and nothing was saved."""

    def __init__(self, draft: Draft, part: str, theirs: Any) -> None:
        self.part, self.theirs = part, theirs
        self.by = draft.updated_by.get_username() if draft.updated_by else "somebody"
        self.at = draft.updated_at
        super().__init__(f"{self.by} changed this meanwhile. Choose which of the two stays.")


def draft_of(character: Character) -> Draft:
    """Her draft; begun from the live sheet where there is none."""
    live = character.live_revision
    document = live.document if live else documents.empty(character.name)
    return (
        Draft.objects.defer("vectors")
        .select_related("character__live_revision", "updated_by")
        .get_or_create(character=character, defaults={"document": document, "based_on": live})[0]
    )


def save(character: Character, edits: Sequence[Edit], *, by: User | None) -> Draft:
    """Save edits, all or none. Raises `ConflictError`, `SheetError` for what is no sheet, `UnknownPartError`."""
    with _locked(character) as draft:
        document = draft.document
        for edit in edits:
            there = parts.get(document, edit.part)
            if edit.was and parts.digest(there) not in {edit.was, parts.digest(edit.value)}:
                raise ConflictError(draft, edit.part, there)
            document = parts.put(document, edit.part, edit.value)
        return _keep(draft, document, by)


def replace(character: Character, document: parts.Document, *, version: int, by: User | None) -> Draft:
    """Save a whole document, unless the draft has changed since `version`. Raises `ConflictError`, `SheetError`."""
    with _locked(character) as draft:
        if draft.version != version and draft.document != document:
            raise ConflictError(draft, WHOLE_SHEET, draft.document)
        return _keep(draft, document, by)


def discard(character: Character, *, by: User | None) -> Draft:
    """Let the draft be the live sheet again. Raises `SheetError` where nothing is live."""
    live = character.live_revision
    if live is None:
        raise SheetError(["Nothing was published yet, so there is nothing to go back to."])
    with _locked(character) as draft:
        draft.based_on = live
        return _keep(draft, live.document, by)


def publish_draft(character: Character, *, version: int, by: User | None, note: str = "") -> Revision:
    """Make the draft, as it was seen at `version`, the live sheet. Raises `ConflictError`, `SheetError`."""
    with _locked(character) as draft:
        if draft.version != version:
            raise ConflictError(draft, WHOLE_SHEET, draft.document)
        draft.based_on = publish(character, sheet=draft.sheet, by=by, note=note)
        draft.save(update_fields=["based_on"])
        return draft.based_on


@contextmanager
def _locked(character: Character) -> Iterator[Draft]:
    """Her draft, which nobody else changes before the block ends."""
    draft_of(character)
    with transaction.atomic():
        drafts = Draft.objects.defer("vectors").select_for_update(of=("self",)).select_related("updated_by")
        yield drafts.get(character=character)


def _keep(draft: Draft, document: parts.Document, by: User | None) -> Draft:
    documents.load(document)
    if document != draft.document:
        draft.document, draft.version = document, draft.version + 1
        draft.updated_by, draft.updated_at = by, timezone.now()
        embed_draft.delay_on_commit(draft.pk)
    draft.save(update_fields=["document", "version", "updated_by", "updated_at", "based_on"])
    return draft
