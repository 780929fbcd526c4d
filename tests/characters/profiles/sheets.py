"""Sheets for tests, of nobody in the demo."""

from pathlib import Path
from typing import Any

from characters.domain.facts import NOTE
from characters.domain.sheet import Concept, Fact, LoreEntry, Persona, RuntimeFact, Settings, Sheet
from characters.profiles import services
from characters.profiles.folder import BACKGROUND_FILE, IDENTITY_FILE, texts_of
from characters.profiles.models import Character

FACTS = (
    ("IS_A", "lighthouse keeper"),
    ("HAS_FATHER", "Built boats in Odense"),
    ("LIKES", "Rain on a tin roof"),
    (NOTE, "I have never seen a desert"),
)


def sheet(*facts: tuple[str, str], name: str = "Ann Holm", identity: str = "You are {{char}}.", **parts: Any) -> Sheet:
    """A sheet with these facts, or with FACTS."""
    rows = tuple(Fact(f"f{place}", *fact) for place, fact in enumerate(facts or FACTS, start=1))
    return Sheet(name, identity, rows, **parts)


def whole_sheet() -> Sheet:
    """A sheet with something in every part."""
    return sheet(
        identity='You are {{char}}: "quiet", it\'s said.\n\n# Not a comment\n\n- and not a list',
        runtime_facts=(RuntimeFact("LIKES", "plums"), RuntimeFact(NOTE, "The lamp hums.")),
        personas=(
            Persona("day", "By day", "Be brief: say what you see.", ("sea_notes",), ("ship", "fog"), default=True),
            Persona("night", "By night", "Speak\nlow.", model="7", temperature=0.0, top_p=0.9, max_tokens=300),
        ),
        anchors=("light", "weather"),
        concepts=(Concept("career", ("IS_A",)),),
        settings=Settings(stages_off=("documents",), questions=("What do you do?", "Why <b>?")),
        nickname="Annie",
        system_prompt="Stay {{char}}.\n\nAlways.",
        post_history_instructions="Be true: to the lamp.",
        example_messages="<START>\n{{user}}: Hi\n{{char}}: # Ahoy.",
        greetings=("Ahoy.", "- *waves*\nWho's there?"),
        lore=(
            LoreEntry(
                "l1", "@@scan_depth 2\n\nIt comes at four.", "Fog", ("fog", "mist: thin"), ("sea",), selective=True
            ),
            LoreEntry("l2", "The lamp hums.", constant=True, order=-1.5, priority=7, position="before_char"),
        ),
    )


def character(slug: str = "ann", *facts: tuple[str, str], **parts: Any) -> Character:
    """A character that is live, and not in the graph yet."""
    return services.create_character(slug=slug, sheet=sheet(*facts, **parts), by=None)


def write_sheet(sheet: Sheet, folder: Path) -> Path:
    """A folder with the files of a sheet."""
    texts = texts_of(sheet)
    return write(folder, texts[BACKGROUND_FILE], texts[IDENTITY_FILE])


def write(folder: Path, background: str | bytes, identity: str | bytes = "You are {{char}}.") -> Path:
    """A folder with these two files."""
    folder.mkdir(exist_ok=True)
    for name, content in (("character.md", identity), ("background.yaml", background)):
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
