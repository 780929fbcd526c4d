"""What becomes of a message after its turn: its statements are proposed, and what must not come back is withheld.

Memory reads a message only after this. Withheld are:
- a reply that states something about the character that the sheet doesn't say: until an operator approves it, it is no
  knowledge, and afterwards it comes back as a learned fact, not as a quotation
- a message that tries to elicit statements, and the reply to it; no facts about the person are read from it
- a message that repeats such a statement, or elicited it
- a reply whose beginning a client program wrote; nothing of it is proposed
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone

from characters.conversations.models import Acquaintance, Memory, Message
from characters.domain.sheet import Sheet
from characters.language.claims import patterns
from characters.language.claims.meaning import is_stated_by
from characters.language.claims.patterns import Claim as Statement
from characters.language.gate import supplied, taint
from characters.language.sentences import texts
from characters.memory import embedding, erasure
from characters.profiles.models import Predicate
from characters.review import reply_reader, transcripts
from characters.review.models import Claim
from characters.review.reply_reader import Reading
from characters.review.transcripts import message_pk, recited_learned
from kgadmin.stores.errors import StoreError

MOST_CLAIMS = 200
"""Newest claims that a message is compared with."""
MOST_BEFORE = 50
"""Messages of an import that a statement in it is compared with."""
_BY_TALK = frozenset({"leading", "pressing"})
"""Kinds of taint that are harmless in a sentence where the person speaks of themself ("I love coral. And you?")."""


def examine(message: Message) -> list[str]:
    """Make a waiting message quotable or withheld, a reply together with its message; return what went wrong.

    Also rereads a reply for an operator: what is withheld stays so.
    """
    if message.conversation.is_imported:
        _embed([message])
        _settle([message], _of_import(message))
        return []
    if message.role == Message.Role.USER:
        if not message.children.filter(role=Message.Role.ASSISTANT, memory=Memory.WAITING).exists():
            _embed([message])
            _settle([message], _Withheld.of(message))
        return []  # else it is examined with its reply
    answered = message.parent
    pair = [message] if answered is None else [answered, message]
    _embed(pair)
    turn = getattr(message, "replied_by", None)
    if answered and turn and turn.has_foreign_prefill:
        _settle(pair, _Withheld.of(answered) | _Withheld({message.pk}))
        return []
    reading = reply_reader.read(message)
    if not Message.objects.filter(pk=message.pk, memory=message.memory).exists():
        return []  # deleted, or examined by another worker, while it was read
    reply_reader.propose(reading)
    withheld = _Withheld.of(answered) if answered else _Withheld()
    if withheld.no_facts or not _is_known(reading):
        withheld.no_quotes.add(message.pk)
    _settle(pair, withheld | _eliciting(message, reading))
    return [reading.problem] if reading.problem else []


def _of_import(message: Message) -> "_Withheld":
    """Return what is withheld of an imported message; nothing is proposed from it, and no model is asked."""
    if message.role == Message.Role.USER:
        return _Withheld.of(message)
    sheet = message.conversation.character.sheet or Sheet(message.conversation.character.name, "")
    asked = message.parent.text if message.parent else ""
    statements = patterns.extract(message.text, Predicate.objects.registry(), sheet.name, asked)
    unknown = [each for each in statements if not _stands(sheet, each.predicate, each.object)]
    is_elicited = message.parent is not None and is_attempt(message.parent)
    withheld = _Withheld({message.pk}) if unknown or is_elicited else _Withheld()
    for statement in unknown:
        reply_reader.note(message, statement)  # a message that repeats it is found by it
    return withheld | _before_import(message, unknown)


def _before_import(reply: Message, statements: Sequence[Statement]) -> "_Withheld":
    """Return as withheld the person's earlier messages that supplied a statement of an imported reply."""
    wanted = [supplied.wanted(reply.text[each.start : each.end], each.object) for each in statements]
    rows = reply.conversation.messages.filter(role=Message.Role.USER, pk__lt=reply.pk).order_by("-pk")
    supplying = {
        row.pk
        for row in (rows[:MOST_BEFORE] if wanted else ())
        for sentence in _about_others(row)
        if any(supplied.supplies(sentence, each) for each in wanted)
    }
    return _Withheld(supplying)


def _about_others(message: Message) -> list[str]:
    """Return the sentences in which the person doesn't speak of themself."""
    return [sentence for sentence in texts(message.text) if not supplied.is_of_oneself(sentence)]


def withhold(message: Message) -> None:
    """Withhold a message that can't be examined, with the message it answers; no facts are read from them."""
    pair = {message.pk, message.parent_id or message.pk}
    _settle([message], _Withheld(pair, pair))


@dataclass(frozen=True, slots=True)
class _Withheld:
    """Ids of messages that memory may not quote, and of those whose facts may not be read either.

    They may be in any conversation of the person with the character: memory quotes across conversations.
    """

    no_quotes: set[int] = field(default_factory=set)
    no_facts: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, message: Message) -> "_Withheld":
        """Return what is withheld because of one message of the person, whatever the reply."""
        if is_attempt(message):
            return cls({message.pk}, {message.pk})
        return cls({message.pk}) if _restates(message) else cls()

    def __or__(self, other: "_Withheld") -> "_Withheld":
        return _Withheld(self.no_quotes | other.no_quotes, self.no_facts | other.no_facts)


def _restates(message: Message) -> bool:
    """Return whether the person repeats a statement that was made to them and that isn't on the sheet.

    That includes learned facts: they are recalled while they are learned, and a quotation would outlive that.
    """
    conversation = message.conversation
    sentences, sheet = _about_others(message), conversation.character.sheet
    claims = Claim.objects.filter(person=conversation.person_id, character=conversation.character_id)
    for claim in claims.select_related("message").order_by("-pk")[:MOST_CLAIMS] if sentences else ():
        wanted = supplied.wanted(claim.sentence, claim.object)
        is_repeated = any(supplied.supplies(sentence, wanted) for sentence in sentences)
        if is_repeated and not (sheet and _stands(sheet, claim.predicate, claim.object)):
            return True
    return False


def is_attempt(message: Message) -> bool:
    """Return whether it tries to make the character say or be something, whatever the reply is."""
    return any(taint.attempts(transcripts.as_recorded(message)))


def _embed(messages: Iterable[Message]) -> None:
    """Store the vectors that the gate uses; without an embedder, words alone decide."""
    with suppress(StoreError):
        embedding.embed_messages(messages)


def _is_known(reading: Reading) -> bool:
    """Return whether the sheet says all that the reply states, nobody elicited it, and it was never proposed.

    This holds also while the character doesn't learn, since it may learn later. Learned facts recited by the offline
    responder are recited only while they are learned.
    """
    if reading.reply.claims.exclude(proposal=None).exists() or any(judged.is_tainted for judged in reading.taints):
        return False
    is_recited = reading.is_offline and recited_learned(reading.reply)
    return not is_recited and all(_stands(reading.sheet, each.predicate, each.object) for each in reading.statements)


def _stands(sheet: Sheet, predicate: str, object: str) -> bool:
    return any(is_stated_by(fact, predicate, object) for fact in sheet.facts)


def _eliciting(reply: Message, reading: Reading) -> _Withheld:
    """Return as withheld the messages that elicited a statement, unless the person only spoke of themself."""
    withheld = _Withheld()
    for reason in (reason for judged in reading.taints for reason in judged.reasons):
        pk, is_talk = message_pk(reason.message_id), reason.kind in _BY_TALK
        if pk and pk != reply.pk and not (is_talk and supplied.is_of_oneself(reason.span)):
            withheld.no_quotes.add(pk)
            if not is_talk:
                withheld.no_facts.add(pk)
    return withheld


@transaction.atomic
def _settle(examined: Collection[Message], withheld: _Withheld) -> None:
    """Let memory read what was examined, except what is withheld, and remove what it has read of that before."""
    conversation = next(iter(examined)).conversation
    conversation.person.hold()  # before anything is read: whoever reads messages or forgets holds them, too
    known = Acquaintance.objects.filter(person=conversation.person_id, character=conversation.character_id)
    known.select_for_update().first()  # before messages, as whoever remembers a turn does
    messages = Message.objects.filter(
        conversation__person=conversation.person_id, conversation__character=conversation.character_id
    )
    no_facts = messages.filter(pk__in=withheld.no_facts)
    if were_read := set(no_facts.filter(facts_read_at__isnull=False).values_list("pk", flat=True)):
        erasure.unlearn(conversation.person, conversation.character, were_read)
    no_facts.unread().update(facts_read_at=timezone.now())
    no_quotes = messages.filter(pk__in=withheld.no_quotes)
    no_quotes.become(Memory.WITHHELD)
    Message.objects.filter(pk__in=[message.pk for message in examined]).become(Memory.QUOTABLE)
