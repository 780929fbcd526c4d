"""The knowledge bases that a character's turns may search."""

from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.functions import Coalesce

from characters.profiles.models import Card, Character, CharacterBase
from characters.turn.request import Base
from kgadmin.knowledge.models import Document, KnowledgeBase


def bases_in_scope(character: Character) -> list[Base]:
    """Return the enabled bases in the character's scope: those for everyone, and those listed for this one."""
    its_own = CharacterBase.objects.filter(character=character).values("base")
    unread = Document.objects.unfinished().filter(base=OuterRef("pk")).order_by().values("base")
    rows = KnowledgeBase.objects.filter(Q(for_everyone=True) | Q(pk__in=its_own), enabled=True).annotate(
        is_lore=Exists(Card.objects.filter(base=OuterRef("pk"))),
        unread=Coalesce(unread.annotate(count=Count("pk")).values("count"), 0),
    )
    fields = ("slug", "provenance", "threshold", "version", "collection", "is_lore", "unread", "pk", "embedder", "name")
    return [Base(*values) for values in rows.values_list(*fields)]
