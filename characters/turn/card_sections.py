"""The sections of the prompt that a character card brings: example messages, lore, instructions after the history."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from characters.turn.documents import Passage
from characters.turn.lore import ALWAYS, ActiveLore, CalledLore
from characters.turn.sections import Count, Section, listed, several

LORE = "[LORE]"
_START = re.compile(r"^[ \t]*<START>[ \t]*$", re.MULTILINE | re.IGNORECASE)


def examples(text: str, budget: int, count: Count) -> Section:
    """Example conversations (`mes_example`), as many whole ones as there is room for."""
    said = [part.strip() for part in _START.split(text) if part.strip()]
    opening = "How you talk, by example. None of this was said to anybody:"
    lines = [f"---\n{part}" for part in said]
    return listed(
        "examples", "[EXAMPLES]", lines, budget, count, opening=opening, closing="---", noun="example conversation"
    )


def lore(
    entries: Sequence[ActiveLore], say: Callable[[str], str], budget: int, count: Count
) -> tuple[Section, tuple[CalledLore, ...]]:
    """The entries that were called up, as many as there is room for: first what is always told, then by priority."""
    texts = {entry.id: say(entry.text) for entry in entries}
    by_weight = sorted(entries, key=lambda entry: (entry.why != ALWAYS, -entry.priority))
    spent = count(LORE)
    kept: set[str] = set()
    for entry in by_weight:
        tokens = count(texts[entry.id])
        if spent + tokens <= budget:
            spent += tokens
            kept.add(entry.id)
    told = [entry for entry in entries if entry.id in kept]
    text = "\n\n".join([LORE, *(texts[entry.id] for entry in told)]) if told else ""
    section = Section("lore", LORE, "lore", text, spent if text else 0, budget, _note(len(entries) - len(told)))
    return section, tuple(CalledLore(entry.id, entry.name, entry.why, entry.id in kept) for entry in entries)


def _note(cut: int) -> str:
    return f"{cut} {'entry' if cut == 1 else 'entries'} over the budget left out" if cut else ""


def untold(passages: Sequence[Passage], lore: Section) -> list[Passage]:
    """The passages that say more than the lore: a lorebook is a knowledge base, too."""
    if not lore.text:
        return list(passages)
    return [passage for passage in passages if not all(_is_in(line, lore.text) for line in passage.text.splitlines())]


def _is_in(line: str, text: str) -> bool:
    return line.startswith("#") or line.strip() in text


def noted(section: Section, told: int) -> Section:
    """The section, saying how many of its passages the lore tells already."""
    if not told:
        return section
    note = f"{several(told, 'passage')} left out: the lore says it"
    return replace(section, note="; ".join(filter(None, [section.note, note])))
