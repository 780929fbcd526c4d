"""A character's files: her sheet in each form, and the lorebooks that were imported for her."""

from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from characters.authoring.drafts import services as drafts
from characters.cards import books, reading, uploads, writing
from characters.cards.books import Lorebook
from characters.cards.errors import CardError
from characters.cards.merging import Origin
from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import documents
from characters.profiles.access import character_for, may_edit
from characters.profiles.documents import SheetError
from characters.profiles.models import Card, Character, Predicate
from kgadmin.accounts.roles import AnyUser

ORIGINAL, LOREBOOK = "original", "lorebook.json"
ANY_CONTENT = "application/octet-stream"


class File(NamedTuple):
    """A file to download."""

    name: str
    content: bytes
    content_type: str


def content_types() -> set[str]:
    """Of everything that can be downloaded."""
    return {"application/json", ANY_CONTENT, *(form.content_type for form in writing.FORMS.values())}


def sheet_of(character: Character) -> Sheet:
    """What is exported: the live sheet, or what is being written of one who was never published."""
    draft = getattr(character, "draft", None)
    return character.sheet or (draft.sheet if draft else Sheet(character.name, ""))


def file_of(character: Character, form: str) -> File:
    """The character in a form of `writing.FORMS`. Raises `KeyError`."""
    kind = writing.FORMS[form]
    content = writing.written(form, sheet_of(character), origin_of(character), Predicate.objects.registry())
    return File(f"{character.slug}.{kind.ending}", content, kind.content_type)


def file_named(character: Character, form: str, *, may_edit: bool) -> File | None:
    """The file that an address names: a form, the original, or all lore as one book; None for what there isn't.

    The original is for whoever writes her: it may hold what was taken out before she was published.
    """
    if form == ORIGINAL:
        return original_of(character) if may_edit else None
    if form == LOREBOOK:
        return new_lorebook(sheet_of(character))
    return file_of(character, form) if form in writing.FORMS else None


def origin_of(character: Character) -> Origin | None:
    """The card that the character came from."""
    row = character.cards.filter(kind=Card.Kind.CARD).first()
    if row is None:
        return None
    try:
        return Origin(reading.read(bytes(row.content)), documents.load(row.document))
    except (CardError, SheetError):  # of an older version of this program: the sheet itself is whole
        return None


def original_of(character: Character) -> File | None:
    """The very file that the character came from."""
    row = character.cards.exclude(kind=Card.Kind.LOREBOOK).first()
    return File(row.name, bytes(row.content), ANY_CONTENT) if row else None


def lorebook_of(character: Character, row: Card) -> File:
    """An imported lorebook in its own shape, with what has changed since: as it is live, in the draft before."""
    found = uploads.opened(bytes(row.content), row.name)
    if not isinstance(found, Lorebook):
        raise CardError(f"{row.name} is no lorebook.")
    before = documents.load(documents.empty("") | row.document).lore
    live = character.sheet
    now = live if live and is_in(live, row) else drafts.draft_of(character).sheet
    return File(row.name, writing.as_json(with_lore(found, before, now.lore, row.lore_prefix)), "application/json")


def lorebooks_of(character: Character, *, may_edit: bool) -> list[tuple[Card, bool]]:
    """Each imported lorebook, and whether it is live: only such are for who may not edit the character."""
    live = character.sheet
    rows = character.cards.filter(kind=Card.Kind.LOREBOOK).defer("content")
    told = [(row, live is not None and is_in(live, row)) for row in rows]
    return [(row, is_live) for row, is_live in told if is_live or may_edit]


def is_in(sheet: Sheet, row: Card) -> bool:
    """Whether the sheet has entries of this lorebook."""
    return any(entry.id.startswith(row.lore_prefix) for entry in sheet.lore)


def with_lore(found: Lorebook, before: tuple[LoreEntry, ...], lore: tuple[LoreEntry, ...], prefix: str) -> reading.Json:
    """The lorebook's whole file with those entries of `lore` that are its own."""
    own = [entry for entry in lore if entry.id.startswith(prefix)]
    book = books.merged(found.book, before, own, shape=found.shape, prefix=prefix) or {}
    return found.raw | {"data": book} if found.raw.get("spec") == books.SPEC else book


def new_lorebook(sheet: Sheet) -> File:
    """All lore of a sheet as a lorebook of version 3."""
    book = books.merged(None, (), sheet.lore, name=f"{sheet.name}’s lorebook") or {"extensions": {}, "entries": []}
    return File("lorebook.json", writing.as_json({"spec": books.SPEC, "data": book}), "application/json")


def exported_for(user: AnyUser, slug: str) -> Character:
    """A character whose live sheet the user may read; whoever writes it may also export its draft. 404 otherwise."""
    character = character_for(user, slug)
    if character.live_revision is None and not may_edit(user, character):
        raise Http404(f"{character.name} isn’t published yet. There is nothing to export.")
    return character


def download(file: File | None) -> HttpResponse:
    """The file, to be saved; 404 for none."""
    if file is None:
        raise Http404("There is no such form. The page of exports lists them all.")
    disposition = content_disposition_header(as_attachment=True, filename=file.name) or "attachment"
    headers = {"Content-Disposition": disposition}
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)
