"""Importing a file: it is kept as a preview, and taken in one transaction, wholly or not at all."""

from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.utils import timezone

from characters.authoring.drafts import services as drafts
from characters.authoring.drafts.services import ConflictError, Edit
from characters.authoring.suggestions import services as suggestions
from characters.cards import planning, uploads
from characters.cards.books import Lorebook
from characters.cards.errors import CardError
from characters.cards.planning import Plan
from characters.cards.reading import Card
from characters.cards.uploads import Folder, Upload
from characters.domain.sheet import Sheet
from characters.profiles import documents, shelf
from characters.profiles.documents import SheetError
from characters.profiles.models import Card as CardRow
from characters.profiles.models import Character, Draft
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge

KEPT_UNTAKEN = timedelta(days=1)
"""A preview that nobody took is thrown away after this."""
MAX_UNTAKEN = 5
"""Previews that one account may have."""
MAX_STEM = 90
"""Characters of a name that gets a number."""
_KINDS: dict[type[Any], CardRow.Kind] = {
    Card: CardRow.Kind.CARD,
    Folder: CardRow.Kind.FOLDER,
    Lorebook: CardRow.Kind.LOREBOOK,
}


def upload(*, name: str, content: bytes, by: User) -> CardRow:
    """Keep a file as a preview. Raises `CardError`."""
    found = uploads.opened(content, name)
    if not isinstance(found, Lorebook):
        uploads.planned(found)
    with transaction.atomic():
        untaken = CardRow.objects.filter(taken_at=None)
        untaken.filter(created_at__lt=timezone.now() - KEPT_UNTAKEN).delete()
        own = untaken.filter(created_by=by).values_list("pk", flat=True)
        untaken.filter(pk__in=list(own[MAX_UNTAKEN - 1 :])).delete()
        return CardRow.objects.create(kind=_KINDS[type(found)], name=_name(name), content=content, created_by=by)


def _name(name: str) -> str:
    return knowledge.clean_name(name or "card")[:200]


def plan_of(row: CardRow, character: Character | None = None) -> Plan:
    """What becomes of a file; a lorebook becomes part of `character`. Raises `CardError`."""
    content = bytes(row.content)
    plan = _plan(uploads.opened(content, row.name), row, character)
    return replace(plan, notes=(*taken_before(content, by=row.created_by, character=character), *plan.notes))


def _plan(found: Upload, row: CardRow, character: Character | None) -> Plan:
    if not isinstance(found, Lorebook):
        return uploads.planned(found)
    return plan_of_lorebook(found, character, row.lore_prefix)


def taken_before(content: bytes, *, by: User | None, character: Character | None) -> list[str]:
    """A sentence where this very lorebook is in the draft of the character, or of one for whom this account took it."""
    rows = CardRow.objects.filter(kind=CardRow.Kind.LOREBOOK, content=content).exclude(taken_at=None)
    rows = rows.filter(character=character) if character else rows.filter(created_by=by)
    names = [row.character.name for row in rows.select_related("character__draft") if row.character and _is_in(row)]
    return [f"{', '.join(dict.fromkeys(names))}: this very lorebook is there already, and would be twice."] * bool(
        names
    )


def _is_in(row: CardRow) -> bool:
    draft = getattr(row.character, "draft", None)
    return draft is not None and any(entry.id.startswith(row.lore_prefix) for entry in draft.sheet.lore)


def plan_of_lorebook(found: Lorebook, character: Character | None, prefix: str = "b") -> Plan:
    """What becomes of a lorebook for this character."""
    known = drafts.draft_of(character).sheet if character else Sheet("", "")
    return planning.of_lorebook(found, known, prefix)


def take(row: CardRow, *, by: User, tab: str = "", character: Character | None = None) -> Character:
    """Import the file: the new character, or the one that the lorebook went to. Twice is once. Raises `CardError`."""
    with transaction.atomic():
        locked = CardRow.objects.select_for_update(of=("self",)).select_related("character").filter(pk=row.pk).first()
        if locked is None:
            raise CardError("This file was thrown away meanwhile. Upload it again.")
        if locked.character:
            return locked.character
        if locked.kind == CardRow.Kind.LOREBOOK:
            if character is None:
                raise CardError("A lorebook belongs to a character. Choose one.")
            return _take_lorebook(locked, character, by, tab)
        return _take_character(locked, by)


def _take_character(row: CardRow, by: User) -> Character:
    plan = plan_of(row)
    sheet = renamed(plan.sheet)
    character = shelf.create(sheet.name, by=by)
    document = documents.dump(sheet)
    Draft.objects.create(character=character, document=document, updated_by=by)
    _close(row, character, plan.lorebook, document)
    if row.kind == CardRow.Kind.CARD:
        suggestions.suggest(character, sheet.identity, source="card")
    return character


def _take_lorebook(row: CardRow, character: Character, by: User, tab: str) -> Character:
    plan = plan_of(row, character)
    own = [entry for entry in documents.dump(plan.sheet)["lore"] if entry["id"].startswith(row.lore_prefix)]
    try:
        drafts.save(character, [Edit(f"lore:{entry['id']}", entry) for entry in own], by=by, tab=tab)
    except (ConflictError, SheetError) as error:
        raise CardError(f"Nothing was imported: {error}") from error
    _close(row, character, plan.lorebook, {"lore": own})
    return character


def _close(row: CardRow, character: Character, lorebook: str, document: dict[str, Any]) -> None:
    row.character, row.lorebook, row.document, row.taken_at = character, lorebook, document, timezone.now()
    row.save(update_fields=["character", "lorebook", "document", "taken_at"])


def renamed(sheet: Sheet) -> Sheet:
    """Under a name that nobody has yet; to the model she is called as before."""
    taken = set(Character.objects.filter(name__startswith=sheet.name[:MAX_STEM]).values_list("name", flat=True))
    if sheet.name not in taken:
        return sheet
    name = next(each for number in count(2) if (each := f"{sheet.name[:MAX_STEM]} ({number})") not in taken)
    return replace(sheet, name=name, nickname=sheet.called)


def uploaded_by(user: User, pk: int) -> CardRow | None:
    """An upload of this account; an administrator finds everybody's."""
    rows = CardRow.objects.select_related("character")
    return (rows if user.is_superuser else rows.filter(created_by=user)).filter(pk=pk).first()
