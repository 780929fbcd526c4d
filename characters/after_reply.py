"""What follows a reply, in the background: examine what was said, read the facts in it, embed both, project.

The job of one person, the oldest message first. Examined, a message that was `waiting` is `quotable` or `withheld`;
after that facts are read out of it (`facts_read_at`), and the projector carries what changed into the graph.
"""

import logging

from django.db import OperationalError

from characters.conversations.models import Memory, Message, Person
from characters.memory import message_index
from characters.memory.embedding import embed_facts, embed_remembered
from characters.memory.message_reader import MessageReader, unread_messages
from characters.review import examination
from kgadmin.jobs.models import Job
from kgadmin.stores.errors import StoreError

logger = logging.getLogger(__name__)


def run(job: Job) -> None:
    """All messages of the job's person that are waiting or unread.

    A message that the language model couldn't read is read by patterns; the job ends with a sentence that says so.
    """
    person = Person.objects.filter(pk=job.subject.partition(":")[2]).first()
    if person is None:
        return  # forgotten meanwhile
    problems = [*_examine(person, job), *_read(person, job)]
    embed_remembered(person)
    embed_facts(person)
    for acquaintance in person.acquaintances.all():
        message_index.renew(acquaintance)
    if problems:
        raise StoreError(_summary(problems), retryable=False)


def _examine(person: Person, job: Job) -> list[str]:
    """Decide for every waiting message whether it is quotable or withheld; what went wrong.

    One that can't be examined is withheld, and the others go on: else nothing would be remembered of this person.
    """
    waiting = Message.objects.filter(conversation__person=person, memory=Memory.WAITING).select_related(
        "conversation__character__live_revision", "conversation__person", "parent", "replied_by"
    )
    problems: list[str] = []
    for pk in list(waiting.order_by("place").values_list("pk", flat=True)):
        job.progress(done=0, total=0, note="Checking the conversation")
        for message in waiting.filter(pk=pk):  # none, where it was looked at with its reply
            try:
                problems += examination.examine(message)
            except OperationalError:
                raise
            except Exception as error:
                logger.exception("Message %s could not be looked at", pk)
                examination.withhold(message)
                problems.append(f"a message could not be checked ({type(error).__name__}), and isn't remembered")
    return problems


def _read(person: Person, job: Job) -> list[str]:
    """Save the facts that each examined message states; what went wrong."""
    reader = MessageReader(person)
    total = unread_messages(person).count()
    problems: list[str] = []
    for done, message in enumerate(reader.messages(), start=1):
        problems += reader.read(message)
        job.progress(done=done, total=max(total, done), note=f"{done} of {max(total, done)} messages read")
    return problems


def _summary(problems: list[str]) -> str:
    several = "message" if len(problems) == 1 else "messages"
    return f"{len(problems)} {several} could not be read as usual. The first: {problems[0]}"
