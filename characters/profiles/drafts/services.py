"""The draft of a sheet: saved part by part while its authors type, live only when it is published."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.profiles import documents, folder
from characters.profiles.documents import SheetError
from characters.profiles.drafts import parts, yaml_text
from characters.profiles.models import Character, Draft, Revision
from characters.profiles.services import publish
from characters.profiles.tasks import embed_draft
from kgadmin.accounts.models import User

WHOLE_SHEET = "sheet"
KEPT = ("document", "version", "updated_by", "updated_at", "based_on", "yaml", "yaml_of", "yaml_typed")
"""What an author's save writes; vectors come from a worker."""


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
    begun = {"document": document, "based_on": live, **_written(live)}
    return _rows().get_or_create(character=character, defaults=begun)[0]


def save(character: Character, edits: Sequence[Edit], *, by: User | None) -> Draft:
    """Save edits, all or none. Raises `ConflictError`, `SheetError` for what is no sheet, `UnknownPartError`."""
    with _locked(character) as draft:
        document = draft.document
        for edit in edits:
            there = parts.get(document, edit.part)
            _refuse_unfit(edit)
            if edit.was and parts.digest(there) not in {edit.was, parts.digest(edit.value)}:
                raise ConflictError(draft, edit.part, there)
            document = parts.put(document, edit.part, edit.value)
        return _keep(draft, document, by)


def replace(character: Character, document: parts.Document, *, version: int, by: User | None) -> Draft:
    """Save a whole document, unless the draft has changed since `version`. Raises `ConflictError`, `SheetError`."""
    with _locked(character) as draft:
        _refuse_changed(draft, version, document)
        return _keep(draft, document, by)


def shown_yaml(draft: Draft) -> str:
    """The draft's background as YAML: as its author wrote it, up to date."""
    if draft.yaml_typed:
        return draft.yaml_typed
    if not draft.yaml or draft.yaml_of is None:
        return yaml_text.write(draft.document)
    return yaml_text.updated(draft.yaml, draft.yaml_of, draft.document)


def yaml_problems(draft: Draft) -> list[str]:
    """Why the text that was typed can't be read, if it can't."""
    try:
        if draft.yaml_typed:
            _read_yaml(draft, draft.yaml_typed)
    except SheetError as error:
        return error.problems
    return []


def save_yaml(character: Character, text: str, *, version: int, by: User | None) -> Draft:
    """Save the background as its author wrote it. Raises `ConflictError`, `SheetError`.

    A text that can't be read changes nothing of the sheet, and is kept as it was typed.
    """
    with _locked(character) as draft:
        if not documents.is_storable(text):
            raise SheetError(["The text holds a null byte or half of a character, which can't be stored. Remove it."])
        try:
            document = _read_yaml(draft, text)
        except SheetError as error:
            problem: SheetError | None = error
            draft.yaml_typed = text
            draft.save(update_fields=["yaml_typed"])
        else:
            problem = None
            _refuse_changed(draft, version, document)
            draft.yaml, draft.yaml_of, draft.yaml_typed = text, document, ""
            _keep(draft, document, by)
    if problem:
        raise problem
    return draft


def drop_yaml(character: Character) -> Draft:
    """Let go of a typed text that can't be read."""
    with _locked(character) as draft:
        draft.yaml_typed = ""
        draft.save(update_fields=["yaml_typed"])
        return draft


def discard(character: Character, *, by: User | None) -> Draft:
    """Let the draft be the live sheet again. Raises `SheetError` where nothing is live."""
    if character.live_revision is None:
        raise SheetError(["Nothing was published yet, so there is nothing to go back to."])
    with _locked(character) as draft:
        return _take(draft, character.live_revision, by)


def publish_draft(character: Character, *, version: int, by: User | None, note: str = "") -> Revision:
    """Make the draft, as it was seen at `version`, the live sheet. Raises `ConflictError`, `SheetError`."""
    with _locked(character) as draft:
        if draft.version != version:
            raise ConflictError(draft, WHOLE_SHEET, draft.document)
        if draft.yaml_typed:
            raise SheetError(
                ["The YAML has an error, so what was typed there isn't in the draft. Mend it, or drop it."]
            )
        yaml = shown_yaml(draft) if draft.yaml else ""
        draft.based_on = publish(character, sheet=draft.sheet, by=by, note=note, yaml=yaml)
        draft.save(update_fields=["based_on"])
        return draft.based_on


def revert(character: Character, revision: Revision, *, by: User | None) -> Revision:
    """Publish an earlier sheet again, as a new revision. The draft follows, unless it holds something unpublished."""
    with _locked(character) as draft:
        follows = draft.is_published
        note = f"Back to revision {revision.number}"
        made = publish(character, sheet=revision.sheet, by=by, note=note, yaml=revision.yaml)
        if follows:
            _take(draft, made, by)
        return made


@contextmanager
def _locked(character: Character) -> Iterator[Draft]:
    """Her draft, which nobody else changes before the block ends."""
    draft_of(character)
    with transaction.atomic():
        yield _rows().select_for_update(of=("self",)).get(character=character)


def _rows() -> QuerySet[Draft]:
    """Without what is large and seldom needed."""
    return Draft.objects.defer("vectors").select_related("character__live_revision", "updated_by")


def _refuse_unfit(edit: Edit) -> None:
    problem = parts.problem(edit.part, edit.value)
    if problem:
        raise SheetError([problem])
    if not all(documents.is_storable(text) for _, text in documents.strings({edit.part: edit.value})):
        raise SheetError([f"{edit.part}: it holds a null byte or half of a character, which can't be stored."])


def _refuse_changed(draft: Draft, version: int, document: parts.Document) -> None:
    if draft.version != version and draft.document != document:
        raise ConflictError(draft, WHOLE_SHEET, draft.document)


def _read_yaml(draft: Draft, text: str) -> parts.Document:
    known = draft.sheet
    return documents.dump(folder.parse(known.identity, text, name=known.name, known=known).sheet)


def _written(revision: Revision | None) -> dict[str, Any]:
    """The YAML of a revision as a draft has it."""
    if revision is None or not revision.yaml:
        return {"yaml": "", "yaml_of": None}
    return {"yaml": revision.yaml, "yaml_of": revision.document}


def _take(draft: Draft, revision: Revision, by: User | None) -> Draft:
    """Let the draft say what a revision says."""
    draft.based_on, draft.yaml_typed = revision, ""
    for name, value in _written(revision).items():
        setattr(draft, name, value)
    return _keep(draft, revision.document, by)


def _keep(draft: Draft, document: parts.Document, by: User | None) -> Draft:
    documents.load(document)
    if document != draft.document:
        draft.document, draft.version = document, draft.version + 1
        draft.updated_by, draft.updated_at = by, timezone.now()
        embed_draft.delay_on_commit(draft.pk)
    draft.save(update_fields=KEPT)
    return draft
