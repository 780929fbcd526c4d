"""What was learned of the person from each message of a conversation, and whether it is still being read."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Min

from characters.conversations.models import Conversation, Message
from characters.memory.models import Evidence, UserFact
from characters.people.facts import sentence_of
from kgadmin.jobs.models import Job


@dataclass(frozen=True, slots=True)
class Learned:
    """Sentences about the person: what a message was the first to say, and what it ended."""

    new: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    waits: bool = False
    """The message is remembered, and not read yet."""
    problem: str = ""
    """Why it isn't being read."""

    def __bool__(self) -> bool:
        return bool(self.new or self.ended or self.waits or self.problem)


NOTHING = Learned()


def learned_in(conversation: Conversation, messages: Iterable[Message]) -> dict[int, Learned]:
    """By message of the person; of a sandbox nothing."""
    by_key = {message.pk: message for message in messages if message.place is not None}
    if conversation.sandbox or not by_key:
        return {}
    new, ended = _new(conversation, by_key), _ended(conversation, by_key)
    sentences = _sentences(conversation, [fact for facts in (*new.values(), *ended.values()) for fact in facts])
    problem = _problem(conversation) if any(message.is_unread for message in by_key.values()) else ""
    return {
        key: Learned(
            new=tuple(sentences[fact.pk] for fact in new[key] if fact.pk in sentences),
            ended=tuple(sentences[fact.pk] for fact in ended[key] if fact.pk in sentences),
            waits=message.is_unread and not problem,
            problem=problem if message.is_unread else "",
        )
        for key, message in by_key.items()
    }


def _new(conversation: Conversation, messages: Collection[int]) -> defaultdict[int, list[UserFact]]:
    rows = Evidence.objects.filter(fact__person=conversation.person, fact__character=conversation.character)
    dated = rows.filter(message__in=messages).annotate(first=Min("fact__evidence__message"))
    facts: defaultdict[int, list[UserFact]] = defaultdict(list)
    for row in dated.select_related("fact__subject", "fact__object").order_by("start", "pk"):
        if row.first == row.message_id:
            facts[row.message_id].append(row.fact)
    return facts


def _ended(conversation: Conversation, messages: Mapping[int, Message]) -> defaultdict[int, list[UserFact]]:
    at = {message.at: key for key, message in messages.items()}
    rows = UserFact.objects.of(conversation.person_id, conversation.character_id).filter(closed_at__in=at)
    facts: defaultdict[int, list[UserFact]] = defaultdict(list)
    for fact in rows.select_related("subject", "object"):
        if fact.closed_at:
            facts[at[fact.closed_at]].append(fact)
    return facts


def _sentences(conversation: Conversation, facts: Iterable[UserFact]) -> dict[int, str]:
    """The facts in words, by their keys. What a pet is stands in the sentence that names it."""
    facts = list(facts)
    pets = {fact.object_id for fact in facts if fact.predicate == "HAS_PET"}
    kinds = UserFact.objects.of(conversation.person_id, conversation.character_id).filter(
        subject__in=pets, predicate="IS_A"
    )
    species = dict(kinds.values_list("subject_id", "text"))
    return {
        fact.pk: sentence_of(conversation.person, fact, species.get(fact.object_id, ""))
        for fact in facts
        if fact.predicate != "IS_A" or fact.subject_id not in pets
    }


def _problem(conversation: Conversation) -> str:
    """Why the person's messages aren't being read: the error of their last job, if it ended with one."""
    jobs = Job.objects.filter(kind="remember", subject=conversation.person.graph_id)
    last = jobs.order_by("-pk").first()
    return last.error if last and last.state == Job.State.FAILED else ""
