"""Sections of the prompt, and the fencing of outside text in them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import category

from characters.turn.request import HistoryMessage

MESSAGE_OVERHEAD = 4
"""Tokens that a chat template adds to a message, roughly."""
_FENCES = re.compile(r"<{3,}|>{3,}")
_MAX_NAME = 60
_MAX_LINE = 120
"""Characters of a passage's label: the message that matched it may be long, and is in the prompt anyway."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of the prompt. `tokens` is an estimate by the embedder's tokenizer."""

    name: str
    title: str
    source: str
    """Stage whose hue it has on the page."""
    text: str
    tokens: int
    budget: int
    note: str = ""
    items: tuple[str, ...] = ()
    """Ids of the items that it shows ("fact:f7", "user_fact:12", "message:7"), without those that were cut."""


def fitting_history(history: Sequence[HistoryMessage], budget: int, count: Count) -> tuple[list[HistoryMessage], int]:
    """Return the newest messages that fit, in order, and their tokens."""
    spent, first = 0, len(history)
    while first and spent + (tokens := count(history[first - 1].text) + MESSAGE_OVERHEAD) <= budget:
        spent, first = spent + tokens, first - 1
    return list(history[first:]), spent


def newest(history: Sequence[HistoryMessage], budget: int, count: Count) -> tuple[Section, list[HistoryMessage]]:
    """Return the section of the newest messages that fit, and these in order."""
    messages, spent = fitting_history(history, budget, count)
    left = len(history) - len(messages)
    text = "\n".join(f"{'They' if message.role == 'user' else 'You'}: {message.text}" for message in messages)
    note = f"{several(left, 'older message')} left out" if left else ""
    title = f"History, {several(len(messages), 'message')}"
    return Section("history", title, "history", text, spent, budget, note), messages


def listed(
    name: str,
    title: str,
    lines: Sequence[tuple[str, str]],
    budget: int,
    count: Count,
    *,
    closing: str,
    noun: str,
    opening: str = "",
) -> Section:
    """Return a section of as many lines as fit its budget, in order, between `opening` and `closing`.
    Each line comes with the id of the item that it shows, or "".
    """
    head = [title, opening] if opening else [title]
    spent = sum(map(count, [*head, closing]))  # no token reaches over the end of a line
    lines_shown: list[tuple[str, str]] = []
    for item, line in lines:
        tokens = count(line)
        if spent + tokens <= budget:
            lines_shown.append((item, line))
            spent += tokens
    cut = len(lines) - len(lines_shown)
    text = "\n".join([*head, *(line for _, line in lines_shown), closing]) if lines_shown else ""
    note = f"{several(cut, noun)} over the budget left out" if cut else ""
    items = tuple(item for item, _ in lines_shown if item)
    return Section(name, title, name, text, spent if text else 0, budget, note, items)


def in_one_line(text: str, limit: int = _MAX_LINE) -> str:
    """Return outside text on one line, shortened, so that it can't close a fence."""
    line = " ".join(text.split())
    return fenced(line if len(line) <= limit else f"{line[:limit].rstrip()} …")


def as_name(text: str) -> str:
    """Return somebody's name for themself, fit to stand within a sentence: short, without quotes or breaks."""
    plain = "".join(each for each in text if each.isspace() or each in "'’.-_" or category(each)[0] in "LMN")
    return " ".join(plain.split())[:_MAX_NAME].strip() or "somebody"


def fenced(text: str) -> str:
    """Return outside text that can't close its fence."""
    return _FENCES.sub(lambda match: " ".join(match.group()), text)


def several(number: int, noun: str) -> str:
    """Return a number with its noun: "1 fact", "2 facts"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
