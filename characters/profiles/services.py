"""Create characters, publish their sheets, and archive them."""

import re
from dataclasses import replace
from itertools import count

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from characters.domain.sheet import Fact, Persona, Sheet
from characters.profiles import documents, lorebooks
from characters.profiles.documents import SheetError
from characters.profiles.learned import services as learned
from characters.profiles.models import Card, Character, Draft, Revision
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, new_batch, record
from kgadmin.projection.tasks import sweep

SLUG = re.compile(r"[a-z0-9_-]{1,60}")
MAX_NOTE = 200
RESERVED = {"new", "import"}
"""Slugs that are addresses of other pages."""
BLANK = "blank"
_FRIEND = """You are {{char}}. You talk with {{user}} as a friend does: warm, curious, in short sentences.

You have a life of your own, and speak of it when it fits. You ask back, and you remember what you are told.

When you don't know something, you say so."""
_GUIDE = """You are {{char}}, who knows this place and shows it to {{user}}.

You answer from what you know, name where it is written, and say so when it isn't written anywhere.

You explain the thing in front of you first, and the theory when somebody asks."""
_HERO = """You are {{char}}, out of a story that isn't over yet. You don't know that it is one.

You speak as people of your time and place do. You want something, and you fear something, and both show.

You decide nothing for {{user}}."""


def _sheet(identity: str, *predicates: str, personas: tuple[Persona, ...] = ()) -> Sheet:
    """Return a template's sheet; the author must fill in or remove its empty facts before publishing."""
    rows = tuple(Fact(f"f{number}", name, "") for number, name in enumerate(predicates, start=1))
    return Sheet("", identity, rows, personas=personas)


_GUIDING = Persona("guide", "Guide", "Answer from the documents, and name the one that says so.", default=True)

TEMPLATES: dict[str, tuple[str, Sheet]] = {
    BLANK: ("Blank", Sheet("", "")),
    "friend": (
        "A friend",
        _sheet(_FRIEND, "IS_A", "GREW_UP_IN", "LIVES_IN", "HAS_MOTHER", "LIKES", "DISLIKES", "HAS_HABIT", "HAS_DREAM"),
    ),
    "guide": (
        "A guide who answers from documents",
        _sheet(_GUIDE, "IS_A", "WORKS_AT", "STUDIED", "HAS_HABIT", "LIKES", personas=(_GUIDING,)),
    ),
    "hero": (
        "A character from a story",
        _sheet(_HERO, "IS_A", "BORN_IN", "HAS_FATHER", "LOOKS_LIKE", "OWNS", "HAS_FEAR", "HAS_DREAM", "HAS_MOTTO"),
    ),
}
"""Templates by key: the label, and the sheet without a name."""


def create_character(*, slug: str, sheet: Sheet, by: User | None, note: str = "Created") -> Character:
    """Create a character whose first revision is live. Raises `SheetError`."""
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

    Its lorebooks' bases and learned facts are updated in the same commit. `yaml` is the background as written, if any.
    """
    documents.check(sheet)
    if len(note) > MAX_NOTE:
        raise SheetError([f"The note has {len(note)} characters; at most {MAX_NOTE} are allowed."])
    with transaction.atomic():
        now = Character.objects.select_for_update().get(pk=character.pk)  # revision numbers: one publish at a time
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


def begin(*, name: str, sheet: Sheet, by: User | None, yaml: str = "") -> Character:
    """Create a character with a draft only; a taken name gets a numbered address. Raises `SheetError`."""
    name = " ".join(name.split())
    if not documents.is_visible(name) or not documents.is_storable(name):
        raise SheetError(["Give the character a name."])
    if len(name) > documents.MAX_NAME:
        raise SheetError([f"The name has {len(name)} characters; at most {documents.MAX_NAME} are allowed."])
    document = documents.dump(replace(sheet, name=name))
    with transaction.atomic():
        character = create_empty(name, by=by)
        Draft.objects.create(
            character=character, document=document, yaml=yaml, yaml_of=document if yaml else None, updated_by=by
        )
    return character


def clone(character: Character, *, by: User | None, may_see_draft: bool) -> Character:
    """Create a copy with the live sheet, else a visible draft, as its draft. Raises `SheetError` without either."""
    draft = Draft.objects.filter(character=character).first() if may_see_draft else None
    sheet = character.sheet or (draft.sheet if draft else None)
    if sheet is None:
        raise SheetError([f"{character.name} isn't published yet, so there is nothing to copy."])
    with transaction.atomic():
        made = begin(name=f"{sheet.name or character.name} (copy)"[: documents.MAX_NAME], sheet=sheet, by=by)
        _copy_cards(character, made, by=by)
    return made


def _copy_cards(character: Character, made: Character, *, by: User | None) -> None:
    """Copy the files that the character came from, so that the copy's exports are complete.

    Ids of lorebook entries contain the row id of their file, so the copy's entries get new ids.
    """
    document = made.draft.document
    for row in character.cards.order_by("pk"):
        before = row.lore_prefix
        is_book = row.kind == Card.Kind.LOREBOOK
        if is_book and not any(entry["id"].startswith(before) for entry in document["lore"]):
            continue
        row.pk, row.character, row.base, row.created_by, row.taken_at = None, made, None, by, timezone.now()
        row.save()
        if is_book:
            for lore in (document["lore"], row.document["lore"]):
                for entry in lore:
                    entry["id"] = re.sub(f"^{before}", row.lore_prefix, entry["id"])
            row.save(update_fields=["document"])
    made.draft.save(update_fields=["document"])


@transaction.atomic
def archive(character: Character, *, by: User | None) -> None:
    """Archive a character: nobody talks to it, nothing is deleted."""
    if Character.objects.filter(pk=character.pk, archived_at=None).update(archived_at=timezone.now()):
        record(Act("archived", character.graph_id, character.graph_id), actor=by)


@transaction.atomic
def restore(character: Character, *, by: User | None) -> None:
    """Restore an archived character."""
    if Character.objects.filter(pk=character.pk, archived_at__isnull=False).update(archived_at=None):
        record(Act("restored", character.graph_id, character.graph_id), actor=by)


def create_empty(name: str, *, by: User | None) -> Character:
    """Create a character without a sheet, at the first free address, even if others do so concurrently."""
    stem = slugify(name)[:55].strip("-_") or "character"
    while True:
        taken = set(Character.objects.filter(slug__startswith=stem).values_list("slug", flat=True)) | RESERVED
        addresses = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
        slug = next(address for address in addresses if address not in taken)
        try:
            with transaction.atomic():
                made = Character.objects.create(slug=slug, name=name, owner=by)
                record(Act("made", made.graph_id, made.graph_id), actor=by)
                return made
        except IntegrityError:
            continue
