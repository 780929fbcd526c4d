"""Statements of characters about themselves, the verdicts of the checks on them, and operators' decisions.

A statement waits as a proposal until an operator decides; an approved one becomes a learned fact
(`characters.profiles.learned`). Every decision is also in the audit log.
"""

from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from characters.conversations.models import Conversation, Message, Person, Turn
from characters.profiles.models import Character, LearnedFact
from kgadmin.accounts.models import User
from kgadmin.audit.services import new_batch

RESERVED_FOR = timedelta(minutes=2)
SAMPLED = 20
"""How many of its first claims, and of its last, a proposal is judged by."""


_SUPPORT = {"times": "pk", "people": "person", "conversations": "conversation"}


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def undecided(self) -> Self:
        """Return open proposals, and deferred ones."""
        return self.filter(state__in=UNDECIDED)

    def with_support(self) -> Self:
        """Annotate how many `times` each was stated, to how many `people`, in how many `conversations`."""
        claims = Claim.objects.filter(proposal=OuterRef("pk")).order_by().values("proposal")
        counts = {
            name: claims.annotate(count=Count(of, distinct=True)).values("count") for name, of in _SUPPORT.items()
        }
        return self.annotate(**{name: Coalesce(Subquery(count), 0) for name, count in counts.items()})


class Proposal(models.Model):
    """Something that a character stated about itself, in one or more conversations; one row per meaning.

    `predicate` and `object` are as they would be learned, `meaning` is the key of what was said, whatever an operator
    made of it. `version` counts what happened to it: a decision names the one that its operator saw. `priority` orders
    the queue: what is worth most and risks least comes first.
    """

    class State(models.TextChoices):
        OPEN = "open"
        DEFERRED = "deferred"
        APPROVED = "approved"
        REJECTED = "rejected"

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="proposals")
    predicate = models.CharField(max_length=60)
    object = models.CharField(max_length=500)
    meaning = models.CharField(max_length=300)
    vector = models.BinaryField(null=True)
    """Vector of its sentence; a repeat in other words is found by it."""
    embedder = models.CharField(max_length=120, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.OPEN)
    version = models.PositiveIntegerField(default=1)
    confidence = models.FloatField(default=0.0)
    priority = models.FloatField(default=0.0)
    learned = models.OneToOneField(LearnedFact, on_delete=models.SET_NULL, null=True, related_name="proposal")
    deferred_until = models.DateTimeField(null=True)
    """End of a deferral; without a date it waits until the statement is made to somebody else."""
    reserved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reserved_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    last_stated_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True)

    times: int
    people: int
    conversations: int
    """Set by `with_support`."""

    objects = ProposalQuerySet.as_manager()

    class Meta:
        ordering = ["-priority", "pk"]
        constraints = [models.UniqueConstraint(fields=["character", "meaning"], name="one_proposal_of_a_meaning")]
        indexes = [
            models.Index(fields=["state", "-priority"], name="proposal_queue"),
            models.Index(fields=["state", "-decided_at"], name="proposal_decided"),
            models.Index(fields=["character", "state"], name="proposal_of_character"),
        ]

    def __str__(self) -> str:
        return f"{self.predicate} {self.object}"

    @property
    def subject(self) -> str:
        """Return how the audit log names it."""
        return f"proposal:{self.pk}"

    @property
    def reader(self) -> User | None:
        """Return the account that has it reserved now."""
        is_reserved = self.reserved_until is not None and self.reserved_until > timezone.now()
        return self.reserved_by if is_reserved else None

    @cached_property
    def listeners(self) -> list[Person]:
        """Return the people to whom it was stated; read once."""
        return list(Person.objects.filter(claims__proposal=self).distinct().only("name"))

    def was_learned_by(self, at: datetime) -> bool:
        """Return whether it was learned by then; stating it afterwards only repeats the prompt."""
        return self.learned is not None and self.learned.learned_at <= at

    def sampled(self) -> "models.QuerySet[Claim]":
        """Return the claims that it is judged by: the first and the last `SAMPLED`."""
        pks = self.claims.order_by("pk").values_list("pk", flat=True)
        return self.claims.filter(pk__in={*pks[:SAMPLED], *pks.reverse()[:SAMPLED]})

    @property
    def is_taken_back(self) -> bool:
        """Return whether every reply that states it was regenerated, edited or deleted."""
        return not self.claims.filter(message__place__isnull=False).exists()

    @property
    def awaits_support(self) -> bool:
        """Return whether it was deferred until the statement is made to somebody else."""
        return self.state == Proposal.State.DEFERRED and self.deferred_until is None

    @property
    def is_undecided(self) -> bool:
        """Return whether somebody may still decide it."""
        return self.state in UNDECIDED

    def reserve(self, user: Any) -> bool:
        """Reserve it for two minutes, or renew that; return False if another account has it."""
        now = timezone.now()
        free = Q(reserved_by=None) | Q(reserved_by=user) | Q(reserved_until__lt=now)
        rows = Proposal.objects.filter(free, pk=self.pk)
        return bool(rows.update(reserved_by=user, reserved_until=now + RESERVED_FOR))

    def release(self, user: Any) -> None:
        """Release this user's reservation, if there is one."""
        Proposal.objects.filter(pk=self.pk, reserved_by=user).update(reserved_by=None, reserved_until=None)


UNDECIDED = (Proposal.State.OPEN, Proposal.State.DEFERRED)


class Claim(models.Model):
    """A statement of a character about itself in a reply. Without a proposal, `refused` says why."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="claims")
    turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, related_name="claims")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="claims")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="claims")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="claims")
    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, null=True, related_name="claims")
    predicate = models.CharField(max_length=60)
    object = models.CharField(max_length=500)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    certainty = models.FloatField()
    hedged = models.BooleanField(default=False)
    by_model = models.BooleanField(default=False)
    refused = models.CharField(max_length=200, blank=True)
    stated_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["message", "start", "end", "predicate", "object"], name="one_claim_of_a_place"
            )
        ]

    def __str__(self) -> str:
        return f"{self.predicate} {self.object}"

    @property
    def sentence(self) -> str:
        """Return the words of the reply."""
        return self.message.text[self.start : self.end]


class Verdict(models.Model):
    """The outcome of one check, with its evidence, and the version of the check."""

    class Check(models.TextChoices):
        TAINT = "taint"
        DUPLICATE = "duplicate"
        CONTRADICTION = "contradiction"
        VALIDATION = "validation"
        CONFIDENCE = "confidence"

    class Outcome(models.TextChoices):
        GOOD = "good"
        WARN = "warn"
        BAD = "bad"
        NOT_JUDGED = "not judged"

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="verdicts")
    check_name = models.CharField(max_length=13, choices=Check.choices)
    position = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    summary = models.CharField(max_length=300)
    evidence: Any = models.JSONField(default=dict)
    version = models.CharField(max_length=20)
    judged_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["proposal", "position"]
        constraints = [models.UniqueConstraint(fields=["proposal", "check_name"], name="one_verdict_of_a_check")]

    def __str__(self) -> str:
        return f"{self.check_name}: {self.outcome}"


class DecisionQuerySet(models.QuerySet["Decision"]):
    def standing(self) -> Self:
        """Return the decisions that can be undone: the last ones on their proposals, not undone."""
        later = Decision.objects.filter(proposal=OuterRef("proposal"), pk__gt=OuterRef("pk"))
        return self.filter(~Exists(later), undone_at=None)


class Decision(models.Model):
    """An operator's decision, with the state before it, for undoing. `batch` joins those of one action."""

    class Verb(models.TextChoices):
        APPROVED = "approved"
        REJECTED = "rejected"
        DEFERRED = "deferred"

    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="decisions")
    verb = models.CharField(max_length=8, choices=Verb.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    batch = models.CharField(max_length=40, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    note = models.CharField(max_length=500, blank=True)
    before: Any = models.JSONField(default=dict)
    after: Any = models.JSONField(default=dict)
    version = models.PositiveIntegerField()
    """Version of the proposal after it."""
    undone_at = models.DateTimeField(null=True)

    objects = DecisionQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["batch"], condition=~Q(batch=""), name="decision_batch")]

    def __str__(self) -> str:
        return f"{self.verb} {self.proposal}"


class Batch(models.Model):
    """One decision on many proposals: previewed, then made one by one by a job, then reported.

    Its decisions are those whose `batch` is its `key`; undoing it undoes those that stand. Without `until`, what it
    defers waits until it is said to somebody else.
    """

    class State(models.TextChoices):
        DRAFT = "draft"
        STARTED = "started"
        DONE = "done"
        UNDOING = "undoing"
        UNDONE = "undone"

    key = models.CharField(max_length=40, unique=True, default=new_batch)
    verb = models.CharField(max_length=8, choices=Decision.Verb.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=40, blank=True)
    note = models.CharField(max_length=500, blank=True)
    also_bad = models.BooleanField(default=False)
    """Whether to approve proposals with a bad verdict, too."""
    until = models.DateTimeField(null=True)
    state = models.CharField(max_length=7, choices=State.choices, default=State.DRAFT)
    back = models.CharField(max_length=500, blank=True)
    """Query of the queue's filter that it was chosen from."""
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"Batch {self.pk}: {self.verb}"

    @property
    def subject(self) -> str:
        """Return how its job names it."""
        return f"batch:{self.pk}"

    @property
    def decisions(self) -> DecisionQuerySet:
        """Return its decisions, including undone ones."""
        return Decision.objects.filter(batch=self.key).exclude(batch="")  # so that the partial index is used

    def waiting(self) -> "models.QuerySet[BatchItem]":
        """Return the items that are neither decided nor refused yet."""
        return self.items.exclude(proposal__in=self.decisions.values("proposal")).filter(why="")


class BatchItem(models.Model):
    """A proposal of a batch, at the chosen version, and why it wasn't decided, or its decision not undone."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="items")
    proposal = models.ForeignKey(Proposal, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["batch", "proposal"], name="one_item_of_a_proposal")]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.proposal_id}"
