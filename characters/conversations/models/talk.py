"""Conversations, messages, turns, and the evidence of each turn's stages."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import OuterRef, Q
from django.utils import timezone

from characters.conversations.models.people import Person
from characters.profiles.models import Character, Revision
from kgadmin.accounts.models import Client
from kgadmin.knowledge.models import KnowledgeBase

RUNNING = ("assembling", "replying")
"""States of a turn that a process works on, according to its row."""
HEART_STOPPED_AFTER = timedelta(seconds=10)
"""Age of the heartbeat from which a running turn was interrupted: its process is gone."""


def digest_of(before: str, role: str, text: str) -> str:
    """Return the digest of a message after messages with the digest `before`; white space doesn't count."""
    words = " ".join(text.split())
    return sha256(f"{before}\0{role}\0{words}".encode("utf-8", "surrogatepass")).hexdigest()


class Conversation(models.Model):
    """A conversation of one person with one character; in a sandbox nothing is remembered.
    `outside_id` is the `client` program's; without a client, an imported conversation's.
    """

    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="conversations")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="conversations")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=120, blank=True)
    sandbox = models.BooleanField(default=False)
    client = models.ForeignKey(Client, on_delete=models.CASCADE, null=True, related_name="conversations")
    outside_id = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-updated_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "character", "outside_id", "sandbox"],
                condition=~Q(outside_id=""),
                name="one_conversation_of_an_outside_id",
            )
        ]

    def __str__(self) -> str:
        return self.title or f"Conversation {self.pk}"

    @property
    def is_imported(self) -> bool:
        """Return whether it was imported, and stays as it is."""
        return bool(self.outside_id) and self.client_id is None

    @property
    def greeting(self) -> str:
        """Return the character's opening message, or empty if the person began."""
        first = self.messages.filter(parent=None).first()
        return first.text if first and first.role == Message.Role.ASSISTANT else ""

    @property
    def newest(self) -> "Message | None":
        """Return the newest message. An import may put some between older ones: it is the newest that none follows."""
        newest = self.messages.defer("vector").last()
        if newest and newest.children.exists():  # asked of this one alone, since the plan for all reads every message
            newest = self.messages.filter(children=None).defer("vector").last()
        return newest

    def path(self) -> list["Message"]:
        """Return the messages from the first to the newest, along one branch."""
        newest = self.newest
        return newest.path({message.pk: message for message in self.messages.defer("vector")}) if newest else []


class Memory(models.TextChoices):
    """State of a message in memory. Remembered ones have a place among what one character remembers of one person."""

    NONE = "none", "not remembered"
    """In a sandbox, while its turn runs, or withdrawn: it may be remembered again, and is examined anew then."""
    REFLEX = "reflex", "a reflex"
    """A command or its answer: in no history."""
    GREETING = "greeting", "a greeting"
    """The character's opening message: in the history."""
    WAITING = "waiting", "remembered, not examined yet"
    QUOTABLE = "quotable", "may come back as memory"
    WITHHELD = "withheld", "never comes back as memory"


STEPS: Mapping[Memory, Collection[Memory]] = {
    Memory.NONE: {Memory.WAITING, Memory.REFLEX},
    Memory.WAITING: {Memory.QUOTABLE, Memory.WITHHELD, Memory.NONE, Memory.REFLEX},
    Memory.QUOTABLE: {Memory.WITHHELD, Memory.NONE, Memory.REFLEX},
    Memory.WITHHELD: {Memory.NONE, Memory.REFLEX},
}
"""Allowed steps between states (`MessageQuerySet.become`); a reflex and a greeting stay."""
REMEMBERED = (Memory.WAITING, Memory.QUOTABLE, Memory.WITHHELD)
UNREAD = Q(role="user", place__isnull=False, facts_read_at=None)
"""States of remembered messages whose facts haven't been read yet."""


class MessageQuerySet(models.QuerySet["Message"]):
    def become(self, state: Memory, **fields: Any) -> int:
        """Move to `state` and set `fields` where `STEPS` allows it; return how many did (of two at once, one)."""
        able = self.filter(memory__in=[before for before, after in STEPS.items() if state in after])
        return able.update(memory=state, **fields)

    def unread(self) -> Self:
        """Return the messages whose facts haven't been read yet (`UNREAD`)."""
        return self.filter(UNREAD)

    def of(self, person_id: int | OuterRef, character_id: int | OuterRef) -> Self:
        """Return what one character remembers of one person, both sides."""
        return self.filter(
            conversation__person_id=person_id, conversation__character_id=character_id, place__isnull=False
        )


_BRANCH = """
WITH RECURSIVE branch (id, parent_id, depth) AS (
    SELECT id, parent_id, 1 FROM conversations_message WHERE id = %s
    UNION ALL
    SELECT earlier.id, earlier.parent_id, depth + 1
    FROM branch JOIN conversations_message AS earlier ON earlier.id = branch.parent_id
    WHERE depth < %s
)
SELECT message.id, message.conversation_id, message.parent_id, message.role, message.text, message.memory
FROM branch JOIN conversations_message AS message ON message.id = branch.id
ORDER BY depth DESC
"""


class Message(models.Model):
    """A message of one side; remembered after its turn has ended (`services.enqueue_for_memory`). `facts_read_at` is
    set once its facts were read, or once none may be. `digest` covers everything that a client program sent before
    it, and the message.
    """

    class Role(models.TextChoices):
        USER = "user"
        ASSISTANT = "assistant"

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="messages")
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="children")
    role = models.CharField(max_length=10, choices=Role.choices)
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    memory = models.CharField(max_length=8, choices=Memory.choices, default=Memory.NONE)
    place = models.PositiveIntegerField(null=True)
    facts_read_at = models.DateTimeField(null=True)
    outside_key = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    vector = models.BinaryField(null=True)
    embedder = models.CharField(max_length=120, blank=True)

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "outside_key"], condition=~Q(outside_key=""), name="one_message_of_a_key"
            ),
            models.CheckConstraint(
                condition=Q(memory__in=REMEMBERED, place__isnull=False) | ~Q(memory__in=REMEMBERED) & Q(place=None),
                name="remembered_messages_have_a_place",
            ),
        ]
        indexes = [
            models.Index(fields=["conversation", "id"], name="message_newest"),
            models.Index(fields=["conversation", "place"], name="message_place"),
            models.Index(fields=["digest"], condition=~Q(digest=""), name="message_digest"),
            # Of two fields, else SQLite takes the index of places.
            models.Index(fields=["conversation", "facts_read_at"], condition=UNREAD, name="message_unread"),
            models.Index(fields=["conversation"], condition=Q(memory=Memory.WAITING), name="message_waiting"),
            models.Index(fields=["embedder"], condition=Q(place__isnull=False), name="message_embedder"),
        ]

    def __str__(self) -> str:
        return f"{self.role}: {self.text[:60]}"

    @property
    def graph_id(self) -> str:
        """Return its id in the graph."""
        return f"message:{self.pk}"

    @property
    def is_in_history(self) -> bool:
        """Return whether the prompts of later turns include it."""
        return self.memory != Memory.REFLEX

    @property
    def is_unread(self) -> bool:
        """Return whether it is one of `UNREAD`."""
        return self.role == self.Role.USER and self.place is not None and self.facts_read_at is None

    def before(self, most: int) -> "list[Message]":
        """Return the newest messages that lead here, at most so many, oldest first, without this one."""
        return list(Message.objects.raw(_BRANCH, [self.parent_id, most])) if self.parent_id else []

    def path(self, messages: "dict[int, Message]") -> "list[Message]":
        """Return the messages of the conversation that lead here, oldest first, with this one."""
        steps: list[Message] = []
        message: Message | None = self
        while message is not None:
            steps.append(message)
            message = messages.get(message.parent_id) if message.parent_id else None
        return steps[::-1]


class TurnQuerySet(models.QuerySet["Turn"]):
    def with_trace(self) -> Self:
        """Load everything that a trace shows, in two queries."""
        return self.select_related(
            "message__conversation__character", "message__conversation__person", "reply", "revision"
        ).prefetch_related("stages")

    def to_assemble(self) -> Self:
        """Load what a turn's request is made of; its sheet is cached by revision."""
        related = self.select_related(
            "message__conversation__character__live_revision", "message__conversation__person"
        )
        sheet = "message__conversation__character__live_revision__"
        return related.defer("message__vector", f"{sheet}document", f"{sheet}yaml", f"{sheet}vectors")

    def for_list(self) -> Self:
        """Load what a list of turns shows; evidence and `carried` stay in the database."""
        stages = models.Prefetch("stages", Stage.objects.defer("evidence"))
        return self.defer("carried", "request").select_related("message").prefetch_related(stages)

    def running(self) -> Self:
        """Return the turns that run according to their rows."""
        return self.filter(state__in=RUNNING)

    def alive(self) -> Self:
        """Return the turns on which a process works."""
        return self.running().filter(heartbeat_at__gt=timezone.now() - HEART_STOPPED_AFTER)

    def dead(self) -> Self:
        """Return the turns whose process is gone."""
        return self.running().filter(heartbeat_at__lte=timezone.now() - HEART_STOPPED_AFTER)


class Turn(models.Model):
    """One user message, everything assembled for it, and the reply. While it runs, `text` holds the reply so far, and
    `heartbeat_at` is renewed. `key` makes sending the same form twice one turn. `carried` is handed to the follow-up.
    """

    class State(models.TextChoices):
        ASSEMBLING = "assembling"
        REPLYING = "replying"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"
        INTERRUPTED = "interrupted"

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="turns")
    reply = models.OneToOneField(Message, on_delete=models.SET_NULL, null=True, related_name="replied_by")
    variant_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="variants")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, null=True, related_name="+")
    key = models.CharField(max_length=64, unique=True)
    schema = models.PositiveSmallIntegerField(default=1)
    request = models.JSONField(default=dict)
    """Parameters of the turn: bases and their versions, switches, persona."""
    carried = models.JSONField(default=dict)
    prompt = models.JSONField(default=dict)
    state = models.CharField(max_length=12, choices=State.choices, default=State.ASSEMBLING)
    text = models.TextField(blank=True)
    error = models.TextField(blank=True)
    model = models.CharField(max_length=200, blank=True)
    stop_requested = models.BooleanField(default=False)
    assembled_ms = models.FloatField(null=True)
    first_token_ms = models.FloatField(null=True)
    reply_ms = models.FloatField(null=True)
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    heartbeat_at = models.DateTimeField(default=timezone.now)

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"Turn {self.pk}"

    @property
    def conversation(self) -> Conversation:
        """Return the conversation of its message."""
        return self.message.conversation

    @property
    def prompt_text(self) -> str:
        """Return the whole prompt as one text, for reading and copying."""
        return "\n\n".join(section["text"] for section in self.prompt.get("sections", []) if section["text"])

    @property
    def prefill(self) -> str:
        """Return the reply that it goes on with, as a client program sent it."""
        return str(self.request.get("client", {}).get("prefill", ""))

    @property
    def has_foreign_prefill(self) -> bool:
        """Return whether the beginning of its reply is the client program's, so that the character didn't say it."""
        return bool(self.prefill) and not self.request["client"].get("prefill_is_own")

    @property
    def is_running(self) -> bool:
        """Return whether a process works on it now."""
        return self.state in RUNNING and timezone.now() - self.heartbeat_at < HEART_STOPPED_AFTER

    @property
    def status(self) -> str:
        """Return the state, or "interrupted" if it should run and no process works on it."""
        return "interrupted" if self.state in RUNNING and not self.is_running else str(self.state)

    def beat(self, text: str) -> bool:
        """Save the reply so far and renew the heartbeat; return whether somebody asked to stop."""
        rows = Turn.objects.filter(pk=self.pk)
        rows.update(text=text, heartbeat_at=timezone.now())
        return bool(rows.values_list("stop_requested", flat=True).get())

    @staticmethod
    def keep_alive(pk: int) -> None:
        """Renew the heartbeat of a turn while nothing has arrived yet."""
        Turn.objects.running().filter(pk=pk).update(heartbeat_at=timezone.now())

    def ask_to_stop(self) -> None:
        """Ask the process that works on it to stop at its next heartbeat."""
        Turn.objects.running().filter(pk=self.pk).update(stop_requested=True)

    def finish(self, state: "Turn.State", text: str, *, error: str = "", **figures: float | int | None) -> None:
        """Save the end of the reply; its text, complete or stopped, becomes a message, or that of the one it had."""
        with transaction.atomic():
            for name, value in figures.items():
                setattr(self, name, value)
            self.state, self.text, self.error, self.heartbeat_at = state, text, error, timezone.now()
            if text and state in {Turn.State.DONE, Turn.State.STOPPED}:
                self.reply = self._reply_of(text)
            self.save(update_fields=["state", "text", "error", "heartbeat_at", "reply", *figures])
            Conversation.objects.filter(pk=self.message.conversation_id).update(updated_at=timezone.now())

    def _reply_of(self, text: str) -> Message:
        """Save the text as the message that the turn has already, else as a new one."""
        reply = self.reply or Message(
            conversation_id=self.message.conversation_id,
            parent=self.message,
            role=Message.Role.ASSISTANT,
            memory=Memory.REFLEX if self.message.memory == Memory.REFLEX else Memory.NONE,
        )
        reply.text, reply.vector = text, None
        reply.digest = digest_of(self.message.digest, Message.Role.ASSISTANT, text) if self.message.digest else ""
        reply.save(update_fields=["text", "vector", "digest"] if reply.pk else None)
        return reply


class Stage(models.Model):
    """One stage of a turn: how long it took, and what it used and dropped."""

    class Status(models.TextChoices):
        OK = "ok"
        SKIPPED = "skipped"
        FAILED = "failed"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="stages")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=20)
    status = models.CharField(max_length=10, choices=Status.choices)
    started_ms = models.FloatField()
    elapsed_ms = models.FloatField()
    error = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    evidence = models.JSONField(default=dict)

    class Meta:
        ordering = ["turn", "position"]
        constraints = [models.UniqueConstraint(fields=["turn", "name"], name="one_row_of_a_stage")]
        indexes = [models.Index(fields=["name"], condition=Q(status="failed"), name="stage_failed")]

    def __str__(self) -> str:
        return f"{self.name}: {self.status}"


class TurnMetrics(models.Model):
    """Figures of a live turn for the dashboard. Sandboxes, variants and fixed replies have none."""

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="metrics")
    hour = models.PositiveIntegerField(db_index=True)
    """Whole hours since 1970: charts group by it with plain arithmetic, the same on every database."""
    background = models.PositiveSmallIntegerField(default=0)
    user_facts = models.PositiveSmallIntegerField(default=0)
    common_ground = models.PositiveSmallIntegerField(default=0)
    ambient = models.PositiveSmallIntegerField(default=0)
    memory = models.PositiveSmallIntegerField(default=0)
    documents = models.PositiveSmallIntegerField(default=0)
    named = models.PositiveSmallIntegerField(default=0)
    knew = models.BooleanField(default=False)
    """Whether the graph knew something about what the message named."""
    hits = models.PositiveSmallIntegerField(default=0)
    """How many passages of knowledge bases were near enough."""
    asked = models.JSONField(default=list)
    """Keys of the bases that the probe asked, in order: turns are counted by it, and few lists differ."""

    class Meta:
        verbose_name_plural = "turn metrics"

    def __str__(self) -> str:
        return f"Metrics of turn {self.turn_id}"


class BaseUse(models.Model):
    """What a counted turn had of a base: saved beside `TurnMetrics`, for a base with a hit and for a chosen one."""

    class Section(models.TextChoices):
        PRIMARY = "primary"
        SUPPLEMENTAL = "supplemental"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="base_uses")
    # Without a constraint: a turn that assembles goes on while somebody deletes the base.
    base = models.ForeignKey(
        KnowledgeBase, on_delete=models.CASCADE, db_constraint=False, db_index=False, related_name="uses"
    )
    hour = models.PositiveIntegerField()
    """As in `TurnMetrics`."""
    hits = models.PositiveSmallIntegerField(default=0)
    passages = models.PositiveSmallIntegerField(default=0)
    """How many of its passages the prompt shows."""
    section = models.CharField(max_length=12, choices=Section.choices, blank=True)
    """Whether it was chosen; empty if it had hits only."""

    class Meta:
        indexes = [
            models.Index(fields=["base", "hour", "turn"], name="base_use_newest"),
            models.Index(fields=["base", "turn"], condition=Q(passages__gt=0), name="base_use_shown"),
        ]

    def __str__(self) -> str:
        return f"Base {self.base_id} in turn {self.turn_id}"
