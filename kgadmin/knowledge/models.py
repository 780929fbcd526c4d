"""Knowledge bases, their documents and chunks. The rows are the truth; a base's collection is made of them."""

from collections import Counter
from typing import Self

import numpy as np
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Case, Count, F, Q, Sum, Value, When
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from numpy.typing import NDArray

from kgadmin.knowledge.chunking import MAX_TOKENS, OVERLAP_TOKENS

DEFAULT_THRESHOLD = 0.40
"""Cosine similarity from which a chunk is a hit, until the base was measured."""


class KnowledgeBaseQuerySet(models.QuerySet["KnowledgeBase"]):
    def names(self) -> dict[str, str]:
        """Return the names by slug, with the slug beside a name that two bases have."""
        rows = list(self.values_list("slug", "name"))
        counts = Counter(name for _, name in rows)
        return {slug: name if counts[name] == 1 else f"{name} ({slug})" for slug, name in rows}

    def with_failures(self) -> Self:
        """Return the bases with documents that couldn't be read, annotated with their number: `failed_count`."""
        return self.filter(documents__state=Document.State.FAILED).annotate(failed_count=Count("documents"))

    def with_figures(self) -> Self:
        """Annotate `document_count`, `failed_count`, `waiting_count` and `chunk_count`."""
        finished = Q(documents__state__in=[Document.State.DONE, Document.State.FAILED])
        return self.annotate(
            document_count=Count("documents", distinct=True),
            failed_count=Count("documents", filter=Q(documents__state=Document.State.FAILED), distinct=True),
            waiting_count=Count("documents", filter=~finished, distinct=True),
            chunk_count=Count("documents__chunks", distinct=True),
        )


class KnowledgeBase(models.Model):
    """Registered documents, chunked and embedded into one collection.

    `slug` never changes: sheets name bases by it. `version` counts changes of its content, so that index files and
    caches in other processes know when they are old. `embedder` is the id of the model that made the vectors.
    """

    class Provenance(models.TextChoices):
        VERIFIED = "verified"
        CURATED = "curated"
        RESEARCHED = "researched"

    class Language(models.TextChoices):
        ENGLISH = "en"
        ARABIC = "ar"
        CHINESE = "zh"
        CZECH = "cs"
        DANISH = "da"
        DUTCH = "nl"
        FINNISH = "fi"
        FRENCH = "fr"
        GERMAN = "de"
        GREEK = "el"
        HEBREW = "he"
        HINDI = "hi"
        HUNGARIAN = "hu"
        ITALIAN = "it"
        JAPANESE = "ja"
        KOREAN = "ko"
        NORWEGIAN = "no"
        POLISH = "pl"
        PORTUGUESE = "pt"
        ROMANIAN = "ro"
        RUSSIAN = "ru"
        SPANISH = "es"
        SWEDISH = "sv"
        TURKISH = "tr"
        UKRAINIAN = "uk"

    slug = models.SlugField(max_length=60, unique=True, editable=False)
    name = models.CharField(max_length=100)
    description = models.CharField(max_length=300, blank=True)
    provenance = models.CharField(max_length=12, choices=Provenance.choices, default=Provenance.CURATED)
    language = models.CharField(max_length=2, choices=Language.choices, default=Language.ENGLISH)
    chunk_tokens = models.PositiveSmallIntegerField(default=MAX_TOKENS)
    overlap_tokens = models.PositiveSmallIntegerField(default=OVERLAP_TOKENS)
    for_everyone = models.BooleanField(default=True)
    enabled = models.BooleanField(default=True)
    own_threshold = models.FloatField(null=True, validators=[MinValueValidator(0.0), MaxValueValidator(1.0)])
    """The threshold that an operator set; it stays until they set another."""
    own_threshold_of = models.CharField(max_length=64, blank=True)
    """The `content` that it was set for."""
    measured_threshold = models.FloatField(null=True)
    """The threshold as ingestion measured it on the content."""
    threshold = models.GeneratedField(
        expression=Coalesce("own_threshold", "measured_threshold", Value(DEFAULT_THRESHOLD)),
        output_field=models.FloatField(),
        db_persist=True,
    )
    """The threshold in force: cosine similarity from which a chunk is a hit."""
    content = models.CharField(max_length=64, blank=True, editable=False)
    """Digest of the embedder and of the chunks as they were measured."""
    version = models.PositiveIntegerField(default=1)
    embedder = models.CharField(max_length=120, blank=True)
    collection = models.CharField(max_length=100)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = KnowledgeBaseQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("knowledge:base", args=[self.slug])

    @property
    def subject(self) -> str:
        """Return how the audit log and projections name it."""
        return f"base:{self.pk}"

    @property
    def stems(self) -> set[str]:
        """Return what stands before the number in its collections' names, in those of earlier versions too."""
        return {f"base-{self.pk}", f"kb-{self.slug}"}

    def collection_name(self, number: int) -> str:
        """Return the name of its collection of this number; no later base has it, whatever its slug."""
        return f"base-{self.pk}-{number}"

    @property
    def is_threshold_stale(self) -> bool:
        """Return whether the content has changed since an operator set the threshold."""
        return self.own_threshold is not None and self.own_threshold_of != self.content

    def change(self, **fields: object) -> None:
        """Save `fields` and increment `version`, in one statement."""
        KnowledgeBase.objects.filter(pk=self.pk).update(**fields, version=F("version") + 1)
        self.refresh_from_db()


class DocumentQuerySet(models.QuerySet["Document"]):
    def without_content(self) -> Self:
        """Defer the content, up to 10 MB per row."""
        return self.defer("content")

    def unfinished(self) -> Self:
        """Return the documents that a job still has to process."""
        return self.filter(state__in=[Document.State.QUEUED, Document.State.READING, Document.State.EMBEDDING])

    def failed(self) -> Self:
        """Return the documents that couldn't be read."""
        return self.filter(state=Document.State.FAILED)

    def telling_first(self) -> Self:
        """Order by state: failed, in work, waiting, finished."""
        order = [Document.State.FAILED, Document.State.EMBEDDING, Document.State.READING, Document.State.QUEUED]
        ranks = [When(state=state, then=Value(rank)) for rank, state in enumerate(order)]
        return self.order_by(Case(*ranks, default=Value(len(order))), "name", "pk")

    def with_figures(self) -> Self:
        """Annotate `chunk_count`, `embedded_count` and `token_count`."""
        embedded = Q(chunks__vector__isnull=False)
        return self.annotate(
            chunk_count=Count("chunks"),
            embedded_count=Count("chunks", filter=embedded),
            token_count=Sum("chunks__tokens", default=0),
        )


class Document(models.Model):
    """One file of a base. `version` counts its contents, so that a reader notices when it was replaced meanwhile."""

    class State(models.TextChoices):
        QUEUED = "queued"
        READING = "reading"
        EMBEDDING = "embedding"
        DONE = "done"
        FAILED = "failed"

    base = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(max_length=255)
    kind = models.CharField(max_length=5)
    """A `reading.kinds.Kind`; "other" for a file that an earlier version took and couldn't read."""
    size = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    error = models.CharField(max_length=300, blank=True)
    note = models.CharField(max_length=300, blank=True)
    """What couldn't be read of it, as a sentence."""
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["base", "name"], name="one_document_of_a_name")]
        indexes = [models.Index(fields=["base", "state"], name="document_base_state")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("knowledge:document", args=[self.base.slug, self.pk])

    @property
    def subject(self) -> str:
        """Return how the audit log names it."""
        return f"document:{self.pk}"

    @property
    def is_in_work(self) -> bool:
        """Return whether a job has begun with it; without one that is open it waits as any other."""
        return self.state in {self.State.READING, self.State.EMBEDDING}

    @property
    def tone(self) -> str:
        """Return the colour of its state."""
        return {self.State.DONE: "good", self.State.FAILED: "bad"}.get(self.State(self.state), "")


class Chunk(models.Model):
    """A piece of a document with its vector (float32, as bytes). Its id in the collection is `str(pk)`."""

    base = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="chunks")
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="chunks")
    index = models.PositiveIntegerField()
    heading = models.CharField(max_length=300, blank=True)
    place = models.CharField(max_length=40, blank=True)
    """Where it stands in the file, as in "page 3"."""
    text = models.TextField()
    tokens = models.PositiveIntegerField()
    vector = models.BinaryField(null=True)

    class Meta:
        ordering = ["document", "index"]
        constraints = [models.UniqueConstraint(fields=["document", "index"], name="one_chunk_of_an_index")]

    def __str__(self) -> str:
        return f"{self.document.name}, chunk {self.index}"

    def get_absolute_url(self) -> str:
        return f"{self.document.get_absolute_url()}?chunk={self.index}#chunk-{self.index}"

    @property
    def values(self) -> NDArray[np.float32]:
        """Return the vector; empty if there is none."""
        return np.frombuffer(self.vector or b"", dtype=np.float32)


class WordCounts(models.Model):
    """How often each stem occurs in a base, so that bases of any size compare; and how similar idle messages are."""

    base = models.OneToOneField(KnowledgeBase, on_delete=models.CASCADE, related_name="word_counts")
    counts = models.JSONField(default=dict)
    total = models.PositiveIntegerField(default=0)
    idle = models.JSONField(default=list)
    """The three highest similarities to chunks of the base, per message of `characters.domain.topics.IDLE`."""
    idle_count = models.PositiveIntegerField(default=0)
    """How many idle messages there were; a later version of the program may have others."""

    own_count = models.PositiveIntegerField(default=0)
    """How many messages of this installation's people were among them for the threshold."""

    def __str__(self) -> str:
        return f"{self.total} words"
