"""Plan an import: the sheet and lore that a file becomes, and a sentence about each part. Nothing is saved here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from characters.cards import books
from characters.cards.books import OURS, Lorebook, extensions_of
from characters.cards.card import Card, Json
from characters.domain.sheet import Settings, Sheet
from characters.profiles import documents, lorebooks
from characters.profiles.documents import MAX_LORE, MAX_NAME, SheetError
from characters.profiles.folder import Folder
from characters.profiles.lorebooks import Book, Row

MOST_PROBLEMS = 10
"""Problems of a sheet that a preview names."""
OUR_PARTS = {
    "facts": "fact",
    "runtime_facts": "learned fact",
    "personas": "persona",
    "anchors": "anchor",
    "concepts": "concept",
    "settings": "setting",
}
"""Parts of a sheet for which a card has no field, with the noun for one of each."""
SENTENCES = "told"
"""Key, beside these parts, of the sentences that an export wrote into the description for the facts."""
_EXPORT_ONLY = {
    "creator_notes": "creator's notes",
    "creator_notes_multilingual": "creator's notes",
    "tags": "tags",
    "creator": "creator",
    "character_version": "version",
    "group_only_greetings": "greetings for group chats",
    "assets": "pictures and other files",
    "source": "source",
    "extensions": "other programs' data",
}

DEFAULT = "You are {{char}}."
"""Identity of a card that has no description, personality or scenario."""
FACTS = "## Facts"
_PARAGRAPH = "\n\n"
_PARTS = re.compile(
    r"(?P<description>.*?)(?:(?:^|\n\n)## Personality\n\n(?P<personality>\S.*?))?"
    r"(?:(?:^|\n\n)## Scenario\n\n(?P<scenario>\S.*?))?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Result of an import. `notes` are sentences about what has no effect, or needs attention."""

    sheet: Sheet
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    lorebook: str = ""
    """The lorebook's name; empty if there is none."""
    character: str | None = None
    """The slug of the character that the file went to; None in a preview."""


def of_card(card: Card) -> Plan:
    """Return what a card becomes."""
    raw_book = card.data.get("character_book")
    entries = books.lore_of(raw_book)
    ours, problems = _ours(card.data)
    description = own_description(card.data) if ours.get("facts") else card.text("description")
    sheet = replace(_sheet(card, description, ours), lore=lorebooks.taken(entries))
    if ours.get("facts") and f"{FACTS}\n\n" in description:
        problems.append("Another program changed the facts in the description. Check them in the identity text.")
    name = (books.title_of(raw_book) or f"{sheet.name}’s lorebook"[:MAX_NAME]) if entries else ""
    book = lorebooks.book_of(name, sheet.lore, sheet.called, lorebooks.always_in_prompt(sheet.lore))
    notes = (*problems, *_problems(sheet), *lorebooks.notes(entries, sheet.lore, sheet.lore))
    return Plan(sheet, tuple(_rows(card, sheet, book)), notes, name)


def of_folder(folder: Folder) -> Plan:
    """Return what a folder becomes: its sheet as it stands."""
    sheet = folder.sheet
    counts = ((len(sheet.facts), "fact"), (len(sheet.personas), "persona"), (len(sheet.lore), "lore entry"))
    rows = [Row("character.md", "the identity", sheet.identity)]
    rows += [Row(_several(count, noun), "the same as in the draft") for count, noun in counts if count]
    return Plan(sheet, tuple(rows), (*folder.notes, *_problems(sheet)))


def of_lorebook(lorebook: Lorebook, known: Sheet, prefix: str) -> Plan:
    """Return what a lorebook becomes: entries beside those of the sheet `known`."""
    entries = books.lore_of(lorebook.book, lorebook.shape, prefix)
    taken = lorebooks.taken(entries, max(0, MAX_LORE - len(known.lore)))
    sheet = replace(known, lore=(*known.lore, *taken))
    book = lorebooks.book_of(lorebook.name, taken, known.called, lorebooks.always_in_prompt(sheet.lore))
    rows = (lorebooks.row_of_lore(taken), *([lorebooks.row_of_book(book)] if book else []))
    return Plan(sheet, rows, tuple(lorebooks.notes(entries, taken, sheet.lore)), lorebook.name)


def _several(count: int, noun: str) -> str:
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def own_description(data: Json) -> str:
    """Return a card's description without the facts that an export wrote there for other programs."""
    sentences = stored_parts(data).get(SENTENCES)
    written = [text for text in sentences if isinstance(text, str)] if isinstance(sentences, list) else []
    return without_facts(str(data.get("description") or ""), written)


def _sheet(card: Card, description: str, ours: Json) -> Sheet:
    text = card.text
    greetings = [text("first_mes"), *(card.data.get("alternate_greetings") or [])]
    sheet: Json = {
        "name": " ".join(text("name").split())[:MAX_NAME],
        "identity": identity_of(Prose(description, text("personality"), text("scenario"))),
        "nickname": " ".join(text("nickname").split())[:MAX_NAME],
        "system_prompt": text("system_prompt").strip(),
        "post_history_instructions": text("post_history_instructions").strip(),
        "example_messages": text("mes_example").strip(),
        "greetings": [greeting for greeting in greetings if greeting.strip()],
    }
    return documents.load(sheet | ours)


def stored_parts(data: Json) -> Json:
    """Return what this program wrote into a card's extensions."""
    ours = extensions_of(data).get(OURS)
    return ours if isinstance(ours, dict) else {}


def _ours(data: Json) -> tuple[Json, list[str]]:
    """Return the parts of a sheet that this program wrote into a card; none, and a problem, if they are invalid."""
    parts = {part: value for part, value in stored_parts(data).items() if part in OUR_PARTS}
    try:
        documents.check(documents.load({"name": "-", "identity": "-"} | parts))
    except SheetError as error:
        return {}, [f"kgadmin's own data in this card was ignored: {error.problems[0]}"]
    return parts, []


def _rows(card: Card, sheet: Sheet, book: Book | None) -> Iterator[Row]:
    parts = [part for part in Prose._fields if card.text(part).strip()]
    if parts:
        yield Row(", ".join(parts).capitalize(), "the identity text, and suggested facts to accept", sheet.identity)
    texts = (
        ("Nickname", "the name that replaces {{char}}", sheet.nickname),
        ("System prompt", "placed before the identity in every prompt", sheet.system_prompt),
        ("Example messages", "examples in the prompt, as many as fit", sheet.example_messages),
        ("Post-history instructions", "the end of every prompt", sheet.post_history_instructions),
    )
    yield from (Row(part, becomes, text) for part, becomes, text in texts if text)
    for place, text in enumerate(sheet.greetings):
        part = "Greeting" if place == 0 else f"Alternate greeting {place}"
        yield Row(
            part, "the first message of a new conversation" if place == 0 else "an alternative first message", text
        )
    if sheet.lore:
        yield lorebooks.row_of_lore(sheet.lore)
    if book:
        yield lorebooks.row_of_book(book)
    lists = {part: noun for part, noun in OUR_PARTS.items() if part != "settings"}
    ours = [_several(len(rows), noun) for part, noun in lists.items() if (rows := getattr(sheet, part))]
    ours += ["settings"] if sheet.settings != Settings() else []
    if ours:
        yield Row("kgadmin's own data", f"the same as in the draft: {', '.join(ours)}")
    others = [label for name, label in _EXPORT_ONLY.items() if card.data.get(name)]
    if others:
        yield Row("Everything else", f"stored for export, not used in prompts: {', '.join(dict.fromkeys(others))}")


def _problems(sheet: Sheet) -> Iterator[str]:
    """Yield problems that prevent publishing; the sheet is imported as it stands."""
    problems = documents.problems(sheet)
    yield from (f"Fix this before publishing: {problem}" for problem in problems[:MOST_PROBLEMS])
    if len(problems) > MOST_PROBLEMS:
        yield f"And {len(problems) - MOST_PROBLEMS:,} more, which publishing will list."


class Prose(NamedTuple):
    """The fields of a card from which the identity text is made."""

    description: str
    personality: str
    scenario: str


def identity_of(prose: Prose) -> str:
    """Return the identity text of a card's prose."""
    parts = [prose.description.strip()]
    for title, text in (("Personality", prose.personality), ("Scenario", prose.scenario)):
        parts.append(f"## {title}\n\n{text.strip()}" if text.strip() else "")
    return _PARAGRAPH.join(filter(None, parts)) or DEFAULT


def prose_of(identity: str) -> Prose:
    """Return the prose whose `identity_of` is this identity. Text under no such heading is the description."""
    text = "" if identity == DEFAULT else identity.strip()
    parts = _PARTS.fullmatch(text)
    prose = Prose(**{name: part or "" for name, part in parts.groupdict().items()}) if parts else Prose(text, "", "")
    return prose if identity_of(prose) == (text or DEFAULT) else Prose(text, "", "")


def with_facts(description: str, sentences: Sequence[str]) -> str:
    """Return the description with the facts below it, for programs that know no facts."""
    if not sentences:
        return description
    facts = "\n".join([FACTS, "", *(f"- {sentence}" for sentence in sentences)])
    return f"{description}{_PARAGRAPH}{facts}" if description else facts


def without_facts(description: str, sentences: Sequence[str]) -> str:
    """Undo `with_facts` for the same sentences. If another program changed these, the description stays as it is."""
    if not sentences:
        return description
    written = re.escape(with_facts("", sentences))
    return re.sub(rf"(?:^|\n\n){written}(?=\n|$)", "", description, count=1)
