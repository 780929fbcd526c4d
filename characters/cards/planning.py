"""What becomes of a file that is imported: the sheet, the lore, a sentence about each part. Nothing is saved here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from characters.cards import books, prose
from characters.cards.books import Lorebook
from characters.cards.entries import OURS, extensions_of
from characters.cards.errors import CardError
from characters.cards.reading import FIRST_VERSION, Card, Json
from characters.domain.sheet import LoreEntry, Settings, Sheet
from characters.profiles import documents, lore_plan
from characters.profiles.documents import MAX_LORE, MAX_LORE_NAME, MAX_NAME, SheetError, shown
from characters.profiles.lore_plan import Book, Row

MAX_TEXT = 100_000
"""Characters of a text of a card that becomes part of the sheet; what is only kept may be longer."""
ACTING = (*FIRST_VERSION, "name", "nickname", "system_prompt", "post_history_instructions", "alternate_greetings")
"""Fields that become part of the sheet, beside the lorebook, which has limits of its own."""
KNOWN_VERSIONS = ("2.0", "3.0", "2", "3")
"""Also as numbers."""
MOST_PROBLEMS = 10
"""Problems of a sheet that a preview names."""
OUR_PARTS = ("facts", "runtime_facts", "personas", "anchors", "concepts", "settings")
"""Parts of a sheet for which a card has no place."""
TOLD = "told"
"""Beside them: the sentences with which an export told the facts in the description."""
_SAID = {"runtime_facts": "learned facts"} | {part: part for part in OUR_PARTS if part != "runtime_facts"}
_ONLY_KEPT = {
    "creator_notes": "notes for whoever uses the card",
    "creator_notes_multilingual": "notes for whoever uses the card",
    "tags": "tags",
    "creator": "who made it",
    "character_version": "its version",
    "group_only_greetings": "greetings for group chats",
    "assets": "pictures and other files",
    "source": "where it comes from",
    "extensions": "what other programs keep in it",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import makes: `book` is what of the lorebook can be looked up once it is live.

    `notes` are sentences about what is kept and doesn't act, or must be seen to."""

    sheet: Sheet
    book: Book | None
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    lorebook: str = ""
    """Its name; empty where there is none."""


def of_card(card: Card) -> Plan:
    """What becomes of a card. Raises `CardError`."""
    _check_lengths(card)
    raw_book = card.data.get("character_book")
    entries = books.lore_of(raw_book)
    ours, problems = _ours(card.data)
    description = own_description(card.data) if ours.get("facts") else prose.Own(card.text("description"), ())
    sheet = replace(_sheet(card, description.text, ours), lore=lore_plan.taken(entries))
    problems += _by_others(description)
    name = (_title(raw_book) or f"{sheet.name}’s lorebook"[:MAX_NAME]) if entries else ""
    book = lore_plan.book(name, sheet.lore, sheet.called, lore_plan.told_always(sheet.lore))
    return Plan(sheet, book, tuple(_rows(card, sheet, book)), (*problems, *_notes(card, sheet, entries)), name)


def of_sheet(sheet: Sheet, notes: Sequence[str] = ()) -> Plan:
    """What becomes of a folder: its sheet as it stands."""
    counts = ((len(sheet.facts), "fact"), (len(sheet.personas), "persona"), (len(sheet.lore), "lore entr"))
    rows = [Row("character.md", "the identity", sheet.identity)]
    rows += [Row(_several(count, noun), "the same in the draft") for count, noun in counts if count]
    return Plan(sheet, None, tuple(rows), (*notes, *_to_be_mended(sheet)))


def _several(count: int, noun: str) -> str:
    """ "1 fact", "2 lore entries": of a noun in -y all but that."""
    one, many = ("y", "ies") if noun.endswith("entr") else ("", "s")
    return f"{count:,} {noun}{one if count == 1 else many}"


def of_lorebook(found: Lorebook, known: Sheet, prefix: str) -> Plan:
    """What becomes of a lorebook of its own: entries beside those that the character has."""
    entries = books.lore_of(found.book, found.shape, prefix)
    room = max(0, MAX_LORE - len(known.lore))
    taken = lore_plan.taken(entries, room)
    sheet = replace(known, lore=(*known.lore, *taken))
    book = lore_plan.book(found.name, taken, known.called, lore_plan.told_always(sheet.lore))
    rows = [lore_plan.row_of_lore(taken), *([lore_plan.row_of_book(book)] if book else [])]
    return Plan(sheet, book, tuple(rows), tuple(lore_plan.notes(entries, taken, sheet.lore)), found.name)


def own_description(data: Json) -> prose.Own:
    """A card's description without the facts that an export told there, for programs that know no facts."""
    told = kept_here(data).get(TOLD)
    sentences = [each for each in told if isinstance(each, str)] if isinstance(told, list) else []
    return prose.without_facts(str(data.get("description") or ""), sentences)


def _by_others(description: prose.Own) -> list[str]:
    if not description.others:
        return []
    lines = "; ".join(shown(line) for line in description.others[:5])
    return [
        "Among the facts in the description stand lines that kgadmin didn’t write. They stay in the identity; see "
        f"whether the facts are still right: {lines}."
    ]


def _sheet(card: Card, description: str, ours: Json) -> Sheet:
    text = card.text
    greetings = [text("first_mes"), *(card.data.get("alternate_greetings") or [])]
    sheet: Json = {
        "name": _line(text("name"))[:MAX_NAME],
        "identity": prose.identity_of(prose.Prose(description, text("personality"), text("scenario"))),
        "nickname": _line(text("nickname"))[:MAX_NAME],
        "system_prompt": text("system_prompt").strip(),
        "post_history_instructions": text("post_history_instructions").strip(),
        "example_messages": text("mes_example").strip(),
        "greetings": [each for each in greetings if each.strip()],
    }
    return documents.load(sheet | ours)


def _line(name: str) -> str:
    """A name on one line, as a sheet has it."""
    return " ".join(name.split())


def kept_here(data: Json) -> Json:
    """What this program wrote among a card's extensions."""
    ours = extensions_of(data).get(OURS)
    return ours if isinstance(ours, dict) else {}


def _ours(data: Json) -> tuple[Json, list[str]]:
    """The parts of a sheet that this program wrote into a card, and a sentence about each that can't be taken.

    Anybody can write them, and so could another version of this program; the card itself is whole without them.
    """
    ours = kept_here(data)
    written = {part: ours[part] for part in OUR_PARTS if part in ours}
    parts, problems = {}, []
    for part, value in written.items():
        try:
            documents.check(documents.load({"name": "-", "identity": "-", part: value}))
            parts[part] = value
        except SheetError as error:
            problems.append(f"The {_SAID[part]} that kgadmin kept in this card are left out: {error.problems[0]}")
    return parts, problems


def _check_lengths(card: Card) -> None:
    for place, text in documents.strings({key: card.data.get(key) for key in ACTING}):
        if len(text) > MAX_TEXT:
            where = ".".join(map(str, place))
            raise CardError(f"`{where}` has {len(text):,} characters; at most {MAX_TEXT:,} are taken. Shorten it.")


def _title(book: Any) -> str:
    name = book.get("name") if isinstance(book, dict) else None
    return _line(name)[:MAX_NAME] if isinstance(name, str) else ""


def _rows(card: Card, sheet: Sheet, book: Book | None) -> Iterator[Row]:
    prose_parts = [part for part in prose.Prose._fields if card.text(part).strip()]
    if prose_parts:
        yield Row(
            ", ".join(prose_parts).capitalize(), "the identity, and facts that you accept one by one", sheet.identity
        )
    told = (
        ("Nickname", "what {{char}} says", sheet.nickname),
        ("System prompt", "stands before the identity in every prompt", sheet.system_prompt),
        ("Example messages", "examples in the prompt, the first that there is room for", sheet.example_messages),
        (
            "Post-history instructions",
            "the last words of every prompt, after the newest message",
            sheet.post_history_instructions,
        ),
    )
    yield from (Row(part, becomes, text) for part, becomes, text in told if text)
    for place, text in enumerate(sheet.greetings):
        part = "Greeting" if place == 0 else f"Alternate greeting {place}"
        yield Row(part, "the first message of a new conversation" if place == 0 else "another to begin with", text)
    if sheet.lore:
        yield lore_plan.row_of_lore(sheet.lore)
    if book:
        yield lore_plan.row_of_book(book)
    ours = [_several(len(found), _SAID[part][:-1]) for part in OUR_PARTS[:-1] if (found := getattr(sheet, part))]
    ours += [_SAID["settings"]] if sheet.settings != Settings() else []
    if ours:
        yield Row("What kgadmin kept in it", f"the same in the draft: {', '.join(ours)}")
    kept = [says for name, says in _ONLY_KEPT.items() if card.data.get(name)]
    if kept:
        yield Row("Everything else", f"kept for export, not used in prompts: {', '.join(dict.fromkeys(kept))}")


def _notes(card: Card, sheet: Sheet, entries: Sequence[LoreEntry]) -> Iterator[str]:
    yield from card.notes
    yield from _cut(card)
    yield from _to_be_mended(sheet)
    spec_version = card.raw.get("spec_version")
    if spec_version is not None and str(spec_version) not in KNOWN_VERSIONS:
        yield f"The card says it is of version {spec_version}; what is new in that version is kept and doesn't act."
    yield from lore_plan.notes(entries, sheet.lore, sheet.lore)


def _cut(card: Card) -> Iterator[str]:
    """What is too long, and is shortened at once; the file itself is kept as it is."""
    book = card.data.get("character_book")
    title = book.get("name") if isinstance(book, dict) else None
    names = (("name", card.text("name")), ("nickname", card.text("nickname")), ("lorebook’s name", title))
    for what, name in names:
        if isinstance(name, str) and len(_line(name)) > MAX_NAME:
            yield f"The {what} has {len(_line(name)):,} characters: it is cut to its first {MAX_NAME}."
    rows = (book.get("entries") or []) if isinstance(book, dict) else []
    long = sum(len(name) > MAX_LORE_NAME for row in rows if isinstance(name := row.get("name"), str))
    if long:
        of = f"The name of {_several(1, 'entr')}" if long == 1 else f"The names of {_several(long, 'entr')}"
        yield f"{of} of the lorebook {'is' if long == 1 else 'are'} cut to {MAX_LORE_NAME} characters."


def _to_be_mended(sheet: Sheet) -> Iterator[str]:
    """What is beyond a limit of a sheet that is published: it is imported as it stands."""
    found = documents.problems(sheet)
    yield from (
        f"It is imported as it is, and can be published once this is mended: {each}" for each in found[:MOST_PROBLEMS]
    )
    if len(found) > MOST_PROBLEMS:
        yield f"And {len(found) - MOST_PROBLEMS:,} more like these, which publishing will name."
