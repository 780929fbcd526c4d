"""Which knowledge bases a character's turns may search, and whose personas name a base."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from characters.profiles.access import characters_for
from characters.profiles.models import Card, Character, CharacterBase, Draft, Revision
from characters.turn.request import Base
from kgadmin.accounts.models import User
from kgadmin.accounts.roles import AnyUser
from kgadmin.audit.services import Act, record
from kgadmin.knowledge.models import Document, KnowledgeBase, KnowledgeBaseQuerySet
from kgadmin.rest.actions import Refused


@dataclass(frozen=True, slots=True)
class Scope:
    """The characters that may use a base, of those that the viewer may see: all, or `characters`."""

    for_everyone: bool
    characters: list[Character]

    @property
    def slugs(self) -> list[str]:
        """Return the slugs of the characters."""
        return [character.slug for character in self.characters]


def scope_of(base: KnowledgeBase, user: AnyUser) -> Scope:
    """Return which characters may use the base."""
    listed = CharacterBase.objects.filter(base=base).values("character")
    return Scope(base.for_everyone, list(characters_for(user).filter(pk__in=listed)))


def choices_for(base: KnowledgeBase, user: AnyUser) -> QuerySet[Character]:
    """Return the characters that the user can choose from: archived ones only where they are chosen already."""
    listed = CharacterBase.objects.filter(base=base).values("character")
    return characters_for(user).filter(Q(archived_at=None) | Q(pk__in=listed))


def is_lorebook(base: KnowledgeBase) -> bool:
    """Return whether the base is made of an imported lorebook, and so its character's alone."""
    return Card.objects.filter(base=base).exists()


@transaction.atomic
def set_scope(base: KnowledgeBase, *, for_everyone: bool, slugs: Collection[str], by: User) -> None:
    """Let all characters use the base, or only these and those that `by` may not see. Raises `Refused`."""
    before = scope_of(base, by)
    chosen = [] if for_everyone else list(characters_for(by).filter(slug__in=slugs))
    if (before.for_everyone, set(before.slugs)) == (for_everyone, {character.slug for character in chosen}):
        return
    _check(base, for_everyone, slugs, chosen)
    KnowledgeBase.objects.filter(pk=base.pk).update(for_everyone=for_everyone)
    base.refresh_from_db()
    CharacterBase.objects.filter(base=base, character__in=before.characters).delete()
    CharacterBase.objects.bulk_create(CharacterBase(base=base, character=character) for character in chosen)
    now = Scope(for_everyone, chosen)
    record(Act("changed", base.subject, before=_names(before), after=_names(now)), actor=by)


def _check(base: KnowledgeBase, for_everyone: bool, slugs: Collection[str], chosen: Collection[Character]) -> None:
    if is_lorebook(base):
        raise Refused("This base is a character's imported lorebook, so that character alone uses it.")
    if unknown := sorted(set(slugs) - {character.slug for character in chosen}) if not for_everyone else []:
        raise Refused(f"There is no character “{unknown[0]}”. Choose from the list.", field="characters")
    if not (for_everyone or chosen):
        raise Refused("Choose a character, or all. To let nobody use the base, switch it off.", field="characters")


def _names(scope: Scope) -> dict[str, str]:
    names = "all" if scope.for_everyone else ", ".join(character.name for character in scope.characters)
    return {"characters": names}


def naming(base: KnowledgeBase) -> list[str]:
    """Return the names of the characters with a persona, live or in the draft, that is used for the base."""
    live = Revision.objects.filter(character__live_revision=F("pk"))
    rows = [*_personas(live), *_personas(Draft.objects.all())]
    return sorted({name for name, bases in rows if base.slug in bases})


def _personas(rows: QuerySet[Revision] | QuerySet[Draft]) -> Iterator[tuple[str, list[str]]]:
    for name, personas in rows.order_by().values_list("character__name", "document__personas"):
        yield from ((name, persona.get("bases", [])) for persona in personas or ())


def in_scope(character: Character) -> KnowledgeBaseQuerySet:
    """Return the enabled bases in the character's scope: those for everyone, and those listed for this one."""
    its_own = CharacterBase.objects.filter(character=character).values("base")
    return KnowledgeBase.objects.filter(Q(for_everyone=True) | Q(pk__in=its_own), enabled=True)


def bases_in_scope(character: Character) -> list[Base]:
    """Return the bases in the character's scope as a turn reads them."""
    unread = Document.objects.unfinished().filter(base=OuterRef("pk")).order_by().values("base")
    rows = in_scope(character).annotate(
        is_lore=Exists(Card.objects.filter(base=OuterRef("pk"))),
        unread=Coalesce(unread.annotate(count=Count("pk")).values("count"), 0),
    )
    fields = ("slug", "provenance", "threshold", "version", "collection", "is_lore", "unread", "pk", "embedder", "name")
    return [Base(*values) for values in rows.values_list(*fields)]
