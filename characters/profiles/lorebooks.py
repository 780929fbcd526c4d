"""Lorebooks: entries in use, and a knowledge base of those that can't be in every prompt.

The base follows the live sheet at every publishing: entries with keys are also found by their meaning. A draft has no
base.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from django.utils.text import slugify

from characters.domain.sheet import LoreEntry, Sheet
from characters.profiles.documents import MAX_IDENTITY, MAX_KEY, MAX_KEYS, MAX_LORE
from characters.profiles.models import Card, Character, CharacterBase
from characters.turn.card_sections import LORE, MISSES
from characters.turn.lore_index import ALWAYS, CONDITIONS, called_up, is_always, parsed, read
from characters.turn.request import Budgets
from kgadmin.accounts.models import User
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase

_CHAR = re.compile(r"\{\{char\}\}", re.IGNORECASE)
_OTHER_LETTERS = re.compile(r"[^\W\d_a-zA-Z]")
ALL = 100
"""Percent."""
_CONDITIONS = CONDITIONS | {"dont_activate_after_match", "is_greeting", "is_user_icon"}
"""Conditions, supported or not, under which an entry must not be found by meaning alone."""


@dataclass(frozen=True, slots=True)
class Row:
    """The outcome of one part of a file."""

    part: str
    becomes: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """A lorebook as a knowledge base: one document, an entry under each heading."""

    name: str
    text: str
    entries: int


def taken(entries: Sequence[LoreEntry], room: int = MAX_LORE) -> tuple[LoreEntry, ...]:
    """Return the entries to use: as many as there is room for, constant ones first."""
    fitting = [entry for entry in entries if _fits(entry)]
    chosen = {entry.id for entry in sorted(fitting, key=lambda entry: not entry.constant)[:room]}
    return tuple(entry for entry in fitting if entry.id in chosen)


def _fits(entry: LoreEntry) -> bool:
    keys = (*entry.keys, *entry.secondary_keys)
    short = all(len(key) <= MAX_KEY for key in keys)
    return short and len(entry.content) <= MAX_IDENTITY and len(keys) <= MAX_KEYS


def book_of(name: str, entries: Sequence[LoreEntry], character: str, in_prompts: Set[str]) -> Book | None:
    """Return the searchable part of a lorebook; `in_prompts` are the ids of entries that are in every prompt anyway."""
    parts = []
    for entry in entries:
        decorators, text, idle = parsed(entry.content)
        if text and entry.id not in in_prompts and _may_be_found(entry, {*decorators, *idle}):
            heading = " ".join((entry.name or ", ".join(entry.keys[:5]) or entry.id).split())
            parts.append(_CHAR.sub(lambda _: character, f"## {heading}\n\n{text}"))
    return Book(name, "\n\n".join([f"# {name}", *parts]) + "\n", len(parts)) if parts else None


def _may_be_found(entry: LoreEntry, decorators: Set[str]) -> bool:
    """Return whether an entry may be found by its meaning: it has no condition beside its keys."""
    is_selective = entry.selective and entry.secondary_keys
    return entry.enabled and entry.probability >= ALL and not is_selective and decorators.isdisjoint(_CONDITIONS)


def always_in_prompt(lore: Sequence[LoreEntry]) -> set[str]:
    """Return the ids of the entries in every prompt, conservatively: the constant ones, if all fit."""
    always = [called_up(read(entry), ALWAYS) for entry in lore if _is_constant(entry)]
    room = min([Budgets().lore - _tokens(LORE), *(entry.token_budget for entry in always if entry.token_budget)])
    fits = len(always) < MISSES and sum(_tokens(entry.text) for entry in always) <= room
    return {entry.id for entry in always} if fits else set()


def _is_constant(entry: LoreEntry) -> bool:
    return entry.enabled and entry.probability > 0 and is_always(entry, parsed(entry.content)[0])


def _tokens(text: str) -> int:
    """Return an estimate of the tokens, mostly above a model's count."""
    return len(_OTHER_LETTERS.findall(text)) + len(text) // 3


def row_of_lore(entries: Sequence[LoreEntry]) -> Row:
    """Return the outcome of the entries in use."""
    constant = sum(_is_constant(entry) for entry in entries)
    off = sum(not entry.enabled for entry in entries)
    never = sum(entry.enabled and not entry.probability for entry in entries)
    counts = [
        (len(entries) - constant - off - never, "included when a key is mentioned"),
        (constant, "always included, as space permits"),
        (off, "switched off"),
        (never, "never included (probability 0)"),
    ]
    becomes = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    return Row("Lorebook", becomes, ", ".join(_name_of(entry) for entry in entries[:20]))


def _name_of(entry: LoreEntry) -> str:
    return entry.name or ", ".join(entry.keys[:3]) or f"{parsed(entry.content)[1][:40]} …"


def row_of_book(book: Book) -> Row:
    """Return the outcome of the searchable entries."""
    count = "1 entry" if book.entries == 1 else f"{book.entries:,} entries"
    where = f"in the knowledge base “{book.name}”, for this character only"
    return Row("Lorebook", f"{count} also searched by meaning, once published: {where}")


def notes(entries: Sequence[LoreEntry], taken: Sequence[LoreEntry], lore: Sequence[LoreEntry]) -> Iterator[str]:
    """Yield what needs attention: `taken` are the `entries` in use, `lore` all those of the sheet."""
    if len(taken) < len(entries):
        yield (
            f"{len(taken):,} of {len(entries):,} entries are used; the others are only stored for export. "
            f"At most {MAX_LORE:,} are used, each of up to {MAX_IDENTITY:,} characters with up to {MAX_KEYS} keys "
            f"of up to {MAX_KEY:,}."
        )
    in_prompts = always_in_prompt(lore)
    unsure = [entry for entry in taken if _is_constant(entry) and entry.id not in in_prompts]
    if unsure:
        yield (
            f"Always included, but together too long for every prompt ({Budgets().lore:,} tokens for lore): "
            f"{_listed(unsure)}. What doesn’t fit can still be found in the knowledge base."
        )
    by_chance = [entry for entry in taken if 0 < entry.probability < ALL]
    if by_chance:
        yield (
            "Entries with a probability below 100 are always included here when a key is mentioned: "
            f"{_listed(by_chance)}."
        )
    idle = sorted({name for entry in entries for name in parsed(entry.content)[2]})
    if idle:
        yield (
            "Instructions at the start of entries that only other programs use: "
            f"{', '.join(f'@@{name}' for name in idle[:20])}. They are stored for export."
        )


def _listed(entries: Sequence[LoreEntry]) -> str:
    names = [_name_of(entry) for entry in entries[:5]]
    return ", ".join([*names, f"{len(entries) - 5:,} more"] if len(entries) > 5 else names)


def follow(character: Character, sheet: Sheet, *, by: User | None) -> None:
    """Update the base of each imported lorebook to `sheet`. Call it in the transaction that makes it live."""
    rows = list(character.cards.exclude(kind=Card.Kind.FOLDER).select_related("base").defer("content"))
    in_prompts = always_in_prompt(sheet.lore)
    for row in rows:
        name = row.lorebook or (row.base.name if row.base else "")
        book = book_of(name, entries_of(sheet.lore, row, rows), sheet.called, in_prompts) if name else None
        if book:
            base = row.base or _made(row, book, character, by)
            CharacterBase.objects.get_or_create(character=character, base=base)
            knowledge.keep_document(base=base, name=_file(book.name), content=book.text.encode(), by=by)
        elif row.base:
            CharacterBase.objects.filter(character=character, base=row.base).delete()
            for document in row.base.documents.filter(name=_file(name)):
                knowledge.remove_document(document, by=by)


def entries_of(lore: Iterable[LoreEntry], row: Card, rows: Iterable[Card]) -> list[LoreEntry]:
    """Return the entries of a lorebook; entries of no imported lorebook belong to the card."""
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
