"""What the demo's characters said of themselves before the first start, so that the review queue has something in it.

`spoken/NAME.yaml` holds turns that a language model answered. They are saved as the playground saves them and read like
any other: whether something becomes a proposal, and what is found about it, is up to the gate.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ruamel.yaml import YAML

from characters.conversations import services
from characters.conversations.models import Conversation, Person, Turn
from characters.profiles.models import Character
from kgadmin.accounts.models import User

HERE = Path(__file__).parent / "spoken"
NAMESPACE = "tester:all"
MODEL = "a language model"


class Talk(NamedTuple):
    """One conversation: what the person asked, and what the character answered."""

    id: str
    character: str
    said: list[tuple[str, str]]


class Spoken(NamedTuple):
    """What was said with one person."""

    slug: str
    name: str
    talks: list[Talk]


def files() -> list[Path]:
    """One per person."""
    return sorted(HERE.glob("*.yaml"))


def read(path: Path) -> Spoken:
    """What a person's file says."""
    content = YAML(typ="safe").load(path.read_text())
    talks = [
        Talk(
            each["id"],
            each["with"],
            [(asked.strip(), answered.strip()) for asked, answered in map(_pair, each["said"])],
        )
        for each in content["talks"]
    ]
    return Spoken(path.stem, content["name"], talks)


def _pair(turn: dict[str, str]) -> Iterator[str]:
    return iter(turn.values())


def load(path: Path, owner: User) -> str:
    """Put the turns in that are missing; a second load says nothing again."""
    spoken = read(path)
    person, _ = Person.objects.get_or_create(
        namespace=NAMESPACE, outside_id=spoken.slug, defaults={"name": spoken.name}
    )
    keys = [_key(spoken, talk, place) for talk in spoken.talks for place in range(len(talk.said))]
    missing = len(keys) - Turn.objects.filter(key__in=keys).count()
    for talk in spoken.talks:
        _put(spoken, talk, person, owner)
    if not missing:
        return f"person {spoken.name}: their {len(keys)} turns are there"
    return f"person {spoken.name}: {missing} turns wait to be read"


def _put(spoken: Spoken, talk: Talk, person: Person, owner: User) -> None:
    conversation: Conversation | None = None
    for place, (asked, answered) in enumerate(talk.said):
        key = _key(spoken, talk, place)
        there = Turn.objects.filter(key=key).select_related("message__conversation").first()
        if there:
            conversation = there.conversation
            continue
        character = Character.objects.get(slug=talk.character)
        conversation = conversation or services.start_conversation(
            character=character, by=owner, first=asked, person=person
        )
        turn, _ = services.start_turn(conversation=conversation, text=asked, key=key)
        turn.model = MODEL
        turn.save(update_fields=["model"])
        turn.finish(Turn.State.DONE, answered)
        services.enqueue_for_memory(conversation=conversation, messages=[turn.message, *turn.message.children.all()])


def _key(spoken: Spoken, talk: Talk, place: int) -> str:
    return f"demo-{spoken.slug}-{talk.id}-{place}"
