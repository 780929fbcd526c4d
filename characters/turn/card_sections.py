"""Prompt sections that come from a character card: example messages, lore, and passages of lorebooks."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile

from characters.turn.documents import Documents, Passage
from characters.turn.lore import CalledLore, Lore
from characters.turn.lore_index import ActiveLore
from characters.turn.request import TurnRequest
from characters.turn.sections import Count, Section, listed, several

EXAMPLE = "example conversation"
FRAME = 40
LORE = "[LORE]"
MISSES = 20
"""Entries without room after which no more are tried, since tokens are counted anew every turn."""
MOST_WITHOUT_ROOM = 50
"""Entries without room that a trace names; the others are only counted."""
CHARACTERS_A_TOKEN = 16
"""Characters per token above which a text is too long without counting."""
_START = re.compile(r"<START>", re.IGNORECASE)
_SPEAKER = re.compile(r"^(?=\{\{(?:user|char)\}\}:)", re.MULTILINE | re.IGNORECASE)


def examples(text: str, say: Callable[[str], str], budget: int, count: Count) -> Section:
    """Return as many whole example conversations (`mes_example`) as fit, in order, or the start of the first."""
    written = [part.strip() for part in _START.split(text) if part.strip()]
    made = _examples([say(part) for part in written], budget, count)
    if made.text or not written:
        return made
    messages = [say(part) for part in _SPEAKER.split(written[0])]
    spent = takewhile(lambda tokens: tokens <= budget - FRAME, accumulate(map(count, messages)))
    first = "".join(message for message, _ in zip(messages, spent, strict=False))
    shortened = _examples([first.rstrip()], budget, count)
    left = f"; {several(len(written) - 1, EXAMPLE)} over the budget left out" if len(written) > 1 else ""
    note = f"the first example conversation is shortened to fit{left}"
    return replace(shortened, note=note) if shortened.text else made


def _examples(texts: list[str], budget: int, count: Count) -> Section:
    return listed(
        "examples",
        "[EXAMPLES]",
        [("", f"---\n{text}") for text in texts if text],
        budget,
        count,
        opening="How you talk, by example. None of this was said to anybody:",
        closing="---",
        noun=EXAMPLE,
    )


def lore(called: Lore, say: Callable[[str], str], budget: int, count: Count) -> tuple[Section, tuple[CalledLore, ...]]:
    """Return as many of the triggered entries as fit: constant ones first, then by priority."""
    texts = dict(_fitting(called.entries, say, budget - count(LORE), count))
    shown = [texts[entry.id] for entry in called.entries if entry.id in texts]
    text = "\n\n".join([LORE, *shown]) if shown else ""
    cut = len(called.entries) - len(shown)
    notes = [f"{cut} {'entry' if cut == 1 else 'entries'} over the budget left out"] if cut else []
    notes += [f"no time for {several(called.untried, 'pattern')}: skipped this turn"] if called.untried else []
    section = Section("lore", LORE, "lore", text, count(text) if text else 0, budget, "; ".join(notes))
    without_room = [entry.id for entry in called.entries if entry.id not in texts][:MOST_WITHOUT_ROOM]
    named = (entry for entry in called.entries if entry.id in texts or entry.id in without_room)
    return section, tuple(CalledLore(entry.id, entry.name, entry.why, entry.id in texts) for entry in named)


def _fitting(
    entries: Sequence[ActiveLore], say: Callable[[str], str], room: int, count: Count
) -> Iterator[tuple[str, str]]:
    missed, spent = 0, Counter[str]()
    for entry in sorted(entries, key=lambda entry: entry.weight):
        text = say(entry.text) if len(entry.text) <= room * CHARACTERS_A_TOKEN else ""
        tokens = count(text) if text else room + 1
        if entry.token_budget and tokens > entry.token_budget - spent[entry.book]:
            continue
        if tokens <= room:
            yield entry.id, text
            room -= tokens
            spent[entry.book] += tokens
            continue
        missed += 1
        if missed == MISSES:
            return


def passages(
    request: TurnRequest, documents: Documents, say: Callable[[str], str], count: Count, section: str
) -> tuple[Passage, ...]:
    """Return the passages of a section; lorebook passages have their placeholders filled in."""
    lorebooks = {base.slug for base in request.bases if base.is_lore}

    def filled(passage: Passage) -> Passage:
        heading, text = say(passage.heading), say(passage.text)
        return replace(passage, heading=heading, text=text, tokens=count(text))

    of_section = (passage for passage in documents.used if passage.section == section)
    return tuple(filled(passage) if passage.base in lorebooks else passage for passage in of_section)


def beside_lore(passages: Sequence[Passage], lore: Section) -> list[Passage]:
    """Return the passages that don't repeat the lore: a lorebook is a knowledge base, too."""

    def says_more(line: str) -> bool:
        return not line.startswith("#") and line.strip() not in lore.text

    return [passage for passage in passages if not lore.text or any(map(says_more, passage.text.splitlines()))]


def noted(section: Section, left_out: int) -> Section:
    """Return the section with a note on how many passages were dropped because the lore has them."""
    if not left_out:
        return section
    note = f"{several(left_out, 'passage')} left out: already in the lore"
    return replace(section, note="; ".join(filter(None, [section.note, note])))
