"""The sections of the prompt that a character card brings: example messages, lore, what lorebooks say."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from characters.turn.documents import Documents, Passage
from characters.turn.lore import CalledLore, Lore
from characters.turn.lore_index import ActiveLore
from characters.turn.request import TurnRequest
from characters.turn.sections import Count, Section, listed, several

EXAMPLE = "example conversation"
FRAME = 40
"""Tokens around examples, at most."""
LORE = "[LORE]"
MISSES = 20
"""Entries that don't fit, after which no more are tried: each one's tokens are counted anew in every turn."""
MOST_UNTOLD = 50
"""Entries without room that a trace names; the others are counted."""
CHARACTERS_A_TOKEN = 16
"""A text with more than that is too long, without being counted."""
_START = re.compile(r"<START>", re.IGNORECASE)
_SPEAKER = re.compile(r"^(?=\{\{(?:user|char)\}\}:)", re.MULTILINE | re.IGNORECASE)


def examples(text: str, say: Callable[[str], str], budget: int, count: Count) -> Section:
    """Example conversations (`mes_example`): the first whole ones that fit, or as much of the first as does."""
    written = [part.strip() for part in _START.split(text) if part.strip()]
    made = _examples([say(part) for part in written], budget, count)
    if made.text or not written:
        return made
    begun = _examples([_begun([say(part) for part in _SPEAKER.split(written[0])], budget, count)], budget, count)
    notes = ["the first example conversation is shortened to fit", _left(len(written) - 1)]
    return replace(begun, note="; ".join(filter(None, notes))) if begun.text else made


def _begun(messages: Sequence[str], budget: int, count: Count) -> str:
    """The first of these messages, as many as fit."""
    room = budget - FRAME
    kept = []
    for message in messages:
        room -= count(message)
        if room < 0:
            break
        kept.append(message)
    return "".join(kept).rstrip()


def _examples(said: list[str], budget: int, count: Count) -> Section:
    opening = "How you talk, by example. None of this was said to anybody:"
    lines = [f"---\n{each}" for each in said if each]
    return listed(
        "examples",
        "[EXAMPLES]",
        [("", line) for line in lines],
        budget,
        count,
        opening=opening,
        closing="---",
        noun=EXAMPLE,
    )


def _left(examples: int) -> str:
    return f"{several(examples, EXAMPLE)} over the budget left out" if examples else ""


def lore(called: Lore, say: Callable[[str], str], budget: int, count: Count) -> tuple[Section, tuple[CalledLore, ...]]:
    """The entries that were called up, as many as there is room for: first what is always told, then by priority."""
    texts = dict(_fitting(called.entries, say, budget - count(LORE), count))
    told = [entry for entry in called.entries if entry.id in texts]
    text = "\n\n".join([LORE, *(texts[entry.id] for entry in told)]) if told else ""
    note = _note(len(called.entries) - len(told), called.untried)
    section = Section("lore", LORE, "lore", text, count(text) if text else 0, budget, note)
    untold = [entry.id for entry in called.entries if entry.id not in texts][:MOST_UNTOLD]
    kept = (entry for entry in called.entries if entry.id in texts or entry.id in untold)
    return section, tuple(CalledLore(entry.id, entry.name, entry.why, entry.id in texts) for entry in kept)


def _fitting(
    entries: Sequence[ActiveLore], say: Callable[[str], str], room: int, count: Count
) -> Iterator[tuple[str, str]]:
    """The ids of those that there is room for, with what they say."""
    missed, told = 0, Counter[str]()
    for entry in sorted(entries, key=lambda entry: entry.weight):
        text = say(entry.text) if len(entry.text) <= room * CHARACTERS_A_TOKEN else ""
        tokens = count(text) if text else room + 1
        if entry.token_budget and tokens > entry.token_budget - told[entry.book]:
            continue
        if tokens <= room:
            yield entry.id, text
            room -= tokens
            told[entry.book] += tokens
            continue
        missed += 1
        if missed == MISSES:
            return


def _note(cut: int, untried: int) -> str:
    said = [f"{cut} {'entry' if cut == 1 else 'entries'} over the budget left out"] if cut else []
    said += [f"no time for {several(untried, 'pattern')}: their entries weren’t called up"] if untried else []
    return "; ".join(said)


def passages(
    request: TurnRequest, documents: Documents, say: Callable[[str], str], section: str
) -> tuple[Passage, ...]:
    """The passages of a section; those out of a lorebook say what its entries would say."""
    lorebooks = {base.slug for base in request.bases if base.is_lore}
    return tuple(
        replace(passage, heading=say(passage.heading), text=say(passage.text)) if passage.base in lorebooks else passage
        for passage in documents.of(section)
    )


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
