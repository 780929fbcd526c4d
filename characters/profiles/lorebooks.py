"""The lorebooks of a live sheet as knowledge bases: what is told by its keys is found by its meaning, too.

A base follows what is live, at every publishing; a draft has none.
"""

from collections.abc import Iterable

from django.utils.text import slugify

from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles import lore_plan
from characters.profiles.lore_plan import Book
from characters.profiles.models import Card, Character, CharacterBase
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase


def follow(character: Character, sheet: Sheet, *, by: User | None) -> None:
    """Let the base of each imported lorebook say what `sheet` says. Call it in the transaction that makes it live."""
    rows = list(character.cards.exclude(kind=Card.Kind.FOLDER).select_related("base").defer("content"))
    in_prompts = lore_plan.always_in_prompt(sheet.lore)
    for row in rows:
        name = row.lorebook or (row.base.name if row.base else "")
        book = lore_plan.book(name, entries_of(sheet.lore, row, rows), sheet.called, in_prompts) if name else None
        if book:
            base = row.base or _made(row, book, character, by)
            CharacterBase.objects.get_or_create(character=character, base=base)
            knowledge.keep_document(base=base, name=_file(book.name), content=book.text.encode(), by=by)
        elif row.base:
            CharacterBase.objects.filter(character=character, base=row.base).delete()
            for document in row.base.documents.filter(name=_file(name)):
                knowledge.remove_document(document, by=by)


def entries_of(lore: Iterable[LoreEntry], row: Card, rows: Iterable[Card]) -> list[LoreEntry]:
    """The entries of a lorebook; to a card's belong all that are of none that was imported beside it."""
    if row.kind == Card.Kind.LOREBOOK:
        return [entry for entry in lore if entry.id.startswith(row.lore_prefix)]
    others = tuple(each.lore_prefix for each in rows if each.kind == Card.Kind.LOREBOOK)
    return [entry for entry in lore if not entry.id.startswith(others)]


def _made(row: Card, book: Book, character: Character, by: User | None) -> KnowledgeBase:
    described = f"Lorebook of {character.name}, imported"[:300]
    row.base = knowledge.register(name=book.name, description=described, by=by)
    row.base.change(for_everyone=False)
    row.save(update_fields=["base"])
    return row.base


def _file(name: str) -> str:
    return f"{slugify(name) or 'lorebook'}.md"
