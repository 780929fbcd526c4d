"""The draft of a sheet: saved while its author types, by one writer at a time, and live only once published.

Every write but `take_over` goes through `_claim`. A writer is an account in a browser tab (`tab`, empty for programs
and for pages without script). `version` is the draft's version that the writer saw; None skips the check.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from characters.authoring.drafts import parts, yaml_text
from characters.profiles import documents, folder
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Draft, Revision, Unsaved
from characters.profiles.services import publish
from characters.profiles.sheet_yaml import MAX_CHARACTERS
from characters.profiles.tasks import embed_draft
from kgadmin.accounts.models import User
from kgadmin.rest.actions import Refused

WRITER = ("writer", "writer_tab", "written_at")
SAVED = ("document", "version", "updated_by", "updated_at", "based_on", "yaml", "yaml_of", "yaml_typed", *WRITER)
"""Fields that an author's save writes; a worker writes the vectors."""
YAML = "yaml"
"""The key of the whole YAML text among unsaved parts."""
NOT_STORED = 400
"""HTTP status for a text that can't even be kept as typed."""
CHANGED = "The draft has changed since you opened it, so nothing was saved. Reload it."


@dataclass(frozen=True, slots=True)
class Edit:
    """A new value of a part; None removes a row."""

    part: str
    value: Any


class ConflictError(Refused):
    """Raised when somebody else writes the draft, or has changed it since it was seen. Nothing was saved."""

    status = 409


class NoWriterError(ConflictError):
    """Raised when the user isn't the draft's writer and can't become it now."""


def draft_of(character: Character) -> Draft:
    """Return the character's draft, created from the live sheet if there is none."""
    live = character.live_revision
    defaults = {"document": live_document(character), "based_on": live, **_yaml_columns(live)}
    return _rows().get_or_create(character=character, defaults=defaults)[0]


def live_document(character: Character) -> parts.Document:
    """Return the live sheet's document, or an empty sheet's if nothing is live."""
    return character.live_revision.document if character.live_revision else documents.empty(character.name)


def next_fact_id(draft: Draft) -> str:
    """Return an id that no fact of the draft or the live sheet has, so that none means two facts."""
    rows = [row for document in (draft.document, live_document(draft.character)) for row in document["facts"]]
    numbers = [int(row["id"][1:]) for row in rows if row["id"][1:].isdecimal()]
    return f"f{max(numbers, default=0) + 1}"


def save(
    character: Character,
    edits: Sequence[Edit],
    *,
    by: User | None,
    tab: str = "",
    version: int | None = None,
) -> Draft:
    """Save all edits or none. Raises `ConflictError`, `SheetError` for an invalid sheet, `UnknownPartError`."""
    return change(character, lambda draft: edits, by=by, tab=tab, version=version)


def change(
    character: Character,
    make: Callable[[Draft], Iterable[Edit]],
    *,
    by: User | None,
    tab: str = "",
    version: int | None = None,
) -> Draft:
    """Save the edits that `make` returns for the draft, which is locked meanwhile. Raises like `save`."""
    with _locked(character) as draft:
        edits = list(make(draft))
        if edits:
            _claim(draft, by, tab, version)
            _save(draft, edited(draft.document, edits), by)
        return draft


def edited(document: parts.Document, edits: Iterable[Edit]) -> parts.Document:
    """Return the document with these edits made. Raises `SheetError`, `UnknownPartError`."""
    for edit in edits:
        if problem := parts.problem(edit.part, edit.value) or documents.unstorable(edit.value):
            raise SheetError([f"{edit.part}: {problem}"])
        document = parts.put(document, edit.part, edit.value)
    return document


def take_over(character: Character, *, by: User, tab: str = "") -> None:
    """Make this account and tab the draft's writer, whoever was it before."""
    with _locked(character) as draft:
        _write(draft, by, tab)
        draft.save(update_fields=WRITER)


@dataclass(frozen=True, slots=True)
class YamlText:
    """A draft's background as YAML, at `version`; `problems` are those of a typed text that can't be read yet."""

    version: int
    yaml: str
    problems: list[str]


def yaml_of(draft: Draft) -> YamlText:
    """Return the typed text that can't be read yet, else the draft's background as YAML."""
    problems: list[str] = []
    try:
        if draft.yaml_typed:
            _read_yaml(draft, draft.yaml_typed)
    except SheetError as error:
        problems = error.problems
    return YamlText(draft.version, draft.yaml_typed or current_yaml(draft), problems)


def current_yaml(draft: Draft) -> str:
    """Return the draft's background as up-to-date YAML, with its author's comments and order."""
    return _commented_yaml(draft) or yaml_text.write(draft.document)


def _commented_yaml(draft: Draft) -> str:
    """Return the up-to-date YAML if an author wrote any, to be kept in a revision; else an empty string."""
    return yaml_text.updated(draft.yaml, draft.yaml_of, draft.document) if draft.yaml and draft.yaml_of else ""


def save_yaml(character: Character, text: str, *, by: User | None, tab: str = "", version: int | None = None) -> Draft:
    """Save the background from YAML. Raises `ConflictError`, or `SheetError` (the text is kept, unless `NOT_STORED`).

    If the sheet changed elsewhere while a typed text couldn't be read, the YAML being replaced is kept under Revisions.
    """
    if not documents.is_storable(text):
        problem = "The text contains a null byte or half of a character, which can't be stored. Remove it."
        raise SheetError([problem], status=NOT_STORED)
    if len(text) > MAX_CHARACTERS:
        problem = f"The text has {len(text):,} characters; at most {MAX_CHARACTERS:,} are allowed. Shorten it."
        raise SheetError([problem], status=NOT_STORED)
    before = draft_of(character)
    try:
        document = _read_yaml(before, text)  # before the lock: a long text takes seconds
    except SheetError:
        with _writing(character, by, tab, version) as draft:
            # A new version makes open pages show the text; a program may retry at the version that it knows.
            draft.yaml_typed, draft.version = text, draft.version + bool(tab)
            draft.yaml_typed_for = draft.version
            draft.save(update_fields=("yaml_typed", "yaml_typed_for", "version", *WRITER))
        raise
    with _writing(character, by, tab, version) as draft:
        if by and draft.yaml_typed and draft.yaml_typed_for != draft.version:
            keep_unsaved(draft, [(YAML, current_yaml(draft))], by=by)
        if draft.version != before.version:
            document = _read_yaml(draft, text)
        return _save(draft, document, by, yaml=text)


def drop_yaml(character: Character, *, by: User | None, tab: str = "") -> Draft:
    """Discard a typed text that can't be read. Raises `ConflictError`."""
    with _writing(character, by, tab) as draft:
        draft.yaml_typed, draft.version = "", draft.version + 1
        draft.save(update_fields=("yaml_typed", "version", *WRITER))
        return draft


def take_unsaved(row: Unsaved, *, by: User, tab: str = "") -> None:
    """Move an unsaved text into the draft, even YAML that can't be read. Raises like `save`."""
    with transaction.atomic():
        save(row.character, [Edit(*each) for each in row.edits if each[0] != YAML], by=by, tab=tab)
        for text in (text for part, text in row.edits if part == YAML):
            with suppress(SheetError):
                save_yaml(row.character, text, by=by, tab=tab)
        row.delete()


def keep_unsaved(draft: Draft, typed: Iterable[tuple[str, Any]], *, by: User, is_certain: bool = False) -> None:
    """Keep unsaved text under Revisions, once; skip what the draft says already, unless `is_certain`."""
    edits = [
        [part, value]
        for part, value in typed
        if not documents.unstorable(value) and (is_certain or not _stands(draft, part, value))
    ]
    rows = Unsaved.objects.filter(character=draft.character, user=by)
    if edits and not rows.filter(edits=edits).exists():
        rows.create(character=draft.character, user=by, edits=edits)


def _stands(draft: Draft, part: str, value: Any) -> bool:
    there = draft.yaml_typed or draft.yaml if part == YAML else parts.get(draft.document, part)
    return bool(there == value)


def discard(character: Character, *, by: User | None, tab: str = "", version: int | None = None) -> Draft:
    """Reset the draft to the live sheet. Raises `ConflictError`, or `SheetError` if nothing is live."""
    if character.live_revision is None:
        raise SheetError(["Nothing has been published yet, so there is nothing to return to."])
    with _writing(character, by, tab, version) as draft:
        return _take(draft, character.live_revision, by)


def publish_draft(
    character: Character, *, version: int, by: User | None, tab: str = "", note: str = "", live: int | None = None
) -> Revision:
    """Publish the draft as seen at `version`, when revision `live` was live. Raises `ConflictError`, `SheetError`."""
    before = draft_of(character)
    text = _commented_yaml(before)  # before the lock: a long text takes seconds
    with _writing(character, by, tab) as draft:
        now = draft.character.live_revision
        if draft.version != version or (live is not None and live != (now.number if now else 0)):
            raise ConflictError(CHANGED)
        if draft.yaml_typed:
            raise SheetError(["The YAML has an error, so it isn't in the draft. Fix or discard it."])
        yaml = text if draft.version == before.version else _commented_yaml(draft)
        draft.based_on = publish(character, sheet=draft.sheet, by=by, note=note, yaml=yaml)
        draft.save(update_fields=("based_on", *WRITER))
        return draft.based_on


def revert(character: Character, revision: Revision, *, by: User | None, tab: str = "") -> Revision:
    """Publish an earlier sheet again as a new revision; the draft follows, unless it has unpublished changes."""
    with _writing(character, by, tab) as draft:
        follows, live = draft.is_published and not draft.yaml_typed, draft.character.live_revision
        text = _commented_yaml(draft) if follows else ""
        note = f"Back to revision {revision.number}"
        made = publish(character, sheet=revision.sheet, by=by, note=note, yaml=revision.yaml)
        if follows:
            if by and text and live and text != live.yaml:  # differs in comments or order, which `_take` drops
                keep_unsaved(draft, [(YAML, text)], by=by, is_certain=True)
            _take(draft, made, by)
        return made


@contextmanager
def _locked(character: Character) -> Iterator[Draft]:
    """Yield the character's draft, locked until the block ends."""
    draft_of(character)
    with transaction.atomic():
        yield _rows().select_for_update(of=("self",)).get(character=character)


@contextmanager
def _writing(character: Character, by: User | None, tab: str, version: int | None = None) -> Iterator[Draft]:
    """Yield the character's draft, locked and claimed for this writer. Raises `ConflictError`."""
    with _locked(character) as draft:
        _claim(draft, by, tab, version)
        yield draft


def _claim(draft: Draft, by: User | None, tab: str, version: int | None) -> None:
    """Make this the draft's writer. Raises `NoWriterError` while another one writes, or if `version` is outdated.

    The last writer's version is checked only in the unnamed tab, which programs and pages without script share.
    """
    is_theirs = not draft.was_written_in(by, tab)
    if is_theirs and draft.written_until:
        raise NoWriterError(_taken(draft, by))
    if (is_theirs or not tab) and version not in {None, draft.version}:
        raise NoWriterError(CHANGED)
    _write(draft, by, tab)


def _taken(draft: Draft, by: User | None) -> str:
    last, until = (f"{timezone.localtime(time):%H:%M:%S}" for time in (draft.written_at, draft.written_until) if time)
    who = "You are" if draft.writer == by else f"{draft.writer} is"
    return (
        f"{who} editing this draft elsewhere, last saved {last}. Take over in the editor, or try again after {until}."
    )


def _write(draft: Draft, by: User | None, tab: str) -> None:
    """Make this the writer. An unreadable text that another account left goes to that account's Revisions."""
    if draft.yaml_typed and draft.writer and draft.writer != by:
        keep_unsaved(draft, [(YAML, draft.yaml_typed)], by=draft.writer, is_certain=True)
    draft.writer, draft.writer_tab, draft.written_at = by, tab, timezone.now()


def _rows() -> QuerySet[Draft]:
    """Return all drafts, without large columns that are seldom needed."""
    rows = Draft.objects.select_related("character__live_revision", "updated_by", "writer")
    return rows.defer("vectors", "character__live_revision__vectors", "character__live_revision__yaml")


def _read_yaml(draft: Draft, text: str) -> parts.Document:
    """Parse YAML; facts of the draft or the live sheet keep their ids, and facts may be unfinished."""
    known, live = draft.sheet, draft.character.sheet
    before = known.facts, live.facts if live else ()
    return documents.dump(folder.parse(known.identity, text, name=known.name, known=before, unfinished=True).sheet)


def _yaml_columns(revision: Revision | None) -> dict[str, Any]:
    if revision is None or not revision.yaml:
        return {"yaml": "", "yaml_of": None}
    return {"yaml": revision.yaml, "yaml_of": revision.document}


def _take(draft: Draft, revision: Revision, by: User | None) -> Draft:
    draft.based_on, draft.yaml_typed = revision, ""
    for name, value in _yaml_columns(revision).items():
        setattr(draft, name, value)
    return _save(draft, revision.document, by)


def _save(draft: Draft, document: parts.Document, by: User | None, *, yaml: str | None = None) -> Draft:
    """Save a document; with its author's `yaml`, a change of comments or order counts as well."""
    documents.refuse_too_many(document["facts"])
    documents.load(document)
    is_another_text = yaml is not None and (draft.yaml_typed or yaml != draft.yaml)
    if yaml is not None:
        draft.yaml, draft.yaml_of, draft.yaml_typed = yaml, document, ""
    if document != draft.document or is_another_text:
        draft.document, draft.version = document, draft.version + 1
        draft.updated_by, draft.updated_at = by, timezone.now()
        embed_draft.delay_on_commit(draft.pk)
    draft.save(update_fields=SAVED)
    return draft
