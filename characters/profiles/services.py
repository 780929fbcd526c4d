"""Creating characters and publishing their sheets."""

import re

from django.db import transaction

from characters.domain.sheet import Sheet
from characters.profiles import documents, lorebooks
from characters.profiles.documents import SheetError
from characters.profiles.learned import services as learned
from characters.profiles.models import Character, Revision
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, new_batch, record
from kgadmin.projection.tasks import sweep

SLUG = re.compile(r"[a-z0-9_-]{1,60}")
MAX_NOTE = 200
RESERVED = {"new", "import"}
"""Addresses of pages beside those of characters."""


def create_character(*, slug: str, sheet: Sheet, by: User | None, note: str = "Created") -> Character:
    """A new character whose first revision is live. Raises `SheetError`."""
    documents.check(sheet)
    if not SLUG.fullmatch(slug):
        raise SheetError([f"{slug!r} can't be used in an address. Use at most 60 characters of a-z, 0-9, - and _."])
    if slug in RESERVED:
        raise SheetError([f"{slug!r} is reserved for a page. Choose another name."])
    if Character.objects.filter(slug=slug).exists():
        raise SheetError([f"There is already a character {slug!r}. Publish to that one, or choose another name."])
    with transaction.atomic():
        character = Character.objects.create(slug=slug, name=sheet.name, owner=by)
        publish(character, sheet=sheet, by=by, note=note)
    return character


def publish(character: Character, *, sheet: Sheet, by: User | None, note: str = "", yaml: str = "") -> Revision:
    """Save `sheet` as the next revision, and make it live, in one commit. Raises `SheetError`.

    What is looked up of its lorebooks follows in the same commit. `yaml` is the background as its author wrote it,
    where somebody did.
    """
    documents.check(sheet)
    if len(note) > MAX_NOTE:
        raise SheetError([f"The note has {len(note)} characters; at most {MAX_NOTE} are allowed."])
    with transaction.atomic():
        now = Character.objects.select_for_update().get(pk=character.pk)  # revisions have numbers: one after the other
        if now.archived_at is not None:
            raise SheetError([f"{now.name} is archived. Unarchive it first."])
        newest = character.revisions.first()
        revision = character.revisions.create(
            number=newest.number + 1 if newest else 1,
            document=documents.dump(sheet),
            yaml=yaml,
            note=note,
            created_by=by,
        )
        character.go_live(revision)
        lorebooks.follow(character, sheet, by=by)
        batch = new_batch()
        record(_published(character, newest, revision), actor=by, batch=batch)
        learned.follow(character, sheet, by=by, batch=batch)
        sweep.delay_on_commit()
    return revision


def _published(character: Character, before: Revision | None, now: Revision) -> Act:
    was = {"revision": before.number} if before else {}
    return Act("published", character.graph_id, character.graph_id, was, {"revision": now.number}, note=now.note)
