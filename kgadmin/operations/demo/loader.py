"""Load the demo content through the same services as a user's own: accounts, bases, characters, people.

`people/` is imported like any chat, `spoken/` is saved as turns that a model answered.
"""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.auth.models import Group
from django.db import transaction
from ruamel.yaml import YAML

from characters.conversations import import_job, imports
from characters.conversations import services as conversations
from characters.conversations.exports import Exported
from characters.conversations.models import IMPORTED, Conversation, Message, Person, Turn
from characters.memory.enrichment import services as enrichment
from characters.memory.models import EnrichmentRun
from characters.profiles import access, comparison
from characters.profiles import services as profiles
from characters.profiles.folder import read_folder
from characters.profiles.models import Character
from kgadmin.accounts.models import ROLES, User
from kgadmin.knowledge import services as knowledge
from kgadmin.knowledge.models import KnowledgeBase

HERE = Path(__file__).parent
BASE_FILE = "base.yaml"
DOCUMENT_KINDS = {".md", ".txt"}
PASSWORD = "demo"  # noqa: S105  everybody may know it: demo accounts sign in with one click
ACCOUNTS = {"demo": tuple(ROLES), **{role: (role,) for role in ROLES}}
TEST_PEOPLE = "tester:all"
BETWEEN = timedelta(minutes=2)
"""Time between two messages."""
RELATED = ("mark", "elena")
"""A person and a character whose messages are related at once, by cues; other people are left to an operator."""
MODEL = "a language model"


def is_loaded() -> bool:
    """Return whether the demo was loaded into this database before."""
    return User.objects.filter(is_demo=True).exists()


@transaction.atomic
def load() -> list[str]:
    """Bring every part of the demo to its shipped state, in one commit; return one sentence per part."""
    lines = [_load_account(name, roles) for name, roles in ACCOUNTS.items()]
    owner = User.objects.filter(is_demo=True).first()
    lines += [_load_base(folder, owner) for folder in base_folders()]
    author = User.objects.filter(is_demo=True, username="author").first() or owner
    lines += [_load_character(folder, author) for folder in character_folders()]
    if owner is None:
        return [*lines, "people: left out, since no demo account could be made to own their conversations"]
    lines += [load_past(path, owner) for path in people_files()]
    return lines + [load_turns(path, owner) for path in spoken_files()]


def base_folders() -> list[Path]:
    """Return the shipped bases' folders, each named by its slug."""
    return sorted(path.parent for path in (HERE / "bases").glob(f"*/{BASE_FILE}"))


def character_folders() -> list[Path]:
    """Return the shipped characters' folders, each named by its slug."""
    return sorted(path for path in (HERE / "characters").iterdir() if path.is_dir())


def document_files(folder: Path) -> list[Path]:
    """Return the documents of a base's folder."""
    return sorted(path for path in folder.iterdir() if path.suffix in DOCUMENT_KINDS)


def _load_account(name: str, roles: tuple[str, ...]) -> str:
    user = User.objects.filter(username=name).first()
    if user and not user.is_demo:
        # Somebody's own account must not become one that anybody may enter.
        return f"account {name}: somebody's own has that name, left as it is"
    user = user or User.objects.create_user(name, password=PASSWORD, is_demo=True)
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    return f"account {name}: {', '.join(roles)}"


def _load_base(folder: Path, owner: User | None) -> str:
    head = YAML(typ="safe").load((folder / BASE_FILE).read_text())  # name, description, provenance
    base = KnowledgeBase.objects.filter(slug=folder.name).first() or knowledge.register(
        slug=folder.name, by=owner, **{key: str(value).strip() for key, value in head.items()}
    )
    files = document_files(folder)
    there = dict(base.documents.values_list("name", "sha256"))
    new = [path for path in files if there.get(path.name) != hashlib.sha256(path.read_bytes()).hexdigest()]
    for path in new:
        knowledge.add_document(base=base, name=path.name, content=path.read_bytes(), by=owner)
    if not new:
        return f"knowledge base {base.slug}: its {len(files)} documents are there"
    knowledge.ingest(base, by=owner)
    return f"knowledge base {base.slug}: {len(new)} documents wait to be read"


def _load_character(folder: Path, owner: User | None) -> str:
    character = Character.objects.filter(slug=folder.name).first()
    live = character.sheet if character else None
    sheet = read_folder(folder, known=live).sheet
    if character is None:
        made = profiles.create_character(slug=folder.name, sheet=sheet, by=owner, note="Shipped with the demo")
        editor = User.objects.filter(is_demo=True, username="demo").first()
        if editor and editor != owner:
            access.share(character=made, user=editor, may_edit=True, by=owner)
        return f"character {folder.name}: {len(sheet.facts)} facts, {len(sheet.personas)} personas"
    if not comparison.changes(live, sheet):
        return f"character {folder.name}: is as shipped"
    profiles.restore(character, by=owner)  # an archived character can't be published to
    profiles.publish(character, sheet=sheet, by=owner, note="Brought back to the demo's sheet")
    return f"character {folder.name}: brought back to the demo's sheet"


class Talk(NamedTuple):
    """A written conversation; `messages` are (name, text)."""

    id: str
    character: str
    messages: list[tuple[str, str]]
    days_ago: int
    at: time

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Return (message, reply) pairs."""
        texts = [text for _, text in self.messages]
        return list(zip(texts[::2], texts[1::2], strict=True))


class DemoPerson(NamedTuple):
    """A person of the demo."""

    slug: str
    name: str
    namespace: str
    talks: list[Talk]

    def row(self) -> Person:
        """Return the person's row; a second load keeps the dates of the first."""
        outside_id = self.name if self.namespace == IMPORTED else self.slug
        return Person.objects.get_or_create(
            namespace=self.namespace, outside_id=outside_id, defaults={"name": self.name}
        )[0]


def people_files() -> list[Path]:
    """Return the files of people whose past is imported."""
    return sorted((HERE / "people").glob("*.yaml"))


def spoken_files() -> list[Path]:
    """Return the files of people whose conversations are saved as turns."""
    return sorted((HERE / "spoken").glob("*.yaml"))


def read_person(path: Path) -> DemoPerson:
    """Read a person's file."""
    content = YAML(typ="safe").load(path.read_text())
    talks = [_talk(talk) for talk in content["conversations"]]
    return DemoPerson(path.stem, content["name"], content.get("namespace", TEST_PEOPLE), talks)


def _talk(content: dict[str, Any]) -> Talk:
    messages = [(name, text.strip()) for lines in content["messages"] for name, text in lines.items()]
    at = time.fromisoformat(content.get("time", "12:00"))
    return Talk(content["id"], content["with"], messages, content.get("days_ago", 0), at)


def load_past(path: Path, owner: User) -> str:
    """Import a person's conversations that are missing; return a sentence about it."""
    shipped = read_person(path)
    person = shipped.row()
    before = Message.objects.filter(conversation__person=person).count()
    missing = [talk for talk in shipped.talks if not _is_there(person, talk)]
    if shipped.namespace == IMPORTED:
        _upload(shipped, missing, person, owner)
    else:
        _put(shipped, missing, person, owner)
    if not missing:
        return f"person {shipped.name}: their {before} messages are there"
    if shipped.slug == RELATED[0]:
        _relate(person, owner)
    return f"person {shipped.name}: {len(missing)} conversations wait to be read"


def _is_there(person: Person, talk: Talk) -> bool:
    rows = Message.objects.filter(conversation__person=person, conversation__outside_id=talk.id)
    return rows.count() == len(talk.messages)


def _put(shipped: DemoPerson, talks: list[Talk], person: Person, owner: User) -> None:
    for talk in talks:
        (planned,) = import_job.plan(_exported(shipped, talk, person.created_at), end=person.created_at)
        character = Character.objects.get(slug=talk.character)
        import_job.put(planned, planned.messages, character=character, person=person, owner=owner)


def _upload(shipped: DemoPerson, talks: list[Talk], person: Person, owner: User) -> None:
    for slug in sorted({talk.character for talk in talks}):
        lines = [
            _as_line(message)
            for talk in talks
            if talk.character == slug
            for message in _exported(shipped, talk, person.created_at)
        ]
        upload = imports.upload(name=f"{shipped.slug}.jsonl", content="\n".join(lines).encode(), by=owner)
        imports.start(import_=upload, character=Character.objects.get(slug=slug), person=person, by=owner)


def _exported(shipped: DemoPerson, talk: Talk, loaded: datetime) -> Iterator[Exported]:
    began = datetime.combine(loaded.astimezone(UTC).date(), talk.at, UTC) - timedelta(days=talk.days_ago)
    for place, (name, text) in enumerate(talk.messages):
        role = "user" if name == shipped.name.split()[0] else "assistant"
        yield Exported(place + 1, talk.id, role, text, began + place * BETWEEN, name)  # type: ignore[arg-type]


def _as_line(message: Exported) -> str:
    names = ("conversation", "role", "name", "text", "at")
    return json.dumps({name: getattr(message, name) for name in names}, ensure_ascii=False, default=str)


def _relate(person: Person, owner: User) -> None:
    character = Character.objects.get(slug=RELATED[1])
    if not EnrichmentRun.objects.filter(person=person, character=character).exists():
        enrichment.start(EnrichmentRun(person=person, character=character), by=owner)


def load_turns(path: Path, owner: User) -> str:
    """Save a person's turns that are missing; return a sentence about it."""
    shipped = read_person(path)
    person = shipped.row()
    missing = sum(_save_turns(shipped, talk, person, owner) for talk in shipped.talks)
    if not missing:
        return f"person {shipped.name}: their {sum(len(talk.pairs) for talk in shipped.talks)} turns are there"
    return f"person {shipped.name}: {missing} turns wait to be read"


def _save_turns(shipped: DemoPerson, talk: Talk, person: Person, owner: User) -> int:
    conversation: Conversation | None = None
    missing = 0
    for place, (asked, answered) in enumerate(talk.pairs):
        key = f"demo-{shipped.slug}-{talk.id}-{place}"
        if there := Turn.objects.filter(key=key).select_related("message__conversation").first():
            conversation = there.conversation
            continue
        missing += 1
        character = Character.objects.get(slug=talk.character)
        conversation = conversation or conversations.start_conversation(
            character=character, by=owner, first=asked, person=person
        )
        turn, _ = conversations.start_turn(conversation=conversation, text=asked, key=key)
        turn.model = MODEL
        turn.save(update_fields=["model"])
        turn.finish(Turn.State.DONE, answered)
        conversations.enqueue_for_memory(
            conversation=conversation, messages=[turn.message, *turn.message.children.all()]
        )
    return missing
