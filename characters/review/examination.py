"""What becomes of a message after its turn: statements are proposed, and what must not come back is withheld.

Memory reads a message only after this. Withheld are, as long as they stand:
- a reply that states something of her which her sheet doesn't: until an operator approves it, it is no knowledge, and
  afterwards it is told as a learned fact, not as a quotation
- a message that tries to lead her, and the reply to it; no facts about the person are read out of it
- a message that repeats such a statement of hers, or led her to it
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from characters.conversations.models import Acquaintance, Memory, Message
from characters.domain.sheet import Sheet
from characters.language.claims import patterns
from characters.language.claims.meaning import is_said_by
from characters.language.claims.values import Claim as Read
from characters.language.gate import supplied, taint
from characters.language.gate.taint import Reason
from characters.memory import embedding, forgetting
from characters.profiles.models import Predicate
from characters.review import reply_reader, transcripts
from characters.review.models import Claim
from characters.review.reply_reader import Reading
from characters.review.transcripts import told_learned
from kgadmin.stores.errors import StoreError

MOST_CLAIMS = 200
"""Statements, the newest, beside which a message is put."""
MOST_BEFORE = 50
"""Messages of an import that are put beside a statement in it."""
_BY_TALK = frozenset({"leading", "pressing"})
"""Kinds of taint by what is harmless to remember where the person speaks of themself ("I love coral. And you?")."""


def examine(message: Message) -> list[str]:
    """Make a waiting message quotable or withheld, a reply together with what it answers; what went wrong.

    For the job that reads a person's messages, and for whoever wants a reply read once more: what is withheld stays so.
    """
    if message.conversation.is_imported:
        _embed([message])
        _settle([message], _of_import(message))
        return []
    if message.role == Message.Role.USER:
        if not message.children.filter(role=Message.Role.ASSISTANT, memory=Memory.WAITING).exists():
            _embed([message])
            _settle([message], _Withheld.of(message))
        return []  # else it is looked at with its reply
    answered = message.parent
    pair = [message] if answered is None else [answered, message]
    _embed(pair)
    reading = reply_reader.read(message)
    if not Message.objects.filter(pk=message.pk, memory=message.memory).exists():
        return []  # taken back, or examined by somebody else, while it was read
    reply_reader.propose(reading)
    withheld = _Withheld.of(answered) if answered else _Withheld()
    if withheld.unheard or not _is_known(reading):
        withheld.unquoted.add(message.pk)
    _settle(pair, withheld | _leading(message, reading))
    return [reading.problem] if reading.problem else []


def _of_import(message: Message) -> "_Withheld":
    """What becomes of a message that was said elsewhere: nothing is proposed from it, and no model is asked about it.

    Whatever she states of herself there, no turn of this program wrote it.
    """
    if message.role == Message.Role.USER:
        return _Withheld.of(message)
    sheet = message.conversation.character.sheet or Sheet(message.conversation.character.name, "")
    asked = message.parent.text if message.parent else ""
    stated = patterns.extract(message.text, Predicate.objects.registry(), sheet.name, asked)
    unknown = [each for each in stated if not _stands(sheet, each.predicate, each.object)]
    is_led = message.parent is not None and is_attempt(message.parent)
    withheld = _Withheld({message.pk}) if unknown or is_led else _Withheld()
    for each in unknown:
        reply_reader.note(message, each)  # a message that repeats it is found by it
    return withheld | _leading_up(message, unknown)


def _leading_up(reply: Message, stated: Sequence[Read]) -> "_Withheld":
    """Of the person's newest messages before an imported reply those that said the same first."""
    wanted = [supplied.wanted(reply.text[each.start : each.end], each.object) for each in stated]
    rows = reply.conversation.messages.filter(role=Message.Role.USER, pk__lt=reply.pk).order_by("-pk")
    led = {
        row.pk
        for row in (rows[:MOST_BEFORE] if wanted else ())
        for sentence in supplied.sentences(row.text)
        if not supplied.is_of_oneself(sentence) and any(supplied.supplies(sentence, each) for each in wanted)
    }
    return _Withheld(led)


def withhold(message: Message) -> None:
    """Keep a message that can't be examined, and what it answers, out of memory; no facts are read of them."""
    pair = {message.pk, message.parent_id or message.pk}
    _settle([message], _Withheld(pair, pair))


@dataclass(frozen=True, slots=True)
class _Withheld:
    """Messages that memory may not quote, and those of them of which no facts may be read, either.

    They may stand in any conversation of the person with her: memory brought the words of one into another.
    """

    unquoted: set[int] = field(default_factory=set)
    unheard: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, message: Message) -> "_Withheld":
        """What becomes of a message of the person by itself."""
        if is_attempt(message):
            return cls({message.pk}, {message.pk})
        return cls({message.pk}) if _restates(message) else cls()

    def __or__(self, other: "_Withheld") -> "_Withheld":
        return _Withheld(self.unquoted | other.unquoted, self.unheard | other.unheard)


def _restates(message: Message) -> bool:
    """Whether the person repeats what she said to them, and her sheet doesn't say so.

    Also where she has learned it: as such it is told as long as it is learned, and a quotation would outlive that.
    """
    conversation = message.conversation
    told = [each for each in supplied.sentences(message.text) if not supplied.is_of_oneself(each)]
    claims = Claim.objects.filter(person=conversation.person_id, character=conversation.character_id)
    unknown = claims.select_related("message")
    sheet = conversation.character.sheet
    for claim in unknown.order_by("-pk")[:MOST_CLAIMS] if told else ():
        wanted = supplied.wanted(claim.message.text[claim.start : claim.end], claim.object)
        is_repeated = any(supplied.supplies(each, wanted) for each in told)
        if is_repeated and not (sheet and _stands(sheet, claim.predicate, claim.object)):
            return True
    return False


def is_attempt(message: Message) -> bool:
    """Whether it tries to make her say or be something, whatever she answers."""
    return any(taint.attempts(transcripts.as_said(message)))


def _embed(messages: Iterable[Message]) -> None:
    """The vectors that the gate goes by; where there is no embedder, words alone decide."""
    try:
        embedding.embed_messages(messages)
    except StoreError:
        return


def _is_known(reading: Reading) -> bool:
    """Whether all that the reply states stands in her sheet, nobody led her to it, and nothing of it was ever proposed.

    Also where she doesn't learn: she may learn later, and what an operator rejects then was said already. What the
    offline responder tells as learned is told no longer than it is learned.
    """
    if reading.reply.claims.exclude(proposal=None).exists() or any(judged.is_tainted for judged in reading.taints):
        return False
    is_recited = reading.is_offline and told_learned(reading.reply)
    return not is_recited and all(_stands(reading.sheet, each.predicate, each.object) for each in reading.claims)


def _stands(sheet: Sheet, predicate: str, said: str) -> bool:
    return any(is_said_by(fact, predicate, said) for fact in sheet.facts)


def _leading(reply: Message, reading: Reading) -> _Withheld:
    """The messages by which she was led to a statement, unless the person only spoke of themself."""
    found = _Withheld()
    for reason in (reason for judged in reading.taints for reason in judged.reasons):
        pk = _pk(reason.message_id)
        if pk and pk != reply.pk and _is_about_her(reason):
            found.unquoted.add(pk)
            if reason.kind not in _BY_TALK:
                found.unheard.add(pk)
    return found


def _is_about_her(reason: Reason) -> bool:
    return reason.kind not in _BY_TALK or not supplied.is_of_oneself(reason.span)


def _pk(message_id: str) -> int | None:
    kind, _, number = message_id.partition(":")
    return int(number) if kind == "message" and number.isdigit() else None


@transaction.atomic
def _settle(looked_at: Collection[Message], withheld: _Withheld) -> None:
    """Let memory read what was looked at, but for what is withheld, and take back what it has read of that before."""
    conversation = next(iter(looked_at)).conversation
    conversation.person.hold()  # before anything is read: whoever reads messages or forgets holds them, too
    known = Acquaintance.objects.filter(person=conversation.person_id, character=conversation.character_id)
    known.select_for_update().first()  # before messages, as whoever remembers a turn does
    theirs = Message.objects.filter(
        conversation__person=conversation.person_id, conversation__character=conversation.character_id
    )
    heard = theirs.filter(pk__in=withheld.unheard)
    if were_read := set(heard.filter(facts_read_at__isnull=False).values_list("pk", flat=True)):
        forgetting.unlearn(conversation.person, conversation.character, were_read)
    heard.unread().update(facts_read_at=timezone.now())
    unquoted = theirs.filter(pk__in=withheld.unquoted)
    if unquoted.filter(memory=Memory.QUOTABLE).exists():
        known.update(messages_epoch=F("messages_epoch") + 1)
    unquoted.become(Memory.WITHHELD)
    Message.objects.filter(pk__in=[message.pk for message in looked_at]).become(Memory.QUOTABLE)
