"""The draft of a sheet: saved part by part while its authors type, live only when it is published."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.authoring.drafts import parts, yaml_text
from characters.profiles import documents, folder
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, Revision
from characters.profiles.services import publish
from characters.profiles.sheet_yaml import MAX_CHARACTERS
from characters.profiles.tasks import embed_draft
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused

WHOLE_SHEET = "sheet"
TYPED = ("yaml_typed", "yaml_typed_for", "yaml_typed_by")
KEPT = ("document", "version", "updated_by", "updated_at", "based_on", "yaml", "yaml_of", "yaml_typed")
"""What an author's save writes; vectors come from a worker."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Another value of a part. `was` is the digest of the value that its author saw, empty to save over anything."""

    part: str
    value: Any
    was: str = ""


class ConflictError(Refused):
    """This part was changed since it was seen: `theirs` stands in the draft, and nothing was saved.

    `by` is who changed the draft last; that it was this part isn't known.
    """

    status = 409
    said = "This was changed meanwhile; {by} saved last. Choose which of the two stays."

    def __init__(self, draft: Draft, part: str, theirs: Any) -> None:
        self.part, self.theirs = part, theirs
        by = self.whose(draft)
        self.by = by.get_username() if by else "somebody"
        self.at = draft.updated_at
        super().__init__(self.said.format(by=self.by))

    def whose(self, draft: Draft) -> User | None:
        """Who is named."""
        return draft.updated_by


class TypedConflictError(ConflictError):
    """Somebody typed YAML that can't be read yet, and it wasn't seen: `theirs`. Nothing was saved."""

    said = (
        "{by} typed another text meanwhile. It has an error, so it isn't in the draft yet, and it would be lost. "
        "Choose which of the two stays."
    )

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft, WHOLE_SHEET, draft.yaml_typed)

    def whose(self, draft: Draft) -> User | None:
        """Who typed it."""
        return draft.yaml_typed_by


def draft_of(character: Character) -> Draft:
    """Her draft; begun from the live sheet where there is none."""
    live = character.live_revision
    begun = {"document": live_document(character), "based_on": live, **_written(live)}
    return _rows().get_or_create(character=character, defaults=begun)[0]


def live_document(character: Character) -> parts.Document:
    """What is live; the document of an empty sheet where nothing is."""
    return character.live_revision.document if character.live_revision else documents.empty(character.name)


def next_fact_id(draft: Draft) -> str:
    """An id for a new fact of the draft that stands for nothing live either."""
    return parts.next_fact_id(draft.document, live_document(draft.character))


def save(character: Character, edits: Sequence[Edit], *, by: User | None) -> Draft:
    """Save edits, all or none. Raises `ConflictError`, `SheetError` for what is no sheet, `UnknownPartError`."""
    return change(character, lambda draft: edits, by=by)


def change(character: Character, make: Callable[[Draft], Iterable[Edit]], *, by: User | None) -> Draft:
    """Save the edits that `make` says for the draft as it is, which nobody else changes meanwhile. Raises like `save`.

    So nothing is lost where somebody else adds, copies or moves facts at the same moment.
    """
    with _locked(character) as draft:
        document = draft.document
        for edit in make(draft):
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
    """What was typed and can't be read yet, else the draft's background as YAML."""
    return draft.yaml_typed or told_yaml(draft)


def told_yaml(draft: Draft) -> str:
    """The draft's background as YAML: as its author wrote it, up to date."""
    if not draft.yaml or draft.yaml_of is None:
        return yaml_text.write(draft.document)
    return yaml_text.updated(draft.yaml, draft.yaml_of, draft.document)


def _kept_yaml(draft: Draft) -> str:
    """What a revision keeps: the YAML where an author wrote it."""
    return yaml_text.updated(draft.yaml, draft.yaml_of, draft.document) if draft.yaml and draft.yaml_of else ""


def yaml_problems(draft: Draft) -> list[str]:
    """Why the text that was typed can't be read, if it can't."""
    try:
        if draft.yaml_typed:
            _read_yaml(draft, draft.yaml_typed)
    except SheetError as error:
        return error.problems
    return []


def yaml_version(draft: Draft) -> int:
    """The draft's version that the shown YAML was written for; another one since then is a conflict."""
    return draft.yaml_typed_for if draft.yaml_typed else draft.version


def yaml_seen(draft: Draft) -> str:
    """The digest of the typed text that the shown YAML is; empty where it is the draft's."""
    return parts.digest(draft.yaml_typed) if draft.yaml_typed else ""


def save_yaml(character: Character, text: str, *, version: int, by: User | None, seen: str = "") -> Draft:
    """Save the background as its author wrote it. Raises `ConflictError`, `SheetError`.

    A text that can't be read changes nothing of the sheet, and is kept as it was typed, with its author. No kept text
    is replaced unseen: `seen` is its digest, as `yaml_seen` has it.
    """
    if problem := why_not_kept(text):
        raise SheetError([problem])
    before = draft_of(character)
    try:
        document = _read_yaml(before, text)  # before the lock: a long text takes seconds
    except SheetError:
        with _locked(character) as draft:
            _refuse_unseen(draft, {seen, parts.digest(text)})
            draft.yaml_typed, draft.yaml_typed_for, draft.yaml_typed_by = text, version, by
            draft.save(update_fields=TYPED)
        raise
    with _locked(character) as draft:
        _refuse_unseen(draft, {seen})
        _refuse_changed(draft, version, document)
        if draft.version != before.version:
            document = _read_yaml(draft, text)
        draft.yaml, draft.yaml_of, draft.yaml_typed = text, document, ""
        return _keep(draft, document, by)


def why_not_kept(text: str) -> str:
    """Why a typed text can't even be kept as it is."""
    if not documents.is_storable(text):
        return "The text holds a null byte or half of a character, which can't be stored. Remove it."
    if len(text) > MAX_CHARACTERS:
        return f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are taken. Shorten it."
    return ""


def _refuse_unseen(draft: Draft, seen: set[str]) -> None:
    if draft.yaml_typed and yaml_seen(draft) not in seen:
        raise TypedConflictError(draft)


def drop_yaml(character: Character, *, by: User | None, seen: str = "") -> Draft:
    """Let go of a typed text that can't be read. Raises `ConflictError` where it is somebody's that wasn't seen."""
    with _locked(character) as draft:
        _refuse_unseen(draft, {seen})
        draft.yaml_typed = ""
        draft.save(update_fields=TYPED)
        return draft


def discard(character: Character, *, by: User | None, version: int | None = None, seen: str = "") -> Draft:
    """Let the draft be the live sheet again. Raises `SheetError` where nothing is live.

    Raises `ConflictError` where somebody else saved since `version`, or typed YAML other than what was `seen`. What
    one typed oneself is meant to go.
    """
    if character.live_revision is None:
        raise SheetError(["Nothing was published yet, so there is nothing to go back to."])
    with _locked(character) as draft:
        if draft.yaml_typed_by != by:
            _refuse_unseen(draft, {seen})
        if version not in {None, draft.version} and draft.updated_by != by:
            raise ConflictError(draft, WHOLE_SHEET, draft.document)
        return _take(draft, character.live_revision, by)


def publish_draft(
    character: Character, *, version: int, by: User | None, note: str = "", live: int | None = None
) -> Revision:
    """Make the draft, as it was seen at `version`, the live sheet. Raises `ConflictError`, `SheetError`.

    `live` is the number of the revision that it was compared with; another one that is live by now is a conflict.
    """
    before = draft_of(character)
    told = _kept_yaml(before)  # before the lock: a long text takes seconds
    with _locked(character) as draft:
        now = draft.character.live_revision
        if draft.version != version or (live is not None and live != (now.number if now else 0)):
            raise ConflictError(draft, WHOLE_SHEET, draft.document)
        if draft.yaml_typed:
            raise SheetError(
                ["The YAML has an error, so what was typed there isn't in the draft. Mend it, or drop it."]
            )
        yaml = told if draft.version == before.version else _kept_yaml(draft)
        draft.based_on = publish(character, sheet=draft.sheet, by=by, note=note, yaml=yaml)
        draft.save(update_fields=["based_on"])
        return draft.based_on


def revert(character: Character, revision: Revision, *, by: User | None) -> Revision:
    """Publish an earlier sheet again, as a new revision. The draft follows, unless it holds something unpublished."""
    with _locked(character) as draft:
        follows = draft.is_published and not draft.yaml_typed
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
    rows = Draft.objects.select_related("character__live_revision", "updated_by")
    return rows.defer("vectors", "character__live_revision__vectors", "character__live_revision__yaml")


def _refuse_unfit(edit: Edit) -> None:
    problem = parts.problem(edit.part, edit.value)
    if problem:
        raise SheetError([problem])
    unfit = documents.unstorable(edit.value)
    if unfit:
        raise SheetError([f"{edit.part}: {unfit}"])


def _refuse_changed(draft: Draft, version: int, document: parts.Document) -> None:
    if draft.version != version and draft.document != document:
        raise ConflictError(draft, WHOLE_SHEET, draft.document)


def _read_yaml(draft: Draft, text: str) -> parts.Document:
    """Facts that are in the draft, or live, keep their ids; a draft's facts may be unfinished."""
    known, live = draft.sheet, draft.character.sheet
    before = known.facts, live.facts if live else ()
    return documents.dump(folder.parse(known.identity, text, name=known.name, known=before, unfinished=True).sheet)


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
    documents.refuse_too_many(document["facts"])
    documents.load(document)
    if document != draft.document:
        draft.document, draft.version = document, draft.version + 1
        draft.updated_by, draft.updated_at = by, timezone.now()
        embed_draft.delay_on_commit(draft.pk)
    draft.save(update_fields=KEPT)
    return draft
