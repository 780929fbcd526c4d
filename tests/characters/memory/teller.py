"""For tests of what is learned: a person tells a character something, and it is read."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from characters.conversations.models import Acquaintance, Conversation, Message, Person
from characters.memory.models import Entity, UserFact
from characters.profiles.models import Character
from kgadmin.jobs import runner
from kgadmin.jobs import services as jobs
from kgadmin.jobs.models import Job
from tests.characters.memory import people

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Short = tuple[str, str, str]


@dataclass
class Teller:
    """One person and one character; each message is an hour after the last."""

    person: Person
    character: Character
    conversation: Conversation = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.conversation = people.conversation(self.person, self.character)

    def says(self, text: str, *, at: datetime | None = None, answer: str = "") -> Message:
        """A remembered message, unread as yet."""
        self.count += 1
        return people.message(self.conversation, text, answer=answer, at=at or NOON + timedelta(hours=self.count))

    def tells(self, *texts: str) -> Job:
        """Messages, read at once."""
        for text in texts:
            self.says(text)
        return self.read()

    def read(self) -> Job:
        """Run the job that reads, as a worker would."""
        job = jobs.start(kind="remember", subject=self.person.graph_id, by=None)
        runner.run(job.pk)
        job.refresh_from_db()
        return job

    @property
    def current(self) -> list[Short]:
        """(subject, predicate, object) of what holds, sorted."""
        return self._facts(UserFact.State.CURRENT)

    @property
    def closed(self) -> list[Short]:
        """The same of what has ended."""
        return self._facts(UserFact.State.CLOSED)

    def fact(self, predicate: str, name: str = "") -> UserFact:
        """The one fact by this predicate, and with this object."""
        facts = self.person.facts.filter(predicate=predicate)
        return facts.get(object__name=name) if name else facts.get()

    def entity(self, name: str) -> Entity:
        return self.person.entities.get(name=name)

    @property
    def facts_version(self) -> int:
        return Acquaintance.objects.get(person=self.person, character=self.character).facts_version

    def _facts(self, state: UserFact.State) -> list[Short]:
        rows = self.person.facts.filter(character=self.character, state=state).select_related("subject", "object")
        return sorted((row.subject.name if row.subject else "", row.predicate, row.object.name) for row in rows)
