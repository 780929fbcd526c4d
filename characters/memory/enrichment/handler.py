"""The job `enrich`: one run over the messages of a person, or of everybody, to a character.

Every step can be repeated: what was embedded, linked or classified is on its rows, so a run that was paused, killed or
queued again goes on where it stopped. The run's figures are counted from the rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone

from characters.conversations.models import Person
from characters.memory.enrichment import first_pass, second_pass
from characters.memory.enrichment.budget import Budget, CapReachedError
from characters.memory.enrichment.classifiers import ByCues, ByModel, Classifier
from characters.memory.enrichment.prompt import Pair
from characters.memory.models import EnrichmentRun, Relation
from kgadmin.jobs.models import Job
from kgadmin.stores import wiring

FAILURES_IN_A_ROW = 3
"""As many batches that failed twice, one after the other, end the run: the endpoint is down."""
MAX_REASON = 120


class GaveUpError(Exception):
    """The language model doesn't answer; the text says why."""


def run(job: Job) -> None:
    """Work on the run that is the job's subject, "run:5". Raises `StoreError` where nothing can be embedded."""
    row = EnrichmentRun.objects.filter(pk=job.subject.rpartition(":")[2]).select_related("person").first()
    if row is not None:
        Enrichment(job, row).work()


@dataclass(slots=True)
class Enrichment:
    """One working of the job on its run."""

    job: Job
    run: EnrichmentRun
    done: int = 0
    total: int = 0
    failures: int = 0

    def work(self) -> None:
        self.run.stopped_by = ""
        people = self._link()
        try:
            classifier = self._classifier()
            for person in people:
                self._classify(person, classifier)
        except (CapReachedError, GaveUpError) as reason:
            self.run.stopped_by = self._stopped(str(reason))
        self.run.finished_at = timezone.now()
        self._count()

    def _link(self) -> list[Person]:
        """First pass over everybody; tells how much there is to classify."""
        people = list(people_of(self.run))
        self.run.messages = sum(first_pass.messages_of(person.pk, self.run.character_id).count() for person in people)
        self.run.similar = 0
        for person in people:
            self.run.similar += self._link_one(person)
            second_pass.apply_threshold(self.run, person.pk)
        tried = Relation.objects.filter(run=self.run).count()
        waiting = sum(len(second_pass.due(self.run, person.pk)) for person in people)
        self.done, self.total = tried, tried + waiting
        self.run.pairs = self.total
        self._count()
        return people

    def _link_one(self, person: Person) -> int:
        def say(done: int, total: int) -> None:
            self.job.progress(done=done, total=total, note=f"Embedding {person.name}'s messages")

        self.job.progress(done=0, total=0, note=f"Finding similar messages of {person.name}")
        run = self.run
        return first_pass.link(person, run.character_id, anchors=run.anchors, floor=run.floor, say=say)

    def _classifier(self) -> Classifier:
        if not self.run.model:
            return ByCues()
        model = wiring.language_model()
        if not model.judges or model.name != self.run.model:
            raise GaveUpError(f"{self.run.model}, with which it was started, isn't connected any more")
        return ByModel(model, Budget(self.run))

    def _classify(self, person: Person, classifier: Classifier) -> None:
        for batch in classifier.batches(second_pass.due(self.run, person.pk)):
            self.job.progress(done=self.done, total=self.total, note=f"Classifying pairs of {person.name}'s messages")
            self._classify_batch(person, batch, classifier)
        self.job.progress(done=self.done, total=self.total, note=f"{person.name}'s messages are done")

    def _classify_batch(self, person: Person, batch: Sequence[Pair], classifier: Classifier) -> None:
        outcome = classifier.classify(batch)
        second_pass.save(self.run, person.pk, batch, outcome.verdicts, outcome.troubles)
        self.done += len(batch)
        self._count()
        self.failures = self.failures + 1 if outcome.failure else 0
        if outcome.hopeless or self.failures >= FAILURES_IN_A_ROW:
            raise GaveUpError(outcome.failure)

    def _stopped(self, reason: str) -> str:
        left = self.total - self.done
        ending = f" {left:,} pair{'s are' if left != 1 else ' is'} left."
        room = MAX_REASON - len(ending) - 1
        short = reason.rstrip(".")
        short = short if len(short) <= room else f"{short[: room - 2]} …"
        return f"{short[:1].upper()}{short[1:]}.{ending}"

    def _count(self) -> None:
        """Save the figures as the rows have them now."""
        unrelated = Q(relation="Unrelated", status=Relation.Status.CLASSIFIED)
        unclassified = Q(status=Relation.Status.UNCLASSIFIED)
        figures = Relation.objects.filter(run=self.run).aggregate(
            classified=Count("pk", filter=~unrelated & ~unclassified),
            unrelated=Count("pk", filter=unrelated),
            unclassified=Count("pk", filter=unclassified),
        )
        for name, value in figures.items():
            setattr(self.run, name, value)
        self.run.save(update_fields=["messages", "pairs", "similar", "stopped_by", "finished_at", *figures])


def people_of(run: EnrichmentRun) -> Sequence[Person]:
    """Whose messages the run is about."""
    if run.person:
        return [run.person]
    return list(Person.objects.filter(acquaintances__character=run.character_id).order_by("pk"))
