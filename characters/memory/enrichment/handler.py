"""The job `enrich`: one run over the messages of a person, or of everybody, to a character.

Every step can be repeated: vectors, links and classes are on the rows, so a paused, killed or requeued run continues
where it stopped. The run's figures are counted from the rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.text import Truncator, capfirst

from characters.conversations.models import Person
from characters.memory.enrichment import by_model, cues, first_pass, second_pass
from characters.memory.enrichment.by_model import PAIRS_A_CALL, CapReachedError, CountedModel
from characters.memory.enrichment.pairs import IdPair, Pair, Verdict
from characters.memory.models import EnrichmentRun, Relation
from kgadmin.jobs.models import Job
from kgadmin.stores import wiring
from kgadmin.stores.errors import StoreError
from kgadmin.stores.json_answers import AnswerError

CUES_AT_ONCE = 500
"""Pairs that are classified and saved together without a model."""
FAILURES_IN_A_ROW = 3
"""Batches in a row, each failed twice, that end the run: the endpoint is down."""
MAX_REASON = 120
MAX_DETAIL = 500

Classify = Callable[[Sequence[Pair]], Mapping[IdPair, Verdict]]


class GaveUpError(Exception):
    """The language model doesn't answer; the text says why."""


def run(job: Job) -> None:
    """Work on the run that is the job's subject, "run:5". Raises `StoreError` if nothing can be embedded."""
    row = EnrichmentRun.objects.filter(pk=job.subject.rpartition(":")[2]).select_related("person").first()
    if row is not None:
        Enrichment(job, row).work()


@dataclass(slots=True)
class Enrichment:
    """One execution of the job on its run."""

    job: Job
    run: EnrichmentRun
    done: int = 0
    total: int = 0
    failures: int = 0

    def work(self) -> None:
        self.run.stopped_by = ""
        people = self._link()
        try:
            classify = self._classifier()
            for person in people:
                self._classify(person, classify)
        except (CapReachedError, GaveUpError) as reason:
            self.run.stopped_by = self._stopped(str(reason))
        self.run.finished_at = timezone.now()
        self._count()

    def _link(self) -> list[Person]:
        """Run the first pass over the run's people, count the pairs to classify, and return the people."""
        rows = Person.objects.filter(acquaintances__character=self.run.character_id)
        people = [self.run.person] if self.run.person else list(rows.order_by("pk"))
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

    def _classifier(self) -> Classify:
        if not self.run.model:
            return _by_cues
        model = wiring.language_model()
        if not model.judges or model.name != self.run.model:
            raise GaveUpError(f"{self.run.model}, the model it was started with, is no longer connected")
        counted = CountedModel(model, self.run)
        return lambda pairs: by_model.classify(pairs, counted)

    def _classify(self, person: Person, classify: Classify) -> None:
        pairs, size = second_pass.due(self.run, person.pk), PAIRS_A_CALL if self.run.model else CUES_AT_ONCE
        for start in range(0, len(pairs), size):
            self.job.progress(done=self.done, total=self.total, note=f"Classifying pairs of {person.name}'s messages")
            self._classify_batch(person, pairs[start : start + size], classify)
        self.job.progress(done=self.done, total=self.total, note=f"{person.name}'s messages are done")

    def _classify_batch(self, person: Person, batch: Sequence[Pair], classify: Classify) -> None:
        verdicts: Mapping[IdPair, Verdict] = {}
        failure: StoreError | None = None
        try:
            verdicts = classify(batch)
            missing = len(batch) - len(verdicts)
            if self.run.model and missing:
                self._note("no answer", f"{missing} of {len(batch)} pairs got no usable answer.")
        except AnswerError as error:
            self._note("unusable answer", f"No pair of {len(batch)} was classified: {error}.")
        except StoreError as error:
            failure = error
            self._note("call failed", error.message)
        second_pass.save(self.run, person.pk, batch, verdicts)
        self.done += len(batch)
        self._count()
        self.failures = self.failures + 1 if failure else 0
        if failure and (not failure.retryable or self.failures >= FAILURES_IN_A_ROW):
            raise GaveUpError(failure.message)

    def _note(self, kind: str, detail: str) -> None:
        self.run.problems.create(kind=kind, detail=detail[:MAX_DETAIL])

    def _stopped(self, reason: str) -> str:
        left = self.total - self.done
        ending = f" {left:,} pair{'s are' if left != 1 else ' is'} left."
        return f"{Truncator(capfirst(reason.rstrip('.'))).chars(MAX_REASON - len(ending) - 1)}.{ending}"

    def _count(self) -> None:
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


def _by_cues(pairs: Sequence[Pair]) -> Mapping[IdPair, Verdict]:
    return {pair.ids: verdict for pair in pairs if (verdict := cues.classify(pair))}
