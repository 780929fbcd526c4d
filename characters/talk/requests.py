"""A turn's request, put together from rows, and the branch of messages that it stands on.

What a person let be said again, put in other words or deleted is known by the branches beside: memory takes it back,
and whoever goes back to it brings it back. What a program sends is in its order already (`conversations.clients`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from pydantic import TypeAdapter

from characters.conversations import services as conversations
from characters.conversations.models import Acquaintance, Message, Turn
from characters.domain.sheet import Sheet
from characters.memory import erasure
from characters.profiles.models import Card, Character, Predicate, Revision
from characters.turn.request import Base, Budgets, Carried, HistoryMessage, TurnRequest
from characters.turn.sections import as_name
from kgadmin.knowledge.models import KnowledgeBase

_CARRIED = TypeAdapter(Carried)
HISTORY_MESSAGES = 40
"""At most so many are read; the prompt's budget keeps fewer."""


def follow_branch(turn: Turn) -> None:
    """Let memory hold what leads to this turn's message, and nothing that stands beside it."""
    conversation = turn.conversation
    if conversation.sandbox:
        return
    rows = {row.pk: row for row in conversation.messages.defer("text", "vector")}
    path = turn.message.path(rows)
    if rejected := list(_rejected(turn, path, rows)):
        erasure.withdraw(conversation, rejected)
    conversations.enqueue_for_memory(conversation=conversation, messages=path[:-1])  # what stands again


def _rejected(turn: Turn, path: list[Message], rows: dict[int, Message]) -> Iterator[int]:
    """What is remembered and stands on another branch. A tester's own pages know one: an earlier reply."""
    on_path = {message.pk for message in path}
    for row in rows.values():
        if row.pk in on_path or row.place is None:
            continue
        fork = row
        while fork.parent_id and fork.parent_id not in on_path:
            fork = rows[fork.parent_id]
        if turn.conversation.client_id or fork.parent_id == turn.message.pk:
            yield row.pk


def request_for(turn: Turn) -> TurnRequest:
    """The request of a turn that was just saved: the live sheet, today's bases, the messages before it."""
    conversation = turn.conversation
    character = conversation.character
    revision = character.live_revision
    messages = {message.pk: message for message in conversation.messages.all()}
    before = turn.message.path(messages)[:-1]
    carried = _carried(before)
    met = Acquaintance.objects.filter(person=conversation.person, character=character).first() or Acquaintance()
    client = turn.request.get("client", {})
    sheet = _sheet(revision.pk) if revision else Sheet(character.name, "")
    return TurnRequest(
        message=turn.message.text,
        character=character.graph_id,
        sheet=sheet,
        learned=tuple(each.fact for each in character.learned.in_use(sheet)),
        revision=revision.number if revision else None,
        person=as_name(conversation.person.name),
        client=client.get("system", ""),
        person_id=conversation.person.graph_id,
        trust=met.trust,
        facts_version=met.facts_version,
        messages_epoch=met.messages_epoch,
        now=timezone.now(),
        predicates=Predicate.objects.registry(),
        bases=tuple(bases_in_scope(character)),
        history=_history(client, before),
        memory=carried.probe,
        shown=carried.shown,
        turn=1 + sum(message.role == Message.Role.USER for message in before),
        budgets=Budgets(window=settings.CONFIG.llm_context_tokens, reply=settings.CONFIG.llm_reply_tokens),
        off=frozenset(turn.request.get("off", ())),
        persona=turn.request.get("persona", ""),
    )


def _history(client: Mapping[str, Any], before: Sequence[Message]) -> tuple[HistoryMessage, ...]:
    """What was said before: as a client program sent it, where one talks, else as it is saved."""
    if not client.get("history"):
        shown = [message for message in before if message.is_in_history][-HISTORY_MESSAGES:]
        return tuple(
            HistoryMessage("user" if message.role == Message.Role.USER else "assistant", message.text, message.graph_id)
            for message in shown
        )
    saved = {message.digest: message.graph_id for message in before}
    return tuple(HistoryMessage(role, text, saved.get(digest, "")) for role, text, digest in client["history"])[
        -HISTORY_MESSAGES:
    ]


def frozen(request: TurnRequest) -> dict[str, Any]:
    """What of the request must be kept so that the turn can be understood and run again."""
    return {
        "revision": request.revision,
        "bases": {base.slug: base.version for base in request.bases},
        "off": sorted(request.off),
        "persona": request.persona,
        "now": request.now.isoformat(),
        "budgets": asdict(request.budgets),
        "history": len(request.history),
    }


def bases_in_scope(character: Character) -> list[Base]:
    """The enabled bases that a character may know: those for everyone, and those listed for this one."""
    rows = KnowledgeBase.objects.filter(Q(for_everyone=True) | Q(characters__character=character), enabled=True)
    lorebooks = set(Card.objects.filter(base__in=rows).values_list("base", flat=True))
    return [
        Base(row.slug, row.provenance, row.threshold, row.version, row.collection, row.pk in lorebooks)
        for row in rows.distinct()
    ]


@lru_cache(maxsize=128)
def _sheet(revision_id: int) -> Sheet:
    """A revision never changes, so it is read and checked once."""
    return Revision.objects.only("document").get(pk=revision_id).sheet


def _carried(before: list[Message]) -> Carried:
    """What the turn before this one, on this branch, left for its follow-up."""
    last = next((message for message in reversed(before) if message.role == Message.Role.USER), None)
    turn = last.turns.exclude(carried={}).order_by("-id").first() if last else None
    return _CARRIED.validate_python(turn.carried) if turn else Carried()
