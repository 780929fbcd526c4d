"""Characters' memory of people: entities, user facts, relations between messages, and the runs that found them.

Everything here belongs to one person; characters don't share what they learned.
"""

from typing import Self, get_args

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from characters.conversations.models import Message, Person
from characters.domain.people import EntityKind, person_predicate
from characters.domain.relations import Relation as RelationClass
from characters.profiles.models import Character
from kgadmin.accounts.models import User
from kgadmin.jobs.models import Job

KINDS = [(kind, kind) for kind in get_args(EntityKind)]
RELATION_CLASSES = [(name, name) for name in get_args(RelationClass)]


class Entity(models.Model):
    """A thing or somebody that a person spoke of. `key` is the folded name: the same name is the same entity."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="entities")
    key = models.CharField(max_length=200)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=KINDS, default="thing")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["person", "key"], name="one_entity_of_a_key")]

    def __str__(self) -> str:
        return self.name

    @property
    def graph_id(self) -> str:
        """Return its id in the graph."""
        return f"entity:{self.pk}"


class Alias(models.Model):
    """Another name of an entity ("my cat", "Lulu"), from a merge, an operator or the person's words."""

    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="aliases")
    key = models.CharField(max_length=200)
    text = models.CharField(max_length=200)

    class Meta:
        ordering = ["text"]
        constraints = [models.UniqueConstraint(fields=["entity", "key"], name="one_alias_of_a_key")]

    def __str__(self) -> str:
        return self.text


class Mention(models.Model):
    """A message that names an entity."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="mentions")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "entity"], name="one_mention")]

    def __str__(self) -> str:
        return f"{self.entity} in message {self.message_id}"


class UserFactQuerySet(models.QuerySet["UserFact"]):
    def of(self, person_id: int, character_id: int) -> Self:
        """Return what one character knows of one person."""
        return self.filter(person_id=person_id, character_id=character_id)

    def current(self) -> Self:
        """Return the facts that are true today."""
        return self.filter(state=UserFact.State.CURRENT)

    def otherwise(self, predicate: str, object: Entity) -> Self:
        """Return the facts that contradict a fact with this predicate and object."""
        known = person_predicate(predicate)
        contradicts = Q(pk__in=[])
        if not known.many:
            contradicts |= Q(predicate=known.name) & ~Q(object=object)
        if known.opposite:
            contradicts |= Q(predicate=known.opposite, object=object)
        return self.filter(contradicts)


class UserFact(models.Model):
    """A fact that a character learned about a person.

    `subject` is the entity that it is about ("Luna is a cat"), None for the person. `text` is the object as worded,
    `mentions` the number of messages that mention the object, `last_seen` the time of the last. A closed fact was true
    from `first_seen` to `closed_at`.
    """

    class State(models.TextChoices):
        CURRENT = "current"
        CLOSED = "closed"

    class Origin(models.TextChoices):
        PATTERN = "pattern"
        MODEL = "model"
        OPERATOR = "operator"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="facts")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="user_facts")
    subject = models.ForeignKey(Entity, on_delete=models.CASCADE, null=True, related_name="facts_about")
    predicate = models.CharField(max_length=60)
    object = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="facts_to")
    text = models.CharField(max_length=300)
    confidence = models.FloatField(validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    origin = models.CharField(max_length=10, choices=Origin.choices)
    state = models.CharField(max_length=8, choices=State.choices, default=State.CURRENT)
    mentions = models.PositiveIntegerField(default=1)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    vector = models.BinaryField(null=True)
    """Vector of the fact's sentence."""
    embedder = models.CharField(max_length=120, blank=True)

    objects = UserFactQuerySet.as_manager()

    class Meta:
        ordering = ["-last_seen", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "character", "predicate", "object"],
                condition=Q(state="current", subject=None),
                name="one_current_fact_of_a_person",
            ),
            models.UniqueConstraint(
                fields=["person", "character", "subject", "predicate", "object"],
                condition=Q(state="current", subject__isnull=False),
                name="one_current_fact_of_an_entity",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "character", "state"], name="user_fact_known"),
        ]

    def __str__(self) -> str:
        return f"{self.predicate} {self.text}"

    @property
    def graph_id(self) -> str:
        """Return its id in the graph and in traces."""
        return f"user_fact:{self.pk}"


class Evidence(models.Model):
    """The place where a fact was stated: characters `start` to `end` of a message."""

    fact = models.ForeignKey(UserFact, on_delete=models.CASCADE, related_name="evidence")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="evidence")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        ordering = ["message_id"]
        constraints = [models.UniqueConstraint(fields=["fact", "message"], name="one_evidence_of_a_message")]

    def __str__(self) -> str:
        return self.message.text[self.start : self.end]


class Similarity(models.Model):
    """First pass of the message graph: two messages of a person to one character with similar vectors."""

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="similarities")
    earlier = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="similar_later")
    later = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="similar_earlier")
    score = models.FloatField()
    """Cosine of the vectors."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["earlier", "later"], name="one_similarity_of_a_pair")]

    def __str__(self) -> str:
        return f"{self.score:.2f}"

    @property
    def graph_id(self) -> str:
        """Return its id in the graph."""
        return f"similarity:{self.pk}"


class EnrichmentRun(models.Model):
    """One run over the messages of a person (or of everybody) to one character. The job `enrich` works on it.

    `anchors` is how many nearest messages each has, `frontier` how many each of those has, `floor` the least cosine of
    an IS_SIMILAR edge, `threshold` the least confidence of a relation that is drawn. The run ends early at `max_calls`
    or `max_tokens`.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="enrichment_runs")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, null=True, blank=True, related_name="enrichment_runs")
    anchors = models.PositiveSmallIntegerField(default=5)
    frontier = models.PositiveSmallIntegerField(default=3)
    floor = models.FloatField(default=0.45)
    threshold = models.FloatField(default=0.6)
    max_calls = models.PositiveIntegerField(default=200)
    max_tokens = models.PositiveIntegerField(default=200_000)
    model = models.CharField(max_length=120, blank=True)
    """Model that classified; empty: by embeddings and cues."""
    messages = models.PositiveIntegerField(default=0)
    pairs = models.PositiveIntegerField(default=0)
    """Pairs to classify, without those classified before."""
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    similar = models.PositiveIntegerField(default=0)
    classified = models.PositiveIntegerField(default=0)
    unrelated = models.PositiveIntegerField(default=0)
    unclassified = models.PositiveIntegerField(default=0)
    stopped_by = models.CharField(max_length=120, blank=True)
    """Why it ended before its work was done, in a sentence."""
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    JOB_KIND = "enrich"

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"Enrichment run {self.pk}"

    @property
    def subject(self) -> str:
        """Return the subject of its job."""
        return f"run:{self.pk}"

    @property
    def job(self) -> Job | None:
        """Return the newest job of the run."""
        return Job.objects.filter(kind=self.JOB_KIND, subject=self.subject).first()


class RunProblem(models.Model):
    """A problem of a run: a call that failed, or an item of an answer that couldn't be used."""

    run = models.ForeignKey(EnrichmentRun, on_delete=models.CASCADE, related_name="problems")
    kind = models.CharField(max_length=40)
    detail = models.CharField(max_length=500)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


class RelationQuerySet(models.QuerySet["Relation"]):
    def drawn(self) -> Self:
        """Return the relations that are edges: not unrelated, uncertain, unclassified or rejected."""
        return self.filter(status__in=[Relation.Status.CLASSIFIED, Relation.Status.RELABELLED]).exclude(
            relation__in=["", "Unrelated"]
        )


class Relation(models.Model):
    """Second pass of the message graph: how two messages of a person relate, decided once per pair.

    Runs never overwrite an operator's label (`relabelled`, `rejected`). `uncertain` relations, below the run's
    threshold, are kept but not drawn. The class sets the edge's direction (`characters.domain.relations.CLASSES`).
    """

    class Status(models.TextChoices):
        CLASSIFIED = "classified"
        UNCERTAIN = "uncertain"
        UNCLASSIFIED = "unclassified"
        RELABELLED = "relabelled"
        REJECTED = "rejected"

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="relations")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="relations")
    earlier = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="relations_later")
    later = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="relations_earlier")
    relation = models.CharField(max_length=30, choices=RELATION_CLASSES, blank=True)
    confidence = models.FloatField(default=0.0)
    evidence = models.CharField(max_length=500, blank=True)
    origin = models.CharField(max_length=120, blank=True)
    """The model that classified it, "cues", or "operator"."""
    status = models.CharField(max_length=12, choices=Status.choices)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    run = models.ForeignKey(EnrichmentRun, on_delete=models.SET_NULL, null=True, related_name="relations")
    updated_at = models.DateTimeField(default=timezone.now)

    objects = RelationQuerySet.as_manager()

    class Meta:
        ordering = ["-confidence", "id"]
        constraints = [models.UniqueConstraint(fields=["earlier", "later"], name="one_relation_of_a_pair")]
        indexes = [
            models.Index(fields=["relation", "confidence"], name="relation_class"),
        ]

    def __str__(self) -> str:
        return self.relation or "unclassified"

    @property
    def graph_id(self) -> str:
        """Return its id in the graph."""
        return f"relation:{self.pk}"

    def decide(self, *, relation: str, status: "Relation.Status", by: User) -> None:
        """Save an operator's decision: relabelled or rejected."""
        Relation.objects.filter(pk=self.pk).update(
            relation=relation,
            status=status,
            origin="operator",
            confidence=1.0,
            decided_by=by,
            updated_at=timezone.now(),
        )
        self.refresh_from_db()
