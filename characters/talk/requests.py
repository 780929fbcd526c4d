"""Build a turn's request from rows, and the branch of messages that leads to it.

Regenerated, edited and deleted messages are on other branches: they aren't remembered until somebody returns to them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.db.models import Count, OuterRef
from django.db.models.functions import Coalesce
from django.utils import timezone
from pydantic import TypeAdapter

from characters.conversations import services as conversations
from characters.conversations.models import Acquaintance, Conversation, Message, Turn
from characters.conversations.models.people import DEFAULT_TRUST
from characters.domain import words
from characters.domain.people import PERSON_PREDICATES
from characters.domain.sheet import Sheet
from characters.memory import erasure, graph
from characters.memory import readers as memory
from characters.profiles import snapshot
from characters.profiles.bases import bases_in_scope
from characters.profiles.models import Character, Predicate, Revision
from characters.turn.calibration import idle_stems
from characters.turn.intent import EXAMPLES
from characters.turn.request import Budgets, Carried, HistoryMessage, IntentKind, Readers, TurnRequest, Vectors
from characters.turn.sections import as_name
from kgadmin.knowledge import readers as knowledge
from kgadmin.stores import wiring

_CARRIED = TypeAdapter(Carried)
HISTORY_MESSAGES = 40
"""Messages that are read at most; the prompt's budget keeps fewer."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The newest messages that lead to a turn's message, oldest first, and what the turn before carried."""

    messages: tuple[Message, ...]
    carried: Carried
    was_followed: bool
    """Whether the turn before was assembled, and so followed its own branch; also where there is none."""


def branch_of(message: Message) -> Branch:
    """Return what leads to a turn's message."""
    messages = tuple(message.before(HISTORY_MESSAGES))
    last = next((message for message in reversed(messages) if message.role == Message.Role.USER), None)
    before = Turn.objects.filter(message=last).order_by("-pk").values_list("carried", "assembled_ms") if last else ()
    carried = next((carried for carried, _ in before if carried), None)
    was_followed = any(assembled is not None for _, assembled in before) or not before
    return Branch(messages, _CARRIED.validate_python(carried) if carried else Carried(), was_followed)


def follow_branch(turn: Turn, branch: Branch | None = None) -> None:
    """Make memory hold what leads to this turn's message, and nothing of other branches. `branch` shows whether that
    is so already: the message follows the newest one, nothing moved, and the turn before saw to the rest.
    """
    conversation = turn.conversation
    is_held = branch and branch.was_followed and not turn.request.get("moved") and _is_next(turn.message)
    if conversation.sandbox or is_held:
        return
    rows = {row.pk: row for row in conversation.messages.defer("text", "vector")}
    path = turn.message.path(rows)
    if rejected := list(_rejected(turn, path, rows)):
        erasure.withdraw(conversation, rejected)
    conversations.enqueue_for_memory(conversation=conversation, messages=path[:-1])  # what stands again


def follow_newest(turn: Turn) -> None:
    """After the end of a turn, follow the branch of the conversation's newest one, if it began meanwhile: it couldn't
    see what this one has remembered since.
    """
    newest = Turn.objects.filter(message__conversation=turn.conversation).order_by("-created_at", "-pk").first()
    if newest and newest.pk != turn.pk:
        follow_branch(newest)


def _is_next(message: Message) -> bool:
    """Return whether the message follows the newest one of its conversation."""
    others = Message.objects.filter(conversation=message.conversation_id).exclude(pk=message.pk)
    return others.order_by("-pk").values_list("pk", flat=True).first() == message.parent_id


def _rejected(turn: Turn, path: list[Message], rows: dict[int, Message]) -> Iterator[int]:
    """Return remembered messages on other branches. A tester's own pages have one kind: an earlier reply."""
    on_path = {message.pk for message in path}
    for row in rows.values():
        if row.pk in on_path or row.place is None:
            continue
        fork = row
        while fork.parent_id and fork.parent_id not in on_path:
            fork = rows[fork.parent_id]
        if turn.conversation.client_id or fork.parent_id == turn.message.pk:
            yield row.pk


def request_for(turn: Turn, branch: Branch | None = None) -> TurnRequest:
    """Return the request of a saved turn: the live sheet, today's bases, the messages before it."""
    branch = branch or branch_of(turn.message)
    conversation = turn.conversation
    trust, facts_version, messages_epoch, unread_messages = _acquaintance(conversation)
    client = turn.request.get("client", {})
    return replace(
        request_from_nobody(conversation.character, turn.message.text),
        person=as_name(conversation.person.name),
        client=client.get("system", ""),
        person_id=conversation.person.graph_id,
        trust=trust,
        facts_version=facts_version,
        messages_epoch=messages_epoch,
        history=_history(client, branch.messages),
        prefill=turn.prefill,
        memory=branch.carried.probe,
        shown=branch.carried.shown,
        turn=branch.carried.turn + 1,
        unread_messages=unread_messages,
        off=frozenset(turn.request.get("off", ())),
        persona=turn.request.get("persona", ""),
    )


def request_from_nobody(character: Character, message: str) -> TurnRequest:
    """Return the request of a message without a person and without history: the live sheet and today's bases."""
    revision = character.live_revision
    sheet = _sheet(revision.pk) if revision else Sheet(character.name, "")
    return TurnRequest(
        message=message,
        character=character.graph_id,
        sheet=sheet,
        learned=tuple(each.fact for each in character.learned.in_use(sheet)),
        revision=revision.number if revision else None,
        person="",
        now=timezone.now(),
        predicates=Predicate.objects.registry(),
        bases=tuple(bases_in_scope(character)),
        budgets=Budgets(window=settings.CONFIG.llm_context_tokens, reply=settings.CONFIG.llm_reply_tokens),
    )


def _history(client: Mapping[str, Any], before: Sequence[Message]) -> tuple[HistoryMessage, ...]:
    """Return the messages before: as a client program sent them, or as they are saved."""
    if not client.get("history"):
        shown = [message for message in before if message.is_in_history]
        lines = [(message.role, message.text, message.graph_id) for message in shown]
    else:
        saved = {(message.role, _squeezed(message.text)): message.graph_id for message in before}
        lines = [(role, text, saved.get((role, _squeezed(text)), "")) for role, text, *_ in client["history"]]
    newest = lines[-HISTORY_MESSAGES:]
    return tuple(HistoryMessage("user" if role == "user" else "assistant", text, id_) for role, text, id_ in newest)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def frozen(request: TurnRequest) -> dict[str, Any]:
    """Return what must be stored of the request to understand the turn and run it again."""
    return {
        "revision": request.revision,
        "bases": {base.slug: base.version for base in request.bases},
        "off": sorted(request.off),
        "persona": request.persona,
        "now": request.now.isoformat(),
        "budgets": asdict(request.budgets),
        "history": len(request.history),
    }


@lru_cache(maxsize=128)
def _sheet(revision_id: int) -> Sheet:
    """Return a revision's sheet, which never changes, read and validated once."""
    return Revision.objects.only("document").get(pk=revision_id).sheet


def _acquaintance(conversation: Conversation) -> tuple[float, int, int, int]:
    """Return the trust between person and character, both versions of what is remembered, and how many messages
    aren't read yet.
    """
    pair = {"person": conversation.person_id, "character": conversation.character_id}
    unread = Message.objects.of(OuterRef("person"), OuterRef("character")).unread().order_by()
    count = unread.values("conversation__person").annotate(count=Count("pk")).values("count")
    rows = Acquaintance.objects.filter(**pair).annotate(unread=Coalesce(count, 0))
    return rows.values_list("trust", "facts_version", "messages_epoch", "unread").first() or (DEFAULT_TRUST, 0, 0, 0)


def live_readers() -> Readers:
    """Return readers on the real engines."""
    return Readers(
        embed=lambda texts: wiring.embedder().embed(texts),
        examples=lambda: _examples(wiring.embedder().id),
        nearest=knowledge.nearest,
        word_counts=knowledge.word_counts,
        calibration=knowledge.calibration,
        talk=knowledge.talk,
        places=knowledge.places,
        chunks=knowledge.chunks,
        background=snapshot.read,
        known=memory.known,
        person_questions=lambda: _person_questions(wiring.embedder().id),
        walk=graph.walk,
        past_messages=memory.past_messages,
        messages=memory.messages,
        related=memory.related,
        count_tokens=wiring.count_tokens,
    )


def warm_up() -> None:
    """Load what the first turn would otherwise wait for: word lists, vectors, the graph's plans."""
    words.is_common("warm")
    words.stem_rarity("warm")
    idle_stems()
    if wiring.embedder().state != "down":  # where it can't be loaded, each turn says so
        _examples(wiring.embedder().id)
        knowledge.idle_vectors(wiring.embedder().id)
        _person_questions(wiring.embedder().id)
    snapshot.warm()
    graph.warm()


@cache
def _examples(embedder: str) -> Mapping[IntentKind, Vectors]:
    return {kind: wiring.embedder().embed(texts) for kind, texts in EXAMPLES.items()}


@cache
def _person_questions(embedder: str) -> Mapping[str, Vectors]:
    asked = {name: each.questions for name, each in PERSON_PREDICATES.items() if each.questions}
    return {name: wiring.embedder().embed(questions) for name, questions in asked.items()}
