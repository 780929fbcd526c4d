"""Forgetting: rows at once, graph and vectors with the next sweep.

`forget_*` deletes messages and everything learned from them, `unlearn` keeps the messages, `withdraw` keeps them but
ends their memory. The embedded engines' files may hold deleted text until `make purge`.
"""

import logging
from collections.abc import Collection
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.module_loading import import_string

from characters.conversations import imports
from characters.conversations.models import Acquaintance, Conversation, ConversationImport, Memory, Message, Person
from characters.memory import message_index
from characters.memory.entities import change_known, delete_unused, empty_log, recount
from characters.memory.models import EnrichmentRun, Entity, Evidence, Mention, RunProblem, UserFact, UserFactQuerySet
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.audit.services import Act, record
from kgadmin.jobs.models import Job
from kgadmin.projection.models import Lease
from kgadmin.projection.tasks import sweep

logger = logging.getLogger(__name__)

REMOVED = "It quoted someone who was forgotten."


@transaction.atomic
def forget_person(person: Person, *, by: User | None) -> None:
    """Delete a person, their messages and everything known about them; doing it twice changes nothing.

    Running jobs for this person stop when their row is gone. The log records who did it, not what the person said.
    """
    person.hold()
    owner, pk = f"person:{person.pk}", person.pk
    imports.abandon(person)
    _tell(Conversation.objects.filter(person=person), by=by, person=person.pk)
    _delete_jobs(owner, pk)
    _redact_shared_runs(pk)
    if Person.objects.filter(pk=pk).delete()[0]:
        record(Act("forgot", owner), actor=by)
    Lease.objects.filter(owner=owner).update(error="")  # an engine's error may quote what it refused
    transaction.on_commit(partial(message_index.drop, pk))
    logger.info("Person %s was forgotten by user %s.", pk, by.pk if by else "none")
    sweep.delay_on_commit()


@transaction.atomic
def forget_conversation(conversation: Conversation, *, by: User | None) -> None:
    """Delete a conversation, and the facts stated nowhere else; an operator's own facts stay."""
    person, pk = conversation.person, conversation.pk
    person.hold()
    _tell(Conversation.objects.filter(pk=pk), by=by)
    with_evidence = UserFact.objects.filter(evidence__message__conversation=conversation)
    touched = list(with_evidence.values_list("pk", flat=True).distinct())
    conversation.delete()
    record(Act("forgot", f"conversation:{pk}", conversation.character.graph_id), actor=by)
    _delete_facts(person, touched)
    Acquaintance.objects.filter(person=person, character_id=conversation.character_id).update(
        facts_version=F("facts_version") + 1, messages_epoch=F("messages_epoch") + 1
    )
    transaction.on_commit(partial(message_index.drop, person.pk, conversation.character_id))
    logger.info("Conversation %s was forgotten by user %s.", pk, by.pk if by else "none")
    sweep.delay_on_commit()


@transaction.atomic
def unlearn(person: Person, character: Character, messages: Collection[int]) -> None:
    """Remove mentions in these messages, and facts stated nowhere else; the messages stay.

    Facts that these messages had closed become current again, unless a current fact contradicts them.
    """
    person.hold()
    read = Evidence.objects.filter(message__in=messages)
    facts = set(read.values_list("fact_id", flat=True))
    mentions = Mention.objects.filter(message__in=messages)
    named = set(mentions.values_list("entity_id", flat=True))
    dates = list(Message.objects.filter(pk__in=messages).values_list("at", flat=True))
    read.delete()
    mentions.delete()
    _delete_facts(person, facts)
    _reopen(UserFact.objects.of(person.pk, character.pk), dates)
    recount(person, character, named)
    change_known(person, character)
    sweep.delay_on_commit()


@transaction.atomic
def withdraw(conversation: Conversation, messages: Collection[int]) -> None:
    """Remove what came only from these messages, and stop remembering them; the messages stay."""
    person, character = conversation.person, conversation.character
    unlearn(person, character, messages)
    Message.objects.filter(pk__in=messages).become(Memory.NONE, place=None, facts_read_at=None)
    for name in settings.WITHDRAWAL_HOOKS:
        import_string(name)(messages)


def _reopen(known: UserFactQuerySet, ended_at: Collection[datetime]) -> None:
    """Make facts closed at these times current again, unless a current fact repeats or contradicts them."""
    for fact in known.filter(state=UserFact.State.CLOSED, closed_at__in=ended_at).order_by("-first_seen"):
        current = known.current().filter(subject=fact.subject)
        same = current.filter(predicate=fact.predicate, object=fact.object)
        if not same.exists() and not current.otherwise(fact.predicate, fact.object).exists():
            again = {"state": UserFact.State.CURRENT, "closed_at": None}
            UserFact.objects.filter(pk=fact.pk).update(**again)


def _tell(conversations: QuerySet[Conversation], *, by: User | None, person: int | None = None) -> None:
    """Run the hooks by which other apps delete what they store about these conversations and this person."""
    for name in settings.FORGETTING_HOOKS:
        import_string(name)(conversations, by=by, person=person)


def _delete_facts(person: Person, touched: Collection[int]) -> None:
    """Delete which of these facts, but an operator's, and which entities nothing states any more; empty their log."""
    empty_log(person.pk, [f"user_fact:{fact}" for fact in touched])
    UserFact.objects.filter(pk__in=touched, evidence=None).exclude(origin=UserFact.Origin.OPERATOR).delete()
    delete_unused(person, Entity.objects.filter(person=person, mentions=None))


def _delete_jobs(owner: str, pk: int) -> None:
    """Delete jobs that may quote the person, and jobs of deleted imports; a running worker stops."""
    runs = [run.subject for run in EnrichmentRun.objects.filter(person_id=pk)]
    Job.objects.filter(Q(kind="remember", subject=owner) | Q(kind=EnrichmentRun.JOB_KIND, subject__in=runs)).delete()
    there = [f"import:{each}" for each in ConversationImport.objects.values_list("pk", flat=True)]
    Job.objects.filter(kind=ConversationImport.JOB_KIND).exclude(subject__in=there).delete()


def _redact_shared_runs(pk: int) -> None:
    """Empty the problems of runs over everybody, which may quote this person; their figures stay."""
    characters = Acquaintance.objects.filter(person_id=pk).values("character")
    runs = EnrichmentRun.objects.filter(person=None, character__in=characters)
    RunProblem.objects.filter(run__in=runs).update(detail=REMOVED)
    subjects = [run.subject for run in runs]
    Job.objects.filter(kind=EnrichmentRun.JOB_KIND, subject__in=subjects).update(note="", error="")
