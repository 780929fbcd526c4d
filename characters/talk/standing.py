"""Which messages of a conversation stand: those that lead to the one that is answered now.

What a person let be said again, put in other words or deleted is known by the branches beside: memory takes it back,
and whoever goes back to it brings it back.
"""

from collections.abc import Iterator
from itertools import pairwise

from django.db.models import Q

from characters.conversations import services as conversations
from characters.conversations.models import Message, Turn
from characters.memory import forgetting

Rows = dict[int, Message]


def follow(turn: Turn) -> None:
    """Let memory hold what leads to this turn's message, and nothing that stands beside it."""
    conversation = turn.conversation
    if conversation.sandbox:
        return
    rows = {row.pk: row for row in conversation.messages.only("conversation", "parent", "role", "place", "digest")}
    path = turn.message.path(rows)
    if rejected := list(_rejected(turn, path, rows)):
        forgetting.withdraw(conversation, rejected)
    if left := [message.pk for message in path[:-1] if message.place is None]:
        said = Q(turns__isnull=False) | Q(replied_by__isnull=False)  # a greeting is no turn's
        back = Message.objects.filter(said, pk__in=left, remembered=True).defer("vector").distinct()
        conversations.remember(conversation=conversation, messages=list(back))


def _rejected(turn: Turn, path: list[Message], rows: Rows) -> Iterator[int]:
    """What is remembered and stands on another branch. A tester's own pages know one: an earlier reply."""
    follows = {message.pk: after for message, after in pairwise(path)}
    on_path = {message.pk for message in path}
    for row in rows.values():
        if row.pk in on_path or row.place is None:
            continue
        fork = row
        while fork.parent_id and fork.parent_id not in on_path:
            fork = rows[fork.parent_id]
        is_earlier_reply = fork.parent_id == turn.message.pk
        if is_earlier_reply or (turn.conversation.client_id and not _is_sent(fork, follows, turn, rows)):
            yield row.pk


def _is_sent(fork: Message, follows: Rows, turn: Turn, rows: Rows) -> bool:
    """Whether the program still sends a reply that it keeps in its own form, and so never by our digest.

    What it sends no longer, since only the newest lines are kept, was judged when it did.
    """
    if fork.role != Message.Role.ASSISTANT or fork.parent_id not in follows:
        return False
    if follows[fork.parent_id].role != Message.Role.USER:
        return False
    history = turn.request.get("client", {}).get("history", [])
    asked = rows[fork.parent_id].digest
    after = next((place for place, (_, _, digest) in enumerate(history, 1) if digest == asked), len(history))
    return after == len(history) or _words(history[after][1]) == _words(fork.text)


def _words(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
