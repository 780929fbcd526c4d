"""Creating characters and publishing their sheets."""

import re
from dataclasses import dataclass, fields

from django.db import transaction

from characters.profiles import documents
from characters.profiles.documents import SheetError
from characters.profiles.models import Character, Revision
from characters.turn.sheet import Fact, Sheet
from kgadmin.accounts.models import User
from kgadmin.projection.tasks import sweep

SLUG = re.compile(r"[a-z0-9_-]{1,60}")
MAX_NOTE = 200


@dataclass(frozen=True, slots=True)
class Changes:
    """What publishing a sheet changes."""

    added: tuple[Fact, ...]
    changed: tuple[Fact, ...]
    removed: tuple[Fact, ...]
    elsewhere: tuple[str, ...]
    """Parts other than facts that differ: "identity", "personas" ..."""

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.elsewhere)


def changes(before: Sheet | None, after: Sheet) -> Changes:
    """What is different between two sheets, facts matched by their ids."""
    old = {fact.id: fact for fact in before.facts} if before else {}
    new = {fact.id: fact for fact in after.facts}
    parts = [each.name for each in fields(Sheet) if each.name not in {"facts", "schema"}]
    elsewhere = [part for part in parts if not before or getattr(before, part) != getattr(after, part)]
    if before and tuple(f.id for f in before.facts if f.id in new) != tuple(f.id for f in after.facts if f.id in old):
        elsewhere.append("order of facts")
    return Changes(
        added=tuple(fact for fact in after.facts if fact.id not in old),
        changed=tuple(fact for fact in after.facts if fact.id in old and old[fact.id] != fact),
        removed=tuple(fact for fact in old.values() if fact.id not in new),
        elsewhere=tuple(elsewhere),
    )


def create_character(*, slug: str, sheet: Sheet, by: User | None, note: str = "Created") -> Character:
    """A new character whose first revision is live. Raises `SheetError`."""
    documents.check(sheet)
    if not SLUG.fullmatch(slug):
        raise SheetError([f"{slug!r} can't stand in an address. Use at most 60 of a-z, 0-9, - and _."])
    if Character.objects.filter(slug=slug).exists():
        raise SheetError([f"There is a character {slug!r} already. Publish to her, or choose another name."])
    with transaction.atomic():
        character = Character.objects.create(slug=slug, name=sheet.name, owner=by)
        publish(character, sheet=sheet, by=by, note=note)
    return character


def publish(character: Character, *, sheet: Sheet, by: User | None, note: str = "") -> Revision:
    """Save `sheet` as the next revision, make it live and mark her stale, in one commit. Raises `SheetError`."""
    documents.check(sheet)
    if len(note) > MAX_NOTE:
        raise SheetError([f"The note has {len(note)} characters; at most {MAX_NOTE} are taken."])
    with transaction.atomic():
        Character.objects.select_for_update().get(pk=character.pk)  # revisions have numbers: one after the other
        newest = character.revisions.first()
        revision = character.revisions.create(
            number=newest.number + 1 if newest else 1, document=documents.dump(sheet), note=note, created_by=by
        )
        character.go_live(revision)
        sweep.delay_on_commit()
    return revision
