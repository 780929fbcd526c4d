"""A character's files: the sheet in each format, and the files that were imported for it."""

from typing import NamedTuple

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from characters.authoring.drafts import services as drafts
from characters.cards import books, formats, uploads
from characters.cards import card as cards
from characters.cards.books import Lorebook
from characters.cards.formats import FORMATS
from characters.cards.merge import Origin
from characters.domain.sheet import Sheet
from characters.profiles import documents
from characters.profiles.access import character_for, may_edit
from characters.profiles.models import Card, Character, Predicate
from kgadmin.accounts.roles import AnyUser
from kgadmin.rest.actions import Refused

ORIGINAL = "original"
ANY_CONTENT = "application/octet-stream"


class File(NamedTuple):
    """A file to download."""

    name: str
    content: bytes
    content_type: str

    def response(self) -> HttpResponse:
        """The file, to be saved."""
        disposition = content_disposition_header(as_attachment=True, filename=self.name) or "attachment"
        return HttpResponse(self.content, content_type=self.content_type, headers={"Content-Disposition": disposition})


def sheet_of(character: Character) -> Sheet:
    """What is exported: the live sheet, or the draft of a character that was never published."""
    draft = getattr(character, "draft", None)
    return character.sheet or (draft.sheet if draft else Sheet(character.name, ""))


def file_of(character: Character, name: str) -> File:
    """The character in a format of `FORMATS`. Raises `KeyError`."""
    format_ = FORMATS[name]
    content = format_.write(sheet_of(character), _origin_of(character), Predicate.objects.registry())
    return File(f"{character.slug}.{format_.ending}", content, format_.content_type)


def file_for(user: AnyUser, slug: str, name: str) -> File:
    """The file that an address names: a format, or the original. 404 for what this user can't have.

    The original is for whoever may edit the character: it may hold what was taken out before publishing.
    """
    character = exported_for(user, slug)
    if name in FORMATS:
        return file_of(character, name)
    row = original_of(character) if name == ORIGINAL and may_edit(user, character) else None
    if row is None:
        raise Http404("There is no such export. See the export page for available files.")
    return File(row.name, bytes(row.content), ANY_CONTENT)


def _origin_of(character: Character) -> Origin | None:
    """The card that the character came from."""
    row = character.cards.filter(kind=Card.Kind.CARD).first()
    if row is None:
        return None
    try:
        card = uploads.read(bytes(row.content), row.name)
        return Origin(card, documents.load(row.document)) if isinstance(card, cards.Card) else None
    except Refused:  # of an older version of this program: the sheet itself is complete
        return None


def original_of(character: Character) -> Card | None:
    """The row of the very file that the character came from."""
    return character.cards.exclude(kind=Card.Kind.LOREBOOK).first()


def lorebook_of(character: Character, row: Card) -> File:
    """An imported lorebook in its own shape, with what has changed since: as it is live, in the draft before."""
    lorebook = uploads.read(bytes(row.content), row.name)
    if not isinstance(lorebook, Lorebook):
        raise Refused(f"{row.name} isn't a lorebook.")
    before = documents.load(documents.empty("") | row.document).lore
    live = character.sheet
    sheet = live if live and _is_in(live, row) else drafts.draft_of(character).sheet
    lore = [entry for entry in sheet.lore if entry.id.startswith(row.lore_prefix)]
    book = books.merged(lorebook.book, before, lore, shape=lorebook.shape, prefix=row.lore_prefix)
    raw = lorebook.raw | {"data": book} if lorebook.raw.get("spec") == books.SPEC else book
    return File(row.name, formats.as_json(raw), "application/json")


def lorebooks_of(character: Character, *, may_edit: bool) -> list[tuple[Card, bool]]:
    """Each imported lorebook, and whether it is live: only such are for who may not edit the character."""
    live = character.sheet
    rows = character.cards.filter(kind=Card.Kind.LOREBOOK).defer("content")
    listed = [(row, live is not None and _is_in(live, row)) for row in rows]
    return [(row, is_live) for row, is_live in listed if is_live or may_edit]


def _is_in(sheet: Sheet, row: Card) -> bool:
    return any(entry.id.startswith(row.lore_prefix) for entry in sheet.lore)


def exported_for(user: AnyUser, slug: str) -> Character:
    """A character whose live sheet the user may read; whoever writes it may also export its draft. 404 otherwise."""
    character = character_for(user, slug)
    if character.live_revision is None and not may_edit(user, character):
        raise Http404(f"{character.name} isn’t published yet. There is nothing to export.")
    return character
