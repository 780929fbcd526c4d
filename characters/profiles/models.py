"""Characters, the revisions of their sheets, and the registered predicates."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property

from characters.domain import sheet as values
from characters.domain.facts import sentence
from characters.domain.sheet import LEARNED_ID, Fact, Sheet
from characters.profiles import documents
from kgadmin.knowledge.models import KnowledgeBase
from kgadmin.projection.models import Change

_IS_A = values.Predicate("IS_A", sentence="I am {a object}")


class PredicateQuerySet(models.QuerySet["Predicate"]):
    def registry(self) -> dict[str, values.Predicate]:
        """Return all predicates by name, as the turn reads them."""
        rows = self.values_list("name", "family", "many", "learnable", "sentence", "question")
        return {row[0]: values.Predicate(*row) for row in rows}


class Predicate(models.Model):
    """A registered kind of fact. An unregistered name is read as family other, many values, not learnable."""

    name = models.CharField(max_length=60, unique=True)
    family = models.CharField(max_length=30)
    many = models.BooleanField(default=True)
    learnable = models.BooleanField(default=False)
    sentence = models.CharField(max_length=200, blank=True)
    question = models.CharField(max_length=200, blank=True)

    objects = PredicateQuerySet.as_manager()

    class Meta:
        ordering = ["family", "name"]

    def __str__(self) -> str:
        return self.name

    @property
    def value(self) -> values.Predicate:
        """Return the predicate as the turn reads it."""
        return values.Predicate(self.name, self.family, self.many, self.learnable, self.sentence, self.question)


class Character(models.Model):
    """A character; its sheet is in revisions, one of them live. Nobody talks to an archived one."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=100)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="characters")
    live_revision = models.ForeignKey("Revision", on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    archived_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.slug

    @property
    def graph_id(self) -> str:
        """Return its id in the graph."""
        return f"character:{self.pk}"

    @property
    def waits_for_graph(self) -> bool:
        """Return whether the graph is behind its live sheet or learned facts."""
        return Change.objects.waits(self.graph_id)

    @property
    def sheet(self) -> Sheet | None:
        """Return the live sheet, without loading the vectors and the YAML of its revision, which are large."""
        if self.live_revision_id is None:
            return None
        if "live_revision" not in self._state.fields_cache:
            self.live_revision = Revision.objects.defer("vectors", "yaml").get(pk=self.live_revision_id)
        return self.live_revision.sheet if self.live_revision else None

    @property
    def tagline(self) -> str:
        """Return the character's IS_A sentence ("I am a marine biologist"); empty if the sheet has none."""
        sheet = self.sheet
        fact = next((fact for fact in sheet.facts if fact.predicate == _IS_A.name), None) if sheet else None
        return sentence(fact, _IS_A) if fact else ""

    def go_live(self, revision: "Revision") -> None:
        """Make `revision` the live one."""
        Character.objects.filter(pk=self.pk).update(live_revision=revision, name=revision.sheet.name)
        self.refresh_from_db()


class Member(models.Model):
    """An account other than the owner that may read or edit a character (see `profiles.access`)."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    may_edit = models.BooleanField(default=False)

    class Meta:
        ordering = ["-may_edit", "user__username"]
        constraints = [models.UniqueConstraint(fields=["character", "user"], name="one_member_of_a_character")]

    def __str__(self) -> str:
        return f"{self.user} {'edits' if self.may_edit else 'reads'} {self.character}"

    @property
    def role(self) -> str:
        """Return the role in a word."""
        return "editor" if self.may_edit else "viewer"


class Revision(models.Model):
    """A sheet that never changes. `vectors` are those of its facts' texts (see `profiles.vectors`).

    `yaml` is the background as its author wrote it, with comments; empty if it wasn't written by hand.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    document = models.JSONField()
    yaml = models.TextField(blank=True)
    note = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    vectors = models.BinaryField(null=True)
    embedder = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["character", "number"], name="one_revision_of_a_number")]

    def __str__(self) -> str:
        return f"{self.character}, revision {self.number}"

    @property
    def is_live(self) -> bool:
        """Return whether turns use this revision."""
        return self.character.live_revision_id == self.pk

    @cached_property
    def sheet(self) -> Sheet:
        """Return the sheet, which never changes."""
        return documents.load(self.document)


class Draft(models.Model):
    """The sheet that a character's authors are writing; only turns that try it read it.

    `version` counts its changes; `based_on` is the revision it was begun from or last published as. `yaml` is the
    background as an author wrote it and `yaml_of` the document it stands for, which is outdated once a fact was changed
    elsewhere (see `drafts.yaml_text`). `yaml_typed` is text that can't be parsed yet, typed for version
    `yaml_typed_for`. `writer` saved last, at `written_at` in the browser tab `writer_tab`; nobody else can save for
    `CLAIM` after that. `vectors` are those of its facts' texts. Large fields are loaded only where needed.
    """

    character = models.OneToOneField(Character, on_delete=models.CASCADE, related_name="draft")
    document = models.JSONField()
    yaml = models.TextField(blank=True)
    yaml_of = models.JSONField(null=True)
    yaml_typed = models.TextField(blank=True)
    yaml_typed_for = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    based_on = models.ForeignKey(Revision, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(default=timezone.now)
    writer = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    writer_tab = models.CharField(max_length=32, blank=True)
    written_at = models.DateTimeField(null=True)
    vectors = models.BinaryField(null=True)
    embedder = models.CharField(max_length=120, blank=True)

    CLAIM = timedelta(seconds=60)

    def __str__(self) -> str:
        return f"Draft of {self.character}, version {self.version}"

    @property
    def sheet(self) -> Sheet:
        """Return the draft's sheet; it may be unfinished."""
        return documents.load(self.document)

    @property
    def is_published(self) -> bool:
        """Return whether the live sheet is the same."""
        live = self.character.live_revision
        return live is not None and live.sheet == self.sheet

    @property
    def written_until(self) -> datetime | None:
        """Return when the writer's claim ends, or None if nobody writes."""
        ends = self.written_at + self.CLAIM if self.writer_id and self.written_at else None
        return ends if ends and ends > timezone.now() else None

    def was_written_in(self, user: AbstractBaseUser | None, tab: str) -> bool:
        """Return whether this account saved last, in this browser tab."""
        return (self.writer_id, self.writer_tab) == (user.pk if user else None, tab)


class Unsaved(models.Model):
    """Changes that an account couldn't save because somebody else wrote the draft; kept until dealt with.

    `edits` are pairs of a part of the sheet and its value; the part "yaml" is a whole text.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="unsaved")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    edits = models.JSONField()
    typed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"What {self.user} typed for {self.character}"


class Card(models.Model):
    """An uploaded file, unchanged: a preview until it is taken.

    It is then the source of the character or of one of its lorebooks, kept so that exports are complete. `document` is
    what the import made of it: the sheet, or the lorebook's entries. `lorebook` is the name of its lorebook, if any,
    and `base` the knowledge base made of that (see `profiles.lorebooks`).
    """

    class Kind(models.TextChoices):
        CARD = "card"
        FOLDER = "folder"
        LOREBOOK = "lorebook"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    character = models.ForeignKey(Character, on_delete=models.CASCADE, null=True, related_name="cards")
    base = models.ForeignKey(KnowledgeBase, on_delete=models.SET_NULL, null=True, related_name="+")
    document = models.JSONField(default=dict)
    lorebook = models.CharField(max_length=100, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def lore_prefix(self) -> str:
        """Return the prefix of the ids of a lorebook's entries in a sheet."""
        return f"b{self.pk}-"


class CharacterBase(models.Model):
    """A knowledge base that isn't for everyone is in scope for the characters listed here."""

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="bases")
    base = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="characters")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["character", "base"], name="one_row_of_a_base")]

    def __str__(self) -> str:
        return f"{self.character} knows {self.base}"


class LearnedFactQuerySet(models.QuerySet["LearnedFact"]):
    def active(self) -> Self:
        """Return the facts that turns may use."""
        return self.filter(state=LearnedFact.State.ACTIVE)

    def in_use(self, sheet: Sheet) -> list["LearnedFact"]:
        """Return the facts of one character used with this sheet: pinned ones first, then the newest, up to the cap."""
        rows = self.active().select_related("predicate").defer("vectors")
        newest = rows.order_by("-pinned", "-pk")[: sheet.settings.most_learned]
        return sorted(newest, key=lambda row: row.pk)


class LearnedFact(models.Model):
    """A fact that an operator approved; it isn't in the sheet, and turns rank it below core facts.

    The database refuses predicates that can't be learned (`learned.triggers`). A fact is suspended while a core fact
    contradicts it (`suspended_by`, that fact's id), archived if hardly used, by hand, or once the sheet says it, and
    taken back if its approval is undone. A `pinned` fact doesn't decay. `vectors` are those of its texts.
    """

    class State(models.TextChoices):
        ACTIVE = "active"
        SUSPENDED = "suspended"
        ARCHIVED = "archived"
        TAKEN_BACK = "taken back"

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="learned")
    predicate = models.ForeignKey(Predicate, on_delete=models.PROTECT, related_name="+")
    object = models.CharField(max_length=500)
    confidence = models.FloatField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    suspended_by = models.CharField(max_length=60, blank=True)
    pinned = models.BooleanField(default=False)
    uses = models.PositiveIntegerField(default=0)
    last_used_at = models.DateTimeField(null=True)
    learned_at = models.DateTimeField(default=timezone.now)
    vectors = models.BinaryField(null=True)
    embedder = models.CharField(max_length=120, blank=True)

    objects = LearnedFactQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["character"], condition=Q(state="active"), name="learned_active")]

    def __str__(self) -> str:
        return f"{self.predicate} {self.object}"

    @property
    def fact(self) -> Fact:
        """Return the fact as the turn reads it."""
        return Fact(f"{LEARNED_ID}{self.pk}", self.predicate.name, self.object)
