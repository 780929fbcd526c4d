"""Which messages of a conversation stand: those that lead to the one that is answered now.

What a person let be said again, put in other words or deleted is known by the branches beside: memory takes it back,
and whoever goes back to it brings it back. What a program sends is in its order already (`conversations.clients`).
"""

from collections.abc import Iterator

from characters.conversations import services as conversations
from characters.conversations.models import Message, Turn
from characters.memory import erasure

Rows = dict[int, Message]


def follow(turn: Turn) -> None:
    """Let memory hold what leads to this turn's message, and nothing that stands beside it."""
    conversation = turn.conversation
    if conversation.sandbox:
        return
    rows = {row.pk: row for row in conversation.messages.defer("text", "vector")}
    path = turn.message.path(rows)
    if rejected := list(_rejected(turn, path, rows)):
        erasure.withdraw(conversation, rejected)
    conversations.enqueue_for_memory(conversation=conversation, messages=path[:-1])  # what stands again


def _rejected(turn: Turn, path: list[Message], rows: Rows) -> Iterator[int]:
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
