"""Twenty thousand turns as they are saved, and the pages that show them."""

import random
from datetime import timedelta
from functools import partial
from itertools import pairwise

from django.test import Client
from django.utils import timezone

from characters.conversations.models import Conversation, Message, Person, Stage, Turn, TurnMetrics
from characters.profiles.models import Character
from characters.turn.trace import BUDGETS_MS
from kgadmin.accounts.models import User
from tests.bench.figures import times
from tests.bench.people import sentence

CONVERSATIONS, TURNS = 400, 50
BATCH = 1_000


def add_turns(person: Person, character: Character, by: User) -> None:
    """20,000 answered turns of the last month, each with its stages."""
    chance, now = random.Random(3), timezone.now()
    for number in range(CONVERSATIONS):
        conversation = Conversation.objects.create(person=person, character=character, owner=by, title=f"No. {number}")
        asked = Message.objects.bulk_create(
            Message(conversation=conversation, role=Message.Role.USER, text=sentence(chance)) for _ in range(TURNS)
        )
        turns = Turn.objects.bulk_create(
            Turn(
                message=message,
                key=f"page-{message.pk}",
                state=Turn.State.DONE,
                text=sentence(chance, 40),
                assembled_ms=chance.uniform(20, 90),
                created_at=now - timedelta(minutes=2 * (CONVERSATIONS - number) + place),
            )
            for place, message in enumerate(asked)
        )
        _chain(asked)
        Stage.objects.bulk_create(
            (_stage(turn, place, name, chance) for turn in turns for place, name in enumerate(BUDGETS_MS)),
            batch_size=BATCH,
        )
        TurnMetrics.objects.bulk_create(
            TurnMetrics(turn=turn, hour=int(turn.created_at.timestamp()) // 3600, knew=True, ambient=1)
            for turn in turns
        )


def _chain(messages: list[Message]) -> None:
    for before, message in pairwise(messages):
        message.parent = before
    Message.objects.bulk_update(messages, ["parent"], batch_size=BATCH)


def _stage(turn: Turn, place: int, name: str, chance: random.Random) -> Stage:
    return Stage(
        turn=turn, position=place, name=name, status="ok", started_ms=0.0, elapsed_ms=chance.uniform(0, 20), evidence={}
    )


def page_times(user: User, count: int) -> dict[str, list[float]]:
    """Milliseconds of so many visits of each page."""
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)
    turn = Turn.objects.filter(key__startswith="page-").last()
    assert turn is not None
    paths = {
        "playground": "/playground/",
        "a conversation of 50 turns": f"/playground/conversations/{turn.conversation.pk}/",
        "a turn": f"/playground/turns/{turn.pk}/",
        "dashboard": "/dashboard/",
        "people": "/people/",
        "a person": f"/people/{turn.conversation.person_id}/",
        "knowledge": "/knowledge/",
        "health": "/health/",
    }
    for path in paths.values():
        assert client.get(path, follow=True).status_code == 200, path
    return {name: times(partial(client.get, path, follow=True), count) for name, path in paths.items()}
